//! Calendar widgets: month headings, paging between months, and the click on a day.

use browser::snapshot::SnapshotElement;
use browser::{Ref, Snapshot};
use jiff::civil::{Date, DateTime};
use locale::dates::{self, DateHints, DatePrecision};

use crate::context::ToolContext;
use crate::controls::interaction::{click_ref, wait_until_quiet};
use crate::controls::snapshot_search::{is_usable, take_snapshot, text_of};
use crate::controls::ui_words::{NEXT, PREVIOUS, fold, has};
use crate::error::Error;

/// Most months to page through.
const MAX_STEPS: usize = 60;
/// Longest heading of a month, in characters.
const MAX_HEADING: usize = 40;
/// Most elements between a month's heading and its buttons.
const MAX_DISTANCE: usize = 80;
/// Longest wait for a calendar to draw itself, in milliseconds.
const TIMEOUT_MS: u64 = 400;

/// A month of a calendar, with the index of its heading in the snapshot.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct ShownMonth {
    at: usize,
    year: i16,
    month: i8,
}

impl ShownMonth {
    /// Months since the year 0, for comparing.
    fn number(&self) -> i32 {
        i32::from(self.year) * 12 + i32::from(self.month)
    }
}

/// Whether the page shows a calendar now.
pub(crate) fn is_shown(snapshot: &Snapshot, now: DateTime) -> bool {
    !months(snapshot, now).is_empty()
}

/// Clicks a day in the calendar that the page shows.
///
/// # Errors
/// When there is none, when the month cannot be reached, or the day cannot be chosen.
pub(crate) async fn choose(context: &mut ToolContext, day: Date) -> Result<(), Error> {
    let now = context.now();
    let wanted = i32::from(day.year()) * 12 + i32::from(day.month());
    for _ in 0..MAX_STEPS {
        let snapshot = take_snapshot(context).await?;
        let shown = months(&snapshot, now);
        let Some(first) = shown.first() else {
            return Err(Error::NotFound(
                "no calendar is shown: no heading names a month and its year".into(),
            ));
        };
        if let Some(place) = shown.iter().position(|it| it.number() == wanted) {
            let from = shown.get(place).map_or(0, |it| it.at);
            let until = shown.get(place + 1).map_or(snapshot.nodes.len(), |it| it.at);
            let target = cell(&snapshot, from, until, day, now).ok_or_else(|| {
                Error::NotFound(format!(
                    "the calendar shows the month of {day}, and that day cannot be chosen there"
                ))
            })?;
            click_ref(context, target).await?;
            return wait_until_quiet(context, TIMEOUT_MS).await;
        }
        let words: &[&str] = if wanted > first.number() { &NEXT } else { &PREVIOUS };
        let signs: &[&str] = if wanted > first.number() {
            &["›", "»", ">", "→", "❯"]
        } else {
            &["‹", "«", "<", "←", "❮"]
        };
        let step = step(&snapshot, first.at, words, signs).ok_or_else(|| {
            Error::NotFound(format!(
                "the calendar shows {}-{:02} and has no button towards {day}",
                first.year, first.month
            ))
        })?;
        click_ref(context, step).await?;
        wait_until_quiet(context, TIMEOUT_MS).await?;
        if months(&take_snapshot(context).await?, now)
            .first()
            .is_some_and(|it| it.number() == first.number())
        {
            return Err(Error::NotFound(format!(
                "the calendar does not leave {}-{:02}",
                first.year, first.month
            )));
        }
    }
    Err(Error::NotFound(format!("{day} is too far away to leaf to")))
}

fn months(snapshot: &Snapshot, now: DateTime) -> Vec<ShownMonth> {
    let heads = snapshot
        .nodes
        .iter()
        .enumerate()
        .filter(|(_, it)| !matches!(it.role.as_str(), "option" | "textbox"));
    let mut found: Vec<ShownMonth> = Vec::new();
    for (at, element) in heads {
        let next = snapshot
            .nodes
            .get(at + 1)
            .filter(|it| it.depth == element.depth && it.role == element.role);
        let joined = next.map(|it| format!("{} {}", element.name, it.name));
        let read = month(&element.name, now).or_else(|| joined.and_then(|it| month(&it, now)));
        if let Some((year, month)) = read
            && found.last().is_none_or(|it| (it.year, it.month) != (year, month))
        {
            found.push(ShownMonth { at, year, month });
        }
    }
    found
}

