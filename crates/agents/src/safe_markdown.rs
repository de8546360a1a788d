//! Markdown that fetches nothing when it is shown: answers and reports, whose text a model wrote and a page may have put into
//! the model's mouth.

use std::ops::Range;

use page::Page;
use pulldown_cmark::{Event, LinkType, Options, Parser, Tag, TagEnd};
use url::Url;

/// How often a text is read again after a change, which can make markup of what was none.
const ROUNDS: usize = 8;
/// Tags that stay as they are, as long as they have no attributes.
const HARMLESS_TAGS: [&str; 32] = [
    "b",
    "blockquote",
    "br",
    "code",
    "dd",
    "del",
    "details",
    "dl",
    "dt",
    "em",
    "h1",
    "h2",
    "h3",
    "hr",
    "i",
    "ins",
    "kbd",
    "li",
    "ol",
    "p",
    "pre",
    "s",
    "strong",
    "sub",
    "summary",
    "sup",
    "table",
    "td",
    "th",
    "tr",
    "u",
    "ul",
];
/// Schemes of links that stay links.
const LINK_SCHEMES: [&str; 4] = ["http", "https", "mailto", "tel"];

/// The text without anything that a client would fetch by showing it. A picture becomes its alternative text, as a link
/// where `is_source` says that its address belongs to a source of the run; tags with attributes become text; links with
/// other schemes than those of pages, mail and telephone lose their address. All else stays as it is, byte for byte.
pub(crate) fn safe_markdown(text: &str, is_source: &dyn Fn(&Url) -> bool) -> String {
    let mut safe = text.to_owned();
    if !text.contains(['<', '[']) {
        return safe;
    }
    let tables = Options::ENABLE_TABLES | Options::ENABLE_STRIKETHROUGH | Options::ENABLE_TASKLISTS;
    // Clients differ in what is a table or a footnote, and thereby in what is code and what a picture.
    let dialects = [Options::empty(), tables, tables | Options::ENABLE_FOOTNOTES];
    for _ in 0..ROUNDS {
        let mut is_changed = false;
        for options in dialects {
            let edits = Reader::new(&safe, is_source).edits(options);
            is_changed |= !edits.is_empty();
            safe = apply(&safe, edits);
        }
        if !is_changed {
            return safe;
        }
    }
    as_plain_text(&safe)
}

/// A change of a text: the bytes that go, and what comes for them.
type Edit = (Range<usize>, String);

fn apply(text: &str, mut edits: Vec<Edit>) -> String {
    edits.sort_by_key(|(range, _)| range.start);
    let mut out = String::with_capacity(text.len());
    let mut at = 0;
    for (range, new) in edits {
        // Of changes that overlap the first counts; the next round sees to the rest.
        if range.start >= at {
            out.push_str(text.get(at..range.start).unwrap_or_default());
            out.push_str(&new);
            at = range.end;
        }
    }
    out.push_str(text.get(at..).unwrap_or_default());
    out
}

/// A link whose address goes, as far as it has been read.
struct BadLink {
    range: Range<usize>,
    inner: Option<Range<usize>>,
}

/// Reads a text once and notes what has to change.
struct Reader<'t> {
    text: &'t str,
    is_source: &'t dyn Fn(&Url) -> bool,
    edits: Vec<Edit>,
    /// The open links, those that go with what is known of their text.
    links: Vec<Option<BadLink>>,
}

impl<'t> Reader<'t> {
    fn new(text: &'t str, is_source: &'t dyn Fn(&Url) -> bool) -> Self {
        Self {
            text,
            is_source,
            edits: Vec::new(),
            links: Vec::new(),
        }
    }

    fn edits(mut self, options: Options) -> Vec<Edit> {
        let mut events = Parser::new_ext(self.text, options).into_offset_iter();
        while let Some((event, range)) = events.next() {
            if !matches!(event, Event::End(TagEnd::Link)) {
                self.extend_links(&range);
            }
            match event {
                Event::Start(Tag::Image { dest_url, .. }) => {
                    let alt = alternative_text(&mut events);
                    let picture = self.picture(&alt, &dest_url);
                    // The brackets behind `![x][]` are not counted as a part of the picture.
                    let rest = self.text.get(range.end..).unwrap_or_default();
                    let end = range.end + if rest.starts_with("[]") { 2 } else { 0 };
                    self.edits.push((range.start..end, picture));
                }
                Event::Start(Tag::Link {
                    link_type, dest_url, ..
                }) => self.open_link(link_type, &dest_url, range),
                Event::End(TagEnd::Link) => self.close_link(),
                Event::Start(Tag::CodeBlock(_)) => {
                    events.find(|(event, _)| matches!(event, Event::End(TagEnd::CodeBlock)));
                }
                Event::Start(Tag::HtmlBlock) => {
                    self.read_html(range);
                    events.find(|(event, _)| matches!(event, Event::End(TagEnd::HtmlBlock)));
                }
                Event::InlineHtml(_) | Event::Html(_) => self.read_html(range),
                Event::Text(_) => self.read_text(range),
                _ => {}
            }
        }
        self.edits
    }

    fn extend_links(&mut self, range: &Range<usize>) {
        for link in self.links.iter_mut().flatten() {
            let inner = link.inner.get_or_insert_with(|| range.clone());
            inner.end = inner.end.max(range.end);
        }
    }

    fn open_link(&mut self, kind: LinkType, address: &str, range: Range<usize>) {
        let is_bad = !is_safe_link(address) && kind != LinkType::Email;
        self.links.push(is_bad.then_some(BadLink { range, inner: None }));
    }

