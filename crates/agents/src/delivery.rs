//! Delivery of a message to a receiver of webhooks: one guarded POST, without redirects and without a second try.

use std::time::Duration;

use url::Url;
use wire::Code;
use wire::error::ErrorBody;

use crate::error_codes::net_code;
use crate::services::AgentServices;

/// Longest `Retry-After` that is heeded.
const MAX_RETRY_AFTER: Duration = Duration::from_secs(6 * 3600);

/// A message to be sent.
pub struct OutgoingMessage<'a> {
    /// Where to.
    pub url: &'a str,
    /// Headers that sign the message.
    pub headers: &'a [(&'static str, String)],
    /// The body: JSON.
    pub body: &'a str,
    /// How long the receiver may take, from the connection to the head of the answer.
    pub time: Duration,
}

/// What came of sending a message.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DeliveryOutcome {
    /// The status of the answer, where there was one.
    pub status: Option<u16>,
    /// Why the receiver has not taken the message; none when it has. Names no address.
    pub error: Option<String>,
    /// Whether another try cannot help.
    pub is_final: bool,
    /// How long the receiver asks to wait.
    pub retry_after: Option<Duration>,
}

impl DeliveryOutcome {
    /// A message that was not sent, and why.
    pub fn failed(error: impl Into<String>, is_final: bool) -> Self {
        Self {
            status: None,
            error: Some(error.into()),
            is_final,
            retry_after: None,
        }
    }
}

/// Checks whether the address of a receiver may be reached, with its host resolved.
///
/// # Errors
/// When it may not, or its host has no address.
pub async fn check_receiver(services: &AgentServices, url: &str) -> Result<(), ErrorBody> {
    let refused = |error: net::Error| {
        let code = match net_code(&error) {
            Code::UrlBlocked => Code::UrlBlocked,
            _ => Code::InvalidRequest,
        };
        ErrorBody::new(code, format!("url: {error}"))
    };
    let address = net::parse_url(url).map_err(refused)?;
    services.client.check(&address, false).await.map_err(refused)
}

/// Sends a message once. The address is checked again where it is dialled; a redirect is a failure.
pub async fn send(services: &AgentServices, message: &OutgoingMessage<'_>) -> DeliveryOutcome {
    match exchange(services, message).await {
        Ok(outcome) => outcome,
        Err(error) => {
            let is_final = matches!(net_code(&error), Code::UrlBlocked | Code::InvalidRequest);
            DeliveryOutcome::failed(error.to_string(), is_final)
        }
    }
}

async fn exchange(
    services: &AgentServices,
    message: &OutgoingMessage<'_>,
) -> Result<DeliveryOutcome, net::Error> {
    let url: Url = net::parse_url(message.url)?;
    let mut request = net::Request::post(url, "application/json", message.body.to_owned()).identity(
        "user-agent",
        concat!("huntsman-webhooks/", env!("CARGO_PKG_VERSION")),
    )?;
    for (name, value) in message.headers {
        request = request.header(name, value)?;
    }
    request.limits = Some(net::Limits {
        first_byte: message.time,
        total: message.time,
        ..services.client.limits().clone()
    });
    let answer = services.client.open(request).await?;
    let status = answer.status.as_u16();
    let error = match status {
        200..=299 => None,
        300..=399 => Some(format!(
            "the receiver redirects ({status}), and redirects are not followed: register the address that it leads to"
        )),
        410 => Some("the receiver says that it is gone (410)".to_owned()),
        _ => Some(format!("the receiver answered with status {status}")),
    };
    let asked = answer.headers.get("retry-after").and_then(|it| it.to_str().ok());
    let seconds = asked
        .and_then(|it| it.trim().parse().ok())
        .map(Duration::from_secs);
    Ok(DeliveryOutcome {
        status: Some(status),
        error,
        is_final: status == 410,
        retry_after: seconds.map(|wait| wait.min(MAX_RETRY_AFTER)),
    })
}
