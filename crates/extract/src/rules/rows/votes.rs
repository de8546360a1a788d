//! Votes that are named a score as ratings are, told apart by the entries that have more of them than any scale.

use std::collections::HashSet;

use page::dom::Node;

use super::elements::elements;
use super::row::Row;
use crate::rules::class_flags;
use crate::rules::records::Record;
use crate::rules::visible_page::VisiblePage;

/// Most nodes of an element that is a number.
const MAX_NODES: usize = 3;
/// The longest scale of ratings.
const SCALE: i64 = 10;

/// Leaves out the ratings that are numbers at a place where another entry has more than ten: 3 beside 110 is no rating.
pub(super) fn leave_out(view: &VisiblePage<'_>, records: &[Record], rows: &mut [Row]) {
    let is_whole = |row: &Row| {
        row.rating
            .as_ref()
            .is_some_and(|rating| rating.as_f64().is_some_and(|rating| rating.fract() == 0.0))
    };
    if !rows.iter().any(is_whole) {
        return;
    }
    let scores = |record: &Record| -> Vec<(String, i64)> {
        elements(view, record)
            .filter_map(|node| score(view, node))
            .collect()
    };
    let all: Vec<Vec<(String, i64)>> = records.iter().map(scores).collect();
    let votes: HashSet<&str> = all
        .iter()
        .flatten()
        .filter(|(_, score)| *score > SCALE)
        .map(|(place, _)| place.as_str())
        .collect();
    for (row, scores) in rows.iter_mut().zip(&all) {
        let rating = row.rating.as_ref().and_then(serde_json::Value::as_f64);
        let is_votes = |(place, score): &(String, i64)| {
            votes.contains(place.as_str()) && rating.is_some_and(|rating| rating == *score as f64)
        };
        if scores.iter().any(is_votes) {
            row.rating = None;
        }
    }
}

/// The whole number that an element named a score is, and its tag and names.
fn score(view: &VisiblePage<'_>, node: Node<'_>) -> Option<(String, i64)> {
    let is_small = node.end().index() - node.id().index() <= MAX_NODES;
    let is_named = is_small
        && view.class_flags.has(node, class_flags::RATED)
        && !view.class_flags.has(node, class_flags::COUNT);
    let score = is_named.then(|| node.text().trim().parse().ok())??;
    Some((format!("{} {}", node.tag(), node.class()), score))
}

#[cfg(test)]
mod tests {
    use page::Page;

    use crate::rules::rows;
    use crate::rules::visible_page::VisiblePage;

    fn ratings(scores: [u32; 5]) -> Vec<Option<f64>> {
        let post = |(at, score): (usize, u32)| {
            format!(
                "<li><span class=score>{score}</span> <h3><a href=/t/{at}>Topic number {at} of the board</a></h3>\
                 <p>Some words of it here for you and me, number {at}.</p></li>"
            )
        };
        let posts: String = scores.into_iter().enumerate().map(post).collect();
        let page = Page::new(format!("<h1>New posts</h1><main><ul>{posts}</ul></main>"), None);
        let rows = rows::read(&VisiblePage::of(&page)).into_iter();
        rows.map(|row| row.rating.and_then(|rating| rating.as_f64()))
            .collect()
    }

    #[test]
    fn numbers_beyond_the_scale_in_one_entry_are_ratings_in_none() {
        assert_eq!(ratings([3, 25, 7, 110, 9]), [None; 5]);
        assert_eq!(ratings([3, 5, 7, 10, 9]), [3.0, 5.0, 7.0, 10.0, 9.0].map(Some));
    }
}
