//! Opening hours: the lines of days and times below a label such as "Opening hours".

use super::element_source::element_source;
use super::labelled_fields::{DAY, OPEN_OR_CLOSED, labels_of};
use super::labels::fold;
use super::visible_page::VisiblePage;
use crate::provenance::Sourced;

/// A time of day, and words for a place that is not open.
const TIME: &str = r"(?:(?:[01]?[0-9]|2[0-4])(?:[:.h][0-5][0-9])?\s*(?:a\.?m\.?|p\.?m\.?|uhr|h)?)";

/// Holidays, and the days before them, as they stand among days.
const HOLIDAYS: &str = r"(?:(?:an|vor|on|before)\s+)?(?:feiertage?n?|(?:(?:public|bank)\s+)?holidays?|święta|jours\s+fériés|festivos)";

locale::patterns! {
    /// A line that begins with days, and what stands behind them.
    static DAYS = format!(r"(?i)^((?:{DAY}|{HOLIDAYS})\b\.?(?:\s*(?:-|–|—|to|bis|do|au|à|a|al|,|/|&|and|und|i|et|y)\s*(?:{DAY}|{HOLIDAYS})\b\.?)*)\s*:?\s*(.*)$");
    /// A line of times, or a word for closed.
    static TIMES = format!(r"(?i)^(?:from |von |od |de |w godz\. )?(?:{TIME}\s*(?:-|–|—|to|bis|do|à|a)\s*{TIME}(?:\s*(?:,|/|&|and|und|i|et|y)\s*{TIME}\s*(?:-|–|—|to|bis|do|à|a)\s*{TIME})*|closed|geschlossen|ruhetag|zamknięte|nieczynne|fermée?|cerrado|(?:open )?24 (?:hours|stunden|godziny|heures|horas))\.?$");
}

/// Lines below the label in which the first day stands.
const NEAR: usize = 3;
/// Most lines of one list of hours.
const MOST_LINES: usize = 40;
/// Longest text in words behind days: "by appointment", in bytes.
const LONGEST_WORDS: usize = 40;
/// Fewest days, or groups of them, of a list.
const LEAST: usize = 2;

/// The opening hours that a page lists below a label: "Monday–Thursday 08:00–17:30; Friday 08:00–12:00, 14:00–22:00".
pub(crate) fn read(view: &VisiblePage<'_>) -> Option<Sourced<String>> {
    let labels: Vec<String> = labels_of("hours").iter().map(|label| fold(label)).collect();
    let texts: Vec<&str> = view
        .lines
        .iter()
        .map(|line| view.lines.line_text(line).trim())
        .collect();
    let mut headed = texts
        .iter()
        .enumerate()
        .filter(|(_, text)| labels.contains(&fold(text)));
    headed.find_map(|(at, _)| {
        let below = texts.iter().enumerate().skip(at + 1);
        let (first, _) = below.take(NEAR).find(|(_, text)| days_of(text).is_some())?;
        let lines = texts.iter().skip(first).take(MOST_LINES).copied();
        let lines: Vec<&str> = lines.filter(|line| !line.is_empty()).collect();
        let entries = entries(&lines);
        let block = view.lines.get(first)?.block;
        (entries.len() >= LEAST)
            .then(|| Sourced::new(entries.join("; "), element_source(view.dom().node(block))))
    })
}

/// The days with which a line begins, and the times behind them, if any.
fn days_of(line: &str) -> Option<(String, Option<String>)> {
    let found = DAYS.captures(line)?;
    let (days, rest) = (found.get(1)?.as_str().trim(), found.get(2)?.as_str().trim());
    if rest.is_empty() {
        return Some((days.to_owned(), None));
    }
    TIMES
        .is_match(rest)
        .then(|| (days.to_owned(), Some(rest.to_owned())))
}

/// The days with which a line begins, and the words behind them that are no times: "Wed by appointment". Such a line is one of the list
/// where another one with days follows, or where the words tell of hours.
fn days_in_words(line: &str, next: Option<&str>) -> Option<(String, Option<String>)> {
    let found = DAYS.captures(line)?;
    let (days, rest) = (found.get(1)?.as_str().trim(), found.get(2)?.as_str().trim());
    let tells_hours = rest.contains(|c: char| c.is_ascii_digit()) || OPEN_OR_CLOSED.is_match(rest);
    (rest.len() <= LONGEST_WORDS && (tells_hours || is_of_days(next)))
        .then(|| (days.to_owned(), Some(rest.to_owned())))
}