/// A text that names a month and its year and nothing else.
fn month(text: &str, now: DateTime) -> Option<(i16, i8)> {
    let text = text.trim();
    if text.chars().count() > MAX_HEADING
        || !text.chars().any(char::is_alphabetic)
        || !text.chars().any(|it| it.is_ascii_digit())
    {
        return None;
    }
    let read = dates::parse(text, now, &DateHints::default())?;
    (read.precision == DatePrecision::Month).then(|| (read.date.year(), read.date.month()))
}

/// The button or link to the next or previous month, the nearest to the heading.
fn step(snapshot: &Snapshot, heading: usize, words: &[&str], signs: &[&str]) -> Option<Ref> {
    let is_step = |element: &&(usize, &SnapshotElement)| {
        let name = element.1.name.trim();
        matches!(element.1.role.as_str(), "button" | "link")
            && (signs.contains(&name) || has(&fold(name), words))
    };
    let from = heading.saturating_sub(MAX_DISTANCE);
    let near: Vec<(usize, &SnapshotElement)> = snapshot
        .nodes
        .iter()
        .enumerate()
        .skip(from)
        .take(MAX_DISTANCE * 2)
        .filter(|(_, it)| is_usable(it))
        .collect();
    let found = near
        .iter()
        .filter(is_step)
        .min_by_key(|it| it.0.abs_diff(heading));
    found.and_then(|it| it.1.target)
}

/// The cell of a day: one whose name is the whole date, else the bare number within the month's own days.
fn cell(snapshot: &Snapshot, from: usize, until: usize, day: Date, now: DateTime) -> Option<Ref> {
    let within = || {
        snapshot
            .nodes
            .iter()
            .enumerate()
            .take(until)
            .skip(from)
            .filter(|(_, it)| is_usable(it))
    };
    let whole = within().find(|(_, it)| {
        let long = it.name.chars().count() > 2 && it.name.chars().any(|it| it.is_ascii_digit());
        let read = || dates::parse(&it.name, now, &DateHints::default());
        long && read().is_some_and(|it| it.date == day && it.precision >= DatePrecision::Near)
    });
    if let Some((_, element)) = whole {
        return element.target;
    }
    let number = |at: usize| {
        text_of(snapshot, at)
            .split_whitespace()
            .next()
            .and_then(|it| it.parse::<i8>().ok())
    };
    // Days of the month before may stand ahead of the first.
    let mut begun = false;
    for (at, element) in within() {
        let number = number(at);
        begun |= number == Some(1);
        if begun && number == Some(day.day()) {
            return element.target;
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    fn element(role: &str, name: &str, target: u32) -> SnapshotElement {
        SnapshotElement {
            role: role.into(),
            name: name.into(),
            target: (target > 0).then_some(Ref(target)),
            ..SnapshotElement::default()
        }
    }

    #[test]
    fn a_day_of_the_month_before_is_not_the_day() {
        let mut nodes = vec![
            element("button", "‹", 100),
            element("text", "marzec 2027", 0),
            element("button", "›", 101),
        ];
        nodes.extend([27, 28].map(|it| element("button", &it.to_string(), it)));
        nodes.extend((1..=31).map(|it| element("button", &it.to_string(), 200 + it)));
        let snapshot = Snapshot {
            nodes,
            ..Snapshot::default()
        };
        let now: DateTime = "2027-01-05T10:00:00".parse().unwrap();
        assert_eq!(
            months(&snapshot, now),
            [ShownMonth {
                at: 1,
                year: 2027,
                month: 3
            }]
        );
        let day = |it: i8| {
            cell(
                &snapshot,
                1,
                snapshot.nodes.len(),
                jiff::civil::date(2027, 3, it),
                now,
            )
        };
        assert_eq!(day(28), Some(Ref(228)));
        assert_eq!(day(1), Some(Ref(201)));
        assert_eq!(step(&snapshot, 1, &NEXT, &["›"]), Some(Ref(101)));
    }
}
