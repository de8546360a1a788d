//! Transport port: sends a request to a provider and returns its answer part by part.

mod network;

pub use network::Network;

use std::time::Duration;

use async_trait::async_trait;
use bytes::Bytes;
use http::{HeaderMap, HeaderValue};
use url::Url;

/// A request on its way out.
#[derive(Debug, Clone)]
pub struct TransportRequest {
    /// Where to.
    pub url: Url,
    /// Headers beside the content type. Those with keys are marked as sensitive.
    pub headers: HeaderMap,
    /// The JSON body.
    pub body: Bytes,
    /// Time limits.
    pub limits: ModelTimeouts,
}

/// Time limits of one request to a model.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ModelTimeouts {
    /// Longest wait for a connection.
    pub connect: Duration,
    /// Longest wait from the request to the first piece of the answer.
    pub first_token: Duration,
    /// Longest silence between two pieces.
    pub silence: Duration,
    /// Longest time for the whole answer.
    pub total: Duration,
}

impl Default for ModelTimeouts {
    fn default() -> Self {
        Self {
            connect: Duration::from_secs(10),
            first_token: Duration::from_secs(120),
            silence: Duration::from_secs(60),
            total: Duration::from_secs(600),
        }
    }
}

/// An answer whose body is still coming.
pub struct TransportResponse {
    /// HTTP status.
    pub status: u16,
    /// Its headers.
    pub headers: HeaderMap,
    /// The body.
    pub body: Box<dyn ResponseBody>,
}

/// A body that is read part by part.
#[async_trait]
pub trait ResponseBody: Send {
    /// The next part; `None` at the end.
    async fn chunk(&mut self) -> Result<Option<Bytes>, TransportError>;
}

/// What can go wrong on the way.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum TransportError {
    /// No connection, or it broke.
    #[error("{0}")]
    Connection(String),
    /// The answer broke off.
    #[error("the connection broke")]
    Cut,
    /// Nothing came in time.
    #[error("nothing came in time")]
    Slow(crate::error::TimeoutStage),
    /// A recording has no answer or cannot be used.
    #[error("the recording cannot be used")]
    Recording(Box<crate::Error>),
}

/// Something that carries requests to providers. Engines: the real network, a recording, a script.
#[async_trait]
pub trait Transport: Send + Sync {
    /// Sends the request and waits for the head of the answer.
    async fn open(&self, request: TransportRequest) -> Result<TransportResponse, TransportError>;
}

/// A header value that is not shown in logs; `None` when the text cannot be a header.
pub(crate) fn secret_header(text: &str) -> Option<HeaderValue> {
    let mut value = HeaderValue::from_str(text).ok()?;
    value.set_sensitive(true);
    Some(value)
}
