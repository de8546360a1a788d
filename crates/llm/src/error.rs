//! Errors of model calls, with what to do about them.

use std::time::Duration;

use serde_json::Value;

use crate::schema::{SchemaError, Violation};
use crate::unfinished::Unfinished;

/// Which limit of time passed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TimeoutStage {
    /// Until the connection stands and the provider answered at all.
    Connect,
    /// From the request to the first piece of the answer.
    FirstToken,
    /// Between two pieces of the answer.
    Silence,
    /// The whole answer.
    Total,
}

impl TimeoutStage {
    fn words(self) -> &'static str {
        match self {
            Self::Connect => "to accept the request",
            Self::FirstToken => "to begin its answer",
            Self::Silence => "to go on with its answer",
            Self::Total => "to finish its answer",
        }
    }
}

/// Anything that can go wrong between a request and a usable turn. No text ever holds a key.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum Error {
    /// No model is set.
    #[error("no model is configured: set {0}")]
    NotConfigured(String),
    /// The provider's name is unknown.
    #[error("there is no provider named `{name}`; HUNTSMAN_LLM_PROVIDER is one of: {known}")]
    UnknownProvider {
        /// The name given.
        name: String,
        /// The names there are.
        known: String,
    },
    /// The role's name is unknown.
    #[error("there is no role named `{0}`; roles are: planner, extractor, validator, writer, judge")]
    UnknownRole(String),
    /// A value of the configuration cannot be used.
    #[error("{variable} cannot be used: {reason}")]
    BadSetting {
        /// The variable.
        variable: String,
        /// Why not.
        reason: String,
    },
    /// The provider wants a key and none is set.
    #[error("{provider} wants an API key: set {variable}")]
    MissingKey {
        /// The provider.
        provider: String,
        /// The variable to set.
        variable: String,
    },
    /// The provider refused the key.
    #[error(
        "{provider} refused the API key (status {status}): set {variable} to a key that may use this model"
    )]
    Unauthorized {
        /// The provider.
        provider: String,
        /// HTTP status.
        status: u16,
        /// The variable to set.
        variable: String,
    },
    /// The account cannot pay.
    #[error(
        "the model provider {provider} refuses, since the account of the key has no credit left: add credit there, or set another key or model ({message})"
    )]
    NoCredit {
        /// The provider.
        provider: String,
        /// Its words.
        message: String,
    },
    /// The provider does not know the model.
    #[error(
        "{provider} does not know the model `{model}`: set HUNTSMAN_LLM_MODEL to one it offers ({message})"
    )]
    UnknownModel {
        /// The provider.
        provider: String,
        /// The model asked for.
        model: String,
        /// The provider's words.
        message: String,
    },
    /// There is no such path at the base URL.
    #[error("nothing answers at {path} of {provider}: check HUNTSMAN_LLM_BASE_URL ({message})")]
    NoSuchEndpoint {
        /// The provider.
        provider: String,
        /// The path asked for.
        path: String,
        /// The provider's words.
        message: String,
    },
    /// The conversation is longer than the model reads.
    #[error("the request is longer than the model can read: {message}")]
    ContextTooLong {
        /// The provider's words.
        message: String,
    },
    /// The provider found the request wrong.
    #[error("{provider} refused the request (status {status}): {message}")]
    BadRequest {
        /// The provider.
        provider: String,
        /// HTTP status.
        status: u16,
        /// Its words.
        message: String,
    },
    /// Too many requests.
    #[error("{provider} allows no more requests for now; try again later")]
    RateLimited {
        /// The provider.
        provider: String,
        /// How long it asked to wait.
        retry_after: Option<Duration>,
    },
    /// The provider is down or overloaded.
    #[error("{provider} is not available (status {status}): {message}")]
    Unavailable {
        /// The provider.
        provider: String,
        /// HTTP status.
        status: u16,
        /// Its words.
        message: String,
    },
    /// No connection came about.
    #[error("{provider} cannot be reached at HUNTSMAN_LLM_BASE_URL: {message}")]
    Unreachable {
        /// The provider.
        provider: String,
        /// What happened.
        message: String,
    },
    /// The provider took too long.
    #[error("the model took longer than {} s {}", .limit.as_secs_f32(), .wait.words())]
    Timeout {
        /// Which wait.
        wait: TimeoutStage,
        /// The limit that passed.
        limit: Duration,
    },
    /// The answer did not become a turn.
    #[error(transparent)]
    Unfinished(#[from] Unfinished),
    /// The answer does not follow its schema after all tries.
    #[error("the model's answer does not follow the schema after {attempts} attempts: {}", listed(.violations))]
    SchemaMismatch {
        /// How often it was asked.
        attempts: u32,
        /// The JSON value that came closest.
        best: Option<Value>,
        /// What is wrong with it.
        violations: Vec<Violation>,
    },
    /// The asked-for schema cannot be used.
    #[error(transparent)]
    Schema(#[from] SchemaError),
    /// The run may not spend more.
    #[error("the budget is spent: {used} of {limit} {unit}")]
    BudgetExceeded {
        /// What was used.
        used: u64,
        /// What was allowed.
        limit: u64,
        /// Tokens or micro-dollars.
        unit: &'static str,
    },
    /// Nothing recorded answers the request.
    #[error(
        "no recorded exchange answers this request ({key}); record it again with HUNTSMAN_LLM_RECORD, or unset HUNTSMAN_LLM_REPLAY"
    )]
    NotRecorded {
        /// The request's key, the beginning of the file's name.
        key: String,
    },
    /// A recording could not be read or written.
    #[error("the recording {path} cannot be used: {reason}")]
    Recording {
        /// The name of the file.
        path: String,
        /// What happened.
        reason: String,
    },
}

