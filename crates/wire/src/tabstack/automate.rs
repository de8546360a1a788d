//! The body of `POST /v1/automate`.

use std::collections::BTreeMap;

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::contract::{self, ContractRequest};
use super::geo::GeoTarget;
use crate::event::Audience;
use crate::fetch_options::FetchOptions;
use crate::profile::{NAME, ProfileChoice, check_name};
use crate::strict::{Fields, RequestRefusal};

/// Longest task or guardrails, in characters.
const MAX_TEXT: usize = 20_000;
/// Most secrets of the vault.
const MAX_SECRETS: usize = 20;
/// Most trusted hosts.
const MAX_HOSTS: usize = 200;

/// A task for a browser.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct AutomateRequest {
    /// What to do.
    #[schemars(length(min = 1, max = 20_000), pattern(r"[^\s\u0085]"))]
    pub task: String,
    /// Where to start; the planner chooses when absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(
        url,
        length(max = 8192),
        pattern(r"^[Hh][Tt][Tt][Pp][Ss]?://[^/?#@\s\\]+([/?#]|$)")
    )]
    pub url: Option<String>,
    /// Values for forms, fillable by key.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub data: Option<Value>,
    /// Rules in words.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(length(max = 20_000))]
    pub guardrails: Option<String>,
    /// Whether a person may be asked for values.
    #[serde(default)]
    pub interactive: bool,
    /// Most turns of the loop, 1 to 100.
    #[schemars(range(min = 1, max = 100))]
    #[serde(rename = "maxIterations", default = "AutomateRequest::default_iterations")]
    pub max_iterations: u32,
    /// Most answers that are judged, 1 to 10.
    #[serde(
        rename = "maxValidationAttempts",
        default = "AutomateRequest::default_validation_attempts"
    )]
    #[schemars(range(min = 1, max = 10))]
    pub max_validation_attempts: u32,
    /// Hosts that may be given data.
    #[serde(default)]
    #[schemars(
        length(max = 200),
        inner(length(min = 1, max = 253), pattern(r"^[^\s*/:@?#\\]+$"))
    )]
    pub trusted_hostnames: Vec<String>,
    /// Lifts the limits on where data may go.
    #[serde(default)]
    pub unsafe_mode: bool,
    /// Which part of the world pages should be seen from.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub geo_target: Option<GeoTarget>,
    /// Secrets of the vault that may be filled, by the key that the model is told. An addition of ours.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    #[schemars(extend("propertyNames" = serde_json::json!({"pattern": NAME}), "additionalProperties" = serde_json::json!({"type": "string", "pattern": NAME})))]
    pub secrets: BTreeMap<String, String>,
    /// Which events the run tells, within what the operator allows: `verbose` adds model exchanges, `debug` adds
    /// everything. As the server is set when absent. An addition of ours.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(schema_with = "audience_schema")]
    pub audience: Option<Audience>,
    /// The profile that pages are opened with.
    #[serde(flatten)]
    pub profile: ProfileChoice,
    /// How pages are opened. An addition of ours.
    #[serde(default, skip_serializing_if = "FetchOptions::is_empty")]
    #[schemars(with = "Option<FetchOptions>")]
    pub fetch: FetchOptions,
}

impl AutomateRequest {
    fn default_iterations() -> u32 {
        50
    }

    fn default_validation_attempts() -> u32 {
        3
    }

    /// A request with nothing but a task.
    #[must_use]
    pub fn new(task: impl Into<String>) -> Self {
        Self {
            task: task.into(),
            url: None,
            data: None,
            guardrails: None,
            interactive: false,
            max_iterations: Self::default_iterations(),
            max_validation_attempts: Self::default_validation_attempts(),
            trusted_hostnames: Vec::new(),
            unsafe_mode: false,
            geo_target: None,
            secrets: BTreeMap::new(),
            audience: None,
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

impl ContractRequest for AutomateRequest {
    fn take(from: &mut Fields) -> Result<Self, RequestRefusal> {
        from.refuse_operator_keys()?;
        let task = from.words("task", MAX_TEXT)?;
        let url = from.address("url")?;
        let guardrails = from
            .text("guardrails", MAX_TEXT)?
            .filter(|it| !it.trim().is_empty());
        let interactive = from.flag("interactive")?.unwrap_or(false);
        let max_iterations = from
            .whole("maxIterations", 1..=100)?
            .unwrap_or_else(Self::default_iterations);
        let max_validation_attempts = from
            .whole("maxValidationAttempts", 1..=10)?
            .unwrap_or_else(Self::default_validation_attempts);
        let trusted_hostnames = from
            .texts("trusted_hostnames", MAX_HOSTS, 253)?
            .unwrap_or_default();
        let bare = |(index, it): (usize, String)| {
            bare_host(&it).ok_or_else(|| {
                let field = format!("trusted_hostnames[{index}]");
                RequestRefusal::field(
                    field,
                    "must be a bare host name: no scheme, port, path or wildcard",
                )
            })
        };
        let trusted_hostnames = trusted_hostnames.into_iter().enumerate().map(bare);
        let trusted_hostnames = trusted_hostnames.collect::<Result<_, _>>()?;
        let unsafe_mode = from.flag("unsafe_mode")?.unwrap_or(false);
        let geo_target = GeoTarget::take_of_contract(from)?;
        let fetch = FetchOptions::take(from)?;
        let data = from.any("data");
        let secrets = secrets(from, data.as_ref())?;
        let audience = audience(from)?;
        let profile = ProfileChoice::take(from)?;
        Ok(Self {
            task,
            url,
            data,
            guardrails,
            interactive,
            max_iterations,
            max_validation_attempts,
            trusted_hostnames,
            unsafe_mode,
            geo_target,
            secrets,
            audience,
            profile,
            fetch,
        })
    }
}

/// The words of a reader's audience.
fn audience_schema(_: &mut SchemaGenerator) -> Schema {
    let words = Audience::READERS.iter().map(|it| Some(it.as_str()));
    let words: Vec<Option<&str>> = words.chain([None]).collect();
    json_schema!({"enum": words})
}

fn audience(from: &mut Fields) -> Result<Option<Audience>, RequestRefusal> {
    let Some(word) = from.any("audience") else {
        return Ok(None);
    };
    match word.as_str().and_then(Audience::of_reader) {
        Some(audience) => Ok(Some(audience)),
        None => Err(from.refusal("audience", "must be one of public, verbose, debug")),
    }
}

/// Takes the secrets of the vault: each key and each name is a plain name, and no key is one of the caller's own data.
fn secrets(from: &mut Fields, data: Option<&Value>) -> Result<BTreeMap<String, String>, RequestRefusal> {
    let secrets = from.text_map("secrets", MAX_SECRETS, 64)?.unwrap_or_default();
    for (key, name) in &secrets {
        let field = format!("secrets.{}", key.chars().take(64).collect::<String>());
        check_name(&field, key)?;
        check_name(&field, name)?;
        if data.is_some_and(|data| data.get(key).is_some()) {
            return Err(RequestRefusal::field(
                field,
                "is a key of data too; rename one of them",
            ));
        }
    }
    Ok(secrets)
}

/// A host name as addresses spell it: lower case, letters of other scripts as `xn--`, IPv6 without brackets.
fn bare_host(text: &str) -> Option<String> {
    let text = text.strip_suffix('.').unwrap_or(text);
    match url::Host::parse(text).ok()? {
        url::Host::Domain(name) => (!text.contains(['*', '/', ':', '@', ' '])).then_some(name),
        url::Host::Ipv4(address) => Some(address.to_string()),
        url::Host::Ipv6(address) => Some(address.to_string()),
    }
}
