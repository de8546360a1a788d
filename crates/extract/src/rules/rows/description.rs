//! Descriptions of entries: what a list's column of descriptions says beyond title, price and numbers.
//!
//! The longest column of a list without descriptions may hold all that an entry says.

use locale::price::{self, PriceHints};

/// Fewest words that describe something.
const FEWEST: usize = 3;
/// Fewest words that stand in a text of the whole entry beside its title.
const FEWEST_BESIDE: usize = 8;
/// Fewest words that say something beside a price.
const FEWEST_BESIDE_PRICE: usize = 6;
/// Most words with a number of a text that is no sentence, out of ten.
const NUMBERED: usize = 3;
/// Most words of a badge before the title.
const BADGE: usize = 2;
/// Fewest bytes of a title that is looked for in a text.
const SHORTEST_TITLE: usize = 3;

/// What a text says of an entry with a title; `None` where the text is a part of the title, or prices, days and labels.
pub(super) fn described(text: &str, title: Option<&str>) -> Option<String> {
    let title = title.unwrap_or_default().trim();
    let at = whole_words(text, title).filter(|_| title.len() >= SHORTEST_TITLE);
    // A badge may stand before the title.
    let begins = at.is_some_and(|at| {
        text.get(..at)
            .is_some_and(|before| before.split_whitespace().count() <= BADGE)
    });
    if begins && let Some(beside) = at.and_then(|at| text.get(at + title.len()..)) {
        // "Wireless networks (WN) are": the title is the subject of a sentence.
        let next = beside.trim_start().chars().next();
        if next.is_some_and(|c| c.is_lowercase() || c == '(') && words(beside) >= FEWEST_BESIDE {
            return Some(text.to_owned());
        }
        let is_told = is_sentence(beside) && words(beside) >= FEWEST_BESIDE && !is_numbered(beside);
        return is_told.then(|| {
            beside
                .trim_start_matches([' ', ':', '-', '–', '—', '·', '|', ','])
                .trim_end()
                .to_owned()
        });
    }
    if at.is_some() && !is_sentence(text) {
        return None;
    }
    let is_of_title = title.len() >= text.len() && title.contains(text);
    let is_told = is_sentence(text) || (words(text) >= FEWEST && !is_numbered(text));
    let is_told = is_told && !is_of_price(text);
    (is_told && !is_of_title).then(|| text.to_owned())
}

/// Where a text has a title as words of its own: "Room 12" has no "Room 1".
fn whole_words(text: &str, title: &str) -> Option<usize> {
    let ends_word = title.ends_with(char::is_alphanumeric);
    let mut places = text.match_indices(title).map(|(at, _)| at);
    places.find(|at| {
        let behind = text.get(at + title.len()..).unwrap_or_default();
        !(ends_word && behind.starts_with(char::is_alphanumeric))
    })
}

/// The number of words with letters.
fn words(text: &str) -> usize {
    text.split_whitespace()
        .filter(|word| word.contains(char::is_alphabetic))
        .count()
}

/// Whether a text has the end of a sentence behind a word, or has been cut off.
fn is_sentence(text: &str) -> bool {
    let mut words = text.split_whitespace();
    words.any(|word| {
        let bare = word.trim_end_matches(['"', '\'', '”', '’', ')']);
        let letters = bare.chars().filter(|c| c.is_alphabetic()).count();
        bare.ends_with(['…', '。'])
            || bare.ends_with("...")
            || (letters > 2 && bare.ends_with(['.', '!', '?']))
    })
}

/// Whether a text says what something costs and little else: "from £165 a night", "or 24 × £37.46 a month".
fn is_of_price(text: &str) -> bool {
    words(text) < FEWEST_BESIDE_PRICE && !price::find_all(text, &PriceHints::default()).is_empty()
}

/// Whether many of the words of a text are numbers, prices and days.
fn is_numbered(text: &str) -> bool {
    let all = text.split_whitespace().count();
    let numbered = text
        .split_whitespace()
        .filter(|word| word.contains(|c: char| c.is_ascii_digit()))
        .count();
    numbered * 10 >= all * NUMBERED
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_of_the_whole_entry_is_no_description_unless_it_tells_something() {
        let of = |text: &str| described(text, Some("Pink bag"));
        assert_eq!(of("Pink bag $130.00"), None);
        assert_eq!(of("New Pink bag Sold out View Add Buy"), None);
        assert_eq!(of("Pink bag"), None);
        assert_eq!(
            of("Pink bag: made by hand of old sails, with room for two books.").as_deref(),
            Some("made by hand of old sails, with room for two books.")
        );
        assert!(of("Pink bag (or tote) is what many readers of these pages call it").is_some());
        assert_eq!(
            of("For more of it see Pink bag. Bags of old sails are made by hand.").as_deref(),
            Some("For more of it see Pink bag. Bags of old sails are made by hand.")
        );
        assert_eq!(of("A bag for two books").as_deref(), Some("A bag for two books"));
    }

    #[test]
    fn a_title_is_no_part_of_a_longer_word() {
        let text = "Room 12 guests can use the shared kitchen and the garden all the year.";
        assert_eq!(described(text, Some("Room 1")).as_deref(), Some(text));
    }

    #[test]
    fn prices_and_days_describe_nothing() {
        let of = |text: &str| described(text, Some("Chess set"));
        assert_eq!(
            of("Special Price $173.00 You Save $176.99 Regular Price $349.99"),
            None
        );
        assert_eq!(of("8 years 11 months ago"), None);
        assert_eq!(of("Nature 521 (7553), 436-44, 2015"), None);
        assert!(of("Pieces of 4 sizes for boards of 8 rows, turned from one block of wood.").is_some());
    }
}
