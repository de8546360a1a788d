//! A document as a page of the site: its links, its HTML and what the search knows of it.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::path::{Component, Path, PathBuf};

use anyhow::Context as _;
use pulldown_cmark::{CowStr, Event, HeadingLevel, Options, Parser, Tag, TagEnd, html};
use serde_json::{Value, json};

use crate::docs_links;

/// Most characters of a section that the search keeps.
const MAX_SECTION: usize = 4_000;

/// One document.
pub(crate) struct Page {
    /// Path in the repository.
    pub(crate) file: String,
    title: String,
    body: String,
    sections: Vec<Section>,
    /// Links within the repository as they are on the site: the path there and the anchor.
    links: Vec<(String, String)>,
    /// Files that are no documents and are linked.
    pub(crate) files: BTreeSet<String>,
}

/// What stands under one heading.
#[derive(Default)]
struct Section {
    heading: String,
    anchor: String,
    text: String,
}

impl Page {
    /// Reads a document of the repository.
    pub(crate) fn read(file: &str) -> anyhow::Result<Page> {
        let text = std::fs::read_to_string(file).with_context(|| format!("cannot read {file}"))?;
        Ok(Page::of(file, &text))
    }

    fn of(file: &str, text: &str) -> Page {
        let mut events: Vec<Event> =
            Parser::new_ext(text, Options::ENABLE_TABLES | Options::ENABLE_STRIKETHROUGH).collect();
        let sections = sections(&mut events);
        let mut page = Page {
            file: file.to_owned(),
            title: sections
                .iter()
                .map(|section| section.heading.clone())
                .find(|it| !it.is_empty())
                .unwrap_or_default(),
            body: String::new(),
            sections,
            links: Vec::new(),
            files: BTreeSet::new(),
        };
        for event in &mut events {
            if let Event::Start(Tag::Link { dest_url, .. } | Tag::Image { dest_url, .. }) = event {
                let address = page.link(dest_url);
                *dest_url = CowStr::from(address);
            }
        }
        html::push_html(&mut page.body, events.into_iter());
        page
    }

    /// The address on the site of what a link of the document names.
    fn link(&mut self, link: &str) -> String {
        if link.contains("://") || link.starts_with("mailto:") {
            return link.to_owned();
        }
        let (path, anchor) = link.split_once('#').unwrap_or((link, ""));
        let target = match path {
            "" => self.file.clone(),
            path => resolve(&self.file, path),
        };
        if Path::new(&target).extension() != Some("md".as_ref()) {
            self.files.insert(target);
            return link.to_owned();
        }
        self.links.push((address(&target), anchor.to_owned()));
        let path = path
            .strip_suffix(".md")
            .map(|path| format!("{path}.html"))
            .unwrap_or_default();
        if anchor.is_empty() {
            path
        } else {
            format!("{path}#{anchor}")
        }
    }

    /// The documents that this one links, in their order.
    pub(crate) fn documents(&self) -> Vec<String> {
        let document =
            |(address, _): &(String, String)| Some(format!("{}.md", address.strip_suffix(".html")?));
        self.links.iter().filter_map(document).collect()
    }

    /// Path on the site.
    pub(crate) fn address(&self) -> String {
        address(&self.file)
    }

    /// The whole page. Every part of the navigation is a title with pages.
    pub(crate) fn html(&self, navigation: &[(&str, Vec<&Page>)]) -> String {
        let root = "../".repeat(self.file.matches('/').count());
        let mut list = String::new();
        for (title, pages) in navigation {
            let open = if pages.iter().any(|page| page.file == self.file) {
                " open"
            } else {
                ""
            };
            let _ = write!(list, "<details{open}><summary>{title}</summary><ul>");
            for page in pages {
                let here = if page.file == self.file {
                    " aria-current=\"page\""
                } else {
                    ""
                };
                let (address, title) = (page.address(), escaped(&page.title));
                let _ = write!(list, "<li><a href=\"{root}{address}\"{here}>{title}</a></li>");
            }
            list.push_str("</ul></details>");
        }
        include_str!("page.html")
            .replace("{{title}}", &escaped(&self.title))
            .replace("{{root}}", &root)
            .replace("{{navigation}}", &list)
            // Last, since documents may hold such words themselves.
            .replace("{{body}}", &self.body)
    }

    /// What the search knows: an entry for each heading.
    pub(crate) fn entries(&self) -> Vec<Value> {
        let entry = |section: &Section| {
            json!({"page": self.title, "heading": section.heading, "text": section.text,
                "address": format!("{}#{}", self.address(), section.anchor)})
        };
        self.sections
            .iter()
            .filter(|section| !section.heading.is_empty())
            .map(entry)
            .collect()
    }

