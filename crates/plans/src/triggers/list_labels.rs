//! The labels of a page's list, and what their values are like.

use tools::PageList;
use tools::words::concepts;

locale::patterns! {
    /// A value that only says whether something is so.
    static STATE = r"(?i)^\s*(?:yes|no|ja|nein|tak|nie|none|keine?|brak|✓|✔|✗|✘|–|-|included|not included|inklusive|available|vorhanden)\b|^\s*[✓✔✗✘–-]\s*$";
    /// A German or Polish grade in words.
    static GRADE = r"(?i)\b(?:sehr gut|gut|befriedigend|ausreichend|mangelhaft|ungenügend)\b";
    /// A label of grades, of which 1 is the best in German.
    static GRADED = r"(?i)(?:note|urteil)$";
    /// A grade in figures.
    static ONE_TO_SIX = r"^\D*[1-6](?:[.,]\d{1,2})?\D*$";
    /// A label of what is the better the more of it there is.
    static RATED = r"(?i)rating|score|wertung|bewertung|ocena|oceny|punkte|punkty|\bpoints|stars|gwiazd";
}

/// More than this share of values are most of them.
pub(super) const HALF: f64 = 0.5;
/// Fewest different values of a label that tells more than whether something is so.
const TOLD: usize = 3;

/// The labels of the list of a page.
pub(super) struct ListLabels<'p> {
    /// As they are written: `Rok założenia`.
    pub(super) names: Vec<String>,
    list: Option<&'p PageList<'p>>,
}

impl<'p> ListLabels<'p> {
    pub(super) fn of(list: Option<&'p PageList<'p>>) -> ListLabels<'p> {
        ListLabels {
            names: list.map(PageList::labels).unwrap_or_default(),
            list,
        }
    }

    /// Labels without a page that has them.
    #[cfg(test)]
    pub(super) fn named(names: &[&str]) -> ListLabels<'static> {
        ListLabels {
            names: names.iter().map(|name| (*name).to_owned()).collect(),
            list: None,
        }
    }

    /// The values of a label; `None` where there is no list.
    fn known_values(&self, field: &str) -> Option<Vec<String>> {
        self.list.map(|list| list.values(field))
    }

    fn values(&self, field: &str) -> Vec<String> {
        self.known_values(field).unwrap_or_default()
    }

    /// Whether several values of a label tell more than whether something is so: a waiting time, and no balcony.
    pub(super) fn is_told(&self, field: &str) -> bool {
        let mut values = self.values(field);
        values.retain(|value| !STATE.is_match(value));
        values.sort_unstable();
        values.dedup();
        values.len() >= TOLD
    }

    /// Whether most values of a label only say whether something is so: yes and no, included and not included.
    pub(super) fn is_state(&self, field: &str) -> bool {
        let share = self.share_of_values(field, |value| STATE.is_match(value));
        share.is_some_and(|share| share > HALF)
    }

    /// Whether a label has a value, in any form of its words.
    pub(super) fn has_value(&self, field: &str, said: &str) -> bool {
        let share = self.share_of_values(field, |value| concepts::are_same_words(value, said));
        share.is_some_and(|share| share > 0.0)
    }

    /// The share of the values of a label of which something holds, 0 where the label has none; `None` where there is no list.
    pub(super) fn share_of_values(&self, field: &str, holds: impl Fn(&str) -> bool) -> Option<f64> {
        let values = self.known_values(field)?;
        let holding = values.iter().filter(|value| holds(value)).count();
        Some(holding as f64 / values.len().max(1) as f64)
    }

    /// Whether most values of a label have numbers in them; so where there is no list.
    pub(super) fn has_numbers(&self, field: &str) -> bool {
        let share = self.share_of_values(field, |value| value.contains(|c: char| c.is_ascii_digit()));
        share.is_none_or(|share| share > HALF)
    }

    /// Whether "area" is where something is: there is a list, and none of its entries says how large a surface is.
    pub(super) fn is_area_a_place(&self) -> bool {
        self.list
            .is_some_and(|list| !list.is_empty() && !list.tells_surfaces())
    }

    /// Whether the entries of the list may be called by a word: its page is headed by it, or there is no list.
    pub(super) fn may_call_entries(&self, word: &str) -> bool {
        self.list.is_none_or(|list| list.is_headed_by(word))
    }

    /// Whether some entries of the list say a word, and not all of them.
    pub(super) fn list_says(&self, word: &str) -> bool {
        self.list.is_some_and(|list| list.says(word))
    }

    /// Whether the most of what a label tells is the best; `None` where no value is better than another.
    pub(super) fn most_is_best(&self, field: &str) -> Option<bool> {
        let values = self.values(field);
        let share =
            |is: &dyn Fn(&String) -> bool| values.iter().filter(|value| is(value)).count() * 2 > values.len();
        let is_grade = share(&|value| GRADE.is_match(value))
            || (GRADED.is_match(field) && share(&|value| ONE_TO_SIX.is_match(value)));
        match is_grade {
            true => Some(false),
            false => RATED.is_match(field).then_some(true),
        }
    }
}
