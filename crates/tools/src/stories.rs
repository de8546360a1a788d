//! News of a list whose markup is not known: repeating blocks that name points or comments.

use std::sync::LazyLock;

use extract::rules::records;
use page::Page;
use regex::Regex;

/// A story of a list.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Story {
    pub(crate) title: String,
    pub(crate) url: String,
    pub(crate) points: Option<u64>,
    pub(crate) comments: Option<u64>,
}

/// Fewest stories that make a list.
const FEWEST: usize = 3;

/// The stories of a page; nothing when it is not plain that its blocks are stories.
pub(crate) fn find(page: &Page) -> Vec<Story> {
    for group in records::find(page) {
        let stories: Vec<Story> = group
            .records
            .iter()
            .filter_map(|record| {
                let said = |key: &str| record.fields.get(key).and_then(|it| it.as_str());
                Some(Story {
                    title: said("title")?.to_owned(),
                    url: page.absolute(said("url")?)?.to_string(),
                    points: count_of("points", &record.text),
                    comments: count_of("comments", &record.text),
                })
            })
            .collect();
        let told = stories
            .iter()
            .filter(|it| it.points.is_some() || it.comments.is_some())
            .count();
        if stories.len() >= FEWEST && told * 2 > stories.len() {
            return stories;
        }
    }
    Vec::new()
}

/// What a list counts, and the words that stand behind the number.
const COUNTS: [(&str, &str); 3] = [
    ("points", "point|points|score|upvotes|votes|pkt|punkt\\w*"),
    ("comments", "comment|comments|replies|komentarz\\w*"),
    ("reviews", "review|reviews|ratings|opini\\w*"),
];

/// The number of something that a text tells; none when it is not told, or nothing that lists count.
pub(crate) fn count_of(name: &str, text: &str) -> Option<u64> {
    let (_, words) = COUNTS.iter().find(|(it, _)| *it == name)?;
    counted(text, words)
}

/// The number before one of the words.
pub(crate) fn counted(text: &str, words: &str) -> Option<u64> {
    let pattern = Regex::new(&format!(
        r"(?i)(\d[\d,.\u{{a0}} ]*)(k?)[\s\u{{a0}}]*(?:{words})\b"
    ))
    .ok()?;
    let found = pattern.captures(text)?;
    let digits = found.get(1)?.as_str();
    if found.get(2).is_some_and(|it| !it.as_str().is_empty()) {
        let thousands: f64 = digits.trim().replace(',', ".").parse().ok()?;
        return Some((thousands * 1000.0).round() as u64);
    }
    number(digits)
}

/// A whole number with whatever stands between its groups of digits.
pub(crate) fn number(text: &str) -> Option<u64> {
    static DIGITS: LazyLock<Option<Regex>> = LazyLock::new(|| Regex::new(r"\d[\d,.\u{a0}\u{202f} ]*").ok());
    let digits = DIGITS.as_ref()?.find(text)?.as_str();
    let plain: String = digits.chars().filter(char::is_ascii_digit).collect();
    plain.parse().ok()
}
