//! The words of an instruction that no reader of facts has used.

use super::vocabulary::TriggerVocabulary;

locale::patterns! {
    /// A place where things are sold.
    static SOLD_AT = r"(?i)\bsold\s+(?:by|on|in|at|here|as|through|via)\b";
    /// An address.
    static ADDRESS = r"(?i)\b(?:https?://\S+|www\.\S+|[a-z0-9-]+(?:\.[a-z0-9-]+)*\.(?:com|org|net|pl|de|io|co|uk|eu|info|example|test)\b\S*)";
}

/// Stands for an order in a masked text: what it denies ("not the cheapest") is no word behind it.
pub(super) const ORDER: char = '\u{F8F1}';
/// Stands for words that except something.
pub(super) const EXCEPT: char = '\u{F8F0}';

/// A text without addresses and the words of the vocabulary that are used without being removed: fields, orders, kinds of
/// things.
/// Names of fields stay where they say what is wanted and are no columns. Orders and exceptions become [`ORDER`] and [`EXCEPT`].
pub(super) fn masked(text: &str, words: &TriggerVocabulary, columns: &[String]) -> String {
    let mut rest = ADDRESS.replace_all(text, " ; ").into_owned();
    rest = SOLD_AT.replace_all(&rest, " ").into_owned();
    for (_, order) in &words.orders {
        rest = order.replace_all(&rest, format!(" {ORDER} ")).into_owned();
    }
    rest = words
        .except
        .replace_all(&rest, format!(" {EXCEPT} "))
        .into_owned();
    for pattern in words.understood(columns) {
        if pattern.is_match(&rest) {
            // Words that say something together are one, and no form of the field: "rozmiar_38".
            let without = |found: &regex::Captures<'_>| match found.get(0).map_or("", |whole| whole.as_str())
            {
                joined if joined.contains('_') => joined.to_owned(),
                _ => " ".to_owned(),
            };
            rest = pattern.replace_all(&rest, without).into_owned();
        }
    }
    rest
}
