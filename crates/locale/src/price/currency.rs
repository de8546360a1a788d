//! Currencies as a text names them, and their ISO 4217 codes.

use std::cmp::Reverse;
use std::collections::HashMap;
use std::ops::Range;
use std::sync::LazyLock;

use smallvec::SmallVec;

use super::labels;
use crate::number::{char_at, char_before};
use crate::sections;

/// Symbols, names and codes; its head says where they are from.
const CURRENCIES: &str = include_str!("currencies.txt");
/// Most currencies that are read from one text.
const MAX_MATCHES: usize = 32;

/// Signs that mean money wherever they stand, unless they stand in capitals before a number.
const SMALL: [&str; 2] = ["LEI", "FT"];

crate::patterns! {
    /// The day of a month, or the first day of several, with the word behind it.
    static BEFORE_MONTH = r"^\s*\d{1,2}\.(?:\s*[-–/]\s*\d{1,2}\.)?\s*(\p{L}{3,})";
    /// A day and a month in numbers, behind which a point stands, and a year or the last day.
    static DAY_AND_MONTH = r"^\s*(\d{1,2})\.(?:\s*[-–/]\s*\d{1,2}\.)?\s*(\d{1,2})\.(\s*(?:\d{4}|\d{2})\b|\s*[-–])?";
}

/// How sure a form is to mean money.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum CurrencyCertainty {
    /// An ordinary word: believed only behind a number ("5 GEL", not "HAIR GEL 5").
    BehindNumber,
    /// A letter or a word that means other things too: believed only beside a number.
    BesideNumber,
    /// Means money wherever it stands.
    Anywhere,
}

/// A currency found in a text.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct CurrencyMatch {
    pub(super) start: usize,
    pub(super) end: usize,
    /// ISO 4217 code; the most used one where several currencies share the sign.
    pub(super) iso: &'static str,
    pub(super) certainty: CurrencyCertainty,
    /// Whether it stands in capitals where it is written in small letters, or with one capital, as money: the name of a product,
    /// a train or a standard begins so ("KR161", "RE 4410", "DIN 912").
    pub(super) is_capitalised: bool,
}

impl CurrencyMatch {
    pub(super) fn is_certain(&self) -> bool {
        self.certainty == CurrencyCertainty::Anywhere
    }

    /// The currency as written in `text`, or its code where only marks for missing cents are written: "129:-".
    pub(super) fn name<'t>(&self, text: &'t str) -> &'t str {
        let written = self.text(text).unwrap_or_default();
        match written {
            "" | ":-" | "/-" => self.iso,
            _ => written,
        }
    }

    /// The currency as written in `text`.
    pub(super) fn text<'t>(&self, text: &'t str) -> Option<&'t str> {
        text.get(self.start..self.end)
    }
}

/// A form ready for comparing.
struct CurrencyForm {
    /// Lower case, except forms of one letter.
    folded: Box<str>,
    /// The second character of `folded`: most forms are told apart by their first two.
    second: Option<char>,
    iso: &'static str,
    certainty: CurrencyCertainty,
    /// Whether case counts.
    exact: bool,
    /// Whether it is letters, of which some are small, and needs a number beside it.
    has_small_letters: bool,
    /// Whether a word boundary has to stand before it.
    opens_word: bool,
    /// Whether a word boundary has to stand behind it.
    closes_word: bool,
}

/// All forms by their first character, longest first, and what the data file says about codes.
#[derive(Default)]
struct CurrencyTable {
    ascii: Vec<Vec<CurrencyForm>>,
    rest: HashMap<char, Vec<CurrencyForm>>,
    thousandths: Vec<&'static str>,
    comma_thousandths: Vec<&'static str>,
    /// Sign, then country and code.
    by_country: Vec<(&'static str, Vec<&'static str>)>,
}

static TABLE: LazyLock<CurrencyTable> = LazyLock::new(CurrencyTable::read);

