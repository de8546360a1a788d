//! Words, stems, sentences and passages of a text.

/// Longest passage that is shown beside others, in bytes, unless one sentence alone is longer.
const PASSAGE: usize = 700;
/// Longest sentence; what has no end is cut at a space.
const SENTENCE: usize = 1200;

/// Words without meaning of their own (stop words), in the languages that are met most. Sorted.
const STOP: &[&str] = &[
    "a", "about", "after", "all", "also", "am", "an", "and", "any", "are", "as", "at", "au", "auf", "aus",
    "be", "been", "but", "by", "can", "could", "czy", "da", "das", "de", "dem", "den", "der", "des", "did",
    "die", "dla", "do", "does", "du", "ein", "eine", "el", "en", "es", "est", "et", "for", "from", "had",
    "has", "have", "he", "her", "his", "how", "i", "ich", "if", "im", "in", "into", "is", "ist", "it", "its",
    "jak", "je", "jest", "la", "las", "le", "les", "los", "many", "may", "me", "mit", "more", "most", "much",
    "my", "na", "nicht", "nie", "no", "not", "o", "of", "on", "one", "or", "other", "our", "over", "para",
    "por", "pour", "que", "qui", "s", "she", "should", "si", "sie", "sind", "so", "some", "such", "sur", "t",
    "than", "that", "the", "their", "them", "then", "there", "these", "they", "this", "those", "to", "u",
    "un", "und", "une", "up", "us", "va", "von", "w", "was", "we", "were", "what", "when", "where", "which",
    "while", "who", "whom", "why", "will", "with", "would", "y", "you", "your", "z", "zu", "zum", "zur",
];

/// Whether a word is a stop word. In lower case.
pub(crate) fn is_stop(word: &str) -> bool {
    STOP.binary_search(&word).is_ok()
}

/// The words of a text in lower case, in order. Each sign of a script without spaces is a word.
pub(crate) fn words(text: &str) -> Vec<String> {
    let mut found = Vec::new();
    let mut word = String::new();
    for sign in text.chars() {
        if stands_alone(sign) {
            flush(&mut word, &mut found);
            found.push(sign.to_string());
        } else if sign.is_alphanumeric() {
            word.extend(sign.to_lowercase());
        } else if !matches!(sign, '\'' | '’' | '\u{301}') {
            flush(&mut word, &mut found);
        } else if !word.is_empty() {
            word.push('\'');
        }
    }
    flush(&mut word, &mut found);
    found
}

fn flush(word: &mut String, found: &mut Vec<String>) {
    let whole = std::mem::take(word);
    let bare = whole.trim_end_matches('\'');
    let bare = bare.strip_suffix("'s").unwrap_or(bare);
    // French and Italian run a short word into the next one.
    let bare = match bare.split_once('\'') {
        Some(("l" | "d" | "j" | "qu" | "n" | "s" | "m" | "c" | "t" | "dell" | "nell" | "all", rest)) => rest,
        _ => bare,
    };
    if !bare.is_empty() {
        found.push(bare.replace('\'', ""));
    }
}

/// Signs of scripts that put no spaces between words.
fn stands_alone(sign: char) -> bool {
    matches!(sign, '\u{3040}'..='\u{30ff}' | '\u{3400}'..='\u{9fff}' | '\u{f900}'..='\u{faff}' | '\u{0e00}'..='\u{0e7f}')
}

/// The stem by which two forms of an English word are the same; other words lose at most an ending they share.
pub(crate) fn stem(word: &str) -> String {
    let cut = |end: &str, least: usize| word.strip_suffix(end).filter(|it| it.chars().count() >= least);
    let once = |stem: &str| {
        // `running` is `run`, but `selling` is `sell`.
        let mut last = stem.chars().rev();
        match (last.next(), last.next()) {
            (Some(a), Some(b)) if a == b && !matches!(a, 'l' | 's' | 'z' | 'e') => {
                stem.chars().take(stem.chars().count() - 1).collect()
            }
            _ => stem.to_owned(),
        }
    };
    if !word.is_ascii() || word.bytes().any(|byte| byte.is_ascii_digit()) {
        return word.to_owned();
    }
    let single = match cut("ies", 2) {
        Some(stem) => format!("{stem}y"),
        None => cut("s", 3)
            .filter(|it| !it.ends_with(['s', 'u', 'i']))
            .unwrap_or(word)
            .to_owned(),
    };
    let ending = |end: &str| {
        let vowel = |text: &&str| text.len() >= 2 && text.contains(['a', 'e', 'i', 'o', 'u', 'y']);
        single.strip_suffix(end).filter(vowel)
    };
    let stem = match (single.strip_suffix("ied"), ending("ing").or_else(|| ending("ed"))) {
        (Some(stem), _) if stem.len() >= 2 => format!("{stem}y"),
        (_, Some(stem)) => once(stem),
        (_, None) => single.clone(),
    };
    stem.strip_suffix('e')
        .filter(|it| it.len() >= 2)
        .map_or(stem.clone(), str::to_owned)
}

