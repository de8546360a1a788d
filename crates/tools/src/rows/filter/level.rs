//! How strongly the rows of a list have a term.

use serde_json::Value;

use crate::rows::source::{RowSource, STRONG};
use crate::values::share;
use crate::words::mention::{Mention, Term};

/// How strongly a row has to have a term: as strongly as a good part of the rows that have it have it.
pub(super) fn level(term: &Term, rows: &[Value], source: &RowSource) -> Mention {
    let found: Vec<Mention> = rows
        .iter()
        .map(|row| term.mention(row, source.texts.of(row), source.joins_words))
        .collect();
    let at_least = |level: Mention| found.iter().filter(|it| **it >= level).count();
    let all = at_least(Mention::Text);
    let levels = [Mention::Value, Mention::Thing, Mention::Compound, Mention::Text];
    let strong = levels.into_iter().find(|level| {
        let count = at_least(*level);
        count > 0 && share(count, all) >= STRONG
    });
    let weak = || match at_least(Mention::Part) {
        0 => Mention::Nowhere,
        _ => Mention::Part,
    };
    strong.unwrap_or_else(weak)
}
