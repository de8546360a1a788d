//! How strongly the rows of a list have a term.

use serde_json::Value;

use crate::rows::source::{RowSource, STRONG};
use crate::values::{details, share};
use crate::words::mention::Term;
use crate::words::mention_strength::MentionStrength;
use crate::words::word_forms::tokens;

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
    // "Foz Beach Hotel" in "Foz do Douro" is named by its place, which others have beside their names.
    let is_of_name =
        |level: MentionStrength| matches!(level, MentionStrength::Thing | MentionStrength::Compound);
    let begins_a_text = |row: &Value| details(row).any(|text| begins_with(text, term));
    let mut told = rows
        .iter()
        .zip(&found)
        .filter(|(_, level)| **level >= MentionStrength::Text);
    let is_beside_name = strong.is_some_and(is_of_name) && told.all(|(row, _)| begins_a_text(row));
    match is_beside_name {
        true => MentionStrength::Text,
        false => strong.unwrap_or_else(weak),
    }
}

/// Whether a text begins with the words of a term.
fn begins_with(text: &str, term: &Term) -> bool {
    let (words, wanted) = (tokens(text), tokens(&term.written));
    !wanted.is_empty() && words.starts_with(&wanted)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_place_in_some_names_is_asked_of_all_that_say_it_beside_them() {
        let level_of = |rows: &[Value], word: &str| {
            let source = RowSource {
                now: jiff::civil::date(2026, 5, 1).at(12, 0, 0, 0),
                ..RowSource::default()
            };
            level(&Term::new(word.to_owned()), rows, &source)
        };
        let hotel = |name: &str, place: &str| json!({"name": name, "details": [place]});
        let hotels = [
            hotel("Foz Beach Hotel", "Foz do Douro, Porto"),
            hotel("Quinta da Marginal", "Foz do Douro, Porto"),
            hotel("Ribeira Wharf", "Ribeira, Porto"),
        ];
        assert_eq!(level_of(&hotels, "Foz"), MentionStrength::Text);
        let goods = [
            hotel("Kettle Oslo", "Copper"),
            hotel("Kettle Vega", "Steel"),
            hotel("Stand", "for any kettle"),
        ];
        assert_eq!(level_of(&goods, "kettle"), MentionStrength::Thing);
    }
}