    /// A line for each link to a page or heading that the site does not have.
    pub(crate) fn broken_links(&self, pages: &[Page], files: &BTreeSet<String>) -> Vec<String> {
        let anchors: BTreeMap<String, BTreeSet<&str>> = pages
            .iter()
            .map(|page| {
                (
                    page.address(),
                    page.sections
                        .iter()
                        .map(|section| section.anchor.as_str())
                        .collect(),
                )
            })
            .collect();
        let is_broken = |(address, anchor): &&(String, String)| match anchors.get(address) {
            Some(known) => !anchor.is_empty() && !known.contains(anchor.as_str()),
            None => !files.contains(address),
        };
        let told = |(address, anchor): &(String, String)| format!("{}: {address}#{anchor}", self.file);
        self.links.iter().filter(is_broken).map(told).collect()
    }
}

/// The text under each heading; headings get their anchors, those that the check of links expects.
fn sections(events: &mut [Event]) -> Vec<Section> {
    let mut sections = vec![Section::default()];
    let mut is_heading = false;
    let mut taken = BTreeSet::new();
    let mut begin = 0;
    for index in 0..events.len() {
        match &events[index] {
            Event::Start(Tag::Heading { .. }) => {
                (is_heading, begin) = (true, index);
                sections.push(Section::default());
            }
            Event::End(TagEnd::Heading(level)) => {
                is_heading = false;
                let level: HeadingLevel = *level;
                let section = sections.last_mut().map(|section| {
                    section.anchor = docs_links::anchor(&section.heading, &mut taken);
                    section.anchor.clone()
                });
                events[begin] = Event::Start(Tag::Heading {
                    level,
                    id: section.map(CowStr::from),
                    classes: Vec::new(),
                    attrs: Vec::new(),
                });
            }
            Event::Text(text) | Event::Code(text) => {
                let Some(section) = sections.last_mut() else {
                    continue;
                };
                match is_heading {
                    true => section.heading.push_str(text),
                    false if section.text.len() < MAX_SECTION => section.text.push_str(text),
                    false => {}
                }
            }
            Event::SoftBreak | Event::End(TagEnd::Paragraph | TagEnd::Item | TagEnd::TableCell) => {
                if let Some(section) = sections.last_mut() {
                    section.text.push(' ');
                }
            }
            _ => {}
        }
    }
    sections
}

fn address(file: &str) -> String {
    file.strip_suffix(".md")
        .map_or_else(|| file.to_owned(), |path| format!("{path}.html"))
}

/// The path in the repository of what a document names.
fn resolve(file: &str, path: &str) -> String {
    let mut parts: Vec<String> = Vec::new();
    let whole: PathBuf = Path::new(file).parent().unwrap_or(Path::new("")).join(path);
    for part in whole.components() {
        match part {
            Component::ParentDir => {
                parts.pop();
            }
            Component::Normal(part) => parts.push(part.to_string_lossy().into_owned()),
            _ => {}
        }
    }
    parts.join("/")
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('"', "&quot;")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn links_lead_to_pages_of_the_site() {
        let page = Page::of(
            "docs/guide/a.md",
            "# A\nSee [b](../b.md#c-d), [here](#a), [unit](../../deploy/x.service), [web](https://example.org/x.md).",
        );
        assert!(page.body.contains("<h1 id=\"a\">A</h1>"), "{}", page.body);
        for part in [
            "href=\"../b.html#c-d\"",
            "href=\"#a\"",
            "href=\"../../deploy/x.service\"",
            "https://example.org/x.md\"",
        ] {
            assert!(page.body.contains(part), "{part}: {}", page.body);
        }
        assert_eq!(page.files, BTreeSet::from(["deploy/x.service".to_owned()]));
        let other = Page::of("docs/b.md", "# B\n## C, `d`");
        let pages = [page, other];
        assert_eq!(
            pages[0].broken_links(&pages, &BTreeSet::new()),
            Vec::<String>::new()
        );
        assert_eq!(
            pages[0].broken_links(&pages[..1], &BTreeSet::new()),
            ["docs/guide/a.md: docs/b.html#c-d"]
        );
    }

    #[test]
    fn the_search_knows_each_heading_with_its_text() {
        let page = Page::of("docs/b.md", "# B\none\ntwo\n## C\n`three`\n");
        let entries = page.entries();
        assert_eq!(
            entries[0],
            json!({"page": "B", "heading": "B", "text": "one two ", "address": "docs/b.html#b"})
        );
        assert_eq!(
            (&entries[1]["address"], &entries[1]["text"]),
            (&json!("docs/b.html#c"), &json!("three "))
        );
    }
}
