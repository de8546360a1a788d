//! Transport over the guarded HTTP client.

use async_trait::async_trait;
use bytes::Bytes;

use super::{ResponseBody, Transport, TransportError, TransportRequest, TransportResponse};
use crate::error::TimeoutStage;

/// Most bytes of an answer that are read.
const ANSWER_BYTES: usize = 64 << 20;

/// Carries requests over `net`. The provider's host counts as named by the operator, so that a model on this machine or
/// in the local network can be asked; redirects to other places do not.
pub struct Network {
    client: net::Client,
}

impl Network {
    /// Over this client.
    pub fn new(client: net::Client) -> Self {
        Self { client }
    }
}

#[async_trait]
impl Transport for Network {
    async fn open(&self, outgoing: TransportRequest) -> Result<TransportResponse, TransportError> {
        let limits = outgoing.limits;
        let mut request = net::Request::post(outgoing.url, "application/json", outgoing.body);
        request.headers.extend(outgoing.headers);
        request.granted = true;
        request.is_own_service = true;
        request.limits = Some(net::Limits {
            connect: limits.connect,
            first_byte: limits.first_token,
            // The provider times silence itself, and knows whether an answer has begun: one clock for one limit.
            idle: limits.total,
            total: limits.total,
            body_bytes: ANSWER_BYTES,
            redirects: 0,
            attempts: 1,
            ..net::Limits::default()
        });
        let streaming = self.client.open(request).await.map_err(transport_error)?;
        Ok(TransportResponse {
            status: streaming.status.as_u16(),
            headers: streaming.headers.clone(),
            body: Box::new(NetworkBody(streaming)),
        })
    }
}

struct NetworkBody(net::Streaming);

#[async_trait]
impl ResponseBody for NetworkBody {
    async fn chunk(&mut self) -> Result<Option<Bytes>, TransportError> {
        self.0.chunk().await.map_err(|error| match error {
            net::Error::Timeout(_) => transport_error(error),
            _ => TransportError::Cut,
        })
    }
}

fn transport_error(error: net::Error) -> TransportError {
    match error {
        net::Error::Timeout(wait) => TransportError::Slow(match wait {
            net::TimeLimit::Resolve | net::TimeLimit::Connect => TimeoutStage::Connect,
            net::TimeLimit::FirstByte => TimeoutStage::FirstToken,
            net::TimeLimit::Idle => TimeoutStage::Silence,
            net::TimeLimit::Total | net::TimeLimit::Room => TimeoutStage::Total,
        }),
        other => TransportError::Connection(other.to_string()),
    }
}
