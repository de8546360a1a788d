//! What a column shows of a measure.

use serde_json::Value;

use super::{Kind, Measure, RowTexts, date_of, written};
use crate::rows::distance;

impl Measure {
    /// The value as it is shown in a column.
    pub(crate) fn shown(&self, row: &Value, texts: &RowTexts) -> Option<Value> {
        // "250 m" and "1.1 km" of one list are told in their units.
        if let Kind::Distance { .. } = self.kind {
            return Some(distance::written(texts.of(row))?.into());
        }
        let value = self.value(row, texts)?;
        match self.kind {
            Kind::Day | Kind::LastDay | Kind::NamedDay => Some(date_of(value)?.to_string().into()),
            Kind::Clock(_) => Some(written(value).into()),
            Kind::Beside { .. }
            | Kind::Year
            | Kind::Enclosed
            | Kind::Duration { .. }
            | Kind::Rating
            | Kind::Age { .. }
            | Kind::Labelled
            | Kind::Paid { .. }
            | Kind::Distance { .. }
            | Kind::InUnit(..) => extract::normalize::from_decimal(&value.to_string()),
        }
    }
}
