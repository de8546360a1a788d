//! Link targets, titles and labels.

use super::mark::InlineMark;
use crate::dom::Node;
use crate::page::Page;
use crate::tag;
use html5ever::local_name;
use std::fmt::Write;

/// The target of a link as it stands in the parentheses; none when it leads nowhere.
pub(super) fn target(page: &Page, href: &str, absolute: bool) -> Option<String> {
    let href = href.trim_matches(|c: char| c.is_ascii_whitespace() || c.is_ascii_control());
    if href.is_empty() || is_script(href) {
        return None;
    }
    // Within the page: short and still right wherever the Markdown is read beside its source.
    if href.starts_with('#') || !absolute {
        return Some(destination(href));
    }
    if let Some(url) = quick(page, href) {
        return Some(destination(&url));
    }
    match page.absolute(href) {
        Some(url) => Some(destination(url.as_str())),
        None => Some(destination(href)),
    }
}

/// The target of an `<a>`: an empty one is the page itself.
pub(super) fn destination_of(page: &Page, href: &str, absolute: bool) -> Option<String> {
    if href.trim().is_empty() {
        return Some(String::new());
    }
    target(page, href, absolute)
}

fn is_script(href: &str) -> bool {
    let scheme: String = href
        .chars()
        .filter(|c| !c.is_ascii_whitespace())
        .take(11)
        .collect::<String>()
        .to_ascii_lowercase();
    scheme.starts_with("javascript:") || scheme.starts_with("vbscript:")
}

/// The absolute form of the plainest kinds of links, without a parser. One that is absolute stays as it is written.
fn quick(page: &Page, href: &str) -> Option<String> {
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || b"-._~/?=&%+,;:@!#$*'".contains(&byte);
    if !href.bytes().all(plain) || href.contains("/.") {
        return None;
    }
    let has_scheme = |scheme: &str| {
        href.get(..scheme.len())
            .is_some_and(|start| start.eq_ignore_ascii_case(scheme))
    };
    if has_scheme("mailto:") || has_scheme("tel:") {
        return Some(href.to_owned());
    }
    let after = href
        .strip_prefix("https://")
        .or_else(|| href.strip_prefix("http://"));
    if let Some(after) = after {
        let host = after.split(['/', '?', '#']).next().unwrap_or("");
        let named = host
            .bytes()
            .all(|byte| byte.is_ascii_alphanumeric() || b".-:%".contains(&byte));
        return (named && !host.is_empty()).then(|| href.to_owned());
    }
    if href.starts_with('/') && !href.starts_with("//") {
        let base = page.base()?;
        if !matches!(base.scheme(), "http" | "https") {
            return None;
        }
        let base = base.as_str();
        let host = base.find("://")? + 3;
        let end = base
            .get(host..)?
            .find(['/', '?', '#'])
            .map_or(base.len(), |at| host + at);
        return Some(format!("{}{href}", base.get(..end)?));
    }
    None
}

/// A link destination: what would end it early, or begin code, is escaped; white space is put in angle brackets.
fn destination(url: &str) -> String {
    let url = url.trim();
    let odd = |byte: u8| {
        matches!(byte, b'(' | b')' | b'<' | b'>' | b'\\' | b'|' | b'`')
            || byte.is_ascii_whitespace()
            || byte < 0x20
    };
    if !url.bytes().any(odd) {
        return url.to_owned();
    }
    if !url.contains(['<', '>', '\\', '|', '`']) {
        if balanced(url) && !url.contains(|c: char| c.is_whitespace() || c.is_control()) {
            return url.to_owned();
        }
        if !url.contains(['\n', '\r']) {
            return format!("<{url}>");
        }
    }
    let mut out = String::with_capacity(url.len() + 8);
    for c in url.chars() {
        match c {
            '(' | ')' | '<' | '>' | '\\' | '|' | '`' | ' ' => _ = write!(out, "%{:02X}", u32::from(c)),
            c if c.is_whitespace() || c.is_control() => {}
            c => out.push(c),
        }
    }
    out
}

