//! Every error that a client can see, with its HTTP status and whether trying again can help.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

macro_rules! codes {
    ($($(#[doc = $doc:literal])+ $variant:ident $text:literal $status:literal $retry:literal;)+) => {
        /// Every error that a client can see. Sent in `x-error-code` beside the text, in error events and in results.
        /// `docs/errors.md` has a paragraph for each.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
        pub enum Code {
            $($(#[doc = $doc])+ #[serde(rename = $text)] $variant,)+
        }

        impl Code {
            /// All codes, in the order of `docs/errors.md`.
            pub const ALL: &[Code] = &[$(Code::$variant,)+];

            /// As written on the wire.
            #[must_use]
            pub const fn as_str(self) -> &'static str {
                match self { $(Code::$variant => $text,)+ }
            }

            /// The HTTP status when the error answers a request. Inside a stream the status was 200 long before.
            #[must_use]
            pub const fn status(self) -> u16 {
                match self { $(Code::$variant => $status,)+ }
            }

            /// Whether the same request may work later, unchanged.
            #[must_use]
            pub const fn retryable(self) -> bool {
                match self { $(Code::$variant => $retry,)+ }
            }
        }
    };
}

codes! {
    // The request was refused; nothing was done.
    /// The body, a parameter or a header is wrong; the text names the field.
    InvalidRequest "INVALID_REQUEST" 400 false;
    /// The plan cannot run; the text lists every issue.
    InvalidPlan "INVALID_PLAN" 400 false;
    /// The address leads to a host that may not be reached.
    UrlBlocked "URL_BLOCKED" 400 false;
    /// No key, or a wrong one.
    Unauthorized "UNAUTHORIZED" 401 false;
    /// The tenant has spent what it may spend on models for now.
    SpendingLimit "SPENDING_LIMIT" 402 false;
    /// The key may not do this.
    Forbidden "FORBIDDEN" 403 false;
    /// There is no such thing.
    NotFound "NOT_FOUND" 404 false;
    /// The path exists, the method does not.
    MethodNotAllowed "METHOD_NOT_ALLOWED" 405 false;
    /// The body took too long to arrive.
    RequestTimeout "REQUEST_TIMEOUT" 408 true;
    /// The idempotency key or session id stands for another request.
    Conflict "CONFLICT" 409 false;
    /// The run has no result yet.
    NotFinished "NOT_FINISHED" 400 true;
    /// The question was answered already, or nobody waits for the answer any more.
    InputClosed "INPUT_CLOSED" 410 false;
    /// The events asked for are no longer kept.
    EventsExpired "EVENTS_EXPIRED" 410 false;
    /// The body is larger than allowed.
    BodyTooLarge "BODY_TOO_LARGE" 413 false;
    /// The body is not JSON.
    UnsupportedMediaType "UNSUPPORTED_MEDIA_TYPE" 415 false;
    /// This key or tenant has too many requests or runs, or has used what it may use for now.
    RateLimited "RATE_LIMITED" 429 true;
    /// Too many runs are waiting.
    QueueFull "QUEUE_FULL" 503 true;
    /// The server is going down.
    ShuttingDown "SHUTTING_DOWN" 503 true;
    /// The store cannot be written.
    StoreUnavailable "STORE_UNAVAILABLE" 503 true;
    /// The disk has less room than new runs need.
    InsufficientStorage "INSUFFICIENT_STORAGE" 507 true;
    /// A fault of ours.
    Internal "INTERNAL" 500 true;

    // A page could not be had.
    /// The host has no address.
    DnsFailed "DNS_FAILED" 502 true;
    /// The host did not take the connection.
    ConnectFailed "CONNECT_FAILED" 502 true;
    /// The host could not prove who it is.
    TlsFailed "TLS_FAILED" 502 false;
    /// The redirects did not end.
    TooManyRedirects "TOO_MANY_REDIRECTS" 502 false;
    /// The page took too long.
    NavigationTimeout "NAVIGATION_TIMEOUT" 504 true;
    /// What the request waits for did not come.
    WaitTimeout "WAIT_TIMEOUT" 504 true;
    /// The answer is larger than allowed.
    ResponseTooLarge "RESPONSE_TOO_LARGE" 502 false;
    /// The answer's content encoding is broken.
    BadEncoding "BAD_ENCODING" 502 false;
    /// The connection was lost before the answer ended.
    ConnectionLost "CONNECTION_LOST" 502 true;
    /// The answer ended early. Sent by earlier versions; `CONNECTION_LOST` today.
    IncompleteBody "INCOMPLETE_BODY" 502 true;
    /// The answer is no HTTP.
    BadResponse "BAD_RESPONSE" 502 false;
    /// The host answered with an error.
    UpstreamError "UPSTREAM_ERROR" 502 true;
    /// The page is empty.
    EmptyContent "EMPTY_CONTENT" 422 false;
    /// The content is of a kind that cannot be read.
    UnsupportedContent "UNSUPPORTED_CONTENT" 422 false;
    /// The page shows nothing without JavaScript.
    JsRequired "JS_REQUIRED" 422 false;
    /// The site's robots.txt forbids it.
    RobotsDenied "ROBOTS_DENIED" 403 false;
    /// The login of the run's profile has expired.
    LoginExpired "LOGIN_EXPIRED" 422 false;

    // The browser.
    /// No browser could be started or reached.
    BrowserUnavailable "BROWSER_UNAVAILABLE" 503 true;
    /// The browser was lost and no other one took over.
    BrowserDisconnected "BROWSER_DISCONNECTED" 502 true;
    /// A remote browser refused our credentials.
    CdpAuth "CDP_AUTH" 502 false;
    /// The ref is from an older snapshot.
    StaleRef "STALE_REF" 409 false;
    /// The engine cannot do this.
    NotCapable "NOT_CAPABLE" 422 false;

    // Models, tools and search.
    /// No model is configured and the request needs one.
    ModelNotConfigured "MODEL_NOT_CONFIGURED" 503 false;
    /// The model's provider refused our key.
    ModelUnauthorized "MODEL_UNAUTHORIZED" 502 false;
    /// The model's provider failed.
    ModelFailed "MODEL_FAILED" 502 true;
    /// The model's provider took too long.
    ModelTimeout "MODEL_TIMEOUT" 504 true;
    /// The model's arguments for a tool are unusable.
    BadToolArgs "BAD_TOOL_ARGS" 422 false;
    /// There is no such tool.
    UnknownTool "UNKNOWN_TOOL" 404 false;
    /// A tool failed.
    ToolFailed "TOOL_FAILED" 502 true;
    /// The answer does not fit the schema.
    SchemaMismatch "SCHEMA_MISMATCH" 422 true;
    /// No search provider is configured and the request needs one.
    SearchNotConfigured "SEARCH_NOT_CONFIGURED" 422 false;
    /// The search provider failed.
    SearchFailed "SEARCH_FAILED" 502 true;

    // The run.
    /// The run's grant does not allow it.
    PolicyDenied "POLICY_DENIED" 403 false;
    /// The run used up what it may spend.
    BudgetExceeded "BUDGET_EXCEEDED" 422 false;
    /// The run took longer than it may.
    Timeout "TIMEOUT" 504 true;
    /// The run was cancelled, or gave up.
    TaskAborted "TASK_ABORTED" 409 false;
    /// The run is out of turns.
    MaxIterations "MAX_ITERATIONS" 422 false;
    /// The run met too many errors.
    MaxErrors "MAX_ERRORS" 422 true;
    /// The run failed.
    TaskFailed "TASK_FAILED" 422 true;
    /// The run broke before it could have a result.
    TaskExecutionFailed "TASK_EXECUTION_FAILED" 500 true;
    /// The worker was lost in the middle of an act that must not be done twice.
    OutcomeUnknown "OUTCOME_UNKNOWN" 500 false;
    /// Three workers died while they did the run.
    PoisonRun "POISON_RUN" 500 false;
    /// The run's values cannot be decrypted.
    SecretUnreadable "SECRET_UNREADABLE" 500 false;
}

impl std::fmt::Display for Code {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.as_str())
    }
}

/// An error in a result: its code and a text.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ErrorBody {
    /// Which.
    pub code: Code,
    /// In words; ready for people.
    pub message: String,
}

impl ErrorBody {
    /// An error with this code and text.
    #[must_use]
    pub fn new(code: Code, message: impl Into<String>) -> Self {
        Self {
            code,
            message: message.into(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Code;

    /// `docs/errors.md` has a section for every code, in order, with its status, its advice and a paragraph.
    #[test]
    fn every_code_is_explained_and_nothing_else_is() {
        let text = include_str!("../../../docs/errors.md");
        let sections: Vec<&str> = text.split("\n## ").skip(1).collect();
        assert_eq!(sections.len(), Code::ALL.len());
        for (section, code) in sections.iter().zip(Code::ALL) {
            let lines: Vec<&str> = section.lines().collect();
            assert_eq!(lines[0], code.as_str());
            let advice = if code.retryable() {
                "Worth trying again."
            } else {
                "Not worth trying again."
            };
            assert_eq!(lines[2], format!("Status {}. {advice}", code.status()));
            assert!(lines[4..].concat().len() > 40, "{code} has no paragraph");
        }
    }

    #[test]
    fn a_code_is_written_as_it_is_called() {
        for code in Code::ALL {
            assert_eq!(serde_json::to_value(code).unwrap(), code.as_str());
            assert!((400..600).contains(&code.status()));
        }
    }
}
