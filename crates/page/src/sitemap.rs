//! Site maps (sitemaps.org 0.9 with the news extension), feeds (RSS, Atom) and lists of addresses, as lists of links.

use crate::xml::{Part, Parts, attribute};

/// Longest address, in bytes; the protocol allows 2,048.
const MAX_ADDRESS: usize = 4_096;
/// Longest title that is kept, in characters.
const MAX_TITLE: usize = 300;

/// The kind of a document that lists addresses.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ListKind {
    /// A site map of pages, or a list of addresses, one on each line.
    Pages,
    /// An index of further site maps.
    Index,
    /// A feed.
    Feed,
}

/// One entry of a document that lists addresses.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ListedAddress {
    /// The address, as written.
    pub url: String,
    /// When it was last changed, as written: where it begins with a day in ISO 8601, else empty.
    pub last_modified: String,
    /// Its title.
    pub title: String,
}

/// A document that lists addresses.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AddressList {
    /// Its kind.
    pub kind: ListKind,
    /// Its entries that have an address, at most as many as were asked for.
    pub entries: Vec<ListedAddress>,
    /// Whether there are more entries.
    pub is_cut: bool,
    /// Whether the document ends before it is closed.
    pub is_broken: bool,
}

/// Reads a document that lists addresses, up to `most` entries; none when it is something else.
pub fn read(text: &str, most: usize) -> Option<AddressList> {
    let text = text.trim_start_matches('\u{feff}').trim_start();
    if !text.starts_with('<') {
        return plain(text, most);
    }
    let mut reader: Option<ListReader> = None;
    for part in Parts(text) {
        match (part, &mut reader) {
            (Part::Start(root, _), None) => reader = Some(ListReader::new(root, most)?),
            (Part::Start(name, attributes), Some(reader)) => {
                reader.start(name, attributes);
                if reader.list.is_cut {
                    break;
                }
            }
            (Part::Text(more), Some(reader)) => reader.words.push_str(&more),
            (Part::End(name), Some(reader)) => reader.end(name),
            (Part::Text(_) | Part::End(_), None) => {}
        }
    }
    reader.map(ListReader::finish)
}

/// Reads the elements of a document that lists addresses. Files are read leniently: with any prefix for the root's namespace,
/// in capitals, and with entries that are not closed.
struct ListReader {
    /// The prefix of the root element with its colon, which stands before the names of its namespace.
    prefix: String,
    most: usize,
    list: AddressList,
    /// The name and the values of the entry that is open.
    entry: Option<(String, ListedAddress)>,
    depth_in_entry: usize,
    /// The text since the last tag.
    words: String,
    is_closed: bool,
}

impl ListReader {
    fn new(root: &str, most: usize) -> Option<Self> {
        let (prefix, _) = root.rsplit_once(':').unwrap_or_default();
        let prefix = match prefix {
            "" => String::new(),
            prefix => format!("{}:", prefix.to_ascii_lowercase()),
        };
        let local = root.to_ascii_lowercase();
        let kind = kind(local.strip_prefix(&prefix).unwrap_or(&local))?;
        // The elements of RSS 1.0 have no prefix, but its root has.
        let prefix = if prefix == "rdf:" { String::new() } else { prefix };
        Some(Self {
            prefix,
            most,
            list: AddressList {
                kind,
                entries: Vec::new(),
                is_cut: false,
                is_broken: false,
            },
            entry: None,
            depth_in_entry: 0,
            words: String::new(),
            is_closed: false,
        })
    }

    fn local(&self, name: &str) -> String {
        let name = name.to_ascii_lowercase();
        match name.strip_prefix(&self.prefix) {
            Some(local) => local.to_owned(),
            None => name,
        }
    }

