//! Forms of words: which words of a text are one word in several inflections.

/// Endings by which two forms of a word may differ, without accents: plurals, cases and genders of English, German and
/// Polish nouns and adjectives. Both forms end as words of one language do.
const ENDINGS: [&[&str]; 3] = [
    &["", "s", "es"],
    &["", "e", "en", "er", "em", "es", "n", "ern", "s"],
    &[
        "", "y", "i", "a", "o", "u", "e", "ie", "ego", "emu", "ych", "ymi", "ym", "ich", "imi", "im", "ej",
        "ow", "om", "ami", "ach", "ek", "ka", "ki", "ke", "ko", "ce", "kach", "kami", "owi", "iem", "em",
        "el", "li", "le", "lami", "kow", "kom", "kiem", "ia", "iu", "io", "iow", "iom", "iami", "iach",
    ],
];
/// Words that differ by endings alone, and not in what they are said of: places are "frei", and things free; "pań" are ladies, and
/// "panów" gentlemen; an opening is no open thing, where one parks is no park, and what is closed has no closing date ahead.
const FALSE_FRIENDS: [[&str; 2]; 11] = [
    ["park", "parking"],
    ["park", "parken"],
    ["parks", "parking"],
    ["parku", "parking"],
    ["closed", "close"],
    ["closed", "closes"],
    ["closed", "closing"],
    ["free", "frei"],
    ["pan", "panow"],
    ["open", "opening"],
    ["open", "openings"],
];

/// Words that "nr" and "num" are short for.
const NUMBERS: [&str; 6] = ["number", "numbers", "nummer", "nummern", "numer", "numery"];

/// Fewest letters that two forms of a word share.
pub(crate) const SHORTEST_STEM: usize = 3;

/// First parts of words that deny the rest: "unlimited" has no limit.
const DENYING_PARTS: [&str; 5] = ["un", "non", "nie", "bez", "in"];
/// Fewest letters of the last part of a compound.
pub(crate) const SHORTEST_PART: usize = 4;

locale::patterns! {
    /// The first part of a compound that makes another word of its last: a semi-detached house is not detached.
    static ALTERED = r"\b(semi|non|anti|quasi|half|nicht|halb|nie|pol)[-\u{2010}\u{2011}](\p{L})";
}

/// The words of a text without case and accents.
pub(crate) fn tokens(text: &str) -> Vec<String> {
    let folded = locale::fold_diacritics(&locale::fold_case(text));
    let folded = match folded.contains(['-', '\u{2010}', '\u{2011}']) {
        true => ALTERED.replace_all(&folded, "$1$2"),
        false => folded.as_str().into(),
    };
    locale::words::alphanumeric(&folded).collect()
}

/// The first letters of a phrase and the number of its words. Two forms of a word have these letters in common.
pub(crate) type Beginning = ([Option<char>; SHORTEST_STEM], usize);

/// The beginning of a phrase; none of an empty one.
pub(crate) fn beginning(phrase: &[String]) -> Option<Beginning> {
    let mut letters = phrase.first()?.chars();
    Some((std::array::from_fn(|_| letters.next()), phrase.len()))
}

/// Whether two words without accents are forms of one: they share a stem, and each has an ending behind it.
pub(crate) fn is_same_word(one: &str, other: &str) -> bool {
    if one == other {
        return true;
    }
    // Forms of one word begin alike, and most pairs of words do not.
    if one.as_bytes().first() != other.as_bytes().first() {
        return false;
    }
    if [(one, other), (other, one)]
        .into_iter()
        .any(|(short, long)| is_shortened_number(short, long))
    {
        return true;
    }
    if FALSE_FRIENDS
        .iter()
        .any(|pair| pair.contains(&one) && pair.contains(&other))
    {
        return false;
    }
    if one.bytes().chain(other.bytes()).any(|byte| byte.is_ascii_digit()) {
        return false;
    }
    if one.is_ascii() && other.is_ascii() && locale::words::stem(one) == locale::words::stem(other) {
        return true;
    }
    let shared = one
        .char_indices()
        .zip(other.chars())
        .take_while(|((_, a), b)| a == b)
        .count();
    let end = |word: &str, stem: usize| word.chars().skip(stem).collect::<String>();
    let are_endings = |stem: usize, one: &str, other: &str| {
        // "Weis" and "Wein" are two words.
        let is_short = stem == SHORTEST_STEM && matches!((one, other), ("n", "s") | ("s", "n"));
        let mut languages = ENDINGS.iter();
        !is_short && languages.any(|endings| endings.contains(&one) && endings.contains(&other))
    };
    // The stem may end before the last letter that both share: `kurt-ka`, `kurt-ki`.
    let is_inflected = (SHORTEST_STEM..=shared)
        .rev()
        .take(3)
        .any(|stem| are_endings(stem, &end(one, stem), &end(other, stem)));
    is_inflected
        || [(one, other), (other, one)]
            .into_iter()
            .any(|(one, other)| are_persons(one, other) || is_locative(one, other) || are_of_verb(one, other))
}

/// Whether a word is short for one that names a number: `nr` of `numer`, `kursnr` of `kursnummer`.
fn is_shortened_number(short: &str, long: &str) -> bool {
    let of_compound = || {
        let first = short
            .strip_suffix("nr")
            .filter(|first| first.len() >= SHORTEST_STEM)?;
        Some(NUMBERS.contains(&long.strip_prefix(first)?))
    };
    (matches!(short, "nr" | "num") && NUMBERS.contains(&long)) || of_compound() == Some(true)
}

