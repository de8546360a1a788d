//! A provider's endpoint as a model: render, send, decode.

use std::collections::VecDeque;
use std::sync::Arc;
use std::time::Duration;

use futures_util::future::BoxFuture;
use futures_util::stream::{self, BoxStream};
use futures_util::{FutureExt, StreamExt};
use tokio::time::{Instant, timeout_at};

use crate::delta::{Delta, Part};
use crate::embed::{self, Embedded};
use crate::endpoint::Endpoint;
use crate::error::{Error, Wait};
use crate::model::{Capabilities, Model, Request};
use crate::retry::Retry;
use crate::sse::Decoder;
use crate::status;
use crate::transport::{Broken, Incoming, Limits, Outgoing, Transport};
use crate::unfinished::Unfinished;
use crate::wires::{Decode, Wire};

/// Most bytes of a refusal's body that are read.
const REFUSAL_BYTES: usize = 64 * 1024;

/// A model behind a wire.
#[derive(Clone)]
pub struct Provider {
    endpoint: Arc<Endpoint>,
    pub(crate) transport: Arc<dyn Transport>,
    pub(crate) limits: Limits,
    retry: Retry,
}

impl Provider {
    /// A model at this endpoint, reached through this transport.
    pub fn new(endpoint: Endpoint, transport: Arc<dyn Transport>, limits: Limits, retry: Retry) -> Self {
        Self {
            endpoint: Arc::new(endpoint),
            transport,
            limits,
            retry,
        }
    }

    /// The endpoint.
    pub fn endpoint(&self) -> &Endpoint {
        &self.endpoint
    }
}

impl Model for Provider {
    fn name(&self) -> &str {
        &self.endpoint.model
    }

    fn capabilities(&self) -> Capabilities {
        let quirks = &self.endpoint.quirks;
        Capabilities {
            json_schema: quirks.json_schema && self.endpoint.wire != Wire::Anthropic,
            tools: quirks.tools,
            images: quirks.images,
            parallel_calls: quirks.parallel_calls,
        }
    }

    fn stream(&self, request: &Request) -> BoxStream<'static, Result<Delta, Error>> {
        let outgoing = self.endpoint.wire.render(request, &self.endpoint, self.limits);
        let state = State::Begin(self.clone(), Box::new(outgoing));
        stream::unfold(state, |state| async move {
            match state {
                State::Begin(provider, outgoing) => match provider.open(*outgoing).await {
                    Ok((answer, first)) => Some((Ok(first), State::Running(Box::new(answer)))),
                    Err(error) => Some((Err(error), State::Over)),
                },
                State::Running(mut answer) => match answer.next().await {
                    Ok(Some(delta)) => Some((Ok(delta), State::Running(answer))),
                    Ok(None) => None,
                    Err(error) => Some((Err(error), State::Over)),
                },
                State::Over => None,
            }
        })
        .boxed()
    }

    fn embed(&self, texts: &[String], model: Option<&str>) -> BoxFuture<'static, Result<Embedded, Error>> {
        embed::ask(self.clone(), texts.to_vec(), model.map(str::to_owned)).boxed()
    }
}

enum State {
    Begin(Provider, Box<Outgoing>),
    Running(Box<Answer>),
    Over,
}

impl Provider {
    /// Sends the request, again while that may help, until the first delta is there.
    async fn open(&self, outgoing: Outgoing) -> Result<(Answer, Delta), Error> {
        let deadline = Instant::now() + self.limits.total;
        let mut tries = 0;
        loop {
            let error = match self.attempt(outgoing.clone(), deadline).await {
                Ok((answer, Some(first))) => return Ok((answer, first)),
                Ok((_, None)) => Error::Unfinished(Unfinished::StreamTruncated),
                Err(error) => error,
            };
            tries += 1;
            let wait = match &error {
                Error::RateLimited { retry_after, .. } => self.retry.wait(tries, *retry_after),
                other if other.is_passing() => self.retry.wait(tries, None),
                _ => None,
            };
            let Some(wait) = wait.filter(|wait| Instant::now() + *wait < deadline) else {
                return Err(error);
            };
            tokio::time::sleep(wait).await;
        }
    }

