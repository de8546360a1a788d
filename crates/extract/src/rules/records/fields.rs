//! Fields of each record of a list.
//!
//! Records of one list are written by one template, so what stands at the same place in
//! each is one column (`columns`). Every field takes the column that looks most like it
//! (`likeness`) over the whole list, never over one record.

use std::collections::{HashMap, HashSet};

use page::Page;
use page::dom::Node;
use serde_json::{Map, Value};

use super::column_scores;
use super::columns::{RecordColumn, columns};
use super::flat_tree::{FlatTree, Span};

/// Most bytes of one field.
const LONGEST: usize = 4_000;
/// A field needs at least this likeness to take a column.
const ENOUGH: f32 = 0.35;
/// Records whose links are compared, and links of each.
const COMPARED: usize = 40;
const MOST_LINKS: usize = 12;
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
pub(super) fn read(page: &Page, tree: &FlatTree<'_>, spans: &[Span]) -> Vec<Map<String, Value>> {
    let columns = columns(tree, spans);
    let list = RecordTable {
        page,
        tree,
        columns: &columns,
    };
    let title = list
        .best(column_scores::title)
        .or_else(|| list.best(column_scores::plain_title));
    let title = title.map(|title| list.first_inside(title).unwrap_or(title));
    // Nothing of the title, and nothing with the title in it, is another field.
    let apart = |column: &RecordColumn| title.is_none_or(|title| !list.overlap(column, title));
    let other = |like: fn(&RecordColumn, Node<'_>) -> Option<f32>| {
        list.best(|column, node| like(column, node).filter(|_| apart(column)))
    };
    let text = |at: u32| Some(list.text(at));

    let mut records = vec![Map::new(); spans.len()];
    put(&mut records, "title", title, text);
    put(&mut records, "price", other(column_scores::price), text);
    put(&mut records, "date", other(column_scores::date), |at| {
        list.date(at)
    });
    for (name, words) in NAMED {
        put(
            &mut records,
            name,
            list.best(|column, node| column_scores::named(column, node, words).filter(|_| apart(column))),
            |at| {
                Some(
                    list.text(at)
                        .trim_matches(|c: char| c.is_whitespace() || ",;:|·-–•".contains(c))
                        .to_owned(),
                )
            },
        );
    }
    put(
        &mut records,
        "description",
        other(column_scores::description),
        text,
    );
    let image = list.best(|column, node| {
        if !node.is("img") {
            return None;
        }
        column_scores::image(column, node, list.distinct_images(column))
    });
    put(&mut records, "image", image, |at| list.image(list.node(at)?));
    put(
        &mut records,
        "rating",
        list.best(|column, _| list.rating_share(column)),
        |at| column_scores::rating(list.node(at)?),
    );
    let labels = list.link_labels(spans);
    for (record, (fields, span)) in records.iter_mut().zip(spans).enumerate() {
        let region = title
            .and_then(|column| {
                column
                    .cells
                    .get(column.cells.partition_point(|cell| cell.0 < record))
            })
            .filter(|cell| cell.0 == record);
        list.finish(*span, region.map(|cell| cell.1), &labels, fields);
    }
    records
}

fn put(
    records: &mut [Map<String, Value>],
    name: &str,
    column: Option<&RecordColumn>,
    value: impl Fn(u32) -> Option<String>,
) {
    for (record, at) in column.iter().flat_map(|column| &column.cells) {
        let value = value(*at).filter(|it| !it.is_empty());
        if let (Some(fields), Some(value)) = (records.get_mut(*record), value) {
            fields.insert(name.to_owned(), Value::String(value));
        }
    }
}

struct RecordTable<'l, 'a> {
    page: &'a Page,
    tree: &'l FlatTree<'a>,
    columns: &'l [RecordColumn],
}

/// Attributes with the address of an image, those of images that load late first.
#[rustfmt::skip]
const IMAGE_ATTRIBUTES: &[&str] = &[
    "data-src", "data-original", "data-lazy-src", "data-lazy", "data-image", "src",
];