impl CurrencyTable {
    fn read() -> CurrencyTable {
        let mut table = CurrencyTable {
            ascii: (0..128).map(|_| Vec::new()).collect(),
            ..CurrencyTable::default()
        };
        for (section, line) in sections::lines(CURRENCIES) {
            let mut words = line.split(' ');
            match section {
                "forms" => table.add_line(line),
                "codes" => words.for_each(|code| table.add(code, code, CurrencyCertainty::Anywhere)),
                "wordlike codes" => {
                    words.for_each(|code| table.add(code, code, CurrencyCertainty::BehindNumber))
                }
                "thousandths" => table.thousandths.extend(words),
                "thousandths behind a comma" => table.comma_thousandths.extend(words),
                _ => table
                    .by_country
                    .extend(words.next().map(|sign| (sign, words.collect()))),
            }
        }
        for list in table.ascii.iter_mut().chain(table.rest.values_mut()) {
            list.sort_by_key(|form| (Reverse(form.folded.len()), Reverse(form.certainty)));
        }
        table
    }

    /// A line `CODE form | form ; form | form ; form | form`.
    fn add_line(&mut self, line: &'static str) {
        let Some((iso, forms)) = line.split_once(' ') else {
            return;
        };
        // Without forms that stand anywhere, the line begins with the separator.
        let (anywhere, beside) = match forms.strip_prefix("; ") {
            Some(beside) => ("", beside),
            None => forms.split_once(" ; ").unwrap_or((forms, "")),
        };
        let (beside, behind) = beside.split_once(" ; ").unwrap_or((beside, ""));
        for (forms, certainty) in [
            (anywhere, CurrencyCertainty::Anywhere),
            (beside, CurrencyCertainty::BesideNumber),
            (behind, CurrencyCertainty::BehindNumber),
        ] {
            for form in forms.split(" | ") {
                self.add(form, iso, certainty);
            }
        }
    }

    fn add(&mut self, text: &'static str, iso: &'static str, certainty: CurrencyCertainty) {
        let stem = text.strip_suffix('*');
        let text = stem.unwrap_or(text);
        let exact = text.chars().count() == 1;
        let folded: String = if exact {
            text.to_owned()
        } else {
            text.chars().map(fold).collect()
        };
        let (Some(first), Some(last)) = (folded.chars().next(), folded.chars().next_back()) else {
            return;
        };
        let form = CurrencyForm {
            second: folded.chars().nth(1),
            folded: folded.into(),
            iso,
            certainty,
            exact,
            has_small_letters: certainty == CurrencyCertainty::BesideNumber
                && text.chars().all(char::is_alphabetic)
                && text.chars().any(char::is_lowercase),
            opens_word: has_boundaries(first),
            closes_word: has_boundaries(last) && stem.is_none(),
        };
        match self.ascii.get_mut(first as usize) {
            Some(list) => list.push(form),
            None => self.rest.entry(first).or_default().push(form),
        }
    }

    fn forms(&self, first: char) -> &[CurrencyForm] {
        let list = self.ascii.get(first as usize).or_else(|| self.rest.get(&first));
        list.map_or(&[], Vec::as_slice)
    }
}

/// The ISO code of a written form in a country ("$" in Canada is CAD); `None` when the form is unknown.
pub(super) fn code(form: &str, country: Option<&str>) -> Option<&'static str> {
    let trimmed = form.trim();
    let bare = trimmed.trim_end_matches('.').to_lowercase();
    let national = country.and_then(|country| {
        let (_, codes) = TABLE.by_country.iter().find(|(sign, _)| *sign == bare)?;
        let mut pairs = codes.chunks_exact(2);
        pairs.find_map(|pair| match pair {
            [name, iso] if name.eq_ignore_ascii_case(country) => Some(*iso),
            _ => None,
        })
    });
    national.or_else(|| {
        let currency = match_at(trimmed, 0)?;
        (currency.end == trimmed.len()).then_some(currency.iso)
    })
}

/// The separators behind which three digits are thousandths of the currency; none where its smallest coin is larger.
pub(super) fn thousandth_separators(iso: &str) -> &'static str {
    if !TABLE.thousandths.contains(&iso) {
        ""
    } else if TABLE.comma_thousandths.contains(&iso) {
        ".,"
    } else {
        "."
    }
}

/// Lower case of one character, for comparing only.
fn fold(c: char) -> char {
    if c.is_ascii() {
        c.to_ascii_lowercase()
    } else {
        c.to_lowercase().next().unwrap_or(c)
    }
}

