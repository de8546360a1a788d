//! Amounts in words as digits: "half a million", "a dozen", "zweihundert", "half an hour", "more than a metre".

use super::amounts::whole_count;
use super::phrases::{outside_quotes, quoted};
use super::vocabulary::VOCABULARY;

locale::patterns! {
    /// Parts and multiples of hours, whose minutes are counted.
    static HOURS = r"(?ix)\b(?:
        (?P<quarter>(?:a\s+)?quarter\s+of\s+an\s+hour|(?:eine[rn]?\s+)?viertelstunde|kwadrans(?:a)?)
        |(?P<number>two|three|four|zwei|drei|vier|dwie|trzy|cztery)\s*(?:and\s+a\s+half\s+hours|einhalb\s+stunden|i\s+pół\s+godziny)
        |(?P<half>half\s+an\s+hour|(?:eine[rn]?\s+)?halben?\s+stunde|pół\s+godziny)
        |(?P<most>three[\s-]quarters\s+of\s+an\s+hour|(?:eine[rn]?\s+)?dreiviertelstunde)
        |(?P<more>an\s+hour\s+and\s+a\s+half|one\s+and\s+a\s+half\s+hours|(?:anderthalb|eineinhalb)e?n?\s+stunden|półtorej\s+godziny)
        )\b";
    /// Parts of a million and of a dozen.
    static PARTS = r"(?ix)\b(?:
        (?P<half>half\s+a\s+million|(?:eine[rn]?\s+)?halben?\s+million|pół\s+miliona)
        |(?P<quarter>(?:a\s+)?quarter\s+of\s+a\s+million|(?:eine[rn]?\s+)?viertelmillion|ćwierć\s+miliona)
        |(?P<number>two|three|four|five|six|seven|eight|nine|ten|zwei|drei|vier|fünf|sechs|sieben|acht|neun|zehn|dwa|trzy|cztery|pięć|sześć|siedem|osiem|dziewięć|dziesięć)(?:\s+and\s+a\s+half\s+millions?|einhalb\s+millionen|\s+i\s+pół\s+miliona)
        |(?P<more>(?:a|one)\s+million\s+and\s+a\s+half|one\s+and\s+a\s+half\s+million|(?:anderthalb|eineinhalb)\s+millionen|półtora\s+miliona)
        |(?P<six>half\s+a\s+dozen|(?:ein\s+)?halbes\s+dutzend|pół\s+tuzina)
        |(?P<twentyfour>(?:two|2|zwei|dwa)\s+(?:dozen|dutzend|tuziny))
        |(?P<twelve>(?:(?:a|one|ein|eine[mns]?)\s+)?(?:dozen|dutzend|tuzin)))\b";
    /// Half of a unit of measure.
    static HALVES = r"(?ix)\b(?:half\s+an?|(?:einen?|einem|eine[rs]?)\s+halbe[nrms]?|(?:ein\s+)?halbes|pół)\s*(?:
        (?P<g>kilo(?:gramm?|grama)?|kg)|(?P<ml>lit(?:re|er|ra))|(?P<cm>met(?:re|er|ra)))\b";
    /// Millions of a number in digits.
    static MILLIONS = r"(?i)(?P<n>\d+(?:[.,]\d{1,3})?)\s*(?:millionen|millions?|mio\b\.?|mln\b\.?|milion\p{Latin}*)";
    /// Millions and billions of a currency, in short: "€1.2m", "2.5m euros".
    static MONEY_IN_SHORT = r"(?i)(?:(?P<sign>[€$£])\s?(?P<n>\d+(?:[.,]\d{1,3})?)\s?(?P<unit>m|mn|bn)(?P<end>$|[^\p{L}\d²³/])|\b(?P<plain>\d+(?:[.,]\d{1,3})?)\s?(?P<plain_unit>m|mn|bn)(?P<money>\s?(?:[€$£]|euros?\b|pounds?\b|dollars?\b|eur\b|usd\b|gbp\b)))";
    /// A sign in words, behind a comparison.
    static MINUS = r"(?i)\b(?P<than>than|under|over|below|above|als|unter|über|niż|poniżej|powyżej|do|bis|at\s+least|at\s+most)\s+minus\s+(?P<n>\d)";
    /// Two numbers that are the ends of a range.
    static RANGE = r"(?i)\b(?P<between>between|from|zwischen|von|między|pomiędzy|od)\s+(?P<a>\p{L}+|\d+)\s+(?P<and>and|to|und|bis|a|i|do)\s+(?P<b>\p{L}+|\d+)\b";
    /// What stands before the first end of a range in words.
    static RANGE_BEGINS = r"(?i)\b(?:between|from|zwischen|von)\s+(?:an?\s+)?$";
    /// A word that may be one of a number in words.
    static WORD = r"[\p{L}]+";
    /// A comparison with one of a unit.
    static ONE_OF = r"(?ix)\b(?P<than>than|under|over|below|above|at\s+least|at\s+most|within|exceeding|als|unter|über|mindestens|höchstens|maximal|niż|poniżej|powyżej|ponad|najwyżej|maksymalnie|co\s+najmniej)
        \s+(?:(?:an?|one|eine[mnrs]?|ein)\s+)?(?P<unit>hour|day|week|month|met(?:re|er)|kilomet(?:re|er)|kilo|kilogram|lit(?:re|er)|mile|stunde|tag|woche|monat|meter|kilometer|kilo(?:gramm)?|liter|metra?|kilometra?|kilograma?|litra?|godzin[ayę]|dzień|dnia|tydzień|tygodnia|miesiąca?)\b";
}

