//! A provider as a model: write the request, send it, decode the answer.

use std::collections::VecDeque;
use std::sync::Arc;
use std::time::Duration;

use futures_util::future::BoxFuture;
use futures_util::stream::{self, BoxStream};
use futures_util::{FutureExt, StreamExt};
use tokio::time::{Instant, timeout_at};

use crate::client::ProviderClient;
use crate::delta::{Delta, Part};
use crate::embed;
use crate::endpoint::ModelEndpoint;
use crate::error::{Error, TimeoutStage};
use crate::model::{Capabilities, Embedded, Model, ModelRequest};
use crate::retry::Retry;
use crate::sse::Decoder;
use crate::transport::{ModelTimeouts, Transport, TransportError, TransportRequest, TransportResponse};
use crate::unfinished::Unfinished;
use crate::wires::WireDecoder;

/// A model behind a wire.
#[derive(Clone)]
pub struct ProviderModel {
    client: ProviderClient,
    retry: Retry,
}

impl ProviderModel {
    /// A model at this endpoint, reached through this transport.
    pub fn new(
        endpoint: ModelEndpoint,
        transport: Arc<dyn Transport>,
        limits: ModelTimeouts,
        retry: Retry,
    ) -> Self {
        Self {
            client: ProviderClient {
                endpoint: Arc::new(endpoint),
                transport,
                limits,
            },
            retry,
        }
    }

    /// The endpoint.
    pub fn endpoint(&self) -> &ModelEndpoint {
        &self.client.endpoint
    }
}

impl Model for ProviderModel {
    fn name(&self) -> &str {
        &self.client.endpoint.model
    }

    fn provider(&self) -> &str {
        &self.client.endpoint.provider
    }

    fn capabilities(&self) -> Capabilities {
        let quirks = &self.client.endpoint.quirks;
        Capabilities {
            json_schema: quirks.json_schema && self.client.endpoint.wire.dialect().has_json_schema,
            tools: quirks.tools,
            images: quirks.images,
            parallel_calls: quirks.parallel_calls,
            context_tokens: self.client.endpoint.context_tokens,
        }
    }

    fn stream(&self, request: &ModelRequest) -> BoxStream<'static, Result<Delta, Error>> {
        let outgoing = self
            .client
            .endpoint
            .wire
            .render(request, &self.client.endpoint, self.client.limits);
        let state = StreamState::Begin(self.clone(), Box::new(outgoing));
        stream::unfold(state, |state| async move {
            match state {
                StreamState::Begin(provider, outgoing) => match provider.open(*outgoing).await {
                    Ok(answer) => ResponseStream::into_next(Box::new(answer)).await,
                    Err(error) => Some((Err(error), StreamState::Over)),
                },
                StreamState::Running(answer) => ResponseStream::into_next(answer).await,
                StreamState::Over => None,
            }
        })
        .boxed()
    }

    fn embed(&self, texts: &[String], model: Option<&str>) -> BoxFuture<'static, Result<Embedded, Error>> {
        embed::request(
            self.client.clone(),
            self.retry,
            texts.to_vec(),
            model.map(str::to_owned),
        )
        .boxed()
    }
}

enum StreamState {
    Begin(ProviderModel, Box<TransportRequest>),
    Running(Box<ResponseStream>),
    Over,
}

impl ProviderModel {
    /// Sends the request, repeatedly where that may help, until the answer has begun.
    async fn open(&self, outgoing: TransportRequest) -> Result<ResponseStream, Error> {
        let deadline = Instant::now() + self.client.limits.total;
        self.client
            .retrying(self.retry, deadline, || self.attempt(outgoing.clone(), deadline))
            .await
    }

