//! Days of the week on which something is open or runs, as the texts of rows list them: "Mon–Fri", "Di + Do", "codziennie".

use jiff::civil::Weekday;

locale::patterns! {
    /// A day of the week, in full or in short.
    static NAMED = r"(?ix)\b(?:
        (?P<mon>mon(?:days?)?|mo|montags?|pon|pn|poniedział\p{L}+)
        |(?P<tue>tue(?:s(?:days?)?)?|di|dienstags?|wt|wtor\p{L}+)
        |(?P<wed>wed(?:nesdays?)?|mi|mittwochs?|śr|środ\p{L}+)
        |(?P<thu>thu(?:r(?:s(?:days?)?)?)?|do|donnerstags?|cz|czw|czwart\p{L}+)
        |(?P<fri>fri(?:days?)?|fr|freitags?|pt|piąt\p{L}+)
        |(?P<sat>sat(?:urdays?)?|sa|samstags?|sonnabends?|sb|sob|sobot\p{L}+)
        |(?P<sun>sun(?:days?)?|so|sonntags?|nd|ndz|niedz|niedziel\p{L}+)
        )\b\.?";
    /// What stands between the first and the last day.
    static UNTIL = r"(?i)^\s*(?:[-–—]|to|till|until|through|thru|bis|do)\s*$";
    /// What stands between two days of a list.
    static AND = r"(?i)^\s*(?:[,/&+]|and|und|i|oraz|sowie)\s*$";
    /// What stands behind a day in short: its hours, or the holidays.
    static HOURS = r"(?i)^\s*[:,(]?\s*(?:\d{1,2}(?:[:.]\d\d|\s*(?:[-–—]|uhr|[ap]m\b|h\b))|(?:[+&]|und|and|i)\s*(?:feiertag|(?:bank|public)\s+holiday|holiday|świę))";
    /// What stands before a day in short: the time at which something begins.
    static TIME_BEFORE = r"(?i)\d[:.]\d\d(?:\s*uhr)?,?\s*$";
    /// What every day of the week is.
    static DAILY = r"(?i)\b(?:daily|every\s?day|7 days(?: a week)?|seven days a week|täglich|jeden tag|codziennie)\b";
    /// What stands behind or before a day on which it is not.
    static CLOSED_BEFORE = r"(?i)\b(?:closed(?: on)?|except(?: on)?|not(?: on)?|außer|geschlossen|ruhetag:?|zamknięte(?: w)?|nieczynne(?: w)?|oprócz|prócz|z wyjątkiem)\s*:?\s*$";
    static CLOSED_BEHIND = r"(?i)^\s*:?\s*(?:closed|geschlossen|ruhetag|zamknięte|nieczynne)\b";
}

/// The days in their order, each with the group of [`NAMED`] that names it.
const DAYS: [(&str, Weekday); 7] = [
    ("mon", Weekday::Monday),
    ("tue", Weekday::Tuesday),
    ("wed", Weekday::Wednesday),
    ("thu", Weekday::Thursday),
    ("fri", Weekday::Friday),
    ("sat", Weekday::Saturday),
    ("sun", Weekday::Sunday),
];
/// Names in short that are other words without a capital.
const WORDS: [&str; 7] = ["do", "so", "di", "mi", "mo", "fr", "sa"];
/// Letters of the shortest name that is a day without another beside it: "do" and "so" are words of their own.
const SHORTEST_ALONE: usize = 4;

/// The days that a text lists, and whether it does so by their first and last one, or as all of them.
#[derive(Debug, Default, PartialEq)]
pub(crate) struct ListedDays {
    pub(crate) days: Vec<Weekday>,
    pub(crate) has_range: bool,
}

