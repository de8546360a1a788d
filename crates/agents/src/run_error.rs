//! RunError: why a run, or a part of one, ends without a result.

use wire::Code;
use wire::error::ErrorBody;

use crate::cancel::Cancelled;
use crate::error_codes;

/// Why a part of a run gave nothing. Goes up with `?`; what can go on after a failure matches on it.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum RunError {
    /// The run was stopped.
    #[error(transparent)]
    Cancelled(#[from] Cancelled),
    /// No further attempt of this run can succeed.
    #[error("{0}")]
    Fatal(RunFailure),
    /// Another attempt, or another action, may succeed.
    #[error("{0}")]
    Recoverable(RunFailure),
}

/// What failed, for clients, for readers of the events, and for the model.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{name}: {text}")]
pub struct RunFailure {
    /// The code that a client sees.
    pub code: Code,
    /// The stable name of the error where it arose, such as `LLM_TIMEOUT`; else that of the code.
    pub name: &'static str,
    /// What happened, for clients and for readers of the events.
    pub text: String,
    /// What a model reads instead of `text`. It holds no advice that only a person can follow, and quotes what a page
    /// says.
    pub model_text: Option<String>,
}

impl RunFailure {
    /// A failure with the name of its code.
    pub fn new(code: Code, text: impl Into<String>) -> Self {
        Self {
            code,
            name: code.as_str(),
            text: text.into(),
            model_text: None,
        }
    }

    /// The same with another text for the model.
    #[must_use]
    pub fn with_model_text(mut self, text: impl Into<String>) -> Self {
        self.model_text = Some(text.into());
        self
    }

    /// What a model reads of it.
    pub fn model_text(&self) -> &str {
        self.model_text.as_deref().unwrap_or(&self.text)
    }
}

impl From<RunFailure> for ErrorBody {
    fn from(failure: RunFailure) -> Self {
        Self::new(failure.code, failure.text)
    }
}

impl RunError {
    /// A failure after which something else may be tried.
    pub fn recoverable(code: Code, text: impl Into<String>) -> Self {
        Self::Recoverable(RunFailure::new(code, text))
    }

    /// A failure that ends the run.
    pub fn fatal(code: Code, text: impl Into<String>) -> Self {
        Self::Fatal(RunFailure::new(code, text))
    }

    /// The failure, whether it ends the run or not.
    ///
    /// # Errors
    /// When the run was stopped instead.
    pub fn failure(self) -> Result<RunFailure, Cancelled> {
        match self {
            Self::Cancelled(stopped) => Err(stopped),
            Self::Fatal(failure) | Self::Recoverable(failure) => Ok(failure),
        }
    }

    /// The same with the text of its failure, if it has one, put into words by `describe`.
    #[must_use]
    pub fn map_text(self, describe: impl FnOnce(&RunFailure) -> String) -> Self {
        let described = |failure: RunFailure| RunFailure {
            text: describe(&failure),
            ..failure
        };
        match self {
            Self::Cancelled(_) => self,
            Self::Fatal(failure) => Self::Fatal(described(failure)),
            Self::Recoverable(failure) => Self::Recoverable(described(failure)),
        }
    }

    /// Whether no further attempt can succeed.
    pub fn is_fatal(&self) -> bool {
        match self {
            Self::Cancelled(_) | Self::Fatal(_) => true,
            Self::Recoverable(_) => false,
        }
    }

    /// The stable name of the error, for logs and counters.
    pub fn name(&self) -> &'static str {
        match self {
            Self::Cancelled(stopped) => error_codes::cancelled_code(stopped).as_str(),
            Self::Fatal(failure) | Self::Recoverable(failure) => failure.name,
        }
    }
}

impl From<&llm::Error> for RunError {
    fn from(error: &llm::Error) -> Self {
        let failure = RunFailure {
            name: error.code(),
            ..RunFailure::new(error_codes::model_code(error), error.to_string())
        };
        match error.ends_run() {
            true => Self::Fatal(failure),
            false => Self::Recoverable(failure),
        }
    }
}

impl From<llm::Error> for RunError {
    fn from(error: llm::Error) -> Self {
        Self::from(&error)
    }
}

impl From<&browser::Error> for RunError {
    fn from(error: &browser::Error) -> Self {
        let failure = RunFailure {
            name: error.code(),
            ..RunFailure::new(error_codes::browser_code(error), error.to_string())
        };
        match error {
            browser::Error::Unavailable(_) | browser::Error::Unauthorized => Self::Fatal(failure),
            _ => Self::Recoverable(failure),
        }
    }
}

impl From<browser::Error> for RunError {
    fn from(error: browser::Error) -> Self {
        Self::from(&error)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_models_error_keeps_its_own_name_beside_the_clients_code() {
        let error = RunError::from(llm::Error::NotConfigured("no provider".into()));
        assert!(error.is_fatal());
        assert_eq!(error.name(), "LLM_NOT_CONFIGURED");
        assert_eq!(
            error.failure().map(|failure| failure.code),
            Ok(Code::ModelNotConfigured)
        );
    }

    #[test]
    fn a_stop_is_no_failure() {
        let stopped = RunError::from(Cancelled::Requested);
        assert_eq!(stopped.name(), "TASK_ABORTED");
        assert_eq!(
            stopped.map_text(|_| "other".into()).failure(),
            Err(Cancelled::Requested)
        );
    }
}
