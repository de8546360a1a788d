//! Times of day that the texts of rows state.

use regex::Captures;

locale::patterns! {
    /// What stands before the end of what begins at the time before.
    static UNTIL = r"(?i)^\s*(?:uhr|h)?\s*(?:[-–—]|to|until|till|bis|do)\s*$";
    /// Two times of a list: "15:00, 20:30", "15:00 / 20:30".
    static LISTED = r"\d[:.]\d\d\s*(?:[,;/]|and|und|i|oraz|or|oder|lub)\s*\d{1,2}[:.]\d\d";
    /// A time of day.
    static CLOCK = r"(?i)\b(?P<h>[01]?\d|2[0-4]):(?P<m>[0-5]\d)(?:\s*(?P<half>[ap])\.?m\b)?|\b(?P<hour>[01]?\d|2[0-4])(?:\.(?P<minute>[0-5]\d))?\s*(?:(?P<half_of_hour>[ap])\.?m\b|uhr\b)";
}

/// The name of the measure that is the time of day at which something begins, in minutes since midnight.
pub const TIME_OF_DAY: &str = "time of day";

/// What a column of times of day is called.
const NAMES: [&str; 9] = [
    "uhrzeit",
    "time of day",
    "start time",
    "starting time",
    "anfangszeit",
    "beginnzeit",
    "godzina",
    "godzina rozpoczęcia",
    "hour",
];

/// Whether a column is one of times of day.
pub(crate) fn names_time(column: &str) -> bool {
    let column = column.to_lowercase().replace('_', " ");
    NAMES.contains(&column.trim())
}

/// A time of day in minutes since midnight, as it is written: `09:30`.
pub(crate) fn written(minutes: f64) -> String {
    let minutes = minutes.max(0.0) as u32;
    format!("{:02}:{:02}", minutes / 60 % 24, minutes % 60)
}

/// The time of day that a text states, in minutes since midnight: "18:30–20:00", "7.30 pm", "18 Uhr". None of a text with more
/// than one: a list of screenings has no one time.
pub(crate) fn clock(text: &str) -> Option<f64> {
    match clocks(text).as_slice() {
        [time] => Some(*time),
        _ => None,
    }
}

/// Of ten rows with times the fewest that have two of them in a list of journeys or opening hours.
const OF_TWO: usize = 9;

/// Whether nearly all texts with times have two, not in a list of times: of what leaves and arrives the first is the beginning.
pub(crate) fn are_of_two<'t>(texts: impl Iterator<Item = &'t str>) -> bool {
    let counts: Vec<(usize, bool)> = texts
        // What labels say again stands on lines behind the text.
        .filter_map(|text| text.lines().next())
        .map(|text| (clocks(text).len(), LISTED.is_match(text)))
        .filter(|(count, _)| *count > 0)
        .collect();
    let of_two = counts
        .iter()
        .filter(|(count, is_list)| *count == 2 && !is_list)
        .count();
    of_two > 1 && of_two * 10 >= counts.len() * OF_TWO
}

/// The times of day at which something begins, in minutes since midnight: both of "15:00, 20:30", the first of "18:30–20:00".
pub(crate) fn clocks(text: &str) -> Vec<f64> {
    let mut before = 0;
    let times = CLOCK.captures_iter(text).filter_map(|found| {
        let place = found.get(0)?.range();
        let joint = text.get(std::mem::replace(&mut before, place.end)..place.start)?;
        let is_end = before > place.len() && UNTIL.is_match(joint);
        minutes_of(&found).filter(|_| !is_end)
    });
    times.collect()
}

fn minutes_of(found: &Captures<'_>) -> Option<f64> {
    let number = |names: [&str; 2]| {
        let mut found = names.iter().filter_map(|name| found.name(name));
        found.next()?.as_str().parse::<u32>().ok()
    };
    let hour = number(["h", "hour"])?;
    let half = found.name("half").or_else(|| found.name("half_of_hour"));
    let is_afternoon = half.map(|half| half.as_str().eq_ignore_ascii_case("p"));
    let minute = number(["m", "minute"]).unwrap_or(0);
    Some(f64::from(minutes_since_midnight(hour, minute, is_afternoon)))
}

/// The minutes since midnight of an hour and a minute; `is_afternoon` is said of an hour up to twelve.
pub fn minutes_since_midnight(hour: u32, minute: u32, is_afternoon: Option<bool>) -> u32 {
    let hour = match is_afternoon {
        Some(true) if hour < 12 => hour + 12,
        Some(false) if hour == 12 => 0,
        _ => hour,
    };
    hour * 60 + minute
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_list_of_screenings_has_all_of_its_times_and_an_evening_one_beginning() {
        assert_eq!(clocks("15:00, 18:00, 20:30"), [900.0, 1080.0, 1230.0]);
        assert_eq!(clocks("Sat 18:30–20:00"), [1110.0]);
        assert_eq!(clocks("from 9 Uhr bis 17 Uhr"), [540.0]);
        assert_eq!((clock("15:00, 18:00"), clock("7.30 pm")), (None, Some(1170.0)));
        assert!(are_of_two(
            [
                "ab 07:10 Hannover an 11:34 Berlin",
                "ab 09:10 Hannover an 13:34 Berlin"
            ]
            .into_iter()
        ));
        let labelled = "Berlin 07:10 11:34 4 h\nab: 07:10\nan: 11:34";
        assert!(are_of_two([labelled, labelled].into_iter()));
        assert!(!are_of_two(["Fri 15:00, 20:30", "Sat 15:00, 20:30"].into_iter()));
    }
}
