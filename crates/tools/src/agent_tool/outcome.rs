//! Outcomes of an agent's calls, worded for the model and for readers of the events.

use browser::Visit;

/// What a call did.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct ActionOutcome {
    /// What the model reads.
    pub text: String,
    /// The page it led to.
    pub visit: Option<Visit>,
    /// Whether something came up that was not asked for, so that later calls of the turn have to wait.
    pub is_surprise: bool,
    /// Whether the page was scrolled in order to read on.
    pub reads_on: bool,
}

impl ActionOutcome {
    /// An outcome that is only told.
    pub fn told(text: impl Into<String>) -> Self {
        Self {
            text: text.into(),
            ..Self::default()
        }
    }

    /// The outcome of a visit.
    pub(crate) fn arrived(visit: Visit) -> Self {
        let mut text = "done; another page is open now".to_owned();
        if let Some(status) = visit.status.filter(|status| !(200..300).contains(status)) {
            text.push_str(&format!("; the site answered with status {status}"));
        }
        for warning in &visit.warnings {
            text.push_str(&format!("; {}", warning.text()));
        }
        Self {
            text,
            visit: Some(visit),
            is_surprise: true,
            reads_on: false,
        }
    }
}

/// Why a call was not done.
#[derive(Debug, Clone, thiserror::Error)]
pub enum ActionError {
    /// The policy refused it.
    #[error(transparent)]
    Refused(#[from] policy::Refused),
    /// It makes no sense here; in a sentence that says what to try.
    #[error("{0}")]
    Impossible(String),
    /// The tab failed.
    #[error("{error}")]
    Tab {
        /// The tab's error. Its text may hold words of the page.
        error: browser::Error,
        /// What the model reads: the same with the words of the page quoted and the person's values masked.
        model_text: String,
    },
}

impl ActionError {
    /// What the model reads.
    pub fn model_text(&self) -> &str {
        match self {
            Self::Refused(refused) => &refused.reason,
            Self::Impossible(text) => text,
            Self::Tab { model_text, .. } => model_text,
        }
    }
}