/// Letters of scripts that separate words by blanks and write prices apart from words.
fn has_boundaries(c: char) -> bool {
    c.is_alphabetic() && (u32::from(c) < 0x0590 || ('\u{10A0}'..='\u{139F}').contains(&c))
}

/// The longest currency that starts at byte `at`.
fn match_at(text: &str, at: usize) -> Option<CurrencyMatch> {
    let first = char_at(text, at)?;
    let folded = fold(first);
    let second = char_at(text, at + first.len_utf8());
    let keys = [Some(folded), Some(first).filter(|first| *first != folded)];
    let mut best: Option<(&CurrencyForm, usize)> = None;
    for key in keys.into_iter().flatten() {
        for form in TABLE.forms(key) {
            if best.is_some_and(|(longest, _)| longest.folded.len() >= form.folded.len()) {
                break;
            }
            let is_likely = form
                .second
                .is_none_or(|expected| second.is_some_and(|second| is_same(second, expected)));
            let end = is_likely.then(|| end_of_form(text, at, form)).flatten();
            let is_word = |end: &usize| is_dollar_before_word(form, text.get(at..*end).unwrap_or_default());
            if let Some(end) = end.filter(|end| !is_word(end)) {
                best = Some((form, end));
                break;
            }
        }
    }
    // Feet, a German "at" and hours ("2 Std."), not forints, ouguiyas and dobras, which are written with capitals. Shops write lei
    // in small letters, too.
    let best = best.filter(|(form, end)| {
        let written = text.get(at..*end).unwrap_or_default();
        let is_word = form.certainty == CurrencyCertainty::BehindNumber
            && form.folded.eq_ignore_ascii_case(form.iso)
            && form.iso != "RON"
            && written.chars().any(char::is_lowercase);
        !is_word
            && !matches!(written, "ft" | "ft." | "um")
            && may_be_code(text, at..*end, form)
            && !is_friday(text, at..*end)
            && !is_letter_of_text(text, at..*end)
    });
    best.map(|(form, end)| CurrencyMatch {
        start: at,
        end,
        iso: form.iso,
        certainty: form.certainty,
        is_capitalised: text.get(at..end).is_some_and(|written| {
            let is_small = form.has_small_letters || SMALL.contains(&written);
            is_small && written.len() > 1 && !written.chars().any(char::is_lowercase)
        }),
    })
}

/// Whether a small letter and the dollar sign that stands apart from it are no currency, as `R $` is: "a $5 fee", "it's $5".
fn is_letter_of_text(text: &str, place: Range<usize>) -> bool {
    let mut form = text.get(place).unwrap_or_default().chars();
    let (Some(letter), Some(blank), Some('$')) = (form.next(), form.next(), form.next()) else {
        return false;
    };
    letter.is_lowercase() && blank.is_whitespace()
}

/// Whether a dollar sign with a country behind it is the sign and a word: "10 $ us", "10 $ ca. 5 kg".
fn is_dollar_before_word(form: &CurrencyForm, written: &str) -> bool {
    matches!(&*form.folded, "$ca" | "$ ca" | "$us" | "$ us" | "$au" | "$ au")
        && written.chars().any(char::is_lowercase)
}

/// Codes that people write in small letters, too; those of other currencies are words of some language then: "seit dem 21. August",
/// "30 sek".
const IN_SMALL_LETTERS: [&str; 22] = [
    "eur", "usd", "gbp", "pln", "chf", "czk", "huf", "nok", "dkk", "rub", "uah", "aud", "jpy", "inr", "ron",
    "mxn", "brl", "zar", "btc", "usdt", "usdc", "nzd",
];
/// Fewest digits of an amount in pesos: below, `PHP` with a number is a version of a programming language.
const PESOS: usize = 3;

