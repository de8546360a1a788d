//! A connection to a browser: commands with their responses, and events for one handler.
//!
//! Messages are JSON, ended by a zero byte on a pipe and one per frame on a websocket. Only the envelope of a message
//! is read here.

use std::borrow::Cow;
use std::collections::HashMap;
use std::marker::PhantomData;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError, Weak};
use std::time::Instant;

use futures_util::{SinkExt as _, StreamExt as _};
use net::CancellationToken;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;
use tokio::io::{AsyncRead, AsyncReadExt as _, AsyncWrite, AsyncWriteExt as _};
use tokio::sync::{mpsc, oneshot};
use tokio_tungstenite::WebSocketStream;
use tokio_tungstenite::tungstenite::{self, Message};

use super::command::CdpCommand;

/// Most bytes of one message. Over pipes a longer response fails its command, and a longer event is dropped. A websocket ends with
/// a longer message, and commands under way fail as [`CdpError::Unreadable`].
pub(crate) const MAX_MESSAGE_BYTES: usize = 128 << 20;

/// The session of the browser itself.
pub(crate) const BROWSER_SESSION: &str = "";

/// Receives events in order. Called by the reading task: it may send commands, and must not wait.
pub(crate) trait EventHandler: Send + Sync {
    /// One event of a session.
    fn event(&self, session: &str, method: &str, params: &RawValue);
    /// The connection has ended; no event follows.
    fn disconnected(&self);
}

/// Why a command has no response.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum CdpError {
    /// The connection has ended.
    Disconnected,
    /// The browser refused, in its own words.
    Refused(String),
    /// The response is larger than a message may be, or cannot be read.
    Unreadable,
}

type RawResponse = Result<Box<RawValue>, CdpError>;

/// A connection; clones share it.
#[derive(Clone)]
pub(crate) struct Connection {
    shared: Arc<SharedConnection>,
}

struct SharedConnection {
    next_id: AtomicU64,
    /// Commands without a response yet; `None` once the connection has ended.
    pending: Mutex<Option<PendingCommands>>,
    handler: OnceLock<Weak<dyn EventHandler>>,
    outgoing: mpsc::UnboundedSender<Vec<u8>>,
    ended: CancellationToken,
}

type PendingCommands = HashMap<u64, PendingCommand>;

struct PendingCommand {
    method: &'static str,
    sent: Instant,
    sender: oneshot::Sender<RawResponse>,
}

/// A response to come. Dropping it leaves the command in force.
pub(crate) struct PendingResponse<T> {
    receiver: Option<oneshot::Receiver<RawResponse>>,
    response: PhantomData<fn() -> T>,
}

impl<T: DeserializeOwned> PendingResponse<T> {
    fn new(receiver: Option<oneshot::Receiver<RawResponse>>) -> Self {
        Self {
            receiver,
            response: PhantomData,
        }
    }

    /// Waits for the response and decodes it.
    pub(crate) async fn receive(self) -> Result<T, CdpError> {
        let Some(receiver) = self.receiver else {
            return Err(CdpError::Disconnected);
        };
        let response = receiver.await.unwrap_or(Err(CdpError::Disconnected))?;
        serde_json::from_str(response.get()).map_err(|_| CdpError::Unreadable)
    }
}

#[derive(Serialize)]
struct OutgoingMessage<'a, P> {
    id: u64,
    method: &'a str,
    params: &'a P,
    #[serde(rename = "sessionId", skip_serializing_if = "str::is_empty")]
    session: &'a str,
}

#[derive(Deserialize)]
struct IncomingMessage<'a> {
    id: Option<u64>,
    #[serde(borrow)]
    method: Option<Cow<'a, str>>,
    #[serde(borrow, rename = "sessionId")]
    session: Option<Cow<'a, str>>,
    #[serde(borrow)]
    params: Option<&'a RawValue>,
    #[serde(borrow)]
    result: Option<&'a RawValue>,
    error: Option<ResponseError>,
}

#[derive(Deserialize)]
struct ResponseError {
    #[serde(default)]
    message: String,
}

