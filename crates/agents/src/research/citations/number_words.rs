//! Numbers in English words: `twenty-five`, `two hundred and fifty`, `three hundred thousand`.

/// A number in words.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct SpelledNumber {
    /// What it says.
    pub(super) value: f64,
    /// What its last word counts in: `two hundred` is 1e2.
    pub(super) scale: f64,
    /// Where it ends.
    pub(super) end: usize,
}

#[derive(Debug, Clone, Copy, PartialEq)]
enum NumberWord {
    /// One to nine.
    One(f64),
    /// Ten to nineteen.
    Teen(f64),
    /// Twenty to ninety.
    Ten(f64),
    Hundred,
    /// A thousand and more.
    Scale(f64),
}

use NumberWord::{Hundred, One, Scale, Teen, Ten};

const ONES: [&str; 9] = [
    "one", "two", "three", "four", "five", "six", "seven", "eight", "nine",
];
const TEENS: [&str; 10] = [
    "ten",
    "eleven",
    "twelve",
    "thirteen",
    "fourteen",
    "fifteen",
    "sixteen",
    "seventeen",
    "eighteen",
    "nineteen",
];
const TENS: [&str; 8] = [
    "twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety",
];

impl NumberWord {
    fn of(word: &str) -> Option<Self> {
        let at = |words: &[&str]| {
            let place = words.iter().position(|it| *it == word)?;
            u32::try_from(place).ok().map(f64::from)
        };
        let one = || at(&ONES).map(|place| One(place + 1.0));
        let teen = || at(&TEENS).map(|place| Teen(place + 10.0));
        let ten = || at(&TENS).map(|place| Ten(10.0 * (place + 2.0)));
        match word {
            "hundred" => Some(Hundred),
            "thousand" => Some(Scale(1e3)),
            "million" => Some(Scale(1e6)),
            "billion" => Some(Scale(1e9)),
            "trillion" => Some(Scale(1e12)),
            _ => one().or_else(teen).or_else(ten),
        }
    }
}

/// The number in words that begins at `start`, where a word begins. `one`, `a hundred` and `one million` are more often words
/// like others than numbers, and are none.
pub(super) fn spelled_number(signs: &[char], start: usize) -> Option<SpelledNumber> {
    let (mut last, mut end) = next_word(signs, start)?;
    // What is counted in hundreds, tens and ones, and what stands before it.
    let (mut group, mut scale, mut is_one) = match last {
        One(value) | Teen(value) | Ten(value) => (value, 1.0, last == One(1.0)),
        // "A hundred and fifty".
        Hundred => (100.0, 1e2, true),
        Scale(_) => return None,
    };
    let mut before = 0.0;
    while let Some((word, word_end)) = joined_word(signs, end, last) {
        match word {
            One(value) | Teen(value) | Ten(value) => (group, scale, is_one) = (group + value, 1.0, false),
            Hundred => (group, scale) = (group * 100.0, 1e2),
            Scale(counted) => {
                (before, group) = (before + group * counted, 0.0);
                scale = if scale > 1.0 { scale * counted } else { counted };
            }
        }
        (last, end) = (word, word_end);
    }
    let value = before + group;
    (!is_one).then_some(SpelledNumber { value, scale, end })
}