impl<'l, 'a> RecordTable<'l, 'a> {
    fn node(&self, at: u32) -> Option<Node<'a>> {
        Some(self.page.dom().node(self.tree.element(at)?.node))
    }

    fn text(&self, at: u32) -> String {
        self.tree.text(self.tree.subtree(at), LONGEST).trim().to_owned()
    }

    /// The column with the most of a likeness, the first of equals. The first cell stands for all.
    fn best(&self, like: impl Fn(&RecordColumn, Node<'_>) -> Option<f32>) -> Option<&'l RecordColumn> {
        let mut best: Option<(f32, &RecordColumn)> = None;
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
    fn overlap(&self, a: &RecordColumn, b: &RecordColumn) -> bool {
        let mut mine = a.cells.iter().peekable();
        for (record, at) in b.cells.iter().take(20) {
            while mine.next_if(|cell| cell.0 < *record).is_some() {}
            if let Some((_, own)) = mine.peek().filter(|cell| cell.0 == *record) {
                let (x, y) = (self.tree.subtree(*own), self.tree.subtree(*at));
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
        Some(written.map_or_else(|| dated_part(&self.text(at)), str::to_owned))
    }

    /// The column of the first text within the cells of a title that hold several: the name in a cell that also has a badge and a
    /// maker.
    fn first_inside(&self, title: &'l RecordColumn) -> Option<&'l RecordColumn> {
        let has_parts = |cell: &(usize, u32)| {
            let node = self.node(cell.1)?;
            let told = node.children().filter(|child| !child.text().trim().is_empty());
            Some(matches!(node.tag(), "td" | "th" | "div" | "li") && told.take(2).count() > 1)
        };
        let with_parts = title
            .cells
            .iter()
            .filter(|cell| has_parts(cell) == Some(true))
            .count();
        if with_parts * 2 < title.cells.len() {
            return None;
        }
        let is_first = |column: &&RecordColumn| {
            // What follows an element in document order is its first child.
            let is_within =
                |(one, other): (&(usize, u32), &(usize, u32))| one.0 == other.0 && one.1 == other.1 + 1;
            column.cells.len() == title.cells.len()
                && column.cells.iter().zip(&title.cells).all(is_within)
                && column.distinct >= 0.9
                && column.numbers < 0.5
        };
        self.columns
            .iter()
            .filter(is_first)
            .min_by_key(|column| column.order)
    }

    /// The address of an image, also of one that is loaded late.
    fn image(&self, node: Node<'_>) -> Option<String> {
        let late = IMAGE_ATTRIBUTES;
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

    fn distinct_images(&self, column: &RecordColumn) -> f32 {
        let cells = column.cells.iter().take(30);
        let n = cells.len().max(1) as f32;
        let images: HashSet<String> = cells
            .filter_map(|cell| self.node(cell.1).filter(|node| node.is("img")))
            .filter_map(|node| self.image(node))
            .collect();
        images.len() as f32 / n
    }

    fn rating_share(&self, column: &RecordColumn) -> Option<f32> {
        let cells = column.cells.iter().take(20);
        let n = cells.len().max(1) as f32;
        let rated = cells
            .filter(|cell| self.node(cell.1).and_then(column_scores::rating).is_some())
            .count() as f32;
        (rated > 0.0).then_some(rated / n * 0.5 + column.coverage * 0.5)
    }

    /// The texts of links that more than half of the compared records have, such as "View details": actions, no titles.
    fn link_labels(&self, spans: &[Span]) -> HashSet<String> {
        let mut records_with: HashMap<String, usize> = HashMap::new();
        let compared = spans.len().min(COMPARED);
        for span in spans.iter().take(compared) {
            let links = self.tree.links(*span).iter().take(MOST_LINKS);
            let texts: HashSet<String> = links.map(|link| self.text(link.0)).collect();
            for text in texts {
                *records_with.entry(text).or_insert(0) += 1;
            }
        }
        records_with.retain(|_, records| *records > 1 && *records * 2 > compared);
        records_with.into_keys().collect()
    }

    /// The address of a record, and a title where the list's column has none.
    fn finish(
        &self,
        span: Span,
        title: Option<u32>,
        labels: &HashSet<String>,
        fields: &mut Map<String, Value>,
    ) {
        let links = self.tree.links(span);
        // The link that is, holds or is held by the title; else the first of the record.
        let near = title.and_then(|at| {
            let inside = self.tree.subtree(at);
            let within = links
                .iter()
                .find(|link| (inside.from..inside.to).contains(&link.0));
            within.or_else(|| {
                links
                    .iter()
                    .rev()
                    .find(|link| link.0 <= at && at < self.tree.subtree(link.0).to)
            })
        });
        // A place on the same page is the address of no entry.
        let is_address = |link: &&(u32, &str)| !link.1.trim_start().starts_with('#');
        let first = links.iter().find(is_address);
        if let Some((_, url)) = near.filter(is_address).or(first) {
            let url = self
                .page
                .absolute(url)
                .map_or_else(|| (*url).to_owned(), String::from);
            fields.insert("url".to_owned(), Value::String(url));
        }
        if !fields.contains_key("title") {
            let link_text = links
                .iter()
                .map(|link| self.text(link.0))
                .find(|text| text.chars().count() > 2 && !labels.contains(text));
            fields.extend(link_text.map(|text| ("title".to_owned(), Value::String(text))));
        }
    }
}

/// Of a text in parts the one that is a day: of "Rosé · 14 May 2024 · 12.5%" the second.
fn dated_part(text: &str) -> String {
    let now = jiff::civil::date(2000, 1, 1).at(12, 0, 0, 0);
    let is_day = |part: &&str| {
        let read = locale::dates::parse(part, now, &locale::dates::DateHints::default());
        read.is_some_and(|read| read.precision == locale::dates::DatePrecision::Day)
    };
    let parts: Vec<&str> = text.split(['·', '|', '•']).map(str::trim).collect();
    let day = parts.iter().find(|part| is_day(part));
    match (parts.as_slice(), day) {
        // The other part of two is the time.
        ([_] | [_, _], _) if parts.len() == 1 || day.is_some() => text.to_owned(),
        (_, day) => day.map_or_else(String::new, |day| (*day).to_owned()),
    }
}
