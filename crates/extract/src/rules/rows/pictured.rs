//! Entries that are named by the picture that leads to them, where their only words in links count reviews.

use std::borrow::Cow;
use std::collections::HashSet;

use locale::price::{self, PriceHints};
use page::dom::{Node, NodeId};
use serde_json::Value;

use crate::rules::product::rating;
use crate::rules::records::Record;
use crate::rules::visible_page::{VisiblePage, squeeze};

/// Most elements of one entry among which its picture is looked for.
const MAX_ELEMENTS: usize = 600;

/// The name of an entry, where something else than its columns says it.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct EntryName {
    /// The words of the name.
    pub(super) title: String,
    /// Where the name leads, absolute.
    pub(super) url: Option<String>,
}

/// The name of each entry by its picture. None of any entry unless the titles of most count reviews and the pictures of no two
/// entries say the same.
pub(super) fn names(view: &VisiblePage<'_>, records: &[Record]) -> Vec<Option<EntryName>> {
    let none = vec![None; records.len()];
    let is_counted = |record: &Record| {
        let title = record.fields.get("title").and_then(|title| title.as_str());
        title.is_some_and(rating::is_review_count)
    };
    let counted = records.iter().filter(|record| is_counted(record)).count();
    if counted == 0 || counted * 2 < records.len() {
        return none;
    }
    let names: Vec<Option<EntryName>> = records
        .iter()
        .enumerate()
        .map(|(at, record)| {
            let beside = [at.checked_sub(1), at.checked_add(1)].map(|other| records.get(other?));
            is_counted(record)
                .then(|| name(around(view, record, beside)?, view))
                .flatten()
        })
        .collect();
    let mut seen = HashSet::new();
    let are_own = names.iter().flatten().all(|name| seen.insert(&name.title));
    if are_own { names } else { none }
}

/// Fewest bytes of the text of a picture that names an entry.
const SHORTEST: usize = 4;

/// Records whose titles are all the text of a card, price and all, named by what stands for the picture in it. Records of other
/// titles stay as they are.
pub(super) fn of_whole_cards<'r>(view: &VisiblePage<'_>, records: &'r [Record]) -> Cow<'r, [Record]> {
    let name = |record: &Record| {
        let title = record.fields.get("title").and_then(Value::as_str)?;
        let is_card = price::find_all(title, &PriceHints::default())
            .iter()
            .any(|price| price.currency.is_some());
        let roots = record
            .roots
            .iter()
            .filter(|_| is_card)
            .map(|root| view.dom().node(*root));
        let elements = roots
            .flat_map(Node::descendants)
            .filter(|node| node.is("img"))
            .take(MAX_ELEMENTS);
        let mut texts = elements.filter_map(|picture| picture.attr("alt").map(squeeze));
        texts.find(|text| text.len() >= SHORTEST && text.len() < title.len() && title.contains(text.as_str()))
    };
    let names: Vec<Option<String>> = records.iter().map(name).collect();
    if names.iter().flatten().count() * 2 <= records.len() {
        return Cow::Borrowed(records);
    }
    let named = records.iter().zip(names).map(|(record, name)| {
        let mut record = record.clone();
        if let Some(name) = name {
            record.fields.insert("title".to_owned(), name.into());
        }
        record
    });
    Cow::Owned(named.collect())
}

/// The largest element around an entry that holds neither the one before nor the one behind: pictures often stand beside the box of
/// the words.
fn around<'p>(view: &VisiblePage<'p>, record: &Record, beside: [Option<&Record>; 2]) -> Option<Node<'p>> {
    let root = |record: &Record| record.roots.clone().into_iter().next();
    let own = view.dom().node(root(record)?);
    let others: Vec<NodeId> = beside.into_iter().flatten().filter_map(root).collect();
    let is_alone = |node: &Node<'_>| {
        !others
            .iter()
            .any(|other| node.id() <= *other && *other < node.end())
    };
    let above = own
        .ancestors()
        .take_while(|above| !others.is_empty() && is_alone(above));
    Some(above.last().unwrap_or(own))
}

/// The text of the first link of an entry that holds a picture and no words.
fn name(entry: Node<'_>, view: &VisiblePage<'_>) -> Option<EntryName> {
    let within = std::iter::once(entry).chain(entry.descendants());
    let within = within.filter(|node| node.is_element()).take(MAX_ELEMENTS);
    let mut links = within.filter(|node| node.is("a") && node.text().trim().is_empty());
    links.find_map(|link| {
        let address = link
            .attr("href")
            .filter(|href| !href.trim_start().starts_with('#'))?;
        let mut pictures = link.descendants().filter(|inner| inner.is("img"));
        let title = pictures.find_map(|picture| {
            let text = squeeze(picture.attr("alt")?);
            (text.chars().count() > 1).then_some(text)
        })?;
        let url = view.page.absolute(address).map(|url| url.to_string());
        Some(EntryName { title, url })
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::rows;
    use page::Page;

    type Named = (Option<String>, Option<String>, Option<serde_json::Value>);

    fn list(names: [&str; 4]) -> Vec<Named> {
        let entry = |(at, name): (usize, &str)| {
            format!(
                "<div class=entry><div><a href=/g/{at}><img src=/i/{at}.jpg alt='{name}'></a></div><div><p>A game of gardens and rivers, number {at}, \
                 for two who like to plan.</p><a href=/g/{at}#reviews><div>Mostly positive</div><div>({at},40{at} English Reviews)</div></a>\
                 <span>{at}9,99 €</span></div></div>"
            )
        };
        let entries: String = (1..).zip(names).map(entry).collect();
        let html = format!("<h1>Games</h1><div>{entries}</div>");
        let page = Page::new(&html, "https://games.example/list".parse().ok());
        let rows = rows::read(&VisiblePage::of(&page)).into_iter();
        rows.map(|row| (row.title, row.url, row.review_count)).collect()
    }

    #[test]
    fn the_picture_of_an_entry_names_it_where_its_words_only_count_reviews() {
        let rows = list(["Moss Valley", "River Town", "Oak Street", "Far Hills"]);
        let first = (
            Some("Moss Valley".to_owned()),
            Some("https://games.example/g/1".to_owned()),
            Some(1401.into()),
        );
        assert_eq!((rows.len(), rows.first()), (4, Some(&first)));
    }

    #[test]
    fn a_card_that_is_one_link_is_named_by_its_picture_and_has_its_price() {
        let card = |at: u32| {
            format!(
                "<a class=card href=/g/{at}><img src=/i/{at}.jpg alt='Guitar {at}'><div>{at} 81{at}</div><div class=description>Guitar {at}</div>\
                 <div class=price>£{at}98</div></a>"
            )
        };
        let cards: String = (1..=5).map(card).collect();
        let page = Page::new(
            format!("<h1>Guitars</h1><div>{cards}</div>"),
            "https://games.example/list".parse().ok(),
        );
        let rows = rows::read(&VisiblePage::of(&page));
        let first = rows.first().map(|row| (row.title.as_deref(), row.price.clone()));
        assert_eq!(first, Some((Some("Guitar 1"), Some(198.into()))));
    }

    #[test]
    fn pictures_that_all_say_the_same_name_no_entry() {
        let rows = list(["Picture"; 4]);
        assert!(
            rows.iter().all(|row| row.0.as_deref() != Some("Picture")),
            "{rows:?}"
        );
    }
}
