//! Slips of typing in the words that readers of an instruction know: "najtanszy", "ponizej", "guenstigste", "Febuary".
//!
//! Names and what rows may say stay as they are written: only words of comparing, ordering and naming months are corrected.

use super::phrases::quoted;

/// Words, and with `*` beginnings of words, that people write without their accents.
#[rustfmt::skip]
const ACCENTED: [&str; 61] = [
    "najtańsz*", "najdroższ*", "najwyższ*", "najniższ*", "najdłuższ*", "najkrótsz*", "najmłodsz*", "najpóźniej*", "najcięższ*",
    "najbliższ*", "najlżejsz*", "największ*", "najwięcej", "tańsz*", "droższ*", "wyższ*", "niższ*", "dłuższ*", "krótsz*",
    "młodsz*", "później*", "późniejsz*", "cięższ*", "lżejsz*", "większ*", "więcej", "poniżej", "powyżej", "niż", "między",
    "pomiędzy", "również", "dostępn*", "złotych", "złote", "pięć", "sześć", "dziesięć", "tysięc*", "września", "październik*",
    "sierpień", "styczeń", "kwiecień", "grudzień", "późno", "bezpłatn*", "łącznie", "włącznie", "kończ*", "dłużej",
    "günstig*", "größ*", "höchst*", "höher*", "jünger*", "länger*", "kürzer*", "früh*", "spät*", "verfügbar*",
];
/// Words of which one letter is easily left out, doubled or exchanged.
#[rustfmt::skip]
const MISTYPED: [&str; 82] = [
    "january", "february", "august", "september", "october", "november", "december", "januar", "februar", "oktober", "dezember",
    "stycznia", "lutego", "kwietnia", "czerwca", "sierpnia", "września", "października", "listopada", "grudnia", "cheapest",
    "cheaper", "expensive", "available", "without", "between", "before", "except", "excluding", "highest", "lowest", "smallest",
    "longest", "shortest", "earliest", "fastest", "quickest", "largest", "biggest", "newest", "nearest", "closest", "heaviest",
    "lightest", "schnellste", "leichteste", "längste", "kürzeste", "älteste", "maximum", "minimum", "günstigste", "günstiger", "billigste", "teuerste", "verfügbar",
    "lieferbar", "zwischen", "mindestens", "höchstens", "maximal", "najtańsze", "najdroższe", "dostępne", "najmniej",
    "najwięcej", "reviews", "mileage", "guarantee", "warranty", "bedrooms", "bathrooms", "delivery", "distance", "ratings",
    "bewertungen", "entfernung", "garantie", "kilometerstand", "gwarancja", "gwarancji", "odległość",
];

/// Words that are one slip away from a known one, and right.
#[rustfmt::skip]
const RIGHT: [&str; 10] = [
    "extensive", "expansive", "fattest", "neatest", "cheater", "closets", "ravings", "rantings", "zischen",
    "bewerbungen",
];

/// Fewest letters of a word in which a slip is corrected: of shorter words, too many are other words.
const SHORTEST: usize = 6;

locale::patterns! {
    static WORD = r"\p{L}+";
}

/// A text with known words as they are spelled. Quoted texts stay.
pub(super) fn corrected(text: &str) -> String {
    let quoted = quoted(text);
    let replaced = |found: &regex::Captures<'_>| {
        let Some(word) = found.get(0) else {
            return String::new();
        };
        let is_quoted = quoted.iter().any(|quote| quote.contains(&word.start()));
        let known = (!is_quoted).then(|| with_accents(word.as_str()).or_else(|| without_slip(word.as_str())));
        known.flatten().unwrap_or_else(|| word.as_str().to_owned())
    };
    WORD.replace_all(text, replaced).into_owned()
}

/// A word that is written in plain letters where it has accents. Umlauts may be written with an `e`.
fn with_accents(word: &str) -> Option<String> {
    let lower = word.to_lowercase();
    if ACCENTED
        .iter()
        .any(|entry| lower.starts_with(entry.trim_end_matches('*')))
    {
        return None;
    }
    // Some of its accents may be there: "najdluższy".
    let lower = match lower.contains(['ä', 'ö', 'ü', 'ß']) {
        true => lower.replace("ss", "ß"),
        false => locale::fold_diacritics(&lower),
    };
    ACCENTED.iter().find_map(|entry| {
        let known = entry.trim_end_matches('*');
        if let Some(ending) = lower.strip_prefix(known).filter(|_| entry.ends_with('*')) {
            return Some(format!("{known}{ending}"));
        }
        let umlauts = known
            .replace('ä', "ae")
            .replace('ö', "oe")
            .replace('ü', "ue")
            .replace('ß', "ss");
        let mut plain = [locale::fold_diacritics(known), umlauts]
            .into_iter()
            .filter(|plain| plain != known);
        let ending = plain.find_map(|plain| Some(lower.strip_prefix(plain.as_str())?.to_owned()))?;
        (ending.is_empty() || entry.ends_with('*')).then(|| format!("{known}{ending}"))
    })
}

/// The known word of which a word is one slip away: a letter left out, doubled or wrong, or two of them exchanged. A word that
/// has another ending is another form.
fn without_slip(word: &str) -> Option<String> {
    let lower = word.to_lowercase();
    let letters = lower.chars().count();
    if letters < SHORTEST - 1 || MISTYPED.contains(&lower.as_str()) || RIGHT.contains(&lower.as_str()) {
        return None;
    }
    let is_slip = |known: &&&str| {
        let shared = known
            .chars()
            .zip(lower.chars())
            .take_while(|(one, other)| one == other)
            .count();
        let is_form = shared + 1 >= letters.min(known.chars().count());
        shared > 0 && !is_form && locale::is_one_slip_away(known, &lower)
    };
    MISTYPED.iter().find(is_slip).map(|known| (*known).to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn known_words_are_corrected_and_others_stay() {
        for (written, read) in [
            ("od najtanszego, ponizej 10 kg", "od najtańszego, poniżej 10 kg"),
            ("krotsze niz 90 minut", "krótsze niż 90 minut"),
            ("guenstigste zuerst, verfuegbar", "günstigste zuerst, verfügbar"),
            ("listed in Febuary", "listed in february"),
            ("the chaepest in Septemer", "the cheapest in september"),
            ("cheaper reviews of Bristol", "cheaper reviews of Bristol"),
            ("called \"Najtansze\"", "called \"Najtansze\""),
            ("the most extensive tours", "the most extensive tours"),
            (
                "expansive views, the fattest fish",
                "expansive views, the fattest fish",
            ),
            ("the neatest closets", "the neatest closets"),
            ("Bewerbungen bis Mai", "Bewerbungen bis Mai"),
            ("Remember the border", "Remember the border"),
            ("dostępny i dostępnych", "dostępny i dostępnych"),
            ("najdluższe filmy", "najdłuższe filmy"),
            ("die grössten zuerst", "die größten zuerst"),
        ] {
            assert_eq!(corrected(written), read);
        }
    }
}
