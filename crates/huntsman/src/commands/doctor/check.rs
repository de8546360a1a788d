//! `DoctorCheck`: the result of one check, for people and for programs.

use serde_json::{Value, json};

/// The result of one check.
pub(super) struct DoctorCheck {
    pub(super) name: &'static str,
    /// Whether the configuration asks for it.
    pub(super) is_required: bool,
    /// What works, or what is missing.
    pub(super) outcome: Result<String, String>,
}

impl DoctorCheck {
    /// What works, or what is missing.
    pub(super) fn text(&self) -> &str {
        let (Ok(text) | Err(text)) = &self.outcome;
        text
    }

    /// The check for programs.
    pub(super) fn json(&self) -> Value {
        json!({"name": self.name, "ok": self.outcome.is_ok(), "wanted": self.is_required, "text": self.text()})
    }

    /// The check for people.
    pub(super) fn line(&self) -> String {
        let mark = match (&self.outcome, self.is_required) {
            (Ok(_), _) => "ok     ",
            (Err(_), true) => "MISSING",
            (Err(_), false) => "unused ",
        };
        format!("{mark}  {:<8} {}", self.name, self.text())
    }
}
