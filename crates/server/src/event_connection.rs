//! A connection that carries an event stream to its end, over HTTP/1: what is left of a connection once its request is
//! answered with a stream.
//!
//! The library that reads requests keeps a buffer of 8 KiB for what it reads and one for what it writes as long as its
//! connection lives. A server of many followers would consist of these. So the connection is taken out of its hands when
//! a stream begins: here it costs the stream, a socket and no buffer. It carries nothing after the stream.

use std::fmt::Write as _;
use std::io::{self, IoSlice};
use std::pin::{Pin, pin};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::task::{Context, Poll};
use std::time::Duration;

use http::header::{CONNECTION, CONTENT_LENGTH, DATE, TRANSFER_ENCODING};
use http::{Method, Response, Version};
use http_body_util::BodyExt as _;
use jiff::Timestamp;
use jiff::fmt::rfc2822::DateTimePrinter;
use tokio::io::{AsyncRead, AsyncWrite, AsyncWriteExt as _, Interest, ReadBuf};
use tokio::net::TcpStream;
use tokio::sync::Notify;

use crate::activity::WatchedBody;
use crate::stall_guard::StallGuard;

/// Most bytes that a client may send while it is told events; it has nothing more to say.
const MAX_IGNORED: usize = 16 * 1024;

/// Marks a response as an event stream that may have its connection to itself.
#[derive(Debug, Clone, Copy)]
pub(crate) struct OwnConnection;

/// A socket that two owners can have: who reads requests, and who carries the stream after it. One at a time uses it.
#[derive(Debug, Clone)]
pub(crate) struct SharedSocket(Arc<SocketState>);

#[derive(Debug)]
struct SocketState {
    stream: TcpStream,
    /// Whether the last write has to wait for the client.
    is_behind: AtomicBool,
}

impl SharedSocket {
    pub(crate) fn new(stream: TcpStream) -> Self {
        let is_behind = AtomicBool::new(false);
        Self(Arc::new(SocketState { stream, is_behind }))
    }

    /// Notes whether a write waits.
    fn noted<T>(&self, outcome: Poll<T>) -> Poll<T> {
        self.0.is_behind.store(outcome.is_pending(), Ordering::Release);
        outcome
    }

    /// Does what the socket is ready for, or waits until it is.
    fn poll<T>(
        ready: Poll<io::Result<()>>,
        act: &mut impl FnMut() -> io::Result<T>,
    ) -> Option<Poll<io::Result<T>>> {
        match ready {
            Poll::Pending => Some(Poll::Pending),
            Poll::Ready(Err(error)) => Some(Poll::Ready(Err(error))),
            Poll::Ready(Ok(())) => match act() {
                // It was ready no more; asked again, it waits.
                Err(error) if error.kind() == io::ErrorKind::WouldBlock => None,
                outcome => Some(Poll::Ready(outcome)),
            },
        }
    }
}

impl AsyncRead for SharedSocket {
    fn poll_read(
        self: Pin<&mut Self>,
        context: &mut Context<'_>,
        into: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        loop {
            let mut read = || self.0.stream.try_read(into.initialize_unfilled());
            if let Some(outcome) = Self::poll(self.0.stream.poll_read_ready(context), &mut read) {
                return outcome.map_ok(|count| into.advance(count));
            }
        }
    }
}

impl AsyncWrite for SharedSocket {
    fn poll_write(self: Pin<&mut Self>, context: &mut Context<'_>, bytes: &[u8]) -> Poll<io::Result<usize>> {
        loop {
            let mut write = || self.0.stream.try_write(bytes);
            if let Some(outcome) = Self::poll(self.0.stream.poll_write_ready(context), &mut write) {
                return self.noted(outcome);
            }
        }
    }

