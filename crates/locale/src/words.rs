//! Words, stop words, stems and sentences of a text.

use std::sync::LazyLock;

/// Longest sentence in bytes; a longer one is cut at white space.
const MAX_SENTENCE: usize = 1200;
/// Words without content of their own, sorted.
static STOP_WORDS: LazyLock<Vec<&str>> = LazyLock::new(|| {
    let mut words: Vec<&str> = include_str!("stop_words.txt").split_whitespace().collect();
    words.sort_unstable();
    words
});
/// Short words that French and Italian join to the next word by an apostrophe.
const ELIDED: [&str; 12] = [
    "l", "d", "j", "qu", "n", "s", "m", "c", "t", "dell", "nell", "all",
];
/// Abbreviations after which a full stop ends no sentence.
const ABBREVIATIONS: [&str; 15] = [
    "Mr", "Mrs", "Ms", "Dr", "Prof", "St", "vs", "e.g", "i.e", "cf", "No", "Fig", "ca", "approx", "Inc",
];

/// Splits a text into runs of letters and digits, in lower case.
///
/// ```
/// let words: Vec<String> = locale::words::alphanumeric("Top-10 Żółw's").collect();
/// assert_eq!(words, ["top", "10", "żółw", "s"]);
/// ```
pub fn alphanumeric(text: &str) -> impl Iterator<Item = String> + '_ {
    let words = text.split(|c: char| !c.is_alphanumeric());
    words.filter(|word| !word.is_empty()).map(str::to_lowercase)
}

/// Splits a text into words as people see them, in lower case: `O'Neil's` is `oneil`, `l'été` is `été`, and each character
/// of a script without spaces is a word.
///
/// ```
/// assert_eq!(locale::words::words("O'Neil's café, l'été"), ["oneil", "café", "été"]);
/// assert_eq!(locale::words::words("东京 2020"), ["东", "京", "2020"]);
/// ```
pub fn words(text: &str) -> Vec<String> {
    let mut all = Vec::new();
    let mut word = String::new();
    for c in text.chars() {
        if is_unspaced(c) {
            end_word(&mut word, &mut all);
            all.push(c.to_string());
        } else if c.is_alphanumeric() {
            word.extend(c.to_lowercase());
        } else if !matches!(c, '\'' | '’' | '\u{301}') {
            end_word(&mut word, &mut all);
        } else if !word.is_empty() {
            word.push('\'');
        }
    }
    end_word(&mut word, &mut all);
    all
}

fn end_word(word: &mut String, all: &mut Vec<String>) {
    let whole = std::mem::take(word);
    let bare = whole.trim_end_matches('\'');
    let bare = bare.strip_suffix("'s").unwrap_or(bare);
    let bare = match bare.split_once('\'') {
        Some((elided, rest)) if ELIDED.contains(&elided) => rest,
        _ => bare,
    };
    if !bare.is_empty() {
        all.push(bare.replace('\'', ""));
    }
}

/// Whether a character is of a script that puts no spaces between words.
pub fn is_unspaced(c: char) -> bool {
    matches!(c, '\u{3040}'..='\u{30ff}' | '\u{3400}'..='\u{9fff}' | '\u{f900}'..='\u{faff}' | '\u{0e00}'..='\u{0e7f}')
}

/// Whether a lower-case word has no content of its own (`the`, `und`, `que`), in the languages met most.
pub fn is_stop_word(word: &str) -> bool {
    STOP_WORDS.binary_search(&word).is_ok()
}

/// The stems of the words with content, in order.
///
/// ```
/// assert_eq!(locale::words::terms("The cities were planning"), ["city", "plan"]);
/// ```
pub fn terms(text: &str) -> Vec<String> {
    let words = words(text).into_iter().filter(|word| !is_stop_word(word));
    words.map(|word| stem(&word)).collect()
}

/// The stem of a lower-case English word: plurals, `-ing`, `-ed` and a final `e` are removed.
///
/// Words with digits or letters beyond ASCII stay as they are; words of other languages lose at most an ending that
/// English has, too.
///
/// ```
/// use locale::words::stem;
///
/// assert_eq!(stem("planning"), stem("plans"));
/// assert_eq!(stem("cities"), "city");
/// assert_eq!(stem("bus"), "bus");
/// ```
pub fn stem(word: &str) -> String {
    if !word.is_ascii() || word.bytes().any(|byte| byte.is_ascii_digit()) {
        return word.to_owned();
    }
    let cut = |end: &str, least: usize| word.strip_suffix(end).filter(|stem| stem.len() >= least);
    let singular = match cut("ies", 2) {
        Some(stem) => format!("{stem}y"),
        None => cut("s", 3)
            .filter(|stem| !stem.ends_with(['s', 'u', 'i']))
            .unwrap_or(word)
            .to_owned(),
    };
    let without = |end: &str| {
        let has_vowel = |stem: &&str| stem.len() >= 2 && stem.contains(['a', 'e', 'i', 'o', 'u', 'y']);
        singular.strip_suffix(end).filter(has_vowel)
    };
    let base = match singular.strip_suffix("ied").filter(|stem| stem.len() >= 2) {
        Some(stem) => format!("{stem}y"),
        None => match without("ing").or_else(|| without("ed")) {
            Some(stem) => without_double(stem).to_owned(),
            None => singular,
        },
    };
    match base.strip_suffix('e').filter(|stem| stem.len() >= 2) {
        Some(stem) => stem.to_owned(),
        None => base,
    }
}

