//! The day on which a page was published.
//!
//! Every place that names a day is a candidate with a weight: markup, the address, what stands
//! near its title. Candidates of one day support each other; the day with the most support wins.

mod candidate;
mod date_locale;
mod dated_text;
mod dateline;
mod machine_dates;
mod newest_day;
mod other_pages;
mod roles;
mod thing_days;
mod visible_dates;

use std::collections::BTreeMap;

use jiff::civil::{Date, DateTime, date};
use page::Page;
use page::meta::Metadata;

use self::candidate::DateCandidate;
pub(crate) use self::date_locale::{DateLocale, locale};
use super::visible_page::VisiblePage;
use crate::provenance::{FieldSource, Sourced};
use locale::dates::{DatePrecision, ParsedDate};

/// The day the web began; nothing was published on it before.
const FIRST: Date = date(1991, 8, 6);
/// How much of the weight of further candidates is added to the best one.
const SUPPORT: f32 = 0.2;
/// The most that support adds.
const MAX_SUPPORT: f32 = 14.0;
/// From this weight on a day that is shown to readers corrects a machine's day next to it.
const READERS: f32 = 70.0;

/// From this weight on a day of change stands near the title.
const SHOWN_CHANGE: f32 = 44.0;

/// From this weight on a day without further words stands near the title.
const SHOWN: f32 = 60.0;

/// How sure the answer is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Certainty {
    /// A reader's comment has the day, which is that of a page only where the page is a thread.
    Commented,
    /// The page shows the day somewhere: its text may speak of that day.
    Mentioned,
    /// The only days the page names may belong to something else.
    Guess,
    /// Only a day of change is known, or a day shown near the title.
    Likely,
    /// The page shows it as a day, and does not say of what.
    Shown,
    /// The page says so, for machines or in words.
    Stated,
}

/// A day of publication.
#[derive(Debug, Clone, PartialEq)]
pub struct PublicationDate {
    /// The day, with its time of day where the candidate names one.
    pub moment: ParsedDate,
    /// How sure it is.
    pub certainty: Certainty,
}

/// The days of a page.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct PageDates {
    /// The day of publication. A day of change is none, unless the page shows it beside its title and no other.
    pub published: Option<Sourced<PublicationDate>>,
    /// The day of the last change, as markup or the page's own words call it.
    pub modified: Option<Sourced<ParsedDate>>,
}

/// The days of a page; `now` bounds them and anchors relative dates.
pub fn read(view: &VisiblePage<'_>, metadata: &Metadata, now: DateTime) -> PageDates {
    let page = view.page;
    let locale = locale(page);
    let mut candidates = machine_dates::candidates(page, metadata, &locale, now);
    candidates.extend(visible_dates::candidates(view, &locale, now));
    let last = now.date().tomorrow().unwrap_or(now.date());
    candidates.retain(|candidate| (FIRST..=last).contains(&candidate.moment.date));
    let changed = candidates
        .iter()
        .filter(|candidate| candidate.changed)
        .max_by(|one, other| {
            // Markup tells the time, too.
            let is_markup =
                |candidate: &DateCandidate| !matches!(candidate.source, FieldSource::Selector { .. });
            let by_weight = || one.weight.total_cmp(&other.weight);
            is_markup(one).cmp(&is_markup(other)).then_with(by_weight)
        });
    let published = choose(&candidates);
    // What was changed last before it was published is a draft, or another text.
    let is_before = |changed: &&DateCandidate| {
        let day = published.as_ref().map(|found| found.value.moment.date);
        day.is_some_and(|day| changed.moment.date < day)
    };
    PageDates {
        modified: changed
            .filter(|changed| !is_before(changed))
            .map(|changed| Sourced::new(changed.moment, changed.source.clone())),
        published,
    }
}

/// The day, with its time if there is one, that a short text of the page names in full.
pub(crate) fn day_in(page: &Page, text: &str, now: DateTime) -> Option<ParsedDate> {
    let found = locale::dates::parse(text, now, &locale(page).hints())?;
    (found.precision == DatePrecision::Day).then_some(found)
}

/// Whether a text names the first and the last day of something.
pub(crate) fn is_span_of_days(text: &str) -> bool {
    visible_dates::SPAN_OF_DAYS.is_match(&locale::number::ascii_digits(text))
}

/// All candidates of one day.
struct DayEvidence<'a> {
    best: &'a DateCandidate,
    /// The weight of each kind of source, once.
    sources: Vec<(&'a FieldSource, f32)>,
    /// Whether markup, and whether the visible page, says that the page was changed on this day.
    changed: (bool, bool),
    /// The most weight of a place that belongs to the text.
    own: f32,
    /// The best of those that readers see.
    shown: Option<&'a DateCandidate>,
}

impl DayEvidence<'_> {
    fn score(&self) -> f32 {
        let others: f32 = self.sources.iter().map(|(_, weight)| weight.min(60.0)).sum();
        self.best.weight + ((others - self.best.weight.min(60.0)) * SUPPORT).min(MAX_SUPPORT)
    }
}