/// Whether a form that is a code stands as one in a text.
fn may_be_code(text: &str, place: Range<usize>, form: &CurrencyForm) -> bool {
    let code = form.folded.trim_end_matches('.');
    if !code.eq_ignore_ascii_case(form.iso) {
        return true;
    }
    let written = text.get(place.clone()).unwrap_or_default();
    if written.chars().any(char::is_lowercase) {
        let before = text.get(..place.start).unwrap_or_default().trim_end();
        // "Rub 2 spoons of salt in"
        let is_verb = form.iso == "RUB" && !before.ends_with(|c: char| c.is_ascii_digit());
        return IN_SMALL_LETTERS.contains(&code) && !is_verb;
    }
    let behind = text.get(place.end..).unwrap_or_default();
    let number = behind.trim_start_matches([' ', '\u{a0}', '-']);
    let digits = number.bytes().take_while(u8::is_ascii_digit).count();
    let rest = number.get(digits..).unwrap_or_default();
    let decimals = rest
        .strip_prefix(['.', ','])
        .map_or(0, |rest| rest.bytes().take_while(u8::is_ascii_digit).count());
    match form.iso {
        "PHP" => digits == 0 || digits >= PESOS || decimals >= 2,
        // "CVE-2021-44228"
        "CVE" => !(digits == 4 && (number.starts_with("19") || number.starts_with("20")) && decimals == 0),
        _ => true,
    }
}

/// Whether "Fr." is the weekday before a day, and no francs: "Fr. 4.4.", "Fr. 7. März", "Fr. 28.–30.3.". A day of two numbers with two
/// digits each may be an amount at the end of a sentence ("kostet Fr. 5.10."): then it is a day only where no word leads to it.
fn is_friday(text: &str, place: Range<usize>) -> bool {
    let written = text.get(place.clone()).unwrap_or_default();
    if !matches!(written, "Fr" | "Fr." | "fr.") {
        return false;
    }
    let behind = text.get(place.end..).unwrap_or_default();
    let behind = behind.strip_prefix('.').unwrap_or(behind);
    if let Some(named) = BEFORE_MONTH.captures(behind).and_then(|found| found.get(1)) {
        return labels::is_month(&named.as_str().to_lowercase());
    }
    let Some(found) = DAY_AND_MONTH.captures(behind) else {
        return false;
    };
    let number = |at: usize| {
        let found = found.get(at)?;
        Some((found.as_str().parse::<u8>().ok()?, found.len()))
    };
    let (Some((day, day_digits)), Some((month, digits))) = (number(1), number(2)) else {
        return false;
    };
    let is_led = text
        .get(..place.start)
        .is_some_and(|head| head.trim_end().ends_with(char::is_alphanumeric));
    // No coin is smaller than five hundredths of a franc.
    let may_be_amount =
        digits == 2 && month % 5 == 0 && !(day_digits == 2 && day < 10) && found.get(3).is_none();
    (1..=31).contains(&day) && (1..=12).contains(&month) && !(may_be_amount && is_led)
}

/// Whether a character of a text stands for one of a folded form. A blank inside a form may be any blank.
fn is_same(c: char, expected: char) -> bool {
    fold(c) == expected || (expected == ' ' && c.is_whitespace())
}

/// Where `form` ends when it stands at `at` between word boundaries.
fn end_of_form(text: &str, at: usize, form: &CurrencyForm) -> Option<usize> {
    let rest = text.get(at..)?;
    let length = if form.exact {
        rest.starts_with(&*form.folded).then_some(form.folded.len())?
    } else {
        let mut length = 0;
        let mut chars = rest.chars();
        for expected in form.folded.chars() {
            let c = chars.next()?;
            if !is_same(c, expected) {
                return None;
            }
            length += c.len_utf8();
        }
        length
    };
    let end = at + length;
    let joined_before = form.opens_word && char_before(text, at).is_some_and(has_boundaries);
    let joined_after = form.closes_word && char_at(text, end).is_some_and(has_boundaries);
    (!joined_before && !joined_after).then_some(end)
}

/// All currencies named in `text`, in order, at most 32.
pub(super) fn scan(text: &str) -> SmallVec<[CurrencyMatch; 4]> {
    let mut found: SmallVec<[CurrencyMatch; 4]> = SmallVec::new();
    let mut at = 0;
    let mut inside_word = false;
    while let Some(c) = char_at(text, at) {
        // Within a word no form can start.
        let letter = has_boundaries(c);
        let skip = c.is_ascii_digit() || c == ' ' || c == ',' || (inside_word && letter);
        inside_word = letter;
        match (!skip).then(|| match_at(text, at)).flatten() {
            Some(currency) => {
                at = currency.end.max(at + c.len_utf8());
                inside_word = false;
                found.push(currency);
                if found.len() == MAX_MATCHES {
                    break;
                }
            }
            None => at += c.len_utf8(),
        }
    }
    found
}
