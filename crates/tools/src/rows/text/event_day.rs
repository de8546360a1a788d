//! The day of something that the rows name: `date of closing`.

use jiff::civil::DateTime;
use serde_json::Value;

use super::{Measure, MeasureKind};
use crate::rows::row_texts::RowTexts;
use crate::words::concepts::alternatives;
use crate::words::label_names::day_labels;

impl Measure {
    /// The day of an event, which the rows may call by any of its names.
    pub(super) fn day_of(event: &str, rows: &[Value], texts: &RowTexts, now: DateTime) -> Option<Measure> {
        let called = day_labels(event);
        let phrases = alternatives(event).into_iter().chain(called).collect();
        let named = Measure::of(phrases, MeasureKind::NamedDay, now);
        let yearless = Measure {
            is_yearless: true,
            ..named.clone()
        };
        let named = [named, yearless];
        // Of several days of a row, one that nothing calls so is a guess.
        let date = Measure::called("date", rows, texts, now).map(|date| date.ending(event));
        let date = date.filter(|date| !date.is_of_several(rows, texts));
        let by_most = |measure: &&Measure| measure.is_told_by_most(rows, texts);
        let all = || named.iter().chain(&date);
        let measure = all()
            .find(by_most)
            .or_else(|| all().find(|measure| measure.is_told(rows, texts)));
        measure.cloned().map(|measure| measure.with_year(rows, texts))
    }
}
