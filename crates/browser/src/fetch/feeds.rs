//! Feeds (RSS, Atom) and site maps, as pages that list their entries.

use page::dom::Dom;
use page::xml::{Part, Parts, attribute};
use url::Url;

use super::html_text::escape;

/// Most entries that are listed.
const MAX_ENTRIES: usize = 5_000;
/// Most authors of an entry.
const MAX_AUTHORS: usize = 20;
/// Most files of an entry.
const MAX_ENCLOSURES: usize = 20;
/// How much of a summary is looked for in the whole text, in bytes.
const SUMMARY_START: usize = 60;

/// What a feed or one of its entries says.
#[derive(Default)]
struct Entry {
    title: String,
    link: String,
    date: String,
    /// When it was changed last.
    changed: String,
    authors: Vec<String>,
    /// A short text, as HTML.
    summary: String,
    /// The whole text, as HTML.
    content: String,
    /// Who speaks and what is said, by the names that podcasts have for that; used where the others are missing.
    speaker: String,
    spoken: String,
    /// Files that belong to the entry, such as the sound of an episode.
    enclosures: Vec<Enclosure>,
    /// What relative links of the entry are relative to, where the document says so.
    base: Option<Url>,
}

/// A file that belongs to an entry.
struct Enclosure {
    link: String,
    /// Its media type, empty where the feed does not say it.
    media_type: String,
}

impl Enclosure {
    /// A picture, or a link by the name of the file.
    fn html(&self) -> String {
        let link = escape(&self.link);
        if self.media_type.starts_with("image/") {
            return format!("<p><img src=\"{link}\" alt=\"\"></p>");
        }
        let path = self.link.split(['?', '#']).next().unwrap_or_default();
        let name = path.rsplit('/').find(|part| !part.is_empty()).unwrap_or(path);
        format!("<p><a href=\"{link}\" rel=\"enclosure\">{}</a></p>", escape(name))
    }
}

impl Entry {
    /// Takes a file of the entry.
    fn enclose(&mut self, href: &str, media_type: &str) {
        let link = self.absolute(&page::meta::decode_entities(href));
        if !link.is_empty() && self.enclosures.len() < MAX_ENCLOSURES {
            self.enclosures.push(Enclosure {
                link,
                media_type: media_type.trim().to_ascii_lowercase(),
            });
        }
    }

    /// Takes the text of an element.
    fn take(&mut self, name: &str, text: &str, is_html: bool) {
        let text = text.trim();
        if matches!(name, "updated" | "lastBuildDate") {
            longer(&mut self.changed, text);
        }
        match name {
            "title" => longer(&mut self.title, &plain_title(text, is_html)),
            "link" | "loc" => {
                let link = self.absolute(text);
                longer(&mut self.link, &link);
            }
            // The first date is the publication's.
            "updated" if self.date.is_empty() => text.clone_into(&mut self.date),
            "pubDate" | "published" | "dc:date" | "lastmod" => longer(&mut self.date, text),
            "author" | "name" | "dc:creator" => self.author(text),
            "itunes:author" => text.clone_into(&mut self.speaker),
            "itunes:summary" | "itunes:subtitle" => longer(&mut self.spoken, text),
            "description" | "summary" | "subtitle" => longer(&mut self.summary, text),
            "content" | "content:encoded" => longer(&mut self.content, text),
            _ => {}
        }
    }

    /// Takes an author; RSS writes an address of mail with the name in brackets behind it.
    fn author(&mut self, written: &str) {
        let named = written
            .split_once('(')
            .filter(|(address, _)| address.contains('@'));
        let named = named.and_then(|(_, name)| name.strip_suffix(')'));
        let name = named
            .map(str::trim)
            .filter(|name| !name.is_empty())
            .unwrap_or(written);
        let is_new = !name.is_empty() && self.authors.iter().all(|author| author != name);
        if is_new && self.authors.len() < MAX_AUTHORS {
            self.authors.push(name.to_owned());
        }
    }

    /// A link of the document, absolute where the document says what it is relative to.
    fn absolute(&self, href: &str) -> String {
        let joined = self.base.as_ref().and_then(|base| base.join(href.trim()).ok());
        joined.map_or_else(|| href.trim().to_owned(), String::from)
    }

    /// The texts of the entry as HTML: the whole text, behind the summary when that says something else.
    fn texts(&self) -> String {
        let summary = plain(&self.summary);
        let start = summary.trim_end_matches(['.', '\u{2026}', '[', ']', ' ']);
        let start = start
            .get(..start.floor_char_boundary(SUMMARY_START))
            .unwrap_or_default();
        let is_repeated = !self.content.is_empty() && plain(&self.content).contains(start);
        let mut texts = String::new();
        if !(is_repeated || self.summary.is_empty()) {
            texts.push_str(&format!(
                "<div class=\"description p-summary\">{}</div>",
                self.summary
            ));
        }
        if !self.content.is_empty() {
            texts.push_str(&format!("<div class=\"e-content\">{}</div>", self.content));
        }
        texts
    }

