//! RecordColumn: the elements at the same place in every record of a list.

use std::collections::{HashMap, HashSet};

use foldhash::fast::RandomState;

use super::candidate_pool::key;
use super::flat_tree::{FlatTree, Span};

/// Most elements of one record that columns are made of.
const MOST_ELEMENTS: usize = 250;
/// Most records that columns are made of.
const MOST_RECORDS: usize = 300;
/// Records whose texts are compared.
const COMPARED: usize = 40;

/// The elements with one path of tags and classes below their record. Shares are 0 to 1.
#[derive(Debug, Default)]
pub(super) struct RecordColumn {
    /// The record and the element in it, for each record that has one; of several the first.
    pub(super) cells: Vec<(usize, u32)>,
    /// Place among the columns, in document order.
    pub(super) order: usize,
    /// Mean characters.
    pub(super) chars: f32,
    /// Mean words.
    pub(super) words: f32,
    /// Share of cells with a price.
    pub(super) priced: f32,
    /// Share of cells with a date.
    pub(super) dated: f32,
    /// Share of the text that is linked.
    pub(super) linked: f32,
    /// Share of cells with a text of their own.
    pub(super) distinct: f32,
    /// Share of cells with a digit.
    pub(super) digits: f32,
    /// Share of cells with digits and no letter.
    pub(super) numbers: f32,
    /// Share of cells of a number and a word at most: "44.8 MW".
    pub(super) measures: f32,
    /// Share of cells that show an address (`www.example.org/...`).
    pub(super) addresses: f32,
    /// Share of records that have a cell.
    pub(super) coverage: f32,
    /// Whether the cells are the records themselves, not parts of them.
    pub(super) whole: bool,
}

impl RecordColumn {
    /// Whether every compared cell has one and the same text.
    pub(super) fn repeats(&self) -> bool {
        let compared = self.cells.len().min(COMPARED) as f32;
        compared >= 2.0 && self.distinct > 0.0 && self.distinct * compared < 1.5
    }
}

/// The columns of a list, in document order. They are made of the first [`MOST_RECORDS`] records and weighed by these; the records
/// behind them have the cells that stand at the places of known columns.
pub(super) fn columns(tree: &FlatTree<'_>, spans: &[Span]) -> Vec<RecordColumn> {
    let (sample, rest) = spans.split_at(spans.len().min(MOST_RECORDS));
    let mut found = ColumnPaths::default();
    for (record, span) in sample.iter().enumerate() {
        found.place(tree, record, *span, NewColumns::Made);
    }
    for column in &mut found.columns {
        weigh(tree, column, sample.len());
    }
    for (record, span) in (sample.len()..).zip(rest) {
        found.place(tree, record, *span, NewColumns::LeftOut);
    }
    found.columns
}

/// What becomes of an element at a place that no column has yet.
#[derive(Clone, Copy, PartialEq)]
enum NewColumns {
    Made,
    LeftOut,
}

/// The columns of a list by the path of tags and classes that leads to their cells.
#[derive(Default)]
struct ColumnPaths {
    columns: Vec<RecordColumn>,
    /// Places among `columns`.
    known: HashMap<u64, usize, RandomState>,
    /// Of the record that is read: the path of each of its elements, and how many elements had a path so far.
    paths: Vec<u64>,
    siblings: HashMap<u64, u32, RandomState>,
}

impl ColumnPaths {
    /// Adds the elements of a record to the columns that they belong to.
    fn place(&mut self, tree: &FlatTree<'_>, record: usize, span: Span, new: NewColumns) {
        self.paths.clear();
        self.siblings.clear();
        for at in (span.from..span.to).take(MOST_ELEMENTS) {
            let Some(element) = tree.element(at) else { break };
            let above = element
                .parent
                .checked_sub(span.from)
                .and_then(|offset| self.paths.get(offset as usize))
                .copied();
            // The class of the record itself often only counts: odd, even, last.
            let class = above
                .and_then(|_| tree.tokens(at).first().copied())
                .unwrap_or(u32::MAX);
            let upper = above.unwrap_or(0);
            let kind = key(&[(upper >> 32) as u32, upper as u32, element.tag, class]);
            // The third cell of a row is another column than the second, though both look the same.
            let nth = self.siblings.entry(kind).or_insert(0);
            *nth += 1;
            let path = key(&[(kind >> 32) as u32, kind as u32, *nth]);
            self.paths.push(path);
            let index = match self.known.get(&path) {
                Some(index) => *index,
                None if new == NewColumns::LeftOut => continue,
                None => self.add(path, above.is_none()),
            };
            if let Some(column) = self.columns.get_mut(index)
                && column.cells.last().is_none_or(|last| last.0 != record)
            {
                column.cells.push((record, at));
            }
        }
    }

    fn add(&mut self, path: u64, whole: bool) -> usize {
        let order = self.columns.len();
        self.known.insert(path, order);
        self.columns.push(RecordColumn {
            order,
            whole,
            ..RecordColumn::default()
        });
        order
    }
}

fn weigh(tree: &FlatTree<'_>, column: &mut RecordColumn, records: usize) {
    let n = column.cells.len().max(1) as f32;
    let mut all = 0;
    let mut linked = 0;
    for (_, at) in &column.cells {
        let counts = tree.counts(tree.subtree(*at));
        all += counts.chars;
        linked += counts.link_chars;
        column.words += counts.words as f32 / n;
        column.priced += counts.prices.min(1) as f32 / n;
        column.dated += counts.dates.min(1) as f32 / n;
    }
    column.chars = all as f32 / n;
    column.linked = linked as f32 / all.max(1) as f32;
    column.coverage = n / records.max(1) as f32;
    if all == 0 {
        return;
    }
    let mut texts: HashSet<String, RandomState> = HashSet::default();
    let compared = column.cells.len().min(COMPARED);
    for (_, at) in column.cells.iter().take(compared) {
        let text = tree.text(tree.subtree(*at), 120);
        column.digits += u8::from(text.bytes().any(|byte| byte.is_ascii_digit())) as f32 / compared as f32;
        let is_number = text.bytes().any(|byte| byte.is_ascii_digit()) && !text.contains(char::is_alphabetic);
        column.numbers += f32::from(u8::from(is_number)) / compared as f32;
        let is_measure =
            text.starts_with(|c: char| c.is_ascii_digit()) && text.split_whitespace().count() <= 2;
        column.measures += f32::from(u8::from(is_measure)) / compared as f32;
        let address = text.starts_with("http") || text.starts_with("www.");
        column.addresses += f32::from(u8::from(address)) / compared as f32;
        texts.insert(text);
    }
    column.distinct = texts.len() as f32 / compared as f32;
}
