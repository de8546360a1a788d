//! Signs by which the lists of one page are told apart.

use page::dom::NodeId;

use super::row::Row;
use crate::rules::records::RecordGroup;
use crate::rules::visible_page::VisiblePage;

/// Least share of entries with a price for a list of products.
const PRICED: f32 = 0.5;

/// Whether rows are a list of products.
pub(super) fn is_priced(rows: &[Row]) -> bool {
    let products = rows.iter().filter(|row| row.is_product()).count();
    products > 0 && products as f32 >= PRICED * rows.len() as f32
}

/// Whether no record of a group is, or holds, an entry of a list. It may stand within one.
pub(super) fn is_another(view: &VisiblePage<'_>, group: &RecordGroup, list: &[Row]) -> bool {
    let entries: Vec<NodeId> = list
        .iter()
        .filter_map(|row| row.elements.first().copied())
        .collect();
    let mut roots = group.records.iter().flat_map(|record| &record.roots);
    roots.all(|root| {
        let end = view.dom().node(*root).end();
        !entries.iter().any(|entry| *root <= *entry && *entry < end)
    })
}

/// Whether most rows have a title and say more of what it names, as the entries of a list do and the links of a menu do not.
pub(super) fn is_list_of_its_own(rows: &[Row]) -> bool {
    let is_told = |row: &&Row| {
        let says_more = row.description.is_some() || row.date.is_some() || row.price.is_some();
        row.title.is_some() && says_more
    };
    rows.iter().filter(is_told).count() * 2 > rows.len()
}

/// How much text rows have, in bytes.
pub(super) fn length(rows: &[Row]) -> usize {
    rows.iter().map(|row| row.text.len()).sum()
}

/// Whether the first of the rows is a record of a group.
pub(super) fn is_of(group: &RecordGroup, rows: &[Row]) -> bool {
    let first = rows.first().and_then(|row| row.elements.first());
    let mut roots = group.records.iter().flat_map(|record| &record.roots);
    first.is_some_and(|first| roots.any(|root| root == first))
}