/// Endings of Polish nouns behind "in", without accents, and the consonants before them elsewhere: `w teatrze`, `teatr`.
const LOCATIVES: [(&str, &str); 4] = [("rze", "r"), ("scie", "st"), ("dzie", "d"), ("cie", "t")];

/// Whether a word is the form behind "in" of another.
fn is_locative(inside: &str, other: &str) -> bool {
    let mut endings = LOCATIVES.iter();
    endings.any(|(ending, consonant)| {
        let stem = inside
            .strip_suffix(ending)
            .filter(|stem| stem.len() >= SHORTEST_PERSON);
        stem.is_some_and(|stem| other.strip_suffix(consonant) == Some(stem))
    })
}

/// Endings of Polish verbs of what is over, without accents, and of what it has become: `zakończyły`, `zakończone`.
const PAST: [&str; 6] = ["yla", "ylo", "yly", "yli", "yl", "yc"];
const OUTCOME: [&str; 6] = ["ony", "ona", "one", "onych", "onego", "onej"];
/// Fewest letters of such a verb before its ending.
const SHORTEST_VERB: usize = 5;

/// Whether one word is the past of a verb, and another what has become by it.
fn are_of_verb(past: &str, outcome: &str) -> bool {
    let stem = |word: &str, endings: &[&str]| {
        let mut endings = endings.iter();
        endings.find_map(|ending| word.strip_suffix(ending).map(str::to_owned))
    };
    let stem_of_past = stem(past, &PAST).filter(|stem| stem.len() >= SHORTEST_VERB);
    stem_of_past.is_some_and(|stem_of_past| stem(outcome, &OUTCOME) == Some(stem_of_past))
}

/// Endings of Polish nouns for several men, without accents, and the consonants before them when there is one.
const PERSONS: [(&str, &str); 7] = [
    ("dzy", "g"),
    ("cy", "k"),
    ("rzy", "r"),
    ("sci", "st"),
    ("ci", "t"),
    ("dzi", "d"),
    ("si", "ch"),
];
/// Fewest letters of such a noun before its ending.
const SHORTEST_PERSON: usize = 4;

/// Whether a word is for several of those that another is for: `dermatolodzy` of `dermatolog`, `okulisci` of `okulista`.
fn are_persons(several: &str, one: &str) -> bool {
    let one = one.strip_suffix('a').unwrap_or(one);
    let mut endings = PERSONS.iter();
    endings.any(|(ending, consonant)| {
        let stem = several
            .strip_suffix(ending)
            .filter(|stem| stem.len() >= SHORTEST_PERSON);
        stem.is_some_and(|stem| one.strip_suffix(consonant) == Some(stem))
    })
}

/// Whether a word is a compound whose last part is a form of the wanted word: German `Verlängerungskabel` is a `Kabel`.
pub(crate) fn is_compound_of(word: &str, wanted: &str) -> bool {
    let length = wanted.chars().count();
    if length < SHORTEST_PART || word.chars().count() <= length {
        return false;
    }
    let from = word.char_indices().map(|(at, _)| at).skip(2);
    from.filter_map(|at| word.split_at_checked(at))
        .filter(|(first, end)| end.chars().count() + 3 >= length && !DENYING_PARTS.contains(first))
        .any(|(_, end)| end.chars().count() >= SHORTEST_PART && is_same_word(end, wanted))
}

/// Whether a language, by its code, writes compounds as one word.
pub(crate) fn joins_words(language: &str) -> bool {
    let code = language
        .split(['-', '_'])
        .next()
        .unwrap_or_default()
        .to_lowercase();
    matches!(
        code.as_str(),
        "de" | "nl" | "sv" | "da" | "no" | "nb" | "nn" | "fi" | "hu" | "is"
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn forms_of_one_word_are_the_same_and_other_words_are_not() {
        for (one, other) in [
            ("cable", "cables"),
            ("batteries", "battery"),
            ("schwarz", "schwarze"),
            ("kuhlschrank", "kuhlschranke"),
            ("niebieski", "niebieskie"),
            ("czarny", "czarnych"),
            ("kurtka", "kurtek"),
            ("rower", "rowerow"),
            ("cien", "cienia"),
            ("dermatolodzy", "dermatolog"),
            ("okulisci", "okulista"),
            ("ortopedzi", "ortopeda"),
            ("teatrze", "teatr"),
            ("zakonczyly", "zakonczone"),
            ("kursnr", "kursnummer"),
            ("nr", "numer"),
        ] {
            assert!(is_same_word(one, other), "{one} {other}");
        }
        for (one, other) in [
            ("rower", "rowerowa"),
            ("red", "refurbished"),
            ("cat6", "cat"),
            ("black", "blue"),
            ("pan", "panow"),
            ("weis", "wein"),
            ("open", "opening"),
            ("closed", "closes"),
            ("morze", "mor"),
            ("kursnr", "hausnummer"),
        ] {
            assert!(!is_same_word(one, other), "{one} {other}");
        }
    }

    #[test]
    fn what_alters_a_word_is_a_part_of_it() {
        assert_eq!(tokens("Semi-detached house"), ["semidetached", "house"]);
        assert_eq!(tokens("Kürbis-Risotto"), ["kurbis", "risotto"]);
    }
}
