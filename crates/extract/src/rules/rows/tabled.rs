//! Entries of tables that are named by the cell below a heading such as "Title", where what was taken for their title stands in
//! another cell: the day in the first one.

use std::collections::HashSet;

use serde_json::{Map, Value};

use super::dates;
use super::pictured::EntryName;
use crate::rules::records::Record;

/// Headings of the column that names the entries of a table, in small letters, the surest first.
#[rustfmt::skip]
const HEADINGS: [&str; 14] = [
    "name", "title", "product", "item", "article", "titel", "bezeichnung", "produkt", "artikel", "tytuł", "nazwa", "nom", "nombre", "titre",
];
/// Of ten entries, as many have a cell below the heading.
const OF_TEN: usize = 9;

/// Whether what was taken for the title of an entry names nothing: a day, or signs without letters.
pub fn names_nothing(title: &str) -> bool {
    !title.contains(char::is_alphabetic) || dates::typed(title, None).is_some()
}

/// The name of each entry by its cell, where its title names nothing. None of any entry unless nearly all have such a cell, with letters
/// in it, and nearly all of these differ.
pub(super) fn names(records: &[Record], facts: &[Map<String, Value>]) -> Vec<Option<EntryName>> {
    let names_of = |heading: &str| -> Vec<Option<&str>> {
        let cells = facts.iter().map(|facts| {
            let mut facts = facts.iter();
            let (_, value) = facts.find(|(label, _)| label.to_lowercase() == heading)?;
            value.as_str().filter(|name| !names_nothing(name))
        });
        cells.collect()
    };
    let are_told = |names: &Vec<Option<&str>>| {
        let distinct: HashSet<&str> = names.iter().copied().flatten().collect();
        !distinct.is_empty() && distinct.len() * 10 >= names.len() * OF_TEN
    };
    let Some(names) = HEADINGS.iter().map(|heading| names_of(heading)).find(are_told) else {
        return vec![None; records.len()];
    };
    records
        .iter()
        .zip(names)
        .map(|(record, name)| {
            let name = name?;
            let title = record.fields.get("title").and_then(Value::as_str);
            let is_unnamed = title.is_none_or(names_nothing);
            is_unnamed.then(|| EntryName {
                title: name.to_owned(),
                url: None,
            })
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use page::Page;

    use crate::rules::rows;
    use crate::rules::visible_page::VisiblePage;

    #[test]
    fn an_entry_with_a_name_keeps_it() {
        let row = |at: u32| {
            format!("<tr><td>1{at}</td><td><a href=/p/{at}>Bearing cap no. {at}</a></td><td>{at}</td></tr>")
        };
        let cells: String = (1..5).map(row).collect();
        let html = format!("<table><tr><th>Item</th><th>Part</th><th>Qty</th></tr>{cells}</table>");
        let page = Page::new(html, "https://parts.example/".parse().ok());
        let rows = rows::read(&VisiblePage::of(&page));
        assert_eq!(rows[0].title.as_deref(), Some("Bearing cap no. 1"));
    }

    #[test]
    fn the_cell_below_the_heading_of_titles_names_the_entry() {
        let row = |at: u32, name: &str| {
            format!("<tr><td>2025-01-0{at}</td><td>{name}</td><td>4.{at}</td><td>Ann Lee</td></tr>")
        };
        let cells: String = ["Alpha", "Beta", "Gamma", "Delta"]
            .iter()
            .zip(1..)
            .map(|(name, at)| row(at, name))
            .collect();
        let html = format!(
            "<h1>Reviews</h1><table><tr><th>Date</th><th>Title</th><th>Rating</th><th>Author</th></tr>{cells}</table>"
        );
        let page = Page::new(html, None);
        let rows = rows::read(&VisiblePage::of(&page)).into_iter();
        let titles: Vec<Option<String>> = rows.map(|row| row.title).collect();
        assert_eq!(titles.get(1), Some(&Some("Beta".to_owned())));
        assert_eq!(titles.len(), 4);
    }
}
