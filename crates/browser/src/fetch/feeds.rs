//! Feeds (RSS, Atom) and site maps, as pages that list their entries.

use super::html_text::escape;

/// Most entries that are listed.
const MAX_ENTRIES: usize = 5_000;

/// A part of an XML document.
enum Part<'a> {
    Start(&'a str, &'a str),
    End(&'a str),
    Text(String),
}

/// Splits XML into its parts, without checking it.
struct Parts<'a>(&'a str);

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
                let (name, attributes) = tag.split_once(char::is_whitespace).unwrap_or((tag, ""));
                return Some(Part::Start(local(name.trim_end_matches('/')), attributes));
            }
            let end = self.0.find('<').unwrap_or(self.0.len());
            let (text, rest) = self.0.split_at(end);
            self.0 = rest;
            return Some(Part::Text(page::meta::decode_entities(text)));
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

fn attribute<'a>(attributes: &'a str, name: &str) -> Option<&'a str> {
    let rest = attributes.split_once(&format!("{name}="))?.1;
    let quote = rest.chars().next().filter(|quote| matches!(quote, '"' | '\''))?;
    rest.get(1..)?.split(quote).next()
}

/// What a feed or one of its entries says.
#[derive(Default)]
struct Entry {
    title: String,
    link: String,
    date: String,
    author: String,
    text: String,
}

impl Entry {
    /// Takes the text of an element.
    fn take(&mut self, name: &str, text: &str) {
        let place = match name {
            "title" => &mut self.title,
            "link" | "loc" => &mut self.link,
            "pubDate" | "published" | "updated" | "dc:date" | "lastmod" => &mut self.date,
            "author" | "name" | "dc:creator" => &mut self.author,
            "description" | "summary" | "subtitle" | "content" | "content:encoded" => &mut self.text,
            _ => return,
        };
        // Of several, as of a summary and the whole text, the longest says most; the first date is the publication's.
        let is_better = if name == "updated" {
            place.is_empty()
        } else {
            text.trim().len() > place.len()
        };
        if is_better {
            text.trim().clone_into(place);
        }
    }

    fn html(&self) -> String {
        let title = if self.title.is_empty() {
            &self.link
        } else {
            &self.title
        };
        let link = escape(&self.link);
        let mut written = format!("<article><h2><a href=\"{link}\">{}</a></h2>", escape(title));
        if !self.author.is_empty() {
            written.push_str(&format!("<p class=\"author\">{}</p>", escape(&self.author)));
        }
        if !self.date.is_empty() {
            let date = escape(&self.date);
            written.push_str(&format!(
                "<time datetime=\"{date}\">{}</time>",
                escape(&self.date)
            ));
        }
        // The text of an entry is HTML itself, written as text.
        if !self.text.is_empty() {
            written.push_str(&format!("<div>{}</div>", self.text));
        }
        written + "</article>"
    }
}

/// The entries of a feed or of a site map; none when the document is something else.
pub(super) fn html(xml: &str) -> Option<String> {
    let mut feed = Entry::default();
    let mut entries: Vec<Entry> = Vec::new();
    let mut path: Vec<&str> = Vec::new();
    let mut text = String::new();
    let mut in_entry = false;
    for part in Parts(xml) {
        match part {
            Part::Start(name, attributes) => {
                if path.is_empty() && !matches!(name, "rss" | "feed" | "rdf:RDF" | "urlset" | "sitemapindex")
                {
                    return None;
                }
                text.clear();
                let is_entry = matches!(name, "item" | "entry" | "url" | "sitemap");
                if is_entry && entries.len() >= MAX_ENTRIES {
                    break;
                }
                if is_entry {
                    in_entry = true;
                    entries.push(Entry::default());
                }
                let is_alternate = attribute(attributes, "rel").is_none_or(|rel| rel == "alternate");
                let holder = entries.last_mut().filter(|_| in_entry).unwrap_or(&mut feed);
                if let (true, "link", Some(href)) = (is_alternate, name, attribute(attributes, "href")) {
                    holder.link = page::meta::decode_entities(href);
                }
                if !attributes.trim_end().ends_with('/') {
                    path.push(name);
                }
            }
            Part::Text(more) => text.push_str(&more),
            Part::End(name) => {
                let holder = entries.last_mut().filter(|_| in_entry).unwrap_or(&mut feed);
                // A feed's picture and an entry's source have titles of their own.
                if !path
                    .iter()
                    .any(|outer| matches!(*outer, "image" | "source" | "textInput"))
                {
                    holder.take(name, &text);
                }
                in_entry &= !matches!(name, "item" | "entry" | "url" | "sitemap");
                text.clear();
                if path.last() == Some(&name) {
                    path.pop();
                }
            }
        }
    }
    if path.is_empty() && entries.is_empty() && feed.title.is_empty() {
        return None;
    }
    let title = escape(&feed.title);
    let listed: String = entries.iter().map(Entry::html).collect();
    Some(format!(
        "<title>{title}</title><body><h1>{title}</h1><div>{}</div>{listed}",
        feed.text
    ))
}