    /// One try, until the first delta that carries a part of the answer. Those before it are given with it: the
    /// assembler counts them.
    async fn attempt(&self, outgoing: TransportRequest, deadline: Instant) -> Result<ResponseStream, Error> {
        let path = outgoing.url.path().to_owned();
        let first_by = (Instant::now() + self.client.limits.first_token).min(deadline);
        let incoming = match timeout_at(first_by, self.client.transport.open(outgoing)).await {
            Err(_) => return Err(self.client.timeout_error(TimeoutStage::FirstToken, deadline)),
            Ok(Err(transport_error)) => return Err(self.client.transport_error(transport_error)),
            Ok(Ok(incoming)) => incoming,
        };
        if !(200..300).contains(&incoming.status) {
            return Err(self.client.refusal(incoming, &path, first_by).await);
        }
        let mut answer = ResponseStream {
            client: self.client.clone(),
            bytes: Decoder::new(self.client.endpoint.wire.framing()),
            decode: self.client.endpoint.wire.decoder(),
            incoming,
            ready: VecDeque::new(),
            deadline,
            silence: self.client.limits.silence,
            over: false,
            first_by: Some(first_by),
        };
        let mut begun = VecDeque::new();
        loop {
            let delta = answer.next().await?;
            let delta = delta.ok_or(Error::Unfinished(Unfinished::StreamTruncated))?;
            let begins = delta.parts.iter().any(|part| !matches!(part, Part::Usage(_)));
            begun.push_back(Ok(delta));
            if begins {
                break;
            }
        }
        begun.append(&mut answer.ready);
        answer.ready = begun;
        answer.first_by = None;
        Ok(answer)
    }
}

/// An answer that is being read.
struct ResponseStream {
    client: ProviderClient,
    incoming: TransportResponse,
    bytes: Decoder,
    decode: Box<dyn WireDecoder>,
    ready: VecDeque<Result<Delta, Unfinished>>,
    deadline: Instant,
    silence: Duration,
    over: bool,
    /// Until when the answer must have begun; `None` once it has.
    first_by: Option<Instant>,
}

impl ResponseStream {
    /// The next delta and the state after it.
    async fn into_next(mut self: Box<Self>) -> Option<(Result<Delta, Error>, StreamState)> {
        match self.next().await {
            Ok(Some(delta)) => Some((Ok(delta), StreamState::Running(self))),
            Ok(None) => None,
            Err(error) => Some((Err(error), StreamState::Over)),
        }
    }

    /// The next delta. Chunks that carry nothing are passed on, too: the assembler counts them.
    async fn next(&mut self) -> Result<Option<Delta>, Error> {
        loop {
            if let Some(delta) = self.ready.pop_front() {
                let delta = delta?;
                self.over |= delta.parts.contains(&Part::End);
                return Ok(Some(delta));
            }
            if self.over {
                return Ok(None);
            }
            let (until, wait) = match self.first_by {
                Some(by) => (by, TimeoutStage::FirstToken),
                None => (Instant::now() + self.silence, TimeoutStage::Silence),
            };
            let until = until.min(self.deadline);
            match timeout_at(until, self.incoming.body.chunk()).await {
                Err(_) => return Err(self.client.timeout_error(wait, self.deadline)),
                Ok(Err(TransportError::Cut)) => self.close(true),
                Ok(Err(transport_error)) => return Err(self.client.transport_error(transport_error)),
                Ok(Ok(None)) => self.close(false),
                Ok(Ok(Some(part))) => {
                    let payloads = self.bytes.push(&part)?;
                    self.decode_all(&payloads);
                }
            }
        }
    }

    /// Handles the end of the connection. An incomplete payload is lost; the assembler judges the rest.
    fn close(&mut self, broke: bool) {
        self.over = true;
        match self.bytes.finish() {
            Ok(payloads) => self.decode_all(&payloads),
            Err(error) => self.ready.push_back(Err(error)),
        }
        if !broke && self.decode.ends_by_closing() && !self.ready.iter().any(Result::is_err) {
            self.ready.push_back(Ok(Delta::of(Part::End)));
        }
    }

    fn decode_all(&mut self, payloads: &[crate::sse::StreamPayload]) {
        for payload in payloads {
            let delta = self.decode.payload(payload);
            let failed = delta.is_err();
            self.ready.push_back(delta);
            if failed {
                return;
            }
        }
    }
}
