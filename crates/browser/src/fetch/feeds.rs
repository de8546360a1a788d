//! Feeds (RSS, Atom) and site maps, as pages that list their entries.

use page::xml::{Part, Parts, attribute};

use super::html_text::escape;

/// Most entries that are listed.
const MAX_ENTRIES: usize = 5_000;

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