    /// Takes what podcasts say in a way of their own where nothing else says it.
    fn complete(&mut self) {
        if self.summary.is_empty() && self.content.is_empty() {
            self.summary = std::mem::take(&mut self.spoken);
        }
        if self.authors.is_empty() {
            let speaker = std::mem::take(&mut self.speaker);
            self.author(&speaker);
        }
    }

    /// The entry in the classes of microformats (h-entry), by which its parts are known.
    fn html(&self) -> String {
        // An address is the name of an entry that says nothing else.
        let is_named = !self.title.is_empty() || (self.summary.is_empty() && self.content.is_empty());
        let class = if is_named { "p-name u-url" } else { "u-url" };
        let title = if self.title.is_empty() {
            &self.link
        } else {
            &self.title
        };
        let link = escape(&self.link);
        let title = escape(title);
        let heading = match (link.is_empty(), title.is_empty()) {
            (false, _) => format!("<h2><a class=\"{class}\" href=\"{link}\">{title}</a></h2>"),
            (true, false) => format!("<h2 class=\"p-name\">{title}</h2>"),
            (true, true) => String::new(),
        };
        let mut written = format!("<article class=\"h-entry\">{heading}");
        if !self.authors.is_empty() {
            let authors = escape(&self.authors.join(", "));
            written.push_str(&format!("<p class=\"author p-author\">{authors}</p>"));
        }
        if !self.date.is_empty() {
            let date = escape(&self.date);
            written.push_str(&format!(
                "<time class=\"dt-published\" datetime=\"{date}\">{}</time>",
                escape(&self.date)
            ));
        }
        let enclosures: String = self.enclosures.iter().map(Enclosure::html).collect();
        written + &self.texts() + &enclosures + "</article>"
    }
}

/// Takes a text in place of a shorter one.
fn longer(place: &mut String, text: &str) {
    if text.len() > place.len() {
        text.clone_into(place);
    }
}

/// The words of an HTML text.
fn plain(html: &str) -> String {
    if !html.contains(['<', '&']) {
        return html.split_whitespace().collect::<Vec<_>>().join(" ");
    }
    Dom::parse(html).root().text()
}

/// The words of a title, which is HTML where the feed says so, or where it has end tags or character references.
fn plain_title(title: &str, is_html: bool) -> String {
    let has_reference = || {
        let mut parts = title.split('&').skip(1);
        parts.any(|part| {
            let name = part.split(';').next().unwrap_or_default();
            let is_name = name
                .bytes()
                .all(|byte| byte.is_ascii_alphanumeric() || byte == b'#');
            name.len() < part.len() && (2..=12).contains(&name.len()) && is_name
        })
    };
    match is_html || title.contains("</") || has_reference() {
        true => plain(title),
        false => title.to_owned(),
    }
}

/// The entries of a feed or of a site map; none when the document is something else.
pub(super) fn html(xml: &str) -> Option<String> {
    let mut reader = FeedReader::default();
    let mut parts = Parts(xml);
    loop {
        let at = xml.len() - parts.0.len();
        let Some(part) = parts.next() else { break };
        match part {
            Part::Start(name, attributes) => {
                if reader.is_outside()
                    && !matches!(name, "rss" | "feed" | "rdf:RDF" | "urlset" | "sitemapindex")
                {
                    return None;
                }
                let behind = xml.len() - parts.0.len();
                if !reader.start(name, attributes, behind) {
                    break;
                }
            }
            Part::Text(more) => reader.text.push_str(&more),
            Part::End(name) => reader.end(name, |from| xml.get(from..at).unwrap_or_default()),
        }
    }
    reader.html()
}

/// Elements as HTML that is written as elements (`type="xhtml"`).
struct OpenMarkup {
    /// Where it begins in the document.
    from: usize,
    /// How many elements are open in it.
    depth: usize,
}

/// Reads the elements of a feed.
#[derive(Default)]
struct FeedReader<'x> {
    feed: Entry,
    entries: Vec<Entry>,
    path: Vec<&'x str>,
    /// The text since the last tag.
    text: String,
    in_entry: bool,
    markup: Option<OpenMarkup>,
    /// Whether the text of the element that is open is HTML.
    is_html: bool,
    /// How many of the open elements say something of another thing than the feed or the entry.
    others: usize,
    /// Whether the `<guid>` that is open is an address.
    is_permalink: bool,
}

/// Whether an element says something of another thing: a feed's picture and an entry's source have titles of their own, and who helped is
/// no author.
fn is_other(name: &str) -> bool {
    matches!(name, "image" | "source" | "textInput" | "contributor")
}

