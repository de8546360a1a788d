//! What does each record of a list say, field by field?
//!
//! Records of one list are written by one template, so what stands at the same place in
//! each is one column (`columns`). Every field takes the column that looks most like it
//! (`likeness`) over the whole list, never over one record.

use std::collections::HashSet;

use page::Page;
use page::dom::Node;
use serde_json::{Map, Value};

use super::columns::{Column, columns};
use super::likeness;
use super::outline::{Outline, Span};

/// Most bytes of one field.
const LONGEST: usize = 4_000;
/// A field needs at least this likeness to take a column.
const ENOUGH: f32 = 0.35;
/// Fields that are known by the names the page gives its elements.
const NAMED: [(&str, &[&str]); 3] = [
    (
        "author",
        &["author", "byline", "creator", "username", "submitter", "seller"],
    ),
    (
        "company",
        &[
            "company",
            "employer",
            "organization",
            "hiringorganization",
            "brand",
        ],
    ),
    (
        "location",
        &["location", "joblocation", "address", "locality", "city"],
    ),
];

/// Reads the fields of each record of a list, in the order of the spans.
pub(super) fn read(page: &Page, outline: &Outline<'_>, spans: &[Span]) -> Vec<Map<String, Value>> {
    let columns = columns(outline, spans);
    let list = List {
        page,
        outline,
        columns: &columns,
    };
    let title = list.best(likeness::title);
    // Nothing of the title, and nothing with the title in it, is another field.
    let apart = |column: &Column| title.is_none_or(|title| !list.overlap(column, title));
    let other = |like: fn(&Column, Node<'_>) -> Option<f32>| {
        list.best(|column, node| like(column, node).filter(|_| apart(column)))
    };
    let text = |at: u32| Some(list.text(at));

    let mut records = vec![Map::new(); spans.len()];
    put(&mut records, "title", title, text);
    put(&mut records, "price", other(likeness::price), text);
    put(&mut records, "date", other(likeness::date), |at| list.date(at));
    for (name, words) in NAMED {
        put(
            &mut records,
            name,
            list.best(|column, node| likeness::named(column, node, words).filter(|_| apart(column))),
            |at| {
                Some(
                    list.text(at)
                        .trim_matches(|c: char| c.is_whitespace() || ",;:|·-–•".contains(c))
                        .to_owned(),
                )
            },
        );
    }
    put(&mut records, "description", other(likeness::description), text);
    let image = list.best(|column, node| {
        if !node.is("img") {
            return None;
        }
        likeness::image(column, node, list.distinct_images(column))
    });
    put(&mut records, "image", image, |at| list.image(list.node(at)?));
    put(
        &mut records,
        "rating",
        list.best(|column, _| list.told_ratings(column)),
        |at| likeness::rating(list.node(at)?),
    );
    for (record, (fields, span)) in records.iter_mut().zip(spans).enumerate() {
        let place = title
            .and_then(|column| column.cells.get(column.cells.partition_point(|cell| cell.0 < record)))
            .filter(|cell| cell.0 == record);
        list.finish(*span, place.map(|cell| cell.1), fields);
    }
    records
}

fn put(
    records: &mut [Map<String, Value>],
    name: &str,
    column: Option<&Column>,
    value: impl Fn(u32) -> Option<String>,
) {
    for (record, at) in column.iter().flat_map(|column| &column.cells) {
        let value = value(*at).filter(|it| !it.is_empty());
        if let (Some(fields), Some(value)) = (records.get_mut(*record), value) {
            fields.insert(name.to_owned(), Value::String(value));
        }
    }
}

struct List<'l, 'a> {
    page: &'a Page,
    outline: &'l Outline<'a>,
    columns: &'l [Column],
}

