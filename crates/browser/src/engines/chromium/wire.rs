//! One connection to a browser: numbered calls and their answers, and events for whoever listens.
//!
//! The protocol is JSON messages of the Chrome DevTools Protocol, ended by a zero byte on a pipe and one per
//! frame on a websocket. Only the envelope of a message is read here; what nobody knows costs nothing.

use std::borrow::Cow;
use std::collections::HashMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError, Weak};

use futures_util::{SinkExt as _, StreamExt as _};
use net::CancellationToken;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;
use tokio::io::{AsyncRead, AsyncReadExt as _, AsyncWrite, AsyncWriteExt as _};
use tokio::sync::{mpsc, oneshot};
use tokio_tungstenite::WebSocketStream;
use tokio_tungstenite::tungstenite::Message;

/// Most bytes of one message. A longer answer fails its call, a longer event is passed over.
pub(super) const MESSAGE_BYTES: usize = 128 << 20;

/// Hears events, in the order they came. Called by the reading task: it may send, and must not wait.
pub(super) trait Events: Send + Sync {
    /// One event. `session` is empty for the browser itself.
    fn event(&self, session: &str, method: &str, params: &RawValue);
    /// The connection is over; nothing comes after this.
    fn lost(&self);
}

/// Why a call has no result.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Fault {
    /// The browser is gone.
    Lost,
    /// The browser said no, in its own words.
    Refused(String),
    /// The answer was larger than a message may be, or cannot be read.
    Unreadable,
}

type Answer = Result<Box<RawValue>, Fault>;

/// A connection; clones share it.
#[derive(Clone)]
pub(super) struct Connection {
    shared: Arc<Shared>,
}

struct Shared {
    next: AtomicU64,
    /// Calls that wait for their answers; `None` once the connection is over.
    waiting: Mutex<Option<HashMap<u64, oneshot::Sender<Answer>>>>,
    events: OnceLock<Weak<dyn Events>>,
    out: mpsc::UnboundedSender<Vec<u8>>,
    over: CancellationToken,
}

/// An answer to come. Dropping it forgets the call, which is made all the same.
pub(super) struct Reply(Option<oneshot::Receiver<Answer>>);

impl Reply {
    /// Waits for the answer and reads it.
    pub(super) async fn read<T: DeserializeOwned>(self) -> Result<T, Fault> {
        let answer = match self.0 {
            Some(answer) => answer.await.unwrap_or(Err(Fault::Lost))?,
            None => return Err(Fault::Lost),
        };
        serde_json::from_str(answer.get()).map_err(|_| Fault::Unreadable)
    }
}

#[derive(Serialize)]
struct Call<'a, P> {
    id: u64,
    method: &'a str,
    params: P,
    #[serde(rename = "sessionId", skip_serializing_if = "str::is_empty")]
    session: &'a str,
}

#[derive(Deserialize)]
struct Envelope<'a> {
    id: Option<u64>,
    #[serde(borrow)]
    method: Option<Cow<'a, str>>,
    #[serde(borrow, rename = "sessionId")]
    session: Option<Cow<'a, str>>,
    #[serde(borrow)]
    params: Option<&'a RawValue>,
    #[serde(borrow)]
    result: Option<&'a RawValue>,
    #[serde(borrow)]
    error: Option<&'a RawValue>,
}

#[derive(Deserialize)]
struct Refusal {
    #[serde(default)]
    message: String,
}

impl Connection {
    fn new() -> (Connection, mpsc::UnboundedReceiver<Vec<u8>>) {
        let (out, outgoing) = mpsc::unbounded_channel();
        let shared = Arc::new(Shared {
            next: AtomicU64::new(1),
            waiting: Mutex::new(Some(HashMap::new())),
            events: OnceLock::new(),
            out,
            over: CancellationToken::new(),
        });
        (Connection { shared }, outgoing)
    }

    /// Speaks over a pair of pipes.
    pub(super) fn over_pipes<R, W>(reader: R, writer: W) -> Connection
    where
        R: AsyncRead + Send + Unpin + 'static,
        W: AsyncWrite + Send + Unpin + 'static,
    {
        let (connection, outgoing) = Connection::new();
        let over = connection.shared.over.clone();
        tokio::spawn(
            over.clone()
                .run_until_cancelled_owned(write_pipe(writer, outgoing)),
        );
        let shared = connection.shared.clone();
        tokio::spawn(async move {
            over.run_until_cancelled(read_pipe(reader, &shared)).await;
            shared.end();
        });
        connection
    }

