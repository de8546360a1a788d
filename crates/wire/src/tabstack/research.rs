//! The body of `POST /v1/research`.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::contract::{self, ContractRequest};
use crate::fetch_options::FetchOptions;
use crate::profile::ProfileChoice;
use crate::research::ResearchMode;
use crate::strict::{self, Fields, RequestRefusal};

/// A question to be answered with a report.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ResearchRequest {
    /// The question.
    #[schemars(length(min = 1, max = 10_000), pattern(r"[^\s\u0085]"))]
    pub query: String,
    /// How thoroughly.
    #[serde(default = "ResearchRequest::default_mode")]
    pub mode: ResearchMode,
    /// Longest time for one page, in seconds.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 1, max = 600))]
    pub fetch_timeout: Option<u32>,
    /// Whether pages are fetched again even when they are at hand.
    #[serde(default)]
    pub nocache: bool,
    /// Pages to read first, besides those the question names. An addition of ours.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[schemars(
        length(max = 50),
        inner(
            url,
            length(max = 8192),
            pattern(r"^[Hh][Tt][Tt][Pp][Ss]?://[^/?#@\s\\]+([/?#]|$)")
        )
    )]
    pub sources: Vec<String>,
    /// The profile that pages are opened with.
    #[serde(flatten)]
    pub profile: ProfileChoice,
    /// How pages are opened. An addition of ours.
    #[serde(default, skip_serializing_if = "FetchOptions::is_empty")]
    #[schemars(with = "Option<FetchOptions>")]
    pub fetch: FetchOptions,
}

impl ResearchRequest {
    fn default_mode() -> ResearchMode {
        ResearchMode::Fast
    }

    /// A request with nothing but a question.
    #[must_use]
    pub fn new(query: impl Into<String>) -> Self {
        Self {
            query: query.into(),
            mode: ResearchMode::Fast,
            fetch_timeout: None,
            nocache: false,
            sources: Vec::new(),
            profile: ProfileChoice::default(),
            fetch: FetchOptions::default(),
        }
    }

    /// Reads a body.
    ///
    /// # Errors
    /// Naming the first field that is wrong.
    pub fn parse(body: &[u8]) -> Result<Self, RequestRefusal> {
        contract::parse(body).map(|parsed| parsed.request)
    }
}

impl ContractRequest for ResearchRequest {
    fn take(from: &mut Fields) -> Result<Self, RequestRefusal> {
        from.refuse_operator_keys()?;
        let query = from.words("query", 10_000)?;
        let mode = from.choice("mode")?.unwrap_or_else(Self::default_mode);
        let fetch_timeout = from.whole("fetch_timeout", 1..=600)?;
        let nocache = from.flag("nocache")?.unwrap_or(false);
        let sources = from.texts("sources", 50, 8192)?.unwrap_or_default();
        for (index, source) in sources.iter().enumerate() {
            strict::check_address(&format!("sources[{index}]"), source)?;
        }
        Ok(Self {
            query,
            mode,
            fetch_timeout,
            nocache,
            sources,
            profile: ProfileChoice::take(from)?,
            fetch: FetchOptions::take(from)?,
        })
    }
}
