//! Domain `Fetch`: answers to requests for credentials.

use std::borrow::Cow;
use std::collections::HashMap;

use serde::{Deserialize, Serialize};

use super::command::{Ignored, commands};
use super::network::DOCUMENT;

commands! {
    EnableFetch: "Fetch.enable" => Ignored;
    DisableFetch: "Fetch.disable" => Ignored;
    ContinueRequest<'_>: "Fetch.continueRequest" => Ignored;
    ContinueWithAuth<'_>: "Fetch.continueWithAuth" => Ignored;
}

/// The requests that are paused, and whose requests for credentials are reported.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct RequestPattern {
    url_pattern: Cow<'static, str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    resource_type: Option<&'static str>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct EnableFetch {
    patterns: Vec<RequestPattern>,
    handle_auth_requests: bool,
}

impl EnableFetch {
    /// Pauses the requests of documents, and reports who asks for credentials.
    pub(crate) fn documents() -> EnableFetch {
        EnableFetch {
            patterns: vec![RequestPattern {
                url_pattern: "*".into(),
                resource_type: Some(DOCUMENT),
            }],
            handle_auth_requests: true,
        }
    }

    /// Pauses every request.
    pub(crate) fn everything() -> EnableFetch {
        EnableFetch {
            patterns: vec![RequestPattern {
                url_pattern: "*".into(),
                resource_type: None,
            }],
            handle_auth_requests: false,
        }
    }

    /// Pauses the requests to these origins too.
    pub(crate) fn and_sites<'a>(mut self, origins: impl Iterator<Item = &'a str>) -> EnableFetch {
        self.patterns.extend(origins.map(|origin| RequestPattern {
            url_pattern: format!("{origin}/*").into(),
            resource_type: None,
        }));
        self
    }

    /// Pauses no request of its own accord.
    pub(crate) fn nothing() -> EnableFetch {
        EnableFetch {
            patterns: Vec::new(),
            handle_auth_requests: false,
        }
    }
}

#[derive(Serialize)]
pub(crate) struct DisableFetch {}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct ContinueRequest<'a> {
    pub(crate) request_id: &'a str,
    /// All headers of the request; those that it has when absent. A redirect does not get them.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) headers: Option<Vec<HeaderEntry>>,
}

/// One header.
#[derive(Serialize)]
pub(crate) struct HeaderEntry {
    pub(crate) name: String,
    pub(crate) value: String,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct ContinueWithAuth<'a> {
    pub(crate) request_id: &'a str,
    pub(crate) auth_challenge_response: AuthChallengeResponse<'a>,
}

/// What is done about a request for credentials.
#[derive(Serialize)]
#[serde(tag = "response")]
pub(crate) enum AuthChallengeResponse<'a> {
    /// What the browser does without us.
    Default,
    /// The page of the refusal is shown.
    CancelAuth,
    ProvideCredentials {
        username: &'a str,
        password: &'a str,
    },
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct RequestPaused {
    pub(crate) request_id: String,
    #[serde(default)]
    pub(crate) request: PausedRequest,
}

/// A request before it is sent.
#[derive(Default, Deserialize)]
pub(crate) struct PausedRequest {
    #[serde(default)]
    pub(crate) url: String,
    #[serde(default)]
    pub(crate) headers: HashMap<String, String>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct AuthRequired {
    pub(crate) request_id: String,
    pub(crate) auth_challenge: AuthChallenge,
}

#[derive(Deserialize)]
pub(crate) struct AuthChallenge {
    /// `Server` or `Proxy`.
    #[serde(default)]
    pub(crate) source: String,
    /// Scheme, host and port of who asks.
    #[serde(default)]
    pub(crate) origin: String,
}
