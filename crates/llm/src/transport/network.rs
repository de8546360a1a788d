//! The real network, through the one door out.

use async_trait::async_trait;
use bytes::Bytes;

use super::{Body, Broken, Incoming, Outgoing, Transport};
use crate::error::Wait;

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
    async fn open(&self, outgoing: Outgoing) -> Result<Incoming, Broken> {
        let limits = outgoing.limits;
        let mut request = net::Request::post(outgoing.url, "application/json", outgoing.body);
        request.headers.extend(outgoing.headers);
        request.granted = true;
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
        let streaming = self.client.open(request).await.map_err(broken)?;
        Ok(Incoming {
            status: streaming.status.as_u16(),
            headers: streaming.headers.clone(),
            body: Box::new(Parts(streaming)),
        })
    }
}

struct Parts(net::Streaming);

#[async_trait]
impl Body for Parts {
    async fn chunk(&mut self) -> Result<Option<Bytes>, Broken> {
        self.0.chunk().await.map_err(|error| match error {
            net::Error::Timeout(_) => broken(error),
            _ => Broken::Cut,
        })
    }
}

fn broken(error: net::Error) -> Broken {
    match error {
        net::Error::Timeout(wait) => Broken::Slow(match wait {
            net::Wait::Resolve | net::Wait::Connect => Wait::Connect,
            net::Wait::FirstByte => Wait::FirstToken,
            net::Wait::Idle => Wait::Silence,
            net::Wait::Total => Wait::Total,
        }),
        other => Broken::Connection(other.to_string()),
    }
}
