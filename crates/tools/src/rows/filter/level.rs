//! How strongly the rows of a list have a term.

use serde_json::Value;

use crate::rows::source::{RowSource, STRONG};
use crate::values::share;
use crate::words::mention::Term;
use crate::words::mention_strength::MentionStrength;

/// How strongly a row has to have a term: as strongly as a good part of the rows that have it have it.
pub(super) fn level(term: &Term, rows: &[Value], source: &RowSource) -> MentionStrength {
    let found: Vec<MentionStrength> = rows
        .iter()
        .map(|row| term.mention(row, source.texts.of(row), source.joins_words))
        .collect();
    let at_least = |level: MentionStrength| found.iter().filter(|it| **it >= level).count();
    let all = at_least(MentionStrength::Text);
    let levels = [
        MentionStrength::Value,
        MentionStrength::Thing,
        MentionStrength::Compound,
        MentionStrength::Text,
    ];
    let strong = levels.into_iter().find(|level| {
        let count = at_least(*level);
        count > 0 && share(count, all) >= STRONG
    });
    let weak = || match at_least(MentionStrength::Part) {
        0 => MentionStrength::Nowhere,
        _ => MentionStrength::Part,
    };
    strong.unwrap_or_else(weak)
}