fn listed(violations: &[Violation]) -> String {
    violations
        .iter()
        .map(ToString::to_string)
        .collect::<Vec<_>>()
        .join("; ")
}

impl Error {
    /// A stable word for programs.
    pub fn code(&self) -> &'static str {
        match self {
            Self::NotConfigured(_) => "LLM_NOT_CONFIGURED",
            Self::UnknownProvider { .. } => "LLM_UNKNOWN_PROVIDER",
            Self::UnknownRole(_) => "LLM_UNKNOWN_ROLE",
            Self::BadSetting { .. } => "LLM_BAD_SETTING",
            Self::MissingKey { .. } => "LLM_KEY_MISSING",
            Self::Unauthorized { .. } => "LLM_UNAUTHORIZED",
            Self::NoCredit { .. } => "LLM_NO_CREDIT",
            Self::UnknownModel { .. } => "LLM_UNKNOWN_MODEL",
            Self::NoSuchEndpoint { .. } => "LLM_ENDPOINT_NOT_FOUND",
            Self::ContextTooLong { .. } => "LLM_CONTEXT_TOO_LONG",
            Self::BadRequest { .. } => "LLM_BAD_REQUEST",
            Self::RateLimited { .. } => "LLM_RATE_LIMITED",
            Self::Unavailable { .. } => "LLM_UNAVAILABLE",
            Self::Unreachable { .. } => "LLM_UNREACHABLE",
            Self::Timeout { .. } => "LLM_TIMEOUT",
            Self::Unfinished(unfinished) => match unfinished {
                Unfinished::Upstream { .. } => "LLM_UPSTREAM_ERROR",
                Unfinished::ContentFilter { refused: true, .. } => "LLM_REFUSAL",
                Unfinished::ContentFilter { .. } => "LLM_CONTENT_FILTER",
                Unfinished::MalformedFunctionCall { .. } => "LLM_MALFORMED_CALL",
                Unfinished::StreamTruncated => "LLM_STREAM_TRUNCATED",
                Unfinished::OrphanDelta { .. } => "LLM_ORPHAN_DELTA",
                Unfinished::MalformedChunk { .. } => "LLM_MALFORMED_CHUNK",
                Unfinished::TooLarge { .. } => "LLM_ANSWER_TOO_LARGE",
            },
            Self::SchemaMismatch { .. } => "SCHEMA_MISMATCH",
            Self::Schema(_) => "INVALID_SCHEMA",
            Self::BudgetExceeded { .. } => "BUDGET_EXCEEDED",
            Self::NotRecorded { .. } => "LLM_NOT_RECORDED",
            Self::Recording { .. } => "LLM_RECORDING",
        }
    }

    /// True when the same request may succeed a moment later.
    pub fn is_passing(&self) -> bool {
        match self {
            Self::RateLimited { .. } | Self::Unavailable { .. } | Self::Unreachable { .. } => true,
            Self::Timeout { wait, .. } => matches!(wait, TimeoutStage::Connect | TimeoutStage::FirstToken),
            Self::Unfinished(unfinished) => match unfinished {
                Unfinished::Upstream { .. }
                | Unfinished::MalformedFunctionCall { .. }
                | Unfinished::StreamTruncated
                | Unfinished::OrphanDelta { .. }
                | Unfinished::MalformedChunk { .. } => true,
                Unfinished::ContentFilter { .. } | Unfinished::TooLarge { .. } => false,
            },
            _ => false,
        }
    }

    /// True when the provider had the whole request all the same, and bills what it read.
    pub(crate) fn was_read(&self) -> bool {
        match self {
            Self::Unfinished(_) => true,
            Self::Timeout { wait, .. } => match wait {
                TimeoutStage::Connect => false,
                TimeoutStage::FirstToken | TimeoutStage::Silence | TimeoutStage::Total => true,
            },
            _ => false,
        }
    }

    /// True when no further request of this run can succeed either: key, model, endpoint or configuration are wrong.
    pub fn ends_run(&self) -> bool {
        matches!(
            self,
            Self::NotConfigured(_)
                | Self::UnknownProvider { .. }
                | Self::UnknownRole(_)
                | Self::BadSetting { .. }
                | Self::MissingKey { .. }
                | Self::Unauthorized { .. }
                | Self::NoCredit { .. }
                | Self::UnknownModel { .. }
                | Self::NoSuchEndpoint { .. }
                | Self::BudgetExceeded { .. }
                | Self::NotRecorded { .. }
                | Self::Recording { .. }
        )
    }
}