/// The stems of the words that are no stop words.
pub(crate) fn terms(text: &str) -> Vec<String> {
    words(text)
        .iter()
        .filter(|word| !is_stop(word))
        .map(|word| stem(word))
        .collect()
}

/// The sentences of a text, in order: a line end or the end of a sentence ends one.
pub(crate) fn sentences(text: &str) -> Vec<&str> {
    let mut found = Vec::new();
    for line in text.lines() {
        let mut start = 0;
        let mut signs = line.char_indices().peekable();
        while let Some((at, sign)) = signs.next() {
            let end = at + sign.len_utf8();
            let next = signs.peek().map(|(_, sign)| *sign);
            let ends = match sign {
                '。' | '！' | '？' => true,
                '.' | '!' | '?' => {
                    next.is_none_or(char::is_whitespace)
                        && begins(line.get(end..))
                        && !is_short(line.get(start..at))
                }
                _ => end - start >= SENTENCE && sign.is_whitespace(),
            };
            if ends {
                found.extend(line.get(start..end).map(str::trim));
                start = end;
            }
        }
        found.extend(line.get(start..).map(str::trim));
    }
    found.retain(|it| it.chars().any(char::is_alphanumeric));
    found
}

/// Whether a new sentence may begin here: not with a small letter.
fn begins(rest: Option<&str>) -> bool {
    let first = rest.unwrap_or_default().trim_start().chars().next();
    first.is_none_or(|first| !first.is_lowercase())
}

/// Whether the text before a full stop ends in an abbreviation.
fn is_short(before: Option<&str>) -> bool {
    let last = before
        .unwrap_or_default()
        .rsplit([' ', '('])
        .next()
        .unwrap_or_default();
    let letters = last.chars().filter(|character| character.is_alphabetic()).count();
    // "A.", "U.S.", "J.D."
    let is_letter = |part: &str| part.chars().count() == 1 && part.chars().all(char::is_uppercase);
    let initial = letters > 0 && last.split('.').all(is_letter);
    let known = [
        "Mr", "Mrs", "Ms", "Dr", "Prof", "St", "vs", "e.g", "i.e", "cf", "No", "Fig", "ca", "approx", "Inc",
    ];
    initial || known.contains(&last)
}

/// A text in passages of a few sentences each.
pub(crate) fn passages(text: &str) -> Vec<String> {
    passages_of(text, PASSAGE)
}

/// A text in passages of at most so many bytes, unless one sentence alone has more.
pub(crate) fn passages_of(text: &str, bytes: usize) -> Vec<String> {
    let mut found: Vec<String> = Vec::new();
    let mut passage = String::new();
    for sentence in sentences(text) {
        if !passage.is_empty() && passage.len() + sentence.len() > bytes {
            found.push(std::mem::take(&mut passage));
        }
        if !passage.is_empty() {
            // A heading ends with its line.
            let ended = passage.ends_with(['.', '!', '?', '。', '！', '？', ':', '"', '”']);
            passage.push(if ended { ' ' } else { '\n' });
        }
        passage.push_str(sentence);
    }
    found.push(passage);
    found.retain(|it| !it.is_empty());
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stop_words_are_sorted() {
        assert!(STOP.is_sorted());
    }

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
        assert_eq!(words("东京 2020"), ["东", "京", "2020"]);
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
        assert_eq!(
            sentences("The J.D. Power study of U.S. Plans names one. It leads."),
            ["The J.D. Power study of U.S. Plans names one.", "It leads."]
        );
        assert_eq!(sentences("これは本です。あれも本です。").len(), 2);
    }

    #[test]
    fn passages_hold_everything_and_are_bounded() {
        let text = "One two three four five six seven. ".repeat(100);
        let passages = passages(&text);
        assert!(passages.iter().all(|passage| passage.len() <= PASSAGE));
        assert_eq!(words(&passages.join(" ")), words(&text));
    }
}
