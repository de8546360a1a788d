//! Scales in words: "low", "medium" and "high" are in this order, and not in that of the alphabet.

use std::sync::LazyLock;

use serde_json::Value;

use crate::words::concepts::are_same;
use crate::words::word_forms::tokens;

/// The levels of each scale from the least up, each with its words in English, German and Polish.
#[rustfmt::skip]
const SCALES: [&[&[&str]]; 4] = [
    &[
        &["very low", "sehr niedrig", "sehr gering", "bardzo niski"],
        &["low", "minor", "niedrig", "gering", "niski"],
        &["medium", "moderate", "normal", "mittel", "mäßig", "średni", "normalny"],
        &["high", "major", "hoch", "wysoki"],
        &["very high", "urgent", "critical", "sehr hoch", "dringend", "kritisch", "bardzo wysoki", "pilny", "krytyczny"],
    ],
    &[
        &["very easy", "sehr leicht", "sehr einfach", "bardzo łatwy"],
        &["easy", "leicht", "einfach", "łatwy", "prosty"],
        &["medium", "moderate", "intermediate", "mittel", "mittelschwer", "mittelschwierig", "średni", "średnio trudny", "umiarkowany"],
        &["hard", "difficult", "challenging", "strenuous", "schwer", "schwierig", "anspruchsvoll", "trudny", "wymagający"],
        &["very hard", "very difficult", "expert", "extreme", "sehr schwer", "sehr schwierig", "bardzo trudny"],
    ],
    &[
        &["xxs"],
        &["xs", "extra small", "very small", "sehr klein", "bardzo mały"],
        &["s", "small", "klein", "mały"],
        &["m", "medium", "mittel", "mittelgroß", "średni"],
        &["l", "large", "big", "groß", "duży"],
        &["xl", "extra large", "very large", "sehr groß", "bardzo duży"],
        &["xxl"],
        &["xxxl"],
    ],
    &[
        &["beginner", "anfänger", "początkujący"],
        &["intermediate", "mittelstufe", "średniozaawansowany", "średnio zaawansowany"],
        &["advanced", "fortgeschrittene", "zaawansowany"],
        &["expert", "professional", "experte", "profi", "ekspert"],
    ],
];

/// The words of each name of each level of each scale.
static WORDS: LazyLock<Vec<Vec<Vec<Vec<String>>>>> = LazyLock::new(|| {
    let level = |names: &&[&str]| names.iter().map(|name| tokens(name)).collect();
    SCALES
        .iter()
        .map(|levels| levels.iter().map(level).collect())
        .collect()
});

/// Most bytes of a level.
const LONGEST: usize = 30;

/// Share of the values of a column that are levels of one scale, for the column to be one of it.
const MOST: f64 = 0.8;

/// A scale in words.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Scale(usize);

impl Scale {
    /// The scale of which most values of a column are levels, at least two different ones.
    pub(crate) fn of(values: &[&str]) -> Option<Scale> {
        let known: Vec<&&str> = values.iter().filter(|value| !value.trim().is_empty()).collect();
        let others = known.len() as f64 * (1.0 - MOST);
        (0..SCALES.len()).map(Scale).find(|scale| {
            let mut levels = Vec::new();
            let mut unknown = 0;
            for value in &known {
                match scale.level(value) {
                    Some(level) => levels.push(level),
                    None => unknown += 1,
                }
                if f64::from(unknown) > others {
                    return false;
                }
            }
            levels.iter().any(|level| Some(level) != levels.first())
        })
    }

    /// The place of a text among the levels, from nought; `None` where it is none of them.
    pub fn level(self, text: &str) -> Option<usize> {
        let levels = WORDS.get(self.0).filter(|_| text.len() <= LONGEST)?;
        let words = tokens(text);
        levels
            .iter()
            .position(|names| names.iter().any(|name| are_same(name, &words)))
    }

    /// The same of a value of a row, as a number.
    pub(crate) fn number(self, value: &Value) -> Option<f64> {
        Some(self.level(value.as_str()?)? as f64)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_of_a_scale_have_an_order() {
        for values in [
            ["low", "medium", "high"],
            ["easy", "moderate", "very hard"],
            ["leicht", "mittel", "sehr schwer"],
            ["łatwa", "średnia", "trudna"],
            ["S", "M", "XL"],
        ] {
            let scale = Scale::of(&values).unwrap();
            let levels = values.map(|value| scale.level(value).unwrap());
            assert!(levels.is_sorted(), "{values:?} {levels:?}");
        }
        for values in [["red", "low", "blue"], ["low", "low", "low"], ["", "", ""]] {
            assert_eq!(Scale::of(&values), None, "{values:?}");
        }
    }
}