/// The articles that are a number, too, before the unit of what is counted.
const ARTICLES: [&str; 2] = ["ein", "eine"];

/// The first parts of Polish words for how many or how old something is: "dwupokojowe", "pięciolatek".
#[rustfmt::skip]
const PREFIXES: [(&str, usize); 11] = [
    ("jedno", 1), ("dwu", 2), ("trzy", 3), ("cztero", 4), ("pięcio", 5), ("sześcio", 6), ("siedmio", 7), ("ośmio", 8),
    ("dziewięcio", 9), ("dziesięcio", 10), ("dwunasto", 12),
];

/// Words by which a number before them is multiplied.
const SCALES: [(&str, f64); 13] = [
    ("hundred", 100.0),
    ("hundert", 100.0),
    ("thousand", 1000.0),
    ("tausend", 1000.0),
    ("tysiąc", 1000.0),
    ("tysiąca", 1000.0),
    ("tysiące", 1000.0),
    ("tysięcy", 1000.0),
    ("million", 1_000_000.0),
    ("millionen", 1_000_000.0),
    ("milion", 1_000_000.0),
    ("miliona", 1_000_000.0),
    ("milionów", 1_000_000.0),
];

/// A text with its amounts in digits. Single words that the vocabulary has for numbers stay, as do quoted texts.
pub(super) fn in_digits(text: &str) -> String {
    let hours = |found: &regex::Captures<'_>| {
        if let Some(number) = found.name("number") {
            let hours = value(&parts_of(&number.as_str().to_lowercase()));
            return format!("{} minutes", hours * 60.0 + 30.0);
        }
        let minutes = named(
            found,
            &[("quarter", 15.0), ("half", 30.0), ("most", 45.0), ("more", 90.0)],
        );
        format!("{minutes} minutes")
    };
    let parts = |found: &regex::Captures<'_>| {
        if let Some(number) = found.name("number") {
            let millions = value(&parts_of(&number.as_str().to_lowercase()));
            return (millions * 1_000_000.0 + 500_000.0).to_string();
        }
        let amounts = [
            ("half", 500_000.0),
            ("quarter", 250_000.0),
            ("more", 1_500_000.0),
            ("six", 6.0),
            ("twentyfour", 24.0),
            ("twelve", 12.0),
        ];
        named(found, &amounts).to_string()
    };
    let millions = |found: &regex::Captures<'_>| {
        let number = found.name("n").map_or("", |number| number.as_str());
        let read = number.replace(',', ".").parse::<f64>();
        read.map_or_else(
            |_| number.to_owned(),
            |number| (number * 1_000_000.0).round().to_string(),
        )
    };
    let in_short = |found: &regex::Captures<'_>| {
        let group = |name: &str| found.name(name).map_or("", |group| group.as_str());
        let written = format!("{}{}", group("n"), group("plain"));
        let unit = format!("{}{}", group("unit"), group("plain_unit")).to_lowercase();
        let scale = if unit == "bn" { 1e9 } else { 1e6 };
        let amount = written.replace(',', ".").parse::<f64>();
        let amount = amount.map_or(written, |amount| (amount * scale).round().to_string());
        format!("{}{amount}{}{}", group("sign"), group("end"), group("money"))
    };
    let range = |found: &regex::Captures<'_>| {
        let group = |name: &str| found.name(name).map_or("", |group| group.as_str());
        let whole = found.get(0).map_or("", |whole| whole.as_str());
        let end = |name: &str| {
            let word = group(name).to_lowercase();
            word.parse().ok().or_else(|| number(&word))
        };
        let is_in_words = |name: &str| group(name).starts_with(char::is_alphabetic);
        match (end("a"), end("b")) {
            (Some(low), Some(high)) if low < high && (is_in_words("a") || is_in_words("b")) => {
                format!("{} {low} {} {high}", group("between"), group("and"))
            }
            _ => whole.to_owned(),
        }
    };
    let one_of = |found: &regex::Captures<'_>| {
        let group = |name: &str| found.name(name).map_or("", |group| group.as_str());
        format!("{} 1 {}", group("than"), group("unit"))
    };
    let halves = |found: &regex::Captures<'_>| {
        let units = [("g", "500 g"), ("ml", "500 ml"), ("cm", "50 cm")];
        let mut units = units.iter().filter(|(unit, _)| found.name(unit).is_some());
        units.next().map_or("", |(_, amount)| amount).to_owned()
    };
    let minus = |found: &regex::Captures<'_>| {
        let group = |name: &str| found.name(name).map_or("", |group| group.as_str());
        format!("{} -{}", group("than"), group("n"))
    };
    let text = outside_quotes(text, &MINUS, minus);
    let text = outside_quotes(&text, &HOURS, hours);
    let text = outside_quotes(&text, &HALVES, halves);
    let text = outside_quotes(&text, &PARTS, parts);
    let text = outside_quotes(&text, &MILLIONS, millions);
    let text = outside_quotes(&text, &MONEY_IN_SHORT, in_short);
    let text = outside_quotes(&in_words(&text), &RANGE, range);
    outside_quotes(&text, &ONE_OF, one_of)
}

