//! ElementCounts: what is counted on an element or in a piece of text.

use locale::price::is_sign;
use page::dom::Node;

/// What can be counted over a range.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct ElementCounts {
    /// Characters of visible text.
    pub(super) chars: u32,
    /// Words of visible text.
    pub(super) words: u32,
    /// Characters of visible text inside links.
    pub(super) link_chars: u32,
    /// Links with a target.
    pub(super) links: u32,
    /// Images, as tags or as backgrounds.
    pub(super) images: u32,
    /// Headings.
    pub(super) headings: u32,
    /// Pieces of text that look like a price.
    pub(super) prices: u32,
    /// Pieces of text or elements that look like a date.
    pub(super) dates: u32,
    /// Form controls: inputs, check boxes, buttons.
    pub(super) controls: u32,
}

macro_rules! each_count {
    ($with:ident) => {
        $with!(
            chars, words, link_chars, links, images, headings, prices, dates, controls
        )
    };
}

impl ElementCounts {
    /// Adds another count.
    pub(super) fn add(&mut self, other: &ElementCounts) {
        macro_rules! sum { ($($f:ident),*) => { $(self.$f = self.$f.saturating_add(other.$f);)* } }
        each_count!(sum);
    }

    /// What is left without another count.
    pub(super) fn minus(&self, other: &ElementCounts) -> ElementCounts {
        macro_rules! rest { ($($f:ident),*) => { ElementCounts { $($f: self.$f.saturating_sub(other.$f)),* } } }
        each_count!(rest)
    }
}

/// What an element itself counts for, without its text.
pub(super) fn own_counts(node: Node<'_>) -> ElementCounts {
    let mut own = ElementCounts::default();
    match node.tag() {
        "img" | "picture" | "video" | "canvas" => own.images = 1,
        "h1" | "h2" | "h3" | "h4" | "h5" | "h6" => own.headings = 1,
        "input" | "button" => own.controls = 1,
        "time" => own.dates = 1,
        _ => {}
    }
    if node
        .attr("style")
        .is_some_and(|style| style.contains("background") && style.contains("url("))
    {
        own.images = 1;
    }
    own
}

/// Adds what a piece of text counts for.
pub(super) fn count_text(text: &str, in_link: bool, own: &mut ElementCounts) {
    let mut chars = 0u32;
    let mut words = 0u32;
    let mut digits = false;
    let mut money = false;
    let mut in_word = false;
    for letter in text.chars() {
        if letter.is_whitespace() {
            in_word = false;
            continue;
        }
        chars += 1;
        if letter.is_alphanumeric() {
            words += u32::from(!in_word);
            in_word = true;
            digits |= letter.is_ascii_digit();
        } else {
            in_word = in_word && matches!(letter, '\'' | '’' | '.' | ',');
            money |= is_sign(letter);
        }
    }
    own.chars = own.chars.saturating_add(chars);
    own.words = own.words.saturating_add(words);
    if in_link {
        own.link_chars = own.link_chars.saturating_add(chars);
    }
    // A sign alone belongs to a price whose digits are the next piece; `[$]` in a sentence does not.
    if (money && (digits || chars <= 3)) || (digits && text.len() < 40 && names_currency(text)) {
        own.prices = own.prices.saturating_add(1);
    }
    if digits && text.len() < 200 && looks_dated(text) {
        own.dates = own.dates.saturating_add(1);
    }
}

/// Whether one of the words of a text is a currency: "Okra 2 kg" names none, "250kr" does.
fn names_currency(text: &str) -> bool {
    #[rustfmt::skip]
    const NAMES: [&str; 34] = [
        "USD", "EUR", "GBP", "CHF", "PLN", "CZK", "SEK", "NOK", "DKK", "JPY", "INR", "RUB", "CAD", "AUD", "NZD", "HUF", "RON",
        "zł", "złotych", "złote", "złoty", "Kč", "korun", "koruny", "kr", "kroner", "kronor", "krone", "Ft", "руб", "рублей", "рубля", "рубль", "грн",
    ];
    text.split(|c: char| !c.is_alphabetic())
        .any(|word| NAMES.contains(&word))
}

/// Whether a text with a digit speaks of a day: a year, a month by name, `12/05/2016`, `3 days ago`.
fn looks_dated(text: &str) -> bool {
    const MONTHS: [&str; 26] = [
        "jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec", "mai", "juin",
        "juil", "ene", "abr", "ago", "dic", "märz", "okt", "dez", "янв", "фев", "hour", "day",
    ];
    let bytes = text.as_bytes();
    let mut run = 0usize;
    let mut groups = 0u32;
    for at in 0..=bytes.len() {
        match bytes.get(at) {
            Some(byte) if byte.is_ascii_digit() => run += 1,
            other => {
                if run == 4
                    && bytes
                        .get(at - 4..at - 2)
                        .is_some_and(|century| century == b"19" || century == b"20")
                {
                    return true;
                }
                let joins = other.is_some_and(|byte| matches!(byte, b'/' | b'.' | b'-' | b':'));
                groups = if matches!(run, 1 | 2) { groups + 1 } else { 0 };
                if groups >= 3 {
                    return true;
                }
                if !joins {
                    groups = 0;
                }
                run = 0;
            }
        }
    }
    text.split(|c: char| !c.is_alphabetic()).any(|word| {
        let word = word.to_lowercase();
        word.chars().count() >= 3 && MONTHS.iter().any(|month| word.starts_with(month)) && word.len() <= 10
    })
}

#[cfg(test)]
mod tests {
    use super::{ElementCounts, count_text};

    #[test]
    fn a_currency_is_a_word_or_a_sign_and_no_part_of_a_word() {
        for (text, prices) in [
            ("250kr", 1),
            ("25 złotych", 1),
            ("250 kroner", 1),
            ("25 CAD", 1),
            ("₦ 500", 1),
            ("Ukraine: day 1001", 0),
            ("Okra 2 kg", 0),
            ("Bankrupt 2020", 0),
        ] {
            let mut counts = ElementCounts::default();
            count_text(text, false, &mut counts);
            assert_eq!(counts.prices, prices, "{text}");
        }
    }
}
