//! `ResponseStream`: the messages in a server's answer to one request, read over as many connections as the server makes of it.

use std::collections::VecDeque;
use std::time::Duration;

use llm::sse::{Decoder, Framing};
use serde_json::Value;

use super::protocol::{MAX_MESSAGE_BYTES, McpError};

/// The wait before a stream is resumed, where the server names none.
const RETRY: Duration = Duration::from_secs(1);
/// The shortest and the longest wait; a server cannot make the client ask in a circle, nor never.
const MIN_RETRY: Duration = Duration::from_millis(100);
const MAX_RETRY: Duration = Duration::from_secs(60);
/// Most times that one answer is resumed. The time limit of the call ends most of them before.
const MAX_RESUMPTIONS: usize = 1_000;

/// What opens the rest of a stream that ended.
pub(super) trait Reopen {
    /// Whether streams can be opened again at all.
    fn keeps_streams(&self) -> bool;

    /// Asks for what comes after this event.
    async fn reopen(&self, last_event_id: &str) -> Result<net::Streaming, McpError>;
}

/// The answer to one request.
pub(super) struct ResponseStream<'a, T> {
    transport: &'a T,
    method: &'a str,
    body: net::Streaming,
    decoder: Decoder,
    messages: VecDeque<Value>,
    is_over: bool,
    /// The last event that came, and the wait that the server asked for, on this connection or an earlier one.
    last_event_id: Option<String>,
    retry: Duration,
    bytes: usize,
    resumptions: usize,
}

impl<'a, T: Reopen> ResponseStream<'a, T> {
    pub(super) fn new(transport: &'a T, method: &'a str, body: net::Streaming) -> Self {
        Self {
            transport,
            method,
            body,
            // A plain document is one payload of the decoder too.
            decoder: Decoder::new(Framing::Events),
            messages: VecDeque::new(),
            is_over: false,
            last_event_id: None,
            retry: RETRY,
            bytes: 0,
            resumptions: 0,
        }
    }

    /// The next message. A stream that ends is resumed after its last event, where the server gave that an id.
    ///
    /// # Errors
    /// When no further message comes, or the answer is too long.
    pub(super) async fn message(&mut self) -> Result<Value, McpError> {
        loop {
            if let Some(message) = self.messages.pop_front() {
                return Ok(message);
            }
            if self.is_over {
                self.resume(self.failed("did not come")).await?;
            }
            self.read().await?;
        }
    }

    /// Reads what comes next on this connection.
    async fn read(&mut self) -> Result<(), McpError> {
        let payloads = match self.body.chunk().await {
            Ok(Some(part)) => {
                self.bytes += part.len();
                self.decoder.push(&part)
            }
            Ok(None) => {
                self.is_over = true;
                self.decoder.finish()
            }
            Err(error) => {
                let error = McpError::Unavailable(format!("its answer broke off: {error}"));
                return self.resume(error).await;
            }
        };
        if let Some(id) = self.decoder.last_event_id() {
            self.last_event_id = Some(id.to_owned());
        }
        self.retry = self.decoder.retry().unwrap_or(self.retry);
        let payloads = match payloads {
            Ok(payloads) => payloads,
            // The connection stopped within an event, which comes again.
            Err(_) if self.is_over && self.can_resume() => return Ok(()),
            Err(_) => return Err(self.failed("cannot be read")),
        };
        let parsed = payloads
            .iter()
            .filter_map(|payload| serde_json::from_str(&payload.data).ok());
        self.messages.extend(parsed);
        if self.bytes > MAX_MESSAGE_BYTES {
            return Err(self.failed("is too long"));
        }
        Ok(())
    }

    fn can_resume(&self) -> bool {
        self.last_event_id.is_some() && self.transport.keeps_streams() && self.resumptions < MAX_RESUMPTIONS
    }

    /// Asks for what comes after the last event, having waited as long as the server wants; fails with `error` where that
    /// cannot be asked for.
    async fn resume(&mut self, error: McpError) -> Result<(), McpError> {
        let Some(last) = self.last_event_id.clone().filter(|_| self.can_resume()) else {
            return Err(error);
        };
        self.resumptions += 1;
        tokio::time::sleep(self.retry.clamp(MIN_RETRY, MAX_RETRY)).await;
        self.body = self.transport.reopen(&last).await?;
        self.decoder = Decoder::new(Framing::Events);
        self.is_over = false;
        Ok(())
    }

    fn failed(&self, why: &str) -> McpError {
        McpError::Protocol(format!("its answer to {} {why}", self.method))
    }
}
