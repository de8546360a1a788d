//! Texts that a name has to begin with, end with or contain: "whose name starts with C", "Titel enthält 'Rad'".

use std::ops::Range;

use tools::rows::condition::{Operator, RowCondition};

use super::vocabulary::TriggerVocabulary;

/// Words for the name of an entry.
const NAME: &str = r"(?:(?:product|item)\s+)?(?:names?|titles?|headlines?)|titel[ns]?|überschrift(?:en)?|produktnamen?|namen?|nazw\p{L}+|tytu[łl]\p{L}*|nagłów\p{L}+";
/// Signs around a text that is meant to the letter.
const QUOTES: &str = "\"'“”„‚‘’«»";

locale::patterns! {
    /// A name, what is asked of it, and the text.
    static OF_NAME = format!(r#"(?i)(?:\b(?:whose|where|with(?:\s+a)?|that\s+have(?:\s+a)?|deren|dessen|bei\s+denen(?:\s+(?:der|die))?|mit(?:\s+(?:dem|einem))?|których|z|o)\s+)?(?:\b(?:the|their|its|der|die|das)\s+)?(?:\b(?P<of>[\p{{L}}-]+)\s+)?\b(?:{NAME})\s+(?:(?:that|which|der|die|das)\s+)?(?P<deny>(?:does\s+not|doesn['’]t|do\s+not|don['’]t|not|nie)\s+)?(?:(?P<holds>contain(?:s|ing)?|(?P<include>includ(?:es?|ing))|has\s+the\s+word|(?:das\s+wort\s+)?enth[aä]lt(?:en)?|zawiera(?:ją|jąc\p{{L}}*)?)|(?P<starts>(?:start|begin)(?:s|ning|ing)?\s+with|beginnt\s+mit|beginnen\s+mit|fängt\s+mit|zaczyna(?:ją|jąc\p{{L}}*)?(?:\s+się)?\s+(?:na|od))|(?P<ends>end(?:s|ing)?\s+(?:with|in)|endet\s+(?:mit|auf)|enden\s+(?:mit|auf)|kończy(?:\s+się)?\s+na))\s+(?:(?:the\s+)?(?:letters?|word|phrase|text|dem\s+buchstaben|das\s+wort|literę|litery|słowo|słowa)\s+)?(?P<text>[{QUOTES}][^{QUOTES}]+[{QUOTES}]|[^\s,;.?!{QUOTES}]+)(?P<denied>\s+(?:nicht|nie)\b)?"#);
    /// The same in German, with the verb at the end: "deren Titel 'Rad' enthält", "deren Name nicht mit K beginnt".
    static OF_NAME_IN_GERMAN = format!(r#"(?i)\b(?:deren|dessen|bei\s+denen(?:\s+(?:der|die))?)\s+(?:{NAME})\s+(?P<deny>nicht\s+)?(?:(?:mit|auf)\s+)?(?:(?:dem\s+buchstaben|das\s+wort)\s+)?(?P<text>[{QUOTES}][^{QUOTES}]+[{QUOTES}]|[^\s,;.?!{QUOTES}]+)\s+(?P<denied>nicht\s+)?(?:(?P<holds>enth[aä]lt(?:en)?)|(?P<starts>beginnt|beginnen|anfängt|anfangen)|(?P<ends>endet|enden))\b"#);
    /// The beginning of a name, without a word for it: "starting with the letter C", "die mit C beginnen".
    static OF_LETTER = format!(r#"(?:\b(?i:(?:(?P<who>that|which)\s+)?(?:start|begin)(?:s|ning|ing)?\s+with\s+(?P<letter>(?:the\s+)?letter\s+)?)(?:(?P<quoted>[{QUOTES}][^{QUOTES}]+[{QUOTES}])|(?P<en>\p{{Lu}})(?:$|[\s,;.?!])))|(?i:\bdie\s+mit\s+(?:dem\s+buchstaben\s+)?)(?P<de>[{QUOTES}][^{QUOTES}]+[{QUOTES}]|\p{{Lu}})\s+(?i:beginnen|anfangen)\b|(?i:\bna\s+liter[ęy]\s+)(?P<pl>[{QUOTES}][^{QUOTES}]+[{QUOTES}]|\p{{Lu}})(?:$|[\s,;.?!])"#);
    /// An order, which begins with a letter and leaves the others in.
    static OF_ORDER = r"(?i)alphabet|\b(?:sort|order|reihenfolge|kolejno)";
}

/// Words before "name" that say no more of what is named.
const OF_ENTRY: [&str; 4] = ["product", "item", "full", "whole"];

/// A condition on the text of the name, and where an instruction states it.
pub(super) fn text_match(text: &str, words: &TriggerVocabulary) -> Option<(Range<usize>, RowCondition)> {
    of_name(text, words).or_else(|| of_letter(text))
}

fn of_name(text: &str, words: &TriggerVocabulary) -> Option<(Range<usize>, RowCondition)> {
    let found = OF_NAME
        .captures(text)
        .or_else(|| OF_NAME_IN_GERMAN.captures(text))?;
    let has = |name: &str| found.name(name).is_some();
    let wanted = found.name("text")?.as_str();
    let is_quoted = wanted.starts_with(|c| QUOTES.contains(c));
    // "a title including price" is a list of columns, and "starts with a number" asks for no "a".
    let is_letter = wanted.chars().count() == 1 && wanted.starts_with(char::is_uppercase);
    let is_text = is_quoted || is_letter || !words.is_grammar(&wanted.to_lowercase());
    if !is_text || (has("include") && !is_quoted) {
        return None;
    }
    let operator = match () {
        () if has("starts") => Operator::StartsWith,
        () if has("ends") => Operator::EndsWith,
        () => Operator::Contains,
    };
    let is_denied = has("deny") || has("denied");
    let operator = if is_denied { operator.negated() } else { operator };
    let mut condition = condition(operator, wanted);
    let mut range = found.get(0)?.range();
    // "company name contains GmbH": of the company.
    if let Some(of) = found.name("of") {
        let word = of.as_str().to_lowercase();
        if words.is_grammar(&word) || words.is_entity(&word) {
            range.start = of.end();
        } else if !OF_ENTRY.contains(&word.as_str()) {
            condition.field = word;
        }
    }
    Some((range, condition))
}

fn of_letter(text: &str) -> Option<(Range<usize>, RowCondition)> {
    let found = OF_LETTER.captures(text).filter(|_| !OF_ORDER.is_match(text))?;
    let has = |name: &str| found.name(name).is_some();
    let quoted = found.name("quoted");
    if quoted.is_some() && !has("who") && !has("letter") {
        return None;
    }
    let wanted = quoted.or_else(|| ["en", "de", "pl"].iter().find_map(|name| found.name(name)))?;
    let whole = found.get(0)?;
    let end = if has("de") { whole.end() } else { wanted.end() };
    Some((
        whole.start()..end,
        condition(Operator::StartsWith, wanted.as_str()),
    ))
}

fn condition(operator: Operator, text: &str) -> RowCondition {
    RowCondition {
        field: "name".to_owned(),
        operator,
        value: text.trim_matches(|c| QUOTES.contains(c)).into(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::triggers::vocabulary::VOCABULARY;

    #[test]
    fn a_name_begins_ends_or_contains_a_text() {
        let read = |text: &str| text_match(text, &VOCABULARY).map(|(_, condition)| condition.to_string());
        for (text, expected) in [
            ("products whose name starts with C", "name starts with C"),
            ("name contains light", "name contains light"),
            (
                "lamps where the title contains 'desk lamp', name and price",
                "name contains desk lamp",
            ),
            (
                "products whose name does not contain lamp",
                "name not contains lamp",
            ),
            ("everything starting with the letter B", "name starts with B"),
            ("Artikel, deren Name mit dem Titel", ""),
            ("Artikel, deren Titel \"Rad\" enthält", "name contains Rad"),
            (
                "Artikel, deren Name nicht mit K beginnt",
                "name not starts with K",
            ),
            ("Artikel, deren Name beginnt mit K", "name starts with K"),
            ("Lampen, die mit B beginnen", "name starts with B"),
            ("lampy, których nazwa zaczyna się na L", "name starts with L"),
            ("lampy na literę B, cena", "name starts with B"),
            ("products whose name ends in lamp", "name ends with lamp"),
            ("company name contains GmbH", "company contains GmbH"),
            ("a title that begins with Gate", "name starts with Gate"),
            ("product title including price and rating", ""),
            ("products whose name starts with a number", ""),
            ("in alphabetical order, beginning with Z", ""),
            ("start with 'Books' and list the prices", ""),
            ("courses starting with a test", ""),
            ("name and price of courses that start with Monday", ""),
        ] {
            assert_eq!(read(text).unwrap_or_default(), expected, "{text}");
        }
    }
}
