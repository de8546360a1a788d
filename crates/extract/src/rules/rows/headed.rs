//! Entries that are named by their one heading, or the one above others, where what was taken for their title stands beside it: a
//! link within the text, or one to the comments; or where it is all their headings at once.

use std::collections::HashSet;

use page::dom::Node;

use super::elements::elements;
use super::pictured::EntryName;
use crate::rules::lines;
use crate::rules::records::Record;
use crate::rules::visible_page::{VisiblePage, squeeze};

/// Longest heading of an entry, in characters.
const LONGEST: usize = 200;
/// Fewest letters of a name.
const LETTERS: usize = 3;
/// Of ten entries, as many have one heading each in a list that its headings name.
const OF_TEN: usize = 9;

/// The name of each entry whose title is no part of its heading. None of any entry unless nearly all have one heading each, and
/// nearly all of these differ.
pub(super) fn names(view: &VisiblePage<'_>, records: &[Record]) -> Vec<Option<EntryName>> {
    let headings: Vec<Option<EntryHeading<'_>>> =
        records.iter().map(|record| main_heading(view, record)).collect();
    let distinct: HashSet<&str> = headings
        .iter()
        .flatten()
        .map(|heading| heading.text.as_str())
        .collect();
    if records.len() < 2 || distinct.len() * 10 < records.len() * OF_TEN {
        return vec![None; records.len()];
    }
    records
        .iter()
        .zip(headings)
        .map(|(record, heading)| {
            let EntryHeading { node, text, below } = heading?;
            let title = record
                .fields
                .get("title")
                .and_then(|title| title.as_str())
                .map(squeeze);
            let is_part = |title: &str| text.contains(title) || title.contains(text.as_str());
            let is_all = |title: &str| {
                let rest = title.strip_prefix(text.as_str());
                !below.is_empty() && rest.is_some_and(|rest| rest.trim() == below)
            };
            let is_named = match title {
                Some(title) if below.is_empty() => !is_part(&title),
                Some(title) => is_all(&title),
                None => below.is_empty(),
            };
            is_named.then(|| EntryName {
                url: link_of(view, node),
                title: text,
            })
        })
        .collect()
}

/// The heading of an entry.
struct EntryHeading<'p> {
    node: Node<'p>,
    text: String,
    /// The words of the headings below it.
    below: String,
}

/// The one heading of an entry, or the one of a higher level than all others, where it is the first.
fn main_heading<'p>(view: &VisiblePage<'p>, record: &Record) -> Option<EntryHeading<'p>> {
    let is_heading = |node: &Node<'p>| {
        matches!(node.tag(), "h1" | "h2" | "h3" | "h4" | "h5" | "h6") && !lines::is_hidden(*node)
    };
    let mut headings = elements(view, record).filter(is_heading);
    let node = headings.next()?;
    let others: Vec<Node<'p>> = headings.collect();
    if others.iter().any(|other| other.tag() <= node.tag()) {
        return None;
    }
    let text = squeeze(&node.text());
    let letters = text.chars().filter(|c| c.is_alphabetic()).count();
    let below: Vec<String> = others.iter().map(|other| squeeze(&other.text())).collect();
    (letters >= LETTERS && text.chars().count() <= LONGEST).then(|| EntryHeading {
        node,
        text,
        below: below.join(" "),
    })
}

/// Where a heading leads, absolute.
fn link_of(view: &VisiblePage<'_>, heading: Node<'_>) -> Option<String> {
    let within = heading.descendants().find(|inner| inner.is("a"));
    let href = within.or_else(|| heading.closest("a"))?.attr("href")?;
    view.page
        .absolute(href)
        .map(|url| url.to_string())
        .filter(|url| url.starts_with("http"))
}

#[cfg(test)]
mod tests {
    use page::Page;

    use crate::rules::rows;
    use crate::rules::visible_page::VisiblePage;

    fn titles(entry: impl Fn(u32) -> String) -> Vec<Option<String>> {
        let entries: String = (1..=5).map(entry).collect();
        let page = Page::new(
            format!("<h1>News</h1><div class=list>{entries}</div>"),
            "https://news.example/".parse().ok(),
        );
        let rows = rows::read(&VisiblePage::of(&page)).into_iter();
        rows.map(|row| row.title).collect()
    }

    #[test]
    fn a_heading_without_a_link_names_its_entry() {
        let told = titles(|at| {
            format!(
                "<div class=story><h2>The {at}th release of Quern</h2><p>Notes on <a href='https://quern.example/{at}'>version {at}</a> \
                and what it brings to millers.</p><p><a href='/a/{at}'>Full story</a> (<a href='/a/{at}#c'>comments: {at}3</a>)</p></div>"
            )
        });
        assert_eq!(told.get(1), Some(&Some("The 2th release of Quern".to_owned())));
        assert_eq!(told.len(), 5);
    }

    #[test]
    fn a_heading_above_another_names_its_entry_alone() {
        let told = titles(|at| {
            format!(
                "<div class=story><a href='/p/{at}'><h2>The {at}th release of Quern</h2><div><h3>By Ann Onym and Bo{at} Roe</h3></div></a>\
                <p>{at} min read</p></div>"
            )
        });
        assert_eq!(told.get(1), Some(&Some("The 2th release of Quern".to_owned())));
        assert_eq!(told.len(), 5);
    }

    #[test]
    fn headings_that_are_all_the_same_name_nothing() {
        let told = titles(|at| {
            format!(
                "<div class=card><h3>New in</h3><a href='/p/{at}'>Kettle {at}00 of steel</a><span class=price>£{at}9.00</span></div>"
            )
        });
        assert_eq!(told.get(1), Some(&Some("Kettle 200 of steel".to_owned())));
    }
}
