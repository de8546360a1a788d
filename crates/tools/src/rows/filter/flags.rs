//! Labels of a list by which its rows say that they have something or lack it: "Speicher: ohne", "5G: No", "Wartezeit: keine".

use serde_json::Value;

use crate::values::{cell_text, fields};
use crate::words::mention::{Term, end_in_refusal};
use crate::words::signs;
use crate::words::word_forms::tokens;

/// What the value of a label begins with where the row lacks what the label names, without accents.
const LACKING: [&str; 15] = [
    "no", "none", "not", "without", "nein", "ohne", "kein", "keine", "keiner", "keinen", "nicht", "nie",
    "brak", "bez", "zadne",
];
/// Most words of such a value: "not included".
const MOST_WORDS: usize = 2;
locale::patterns! {
    /// A value that does not tell: "k. A.", "n/a", "–".
    static UNTOLD = r"(?i)^\s*(?:[-–—?]+|k\.\s?a\.?|keine angaben?|n\s?/\s?a|n\.\s?a\.?|tb[acd]|unknown|not (?:stated|known|specified)|unbekannt|nicht bekannt|b\.\s?d\.?|brak (?:danych|informacji)|nieznan\p{L}+)\s*$";
    static DASH = r"^\s*[-–—]\s*$";
    /// A thing, and that it may be had.
    static GIVEN = r"(?i)^(?P<thing>.+?)\s+(?:(?:is|are|ist|sind|jest|są)\s+)?(?P<not>(?:not|nicht|nie)\s+)?(?:allowed|permitted|welcome|accepted|included|available|possible|provided|erlaubt|gestattet|willkommen|möglich|inklusive|inbegriffen|vorhanden|dozwolon\p{L}+|możliw\p{L}+|dostępn\p{L}+|wliczon\p{L}+)$";
    /// A label of what is paid.
    static FEE = r"(?i)fee|charge|cost|price|deposit|admission|gebühr|kosten|preis|beitrag|kaution|eintritt|provision|miete|opłat|wpisow|koszt|cena|składk|prowizj|kaucj|wstęp";
    /// An amount of nothing: there is no fee.
    static NOTHING = r"(?i)^\s*[^\p{L}\d]*(?:[€£$]\s*)?0(?:[.,]00?)?\s*(?:[€£$]|zł|pln|eur|euro|gbp|chf|%)\s*$|^\s*(?:kostenlos|kostenfrei|gratis|free(?: of charge)?|bezpłatn\p{L}+|za darmo|darmow\p{L}+)\s*$";
}

/// The field of rows by which they say that they have what a term names, where some rows lack it and others have it.
///
/// A label of several words is meant by one of them where that is denied: "without a basic fee" of "Basic fee per month".
pub(super) fn field_of(term: &Term, is_denied: bool, rows: &[Value]) -> Option<Flag> {
    let flag = |name: &str| Flag {
        field: name.to_owned(),
        dash_is_no: dash_is_no(name, rows),
    };
    let is_flag = |name: &String| {
        let flag = flag(name);
        let states: Vec<bool> = rows.iter().filter_map(|row| flag.has(row)).collect();
        let having = states.iter().filter(|has| **has).count();
        (1..states.len()).contains(&having) && states.len() * 2 >= rows.len()
    };
    let names: Vec<String> = fields(rows).into_iter().filter(|name| is_flag(name)).collect();
    let is_whole = |name: &&String| term.is_whole(&name.replace('_', " "));
    let mut having = names
        .iter()
        .filter(|name| term.is_in(&name.replace('_', " "), false));
    let only = having.next().filter(|_| is_denied && having.next().is_none());
    names.iter().find(is_whole).or(only).map(|name| flag(name))
}

/// A field by which rows say that they have something or lack it.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Flag {
    field: String,
    /// Whether a dash stands for "no" there.
    dash_is_no: bool,
}

