//! Scores that guests gave to an entry, beside the stars of the hotel.

use crate::rules::product::rating::{self, OPINIONS, VERDICTS};

locale::patterns! {
    /// "Superb 1,544 reviews 9.4": a verdict, the number of opinions, and the score of ten behind it.
    static BEHIND_COUNT = format!(
        r"(?i)(?:^|\s)(?:{VERDICTS})\s+[0-9][0-9.,\s]*(?:{OPINIONS})\s+([0-9][.,][0-9]|10(?:[.,]0)?)(?:\s|$)"
    );
}

/// The average rating that the text of an entry spells out, as a decimal with a point: with its scale, or beside the number of opinions.
pub(super) fn spelled(text: &str) -> Option<String> {
    let behind_count = || Some(BEHIND_COUNT.captures(text)?.get(1)?.as_str().replace(',', "."));
    rating::spelled(text).or_else(behind_count)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_score_stands_before_or_behind_the_number_of_opinions() {
        assert_eq!(
            spelled("Porto Superb 1,544 reviews 9.4 1 night").as_deref(),
            Some("9.4")
        );
        assert_eq!(spelled("Fabelhaft 214 Bewertungen 8,7").as_deref(), Some("8.7"));
        assert_eq!(spelled("8.9 1,284 reviews").as_deref(), Some("8.9"));
        assert_eq!(spelled("Superb 1,544 reviews 94 rooms"), None);
    }
}
