//! Phrases behind trigger words: quoted texts, plain texts up to a stop word, lists of columns.

use std::ops::Range;

use locale::Regex;
use regex::Captures;

use super::vocabulary::{TriggerVocabulary, is_whole};

/// Longest phrase, in characters.
const MAX_PHRASE: usize = 100;
/// Longest text in backquotes, in characters.
const MAX_TAKEN: usize = 500;

locale::patterns! {
    /// A quoted text; an apostrophe quotes none.
    static QUOTED = r#"["“„«][^"”“»]+["”“»]"#;
    /// The end of a path of categories: where a sentence ends or a new clause begins.
    static PATH_END = r"(?i)[,;.!?\n]|\s(?:and|i|oraz|und|then|potem|with|z|na|on|under|below|over|above|between|do|od|poniżej|powyżej)\s";
    /// The end of a clause.
    static CLAUSE_END = r"[,;.!?\n]";
    /// The text between two columns of a list.
    static COLUMN_JOINT = r"(?i)^\s*(?:,|and|i|oraz|und|a|an|the|their|its|&|with|\s)*\s*$";
}

/// The quoted texts of a text.
pub(super) fn quoted(text: &str) -> Vec<Range<usize>> {
    QUOTED.find_iter(text).map(|quote| quote.range()).collect()
}

/// A text in which matches of a pattern outside of quotes are replaced.
pub(super) fn outside_quotes(
    text: &str,
    pattern: &Regex,
    replaced: impl Fn(&Captures<'_>) -> String,
) -> String {
    let quoted = quoted(text);
    let replace = |found: &Captures<'_>| match found.get(0) {
        Some(whole) if quoted.iter().any(|quote| quote.contains(&whole.start())) => whole.as_str().to_owned(),
        _ => replaced(found),
    };
    pattern.replace_all(text, replace).into_owned()
}

/// Where a phrase without quotes ends.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum PhraseEnd {
    /// At the next stop word or sign.
    StopWord,
    /// At the end of a path of categories, which continues over signs such as `>`.
    Path,
}

/// Removes the first match of a pattern from a text and returns its first group, unless that is too long.
pub(super) fn take(text: &mut String, pattern: &Regex) -> Option<String> {
    let found = pattern.captures(text)?;
    let (range, inner) = (found.get(0)?.range(), found.get(1)?.as_str().to_owned());
    if inner.chars().count() > MAX_TAKEN {
        return None;
    }
    text.replace_range(range, " ");
    Some(inner)
}

/// Removes the phrase behind a trigger word, and the word, from a text and returns the phrase.
pub(super) fn take_phrase(
    text: &mut String,
    pattern: &Regex,
    words: &TriggerVocabulary,
    end: PhraseEnd,
) -> Option<String> {
    let found = pattern.captures(text)?;
    let whole = found.get(0)?;
    let (phrase, range) = match (found.name("q"), found.name("t")) {
        (Some(quoted), _) => (quoted.as_str(), whole.range()),
        (None, Some(rest)) => {
            let phrase = match end {
                PhraseEnd::Path => path(rest.as_str()),
                PhraseEnd::StopWord => up_to(&words.stops, rest.as_str()),
            };
            (phrase, whole.start()..rest.start() + phrase.len())
        }
        (None, None) => return None,
    };
    let phrase = phrase.trim().to_owned();
    if phrase.is_empty() || phrase.chars().count() > MAX_PHRASE {
        return None;
    }
    if text.is_char_boundary(range.end) {
        text.replace_range(range, " ");
    }
    Some(phrase)
}

/// A path of categories: "Home and garden / Tools" goes on behind its "and".
fn path(text: &str) -> &str {
    let clause = up_to(&CLAUSE_END, text);
    let last = clause.rfind(['>', '/', '»', '→']).unwrap_or(0);
    let end = clause
        .get(last..)
        .map_or(clause.len(), |name| last + up_to(&PATH_END, name).len());
    clause.get(..end).unwrap_or(clause)
}

/// The text before the first match of a pattern.
pub(super) fn up_to<'t>(pattern: &Regex, text: &'t str) -> &'t str {
    let end = pattern.find(text).map_or(text.len(), |found| found.start());
    text.get(..end).unwrap_or(text)
}

/// Whether a phrase fits every list: `all products`, `wszystkie oferty`.
pub(super) fn is_anything(phrase: &str, words: &TriggerVocabulary) -> bool {
    let mut tokens = phrase.split_whitespace().peekable();
    tokens.peek().is_some() && tokens.all(|token| is_whole(&words.anything, token))
}

/// The longest list of fields that are named side by side: `names, prices and links of ...`.
pub(super) fn columns(text: &str, words: &TriggerVocabulary) -> Vec<String> {
    let mut fields: Vec<(usize, usize, &str)> = Vec::new();
    for (name, pattern) in &words.fields {
        let found = pattern.find_iter(text);
        fields.extend(found.map(|found| (found.start(), found.end(), name.as_str())));
    }
    fields.sort();
    let (mut longest, mut current): (Vec<&str>, Vec<&str>) = (Vec::new(), Vec::new());
    let mut last_end = None;
    for (start, end, name) in fields {
        let is_joined = |last: usize| {
            let between = text.get(last..start).unwrap_or("x");
            // "companies rated 4.0" lists no columns.
            COLUMN_JOINT.is_match(between) && !between.chars().all(|c| c == ' ')
        };
        if !last_end.is_some_and(is_joined) {
            current.clear();
        }
        if !current.contains(&name) {
            current.push(name);
            last_end = Some(end);
        }
        if current.len() > longest.len() {
            longest.clone_from(&current);
        }
    }
    longest.into_iter().map(str::to_owned).collect()
}
