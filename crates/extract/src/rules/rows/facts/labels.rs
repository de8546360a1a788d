//! What is a label of a fact, and what its value.

use crate::rules::product::availability;
use crate::rules::visible_page::squeeze;

/// Longest label that is told by what entries have in common, in characters.
pub(super) const LONGEST_LABEL: usize = 30;
/// Longest label that is one by its tag, in characters.
const LONGEST_TERM: usize = 80;
/// Most words of a label.
const MOST_WORDS: usize = 4;
/// Longest value, in characters.
pub(super) const LONGEST_VALUE: usize = 160;
/// What answers a label, and is none, however many entries say it.
const ANSWERS: [&str; 12] = [
    "yes", "no", "ja", "nein", "tak", "nie", "oui", "non", "sí", "sì", "none", "n/a",
];
/// Signs without letters that name a column of a table: "%", "#".
const HEADING_SIGNS: &str = "%#№$€£¥°";
/// Signs that say something where a cell has no word.
const TELLING_SIGNS: &str = "✓✔✅☑✗✘✕✖❌★☆⭐";

/// What one may do with an entry, beside a box or an icon.
#[rustfmt::skip]
const ACTIONS: [&str; 26] = [
    "compare", "share", "save", "like", "follow", "select", "view", "more", "details", "view details", "read more", "learn more",
    "show more", "add", "add to compare", "vergleichen", "merken", "teilen", "auswählen", "mehr", "ansehen", "porównaj", "udostępnij",
    "wybierz", "więcej", "zapisz",
];

/// Words that join a value to what stands before, and are no label without a colon.
#[rustfmt::skip]
const JOINTS: [&str; 38] = [
    "or", "and", "from", "to", "at", "by", "for", "in", "on", "of", "only", "now", "was", "just", "with", "ab", "oder", "und", "von",
    "bis", "nur", "jetzt", "für", "im", "am", "mit", "od", "do", "lub", "i", "tylko", "teraz", "za", "na", "w", "z", "już", "statt",
];

locale::patterns! {
    /// What leads to a rating or a price for readers of screens: "Rated 4.5 out of 5", "Original price was: £249.00".
    static OF_FIELD = r"(?i)^(?:rated|(?:original|current|regular|sale|old|new) price (?:was|is)|(?:aktueller|ursprünglicher) preis (?:war|ist)|(?:pierwotna|aktualna) cena (?:wynosiła|wynosi))$";
    /// What is called by letters and digits: "5G", "4K", "PM10". An amount with its unit ("16GB") is none.
    static CODE = r"^(?:[0-9]\p{Lu}|\p{Lu}{1,3}[0-9]{1,3})$";
}

/// A text as a label: short, with a letter or a code first, and without other digits; without the colon behind it.
pub(super) fn label_of(text: &str) -> Option<String> {
    let label = heading_of(text)?;
    let is_short = label.chars().count() <= LONGEST_LABEL && label.split(' ').count() <= MOST_WORDS;
    let is_answer = ANSWERS.iter().any(|answer| label.eq_ignore_ascii_case(answer));
    // "from £38" and "or £24.96 a month"; "From: Leeds" has a label.
    let is_joint = !text.trim_end().ends_with([':', '：'])
        && JOINTS.iter().any(|joint| label.eq_ignore_ascii_case(joint));
    let is_action = || ACTIONS.iter().any(|action| label.eq_ignore_ascii_case(action));
    (is_short && is_term(&label) && !is_answer && !is_joint && !is_action()).then_some(label)
}

/// The term of a list of definitions, or the heading of a row, as a label: one by its tag, so that it may be longer and of any words.
pub(super) fn term_of(text: &str) -> Option<String> {
    heading_of(text).filter(|label| is_term(label))
}

/// Whether a text begins as a label does, and is no number, no state of stock and no field.
fn is_term(label: &str) -> bool {
    let first = label.split(' ').next().unwrap_or_default();
    let is_word = (label.starts_with(char::is_alphabetic) || CODE.is_match(first)) && !label.ends_with(',');
    // "8 €" beside "places left" is no number of places.
    let is_of_stock = || label.contains(' ') && availability::normalize(label).is_some();
    let mut words = label.split(' ');
    let is_plain = words.all(|word| CODE.is_match(word) || !word.contains(|c: char| c.is_numeric()));
    is_word && is_plain && !is_of_stock() && !OF_FIELD.is_match(label)
}

/// The heading of a column of a table as a label: "PM 10", "2023" and "% change" name a column, and nothing within an entry.
pub(super) fn heading_of(text: &str) -> Option<String> {
    if text.len() > 4 * LONGEST_TERM {
        return None;
    }
    let label = squeeze(text);
    let label = label.trim_end_matches([':', '：', ' ']);
    let is_heading = label.contains(|c: char| c.is_alphanumeric() || HEADING_SIGNS.contains(c));
    (is_heading && label.chars().count() <= LONGEST_TERM).then(|| label.to_owned())
}

/// Labels and values that stand in one text, with a colon between them and a mark behind each: "Players: 2–4 | Time: 40 min".
pub(super) fn stated_pairs(text: &str) -> impl Iterator<Item = (String, String)> {
    let parts = text.split(['|', '·', '•']);
    parts.filter_map(|part| {
        let (label, value) = part.split_once(": ")?;
        Some((label_of(label)?, value_of(value)?))
    })
}

/// A text beside a label as its value, where the text may also be a fact of its own: "Occupancy: low".
pub(super) fn value_of(text: &str) -> Option<String> {
    let value = stated_value(text)?;
    let is_fact = value
        .split_once(": ")
        .is_some_and(|(label, _)| label_of(label).is_some());
    (value.contains(char::is_alphanumeric) && !is_fact).then_some(value)
}

/// The text of a cell or of a description of a term as a value: as it stands, also where it is a sign ("✓") or has a colon. A dash says
/// nothing.
pub(super) fn stated_value(text: &str) -> Option<String> {
    let value = squeeze(text);
    let value = value.trim_start_matches([':', '：', ' ']);
    let is_value = says_something(value) && value.chars().count() <= LONGEST_VALUE;
    is_value.then(|| value.to_owned())
}

/// Whether a text beside a label is more than a dash.
pub(super) fn says_something(text: &str) -> bool {
    text.contains(|c: char| c.is_alphanumeric() || TELLING_SIGNS.contains(c))
}