impl Flag {
    /// Whether a row has what the field says that it has or lacks; `None` where the row does not tell.
    pub(super) fn has(&self, row: &Value) -> Option<bool> {
        has(row, &self.field).or_else(|| {
            let is_dash = row
                .get(&self.field)
                .is_some_and(|value| DASH.is_match(&cell_text(value)));
            (self.dash_is_no && is_dash).then_some(false)
        })
    }
}

/// Whether a dash stands for "no" in a field: no row says so in another way, and some have something else.
fn dash_is_no(field: &str, rows: &[Value]) -> bool {
    let values: Vec<String> = rows
        .iter()
        .filter_map(|row| row.get(field))
        .map(cell_text)
        .collect();
    values.iter().any(|value| DASH.is_match(value))
        && !rows.iter().any(|row| has(row, field) == Some(false))
        && !values
            .iter()
            .any(|value| UNTOLD.is_match(value) && !DASH.is_match(value))
}

/// What a phrase says may be had, and whether it denies that: `dogs` of "dogs allowed", and of "dogs not allowed".
pub(super) fn given(phrase: &str) -> Option<(&str, bool)> {
    let found = GIVEN.captures(phrase)?;
    Some((found.name("thing")?.as_str(), found.name("not").is_some()))
}

fn has(row: &Value, field: &str) -> Option<bool> {
    let value = cell_text(row.get(field).filter(|value| value.is_string())?);
    if UNTOLD.is_match(&value) {
        return None;
    }
    if FEE.is_match(field) && NOTHING.is_match(&value) {
        return Some(false);
    }
    let words = tokens(signs::in_words(&value));
    let first = words.first()?;
    Some(!(end_in_refusal(&words) || LACKING.contains(&first.as_str()) && words.len() <= MOST_WORDS))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_label_says_that_something_is_there_or_lacking() {
        let rows = [
            json!({"name": "A", "speicher": "ohne", "garantie": "2 Jahre"}),
            json!({"name": "B", "speicher": "1,6 kWh", "garantie": "3 Jahre"}),
        ];
        let of = |word: &str| field_of(&Term::new(word.to_owned()), false, &rows);
        let field = |flag: Option<Flag>| flag.map(|flag| flag.field);
        assert_eq!(field(of("Speicher")).as_deref(), Some("speicher"));
        assert_eq!(of("Garantie"), None);
        let plans = [json!({"wifi": "✓"}), json!({"wifi": "✗"}), json!({"name": "C"})];
        let wifi = field_of(&Term::new("wifi".to_owned()), false, &plans);
        assert_eq!(field(wifi).as_deref(), Some("wifi"));
        let reduced = [
            json!({"reduced": "7 €"}),
            json!({"reduced": "–"}),
            json!({"reduced": "9 €"}),
        ];
        let flag = field_of(&Term::new("reduced".to_owned()), false, &reduced).unwrap();
        assert_eq!(
            reduced.each_ref().map(|row| flag.has(row)),
            [Some(true), Some(false), Some(true)]
        );
        assert_eq!(
            plans.each_ref().map(|plan| has(plan, "wifi")),
            [Some(true), Some(false), None]
        );
        assert_eq!(has(&rows[0], "speicher"), Some(false));
        assert_eq!(has(&rows[1], "speicher"), Some(true));
        assert_eq!(has(&rows[1], "other"), None);
        let pets = |value: &str| has(&json!({"pets": value}), "pets");
        assert_eq!(
            (pets("Dogs not allowed"), pets("Dogs welcome")),
            (Some(false), Some(true))
        );
        assert_eq!((pets("k. A."), pets("–"), pets("n/a")), (None, None, None));
        let fee = |fee: &str| has(&json!({"grundgebühr": fee}), "grundgebühr");
        assert_eq!(
            (fee("0,00 €"), fee("4,90 €"), fee("kostenlos")),
            (Some(false), Some(true), Some(false))
        );
    }
}
