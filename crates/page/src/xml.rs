//! The parts of XML documents, read leniently. Entities of a document's own are not known, and so none can be a bomb.

/// A part of an XML document.
pub enum Part<'a> {
    /// A start tag: the local name, and the attributes as written; they end with `/` where the element is empty.
    Start(&'a str, &'a str),
    /// An end tag: the local name.
    End(&'a str),
    /// Text, with entities decoded.
    Text(String),
}

/// Splits XML into its parts, without checking it.
pub struct Parts<'a>(pub &'a str);

impl<'a> Iterator for Parts<'a> {
    type Item = Part<'a>;

    fn next(&mut self) -> Option<Part<'a>> {
        loop {
            if self.0.is_empty() {
                return None;
            }
            if let Some(rest) = self.0.strip_prefix("<![CDATA[") {
                let (text, rest) = rest.split_once("]]>").unwrap_or((rest, ""));
                self.0 = rest;
                return Some(Part::Text(text.to_owned()));
            }
            if let Some(rest) = self.0.strip_prefix("<!--") {
                self.0 = rest.split_once("-->").map_or("", |(_, rest)| rest);
                continue;
            }
            if let Some(rest) = self.0.strip_prefix('<') {
                let (tag, rest) = rest.split_once('>')?;
                self.0 = rest;
                if tag.starts_with(['?', '!']) {
                    continue;
                }
                if let Some(name) = tag.strip_prefix('/') {
                    return Some(Part::End(local(name.trim())));
                }
                let empty = if tag.ends_with('/') { "/" } else { "" };
                let (name, attributes) = tag.split_once(char::is_whitespace).unwrap_or((tag, empty));
                return Some(Part::Start(local(name.trim_end_matches('/')), attributes));
            }
            let end = self.0.find('<').unwrap_or(self.0.len());
            let (text, rest) = self.0.split_at(end);
            self.0 = rest;
            return Some(Part::Text(crate::meta::decode_entities(text)));
        }
    }
}

/// A name without its prefix, but for those that would then mean something else (`media:title`, `itunes:author`).
fn local(name: &str) -> &str {
    match name.split_once(':') {
        Some(("atom" | "rss" | "sm", local)) => local,
        _ => name,
    }
}

/// The value of an attribute, as written.
pub fn attribute<'a>(attributes: &'a str, name: &str) -> Option<&'a str> {
    let rest = attributes.split_once(&format!("{name}="))?.1;
    let quote = rest.chars().next().filter(|quote| matches!(quote, '"' | '\''))?;
    rest.get(1..)?.split(quote).next()
}