    /// Speaks over a websocket.
    pub(super) fn over_websocket<S>(socket: WebSocketStream<S>) -> Connection
    where
        S: AsyncRead + AsyncWrite + Send + Unpin + 'static,
    {
        let (connection, mut outgoing) = Connection::new();
        let over = connection.shared.over.clone();
        let (mut sink, mut stream) = socket.split();
        tokio::spawn(over.clone().run_until_cancelled_owned(async move {
            while let Some(message) = outgoing.recv().await {
                let text = String::from_utf8(message).unwrap_or_default();
                if sink.send(Message::text(text)).await.is_err() {
                    return;
                }
            }
        }));
        let shared = connection.shared.clone();
        tokio::spawn(async move {
            let reading = async {
                while let Some(Ok(message)) = stream.next().await {
                    match message {
                        Message::Text(text) => shared.take(text.as_bytes()),
                        Message::Binary(bytes) => shared.take(&bytes),
                        Message::Close(_) => return,
                        _ => {}
                    }
                }
            };
            over.run_until_cancelled(reading).await;
            shared.end();
        });
        connection
    }

    /// Says who hears the events. Only the first one is heard.
    pub(super) fn listen(&self, events: Weak<dyn Events>) {
        let _ = self.shared.events.set(events);
    }

    /// Makes a call now. The session is empty for the browser itself. The answer need not be waited for.
    pub(super) fn call(&self, session: &str, method: &str, params: impl Serialize) -> Reply {
        let id = self.shared.next.fetch_add(1, Ordering::Relaxed);
        let call = Call {
            id,
            method,
            params,
            session,
        };
        let Ok(message) = serde_json::to_vec(&call) else {
            return Reply(None);
        };
        let (sender, answer) = oneshot::channel();
        match self.shared.waiting().as_mut() {
            Some(waiting) => waiting.insert(id, sender),
            None => return Reply(None),
        };
        match self.shared.out.send(message) {
            Ok(()) => Reply(Some(answer)),
            Err(_) => Reply(None),
        }
    }

    /// Whether the browser is gone.
    pub(super) fn is_over(&self) -> bool {
        self.shared.over.is_cancelled()
    }

    /// Ends the connection.
    pub(super) fn close(&self) {
        self.shared.over.cancel();
    }
}

impl Shared {
    fn waiting(&self) -> MutexGuard<'_, Option<HashMap<u64, oneshot::Sender<Answer>>>> {
        self.waiting.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn end(&self) {
        self.over.cancel();
        // Dropping the senders fails every call that waits.
        let waiting = self.waiting().take();
        drop(waiting);
        if let Some(events) = self.events.get().and_then(Weak::upgrade) {
            events.lost();
        }
    }

    /// Takes one message in.
    fn take(&self, message: &[u8]) {
        let Ok(envelope) = serde_json::from_slice::<Envelope<'_>>(message) else {
            return;
        };
        if let Some(id) = envelope.id {
            let answer = match (envelope.error, envelope.result) {
                (Some(error), _) => Err(Fault::Refused(
                    serde_json::from_str::<Refusal>(error.get())
                        .map(|it| it.message)
                        .unwrap_or_default(),
                )),
                (None, Some(result)) => Ok(result.to_owned()),
                (None, None) => Err(Fault::Unreadable),
            };
            self.answer(id, answer);
        } else if let (Some(method), Some(params)) = (envelope.method, envelope.params)
            && let Some(events) = self.events.get().and_then(Weak::upgrade)
        {
            events.event(envelope.session.as_deref().unwrap_or_default(), &method, params);
        }
    }

    fn answer(&self, id: u64, answer: Answer) {
        let waiting = self.waiting().as_mut().and_then(|waiting| waiting.remove(&id));
        if let Some(waiting) = waiting {
            // Whoever asked may have stopped waiting.
            let _ = waiting.send(answer);
        }
    }

    /// Fails the call whose answer is too long, as far as its beginning tells which one that is.
    fn pass_over(&self, head: &[u8]) {
        let digits = head.strip_prefix(b"{\"id\":").map(|rest| {
            rest.iter()
                .take_while(|b| b.is_ascii_digit())
                .copied()
                .collect::<Vec<_>>()
        });
        let id = digits.and_then(|digits| String::from_utf8(digits).ok()?.parse().ok());
        if let Some(id) = id {
            self.answer(id, Err(Fault::Unreadable));
        }
    }
}

async fn write_pipe(mut writer: impl AsyncWrite + Unpin, mut outgoing: mpsc::UnboundedReceiver<Vec<u8>>) {
    while let Some(mut message) = outgoing.recv().await {
        message.push(0);
        if writer.write_all(&message).await.is_err() {
            return;
        }
    }
}

async fn read_pipe(mut reader: impl AsyncRead + Unpin, shared: &Shared) {
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
                Some(message) if !skipping => shared.take(message),
                _ => skipping = false,
            }
            (start, from) = (end + 1, end + 1);
        }
        buffer.drain(..start);
        if buffer.len() > MESSAGE_BYTES {
            if !skipping {
                shared.pass_over(&buffer);
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
