//! Fields of each record of a list.
//!
//! Records of one list are written by one template, so what stands at the same place in
//! each is one column (`columns`). Every field takes the column that looks most like it
//! (`likeness`) over the whole list, never over one record.

mod title_parts;

use std::collections::{HashMap, HashSet};

use page::Page;
use page::dom::Node;
use page::pictures;
use serde_json::{Map, Value};

use super::super::addresses::{destination, leads_to_author, leads_to_person};
use super::super::author;
use super::column_scores::{self, is_heading, is_row_header};
use super::columns::{RecordColumn, columns};
use super::dated_parts;
use super::flat_tree::{FlatTree, Span};

/// Most bytes of one field.
const LONGEST: usize = 4_000;
/// A field needs at least this likeness to take a column.
const ENOUGH: f32 = 0.35;
/// Records whose links are compared, and links of each.
const COMPARED: usize = 40;
const MOST_LINKS: usize = 12;
/// Most elements of a title that are looked at.
const MAX_TITLE_ELEMENTS: u32 = 16;
/// Classes of texts that are not shown, or to screen readers only.
#[rustfmt::skip]
const UNSEEN: &[&str] = &[
    "sr-only", "h-sr-only", "u-sr-only", "visually-hidden", "visuallyhidden", "screen-reader-text", "screen-reader", "a11y-hidden",
    "offscreen", "hidden", "is-hidden", "d-none",
];
/// Most columns that hold one field in the templates of one list.
const MOST_TEMPLATES: usize = 12;
/// Cells of a column that are read to see whether it names authors.
const SAMPLE: usize = 8;
/// Most elements of a record that are looked at for a portrait.
const MOST_ELEMENTS: usize = 400;
/// Fields that are known by the names the page gives its elements.
const NAMED: [(&str, &[&str]); 2] = [
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

locale::patterns! {
    /// Since when somebody is a member.
    static JOINED = r"(?i)^\s*(?:registered|joined|join date|member since|registriert|mitglied seit|dabei seit|beigetreten|dołącz\p{L}+|zarejestrowan\p{L}+|inscrit|inscription)\b";
    /// What says that a day is that of a posting.
    static POSTING = r"(?i)\b(?:posted|published|listed|added|advertised|online\s+since|veröffentlicht|eingestellt|online\s+seit|inseriert|dodan\p{L}+|opublikowan\p{L}+|publié\p{L}*|publicad\p{L}+|ago|temu)\b|^\s*vor\s+\d|\b(?:today|yesterday|heute|gestern|dzisiaj|dziś|wczoraj)\b";
    /// The beginning of a text that says up to when something is open or valid.
    static CLOSING = r"(?i)^\W*(?:clos(?:es|ing)|apply\s+by|applications?\s+(?:close|end|by|until|deadline)|deadline|expir\p{L}+|ends?(?:\s+on)?|until|valid\s+(?:until|to|till)|offer\s+ends|bewerbungsfrist|bewerben\s+bis|bewerbung\s+bis|frist|einsendeschluss|gültig\s+bis|läuft\s+ab|endet|bis\s+zum|termin\s+składania|aplikuj\s+do|składaj\s+do|ważn\p{L}+\s+do|wygasa|do\s+dnia)\b";
}

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
    let outer_title = title;
    let title = title.map(|title| {
        let inside = list.first_inside(title).or_else(|| list.link_inside(title));
        let inside = inside.or_else(|| list.own_part_of_link(title));
        inside.unwrap_or(title)
    });
    // Nothing of the title, and nothing with the title in it, is another field.
    let apart = |column: &RecordColumn| title.is_none_or(|title| !list.overlap(column, title));
    let other = |like: fn(&RecordColumn, Node<'_>) -> Option<f32>| {
        list.best(|column, node| like(column, node).filter(|_| apart(column)))
    };
    let text = |at: u32| Some(list.text(at));

    let mut records = vec![Map::new(); spans.len()];
    put(&mut records, "title", title, |at| Some(list.seen_text(at)));
    put_missing(&mut records, "title", outer_title, |at| Some(list.seen_text(at)));
    // The first entry of a list may be larger than the rest, with a heading of another level.
    if title
        .and_then(|title| list.node(title.cells.first()?.1))
        .is_some_and(is_in_heading)
    {
        for (fields, span) in records
            .iter_mut()
            .zip(spans)
            .filter(|(fields, _)| !fields.contains_key("title"))
        {
            if let Some(heading) = list.only_heading(*span) {
                fields.insert("title".to_owned(), Value::String(heading));
            }
        }
    }
    put(&mut records, "price", other(column_scores::price), text);
    let dates = list.ranked(|column, node| {
        let stated = || list.dated_share(column);
        column_scores::date(column, node, stated).filter(|_| apart(column) && list.joined_share(column) < 0.5)
    });
    let dates = list.without_ends(dates);
    put_each(&mut records, "date", &dates, |at| list.date(at));
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
    let authors = list.ranked(|column, node| {
        let told = list
            .byline_share(column)
            .max(list.portrayed_share(column, node, spans));
        column_scores::author(column, node, told).filter(|_| apart(column))
    });
    put_each(&mut records, "author", &authors, |at| Some(list.person(at)));
    put(
        &mut records,
        "description",
        list.best(|column, node| {
            let likeness = column_scores::description(column, node);
            likeness.filter(|_| apart(column) && list.joined_share(column) < 0.5)
        }),
        |at| {
            let whole = list.whole_list(at);
            let within = list.tree.subtree(whole);
            let has_title = |title: &RecordColumn| {
                let mut cells = title.cells.iter();
                cells.any(|cell| within.from <= cell.1 && cell.1 < within.to)
            };
            Some(list.text(if title.is_some_and(has_title) { at } else { whole }))
        },
    );
    let images = list.ranked(|column, node| {
        if !node.is("img") {
            return None;
        }
        column_scores::image(column, node, list.distinct_images(column))
    });
    put_each(&mut records, "image", &images, |at| list.image(list.node(at)?));
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

/// Whether an element is a heading, or stands in one.
fn is_in_heading(node: Node<'_>) -> bool {
    is_heading(node) || node.ancestors().take(2).any(is_heading)
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

/// As [`put`], for the records that have no value yet.
fn put_missing(
    records: &mut [Map<String, Value>],
    name: &str,
    column: Option<&RecordColumn>,
    value: impl Fn(u32) -> Option<String>,
) {
    for (record, at) in column.iter().flat_map(|column| &column.cells) {
        if let Some(fields) = records
            .get_mut(*record)
            .filter(|fields| !fields.contains_key(name))
            && let Some(value) = value(*at).filter(|it| !it.is_empty())
        {
            fields.insert(name.to_owned(), Value::String(value));
        }
    }
}

/// As [`put`], for a list that is written by several templates: each further column fills the records that have no value yet, if
/// nearly all of its cells are in such records. A column beside the first is another field.
fn put_each(
    records: &mut [Map<String, Value>],
    name: &str,
    columns: &[&RecordColumn],
    value: impl Fn(u32) -> Option<String>,
) {
    for column in columns.iter().take(MOST_TEMPLATES) {
        let is_open = |cell: &&(usize, u32)| {
            records
                .get(cell.0)
                .is_some_and(|fields| !fields.contains_key(name))
        };
        if column.cells.iter().filter(is_open).count() * 10 >= column.cells.len() * 9 {
            put(records, name, Some(column), &value);
        }
    }
}

struct RecordTable<'l, 'a> {
    page: &'a Page,
    tree: &'l FlatTree<'a>,
    columns: &'l [RecordColumn],
}

impl<'l, 'a> RecordTable<'l, 'a> {
    fn node(&self, at: u32) -> Option<Node<'a>> {
        Some(self.page.dom().node(self.tree.element(at)?.node))
    }

    fn text(&self, at: u32) -> String {
        self.tree.text(self.tree.subtree(at), LONGEST).trim().to_owned()
    }

    /// As [`RecordTable::text`], without what is only for screen readers or hidden by its class, unless that is all.
    fn seen_text(&self, at: u32) -> String {
        let span = self.tree.subtree(at);
        // Behind the words of a summary, or of the header of a row, stand its badges: "Riverside pool <small>open air</small>".
        let is_named_first = |node: &Node<'_>| node.is("summary") || is_row_header(*node);
        if let Some(named) = self.node(at).filter(is_named_first) {
            let words = named.children().take_while(|child| !child.is_element());
            let own: String = words.filter_map(Node::text_value).collect();
            if own.trim().chars().count() > 1 {
                return own.split_whitespace().collect::<Vec<_>>().join(" ");
            }
        }
        let is_unseen = |at: &u32| {
            self.node(*at)
                .is_some_and(|node| node.classes().any(|class| UNSEEN.contains(&class)))
        };
        let unseen: Vec<u32> = (span.from + 1..span.to.min(span.from + MAX_TITLE_ELEMENTS))
            .filter(is_unseen)
            .collect();
        let mut whole = self.text(at);
        for part in unseen
            .iter()
            .map(|at| self.text(*at))
            .filter(|part| !part.is_empty())
        {
            if let Some(rest) = whole.strip_suffix(&part).or_else(|| whole.strip_prefix(&part))
                && !rest.trim().is_empty()
            {
                whole = rest.trim().to_owned();
            }
        }
        whole
    }

    /// The column with the most of a likeness, the first of equals. The first cell stands for all.
    fn best(&self, like: impl Fn(&RecordColumn, Node<'_>) -> Option<f32>) -> Option<&'l RecordColumn> {
        let mut best: Option<(f32, &RecordColumn)> = None;
        for (likeness, column) in self.alike(like) {
            if best.is_none_or(|best| likeness > best.0 + 1e-4) {
                best = Some((likeness, column));
            }
        }
        best.map(|best| best.1)
    }

    /// The columns of enough likeness, the likest first.
    fn ranked(&self, like: impl Fn(&RecordColumn, Node<'_>) -> Option<f32>) -> Vec<&'l RecordColumn> {
        let mut alike: Vec<(f32, &RecordColumn)> = self.alike(like).collect();
        alike.sort_by(|one, other| other.0.total_cmp(&one.0));
        alike.into_iter().map(|(_, column)| column).collect()
    }

    /// The columns of enough likeness, in their order.
    fn alike(
        &self,
        like: impl Fn(&RecordColumn, Node<'_>) -> Option<f32>,
    ) -> impl Iterator<Item = (f32, &'l RecordColumn)> {
        self.columns.iter().filter_map(move |column| {
            let node = column.cells.first().and_then(|cell| self.node(cell.1))?;
            let likeness = like(column, node)?;
            (likeness >= ENOUGH).then_some((likeness, column))
        })
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

    /// The list that an entry of several is of, such as that of the highlights of a product; any other element itself.
    fn whole_list(&self, at: u32) -> u32 {
        let around = self.tree.elements.get(at as usize).map(|element| element.parent);
        let is_list = around.is_some_and(|around| {
            let entries = |node: Node<'_>| node.children().filter(|entry| entry.is("li")).nth(1).is_some();
            self.node(at).is_some_and(|entry| entry.is("li")) && self.node(around).is_some_and(entries)
        });
        around.filter(|_| is_list).unwrap_or(at)
    }

    fn date(&self, at: u32) -> Option<String> {
        let node = self.node(at)?;
        let written = node
            .attr("datetime")
            .or_else(|| node.attr("content"))
            .map(str::trim)
            .filter(|it| !it.is_empty());
        Some(written.map_or_else(|| dated_parts::dated_part(&self.text(at)), str::to_owned))
    }

    /// Whether the cells of a column lie within those of another, of the same records.
    fn is_within(&self, column: &RecordColumn, outer: &RecordColumn) -> bool {
        let holds = |cell: &(usize, u32)| {
            let around = outer.cells.iter().find(|other| other.0 == cell.0);
            around.is_some_and(|around| {
                let (inner, outer) = (self.tree.subtree(cell.1), self.tree.subtree(around.1));
                outer.from < inner.from && inner.to <= outer.to
            })
        };
        !column.cells.is_empty() && column.cells.iter().take(20).all(holds)
    }

    /// The address of an image, also of one that is loaded late.
    fn image(&self, node: Node<'_>) -> Option<String> {
        let src = pictures::address(node)?;
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

    /// The share of a column's texts of which one part is a day.
    fn dated_share(&self, column: &RecordColumn) -> f32 {
        share(column, |(_, at)| {
            let text = self.text(at);
            let part = dated_parts::dated_part(&text);
            !part.is_empty() && part.len() * 2 < text.len()
        })
    }

    /// The share of a column's texts that say since when somebody is a member, which is no day of an entry.
    fn joined_share(&self, column: &RecordColumn) -> f32 {
        share(column, |(_, at)| JOINED.is_match(&self.text(at)))
    }

    /// Columns of days without those up to which something is open, where another one says when entries were posted.
    fn without_ends(&self, dates: Vec<&'l RecordColumn>) -> Vec<&'l RecordColumn> {
        let says = |at: u32, pattern: &locale::Regex| {
            pattern.is_match(&self.text(at))
                || self
                    .node(at)
                    .and_then(|node| node.siblings_before().find(|it| !it.text().trim().is_empty()))
                    .is_some_and(|before| pattern.is_match(&before.text()))
        };
        let are_ends = |column: &&RecordColumn| share(column, |(_, at)| says(at, &CLOSING)) >= 0.5;
        let are_posted = |column: &&RecordColumn| share(column, |(_, at)| says(at, &POSTING)) >= 0.5;
        if !dates.iter().any(are_posted) {
            return dates;
        }
        let (ends, others): (Vec<_>, Vec<_>) = dates.into_iter().partition(are_ends);
        if others.is_empty() { ends } else { others }
    }

    /// The name in a text that says who wrote: that of its only link to a person, else the text.
    fn person(&self, at: u32) -> String {
        let links = self
            .node(at)
            .into_iter()
            .flat_map(|node| node.descendants().skip(1).take(SAMPLE * 4));
        let mut people = links.filter(|link| link.is("a") && link.attr("href").is_some_and(leads_to_person));
        let person = people.next().filter(|_| people.next().is_none());
        let name = person
            .map(|link| link.text().trim().to_owned())
            .filter(|name| !name.is_empty());
        match name {
            Some(name) if author::is_entry_byline(&self.text(at)) => format!("By {name}"),
            Some(name) => name,
            None => self.text(at),
        }
    }

    /// The share of a column's texts that begin as bylines do.
    fn byline_share(&self, column: &RecordColumn) -> f32 {
        if column.words < 2.0 || column.words > 20.0 {
            return 0.0;
        }
        share(column, |(_, at)| author::is_entry_byline(&self.text(at)))
    }

    /// The share of a column's texts that an image of the same record has as its alternative text: names of people, who have an
    /// address of their own, beside their portraits.
    fn portrayed_share(&self, column: &RecordColumn, node: Node<'_>, spans: &[Span]) -> f32 {
        let of_person = node
            .attr("href")
            .is_some_and(|href| leads_to_person(href) || leads_to_author(href));
        if !of_person || column.words > 5.0 || column.digits > 0.2 {
            return 0.0;
        }
        share(column, |(record, at)| {
            let Some(span) = spans.get(record) else {
                return false;
            };
            let name = self.text(at);
            let elements = (span.from..span.to).take(MOST_ELEMENTS);
            let mut images = elements
                .filter_map(|at| self.node(at))
                .filter(|node| node.is("img"));
            !name.is_empty() && images.any(|image| image.attr("alt").is_some_and(|alt| alt.trim() == name))
        })
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
        // A place on the same page is the address of no entry, nor is a telephone number.
        let is_address = |link: &&(u32, &str)| destination(link.1).is_some();
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

/// The share of the first cells of a column, as record and element, that are so.
fn share(column: &RecordColumn, is_so: impl Fn((usize, u32)) -> bool) -> f32 {
    let cells = column.cells.iter().take(SAMPLE);
    let n = cells.len().max(1) as f32;
    cells.filter(|cell| is_so(**cell)).count() as f32 / n
}
