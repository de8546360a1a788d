//! Features of the entries of a list: how sure the list is one, and how much an entry is like the others of it.

use std::collections::HashMap;

use page::dom::NodeId;
use url::Url;

use super::evidence::{Features, PageEvidence};
use super::features::flag;
use crate::rules::content::MainContent;
use crate::rules::list_page;
use crate::rules::rows::Row;
use crate::rules::visible_page::{VisiblePage, words};

/// Share of the entries from which a field is one that they usually have; below one less this share they usually lack the field.
const USUAL: f32 = 0.8;

/// What an entry can have.
struct Part {
    /// Measure of an entry that has it.
    own: &'static str,
    /// Measure of the share of a list's entries that have it.
    share: &'static str,
    is_had_by: fn(&Row) -> bool,
}

/// The parts that are measured.
#[rustfmt::skip]
const PARTS: [Part; 9] = [
    Part { own: "has_title", share: "titled_rows", is_had_by: |row| row.title.is_some() },
    Part { own: "has_url", share: "linked_rows", is_had_by: |row| row.url.is_some() },
    Part { own: "has_price", share: "priced_rows", is_had_by: |row| row.price.is_some() },
    Part { own: "has_date", share: "dated_rows", is_had_by: |row| row.date.is_some() },
    Part { own: "has_image", share: "pictured_rows", is_had_by: |row| row.image.is_some() },
    Part { own: "has_description", share: "described_rows", is_had_by: |row| row.description.is_some() },
    Part { own: "has_author", share: "authored_rows", is_had_by: |row| row.author.is_some() },
    Part { own: "has_rating", share: "rated_rows", is_had_by: |row| row.rating.is_some() },
    Part { own: "has_facts", share: "labelled_rows", is_had_by: |row| !row.facts.is_empty() },
];

/// Measures each of the entries of a page's list; none where the caller said that the page is a list, and knows better.
pub(super) fn measure(evidence: PageEvidence<'_, '_>) -> Vec<Features> {
    let rows = evidence.rows;
    let Some(content) = evidence.content.filter(|_| !rows.is_empty()) else {
        return Vec::new();
    };
    let of_list = ListMeasures::of(rows, evidence.view);
    let mut shared = of_list.features(rows);
    match evidence.content {
        Some(content) => shared.extend(list_page::measure(
            evidence.view,
            content,
            evidence.list.best_group(),
        )),
        None => shared.push(("typed", 1.0)),
    }
    let entry = |row: &Row| {
        let mut features = shared.clone();
        features.extend(of_list.entry_features(row, evidence.view));
        let is_inside = row
            .elements
            .first()
            .is_some_and(|element| is_within(evidence.view, content, *element));
        features.push(("within_content", flag(is_inside)));
        features
    };
    rows.iter().map(entry).collect()
}

/// What is common to the entries of a list.
struct ListMeasures {
    shares: [f32; PARTS.len()],
    usual_length: f32,
    titles: HashMap<String, usize>,
    folders: HashMap<String, usize>,
    hosts: HashMap<String, usize>,
    count: f32,
}

impl ListMeasures {
    fn of(rows: &[Row], view: &VisiblePage<'_>) -> Self {
        let count = rows.len().max(1) as f32;
        let shares = PARTS.map(|part| rows.iter().filter(|row| (part.is_had_by)(row)).count() as f32 / count);
        let mut lengths: Vec<usize> = rows.iter().map(|row| row.text.len()).collect();
        lengths.sort_unstable();
        let usual_length = lengths.get(lengths.len() / 2).copied().unwrap_or_default() as f32;
        let mut measures = Self {
            shares,
            usual_length,
            titles: HashMap::new(),
            folders: HashMap::new(),
            hosts: HashMap::new(),
            count,
        };
        for row in rows {
            if let Some(title) = &row.title {
                *measures.titles.entry(title.to_lowercase()).or_default() += 1;
            }
            if let Some(url) = row.url.as_deref().and_then(|url| Url::parse(url).ok()) {
                *measures.folders.entry(folder(&url)).or_default() += 1;
                *measures.hosts.entry(host(&url)).or_default() += 1;
            }
        }
        if let Some(url) = view.page.url() {
            measures.hosts.entry(host(url)).or_default();
        }
        measures
    }