/// Whether the next line tells days with their times, or days alone.
fn is_of_days(next: Option<&str>) -> bool {
    next.is_some_and(|next| days_of(next).is_some())
}

/// Days with their times, one entry for each; days that stand one below the other before a time share it.
fn entries(lines: &[&str]) -> Vec<String> {
    let mut entries: Vec<(Vec<String>, Vec<String>)> = Vec::new();
    for (at, line) in lines.iter().copied().enumerate() {
        let next = lines.get(at + 1).copied();
        let is_words = || line.len() <= LONGEST_WORDS && is_of_days(next);
        if let Some((days, times)) = days_of(line).or_else(|| days_in_words(line, next)) {
            match entries.last_mut() {
                Some((open, known)) if known.is_empty() => {
                    open.push(days);
                    known.extend(times);
                }
                _ => entries.push((vec![days], times.into_iter().collect())),
            }
        } else if let Some((_, known)) = entries.last_mut()
            && (TIMES.is_match(line) || (known.is_empty() && is_words()))
        {
            known.push(line.to_owned());
        } else {
            break;
        }
    }
    entries.retain(|(_, times)| !times.is_empty());
    let written = entries
        .into_iter()
        .map(|(days, times)| format!("{} {}", days.join(", "), times.join(", ")));
    written.collect()
}

#[cfg(test)]
mod tests {
    use page::Page;

    use super::*;

    fn hours(html: &str) -> Option<String> {
        read(&VisiblePage::of(&Page::new(html, None))).map(|found| found.value)
    }

    #[test]
    fn days_and_times_below_a_label_are_opening_hours() {
        assert_eq!(
            hours(
                "<h1>Café</h1><h2>Opening hours</h2><dl><dt>Monday–Thursday</dt><dd>08:00–17:30</dd><dt>Friday</dt><dd>08:00–12:00</dd>\
                <dd>14:00–22:00</dd><dt>Saturday</dt><dt>Sunday</dt><dd>closed</dd></dl><h2>Menu</h2>"
            )
            .as_deref(),
            Some("Monday–Thursday 08:00–17:30; Friday 08:00–12:00, 14:00–22:00; Saturday, Sunday closed")
        );
        assert_eq!(
            hours("<h1>Bad</h1><h3>Öffnungszeiten</h3><p>Mo–Fr: 9–18 Uhr<br>Sa 10–14 Uhr<br>So: Ruhetag</p>")
                .as_deref(),
            Some("Mo–Fr 9–18 Uhr; Sa 10–14 Uhr; So Ruhetag")
        );
    }

    #[test]
    fn a_day_whose_hours_are_words_does_not_end_the_list() {
        assert_eq!(
            hours("<h1>Shop</h1><h2>Opening hours</h2><p>Mon 9–17</p><p>Tue 9–17</p><p>Wed by appointment</p><p>Thu 9–17</p><p>Fri 9 am–noon</p><p>Do you like tea?</p>")
                .as_deref(),
            Some("Mon 9–17; Tue 9–17; Wed by appointment; Thu 9–17; Fri 9 am–noon")
        );
        assert_eq!(
            hours("<h1>Shop</h1><h2>Opening hours</h2><dl><dt>Mon<dd>9–17<dt>Tue<dd>as arranged<dt>Wed<dd>9–17</dl><p>Mail us</p>")
                .as_deref(),
            Some("Mon 9–17; Tue as arranged; Wed 9–17")
        );
    }

    #[test]
    fn holidays_stand_among_days() {
        assert_eq!(
            hours("<h1>Laden</h1><h2>Öffnungszeiten</h2><dl><dt>Di–Fr<dd>8–18 Uhr<dt>Sa, vor Feiertagen<dd>7–13 Uhr<dt>So, Feiertage<dd>geschlossen</dl>")
                .as_deref(),
            Some("Di–Fr 8–18 Uhr; Sa, vor Feiertagen 7–13 Uhr; So, Feiertage geschlossen")
        );
    }

    #[test]
    fn days_without_times_are_none() {
        assert_eq!(
            hours("<h1>Café</h1><h2>Opening hours</h2><p>Monday–Thursday</p><p>Ask us.</p>"),
            None
        );
        assert_eq!(
            hours("<h1>Yoga</h1><h2>Classes</h2><p>Monday 18:00–19:00</p><p>Friday 18:00–19:00</p>"),
            None
        );
    }
}
