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
    let mut list: Option<AddressList> = None;
    let mut entry: Option<ListedAddress> = None;
    let (mut words, mut depth_in_entry, mut is_closed) = (String::new(), 0usize, false);
    for part in Parts(text) {
        match part {
            Part::Start(name, attributes) => {
                words.clear();
                let Some(list) = &mut list else {
                    list = Some(AddressList {
                        kind: kind(name)?,
                        entries: Vec::new(),
                        is_cut: false,
                        is_broken: false,
                    });
                    continue;
                };
                if entry.is_none() && matches!(name, "url" | "sitemap" | "item" | "entry") {
                    if list.entries.len() >= most {
                        list.is_cut = true;
                        break;
                    }
                    (entry, depth_in_entry) = (Some(ListedAddress::default()), 0);
                } else if let Some(entry) = &mut entry {
                    depth_in_entry += usize::from(!attributes.trim_end().ends_with('/'));
                    let is_page = attribute(attributes, "rel").is_none_or(|rel| rel == "alternate");
                    if let (true, "link", Some(href)) = (is_page, name, attribute(attributes, "href")) {
                        entry.url = crate::meta::decode_entities(href);
                    }
                }
            }
            Part::Text(more) => words.push_str(&more),
            Part::End(name) => {
                is_closed |= matches!(name, "urlset" | "sitemapindex" | "rss" | "feed" | "rdf:RDF");
                let ends_entry = depth_in_entry == 0 && matches!(name, "url" | "sitemap" | "item" | "entry");
                if ends_entry && let (Some(done), Some(list)) = (entry.take(), &mut list) {
                    let is_usable = !done.url.is_empty() && done.url.len() <= MAX_ADDRESS;
                    list.entries.extend(Some(done).filter(|_| is_usable));
                } else if let Some(entry) = &mut entry {
                    // What lies deeper is about an image or a source, except that news are told in a part of their own.
                    if depth_in_entry <= 1 || name.starts_with("news:") {
                        entry.take_text(name, &words);
                    }
                    depth_in_entry = depth_in_entry.saturating_sub(1);
                }
                words.clear();
            }
        }
    }
    let mut list = list?;
    list.is_broken = !is_closed && !list.is_cut;
    Some(list)
}

fn kind(root: &str) -> Option<ListKind> {
    match root {
        "urlset" => Some(ListKind::Pages),
        "sitemapindex" => Some(ListKind::Index),
        "rss" | "feed" | "rdf:RDF" => Some(ListKind::Feed),
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
        assert_eq!(read("<html><body>Not found</body></html>", 9), None);
        assert_eq!(read("Not found", 9), None);
        assert!(
            read("<urlset><url><loc>https://a.example/1</loc></url><url><lo", 9)
                .unwrap()
                .is_broken
        );
    }
}
