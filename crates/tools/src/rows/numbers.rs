//! Numbers and phrases of the texts of rows.

use regex::Match;

use crate::words::word_forms::is_same_word;

locale::patterns! {
    /// A number: with separators of thousands, with a fraction, or plain.
    static NUMBER = r"\d{1,3}(?:[ .,'’\u{a0}\u{202f}]\d{3})+(?:[.,]\d{1,2}\b)?|\d+(?:[.,]\d+)?";
}

/// The numbers of a text. What more digits follow is no group of thousands: "Model E27 1948" has two numbers, and "439,2000" one.
pub(crate) fn numbers(text: &str) -> impl Iterator<Item = Match<'_>> {
    let mut from = 0;
    std::iter::from_fn(move || {
        let found = NUMBER.find_at(text, from)?;
        let behind = text.get(found.end()..)?;
        let digits = behind.len() - behind.trim_start_matches(|c: char| c.is_ascii_digit()).len();
        let blank = found.as_str().find(char::is_whitespace).filter(|_| digits > 0);
        let first = blank.and_then(|length| NUMBER.find_at(text.get(..found.start() + length)?, from));
        from = first.map_or(found.end() + digits, |first| first.end());
        Some(first.unwrap_or(found))
    })
}

/// Whether a list of words begins with a phrase, in any of its forms.
pub(crate) fn starts_with(words: &[String], phrase: &[String]) -> bool {
    !phrase.is_empty()
        && words.len() >= phrase.len()
        && phrase
            .iter()
            .zip(words)
            .all(|(wanted, word)| is_same_word(wanted, word))
}

/// A number as written: three digits behind a separator are thousands.
pub(crate) fn amount(text: &str) -> Option<f64> {
    let is_separator = |c: char| !c.is_ascii_digit();
    let mut groups: Vec<&str> = text
        .split(is_separator)
        .filter(|group| !group.is_empty())
        .collect();
    let has_fraction = match groups.as_slice() {
        [whole, last] => last.len() != 3 || *whole == "0",
        [.., last] => groups.len() > 2 && last.len() != 3,
        [] => return None,
    };
    let fraction = has_fraction.then(|| groups.pop()).flatten();
    format!("{}.{}", groups.concat(), fraction.unwrap_or("0"))
        .parse()
        .ok()
}

/// What the word behind a number multiplies it by: "120 tys. km", "85k miles".
pub(crate) fn scale(words: &[String]) -> Option<f64> {
    let word = words.first().filter(|word| word.as_str() != "m")?;
    multiplier(word).filter(|scale| *scale < 1e9)
}

/// What a word multiplies a number by, without case and accents.
pub(crate) fn multiplier(word: &str) -> Option<f64> {
    match word {
        "k" | "tys" | "tsd" | "thousand" | "thousands" | "tausend" | "tysiecy" => Some(1e3),
        "m" | "mln" | "mio" | "million" | "millions" | "millionen" | "milionow" => Some(1e6),
        "bn" | "billion" | "billions" | "mrd" | "mld" | "milliarden" | "miliardow" => Some(1e9),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn groups_of_thousands_have_three_digits() {
        let read = |text| numbers(text).map(|number| number.as_str()).collect::<Vec<_>>();
        assert_eq!(read("Model E27 1948, 29 hp"), ["27", "1948", "29"]);
        assert_eq!(read("12 500 km, 1.299,90 zł"), ["12 500", "1.299,90"]);
        assert_eq!(read("3 1948"), ["3", "1948"]);
        assert_eq!(read("439,2000 MHz, 70 cm").len(), 2);
    }
}