    fn start(&mut self, name: &str, attributes: &str) {
        self.words.clear();
        let name = self.local(name);
        let is_entry = matches!(name.as_str(), "url" | "sitemap" | "item" | "entry");
        let is_next = match &self.entry {
            None => is_entry,
            Some((open, _)) => self.depth_in_entry == 0 && *open == name,
        };
        if is_next {
            self.close_entry();
            self.list.is_cut = self.list.entries.len() >= self.most;
            (self.entry, self.depth_in_entry) = (Some((name, ListedAddress::default())), 0);
        } else if let Some((_, entry)) = &mut self.entry {
            self.depth_in_entry += usize::from(!attributes.trim_end().ends_with('/'));
            let is_page = attribute(attributes, "rel").is_none_or(|rel| rel == "alternate");
            if let (true, "link", Some(href)) = (is_page, name.as_str(), attribute(attributes, "href")) {
                entry.url = crate::meta::decode_entities(href);
            }
        }
    }

    fn end(&mut self, name: &str) {
        let name = self.local(name);
        self.is_closed |= kind(&name).is_some();
        match &mut self.entry {
            Some((open, _)) if self.depth_in_entry == 0 && *open == name => self.close_entry(),
            Some((_, entry)) => {
                // What lies deeper is about an image or a source, except that news are told in a part of their own.
                if self.depth_in_entry <= 1 || name.starts_with("news:") {
                    entry.take_text(&name, &self.words);
                }
                self.depth_in_entry = self.depth_in_entry.saturating_sub(1);
            }
            None => {}
        }
        self.words.clear();
    }

    fn close_entry(&mut self) {
        let done = self.entry.take().map(|(_, entry)| entry);
        let is_usable = |entry: &ListedAddress| !entry.url.is_empty() && entry.url.len() <= MAX_ADDRESS;
        self.list.entries.extend(done.filter(is_usable));
    }

    fn finish(mut self) -> AddressList {
        if !self.list.is_cut {
            self.close_entry();
        }
        self.list.is_broken = !self.is_closed && !self.list.is_cut;
        self.list
    }
}

/// The kind of a document by the name of its root.
fn kind(root: &str) -> Option<ListKind> {
    match root {
        "urlset" => Some(ListKind::Pages),
        "sitemapindex" => Some(ListKind::Index),
        "rss" | "feed" | "rdf:rdf" | "rdf" => Some(ListKind::Feed),
        _ => None,
    }
}

/// A list of addresses, one on each line.
fn plain(text: &str, most: usize) -> Option<AddressList> {
    let is_address = |line: &&str| line.starts_with("http://") || line.starts_with("https://");
    let mut lines = text
        .lines()
        .map(str::trim)
        .filter(|line| !line.is_empty())
        .peekable();
    lines.peek().filter(|line| is_address(line))?;
    let mut addresses = lines.filter(is_address).filter(|line| line.len() <= MAX_ADDRESS);
    let entries: Vec<ListedAddress> = addresses
        .by_ref()
        .take(most)
        .map(|line| ListedAddress {
            url: line.to_owned(),
            ..ListedAddress::default()
        })
        .collect();
    Some(AddressList {
        kind: ListKind::Pages,
        is_cut: addresses.next().is_some(),
        is_broken: false,
        entries,
    })
}

impl ListedAddress {
    fn take_text(&mut self, name: &str, text: &str) {
        let text = text.trim();
        match name {
            "loc" | "link" if self.url.is_empty() => text.clone_into(&mut self.url),
            "lastmod" | "updated" => text.clone_into(&mut self.last_modified),
            "news:publication_date" | "published" | "dc:date" if self.last_modified.is_empty() => {
                text.clone_into(&mut self.last_modified);
            }
            "title" | "news:title" => self.title = text.chars().take(MAX_TITLE).collect(),
            _ => {}
        }
        if !begins_with_a_day(&self.last_modified) {
            self.last_modified.clear();
        }
    }
}