impl Connection {
    fn new() -> (Connection, mpsc::UnboundedReceiver<Vec<u8>>) {
        let (outgoing, messages) = mpsc::unbounded_channel();
        let shared = Arc::new(SharedConnection {
            next_id: AtomicU64::new(1),
            pending: Mutex::new(Some(HashMap::new())),
            handler: OnceLock::new(),
            outgoing,
            ended: CancellationToken::new(),
        });
        (Connection { shared }, messages)
    }

    /// Connects over a pair of pipes.
    pub(crate) fn over_pipes<R, W>(reader: R, writer: W) -> Connection
    where
        R: AsyncRead + Send + Unpin + 'static,
        W: AsyncWrite + Send + Unpin + 'static,
    {
        let (connection, messages) = Connection::new();
        let ended = connection.shared.ended.clone();
        tokio::spawn(
            ended
                .clone()
                .run_until_cancelled_owned(write_pipe(writer, messages)),
        );
        let shared = connection.shared.clone();
        tokio::spawn(async move {
            ended.run_until_cancelled(read_pipe(reader, &shared)).await;
            shared.end(CdpError::Disconnected);
        });
        connection
    }

    /// Connects over a websocket.
    pub(crate) fn over_websocket<S>(socket: WebSocketStream<S>) -> Connection
    where
        S: AsyncRead + AsyncWrite + Send + Unpin + 'static,
    {
        let (connection, mut messages) = Connection::new();
        let ended = connection.shared.ended.clone();
        let (mut sink, mut stream) = socket.split();
        tokio::spawn(ended.clone().run_until_cancelled_owned(async move {
            while let Some(message) = messages.recv().await {
                let text = String::from_utf8(message).unwrap_or_default();
                if sink.send(Message::text(text)).await.is_err() {
                    return;
                }
            }
        }));
        let shared = connection.shared.clone();
        tokio::spawn(async move {
            let reading = async {
                loop {
                    match stream.next().await {
                        Some(Ok(Message::Text(text))) => shared.receive(text.as_bytes()),
                        Some(Ok(Message::Binary(bytes))) => shared.receive(&bytes),
                        Some(Err(tungstenite::Error::Capacity(_))) => return CdpError::Unreadable,
                        Some(Ok(Message::Close(_)) | Err(_)) | None => return CdpError::Disconnected,
                        Some(Ok(_)) => {}
                    }
                }
            };
            let why = ended.run_until_cancelled(reading).await;
            shared.end(why.unwrap_or(CdpError::Disconnected));
        });
        connection
    }

    /// Sets the handler of events. Only the first call has an effect.
    pub(crate) fn set_handler(&self, handler: Weak<dyn EventHandler>) {
        let _ = self.shared.handler.set(handler);
    }

    /// Sends a command to a session. The response need not be awaited.
    pub(crate) fn call<C: CdpCommand>(&self, session: &str, command: &C) -> PendingResponse<C::Response> {
        PendingResponse::new(self.enqueue(session, command))
    }

    /// Sends a command whose response nobody awaits.
    pub(crate) fn send<C: CdpCommand>(&self, session: &str, command: &C) {
        drop(self.enqueue(session, command));
    }

    fn enqueue<C: CdpCommand>(&self, session: &str, command: &C) -> Option<oneshot::Receiver<RawResponse>> {
        let id = self.shared.next_id.fetch_add(1, Ordering::Relaxed);
        let message = OutgoingMessage {
            id,
            method: C::METHOD,
            params: command,
            session,
        };
        let message = serde_json::to_vec(&message).ok()?;
        let (sender, receiver) = oneshot::channel();
        let command = PendingCommand {
            method: C::METHOD,
            sent: Instant::now(),
            sender,
        };
        self.shared.pending().as_mut()?.insert(id, command);
        self.shared.outgoing.send(message).ok()?;
        Some(receiver)
    }

    /// Whether the connection has ended.
    pub(crate) fn is_closed(&self) -> bool {
        self.shared.ended.is_cancelled()
    }

    /// Waits until the connection has ended.
    pub(crate) async fn closed(&self) {
        self.shared.ended.cancelled().await;
    }

    /// Ends the connection.
    pub(crate) fn close(&self) {
        self.shared.ended.cancel();
    }
}