fn named(found: &regex::Captures<'_>, amounts: &[(&str, f64)]) -> f64 {
    let mut amounts = amounts.iter();
    amounts
        .find(|(name, _)| found.name(name).is_some())
        .map_or(0.0, |(_, amount)| *amount)
}

/// A text with its numbers of several words in digits: "two hundred", "twenty-five", "a thousand", "zweihundert".
fn in_words(text: &str) -> String {
    let quoted = quoted(text);
    let is_quoted = |at: usize| quoted.iter().any(|quote| quote.contains(&at));
    let words: Vec<_> = WORD
        .find_iter(text)
        .filter(|word| !is_quoted(word.start()))
        .collect();
    let mut out = String::with_capacity(text.len());
    let (mut copied, mut at) = (0, 0);
    while let Some(first) = words.get(at) {
        let mut length = 0;
        let mut parts: Vec<Part> = Vec::new();
        while let Some(word) = words.get(at + length) {
            let is_beside = length == 0
                || words
                    .get(at + length - 1)
                    .is_some_and(|before| matches!(text.get(before.end()..word.start()), Some(" " | "-")));
            let read = parts_of(&word.as_str().to_lowercase());
            if !is_beside || read.is_empty() {
                break;
            }
            parts.extend(read);
            length += 1;
            // "One hundred and fifty": what is smaller than the scale before it.
            if let Some(rest) = words.get(at + length..)
                && let Some((joined, count)) = behind_and(text, word.end(), rest, &parts)
                && !RANGE_BEGINS.is_match(text.get(..first.start()).unwrap_or_default())
            {
                parts.extend(joined);
                length += count;
            }
        }
        let has_scale = parts.iter().any(|part| matches!(part, Part::Times(_)));
        let digits = text.get(..first.start()).unwrap_or_default().trim_end();
        let is_after_digits = digits.ends_with(|c: char| c.is_ascii_digit());
        if (parts.len() > 1 || has_scale) && !is_after_digits {
            let mut start = first.start();
            // "a hundred"
            if matches!(parts.first(), Some(Part::Times(_)))
                && let Some(article) = at.checked_sub(1).and_then(|before| words.get(before))
                && matches!(article.as_str().to_lowercase().as_str(), "a" | "an")
            {
                start = article.start().max(copied);
            }
            out.push_str(text.get(copied..start).unwrap_or_default());
            out.push_str(&value(&parts).to_string());
            copied = words.get(at + length - 1).map_or(copied, |last| last.end());
        }
        at += length.max(1);
    }
    out.push_str(text.get(copied..).unwrap_or_default());
    out
}