/// The word that goes on with a number whose last word was `last`, and where it ends.
fn joined_word(signs: &[char], end: usize, last: NumberWord) -> Option<(NumberWord, usize)> {
    let at = |index: usize| signs.get(index).copied();
    let is_joint = |sign: char| matches!(sign, ' ' | '-' | '\u{2011}' | '\u{a0}');
    let start = at(end).filter(|sign| is_joint(*sign)).map(|_| end + 1)?;
    let (has_and, start) = match signs.get(start..start + 4) {
        Some(['a', 'n', 'd', ' ']) => (true, start + 4),
        _ => (false, start),
    };
    let (word, word_end) = next_word(signs, start)?;
    let is_spaced = at(end) == Some(' ');
    // "Twenty one-bedroom flats" are twenty.
    let begins_compound =
        || is_spaced && at(word_end) == Some('-') && at(word_end + 1).is_some_and(char::is_alphabetic);
    let next = || following(signs, word_end).map(|(word, _)| word);
    let fits = match (last, word) {
        (Ten(_), One(_)) => !has_and && !begins_compound(),
        (One(_) | Teen(_) | Ten(_), Hundred | Scale(_)) | (Hundred, Scale(_)) => !has_and,
        // "Two thousand five hundred".
        (Scale(_), One(_)) if !has_and => next() == Some(Hundred),
        // "Two hundred and three hundred" are two numbers, and so are "five hundred two-room flats".
        (Hundred, One(_)) | (Scale(_), One(_) | Teen(_) | Ten(_)) => has_and && !is_counted(signs, word_end),
        // "Two hundred and fifty thousand".
        (Hundred, Teen(_) | Ten(_)) => !has_and || !matches!(next(), Some(Hundred)),
        _ => false,
    };
    fits.then_some((word, word_end))
}

/// Whether the number whose next word ends here is itself counted in hundreds, thousands or more.
fn is_counted(signs: &[char], end: usize) -> bool {
    match following(signs, end) {
        Some((Hundred | Scale(_), _)) => true,
        Some((One(_), end)) => matches!(following(signs, end), Some((Hundred | Scale(_), _))),
        _ => false,
    }
}

/// The number word right behind a word, and where it ends.
fn following(signs: &[char], end: usize) -> Option<(NumberWord, usize)> {
    let joint = signs.get(end).filter(|sign| !sign.is_alphanumeric());
    joint.and_then(|_| next_word(signs, end + 1))
}

/// The number word that begins here, and where it ends.
fn next_word(signs: &[char], start: usize) -> Option<(NumberWord, usize)> {
    let letters = signs
        .get(start..)?
        .iter()
        .take_while(|sign| sign.is_alphanumeric());
    let word: String = letters.flat_map(|sign| sign.to_lowercase()).collect();
    Some((NumberWord::of(&word)?, start + word.chars().count()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_that_are_one_number_are_read_together() {
        for (text, value, scale) in [
            ("five floors", 5.0, 1.0),
            ("twenty", 20.0, 1.0),
            ("twenty-five floors", 25.0, 1.0),
            ("Twenty five", 25.0, 1.0),
            ("thirty-one days", 31.0, 1.0),
            ("two hundred steps", 200.0, 1e2),
            ("two hundred and fifty-three", 253.0, 1.0),
            ("two hundred fifty", 250.0, 1.0),
            ("one hundred and fifty", 150.0, 1.0),
            ("two hundred fifty thousand", 250_000.0, 1e3),
            ("hundred and fifty", 150.0, 1.0),
            ("three hundred thousand", 300_000.0, 1e5),
            ("four million", 4e6, 1e6),
            ("two thousand and five", 2005.0, 1.0),
            ("two thousand five hundred", 2500.0, 1e2),
            ("two hundred and fifty thousand", 250_000.0, 1e3),
            // A second number begins.
            ("two hundred and three hundred", 200.0, 1e2),
            ("five million two years ago", 5e6, 1e6),
            ("five hundred two-room flats", 500.0, 1e2),
            ("two thousand and three thousand", 2000.0, 1e3),
            ("five-seven titles", 5.0, 1.0),
            ("twenty one-bedroom flats", 20.0, 1.0),
            ("thirty five-star hotels", 30.0, 1.0),
        ] {
            let signs: Vec<char> = text.chars().collect();
            let found = spelled_number(&signs, 0).map(|number| (number.value, number.scale));
            assert_eq!(found, Some((value, scale)), "{text}");
        }
        for text in [
            "one of them",
            "hundred steps",
            "one million",
            "thousands",
            "tense",
            "",
        ] {
            let signs: Vec<char> = text.chars().collect();
            assert_eq!(spelled_number(&signs, 0), None, "{text}");
        }
    }
}
