//! Requests to the collector, over the guarded client: one connection of their own, no redirect and no proxy.

use std::time::Duration;

use async_trait::async_trait;
use bytes::{Bytes, BytesMut};
use opentelemetry_http::{HttpClient, HttpError, Request, Response};

/// Most bytes of an answer that are read.
const ANSWER_BYTES: usize = 64 * 1024;
/// Longest time for one request where the variables say nothing, in milliseconds.
const TIMEOUT: u64 = 10_000;

/// The way to the collector. The operator has named its address, so that it may be one of this machine.
pub(super) struct Collector {
    client: net::Client,
    timeout: Duration,
}

impl Collector {
    pub(super) fn new() -> Result<Self, net::Error> {
        let variables = ["OTEL_EXPORTER_OTLP_TRACES_TIMEOUT", "OTEL_EXPORTER_OTLP_TIMEOUT"];
        let given = variables
            .iter()
            .find_map(|name| std::env::var(name).ok()?.trim().parse().ok());
        Ok(Self {
            client: net::Client::new(net::ClientConfig::default())?,
            timeout: Duration::from_millis(given.unwrap_or(TIMEOUT)),
        })
    }
}

impl std::fmt::Debug for Collector {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Collector").finish_non_exhaustive()
    }
}

#[async_trait]
impl HttpClient for Collector {
    async fn send_bytes(&self, request: Request<Bytes>) -> Result<Response<Bytes>, HttpError> {
        let (head, body) = request.into_parts();
        let url = head.uri.to_string().parse::<url::Url>()?;
        let mut outgoing = net::Request::post(url, "application/x-protobuf", body);
        outgoing.headers = head.headers;
        outgoing.granted = true;
        outgoing.limits = Some(net::Limits {
            connect: self.timeout,
            first_byte: self.timeout,
            idle: self.timeout,
            total: self.timeout,
            body_bytes: ANSWER_BYTES,
            redirects: 0,
            attempts: 1,
            ..net::Limits::default()
        });
        let mut incoming = self.client.open(outgoing).await?;
        let mut body = BytesMut::new();
        while let Some(part) = incoming.chunk().await? {
            body.extend_from_slice(&part);
        }
        let mut response = Response::new(body.freeze());
        *response.status_mut() = incoming.status;
        Ok(response)
    }
}