/// The parts of a number that an "and" joins to those before it, and how many words they are with it: none where they do not make less than
/// the last scale.
fn behind_and(
    text: &str,
    end: usize,
    words: &[regex::Match<'_>],
    before: &[Part],
) -> Option<(Vec<Part>, usize)> {
    let Some(Part::Times(scale)) = before.last() else {
        return None;
    };
    let (and, rest) = words.split_first()?;
    let is_and = matches!(and.as_str().to_lowercase().as_str(), "and" | "und");
    (is_and && text.get(end..and.start()) == Some(" ")).then_some(())?;
    let (mut last, mut parts, mut count) = (and.end(), Vec::new(), 0);
    for word in rest {
        let is_beside = matches!(text.get(last..word.start()), Some(" " | "-"));
        let read = parts_of(&word.as_str().to_lowercase());
        if !is_beside || read.is_empty() {
            break;
        }
        parts.extend(read);
        (last, count) = (word.end(), count + 1);
    }
    (!parts.is_empty() && value(&parts) < *scale).then_some((parts, count + 1))
}

/// A part of a number in words.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Part {
    Plus(f64),
    Times(f64),
}

/// A whole number in digits or as a word.
pub(super) fn whole_number(text: &str) -> Option<usize> {
    let word = text.to_lowercase();
    word.parse().ok().or_else(|| whole_count(number(&word)?))
}

/// The number that a word is, in small letters.
pub(super) fn number(word: &str) -> Option<f64> {
    if ARTICLES.contains(&word) {
        return Some(1.0);
    }
    let number = VOCABULARY.numbers.get(word)?;
    Some(f64::from(u32::try_from(*number).ok()?))
}

/// The number that the first part of a word is, in small letters: "drei" of "dreijährig", "cztero" of "czteropokojowe".
pub(super) fn number_of_part(part: &str) -> Option<usize> {
    let mut prefixes = PREFIXES.iter();
    let prefix = prefixes.find(|(prefix, _)| *prefix == part);
    prefix
        .map(|(_, number)| *number)
        .or_else(|| whole_count(number(part)?))
}

