//! Days that are so long ago: "of the last 2 weeks", "posted no more than 3 days ago", "nicht älter als 10 Tage".

use std::ops::Range;

use tools::rows::condition::{Operator, RowCondition};

/// A unit of time in which lists say how long ago something was, as a group of that name.
fn unit(group: &str) -> String {
    format!(
        r"(?P<{group}>hours?|days?|weeks?|months?|stunden?|tagen?|tage|wochen?|monaten?|monate|godzin\p{{Latin}}*|dni(?:ach|a)?|dzień|tygodni\p{{Latin}}*|tydzień|miesi\p{{Latin}}+)\b"
    )
}

/// What has happened on a day of a list.
const HAPPENED: &str = r"(?:(?:posted|published|added|listed|uploaded|updated|advertised|veröffentlicht\p{Latin}*|eingestellt\p{Latin}*|inseriert\p{Latin}*|dodan\p{Latin}+|opublikowan\p{Latin}+|wystawion\p{Latin}+)\s+)";

locale::patterns! {
    /// What is put into a list on a day.
    static LISTED = r"(?i)\b(?:jobs?|vacanc\p{L}+|offers?|ads?|adverts?|listings?|articles?|posts?|news|stories|stelle\p{L}*|job\p{L}*|angebot\p{L}*|anzeigen?|inserate?|artikel|beiträge|nachrichten|meldungen|ofert\p{L}*|ogłosze\p{L}+|artykuł\p{L}*|wpis\p{L}*|post\p{L}*)\b";
    /// A time that ends today.
    static LAST = format!(r"(?i)(?:\b(?:in|within|from|of|during|posted|innerhalb|aus|w|z|ciągu)\s+)*(?:the|der|den|die|dem)?\s*\b(?:last|past|letzten?|vergangenen|ostatnich|ostatnie|ostatniego)\s+(?P<n>\d{{1,3}})?\s*{}", unit("u"));
    /// A day that is at most so long ago.
    static YOUNGER = format!(r"(?ix)\b(?:
        {HAPPENED}?(?:(?:no|not)\s+(?:more|longer|later)\s+than|at\s+most|less\s+than|fewer\s+than|under|up\s+to|nie\s+(?:później|dawniej|wcześniej)\s+niż|nie\s+więcej\s+niż|mniej\s+niż|najwyżej)\s+(?P<ago>\d{{1,3}})\s*{}\s+(?:ago|temu)\b
        |{HAPPENED}?vor\s+(?:höchstens|maximal|weniger\s+als|nicht\s+mehr\s+als)\s+(?P<vor>\d{{1,3}})\s*{}
        |(?:(?:no|not|nicht)\s+(?:older\s+than|älter\s+als)|younger\s+than|jünger\s+als|nie\s+starsz\p{{Latin}}+\s+niż|młodsz\p{{Latin}}+\s+niż)\s+(?P<old>\d{{1,3}})\s*{}
        |{HAPPENED}(?:within|innerhalb\s+von|in|w\s+ciągu)\s+(?P<within>\d{{1,3}})\s*{}
        )", unit("u"), unit("vu"), unit("ou"), unit("wu"));
    /// A day that is longer ago.
    static OLDER = format!(r"(?ix)\b(?:
        {HAPPENED}?(?:more\s+than|over|ponad|więcej\s+niż)\s+(?P<ago>\d{{1,3}})\s*{}\s+(?:ago|temu)\b
        |{HAPPENED}?vor\s+(?:mehr\s+als|über)\s+(?P<vor>\d{{1,3}})\s*{}
        |(?:older\s+than|älter\s+als|starsz\p{{Latin}}+\s+niż)\s+(?P<old>\d{{1,3}})\s*(?P<ou>days?|weeks?|tagen?|tage|wochen?|dni|tygodni\p{{Latin}}*)\b
        )", unit("u"), unit("vu"));
}

/// The condition on the day of what is listed, and where it stands.
pub(super) fn days_ago(text: &str) -> Option<(Range<usize>, RowCondition)> {
    let read = |pattern: &locale::Regex, operator: Operator| {
        let found = pattern.captures(text)?;
        let group = |names: &[&str]| names.iter().find_map(|name| found.name(name));
        let number = match group(&["n", "ago", "vor", "old", "within"]) {
            Some(number) => number.as_str().parse().ok()?,
            None => 1,
        };
        let unit = group(&["u", "vu", "ou", "wu"])?.as_str().to_lowercase();
        // Puppies and cheese of so many weeks have an age, and no day in a list.
        let may_be_age = found.name("old").is_some() && !is_of_days(&unit);
        if may_be_age && !LISTED.is_match(text) {
            return None;
        }
        let day = RowCondition {
            field: "date".to_owned(),
            operator,
            value: format!("{} days ago", in_days(number, &unit)?).into(),
        };
        Some((found.get(0)?.range(), day))
    };
    read(&LAST, Operator::AtLeast)
        .or_else(|| read(&YOUNGER, Operator::AtLeast))
        .or_else(|| read(&OLDER, Operator::Less))
}

fn begins(unit: &str, beginnings: &[&str]) -> bool {
    beginnings.iter().any(|beginning| unit.starts_with(beginning))
}

fn is_of_days(unit: &str) -> bool {
    begins(unit, &["day", "tag", "dni", "dzie"])
}

/// A number of days, weeks, months of 30 days, or hours that make whole days; `None` of other hours, which days do not tell.
fn in_days(number: u32, unit: &str) -> Option<u32> {
    match () {
        () if begins(unit, &["hour", "stunde", "godz"]) => number.is_multiple_of(24).then_some(number / 24),
        () if begins(unit, &["w", "tyg", "tydz"]) => Some(number * 7),
        () if begins(unit, &["m"]) => Some(number * 30),
        () => Some(number),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn how_long_ago_a_day_may_be_is_read() {
        let read = |text: &str| days_ago(text).map(|(_, day)| day.to_string()).unwrap_or_default();
        for (text, wanted) in [
            ("jobs of the last 2 weeks", "date >= 14 days ago"),
            ("oferty z ostatnich 7 dni", "date >= 7 days ago"),
            ("posted in the last 48 hours", "date >= 2 days ago"),
            ("Which were posted no more than 3 days ago?", "date >= 3 days ago"),
            ("published less than 1 week ago", "date >= 7 days ago"),
            ("nicht älter als 10 Tage", "date >= 10 days ago"),
            ("vor höchstens 5 Tagen eingestellt", "date >= 5 days ago"),
            ("jobs posted within 2 days", "date >= 2 days ago"),
            ("oferty nie starsze niż 2 tygodnie", "date >= 14 days ago"),
            ("puppies younger than 10 weeks", ""),
            ("posted less than 6 hours ago", ""),
            ("of the last 3 hours", ""),
            ("dodane mniej niż 4 dni temu", "date >= 4 days ago"),
            ("posted more than 2 weeks ago", "date < 14 days ago"),
            ("Anzeigen, die älter als 3 Wochen sind", "date < 21 days ago"),
            ("delivered within 2 days", ""),
            ("not older than 3 years", ""),
            ("at most 5 days", ""),
        ] {
            assert_eq!(read(text), wanted, "{text}");
        }
    }
}
