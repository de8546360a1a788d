//! What the page of an event shows without markup: what one pays to get in, and its days where no label names them.

use jiff::civil::DateTime;
use locale::price::{self, PriceHints};

use super::element_source::element_source;
use super::labelled_fields;
use super::published;
use super::visible_page::VisiblePage;
use crate::provenance::{FieldSource, Sourced};

/// Lines below the heading in which the days of the event stand.
const LINES: usize = 12;
/// Longest line that names days and nothing else, in bytes.
const LONGEST: usize = 60;

/// What one pays to get in.
pub(crate) struct Admission {
    /// The first amount that is stated, as a decimal.
    pub(crate) amount: String,
    /// ISO 4217 code of its currency.
    pub(crate) currency: &'static str,
    /// Where it stands.
    pub(crate) source: FieldSource,
}

/// The price behind a label such as "Admission" or "Tickets"; an amount without a currency is none.
pub(crate) fn admission(view: &VisiblePage<'_>) -> Option<Admission> {
    let found = labelled_fields::read(view, &["admission"]).into_iter().next()?;
    let text = labelled_fields::first(&found)?;
    let price = price::parse(&text.value, &PriceHints::default())?;
    let currency = price::iso(price.currency?, view.country.as_deref()).or(price.iso)?;
    Some(Admission {
        amount: price.amount,
        currency,
        source: found.source,
    })
}

/// The line below the heading that names the first and the last day.
pub(crate) fn days(view: &VisiblePage<'_>) -> Option<Sourced<String>> {
    let heading = view.heading.as_ref()?;
    let lines = view.lines.iter().skip(heading.line + 1).take(LINES);
    lines.filter(|line| line.range.len() <= LONGEST).find_map(|line| {
        let text = view.lines.line_text(line).trim();
        let source = || element_source(view.dom().node(line.block));
        published::is_span_of_days(text).then(|| Sourced::new(text.to_owned(), source()))
    })
}

/// Whether a day that readers see is the one on which the event begins, by its label: "Date: 4 October 2026".
pub(crate) fn is_day_of_event(view: &VisiblePage<'_>, day: &Sourced<String>, now: DateTime) -> bool {
    let starts = labelled_fields::read(view, &["start_date"]);
    matches!(day.source, FieldSource::Selector { .. })
        && starts.iter().filter_map(labelled_fields::first).any(|start| {
            let start = published::day_in(view.page, &start.value, now);
            start.is_some_and(|start| day.value.starts_with(&start.date.to_string()))
        })
}
