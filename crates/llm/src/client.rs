//! Access to a provider: its endpoint, the transport to it, and the errors of both.

use std::sync::Arc;
use std::time::Duration;

use tokio::time::{Instant, timeout_at};
use tracing::debug;

use crate::endpoint::ModelEndpoint;
use crate::error::{Error, TimeoutStage};
use crate::retry::Retry;
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
    /// Does what `attempt` does, again after a failure that may pass, as `retry` allows and until the deadline.
    pub(crate) async fn retrying<T, Answer>(
        &self,
        retry: Retry,
        deadline: Instant,
        mut attempt: impl FnMut() -> Answer,
    ) -> Result<T, Error>
    where
        Answer: Future<Output = Result<T, Error>>,
    {
        let provider = &self.endpoint.provider;
        let mut tries = 0;
        loop {
            tries += 1;
            let error = match attempt().await {
                Ok(answer) => {
                    debug!(provider, tries, "answer began");
                    return Ok(answer);
                }
                Err(error) => error,
            };
            debug!(provider, tries, error = error.code(), "request failed");
            let wait = match &error {
                Error::RateLimited { retry_after, .. } => retry.wait(tries, *retry_after),
                other if other.is_passing() => retry.wait(tries, None),
                _ => None,
            };
            let Some(wait) = wait.filter(|wait| Instant::now() + *wait < deadline) else {
                return Err(error);
            };
            tokio::time::sleep(wait).await;
        }
    }

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