impl SharedConnection {
    fn pending(&self) -> MutexGuard<'_, Option<PendingCommands>> {
        self.pending.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Ends the connection. Every command without a response fails with `why`.
    fn end(&self, why: CdpError) {
        self.ended.cancel();
        let pending = self.pending().take().unwrap_or_default();
        tracing::trace!(pending = pending.len(), ?why, "CDP connection ended");
        for command in pending.into_values() {
            // The caller may have stopped waiting.
            let _ = command.sender.send(Err(why.clone()));
        }
        if let Some(handler) = self.handler.get().and_then(Weak::upgrade) {
            handler.disconnected();
        }
    }

    fn receive(&self, message: &[u8]) {
        let Ok(incoming) = serde_json::from_slice::<IncomingMessage<'_>>(message) else {
            return;
        };
        if let Some(id) = incoming.id {
            let response = match (incoming.error, incoming.result) {
                (Some(error), _) => Err(CdpError::Refused(error.message)),
                (None, Some(result)) => Ok(result.to_owned()),
                (None, None) => Err(CdpError::Unreadable),
            };
            self.respond(id, response);
        } else if let (Some(method), Some(params)) = (incoming.method, incoming.params)
            && let Some(handler) = self.handler.get().and_then(Weak::upgrade)
        {
            handler.event(incoming.session.as_deref().unwrap_or_default(), &method, params);
        }
    }

    fn respond(&self, id: u64, response: RawResponse) {
        let command = self.pending().as_mut().and_then(|pending| pending.remove(&id));
        let Some(command) = command else { return };
        let (outcome, bytes) = match &response {
            Ok(result) => ("ok", result.get().len()),
            Err(CdpError::Refused(_)) => ("refused", 0),
            Err(_) => ("unreadable", 0),
        };
        let millis = u64::try_from(command.sent.elapsed().as_millis()).unwrap_or(u64::MAX);
        tracing::trace!(method = command.method, millis, outcome, bytes, "CDP command");
        // The caller may have stopped waiting.
        let _ = command.sender.send(response);
    }

    /// Fails the command whose response is too long, as far as the beginning of the message has its id.
    fn fail_oversized(&self, head: &[u8]) {
        let digits = head.strip_prefix(b"{\"id\":").map(|rest| {
            let digits = rest.iter().take_while(|byte| byte.is_ascii_digit());
            digits.copied().collect::<Vec<_>>()
        });
        let id = digits.and_then(|digits| String::from_utf8(digits).ok()?.parse().ok());
        if let Some(id) = id {
            self.respond(id, Err(CdpError::Unreadable));
        }
    }
}

async fn write_pipe(mut writer: impl AsyncWrite + Unpin, mut messages: mpsc::UnboundedReceiver<Vec<u8>>) {
    while let Some(mut message) = messages.recv().await {
        message.push(0);
        if writer.write_all(&message).await.is_err() {
            return;
        }
    }
}

async fn read_pipe(mut reader: impl AsyncRead + Unpin, shared: &SharedConnection) {
    let mut buffer: Vec<u8> = Vec::with_capacity(64 << 10);
    let mut skipping = false;
    loop {
        let seen = buffer.len();
        buffer.reserve(64 << 10);
        match reader.read_buf(&mut buffer).await {
            Ok(0) | Err(_) => return,
            Ok(_) => {}
        }
        let (mut start, mut from) = (0, seen);
        while let Some(end) = buffer
            .get(from..)
            .and_then(|rest| rest.iter().position(|byte| *byte == 0))
            .map(|at| at + from)
        {
            match buffer.get(start..end) {
                Some(message) if !skipping => shared.receive(message),
                _ => skipping = false,
            }
            (start, from) = (end + 1, end + 1);
        }
        buffer.drain(..start);
        if buffer.len() > MAX_MESSAGE_BYTES {
            if !skipping {
                shared.fail_oversized(&buffer);
            }
            skipping = true;
            buffer.clear();
        }
        if buffer.is_empty() && buffer.capacity() > 1 << 20 {
            buffer = Vec::with_capacity(64 << 10);
        }
    }
}

#[cfg(test)]
mod tests;