impl<'l, 'a> List<'l, 'a> {
    fn node(&self, at: u32) -> Option<Node<'a>> {
        Some(self.page.dom().node(self.outline.element(at)?.node))
    }

    fn text(&self, at: u32) -> String {
        self.outline
            .text(self.outline.subtree(at), LONGEST)
            .trim()
            .to_owned()
    }

    /// The column with the most of a likeness, the first of equals. The first cell stands for all.
    fn best(&self, like: impl Fn(&Column, Node<'_>) -> Option<f32>) -> Option<&'l Column> {
        let mut best: Option<(f32, &Column)> = None;
        for column in self.columns {
            let Some(node) = column.cells.first().and_then(|cell| self.node(cell.1)) else {
                continue;
            };
            let Some(likeness) = like(column, node) else {
                continue;
            };
            if likeness >= ENOUGH && best.is_none_or(|best| likeness > best.0 + 1e-4) {
                best = Some((likeness, column));
            }
        }
        best.map(|best| best.1)
    }

    /// Whether cells of one column hold cells of the other.
    fn overlap(&self, a: &Column, b: &Column) -> bool {
        let mut mine = a.cells.iter().peekable();
        for (record, at) in b.cells.iter().take(20) {
            while mine.next_if(|cell| cell.0 < *record).is_some() {}
            if let Some((_, own)) = mine.peek().filter(|cell| cell.0 == *record) {
                let (x, y) = (self.outline.subtree(*own), self.outline.subtree(*at));
                return x.from < y.to && y.from < x.to;
            }
        }
        false
    }

    fn date(&self, at: u32) -> Option<String> {
        let node = self.node(at)?;
        let written = node
            .attr("datetime")
            .or_else(|| node.attr("content"))
            .map(str::trim)
            .filter(|it| !it.is_empty());
        Some(written.map_or_else(|| self.text(at), str::to_owned))
    }

    /// The address of an image, also of one that is loaded late.
    fn image(&self, node: Node<'_>) -> Option<String> {
        let late = [
            "data-src",
            "data-original",
            "data-lazy-src",
            "data-lazy",
            "data-image",
            "src",
        ];
        let mut written = late.iter().filter_map(|name| node.attr(name)).map(str::trim);
        let set = || {
            node.attr("srcset")
                .or_else(|| node.attr("data-srcset"))?
                .split([',', ' '])
                .find(|part| !part.is_empty())
        };
        let src = written
            .find(|address| !address.is_empty() && !address.starts_with("data:"))
            .or_else(set)?;
        Some(
            self.page
                .absolute(src)
                .map_or_else(|| src.to_owned(), String::from),
        )
    }

    fn distinct_images(&self, column: &Column) -> f32 {
        let cells = column.cells.iter().take(30);
        let n = cells.len().max(1) as f32;
        let images: HashSet<String> = cells
            .filter_map(|cell| self.node(cell.1).filter(|node| node.is("img")))
            .filter_map(|node| self.image(node))
            .collect();
        images.len() as f32 / n
    }

    fn told_ratings(&self, column: &Column) -> Option<f32> {
        let cells = column.cells.iter().take(20);
        let n = cells.len().max(1) as f32;
        let told = cells
            .filter(|cell| self.node(cell.1).and_then(likeness::rating).is_some())
            .count() as f32;
        (told > 0.0).then_some(told / n * 0.5 + column.coverage * 0.5)
    }

    /// The address of a record, and a title where the list's column has none.
    fn finish(&self, span: Span, title: Option<u32>, fields: &mut Map<String, Value>) {
        let links = self.outline.links(span);
        // The link that is, holds or is held by the title; else the first of the record.
        let near = title.and_then(|at| {
            let inside = self.outline.subtree(at);
            let within = links.iter().find(|link| (inside.from..inside.to).contains(&link.0));
            within.or_else(|| {
                links
                    .iter()
                    .rev()
                    .find(|link| link.0 <= at && at < self.outline.subtree(link.0).to)
            })
        });
        if let Some((_, url)) = near.or(links.first()) {
            let url = self
                .page
                .absolute(url)
                .map_or_else(|| (*url).to_owned(), String::from);
            fields.insert("url".to_owned(), Value::String(url));
        }
        if !fields.contains_key("title") {
            let said = links
                .iter()
                .map(|link| self.text(link.0))
                .find(|text| text.chars().count() > 2);
            fields.extend(said.map(|text| ("title".to_owned(), Value::String(text))));
        }
    }
}
