//! Times of day of an instruction: "before 10 am", "ab 18 Uhr", "o 20:00 lub później".
//!
//! A row's first time is when it begins. What ends, opens until or arrives at a time is not compared with that.

use std::ops::Range;

use tools::rows::clock::{TIME_OF_DAY, minutes_since_midnight};
use tools::rows::condition::{Operator, RowCondition};

locale::patterns! {
    /// A comparison with a time of day, which a sign or a word tells from other numbers.
    static TIME = r"(?ix)(?:\b(?:(?P<more>after|later\s+than|nach|später\s+als|po|później\s+niż)
        |(?P<least>from|since|not\s+before|no\s+earlier\s+than|ab|frühestens(?:\s+um)?|nicht\s+vor|od|najwcześniej(?:\s+o)?)
        |(?P<less>before|earlier\s+than|vor|früher\s+als|przed|wcześniej\s+niż)
        |(?P<most>until|till|by|no\s+later\s+than|at\s+the\s+latest(?:\s+at)?|bis|spätestens(?:\s+um)?|do|najpóźniej(?:\s+o)?)
        |(?P<at>at|um|gegen|o))\s+(?:(?:o|um|at)\s+)?)?
        (?:godz(?:inie|\.)?\s*)?
        (?:(?P<h>[01]?\d|2[0-4])[:.](?P<m>[0-5]\d)(?:\s*(?:(?P<half>[ap])\.?m\b\.?|uhr(?:\s+(?:mittags|nachts))?\b|o'clock\b))?
        |(?P<hour>[01]?\d|2[0-4])\s*(?:(?P<half_of_hour>[ap])\.?m\b\.?|uhr(?:\s+(?:mittags|nachts))?\b|o'clock\b|(?P<morning>rano|morgens|in\s+the\s+morning)\b|(?P<evening>wieczorem|abends|in\s+the\s+evening)\b))
        (?:\s*(?:(?P<later>(?:or|oder|lub|albo)\s+(?:later|after|später|danach|później)|onwards?)|(?P<earlier>(?:or|oder|lub|albo)\s+(?:earlier|before|früher|davor|wcześniej)))\b)?";
    /// Two times of day that something begins between: "between 9 am and 5 pm".
    static SPAN = r"(?ix)\b(?:between|from|zwischen|von|od|między|pomiędzy)\s+(?:(?:godz(?:iny|iną|\.)?)\s*)?
        (?P<first>[01]?\d|2[0-4])(?:[:.](?P<first_minute>[0-5]\d))?\s*(?:(?P<first_half>[ap])\.?m\b\.?|uhr\b)?\s*
        (?:and|to|until|till|und|bis|a|i|do|-|–)\s*
        (?P<last>[01]?\d|2[0-4])(?:(?P<sign>[:.])(?P<last_minute>[0-5]\d))?\s*(?:(?P<last_half>[ap])\.?m\b\.?|(?P<uhr>uhr)\b)?";
    /// Behind two times, what is so between them.
    static OPEN_BEHIND = r"(?i)^\s*(?:open|geöffnet|offen|otwart|czynn)";
    /// What a time is of that is no beginning.
    static OF_END = r"(?i)\b(?:arriv\p{Latin}*|clos\p{Latin}+|end(?:s|ing)?|finish\p{Latin}*|open|until|over|ankunft|ankomm\p{Latin}*|schließ\p{Latin}*|geöffnet|offen|ende[nt]?|endet|vorbei|przyjazd\p{Latin}*|przyjeżdż\p{Latin}*|czynn\p{Latin}+|otwart\p{Latin}+|kończ\p{Latin}+|zamyka\p{Latin}*)\b[^.,;]{0,40}$";
}

/// Takes the first comparison with a time of day of a text: where it stands, and what it means; no condition where it is about
/// something else than a beginning.
pub(super) fn time(text: &str) -> Option<(Range<usize>, Option<RowCondition>)> {
    TIME.captures_iter(text).find_map(|found| {
        let whole = found.get(0)?;
        let has = |name: &str| found.name(name).is_some();
        let number = |name: &str| found.name(name)?.as_str().parse::<u32>().ok();
        let operator = match () {
            () if has("later") => Operator::AtLeast,
            () if has("earlier") => Operator::AtMost,
            () if has("more") => Operator::More,
            () if has("least") => Operator::AtLeast,
            () if has("less") => Operator::Less,
            () if has("most") => Operator::AtMost,
            () if has("at") => Operator::Equal,
            () => return None,
        };
        let hour = number("h").or_else(|| number("hour"))?;
        let half = found.name("half").or_else(|| found.name("half_of_hour"));
        let of_half = half.map(|half| half.as_str().eq_ignore_ascii_case("p"));
        let is_afternoon = of_half.or(has("evening").then_some(true));
        let minutes = minutes_since_midnight(hour, number("m").unwrap_or(0), is_afternoon);
        let condition = RowCondition {
            field: TIME_OF_DAY.to_owned(),
            operator,
            value: minutes.into(),
        };
        let is_of_end = OF_END.is_match(text.get(..whole.start())?);
        Some((whole.range(), (!is_of_end).then_some(condition)))
    })
}

/// Two times of day of a text: where they stand, and the lists of conditions of which one has to hold; none where the times are no
/// beginnings.
pub(super) fn span(text: &str) -> Option<(Range<usize>, Vec<Vec<RowCondition>>)> {
    SPAN.captures_iter(text).find_map(|found| {
        let whole = found.get(0)?;
        let has = |name: &str| found.name(name).is_some();
        let number = |name: &str| found.name(name)?.as_str().parse::<u32>().ok();
        let is_written = has("first_minute") && found.name("sign").is_some_and(|sign| sign.as_str() == ":");
        let behind = text.get(whole.end()..)?;
        if !(is_written || has("last_half") || has("uhr"))
            || behind.starts_with([':', '.']) && is_digit_at(behind, 1)
        {
            return None;
        }
        let is_afternoon = |name: &str| Some(found.name(name)?.as_str().eq_ignore_ascii_case("p"));
        let (first, last) = (number("first")?, number("last")?);
        let last_half = is_afternoon("last_half");
        // "2 to 5 pm" is in the afternoon, and "9 to 5 pm" begins before it.
        let first_half = is_afternoon("first_half").or(last_half.map(|half| half && first % 12 < last % 12));
        let from = minutes_since_midnight(first, number("first_minute").unwrap_or(0), first_half);
        let to = minutes_since_midnight(last, number("last_minute").unwrap_or(0), last_half);
        let bound = |operator, minutes: u32| RowCondition {
            field: TIME_OF_DAY.to_owned(),
            operator,
            value: minutes.into(),
        };
        let is_of_one_day = from < to;
        let (from, to) = (bound(Operator::AtLeast, from), bound(Operator::AtMost, to));
        let is_of_end = OF_END.is_match(text.get(..whole.start())?) || OPEN_BEHIND.is_match(behind);
        let spans = match (is_of_end, is_of_one_day) {
            (true, _) => Vec::new(),
            (false, true) => vec![vec![from, to]],
            // Over midnight.
            (false, false) => vec![vec![from], vec![to]],
        };
        Some((whole.range(), spans))
    })
}

/// Whether a character of a text is a digit.
fn is_digit_at(text: &str, at: usize) -> bool {
    text.as_bytes().get(at).is_some_and(u8::is_ascii_digit)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_of_day_are_compared_with_a_beginning_alone() {
        let read = |text: &str| {
            let (_, condition) = time(text)?;
            Some(condition.map(|condition| condition.to_string()))
        };
        let is = |text: &str, wanted: &str| assert_eq!(read(text), Some(Some(wanted.to_owned())), "{text}");
        is("begin at 6 pm or later", "time of day >= 1080");
        is("Beginn vor 12 Uhr", "time of day < 720");
        is("o 20:00 lub później", "time of day >= 1200");
        is("before 7:30 am", "time of day < 450");
        is("przed 7 rano", "time of day < 420");
        assert_eq!(read("ankunft in berlin spätestens 14 uhr"), Some(None));
        assert_eq!(read("open until 17:30"), Some(None));
        assert_eq!(read("under 7.50 pounds"), None);
        assert_eq!(read("after 5 May"), None);
    }

    #[test]
    fn two_times_of_day_are_both_ends() {
        let read = |text: &str| {
            let written = |span: &Vec<RowCondition>| {
                let times: Vec<String> = span.iter().map(ToString::to_string).collect();
                times.join(", ")
            };
            span(text).map(|(_, spans)| spans.iter().map(written).collect::<Vec<_>>().join(" | "))
        };
        for (text, wanted) in [
            (
                "courses between 9 am and 5 pm",
                "time of day >= 540, time of day <= 1020",
            ),
            ("from 2 to 5 pm", "time of day >= 840, time of day <= 1020"),
            ("from 9 to 5 pm", "time of day >= 540, time of day <= 1020"),
            (
                "zwischen 9.30 und 12 Uhr",
                "time of day >= 570, time of day <= 720",
            ),
            ("od 17:00 do 19:30", "time of day >= 1020, time of day <= 1170"),
            (
                "between 10 pm and 2 am",
                "time of day >= 1320 | time of day <= 120",
            ),
            ("open from 9 am to 5 pm", ""),
            ("von 9 bis 17 Uhr geöffnet", ""),
        ] {
            assert_eq!(read(text).as_deref(), Some(wanted), "{text}");
        }
        for text in [
            "between 9 and 17 euros",
            "between 9.50 and 12.50",
            "from 5 to 10 pages",
        ] {
            assert_eq!(read(text), None, "{text}");
        }
    }
}