/// The parts of a word: one, or those of a German compound; none where it is no number.
fn parts_of(word: &str) -> Vec<Part> {
    let plus = |word: &str| number(word).map(Part::Plus);
    let times = |word: &str| {
        SCALES
            .iter()
            .find(|(name, _)| *name == word)
            .map(|(_, scale)| Part::Times(*scale))
    };
    if let Some(part) = times(word).or_else(|| plus(word)) {
        return vec![part];
    }
    for scale in ["tausend", "hundert"] {
        if let Some((before, behind)) = word.split_once(scale)
            && let Some(scale) = times(scale)
        {
            let before = if before.is_empty() {
                Vec::new()
            } else {
                parts_of(before)
            };
            let rest = if behind.is_empty() {
                Vec::new()
            } else {
                parts_of(behind.trim_start_matches("und"))
            };
            let is_read = (word.starts_with("hundert") || word.starts_with("tausend") || !before.is_empty())
                && (behind.is_empty() || !rest.is_empty());
            return if is_read {
                [before, vec![scale], rest].concat()
            } else {
                Vec::new()
            };
        }
    }
    // "fünfundzwanzig"
    let joined = word
        .split_once("und")
        .and_then(|(ones, tens)| Some(vec![plus(tens)?, plus(ones)?]));
    joined.unwrap_or_default()
}

fn value(parts: &[Part]) -> f64 {
    let (mut total, mut current) = (0.0, 0.0);
    for part in parts {
        match part {
            Part::Plus(number) => current += number,
            Part::Times(scale) if *scale < 1000.0 => current = f64::max(current, 1.0) * scale,
            Part::Times(scale) => {
                total += f64::max(current, 1.0) * scale;
                current = 0.0;
            }
        }
    }
    total + current
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn amounts_in_words_become_digits_and_other_words_stay() {
        for (text, read) in [
            ("less than half a million", "less than 500000"),
            ("at most 1.5 million euros", "at most 1500000 euros"),
            ("unter zweihundert Euro", "unter 200 Euro"),
            ("fünfundzwanzig Zimmer", "25 Zimmer"),
            ("over a thousand pounds", "over 1000 pounds"),
            ("up to twenty-five guests", "up to 25 guests"),
            ("poniżej dwustu pięćdziesięciu", "poniżej dwustu pięćdziesięciu"),
            ("do dwa tysiące pięćset zł", "do 2500 zł"),
            ("krótsze niż dwie i pół godziny", "krótsze niż 150 minutes"),
            ("in half an hour", "in 30 minutes"),
            ("less than half a kilo", "less than 500 g"),
            ("unter einem halben Liter", "unter 500 ml"),
            ("wyższe niż metr", "wyższe niż 1 metr"),
            ("längste Fahrt über eine Stunde", "längste Fahrt über 1 Stunde"),
            ("at least a dozen reviews", "at least 12 reviews"),
            ("one of the two cheapest", "one of the two cheapest"),
            ("two bedrooms and three baths", "two bedrooms and three baths"),
            ("300 thousand", "300 thousand"),
            ("called \"half a million\"", "called \"half a million\""),
            ("the hundred best", "the 100 best"),
            ("under one hundred and fifty euros", "under 150 euros"),
            ("under two thousand and two hundred", "under 2200"),
            ("two hundred and three hundred", "200 and 300"),
            ("between one hundred and fifty", "between 100 and fifty"),
            ("hundert und fünfzig Euro", "150 Euro"),
            ("under two and a half million", "under 2500000"),
            ("over a million and a half euros", "over 1500000 euros"),
            ("zweieinhalb Millionen", "2500000"),
            ("houses up to €1.2m", "houses up to €1200000"),
            ("over $2.5bn", "over $2500000000"),
            ("under 1.2m euros, in Kent", "under 1200000 euros, in Kent"),
            ("€20/m², 3 m high", "€20/m², 3 m high"),
            ("between ten and twenty euros", "between 10 and 20 euros"),
            ("zwischen zehn und zwanzig Euro", "zwischen 10 und 20 Euro"),
            ("from one to another", "from one to another"),
            ("below minus 5 degrees", "below -5 degrees"),
            ("ab siebenundzwanzig Euro", "ab 27 Euro"),
        ] {
            assert_eq!(in_digits(text), read);
        }
    }
}