    /// Of a link that goes its text stays.
    fn close_link(&mut self) {
        let Some(Some(BadLink { range, inner })) = self.links.pop() else {
            return;
        };
        let inner = inner.unwrap_or(range.end..range.end);
        self.edits.push((range.start..inner.start, String::new()));
        self.edits.push((inner.end..range.end, String::new()));
    }

    fn picture(&self, alt: &str, address: &str) -> String {
        let alt = escaped(alt.trim());
        let source = Url::parse(address).ok().filter(|url| (self.is_source)(url));
        match source.filter(|_| self.links.is_empty()) {
            Some(url) => {
                let address = url.as_str().replace('(', "%28").replace(')', "%29");
                let alt = if alt.is_empty() { "picture" } else { &alt };
                format!("[{alt}]({address})")
            }
            None => format!("[picture left out: {alt}]"),
        }
    }

    /// Tags: harmless ones stay, pictures become their alternative text, and all others become text.
    fn read_html(&mut self, range: Range<usize>) {
        let html = self.text.get(range.clone()).unwrap_or_default();
        let mut at = 0;
        while let Some(found) = html.get(at..).and_then(|rest| rest.find(['<', '['])) {
            let start = at + found;
            let rest = html.get(start..).unwrap_or_default();
            at = start + 1;
            let place = range.start + start;
            if rest.starts_with('[') {
                if html.get(..start).is_some_and(|before| before.ends_with('!')) {
                    self.edits.push((place..place + 1, "&#91;".to_owned()));
                }
                continue;
            }
            let tag = tag_at(rest);
            if tag.is_some_and(is_harmless) {
                continue;
            }
            let alt = tag.and_then(|tag| Some((tag.len(), picture_of(tag)?)));
            match alt {
                Some((length, alt)) => {
                    let picture = format!("[picture left out: {}]", escaped(alt.trim()));
                    self.edits.push((place..place + length, picture));
                    at = start + length;
                }
                None => self.edits.push((place..place + 1, "&lt;".to_owned())),
            }
        }
    }

    /// Plain text: what looks like a picture or a tag to more lenient readers is spelled so that it does not.
    fn read_text(&mut self, range: Range<usize>) {
        let bytes = self.text.as_bytes();
        let byte = |at: Option<usize>| at.and_then(|at| bytes.get(at)).copied();
        for at in range {
            let before = byte(at.checked_sub(1));
            match byte(Some(at)) {
                Some(b'[') if before == Some(b'!') && byte(at.checked_sub(2)) != Some(b'\\') => {
                    self.edits.push((at..at, "\\".to_owned()));
                }
                Some(b'<') if byte(Some(at + 1)).is_some_and(opens_tag) => {
                    let start = if before == Some(b'\\') { at - 1 } else { at };
                    self.edits.push((start..at + 1, "&lt;".to_owned()));
                }
                _ => {}
            }
        }
    }
}

fn opens_tag(byte: u8) -> bool {
    byte.is_ascii_alphabetic() || matches!(byte, b'/' | b'!' | b'?')
}

/// The text within a picture, up to its end.
fn alternative_text<'e>(events: &mut impl Iterator<Item = (Event<'e>, Range<usize>)>) -> String {
    let (mut alt, mut depth) = (String::new(), 1);
    for (event, _) in events {
        match event {
            Event::Start(Tag::Image { .. }) => depth += 1,
            Event::End(TagEnd::Image) => depth -= 1,
            Event::Text(text) | Event::Code(text) => alt.push_str(&text),
            Event::SoftBreak | Event::HardBreak => alt.push(' '),
            _ => {}
        }
        if depth == 0 {
            break;
        }
    }
    alt
}

fn is_safe_link(address: &str) -> bool {
    // As a browser reads it, on whatever page it is shown.
    let base = Url::parse("https://page.invalid/").ok();
    let url = Url::options().base_url(base.as_ref()).parse(address);
    url.is_ok_and(|url| LINK_SCHEMES.contains(&url.scheme()))
}

/// The tag at the start of a text, up to its `>` outside of quotes.
fn tag_at(text: &str) -> Option<&str> {
    let mut quote = None;
    let end = text.char_indices().skip(1).find(|(_, c)| match quote {
        Some(open) => {
            if *c == open {
                quote = None;
            }
            false
        }
        None => {
            if matches!(c, '"' | '\'') {
                quote = Some(*c);
            }
            *c == '>'
        }
    });
    text.get(..=end?.0)
}

fn is_harmless(tag: &str) -> bool {
    let name = tag.trim_start_matches('<').trim_end_matches('>');
    let name = name.strip_prefix('/').unwrap_or(name);
    let name = name.strip_suffix('/').unwrap_or(name).trim_end();
    HARMLESS_TAGS
        .iter()
        .any(|harmless| harmless.eq_ignore_ascii_case(name))
}

/// The alternative text of a tag that is a picture.
fn picture_of(tag: &str) -> Option<String> {
    let page = Page::new(tag, None);
    let picture = page.dom().by_tag("img").next()?;
    Some(picture.attr("alt").unwrap_or_default().to_owned())
}

/// A text as one line of Markdown that says nothing else.
fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '<' => out.push_str("&lt;"),
            '&' => out.push_str("&amp;"),
            '\\' | '`' | '*' | '_' | '[' | ']' | '(' | ')' | '!' | '|' | '~' => {
                out.push('\\');
                out.push(c);
            }
            c if c.is_control() => out.push(' '),
            c => out.push(c),
        }
    }
    out
}

/// A text whose markup is all spelled out.
fn as_plain_text(text: &str) -> String {
    let lines: Vec<String> = text.lines().map(|line| escaped(line.trim_start())).collect();
    lines.join("\n")
}

#[cfg(test)]
mod tests;
