//! Articles of listings with unknown markup: repeating blocks with points or comments.

use extract::rules::records;
use page::Page;

/// An article of a listing.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct ListedArticle {
    pub(crate) title: String,
    pub(crate) url: String,
    pub(crate) points: Option<u64>,
    pub(crate) comments: Option<u64>,
}

/// Fewest articles of a listing.
const MIN_ARTICLES: usize = 3;

/// The articles of the first list of a page that has any; empty when no list names points or comments.
pub(crate) fn find(page: &Page) -> Vec<ListedArticle> {
    for group in records::find(page) {
        let articles: Vec<ListedArticle> = group
            .records
            .iter()
            .filter_map(|record| {
                let field = |key: &str| record.fields.get(key).and_then(|it| it.as_str());
                Some(ListedArticle {
                    title: field("title")?.to_owned(),
                    url: page.absolute(field("url")?)?.to_string(),
                    points: count_of("points", &record.text),
                    comments: count_of("comments", &record.text),
                })
            })
            .collect();
        let counted = articles
            .iter()
            .filter(|it| it.points.is_some() || it.comments.is_some())
            .count();
        if articles.len() >= MIN_ARTICLES && counted * 2 > articles.len() {
            return articles;
        }
    }
    Vec::new()
}

/// A number, perhaps with what scales it (`k`, `mln`), and one of the words.
macro_rules! count_pattern {
    ($words:literal) => {
        concat!(
            r"(?i)(\d+(?:[,.'’]\d+)*(?:[\u{a0}\u{202f} ]\d{3})*)[\s\u{a0}]*((?:k|m|mln|mio|tys|tsd|tis)\b)?\.?[\s\u{a0}]*(?:",
            $words,
            r")\b"
        )
    };
}

locale::patterns! {
    static POINTS = count_pattern!("point|points|score|upvotes|votes|pkt|punkt\\w*");
    static COMMENTS = count_pattern!("comment|comments|replies|komentarz\\w*");
    static REVIEWS = count_pattern!("review|reviews|ratings|opini\\w*");
    static NUMBER = r"(\d+(?:[,.'’]\d+)*(?:[\u{a0}\u{202f} ]\d{3}\b)*)[\s\u{a0}]*(?:(\p{L}+)\b)?";
}

/// The count of points, comments or reviews in a text; `None` for other names, and where there is none.
pub(crate) fn count_of(name: &str, text: &str) -> Option<u64> {
    let pattern = match name {
        "points" => &POINTS,
        "comments" => &COMMENTS,
        "reviews" => &REVIEWS,
        _ => return None,
    };
    let found = pattern.captures(text)?;
    let scale = found.get(2).map_or("", |word| word.as_str());
    scaled(last_number(found.get(1)?.as_str()), scale)
}

/// The first whole number in a text, with what scales it: 1200 in "(1.2K)".
pub(crate) fn number(text: &str) -> Option<u64> {
    let found = NUMBER.captures(text)?;
    let digits = found.get(1)?.as_str();
    let first = digits.split(BLANKS).next().unwrap_or(digits);
    // "2024 120": groups of three follow three digits at most.
    let is_grouped = first.len() <= 3 && first.bytes().all(|byte| byte.is_ascii_digit());
    let scale = found.get(2).map_or("", |word| word.as_str());
    match is_grouped {
        true => scaled(digits, scale),
        false if first.len() < digits.len() => scaled(first, ""),
        false => scaled(first, scale),
    }
}

/// Blanks between groups of digits.
const BLANKS: [char; 3] = [' ', '\u{a0}', '\u{202f}'];

/// The number that stands last in a run of digits: 12 of "2024 12", 4,512 of "4 512".
fn last_number(digits: &str) -> &str {
    let is_group = |part: &str| part.len() <= 3 && part.bytes().all(|byte| byte.is_ascii_digit());
    let mut blanks = digits.char_indices().rev().filter(|(_, c)| BLANKS.contains(c));
    let parted = blanks.find(|(at, _)| {
        let head = digits.get(..*at).unwrap_or_default();
        !head.rsplit(BLANKS).next().is_some_and(is_group)
    });
    parted
        .and_then(|(at, blank)| digits.get(at + blank.len_utf8()..))
        .unwrap_or(digits)
}

/// A count as it is written, with the word that scales it.
fn scaled(digits: &str, scale: &str) -> Option<u64> {
    let small = scale.to_lowercase();
    let power = match small.as_str() {
        "m" => Some(6),
        _ => locale::units::power_of_ten(&small),
    };
    let number = locale::number::parse(digits, Default::default())?;
    match power {
        Some(power) => {
            // "1.234k" has a fraction of three digits.
            let is_fraction = digits.matches([',', '.']).count() == 1;
            let decimal = if is_fraction {
                digits.replace(',', ".")
            } else {
                number
            };
            let count = decimal.parse::<f64>().ok()? * 10_f64.powi(power);
            Some(count.round() as u64)
        }
        None => number.parse().ok(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_side_by_side_are_two_counts() {
        for (text, count) in [
            ("by Ann on 5 January 2024 12 comments", 12),
            ("4.5 12 comments", 12),
            ("4.5 120 comments", 120),
            ("by Ann in 2024 120 comments", 120),
            ("1 204 comments", 1204),
            ("1,204 comments", 1204),
            ("1.2k comments", 1200),
            ("1,2 tys. komentarzy", 1200),
        ] {
            assert_eq!(count_of("comments", text), Some(count), "{text}");
        }
        for (text, count) in [
            ("(1.2K)", 1200),
            ("4.5M", 4_500_000),
            ("1,204 ratings", 1204),
            ("12 345 opinii", 12_345),
            ("1.299 Bewertungen", 1299),
            ("2024 120", 2024),
        ] {
            assert_eq!(number(text), Some(count), "{text}");
        }
    }
}