/// Whether a text begins as `2026-01-31` does and is no longer than a time in ISO 8601.
fn begins_with_a_day(text: &str) -> bool {
    let is_day = |(at, byte): (usize, u8)| match at {
        4 | 7 => byte == b'-',
        _ => byte.is_ascii_digit(),
    };
    (10..=40).contains(&text.len()) && text.bytes().take(10).enumerate().all(is_day) && text.is_ascii()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_site_map_lists_pages_with_their_last_change() {
        let text = "<?xml version='1.0'?><urlset xmlns:image='i' xmlns:news='n'>
            <url><loc> https://a.example/1?a=1&amp;b=2 </loc><lastmod>2026-01-31</lastmod>
              <image:image><image:loc>https://a.example/p.png</image:loc><title>Picture</title></image:image></url>
            <url><loc><![CDATA[https://a.example/2]]></loc><lastmod>yesterday</lastmod></url>
            <url><news:news><news:title>Tea &amp; cake</news:title>
              <news:publication_date>2026-02-01T10:00:00Z</news:publication_date></news:news><loc>https://a.example/3</loc></url>
            <url><lastmod>2026-01-31</lastmod></url></urlset>";
        let list = read(text, 100).unwrap();
        let told: Vec<_> = list
            .entries
            .iter()
            .map(|it| (it.url.as_str(), it.last_modified.as_str(), it.title.as_str()))
            .collect();
        let wanted = [
            ("https://a.example/1?a=1&b=2", "2026-01-31", ""),
            ("https://a.example/2", "", ""),
            ("https://a.example/3", "2026-02-01T10:00:00Z", "Tea & cake"),
        ];
        assert_eq!(told, wanted);
        assert_eq!(
            (list.kind, list.is_cut, list.is_broken),
            (ListKind::Pages, false, false)
        );
        let cut = read(text, 1).unwrap();
        assert_eq!((cut.entries.len(), cut.is_cut), (1, true));
    }

    #[test]
    fn indexes_feeds_and_lists_are_read_and_other_documents_are_none() {
        let index = "<sm:sitemapindex><sm:sitemap><sm:loc>https://a.example/s.xml</sm:loc></sm:sitemap></sm:sitemapindex>";
        let atom = "<feed><title>F</title><entry><title>T</title><link rel='self' href='https://a.example/x'/>\
            <link href='https://a.example/e'/><updated>2026-01-02</updated></entry></feed>";
        let rss = "<rss><channel><link>https://a.example/</link><item><title>T</title><link>https://a.example/i</link></item></channel></rss>";
        let lines = "https://a.example/1\n\nnot one\nhttps://a.example/2\n";
        for (text, kind, urls) in [
            (index, ListKind::Index, vec!["https://a.example/s.xml"]),
            (atom, ListKind::Feed, vec!["https://a.example/e"]),
            (rss, ListKind::Feed, vec!["https://a.example/i"]),
            (
                lines,
                ListKind::Pages,
                vec!["https://a.example/1", "https://a.example/2"],
            ),
        ] {
            let list = read(text, 9).unwrap();
            let told: Vec<_> = list.entries.iter().map(|it| it.url.as_str()).collect();
            assert_eq!((list.kind, told), (kind, urls), "{text}");
        }
        for broken in [
            "<s:urlset xmlns:s='n'><s:url><s:loc>https://a.example/1</s:loc></s:url><s:url><s:loc>https://a.example/2</s:loc></s:url></s:urlset>",
            "<URLSET><URL><LOC>https://a.example/1</LOC></URL><Url><Loc>https://a.example/2</Loc></Url></URLSET>",
            "<urlset><url><loc>https://a.example/1</loc><url><loc>https://a.example/2</loc></urlset>",
            "<urlset><url><loc>https://a.example/1</loc></url><url><loc>https://a.example/2</loc><lastmod>20",
        ] {
            let list = read(broken, 9).unwrap();
            let told: Vec<_> = list.entries.iter().map(|it| it.url.as_str()).collect();
            assert_eq!(told, ["https://a.example/1", "https://a.example/2"], "{broken}");
            assert_eq!(read(broken, 1).unwrap().entries.len(), 1, "{broken}");
        }
        assert_eq!(read("<html><body>Not found</body></html>", 9), None);
        assert_eq!(read("Not found", 9), None);
        assert!(
            read("<urlset><url><loc>https://a.example/1</loc></url><url><lo", 9)
                .unwrap()
                .is_broken
        );
    }
}
