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

/// A number, `k` for thousands, and one of the words.
macro_rules! count_pattern {
    ($words:literal) => {
        concat!(r"(?i)(\d[\d,.\u{a0} ]*)(k?)[\s\u{a0}]*(?:", $words, r")\b")
    };
}

locale::patterns! {
    static POINTS = count_pattern!("point|points|score|upvotes|votes|pkt|punkt\\w*");
    static COMMENTS = count_pattern!("comment|comments|replies|komentarz\\w*");
    static REVIEWS = count_pattern!("review|reviews|ratings|opini\\w*");
    static NUMBER = r"\d[\d,.\u{a0}\u{202f} ]*";
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
    let digits = found.get(1)?.as_str();
    if found.get(2).is_some_and(|thousand| !thousand.is_empty()) {
        let thousands: f64 = digits.trim().replace(',', ".").parse().ok()?;
        return Some((thousands * 1000.0).round() as u64);
    }
    number(digits)
}

/// The first whole number in a text, whatever stands between its groups of digits.
pub(crate) fn number(text: &str) -> Option<u64> {
    let digits = NUMBER.find(text)?.as_str();
    let plain: String = digits.chars().filter(char::is_ascii_digit).collect();
    plain.parse().ok()
}