impl<'x> FeedReader<'x> {
    fn is_outside(&self) -> bool {
        self.path.is_empty()
    }

    /// Takes a start tag and where the document goes on behind it. Returns whether more is to be read.
    fn start(&mut self, name: &'x str, attributes: &str, behind: usize) -> bool {
        let is_empty = attributes.trim_end().ends_with('/');
        if let Some(markup) = &mut self.markup {
            markup.depth += usize::from(!is_empty);
            return true;
        }
        self.text.clear();
        if matches!(name, "item" | "entry" | "url" | "sitemap") {
            if self.entries.len() >= MAX_ENTRIES {
                return false;
            }
            self.in_entry = !is_empty;
            self.entries.push(Entry {
                base: self.feed.base.clone(),
                ..Entry::default()
            });
        }
        let kind = attribute(attributes, "type").unwrap_or_default();
        let base = attribute(attributes, "xml:base").map(page::meta::decode_entities);
        let is_of_link = name == "link";
        self.is_html = matches!(kind, "html" | "xhtml" | "text/html");
        self.is_permalink = attribute(attributes, "isPermaLink") != Some("false");
        let holder = self.holder();
        let based = base.and_then(|base| match &holder.base {
            Some(outer) => outer.join(base.trim()).ok(),
            None => Url::parse(base.trim()).ok(),
        });
        if let Some(based) = based.filter(|_| matches!(name, "feed" | "entry" | "rss" | "channel" | "item")) {
            holder.base = Some(based);
        }
        let is_alternate = attribute(attributes, "rel").is_none_or(|rel| rel == "alternate");
        if let (true, true, Some(href)) = (is_alternate, is_of_link, attribute(attributes, "href")) {
            holder.link = holder.absolute(&page::meta::decode_entities(href));
        }
        let is_enclosed_link = is_of_link && attribute(attributes, "rel") == Some("enclosure");
        let enclosed = match name {
            "enclosure" => attribute(attributes, "url"),
            _ => attribute(attributes, "href").filter(|_| is_enclosed_link),
        };
        if let Some(href) = enclosed {
            holder.enclose(href, kind);
        }
        if !is_empty {
            self.path.push(name);
            self.others += usize::from(is_other(name));
            if kind == "xhtml" {
                self.markup = Some(OpenMarkup {
                    from: behind,
                    depth: 0,
                });
            }
        }
        true
    }

    /// Takes an end tag; `written` is the document from a place to that tag.
    fn end(&mut self, name: &str, written: impl Fn(usize) -> &'x str) {
        let mut text = std::mem::take(&mut self.text);
        if let Some(markup) = &mut self.markup {
            if markup.depth > 0 {
                markup.depth -= 1;
                return;
            }
            written(markup.from).clone_into(&mut text);
            self.markup = None;
        }
        let (is_html, is_permalink) = (self.is_html, self.is_permalink);
        if self.others == 0 {
            let holder = self.holder();
            let is_address = text.trim().starts_with("http://") || text.trim().starts_with("https://");
            if name == "guid" && is_permalink && is_address && holder.link.is_empty() {
                text.trim().clone_into(&mut holder.link);
            }
            holder.take(name, &text, is_html);
        }
        self.in_entry &= !matches!(name, "item" | "entry" | "url" | "sitemap");
        if self.path.last() == Some(&name) {
            self.path.pop();
            self.others -= usize::from(is_other(name));
        }
    }

    fn holder(&mut self) -> &mut Entry {
        self.entries
            .last_mut()
            .filter(|_| self.in_entry)
            .unwrap_or(&mut self.feed)
    }

    fn html(mut self) -> Option<String> {
        if self.is_outside() && self.entries.is_empty() && self.feed.title.is_empty() {
            return None;
        }
        self.feed.complete();
        self.entries.iter_mut().for_each(Entry::complete);
        // An entry that names no author is the feed's author's.
        let nameless = self.entries.iter_mut().filter(|entry| entry.authors.is_empty());
        nameless.for_each(|entry| entry.authors.clone_from(&self.feed.authors));
        let title = escape(&self.feed.title);
        let listed: String = self.entries.iter().map(Entry::html).collect();
        let facts = [
            ("name=\"description\"", plain(&self.feed.summary)),
            ("property=\"article:modified_time\"", self.feed.changed.clone()),
        ];
        let stated = facts.iter().filter(|(_, value)| !value.is_empty());
        let stated: String = stated
            .map(|(name, value)| format!("<meta {name} content=\"{}\">", escape(value)))
            .collect();
        Some(format!(
            "<title>{title}</title>{stated}<body class=\"h-feed\"><h1>{title}</h1>{}{listed}",
            self.feed.texts()
        ))
    }
}
