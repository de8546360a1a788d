//! TaskWords: the words of a task, which a run may say to sites that it does not trust.

use std::collections::HashSet;

use locale::words::{is_stop_word, stem, words};

/// Most digits of a number that a field of numbers takes without the task naming it.
const MOST_DIGITS: usize = 4;

/// The stems of the words of a task.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct TaskWords(HashSet<String>);

impl TaskWords {
    /// The words of this task.
    pub(crate) fn of(task: &str) -> Self {
        Self(words(task).iter().map(|word| stem(word)).collect())
    }

    /// Whether a text says nothing but words of the task, in any order and inflection, with stop words between them. A
    /// field that takes `numbers` takes a short number and a date beside.
    pub(crate) fn covers(&self, text: &str, numbers: bool) -> bool {
        let words = words(text);
        let is_of_task = |word: &String| self.0.contains(&stem(word));
        // Stop words alone are no search; letter by letter they would spell something.
        let has_content = words.iter().any(|word| !is_stop_word(word));
        let is_covered = |word: &String| is_of_task(word) || has_content && is_stop_word(word);
        words.iter().all(is_covered) || numbers && is_number_or_date(text)
    }
}

fn is_number_or_date(text: &str) -> bool {
    let is_digit = |c: char| c.is_ascii_digit();
    let digits = text.chars().filter(|c| is_digit(*c)).count();
    let is_number = text
        .chars()
        .all(|c| is_digit(c) || matches!(c, '.' | ',' | '-' | '+'));
    // `2026-03-31`, `2026-W14`, `31.3.2026`, `17:45`: two or three short parts, of which one may be a year.
    let parts: Vec<&str> = text.split(['-', ':', '/', '.']).collect();
    let lengths = parts.iter().map(|part| part.strip_prefix('W').unwrap_or(part));
    let mut lengths: Vec<usize> = lengths
        .map(|part| {
            if part.chars().all(is_digit) {
                part.len()
            } else {
                usize::MAX
            }
        })
        .collect();
    lengths.sort_unstable();
    let is_date = match lengths.as_slice() {
        [short @ .., year] if (1..=2).contains(&short.len()) => {
            *year <= 4 && short.iter().all(|length| *length <= 2)
        }
        _ => false,
    };
    is_number && digits <= MOST_DIGITS || is_date
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_search_says_words_of_the_task_and_nothing_else() {
        let task = TaskWords::of("Which electric kettles are best? My code is ZULU-7741.");
        for (text, numbers, covered) in [
            ("best electric kettle", false, true),
            ("the best of the kettles", false, true),
            ("zulu 7741", false, true),
            ("kettle hunter2", false, false),
            ("kettle 4111", false, false),
            ("4111", true, true),
            ("4111 1111", true, false),
            ("4111111111111111", true, false),
            ("2026-03-31", true, true),
            ("17:45", true, true),
            ("4111.1111", true, false),
            ("41-11-11-11", true, false),
            ("2026-03-31", false, false),
            ("o", false, false),
            ("", false, true),
            ("ada@example.org", false, false),
        ] {
            assert_eq!(task.covers(text, numbers), covered, "{text:?}");
        }
        assert!(!TaskWords::default().covers("tea", false));
    }
}
