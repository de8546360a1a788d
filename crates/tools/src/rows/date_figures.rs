//! Days in figures with slashes, of which either of the first two numbers may be the month: "03/04/2025".

locale::patterns! {
    /// Such a day.
    static FIGURES = r"^\s*(?P<first>\d{1,2})/(?P<second>\d{1,2})/(?P<year>\d{2,4})\s*$";
}

/// The last number of a month.
const MONTHS: u8 = 12;

/// In which order the days of one text or column have day and month.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum DateFigures {
    DayFirst,
    MonthFirst,
    /// No day says it: all of them have numbers of months at both places, or they contradict each other.
    Unknown,
}

impl DateFigures {
    /// The order that all days have, as one of them shows it.
    pub(crate) fn of(days: &[&str]) -> DateFigures {
        let numbers = || days.iter().filter_map(|day| numbers(day));
        let is_first_a_day = numbers().any(|(first, _)| first > MONTHS);
        let is_second_a_day = numbers().any(|(_, second)| second > MONTHS);
        match (is_first_a_day, is_second_a_day) {
            (true, false) => DateFigures::DayFirst,
            (false, true) => DateFigures::MonthFirst,
            (true, true) | (false, false) => DateFigures::Unknown,
        }
    }

    /// A day with the number of the day first, as it is read where nothing else is known.
    pub(crate) fn day_first(self, day: &str) -> String {
        match self {
            DateFigures::MonthFirst => swapped(day).unwrap_or_else(|| day.to_owned()),
            DateFigures::DayFirst | DateFigures::Unknown => day.to_owned(),
        }
    }

    /// The day as it is read the other way, where nothing tells which is meant and the two differ.
    pub(crate) fn other_way(self, day: &str) -> Option<String> {
        let (first, second) = numbers(day)?;
        let is_either = first <= MONTHS && second <= MONTHS && first != second;
        swapped(day).filter(|_| self == DateFigures::Unknown && is_either)
    }
}

/// The first two numbers of a day in figures.
fn numbers(day: &str) -> Option<(u8, u8)> {
    let found = FIGURES.captures(day)?;
    Some((found["first"].parse().ok()?, found["second"].parse().ok()?))
}

/// A day with its first two numbers in the other order.
fn swapped(day: &str) -> Option<String> {
    let found = FIGURES.captures(day)?;
    Some(format!(
        "{}/{}/{}",
        &found["second"], &found["first"], &found["year"]
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_day_shows_the_order_of_all() {
        let order = DateFigures::of(&["03/04/2025", "4/13/2025"]);
        assert_eq!(order.day_first("03/04/2025"), "04/03/2025");
        assert_eq!(order.other_way("03/04/2025"), None);
        let order = DateFigures::of(&["03/04/2025", "5 May 2025"]);
        assert_eq!(order.day_first("03/04/2025"), "03/04/2025");
        assert_eq!(order.other_way("03/04/2025").as_deref(), Some("04/03/2025"));
        assert_eq!(order.other_way("04/04/2025"), None);
    }
}
