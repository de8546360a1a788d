//! `ServiceError`: why the service refuses a request, with its code and when to try again.

use std::time::Duration;

use agents::cancel::Cancelled;
use wire::Code;
use wire::error::ErrorBody;

/// A refusal. Nothing was done.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
pub struct ServiceError {
    /// Which error.
    pub code: Code,
    /// In words, ready for people.
    pub message: String,
    /// When to try again, where that helps.
    pub retry_after: Option<Duration>,
}

impl ServiceError {
    /// A refusal with this code and text.
    pub fn new(code: Code, message: impl Into<String>) -> Self {
        Self {
            code,
            message: message.into(),
            retry_after: None,
        }
    }

    /// There is no such run, or none that the caller may see; the two look alike.
    pub fn unknown_run() -> Self {
        Self::new(Code::NotFound, "there is no run of this id")
    }

    /// The refusal of events that are no longer kept.
    pub(crate) fn expired_events() -> Self {
        let text = "the events of this run are no longer kept; its result is: GET /v1/runs/{id}";
        Self::new(Code::EventsExpired, text)
    }

    /// The same refusal, with the time until the next try.
    #[must_use]
    pub fn again_after(mut self, wait: Duration) -> Self {
        self.retry_after = Some(wait);
        self
    }
}

impl From<ErrorBody> for ServiceError {
    fn from(error: ErrorBody) -> Self {
        Self::new(error.code, error.message)
    }
}

impl From<ServiceError> for ErrorBody {
    fn from(error: ServiceError) -> Self {
        Self::new(error.code, error.message)
    }
}

impl From<store::Error> for ServiceError {
    fn from(error: store::Error) -> Self {
        let text = error.to_string();
        match &error {
            store::Error::UnknownRun(_) => Self::unknown_run(),
            store::Error::Taken { .. } => Self::new(
                Code::Conflict,
                "this id or idempotency key already names another request of yours; choose another one",
            ),
            store::Error::QueueFull { .. } => {
                Self::new(Code::QueueFull, text).again_after(Duration::from_secs(5))
            }
            store::Error::OwnerQueueFull { .. } => {
                Self::new(Code::RateLimited, text).again_after(Duration::from_secs(5))
            }
            store::Error::Fenced { .. } => {
                Self::new(Code::InputClosed, "the run has ended or is held elsewhere")
            }
            store::Error::VaultFull { .. } => Self::new(Code::InvalidRequest, text),
            store::Error::Conflict { .. }
            | store::Error::Disorder { .. }
            | store::Error::Locked { .. }
            | store::Error::BadKey { .. }
            | store::Error::KeyUnavailable { .. }
            | store::Error::DiskFull
            | store::Error::Damaged { .. }
            | store::Error::Cluster { .. }
            | store::Error::Engine { .. } => {
                // What the engine says may name paths and belongs in the operator's log, not to a client.
                tracing::error!(%error, "the store failed");
                Self::new(
                    Code::StoreUnavailable,
                    "the store cannot be used at the moment; the operator's log says why",
                )
                .again_after(Duration::from_secs(10))
            }
        }
    }
}

/// The reason a run stops when the store refuses its worker.
pub(crate) fn cancelled(error: store::Error) -> Cancelled {
    match error {
        store::Error::Fenced { .. } => Cancelled::Fenced,
        other => Cancelled::LogUnavailable {
            reason: other.to_string(),
        },
    }
}