/// Whether round brackets pair up, so that a destination may hold them.
fn balanced(url: &str) -> bool {
    let mut depth = 0i32;
    for byte in url.bytes() {
        match byte {
            b'(' => depth += 1,
            b')' => depth -= 1,
            _ => {}
        }
        if !(0..=8).contains(&depth) {
            return false;
        }
    }
    depth == 0
}

/// A title after a destination, empty when there is none worth its length.
pub(super) fn title(text: &str) -> String {
    let words = lines(text);
    if words.is_empty() {
        return String::new();
    }
    format!(
        " \"{}\"",
        words
            .replace('\\', "\\\\")
            .replace('"', "\\\"")
            .replace('<', "\\<")
    )
}

/// Text of an attribute: each line without the spaces around it, no empty lines.
pub(super) fn lines(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for line in text.lines() {
        let before = out.len();
        for word in line.split_whitespace() {
            if out.len() > before {
                out.push(' ');
            } else if before > 0 {
                out.push('\n');
            }
            out.push_str(word);
        }
    }
    out
}

/// How the inside of a link is laid out.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum LinkContent {
    /// Words only.
    Inline,
    /// Blocks that fit on one line.
    Blocks,
    /// Headings: they stay headings and carry the link.
    Headings,
    /// Lists, tables or code: each block carries the link.
    Rich,
}

impl LinkContent {
    pub(super) fn of(link: Node<'_>) -> LinkContent {
        let mut inside = LinkContent::Inline;
        for node in link.descendants() {
            if !node.is_element() {
                continue;
            }
            match *node.local() {
                ref name if tag::heading_level(name).is_some() => return LinkContent::Headings,
                local_name!("li")
                | local_name!("table")
                | local_name!("pre")
                | local_name!("blockquote")
                | local_name!("dl") => inside = LinkContent::Rich,
                _ if inside == LinkContent::Inline && tag::is_block(node.local()) => {
                    inside = LinkContent::Blocks
                }
                _ => {}
            }
        }
        inside
    }

    pub(super) fn mark(self) -> InlineMark {
        InlineMark::Link {
            headings_only: self == LinkContent::Headings,
        }
    }
}

/// Whether a link only marks the place it stands at, as the `¶` beside a heading does.
pub(super) fn is_permalink(link: Node<'_>) -> bool {
    let here = link
        .attr_local(&local_name!("href"))
        .is_some_and(|href| href.trim_start().starts_with('#'));
    here && link.descendants().all(|node| match node.text_value() {
        Some(text) => !text.contains(char::is_alphanumeric),
        None => *node.local() != local_name!("img"),
    })
}

/// What a link without words is called, when the page says it and it leads to another page.
pub(super) fn label(link: Node<'_>) -> Option<String> {
    let label = link.attr("aria-label").or_else(|| link.attr("title"))?;
    let here = link
        .attr_local(&local_name!("href"))
        .is_some_and(|href| href.trim().is_empty() || href.trim_start().starts_with('#'));
    (!here).then(|| label.to_owned())
}

/// Whether the heading around a button has words besides it, so that the button is no part of them.
pub(super) fn is_beside_words(button: Node<'_>) -> bool {
    let heading = button
        .ancestors()
        .find(|node| tag::heading_level(node.local()).is_some());
    heading.is_some_and(|heading| {
        heading.descendants().any(|node| {
            !node.is_inside(button.id())
                && node
                    .text_value()
                    .is_some_and(|text| text.contains(char::is_alphanumeric))
        })
    })
}

/// Whether a title only repeats the words of its link or of the address.
pub(super) fn says_nothing_new(title: &str, text: &str, target: &str) -> bool {
    let letters = |text: &str| -> String {
        text.chars()
            .filter(|c| c.is_alphanumeric())
            .flat_map(char::to_lowercase)
            .collect()
    };
    let title = letters(title);
    title.is_empty() || letters(text).contains(&title) || letters(target).contains(&title)
}