/// The days of the week that a text lists.
pub(crate) fn listed(text: &str) -> ListedDays {
    let mut found = ListedDays::default();
    let mut closed = Vec::new();
    if DAILY.is_match(text) {
        found.days.extend(DAYS.map(|(_, day)| day));
        found.has_range = true;
    }
    let named: Vec<(std::ops::Range<usize>, usize)> = NAMED
        .captures_iter(text)
        .filter_map(|named| {
            let day = DAYS.iter().position(|(group, _)| named.name(group).is_some())?;
            Some((named.get(0)?.range(), day))
        })
        .collect();
    let between = |one: usize, other: usize| {
        let (one, other) = (named.get(one)?, named.get(other)?);
        text.get(one.0.end..other.0.start)
    };
    let mut joins_next = false;
    for (at, (place, day)) in named.iter().enumerate() {
        let is_joined = std::mem::take(&mut joins_next);
        let behind = between(at, at + 1);
        let is_until = behind.is_some_and(|behind| UNTIL.is_match(behind));
        joins_next = is_until || behind.is_some_and(|behind| AND.is_match(behind));
        let name = text.get(place.clone()).unwrap_or_default().trim_end_matches('.');
        let behind = text.get(place.end..).unwrap_or_default();
        // "do 18:00" is until then in Polish.
        let is_word = WORDS.contains(&name);
        let before = text.get(..place.start).unwrap_or_default();
        let has_hours = || !is_word && (HOURS.is_match(behind) || TIME_BEFORE.is_match(before));
        let is_closed = CLOSED_BEFORE.is_match(before) || CLOSED_BEHIND.is_match(behind);
        let is_alone = !is_joined && !joins_next && name.chars().count() < SHORTEST_ALONE;
        if is_alone && !is_closed && !has_hours() {
            continue;
        }
        let last = named.get(at + 1).map(|(_, last)| *last).filter(|_| is_until);
        let length = last.map_or(0, |last| (last + DAYS.len() - day) % DAYS.len());
        let all = DAYS
            .iter()
            .cycle()
            .skip(*day)
            .take(length + 1)
            .map(|(_, day)| *day);
        match is_closed {
            true => closed.extend(all),
            false => {
                found.has_range |= last.is_some();
                found.days.extend(all);
            }
        }
    }
    found.days.retain(|day| !closed.contains(day));
    // "Closed on: Wednesday" says that it is open on all other days.
    if found.days.is_empty() && !closed.is_empty() {
        let open = DAYS.iter().map(|(_, day)| *day);
        found.days.extend(open.filter(|day| !closed.contains(day)));
        found.has_range = true;
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    fn days(text: &str) -> String {
        let found = listed(text).days;
        let is_day = |day: &Weekday| if found.contains(day) { 'x' } else { '-' };
        DAYS.iter().map(|(_, day)| is_day(day)).collect()
    }

    #[test]
    fn days_are_listed_one_by_one_and_by_the_first_and_the_last() {
        for (text, expected) in [
            ("Open Tue–Sun, 10:00–17:30", "-xxxxxx"),
            ("Mo-Fr 9 bis 18 Uhr, Sa 10-14 Uhr, So + Feiertage", "xxxxxxx"),
            ("pn.–pt. 8:00–16:00, sobota 9:00–13:00", "xxxxxx-"),
            ("Sat & Sun, 10:00–15:00", "-----xx"),
            ("daily except Monday", "-xxxxxx"),
            ("Fr bis Mo geöffnet", "x---xxx"),
            ("So schön wie nie, do zobaczenia", "-------"),
            ("Pn-pt do 18:00", "xxxxx--"),
            ("pn.–pt. 11:00–19:00, sob. 9:00–15:00", "xxxxxx-"),
            ("pn.–pt. 11:00–19:00, sob. zamknięte", "xxxxx--"),
            ("Wyjazd: 9:00, ndz.", "------x"),
            ("täglich, Dienstag Ruhetag", "x-xxxxx"),
            ("08:00 18:00 Wednesday 10 min\nClosed on: Wednesday", "xx-xxxx"),
        ] {
            assert_eq!(days(text), expected, "{text}");
        }
    }
}
