//! Days of the week from which or up to which something came out: "since Monday", "seit Montag", "posted before Friday".
//!
//! What has come out did so on the last such day: that of the page where this says which day it is.

use std::ops::Range;

use jiff::civil::{Date, Weekday};
use tools::rows::condition::{Operator, RowCondition};
use tools::rows::periods;

/// What has come out on a day of a list, right before a word of comparison.
const CAME_OUT: &str = r"(?:posted|published|added|listed|uploaded|updated|advertised|released|veröffentlicht|eingestellt|inseriert|erschienen|hinzugefügt|dodan\p{Latin}+|opublikowan\p{Latin}+|wystawion\p{Latin}+)";

locale::patterns! {
    /// A comparison with a day of the week. "Od" begins courses, too: what is put into a list stands before it.
    static BOUND = format!(r"(?ix)\b(?:(?P<since>since|seit)
        |(?P<kind>{CAME_OUT}|jobs?|offers?|ofert\p{{Latin}}*|ogłosze\p{{Latin}}+|artykuł\p{{Latin}}*|wpis\p{{Latin}}*|wiadomoś\p{{Latin}}+|news\p{{Latin}}*|post\p{{Latin}}*)\s+od
        |(?P<out>{CAME_OUT})\s+(?:(?P<more>after|later\s+than|nach|po)|(?P<less>before|earlier\s+than|vor|przed)))
        \s+(?:(?:the|last|dem|der|letzte[mnr]?|vergangene[mnr]?|ostatni(?:ego|ej|m)?|zeszł(?:ego|ej|ym|ą)|minion(?:ego|ej|ym|ą))\s+)*
        (?:(?P<mon>monday|montag|poniedział(?:ku|kiem))|(?P<tue>tuesday|dienstag|wtork(?:u|iem))|(?P<wed>wednesday|mittwoch|środ[yąę]|środzie)
        |(?P<thu>thursday|donnerstag|czwartk(?:u|iem))|(?P<fri>friday|freitag|piątk(?:u|iem))|(?P<sat>saturday|samstag|sonnabend|sobo(?:ty|tą|cie))|(?P<sun>sunday|sonntag|niedziel[iąę]))\b");
    /// What makes a day of the week the first of several: "od poniedziałku do piątku".
    static SEVERAL = r"(?i)^\s*(?:[-–—]|to|till|until|through|bis|do|a|i|and|und|or|oder|lub)\s";
}

/// The days in their order, each with the group of [`BOUND`] that names it.
const DAYS: [(&str, Weekday); 7] = [
    ("mon", Weekday::Monday),
    ("tue", Weekday::Tuesday),
    ("wed", Weekday::Wednesday),
    ("thu", Weekday::Thursday),
    ("fri", Weekday::Friday),
    ("sat", Weekday::Saturday),
    ("sun", Weekday::Sunday),
];

/// The first comparison with a day of the week of a text: where it stands, and what it means. Of the calendar where the page says which
/// day it is, seen from the day of the run elsewhere.
pub(super) fn bound(text: &str, own_day: Option<Date>) -> Option<(Range<usize>, RowCondition)> {
    BOUND.captures_iter(text).find_map(|found| {
        let whole = found.get(0)?;
        let has = |name: &str| found.name(name).is_some();
        let (_, weekday) = DAYS.iter().find(|(group, _)| has(group))?;
        if SEVERAL.is_match(text.get(whole.end()..)?) {
            return None;
        }
        let operator = match () {
            () if has("more") => Operator::More,
            () if has("less") => Operator::Less,
            () => Operator::AtLeast,
        };
        let day = own_day.and_then(|today| periods::latest(*weekday, today));
        let day = day.map_or_else(|| periods::name_of_latest(*weekday), |day| day.to_string());
        let condition = RowCondition {
            field: "date".to_owned(),
            operator,
            value: day.into(),
        };
        // What is listed stays in the text.
        let kept = found.name("kind").or(found.name("out")).map(|kind| kind.end());
        Some((kept.unwrap_or(whole.start())..whole.end(), condition))
    })
}

#[cfg(test)]
mod tests {
    use jiff::civil::date;

    use super::*;

    #[test]
    fn what_came_out_since_a_day_of_the_week_did_so_since_the_last_one() {
        // A Tuesday.
        let own_day = Some(date(2026, 5, 12));
        let read = |text: &str| bound(text, own_day).map_or(String::new(), |(_, day)| day.to_string());
        for (text, wanted) in [
            ("jobs posted since Monday", "date >= 2026-05-11"),
            ("Anzeigen seit letztem Mittwoch", "date >= 2026-05-06"),
            ("oferty dodane od wtorku", "date >= 2026-05-12"),
            ("artykuły od piątku", "date >= 2026-05-08"),
            ("articles published after Friday", "date > 2026-05-08"),
            ("ogłoszenia dodane przed niedzielą", "date < 2026-05-10"),
            ("open from Monday to Friday", ""),
            ("seit Montag bis Freitag", ""),
            ("zajęcia od poniedziałku", ""),
            ("Kurse ab Montag", ""),
            ("oferty otwarte od poniedziałku do piątku", ""),
            ("trains before Friday", ""),
        ] {
            assert_eq!(read(text), wanted, "{text}");
        }
    }

    #[test]
    fn elsewhere_the_day_is_seen_from_the_day_of_the_run() {
        let (_, day) = bound("news since Sunday", None).unwrap();
        assert_eq!(day.to_string(), "date >= latest sunday");
    }
}
