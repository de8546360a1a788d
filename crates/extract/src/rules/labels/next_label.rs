//! Where the label of another pair begins within the value of one: "Phone 1 23, Fax: 1 24", "Check-in: 15:00. Check-out: 12:00".

locale::patterns! {
    /// The label of another pair behind the end of a value: ", Fax: ", ", USt-IdNr.: ".
    static NEXT_LABEL = r"(?P<end>[,.;]|\s–)\s+(?P<label>\p{Lu}[\p{L}\p{N}/-]*\.?(?:\s[\p{L}/-]+\.?)?|(?:tel|fax|mobile?|phone|e-?mail|web|www)\.?)\s?[:：]\s";
    /// The label of a number in a register.
    static REGISTERED = r"(?i)(?:nr\.?|no\.?|\bid|nip|regon|krs|\bvat|hr[ab])$";
    /// The label of a way to reach somebody.
    static CONTACT = r"(?i)^(?:tel|fax|mobil|phone|fon|handy|e-?mail|mail|web|www|internet)";
}

/// Longest value before another label in one sentence, in bytes: what is longer is prose.
const MAX_VALUE_IN_SENTENCE: usize = 80;

/// The label of another pair within a text, by bytes of it.
pub(super) struct NextLabel {
    pub(super) end_of_value: usize,
    pub(super) start: usize,
}

/// The first label of another pair within a value. None where the value has labels of its own ("Hours: Mon: 9-5, Tue: 9-4"), where a
/// day is one, and behind prose.
pub(super) fn next_label(value: &str) -> Option<NextLabel> {
    let found = NEXT_LABEL.captures(value)?;
    let (end, label) = (found.name("end")?, found.name("label")?);
    let own = value.get(..end.start())?;
    // Any moment does: only whether there is a day counts.
    let now = jiff::civil::date(2020, 6, 17).at(12, 0, 0, 0);
    let is_day = locale::dates::parse(label.as_str(), now, &locale::dates::DateHints::default()).is_some();
    let has_label = own.match_indices([':', '：']).any(|(at, _)| {
        own.get(..at).is_some_and(|before| {
            before.ends_with(char::is_alphabetic) && !before.ends_with("http") && !before.ends_with("https")
        })
    });
    let is_short = own.len() <= MAX_VALUE_IN_SENTENCE && !own.trim().is_empty();
    // "Cocoa, emulsifier: lecithins" and "Guns, Germs and Steel: The Fates" are one value.
    let is_known = CONTACT.is_match(label.as_str()) || REGISTERED.is_match(label.as_str());
    // "Dr. Huber" is no sentence and another one.
    let last = own.split_whitespace().last().unwrap_or_default();
    let is_cut_short =
        end.as_str() == "." && last.chars().count() < 3 && !last.contains(|c: char| c.is_ascii_digit());
    // "Check-in: from 15:00. Check-out: until 12:00" has two amounts.
    let behind = value.get(label.end()..).unwrap_or_default();
    let has_digit = |text: &str| text.contains(|c: char| c.is_ascii_digit());
    let ends_with_amount = own.len() <= MAX_VALUE_IN_SENTENCE / 2
        && own.split_whitespace().rev().take(2).any(has_digit)
        && has_digit(behind);
    let is_known = match end.as_str() {
        "." => is_known || ends_with_amount,
        "," | ";" => is_known,
        _ => ends_with_amount,
    };
    (is_known && is_short && !is_day && !has_label && !is_cut_short).then(|| NextLabel {
        end_of_value: end.start(),
        start: label.start(),
    })
}
