//! What a person answers to a form request.

use serde::{Deserialize, Serialize};
use std::fmt;

/// The answer to an `interactive:form_data:request`.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum FormAnswer {
    /// Values for the fields asked for.
    Fields(Vec<FieldValue>),
    /// The person declined; the agent has to go on without or give up.
    Cancelled,
}

/// One value for one field.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct FieldValue {
    /// The field's ref, as the request named it.
    #[serde(rename = "ref")]
    pub ref_: String,
    /// What to fill in. Never logged, never shown to a model.
    pub value: String,
}

// Both are written by hand so that a value typed by a person cannot reach a log through `{:?}`.
impl fmt::Debug for FormAnswer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Fields(fields) => f.debug_tuple("Fields").field(fields).finish(),
            Self::Cancelled => f.write_str("Cancelled"),
        }
    }
}

impl fmt::Debug for FieldValue {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("FieldValue")
            .field("ref", &self.ref_)
            .finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_person_typed_does_not_show_in_debug_output() {
        let answer = FormAnswer::Fields(vec![FieldValue {
            ref_: "E4".into(),
            value: "hunter2".into(),
        }]);
        assert!(!format!("{answer:?}").contains("hunter2"));
        assert!(format!("{answer:?}").contains("E4"));
    }
}