fn choose(candidates: &[DateCandidate]) -> Option<Sourced<PublicationDate>> {
    let mut days: BTreeMap<Date, DayEvidence<'_>> = BTreeMap::new();
    for candidate in candidates {
        let day = days.entry(candidate.moment.date).or_insert_with(|| DayEvidence {
            best: candidate,
            sources: Vec::new(),
            changed: (false, false),
            own: 0.0,
            shown: None,
        });
        let is_seen = matches!(candidate.source, FieldSource::Selector { .. } | FieldSource::Url);
        if is_seen && day.shown.is_none_or(|shown| shown.weight < candidate.weight) {
            day.shown = Some(candidate);
        }
        if day.best.weight < candidate.weight {
            day.best = candidate;
        }
        if candidate.own {
            day.own = day.own.max(candidate.weight);
        }
        if candidate.changed {
            let shown = matches!(candidate.source, FieldSource::Selector { .. });
            day.changed.0 |= !shown;
            day.changed.1 |= shown && candidate.weight >= SHOWN_CHANGE;
        }
        if !day.sources.iter().any(|(source, _)| **source == candidate.source) {
            day.sources.push((&candidate.source, candidate.weight));
        }
    }
    let mut chosen: Option<&DayEvidence<'_>> = None;
    for day in days.values() {
        // Of equals the earlier day: pages change after they were published.
        if chosen.is_none_or(|best| day.score() > best.score()) {
            chosen = Some(day);
        }
    }
    let chosen = chosen?;
    let mut candidate = chosen.best;
    if let Some(day) = local_day(chosen, &days) {
        // Another clock's moment on the day that readers see is that of something else, such as the first draft.
        let minute = |moment: &ParsedDate| moment.time.map(|time| (time.hour(), time.minute()));
        let agree = |shown: &DateCandidate| {
            minute(&shown.moment).is_some() && minute(&shown.moment) == minute(&day.best.moment)
        };
        let is_local = same_minute(&chosen.best.moment, day.best) || day.shown.is_some_and(agree);
        candidate = day.shown.filter(|_| !is_local).unwrap_or(day.best);
    } else if let Some(day) = shown_before_change(chosen, &days) {
        candidate = day.best;
    }
    // A day of change that readers see beside the title is that of the edition before them; any other is not one of publication.
    let is_shown = matches!(candidate.source, FieldSource::Selector { .. });
    if candidate.changed && !(is_shown && candidate.own && candidate.weight >= SHOWN_CHANGE) {
        return None;
    }
    let is_mentioned = is_shown && !candidate.own && candidate.weight < SHOWN;
    let certainty = match candidate.weight {
        _ if candidate.commented => Certainty::Commented,
        _ if is_mentioned => Certainty::Mentioned,
        _ if candidate.changed => Certainty::Guess,
        weight if weight >= 65.0 && candidate.named => Certainty::Stated,
        weight if weight >= 65.0 => Certainty::Shown,
        weight if weight >= 30.0 => Certainty::Likely,
        _ => Certainty::Guess,
    };
    Some(Sourced::new(
        PublicationDate {
            moment: candidate.moment,
            certainty,
        },
        candidate.source.clone(),
    ))
}

/// The day that is shown near the title, when the markup gives the chosen one both as that of publication and as that of the last
/// change, and the shown one is earlier: some systems publish a page anew with every change.
fn shown_before_change<'d, 'w>(
    chosen: &DayEvidence<'w>,
    days: &'d BTreeMap<Date, DayEvidence<'w>>,
) -> Option<&'d DayEvidence<'w>> {
    let is_shown = |source: &FieldSource| matches!(source, FieldSource::Selector { .. });
    let is_seen = |day: &DayEvidence<'_>, least: f32| {
        let mut sources = day.sources.iter();
        sources.any(|(source, weight)| is_shown(source) && *weight >= least)
    };
    if !chosen.changed.0 || is_shown(&chosen.best.source) || is_seen(chosen, SHOWN_CHANGE) {
        return None;
    }
    let earlier = days.range(..chosen.best.moment.date).map(|(_, day)| day);
    earlier
        .filter(|day| day.own >= SHOWN && !day.changed.1 && day.best.moment.precision == DatePrecision::Day)
        .max_by(|a, b| a.score().total_cmp(&b.score()))
}

/// The day readers saw, when the chosen one is a clock's in another zone and so one day off: the address has it, it
/// is marked as the date on the page, or the same minute is given in local time.
fn local_day<'d, 'w>(
    chosen: &DayEvidence<'w>,
    days: &'d BTreeMap<Date, DayEvidence<'w>>,
) -> Option<&'d DayEvidence<'w>> {
    let moment = chosen.best.moment;
    moment.time?;
    let is_seen = |source: &FieldSource| matches!(source, FieldSource::Selector { .. } | FieldSource::Url);
    let confirmed = chosen
        .sources
        .iter()
        .any(|(source, weight)| is_seen(source) && *weight >= READERS);
    if confirmed || is_seen(&chosen.best.source) || !could_be_utc(&moment) {
        return None;
    }
    let beside = [moment.date.yesterday(), moment.date.tomorrow()];
    let beside = beside.into_iter().flatten().filter_map(|date| days.get(&date));
    let fits = |day: &&DayEvidence<'_>| {
        day.sources
            .iter()
            .any(|(source, weight)| is_seen(source) && *weight >= READERS)
            || same_minute(&moment, day.best)
    };
    beside.filter(fits).max_by(|a, b| a.score().total_cmp(&b.score()))
}

/// Whether a candidate gives the minute of a moment, on a clock of another zone.
fn same_minute(moment: &ParsedDate, candidate: &DateCandidate) -> bool {
    let offset = candidate.moment.offset.map_or(1, |offset| offset.seconds());
    let times = moment.time.zip(candidate.moment.time);
    offset != 0
        && times.is_some_and(|(time, other)| {
            other.minute() == time.minute() && (other.second() == 0 || other.second() == time.second())
        })
}

/// True for a clock in UTC, and for one that names no zone late in the evening or at night.
fn could_be_utc(moment: &ParsedDate) -> bool {
    match (moment.offset, moment.time) {
        (Some(offset), _) => offset.seconds() == 0,
        (None, Some(time)) => time.hour() >= 21 || time.hour() <= 2,
        (None, None) => false,
    }
}

#[cfg(test)]
mod tests;
