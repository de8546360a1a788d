//! The day in a line that tells several things of an entry.

use jiff::civil::DateTime;
use locale::dates::{self, DateHints, DatePrecision, ParsedDate};

/// Longest part that can be a day without its year, in bytes: "posted 2 days ago".
const LONGEST_NEAR: usize = 40;

/// Of a text in parts the one that is a day: of "Rosé · 14 May 2024 · 12.5%" the second. The whole text where another part may
/// belong to the day: its time, or where a range begins. Empty where a text of more than two parts has none.
pub(super) fn dated_part(text: &str) -> String {
    let text = text.replace(" - ", "|").replace(" – ", "|").replace(" — ", "|");
    let parts: Vec<&str> = text.split(['·', '|', '•']).map(str::trim).collect();
    let day = parts
        .iter()
        .find(|part| is_day(part))
        .or_else(|| parts.iter().find(|part| is_near(part)));
    let is_of_day = |part: &&str| {
        let is_number = part.chars().all(|c| c.is_ascii_digit() || matches!(c, '.' | ' '));
        day != Some(part) && (part.contains(':') || is_number || names_a_date(part))
    };
    let of_day = parts.iter().filter(|part| is_of_day(part)).count();
    match day {
        Some(day) if of_day == 0 => (*day).to_owned(),
        None if parts.len() > 2 => String::new(),
        _ => parts.join(" – "),
    }
}

/// Whether a part with letters is a date: "12 Mar", not "12.5%".
fn names_a_date(part: &str) -> bool {
    part.contains(char::is_alphabetic) && read(part).is_some()
}

fn is_day(part: &str) -> bool {
    read(part).is_some_and(|read| read.precision == DatePrecision::Day)
}

/// Whether a part names a day as seen from now: without its year, or by its distance.
fn is_near(part: &str) -> bool {
    let has_number = part.bytes().any(|byte| byte.is_ascii_digit());
    has_number
        && part.len() <= LONGEST_NEAR
        && read(part).is_some_and(|read| read.precision == DatePrecision::Near)
}

/// The date that a part names.
pub(super) fn read(part: &str) -> Option<ParsedDate> {
    dates::parse(part, now(), &DateHints::default())
}

/// A day on which nothing in the texts of a page depends.
fn now() -> DateTime {
    jiff::civil::date(2000, 1, 1).at(12, 0, 0, 0)
}

#[cfg(test)]
mod tests {
    use super::dated_part;

    #[test]
    fn a_line_of_several_things_has_one_day() {
        for (text, day) in [
            ("Rosé · 14 May 2024 · 12.5%", "14 May 2024"),
            (
                "Written by Jane Doe | New Delhi | Updated: May 6, 2024 at 2:41 am",
                "Updated: May 6, 2024 at 2:41 am",
            ),
            ("7 March 12:46 PM - Desktop - 9 Comments", "7 March 12:46 PM"),
            ("Essay – 2 days ago", "2 days ago"),
            (
                "24 KB (2,661 words) - 13:32, 28 January 2017",
                "13:32, 28 January 2017",
            ),
            ("3 - 5 July 2026", "3 – 5 July 2026"),
            ("12 Mar – 4 Apr 2026", "12 Mar – 4 Apr 2026"),
            ("Rosé · Anna · 12.5%", ""),
        ] {
            assert_eq!(dated_part(text), day, "{text}");
        }
    }
}
