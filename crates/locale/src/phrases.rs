//! Which of many phrases stands in a text, between word borders?

use regex::Regex;

/// A list of lower-case phrases, compiled once into one search.
pub struct Phrases(Option<Regex>);

/// One phrase in a text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Hit {
    /// Byte offset of the first character.
    pub start: usize,
    /// Byte offset after the last character.
    pub end: usize,
}

impl Phrases {
    /// Compiles the lists together; longer phrases are tried first.
    pub fn new(lists: &[&[&str]]) -> Phrases {
        let mut all: Vec<&str> = lists.iter().flat_map(|it| it.iter().copied()).collect();
        all.sort_by_key(|it| std::cmp::Reverse(it.len()));
        let pattern = all
            .iter()
            .map(|it| regex::escape(it))
            .collect::<Vec<_>>()
            .join("|");
        Phrases(Regex::new(&pattern).ok())
    }

    /// Every phrase of the lower-case text that stands between word borders.
    pub fn all<'t>(&'t self, text: &'t str) -> impl Iterator<Item = Hit> + 't {
        let hits = self.0.iter().flat_map(move |it| it.find_iter(text));
        hits.map(|it| Hit {
            start: it.start(),
            end: it.end(),
        })
        .filter(move |it| stands_alone(text, *it))
    }

    /// The first such phrase.
    pub fn first(&self, text: &str) -> Option<Hit> {
        self.all(text).next()
    }

    /// Where the last such phrase ends.
    pub fn last_end(&self, text: &str) -> Option<usize> {
        self.all(text).last().map(|it| it.end)
    }

    /// Whether there is one.
    pub fn any(&self, text: &str) -> bool {
        self.first(text).is_some()
    }
}

/// Scripts that write without blanks have no word borders.
fn is_word(c: char) -> bool {
    c.is_alphabetic() && u32::from(c) < 0x0E00
}

fn stands_alone(text: &str, hit: Hit) -> bool {
    let inside = |at: Option<char>, edge: Option<char>| at.is_some_and(is_word) && edge.is_some_and(is_word);
    let before = text.get(..hit.start).and_then(|it| it.chars().next_back());
    let after = text.get(hit.end..).and_then(|it| it.chars().next());
    let phrase = text.get(hit.start..hit.end).unwrap_or_default();
    !inside(before, phrase.chars().next()) && !inside(after, phrase.chars().next_back())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_phrase_counts_only_as_whole_words() {
        let phrases = Phrases::new(&[&["stock", "in stock", "在庫"]]);
        let found = |text: &str| {
            phrases
                .all(text)
                .map(|it| text.get(it.start..it.end).unwrap_or("").to_owned())
                .collect::<Vec<_>>()
        };
        assert_eq!(found("now in stock!"), ["in stock"]);
        assert_eq!(found("stockholm livestock"), Vec::<String>::new());
        assert_eq!(found("本日在庫あり"), ["在庫"]);
    }
}
