//! HTTP requests of tools through the guarded client, and their output.

use std::time::Duration;

use serde::Deserialize;
use serde_json::{Map, Value, json};
use url::Url;

use crate::context::{Grant, ToolContext};
use crate::error::Error;
use crate::json_text::JsonText;
use crate::values::cell_text;
use locale::{truncate, truncate_chars};

/// Longest body in the output, in characters.
const MAX_BODY: usize = 1 << 20;
/// Headers that tools do not send, in lower case: credentials of the caller, those that say how a connection is used
/// (RFC 9110, 7.6.1), and those that open the metadata services of clouds.
const FORBIDDEN_HEADERS: [&str; 18] = [
    "authorization",
    "connection",
    "content-length",
    "cookie",
    "expect",
    "host",
    "http2-settings",
    "keep-alive",
    "metadata",
    "metadata-flavor",
    "proxy-authorization",
    "proxy-connection",
    "te",
    "trailer",
    "transfer-encoding",
    "upgrade",
    "x-aws-ec2-metadata-token",
    "x-aws-ec2-metadata-token-ttl-seconds",
];

/// Parameters of requests without a body.
#[derive(Deserialize, schemars::JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct RequestParams {
    pub(crate) url: String,
    pub(crate) headers: Map<String, Value>,
    pub(crate) timeout_ms: u64,
}

impl RequestParams {
    /// The longest wait for the response.
    pub(crate) fn timeout(&self) -> Duration {
        Duration::from_millis(self.timeout_ms)
    }
}

/// The address that a parameter names.
pub(crate) fn address(url: &str) -> Result<Url, Error> {
    Url::parse(url).map_err(|error| Error::param("url", error.to_string()))
}

/// Sends a request that the grant allows. A redirect to an address that the grant does not allow is refused before
/// anything is sent there.
pub(crate) async fn send(
    context: &mut ToolContext,
    mut request: net::Request,
    headers: &Map<String, Value>,
    timeout: Duration,
) -> Result<net::Response, Error> {
    context.grant.visit(&request.url)?;
    let Some(client) = context.services.client.clone() else {
        return Err(Error::Missing {
            what: "the network",
            advice: "this run works on given pages only",
        });
    };
    for (name, value) in headers {
        if FORBIDDEN_HEADERS.contains(&name.trim().to_ascii_lowercase().as_str()) {
            return Err(Error::param("headers", format!("{name} is not sent by tools")));
        }
        request = request.header(name, &cell_text(value))?;
    }
    request.granted = context.services.profile.grants(&request.url);
    request.cancel = context.services.profile.cancel.clone();
    request.hop_filter = hop_filter(&context.grant);
    // What a tool fetches was not named by a person.
    request.robots = net::RobotsMode::Obey;
    let answer = tokio::time::timeout(timeout, client.fetch(request)).await;
    let answer = answer.map_err(|_| Error::Timeout {
        tool: "the request".into(),
        limit: timeout,
    })?;
    answer.map_err(|error| redirect_refusal(&context.grant, &error).unwrap_or_else(|| error.into()))
}

/// The redirects that a grant allows.
pub(crate) fn hop_filter(grant: &Grant) -> net::HopFilter {
    let grant = grant.clone();
    net::HopFilter::new(move |url| grant.visit(url).is_ok())
}

/// The grant's own words about a redirect that its filter refused.
fn redirect_refusal(grant: &Grant, error: &net::Error) -> Option<Error> {
    let net::Error::BlockedRedirect {
        target,
        why: net::Blocked::Session,
    } = error
    else {
        return None;
    };
    grant.visit(&Url::parse(target).ok()?).err().map(Error::from)
}

/// A response as a tool's output.
pub(crate) fn response_output(context: &mut ToolContext, response: &net::Response, body: bool) -> Value {
    let kind = response.header("content-type").map(str::to_owned);
    let whole = body.then(|| page::charset::decode(&response.body, kind.as_deref()).text);
    let is_cut = whole
        .as_deref()
        .is_some_and(|whole| truncate_chars(whole, MAX_BODY).len() < whole.len());
    let text = whole.map(|whole| truncate(&whole, MAX_BODY));
    let read = text.as_deref().and_then(|text| JsonText::read(text).ok());
    if let Some(warning) = read.as_ref().and_then(JsonText::warning) {
        context.warn(warning);
    }
    let json = read.map(|read| read.value);
    let headers: Map<String, Value> = response
        .headers
        .iter()
        .filter(|(name, _)| *name != "set-cookie")
        .filter_map(|(name, value)| Some((name.as_str().to_owned(), value.to_str().ok()?.into())))
        .collect();
    json!({
        "status": response.status.as_u16(),
        "url": response.url,
        "content_type": kind,
        "headers": headers,
        "text": text,
        "json": json,
        "truncated": response.truncated || is_cut,
        "bytes": response.body.len(),
    })
}
