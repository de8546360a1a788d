//! What the texts of rows say of stock, of places that are left and of what somebody else has.

use serde_json::Value;

use crate::rows::source::RowSource;
use crate::values::details;
use crate::words::field_names::places_left;

locale::patterns! {
    /// Words for what somebody else has.
    pub(super) static LENT = r"(?i)\b(?:on loan|checked out|borrowed|ausgeliehen|entliehen|verliehen|wypożyczon\p{L}*|niedostępn\p{L}+|unavailable|out of stock|not in stock|nicht auf lager|nicht lieferbar|nicht verfügbar|sold out|fully booked|booked out|ausgebucht|brak (?:wolnych )?(?:miejsc|pokoi|pokojów|termin\p{L}+)|keine (?:freien )?(?:termine|zimmer)|no (?:free |available )?(?:appointments|slots|rooms|vacancies)|(?:not|no longer) bookable|(?:nicht|nicht mehr) buchbar|keine (?:anmeldung|buchung(?:en)?) (?:mehr )?möglich|(?:registration|enrolment|booking) (?:is )?closed|anmeldung geschlossen|zapisy (?:zamknięte|zakończone)|warteliste|waiting list|waitlist|lista (?:oczekujących|rezerwowa)|ausverkauft|wyprzedan\p{L}+)\b";
    /// Words for what can still be had, and not for long.
    static NEARLY = r"(?i)\b(?:almost|nearly|soon|fast|beinahe|bald|prawie|niemal)\s+(?:sold out|full|fully booked|booked out|ausgebucht|ausverkauft|voll|vergriffen|belegt|wyprzedan\p{L}*|brak\p{L}*|pełn\p{L}+)\b";
    /// A mark that something is sold, and not by whom or as what: "Sold", "VERKAUFT".
    static SOLD = r"\b(?:Sold|SOLD|Verkauft|VERKAUFT|Sprzedan[aeyo]|SPRZEDAN[AEYO])\b(?:\s*(?P<by>by|in|as|at|for|separately|individually|von|durch|bei|als|przez|w)\b)?";
    /// The name of places that can be had, as a label.
    static PLACES = r"(?i)^\s*(?:(?:free|available|vacant)\s+(?:places|seats|spots|spaces|beds|rooms)|freie\s+(?:plätze|zimmer|betten)|woln\p{L}*\s+(?:miejsca|pokoje))\s*$";
    /// What says of places that there are some, and that there are none.
    static HAD = r"(?i)\b(?:yes|ja|tak|some|free|frei\p{L}*|available|vorhanden|verfügbar|woln\p{L}*|są)\b";
    static NONE = r"(?i)^\s*(?:0\b|no\b|none|nein|keine?\b|nie\b|brak)";
    /// A short text that says of a course or a trip that no place is left, and a count of those that are.
    static FULL = r"(?i)^\s*(?:full|class full|course full|voll|voll belegt|belegt|pełn[yae])\s*[.!]?\s*$";
    static PLACES_LEFT = r"(?i)\b\d+ (?:places?|seats?|spots?|spaces?) (?:left|free|available|remaining)\b|\b(?:noch \d+ (?:freie )?|\d+ freie )(?:plätze?|platz)\b|\b\d+ (?:plätze?|platz) frei\b|\b\d+ woln\p{L}+ miejsc\p{L}*";
    /// Words for what can be had.
    static TO_HAVE = r"(?i)\b(?:available|verfügbar|ausleihbar|zum ausleihen|do wypożyczenia|dostępn\p{L}+|in stock|auf lager|lieferbar|(?:places|seats|spots|spaces) left|plätze frei|freie plätze|noch \d+ (?:freie )?plätze?|noch \d+ platz|woln\p{L}+ (?:miejsc|pokoj)\p{L}*|(?:został[aoy]?|pozostał[aoy]?) (?:ostatni\p{L}* )?\d+ \p{L}+|(?:free|vacant|available) rooms|rooms? (?:free|available)|(?:only )?\d+ rooms? left|anmeldung (?:noch )?möglich|noch buchbar|buchungen möglich|(?:registration|enrolment|booking) (?:is )?open|open for (?:registration|enrolment|booking)|bookable|zapisy (?:otwarte|trwają)|freie zimmer|zimmer (?:frei|verfügbar)|noch \d+ (?:freie )?zimmer|last (?:places?|spots?|tickets?|seats?|rooms?)|letzte[rn]? (?:platz|plätze|karten?|tickets?|zimmer)|restplätze|restkarten|ostatni\w* (?:miejsc[ea]|bilety?|pok(?:ój|oje)))\b";
}

