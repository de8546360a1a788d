//! The words of an instruction that nothing understood.

use super::target::SITE_NAMES;
use super::vocabulary::TriggerVocabulary;

locale::patterns! {
    /// An address.
    static ADDRESS = r"(?i)\b(?:https?://\S+|www\.\S+|[a-z0-9-]+(?:\.[a-z0-9-]+)*\.(?:com|org|net|pl|de|io|co|uk|eu|info|example|test)\b\S*)";
}

/// The words of what is left of an instruction that are neither in the vocabulary nor grammar, with neighbours joined to
/// phrases. `known` removes what the tools of the plan understand.
pub(super) fn not_understood(text: &str, words: &TriggerVocabulary, known: &[&regex::Regex]) -> Vec<String> {
    let mut rest = ADDRESS.replace_all(text, " ; ").into_owned();
    let patterns = words.understood().chain(known.iter().copied());
    for pattern in patterns {
        if pattern.is_match(&rest) {
            rest = pattern.replace_all(&rest, " ").into_owned();
        }
    }
    let mut phrases: Vec<String> = Vec::new();
    let mut is_joined = false;
    for token in rest.split_whitespace() {
        let word = token.trim_matches(|c: char| !c.is_alphanumeric());
        let lower = word.to_lowercase();
        let is_known = word.is_empty()
            || (word.chars().count() < 2 && !word.chars().any(char::is_numeric))
            || words.filler.contains(&lower)
            || words.numbers.contains_key(&lower)
            || SITE_NAMES.iter().any(|name| lower.starts_with(name));
        if is_known {
            is_joined = false;
            continue;
        }
        match phrases.last_mut().filter(|_| is_joined) {
            Some(phrase) => {
                phrase.push(' ');
                phrase.push_str(word);
            }
            None => phrases.push(word.to_owned()),
        }
        is_joined = !token.ends_with([',', ';', '.', ':', '!', '?']);
    }
    phrases
}
