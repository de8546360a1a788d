//! What a column shows of a measure.

use serde_json::Value;

use super::{Measure, MeasureKind, date_of, written};
use crate::rows::distance;
use crate::rows::row_texts::RowTexts;

impl Measure {
    /// The value as it is shown in a column.
    pub(crate) fn shown(&self, row: &Value, texts: &RowTexts) -> Option<Value> {
        // "250 m" and "1.1 km" of one list are told in their units.
        if let MeasureKind::Distance { .. } = self.kind {
            return Some(distance::written(texts.of(row))?.into());
        }
        let value = self.value(row, texts)?;
        match self.kind {
            MeasureKind::Day | MeasureKind::LastDay | MeasureKind::NamedDay => {
                Some(date_of(value)?.to_string().into())
            }
            MeasureKind::Clock { .. } => Some(written(value).into()),
            MeasureKind::Beside { .. }
            | MeasureKind::Year
            | MeasureKind::Enclosed
            | MeasureKind::Duration { .. }
            | MeasureKind::Rating
            | MeasureKind::Age { .. }
            | MeasureKind::Labelled
            | MeasureKind::Paid { .. }
            | MeasureKind::Distance { .. }
            | MeasureKind::InUnit { .. } => extract::normalize::from_decimal(&value.to_string()),
        }
    }
}