/// Whether the texts of rows say only what cannot be had; `None` where no row says that it cannot.
pub(super) fn stock_in_texts(rows: &[Value], source: &RowSource) -> Option<bool> {
    let told = || rows.iter().filter_map(|row| stock_of(row, source));
    let has_sold = told().any(|in_stock| !in_stock) || rows.iter().any(|row| places_left(row).is_some());
    // "Full" may be a size where no other row counts its places.
    let is_of_places = || rows.iter().any(|row| PLACES_LEFT.is_match(source.texts.of(row)));
    let is_by_size = rows.iter().any(is_full) && !is_of_places();
    (has_sold && !is_by_size).then(|| !told().any(|in_stock| in_stock))
}

/// What stands behind a label of the list that is the name of places that can be had: "Aufnahmestopp" of "Freie Plätze".
fn value_of_places(text: &str) -> Option<&str> {
    let labelled = text.split('\n').skip(1).filter_map(|line| line.split_once(':'));
    let mut values = labelled.filter(|(label, _)| PLACES.is_match(label));
    values.next().map(|(_, value)| value.trim())
}

/// What the text of a row says of its stock.
pub(super) fn stock_of(row: &Value, source: &RowSource) -> Option<bool> {
    let text = source.texts.of(row);
    if let Some(is_left) = places_left(row) {
        return Some(is_left);
    }
    if let Some(value) = value_of_places(text) {
        let is_had = value.contains(|c: char| c.is_ascii_digit()) || HAD.is_match(value);
        return match is_had && !NONE.is_match(value) {
            true => Some(true),
            false => (LENT.is_match(value) || NONE.is_match(value)).then_some(false),
        };
    }
    match () {
        () if NEARLY.is_match(text) => Some(true),
        () if LENT.is_match(text) || is_sold(text) || is_full(row) => Some(false),
        () if TO_HAVE.is_match(text) => Some(true),
        () => None,
    }
}

/// Whether one of the short texts of a row says that no place is left.
fn is_full(row: &Value) -> bool {
    details(row).any(|text| FULL.is_match(text))
}

/// Whether a text has a mark that the thing is sold.
fn is_sold(text: &str) -> bool {
    SOLD.captures_iter(text).any(|found| found.name("by").is_none())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_can_be_borrowed_is_not_what_is_lent() {
        for (text, is_lent, is_to_have) in [
            ("do wypożyczenia od ręki: 1 egz.", false, true),
            ("wszystkie wypożyczone, kolejka: 4 os.", true, false),
            ("ausleihbar", false, true),
            ("nicht verfügbar", true, true),
        ] {
            assert_eq!(
                (LENT.is_match(text), TO_HAVE.is_match(text)),
                (is_lent, is_to_have),
                "{text}"
            );
        }
    }

    #[test]
    fn a_row_is_full_where_others_count_their_places() {
        let rows = |other: &str| {
            vec![
                serde_json::json!({"name": "Tudor Court", "details": ["Full", "10 credits"]}),
                serde_json::json!({"name": "Logic", "details": [other]}),
            ]
        };
        let source = |rows: &[Value]| {
            let mut source = RowSource::default();
            for row in rows {
                let text = row["details"].to_string();
                source.texts.keep(row["name"].as_str(), None, &text);
            }
            source
        };
        let counted = rows("22 places left");
        let told = source(&counted);
        assert_eq!(stock_in_texts(&counted, &told), Some(false));
        assert_eq!(stock_of(&counted[0], &told), Some(false));
        assert_eq!(stock_of(&counted[1], &told), Some(true));
        let sizes = rows("Half");
        assert_eq!(stock_in_texts(&sizes, &source(&sizes)), None);
    }
}
