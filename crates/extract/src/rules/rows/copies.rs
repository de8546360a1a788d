//! Entries that a page shows twice: once for wide and once for narrow screens.

use std::collections::{HashMap, HashSet};

use super::row::Row;

/// Most entries of one title and address that an entry is compared with: a page shows one twice, and not a thousand times.
const COMPARED: usize = 8;

/// The rows without copies of others. Of two rows with one title and one address where all words of one are among those of the
/// other, the first stays and takes what only the other states.
pub(super) fn join(rows: Vec<Row>) -> Vec<Row> {
    let mut kept: Vec<Row> = Vec::with_capacity(rows.len());
    let mut places: HashMap<(String, String), Vec<usize>> = HashMap::new();
    for row in rows {
        let (Some(title), Some(url)) = (&row.title, &row.url) else {
            kept.push(row);
            continue;
        };
        let same = places.entry((title.clone(), url.clone())).or_default();
        let copied = same
            .iter()
            .copied()
            .find(|at| kept.get(*at).is_some_and(|other| is_copy(other, &row)));
        match copied.and_then(|at| kept.get_mut(at)) {
            Some(other) => complete(other, row),
            None => {
                if same.len() < COMPARED {
                    same.push(kept.len());
                }
                kept.push(row);
            }
        }
    }
    kept
}

/// Whether one of two rows says nothing that the other does not say.
fn is_copy(one: &Row, other: &Row) -> bool {
    let words =
        |row: &Row| -> HashSet<String> { row.text.split_whitespace().map(str::to_lowercase).collect() };
    let (one, other) = (words(one), words(other));
    one.is_subset(&other) || other.is_subset(&one)
}

/// Fills what a row lacks from its copy.
fn complete(row: &mut Row, copy: Row) {
    row.price = row.price.take().or(copy.price);
    row.old_price = row.old_price.take().or(copy.old_price);
    row.currency = row.currency.take().or(copy.currency);
    row.rating = row.rating.take().or(copy.rating);
    row.review_count = row.review_count.take().or(copy.review_count);
    row.availability = row.availability.take().or(copy.availability);
    row.date = row.date.take().or(copy.date);
    row.author = row.author.take().or(copy.author);
    row.description = row.description.take().or(copy.description);
    row.company = row.company.take().or(copy.company);
    row.location = row.location.take().or(copy.location);
    row.image = row.image.take().or(copy.image);
    if row.text.len() < copy.text.len() {
        row.text = copy.text;
    }
}
