//! Ratings that an entry draws as stars, and the numbers of reviews in brackets behind them.

use serde_json::Value;

locale::patterns! {
    /// The number of reviews in brackets right behind stars or a scale: "★★★★½ (12)", "4.5 out of 5 (1,204)".
    static COUNT_BEHIND_STARS = r"(?:[★☆✩✭⯪⯨½⭐]|(?i:\bstars?|\bsternen?|\bgwiazdk\p{L}*|\bout of (?:5|10)))\s*\(\s*(\d{1,3}(?:[., \x{a0}\x{202f}]\d{3})+|\d{1,7})\s*\)";
    /// A rating as a fraction and a number in brackets right behind it: "4.5/5 (1,204)".
    static COUNT_BEHIND_FRACTION = r"(\d{1,2}(?:[.,]\d{1,2})?)\s?/\s?(?:5|10)\s*\(\s*(\d{1,3}(?:[., \x{a0}\x{202f}]\d{3})+|\d{1,7})\s*\)";
    /// Stars of which some are empty: "★★★★☆".
    static DRAWN = r"([★⭐]*)(½?)(☆+)";
}

/// Stars of a scale.
const SCALE: usize = 5;

/// The rating that a text draws: four of "★★★★☆". Full stars alone may be those of a hotel, or of another scale.
pub(super) fn rating(text: &str) -> Option<String> {
    let drawn = DRAWN.captures(text)?;
    let count = |at: usize| drawn.get(at).map_or(0, |stars| stars.as_str().chars().count());
    let (full, half, empty) = (count(1), count(2), count(3));
    let rating = full as f32 + half as f32 / 2.0;
    (full + half + empty == SCALE && rating > 0.0).then(|| rating.to_string())
}

/// The digits of the number in brackets behind stars, or behind a rating that is written as a fraction. A year is none: "★★★★☆ (1979)".
pub(super) fn count_behind(text: &str, rating: Option<&Value>) -> Option<String> {
    let behind_stars = COUNT_BEHIND_STARS.captures(text);
    let behind_stars = behind_stars.and_then(|found| Some(found.get(1)?.as_str()));
    let count = behind_stars.or_else(|| count_behind_fraction(text, rating?))?;
    let is_year = count.len() == 4 && (count.starts_with("19") || count.starts_with("20"));
    (!is_year).then(|| count.chars().filter(char::is_ascii_digit).collect())
}

/// The number in brackets behind a rating that is written as a fraction: "9/10 (12)".
fn count_behind_fraction<'t>(text: &'t str, rating: &Value) -> Option<&'t str> {
    let found = COUNT_BEHIND_FRACTION.captures(text)?;
    let written: f64 = found.get(1)?.as_str().replace(',', ".").parse().ok()?;
    (rating.as_f64() == Some(written)).then_some(found.get(2)?.as_str())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_year_behind_stars_is_no_number_of_reviews() {
        assert_eq!(count_behind("Alien ★★★★☆ (1979)", None), None);
        assert_eq!(count_behind("Alien ★★★★☆ (197)", None).as_deref(), Some("197"));
        assert_eq!(count_behind("Alien ★★★★☆ (1,979)", None).as_deref(), Some("1979"));
        assert_eq!(count_behind("Alien 9/10 (1979)", Some(&9.into())), None);
    }

    #[test]
    fn stars_of_which_some_are_empty_are_a_rating() {
        for (text, wanted) in [
            ("★★★★☆ (12)", Some("4")),
            ("★★★½☆", Some("3.5")),
            ("★★★★★", None),
            ("★★★ Hotel", None),
            ("☆☆☆☆☆", None),
            ("★★☆", None),
        ] {
            assert_eq!(rating(text).as_deref(), wanted, "{text}");
        }
    }
}
