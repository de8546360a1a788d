//! LabelledValues: what a page writes beside labels and below headings of tables.

use std::cell::OnceCell;
use std::collections::{BTreeSet, HashMap};

use page::Page;
use page::tables::{self, Table};
use serde_json::{Map, Value};

use super::numbers::NumberReader;
use super::values::{letters, spellings};
use crate::fields::{PageType, fold, named};
use crate::rules::labels::{self, LabelValue, PairLayout};
use crate::rules::linked_values;
use crate::rules::rows::{self, Row};
use crate::rules::visible_page::VisiblePage;

/// What a page writes beside labels and below headings; each is read when somebody first asks.
pub(super) struct LabelledValues<'p> {
    page: &'p Page,
    view: OnceCell<VisiblePage<'p>>,
    /// The places of the plain pairs by the letters of their labels.
    by_letters: OnceCell<HashMap<String, Vec<usize>>>,
    /// Reads the numbers of the page.
    pub(super) numbers: NumberReader,
}

impl<'p> LabelledValues<'p> {
    /// Nothing is read yet.
    pub(super) fn of(page: &'p Page) -> Self {
        Self {
            page,
            view: OnceCell::new(),
            by_letters: OnceCell::new(),
            numbers: NumberReader::of(page),
        }
    }

    /// The pairs whose label is of that name, in document order: first those of the very same spelling.
    pub(super) fn beside(&self, name: &str) -> impl Iterator<Item = &LabelValue> {
        let key = labels::fold(name);
        let named = self.named(name);
        let (same, alike): (Vec<_>, Vec<_>) = named.into_iter().partition(|pair| pair.key == key);
        same.into_iter().chain(alike)
    }

    /// The parts of a value, where links or entries of a list set them apart.
    pub(super) fn parts(&self, pair: &LabelValue) -> Option<Vec<String>> {
        linked_values::parts(self.page.dom(), pair)
    }

    /// Whether the page has a label of that name, which means a field, and another label that means the same one: each has a value of
    /// its own then.
    pub(super) fn tells_apart(&self, name: &str, field: &str, page_type: PageType) -> bool {
        let own = self.named(name);
        let is_other = |pair: &&LabelValue| {
            let is_apart = |own: &&LabelValue| own.key != pair.key && own.value != pair.value;
            own.iter().all(is_apart) && named(&pair.key, page_type) == field
        };
        fold(name) != field && !own.is_empty() && self.plain_pairs().any(|pair| is_other(&pair))
    }

    fn named(&self, name: &str) -> Vec<&LabelValue> {
        let letters = letters(name);
        let by_letters = self.by_letters.get_or_init(|| {
            let mut all: HashMap<String, Vec<usize>> = HashMap::new();
            for (at, pair) in self.plain_pairs().enumerate() {
                let spellings: BTreeSet<String> = spellings(&pair.label).into_iter().collect();
                for spelling in spellings {
                    all.entry(spelling).or_default().push(at);
                }
            }
            all
        });
        let known = by_letters.get(&letters).filter(|_| !letters.is_empty());
        let pairs: Vec<&LabelValue> = match known {
            Some(_) => self.plain_pairs().collect(),
            None => Vec::new(),
        };
        let places = known.into_iter().flatten();
        places.filter_map(|at| pairs.get(*at).copied()).collect()
    }

    /// The pairs that are set as such, in document order.
    fn plain_pairs(&self) -> impl Iterator<Item = &LabelValue> {
        let view = self.view.get_or_init(|| VisiblePage::of(self.page));
        view.pairs.iter().filter(|pair| {
            matches!(
                pair.layout,
                PairLayout::Definition | PairLayout::Row | PairLayout::Line
            )
        })
    }

    /// The entries of the list that a page holds, whatever it is about.
    pub(super) fn list_rows(&self) -> Vec<Map<String, Value>> {
        let view = self.view.get_or_init(|| VisiblePage::of(self.page));
        rows::read(view).into_iter().map(Row::into_map).collect()
    }

    /// The tables of the page that have headings.
    pub(super) fn tables(&self) -> impl Iterator<Item = Table> {
        tables::grids(self.page)
            .into_iter()
            .filter(|table| !table.header.is_empty())
    }
}
