//! Weeks, weekends, months and days of the week as seen from a day: "this week", "next weekend", "latest monday".

use jiff::ToSpan as _;
use jiff::civil::{Date, Weekday};

locale::patterns! {
    /// A day by its period, as [`Period::first`] and [`Period::last`] name it.
    static NAMED = r"^(?P<edge>first|last) day of (?P<when>this|next) (?P<length>week|weekend|month)$";
    /// The last day of a name, as [`name_of_latest`] names it.
    static LATEST = r"^latest (?P<day>[a-z]+)$";
}

/// How long a period is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PeriodLength {
    /// From Monday to Sunday.
    Week,
    /// Saturday and Sunday.
    Weekend,
    /// A month of the calendar.
    Month,
}

/// The period in which a day lies, or the one behind it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Period {
    /// How long the period is.
    pub length: PeriodLength,
    /// Whether the period behind the present one is meant.
    pub is_next: bool,
}

impl Period {
    /// The name of the first day, which conditions on days are compared with: "first day of next week".
    pub fn first(self) -> String {
        format!("first day of {}", self.name())
    }

    /// The name of the last day.
    pub fn last(self) -> String {
        format!("last day of {}", self.name())
    }

    /// The first and the last day, seen from a day. `None` at the end of the calendar.
    pub fn days(self, today: Date) -> Option<(Date, Date)> {
        let ahead = i32::from(self.is_next);
        let monday = today
            .checked_sub(i32::from(today.weekday().since(Weekday::Monday)).days())
            .ok()?
            .checked_add(ahead.weeks())
            .ok()?;
        let of_week = |from: i32, to: i32| {
            let first = monday.checked_add(from.days()).ok()?;
            Some((first, monday.checked_add(to.days()).ok()?))
        };
        match self.length {
            PeriodLength::Week => of_week(0, 6),
            PeriodLength::Weekend => of_week(5, 6),
            PeriodLength::Month => {
                let first = today.first_of_month().checked_add(ahead.months()).ok()?;
                Some((first, first.last_of_month()))
            }
        }
    }

    fn name(self) -> String {
        let when = if self.is_next { "next" } else { "this" };
        let length = match self.length {
            PeriodLength::Week => "week",
            PeriodLength::Weekend => "weekend",
            PeriodLength::Month => "month",
        };
        format!("{when} {length}")
    }
}

/// The days of the week by their names.
const WEEKDAYS: [(&str, Weekday); 7] = [
    ("monday", Weekday::Monday),
    ("tuesday", Weekday::Tuesday),
    ("wednesday", Weekday::Wednesday),
    ("thursday", Weekday::Thursday),
    ("friday", Weekday::Friday),
    ("saturday", Weekday::Saturday),
    ("sunday", Weekday::Sunday),
];

/// The last such day of the week at or before a day. `None` at the beginning of the calendar.
pub fn latest(weekday: Weekday, today: Date) -> Option<Date> {
    let back = i32::from(today.weekday().since(weekday));
    today.checked_sub(back.days()).ok()
}

/// The name of the last such day of the week at or before the present one, which conditions on days are compared with.
pub fn name_of_latest(weekday: Weekday) -> String {
    let mut days = WEEKDAYS.iter();
    let name = days
        .find(|(_, day)| *day == weekday)
        .map_or("", |(name, _)| *name);
    format!("latest {name}")
}

/// The day that a period or a day of the week names, seen from a day; `None` for every other text.
pub(crate) fn day(text: &str, today: Date) -> Option<Date> {
    if let Some(found) = LATEST.captures(text) {
        let mut days = WEEKDAYS.iter();
        let (_, weekday) =
            days.find(|(name, _)| *name == found.name("day").map_or("", |day| day.as_str()))?;
        return latest(*weekday, today);
    }
    let found = NAMED.captures(text)?;
    let length = match found.name("length")?.as_str() {
        "week" => PeriodLength::Week,
        "weekend" => PeriodLength::Weekend,
        _ => PeriodLength::Month,
    };
    let is_next = found.name("when")?.as_str() == "next";
    let (first, last) = Period { length, is_next }.days(today)?;
    Some(if found.name("edge")?.as_str() == "first" {
        first
    } else {
        last
    })
}

#[cfg(test)]
mod tests {
    use jiff::civil::date;

    use super::*;

    #[test]
    fn periods_are_seen_from_a_day() {
        let days = |length, is_next, today| Period { length, is_next }.days(today).unwrap();
        let tuesday = date(2026, 5, 12);
        assert_eq!(
            days(PeriodLength::Week, false, tuesday),
            (date(2026, 5, 11), date(2026, 5, 17))
        );
        assert_eq!(
            days(PeriodLength::Week, true, tuesday),
            (date(2026, 5, 18), date(2026, 5, 24))
        );
        // On a Sunday this weekend is not over.
        assert_eq!(
            days(PeriodLength::Weekend, false, date(2026, 5, 17)),
            (date(2026, 5, 16), date(2026, 5, 17))
        );
        assert_eq!(
            days(PeriodLength::Month, true, date(2026, 12, 31)),
            (date(2027, 1, 1), date(2027, 1, 31))
        );
    }

    #[test]
    fn the_names_of_days_are_read_back() {
        for length in [PeriodLength::Week, PeriodLength::Weekend, PeriodLength::Month] {
            for is_next in [false, true] {
                let (period, today) = (Period { length, is_next }, date(2026, 8, 5));
                let (first, last) = period.days(today).unwrap();
                assert_eq!(day(&period.first(), today), Some(first));
                assert_eq!(day(&period.last(), today), Some(last));
            }
        }
        assert_eq!(day("next week", date(2026, 8, 5)), None);
        // A Wednesday.
        let today = date(2026, 8, 5);
        for (weekday, wanted) in [
            (Weekday::Monday, date(2026, 8, 3)),
            (Weekday::Wednesday, today),
            (Weekday::Thursday, date(2026, 7, 30)),
        ] {
            assert_eq!(day(&name_of_latest(weekday), today), Some(wanted));
        }
    }
}