    fn features(&self, rows: &[Row]) -> Features {
        let shares = PARTS.iter().map(|part| part.share);
        let mut features: Features = shares.zip(self.shares).collect();
        let of_most =
            |counts: &HashMap<String, usize>| counts.values().max().copied().unwrap_or_default() as f32;
        let title_words = |row: &Row| {
            row.title
                .as_deref()
                .map_or(0, |title| title.split_whitespace().count())
        };
        let words: usize = rows.iter().map(title_words).sum();
        let unseen = rows.iter().filter(|row| row.elements.is_empty()).count() as f32;
        features.extend([
            ("entries", self.count.ln_1p()),
            ("few_entries", flag(self.count <= 4.0)),
            ("usual_length", self.usual_length.ln_1p()),
            ("one_folder", of_most(&self.folders) / self.count),
            ("one_host", of_most(&self.hosts) / self.count),
            ("differing_titles", self.titles.len() as f32 / self.count),
            ("title_words", (words as f32 / self.count).ln_1p()),
            ("unseen_rows", unseen / self.count),
        ]);
        features
    }

    fn entry_features(&self, row: &Row, view: &VisiblePage<'_>) -> Features {
        let has = PARTS.map(|part| (part.is_had_by)(row));
        let names = PARTS.iter().map(|part| part.own);
        let mut features: Features = names.zip(has.map(flag)).collect();
        let unlike = |expected: bool| {
            let of_parts = has.iter().zip(self.shares);
            of_parts
                .filter(|(has, share)| match expected {
                    true => !**has && *share >= USUAL,
                    false => **has && *share <= 1.0 - USUAL,
                })
                .count() as f32
        };
        let ratio = ((row.text.len() as f32 + 1.0) / (self.usual_length + 1.0)).ln();
        let title = row.title.as_deref().unwrap_or_default();
        let own = words(title);
        let repeated = self
            .titles
            .get(&title.to_lowercase())
            .is_some_and(|count| *count > 1);
        let url = row.url.as_deref().and_then(|url| Url::parse(url).ok());
        let share = |counts: &HashMap<String, usize>, key: Option<String>| {
            let count = key.and_then(|key| counts.get(&key).copied()).unwrap_or_default();
            count as f32 / self.count
        };
        let is_foreign = url.as_ref().is_some_and(|url| {
            let own = view.page.url().map(host);
            own.is_some_and(|own| own != host(url))
        });
        features.extend([
            ("lacks_usual", unlike(true)),
            ("has_unusual", unlike(false)),
            ("longer", ratio.max(0.0)),
            ("shorter", (-ratio).max(0.0)),
            ("one_word", flag(own.len() == 1)),
            ("title_length", (own.len() as f32).ln_1p()),
            ("title_repeated", flag(repeated)),
            (
                "title_alone",
                flag(!title.is_empty() && row.text.len() <= title.len() + 2),
            ),
            ("usual_folder", share(&self.folders, url.as_ref().map(folder))),
            ("usual_host", share(&self.hosts, url.as_ref().map(host))),
            ("foreign", flag(is_foreign)),
        ]);
        features
    }
}

/// Everything of the path but its last part.
fn folder(url: &Url) -> String {
    let path = url.path().trim_end_matches('/');
    path.rsplit_once('/').map_or("", |(folder, _)| folder).to_owned()
}

fn host(url: &Url) -> String {
    let host = url.host_str().unwrap_or_default();
    host.strip_prefix("www.").unwrap_or(host).to_owned()
}

/// Whether an element, or a part of it, is main content.
fn is_within(view: &VisiblePage<'_>, content: &MainContent, element: NodeId) -> bool {
    let dom = view.dom();
    let end = dom.node(element).end();
    content.roots.iter().any(|root| {
        let is_inside = *root <= element && element < dom.node(*root).end();
        let is_around = element <= *root && *root < end;
        is_around || (is_inside && !content.skip.contains(element))
    })
}