    /// One try, up to and including the first delta that carries anything.
    async fn attempt(&self, outgoing: Outgoing, deadline: Instant) -> Result<(Answer, Option<Delta>), Error> {
        let path = outgoing.url.path().to_owned();
        let first_by = (Instant::now() + self.limits.first_token).min(deadline);
        let incoming = match timeout_at(first_by, self.transport.open(outgoing)).await {
            Err(_) => return Err(self.too_slow(Wait::FirstToken, deadline)),
            Ok(Err(broken)) => return Err(self.broken(broken)),
            Ok(Ok(incoming)) => incoming,
        };
        if !(200..300).contains(&incoming.status) {
            return Err(self.refusal(incoming, &path, first_by).await);
        }
        let mut answer = Answer {
            provider: self.clone(),
            bytes: Decoder::new(self.endpoint.wire.framing()),
            decode: self.endpoint.wire.decoder(),
            incoming,
            ready: VecDeque::new(),
            deadline,
            silence: self.limits.silence,
            over: false,
            first_by: Some(first_by),
        };
        let first = answer.next().await?;
        answer.first_by = None;
        Ok((answer, first))
    }

    pub(crate) async fn refusal(&self, mut incoming: Incoming, path: &str, by: Instant) -> Error {
        let mut body = Vec::new();
        while body.len() < REFUSAL_BYTES {
            match timeout_at(by, incoming.body.chunk()).await {
                Ok(Ok(Some(part))) => body.extend_from_slice(&part),
                _ => break,
            }
        }
        status::refusal(&self.endpoint, incoming.status, &incoming.headers, path, &body)
    }

    pub(crate) fn too_slow(&self, wait: Wait, deadline: Instant) -> Error {
        if Instant::now() >= deadline {
            return Error::Timeout {
                wait: Wait::Total,
                limit: self.limits.total,
            };
        }
        let limit = match wait {
            Wait::Connect => self.limits.connect,
            Wait::FirstToken => self.limits.first_token,
            Wait::Silence => self.limits.silence,
            Wait::Total => self.limits.total,
        };
        Error::Timeout { wait, limit }
    }

    pub(crate) fn broken(&self, broken: Broken) -> Error {
        match broken {
            Broken::Connection(message) => Error::Unreachable {
                provider: self.endpoint.provider.clone(),
                message,
            },
            Broken::Cut => Error::Unfinished(Unfinished::StreamTruncated),
            Broken::Slow(wait) => self.too_slow(wait, Instant::now() + Duration::from_secs(1)),
            Broken::Recording(error) => *error,
        }
    }
}

/// An answer that is being read.
struct Answer {
    provider: Provider,
    incoming: Incoming,
    bytes: Decoder,
    decode: Box<dyn Decode>,
    ready: VecDeque<Result<Delta, Unfinished>>,
    deadline: Instant,
    silence: Duration,
    over: bool,
    /// Until when the first delta must be there; `None` once it is.
    first_by: Option<Instant>,
}

impl Answer {
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
                Some(by) => (by, Wait::FirstToken),
                None => (Instant::now() + self.silence, Wait::Silence),
            };
            let until = until.min(self.deadline);
            match timeout_at(until, self.incoming.body.chunk()).await {
                Err(_) => return Err(self.provider.too_slow(wait, self.deadline)),
                Ok(Err(Broken::Cut)) => self.close(true),
                Ok(Err(broken)) => return Err(self.provider.broken(broken)),
                Ok(Ok(None)) => self.close(false),
                Ok(Ok(Some(part))) => {
                    let payloads = self.bytes.push(&part)?;
                    self.decode_all(&payloads);
                }
            }
        }
    }

    /// The connection is closed. What it ended within is lost; the assembler judges what is left.
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

    fn decode_all(&mut self, payloads: &[crate::sse::Payload]) {
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
