//! Authors of entries who are named by a link to what they wrote: the link is their name, also where that begins as bylines do.

use std::collections::HashSet;

use serde_json::Value;

use super::elements::elements;
use super::row::Row;
use crate::rules::addresses::leads_to_author;
use crate::rules::author;
use crate::rules::records::Record;
use crate::rules::visible_page::{VisiblePage, squeeze};

/// Names the authors by their links: "Von Miller". Where several of them begin with one word, it leads to their names: "Von Ann Lee".
pub(super) fn name(view: &VisiblePage<'_>, records: &[Record], rows: &mut [Row]) {
    let texts: Vec<&str> = records
        .iter()
        .map(|record| {
            record
                .fields
                .get("author")
                .and_then(Value::as_str)
                .unwrap_or_default()
        })
        .collect();
    let distinct: HashSet<&str> = texts.iter().copied().filter(|text| !text.is_empty()).collect();
    let first = |text: &str| text.split(' ').next().map(str::to_lowercase);
    let is_of_all = |text: &str| {
        let alike = distinct
            .iter()
            .filter(|other| first(other) == first(text))
            .count();
        alike > 1 && alike * 2 > distinct.len()
    };
    for ((row, record), text) in rows.iter_mut().zip(records).zip(&texts) {
        if row.author.is_none() || row.author.as_deref() == Some(*text) || is_of_all(text) {
            continue;
        }
        let mut links = elements(view, record).filter(|node| {
            let is_of_author =
                node.attr("rel") == Some("author") || node.attr("href").is_some_and(leads_to_author);
            node.is("a") && is_of_author
        });
        if links.any(|link| squeeze(&link.text()) == *text) {
            row.author = author::named_by_link(text).or(row.author.take());
        }
    }
}

#[cfg(test)]
mod tests {
    use page::Page;

    use crate::rules::rows;
    use crate::rules::visible_page::VisiblePage;

    fn authors(names: [&str; 4]) -> Vec<Option<String>> {
        let post = |(at, name): (usize, &str)| {
            format!(
                "<article><h3><a href=/t/{at}>Topic number {at} of the board</a></h3><a href='/author/{at}'>{name}</a>\
                 <time datetime=2026-01-0{at}>3 May</time><p>Some words of it here for you and me, number {at}.</p></article>"
            )
        };
        let posts: String = (1..).zip(names).map(post).collect();
        let page = Page::new(
            format!("<h1>Posts</h1><main>{posts}</main>"),
            "https://posts.example/".parse().ok(),
        );
        let rows = rows::read(&VisiblePage::of(&page)).into_iter();
        rows.map(|row| row.author).collect()
    }

    #[test]
    fn a_name_that_begins_as_a_byline_is_whole_where_it_is_the_link() {
        let named = |names: [&str; 4]| authors(names).into_iter().flatten().collect::<Vec<_>>();
        for name in ["Von Miller", "Di Maria", "Da Silva", "Par Nilsson", "Av Hansen"] {
            let names = ["Ann Lee", "Bo Day", "Cy Low", name];
            assert_eq!(named(names), names);
        }
        let bylines = ["Von Ann Lee", "Von Bo Day", "Von Cy Low", "Von Flo May"];
        assert_eq!(named(bylines), ["Ann Lee", "Bo Day", "Cy Low", "Flo May"]);
        let by = ["by Ann Lee", "by Bo Day", "by Cy Low", "by Flo May"];
        assert_eq!(named(by), ["Ann Lee", "Bo Day", "Cy Low", "Flo May"]);
    }
}