    fn poll_write_vectored(
        self: Pin<&mut Self>,
        context: &mut Context<'_>,
        pieces: &[IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        loop {
            let mut write = || self.0.stream.try_write_vectored(pieces);
            if let Some(outcome) = Self::poll(self.0.stream.poll_write_ready(context), &mut write) {
                return self.noted(outcome);
            }
        }
    }

    fn is_write_vectored(&self) -> bool {
        true
    }

    fn poll_flush(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<io::Result<()>> {
        Poll::Ready(Ok(()))
    }

    fn poll_shutdown(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<io::Result<()>> {
        Poll::Ready(socket2::SockRef::from(&self.0.stream).shutdown(std::net::Shutdown::Write))
    }
}

/// A stream that is to have its connection to itself.
pub(crate) struct EventAnswer {
    version: Version,
    response: Response<WatchedBody>,
}

/// Where a connection is told that it carries a stream from here on.
pub(crate) struct Takeover {
    socket: SharedSocket,
    answer: Mutex<Option<EventAnswer>>,
    given: Notify,
}

impl Takeover {
    pub(crate) fn of(socket: &SharedSocket) -> Arc<Self> {
        Arc::new(Self {
            socket: socket.clone(),
            answer: Mutex::default(),
            given: Notify::new(),
        })
    }

    /// Gives the answer away if it may have the connection to itself; else returns it.
    pub(crate) fn offer(
        &self,
        method: &Method,
        version: Version,
        response: Response<WatchedBody>,
    ) -> Option<Response<WatchedBody>> {
        let is_http1 = matches!(version, Version::HTTP_10 | Version::HTTP_11);
        let is_stream = response.extensions().get::<OwnConnection>().is_some();
        // What a slow client has not taken of an earlier answer is still with the library.
        let is_behind = self.socket.0.is_behind.load(Ordering::Acquire);
        if !(is_http1 && is_stream) || is_behind || method == Method::HEAD {
            return Some(response);
        }
        *self.answer.lock().unwrap_or_else(PoisonError::into_inner) = Some(EventAnswer { version, response });
        self.given.notify_one();
        None
    }

    /// Waits for an answer that has the connection to itself.
    pub(crate) async fn taken(&self) -> EventAnswer {
        loop {
            if let Some(answer) = self.answer.lock().unwrap_or_else(PoisonError::into_inner).take() {
                return answer;
            }
            self.given.notified().await;
        }
    }
}

impl EventAnswer {
    /// Sends the answer, until it ends, its client leaves or takes too little.
    ///
    /// # Errors
    /// When the connection breaks, or the stream does: the client is to see that it is not whole.
    pub(crate) async fn send(self, socket: SharedSocket, patience: Duration) -> io::Result<()> {
        let is_chunked = self.version == Version::HTTP_11;
        let (parts, body) = self.response.into_parts();
        let mut head = format!("{:?} {}\r\n", self.version, parts.status);
        let written = DateTimePrinter::new().timestamp_to_rfc9110_string(&Timestamp::now());
        let mut headers = parts.headers;
        for (name, value) in [
            (DATE, written.unwrap_or_default()),
            (CONNECTION, "close".to_owned()),
            (
                TRANSFER_ENCODING,
                if is_chunked {
                    "chunked".to_owned()
                } else {
                    String::new()
                },
            ),
            (CONTENT_LENGTH, String::new()),
        ] {
            headers.remove(&name);
            if !value.is_empty() {
                let _ = write!(head, "{name}: {value}\r\n");
            }
        }
        let mut head = head.into_bytes();
        for (name, value) in &headers {
            head.extend_from_slice(name.as_str().as_bytes());
            head.extend_from_slice(b": ");
            head.extend_from_slice(value.as_bytes());
            head.extend_from_slice(b"\r\n");
        }
        head.extend_from_slice(b"\r\n");
        drop(headers);
        let mut guarded = StallGuard::new(socket.clone(), patience);
        guarded.write_all(&head).await?;
        drop(head);
        let mut body = pin!(body);
        let mut left = pin!(client_left(socket));
        loop {
            let frame = tokio::select! {
                frame = body.frame() => frame,
                () = left.as_mut() => return Ok(()),
            };
            let Some(frame) = frame else { break };
            let frame = frame.map_err(io::Error::other)?;
            let Some(data) = frame.data_ref().filter(|data| !data.is_empty()) else {
                continue;
            };
            let mut sending = pin!(send_chunk(&mut guarded, data, is_chunked));
            tokio::select! {
                sent = sending.as_mut() => sent?,
                () = left.as_mut() => return Ok(()),
            }
        }
        if is_chunked {
            guarded.write_all(b"0\r\n\r\n").await?;
        }
        guarded.shutdown().await
    }
}

async fn send_chunk(into: &mut StallGuard<SharedSocket>, data: &[u8], is_chunked: bool) -> io::Result<()> {
    if !is_chunked {
        return into.write_all(data).await;
    }
    let size = format!("{:x}\r\n", data.len());
    let mut pieces = [
        IoSlice::new(size.as_bytes()),
        IoSlice::new(data),
        IoSlice::new(b"\r\n"),
    ];
    let mut left = &mut pieces[..];
    while !left.is_empty() {
        let written =
            std::future::poll_fn(|context| Pin::new(&mut *into).poll_write_vectored(context, left)).await?;
        if written == 0 {
            return Err(io::ErrorKind::WriteZero.into());
        }
        IoSlice::advance_slices(&mut left, written);
    }
    Ok(())
}

/// Waits until the client has closed its side, broken the connection, or sent too much.
async fn client_left(socket: SharedSocket) {
    let mut ignored = 0;
    while ignored <= MAX_IGNORED {
        let mut bytes = [0; 128];
        match socket
            .0
            .stream
            .ready(Interest::READABLE)
            .await
            .and_then(|_| socket.0.stream.try_read(&mut bytes))
        {
            Ok(0) => return,
            Ok(count) => ignored += count,
            Err(error) if error.kind() == io::ErrorKind::WouldBlock => {}
            Err(_) => return,
        }
    }
}
