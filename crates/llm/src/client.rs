//! Access to a provider: its endpoint, the transport to it, and the errors of both.

use std::sync::Arc;
use std::time::Duration;

use tokio::time::{Instant, timeout_at};

use crate::endpoint::ModelEndpoint;
use crate::error::{Error, TimeoutStage};
use crate::status;
use crate::transport::{ModelTimeouts, Transport, TransportError, TransportResponse};
use crate::unfinished::Unfinished;

/// Most bytes of a refusal's body that are read.
const REFUSAL_BYTES: usize = 64 * 1024;

/// An endpoint and the transport that reaches it.
#[derive(Clone)]
pub(crate) struct ProviderClient {
    pub(crate) endpoint: Arc<ModelEndpoint>,
    pub(crate) transport: Arc<dyn Transport>,
    pub(crate) limits: ModelTimeouts,
}

impl ProviderClient {
    pub(crate) async fn refusal(&self, mut incoming: TransportResponse, path: &str, by: Instant) -> Error {
        let mut body = Vec::new();
        while body.len() < REFUSAL_BYTES {
            match timeout_at(by, incoming.body.chunk()).await {
                Ok(Ok(Some(part))) => body.extend_from_slice(&part),
                _ => break,
            }
        }
        status::refusal_error(&self.endpoint, incoming.status, &incoming.headers, path, &body)
    }

    pub(crate) fn timeout_error(&self, wait: TimeoutStage, deadline: Instant) -> Error {
        if Instant::now() >= deadline {
            return Error::Timeout {
                wait: TimeoutStage::Total,
                limit: self.limits.total,
            };
        }
        let limit = match wait {
            TimeoutStage::Connect => self.limits.connect,
            TimeoutStage::FirstToken => self.limits.first_token,
            TimeoutStage::Silence => self.limits.silence,
            TimeoutStage::Total => self.limits.total,
        };
        Error::Timeout { wait, limit }
    }

    pub(crate) fn transport_error(&self, transport_error: TransportError) -> Error {
        match transport_error {
            TransportError::Connection(message) => Error::Unreachable {
                provider: self.endpoint.provider.clone(),
                message,
            },
            TransportError::Cut => Error::Unfinished(Unfinished::StreamTruncated),
            TransportError::Slow(wait) => self.timeout_error(wait, Instant::now() + Duration::from_secs(1)),
            TransportError::Recording(error) => *error,
        }
    }
}