/// `runn` is `run`, but `sell` stays.
fn without_double(stem: &str) -> &str {
    match stem.as_bytes() {
        [head @ .., a, b] if a == b && !matches!(a, b'l' | b's' | b'z' | b'e') => {
            stem.get(..head.len() + 1).unwrap_or(stem)
        }
        _ => stem,
    }
}

/// Splits a text into sentences: at line ends and at `.`, `!`, `?` before a new sentence. Those without letters and digits
/// are left out.
///
/// ```
/// let text = "Dr. Smith paid 3.5 million. He left!\nA heading";
/// assert_eq!(locale::words::sentences(text), ["Dr. Smith paid 3.5 million.", "He left!", "A heading"]);
/// ```
pub fn sentences(text: &str) -> Vec<&str> {
    let mut all = Vec::new();
    for line in text.lines() {
        let mut start = 0;
        let mut chars = line.char_indices().peekable();
        while let Some((at, c)) = chars.next() {
            let end = at + c.len_utf8();
            let ends = match c {
                '。' | '！' | '？' => true,
                '.' | '!' | '?' => {
                    chars.peek().is_none_or(|(_, next)| next.is_whitespace())
                        && may_begin(line.get(end..).unwrap_or_default())
                        && !ends_in_abbreviation(line.get(start..at).unwrap_or_default())
                }
                _ => end - start >= MAX_SENTENCE && c.is_whitespace(),
            };
            if ends {
                all.extend(line.get(start..end).map(str::trim));
                start = end;
            }
        }
        all.extend(line.get(start..).map(str::trim));
    }
    all.retain(|sentence| sentence.chars().any(char::is_alphanumeric));
    all
}

/// Whether a new sentence may begin with this text: not with a small letter.
fn may_begin(rest: &str) -> bool {
    let first = rest.trim_start().chars().next();
    first.is_none_or(|c| !c.is_lowercase())
}

/// Whether the text before a full stop ends in an abbreviation or an initial.
fn ends_in_abbreviation(before: &str) -> bool {
    let last = before.rsplit([' ', '(']).next().unwrap_or_default();
    let mut chars = last.chars();
    let is_initial = chars.next().is_some_and(char::is_uppercase) && chars.next().is_none();
    is_initial || ABBREVIATIONS.contains(&last)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn forms_of_a_word_have_one_stem() {
        for forms in [
            &["boil", "boils", "boiled", "boiling"][..],
            &["use", "uses", "used", "using"],
            &["city", "cities"],
            &["plan", "planned", "planning"],
            &["sell", "selling", "sells"],
            &["rise", "rises", "rising"],
        ] {
            let stems: std::collections::HashSet<String> = forms.iter().map(|form| stem(form)).collect();
            assert_eq!(stems.len(), 1, "{forms:?}: {stems:?}");
        }
        assert_ne!(stem("bus"), stem("bu"));
    }

    #[test]
    fn words_are_split_as_people_see_them() {
        assert_eq!(
            words("It's Dr. O'Neil's café, l'été 4.5!"),
            ["it", "dr", "oneil", "café", "été", "4", "5"]
        );
    }

    #[test]
    fn sentences_end_where_people_end_them() {
        let text = "Dr. A. Smith paid 3.5 million. He left!  \nA heading\nWhy? e.g. this. and that";
        assert_eq!(
            sentences(text),
            [
                "Dr. A. Smith paid 3.5 million.",
                "He left!",
                "A heading",
                "Why? e.g. this. and that"
            ]
        );
        assert_eq!(sentences("これは本です。あれも本です。").len(), 2);
    }

    proptest::proptest! {
        /// Stems are never longer than their words but for a `y` in place of `ies` or `ied`, and never empty.
        #[test]
        fn a_stem_is_no_longer_than_its_word(word in "[a-z]{1,12}") {
            let stem = stem(&word);
            proptest::prop_assert!(!stem.is_empty() && stem.len() <= word.len());
        }

        /// No word is lost or added by splitting into sentences.
        #[test]
        fn sentences_hold_every_word(text in "[A-Za-z0-9 .!?\n。é-]{0,60}") {
            let joined: Vec<String> = sentences(&text).into_iter().flat_map(alphanumeric).collect();
            proptest::prop_assert_eq!(joined, alphanumeric(&text).collect::<Vec<_>>());
        }
    }
}
