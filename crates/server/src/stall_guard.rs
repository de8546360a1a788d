//! `StallGuard`: a connection that fails when its client reads nothing, or too little, for too long.

use std::future::Future as _;
use std::io;
use std::pin::Pin;
use std::task::{Context, Poll};
use std::time::Duration;

use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::time::{Instant, Sleep};

/// Slowest average speed at which a client may take what waits for it, in bytes for a second.
const MIN_BYTES_PER_SECOND: u64 = 2048;

/// How long writes have to succeed at once until a client counts as having caught up.
const CAUGHT_UP: Duration = Duration::from_secs(5);

/// A stream whose writes fail when the client has taken too little during `patience`. A client that keeps up is not
/// measured, and waiting costs a timer only while it lasts.
pub(crate) struct StallGuard<S> {
    inner: S,
    patience: Duration,
    behind: Option<Behind>,
}

/// A client that does not take everything at once.
struct Behind {
    /// When it is judged.
    judged: Pin<Box<Sleep>>,
    /// Bytes it has taken since it was judged last.
    taken: u64,
    /// Whether a write waits.
    is_waiting: bool,
    /// When a write last waited.
    waited: Instant,
}

impl Behind {
    fn new(patience: Duration) -> Self {
        Self {
            judged: Box::pin(tokio::time::sleep(patience)),
            taken: 0,
            is_waiting: false,
            waited: Instant::now(),
        }
    }

    fn has_caught_up(&self) -> bool {
        !self.is_waiting && self.waited.elapsed() > CAUGHT_UP
    }
}

impl<S> StallGuard<S> {
    pub(crate) fn new(inner: S, patience: Duration) -> Self {
        Self {
            inner,
            patience,
            behind: None,
        }
    }

    /// Passes on how many bytes a write took; one that waits for a client that takes too little becomes an error.
    fn watch(
        &mut self,
        context: &mut Context<'_>,
        outcome: Poll<io::Result<usize>>,
    ) -> Poll<io::Result<usize>> {
        if self.behind.as_ref().is_some_and(Behind::has_caught_up) {
            self.behind = None;
        }
        if let Poll::Ready(outcome) = outcome {
            if let Some(behind) = &mut self.behind {
                if behind.is_waiting {
                    (behind.is_waiting, behind.waited) = (false, Instant::now());
                }
                let taken = outcome.as_ref().copied().unwrap_or_default();
                behind.taken += u64::try_from(taken).unwrap_or(u64::MAX);
            }
            return Poll::Ready(outcome);
        }
        let patience = self.patience;
        let behind = self.behind.get_or_insert_with(|| Behind::new(patience));
        behind.is_waiting = true;
        while behind.judged.as_mut().poll(context).is_ready() {
            let least = patience.as_millis() * u128::from(MIN_BYTES_PER_SECOND) / 1000;
            if u128::from(behind.taken) < least.max(1) {
                let text = "the client takes nothing any more, or too little";
                return Poll::Ready(Err(io::Error::new(io::ErrorKind::TimedOut, text)));
            }
            *behind = Behind {
                is_waiting: true,
                ..Behind::new(patience)
            };
        }
        Poll::Pending
    }

    /// The same for an operation that takes no bytes.
    fn watch_empty(
        &mut self,
        context: &mut Context<'_>,
        outcome: Poll<io::Result<()>>,
    ) -> Poll<io::Result<()>> {
        self.watch(context, outcome.map_ok(|()| 0)).map_ok(drop)
    }
}

impl<S: AsyncRead + Unpin> AsyncRead for StallGuard<S> {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        into: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        Pin::new(&mut self.inner).poll_read(context, into)
    }
}

impl<S: AsyncWrite + Unpin> AsyncWrite for StallGuard<S> {
    fn poll_write(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        let outcome = Pin::new(&mut self.inner).poll_write(context, bytes);
        self.watch(context, outcome)
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        pieces: &[io::IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        let outcome = Pin::new(&mut self.inner).poll_write_vectored(context, pieces);
        self.watch(context, outcome)
    }

    fn is_write_vectored(&self) -> bool {
        self.inner.is_write_vectored()
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        let outcome = Pin::new(&mut self.inner).poll_flush(context);
        self.watch_empty(context, outcome)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        let outcome = Pin::new(&mut self.inner).poll_shutdown(context);
        self.watch_empty(context, outcome)
    }
}

#[cfg(test)]
mod tests {
    use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};

    use super::*;

    #[tokio::test]
    async fn a_reader_that_takes_nothing_is_given_up() {
        let (ours, theirs) = tokio::io::duplex(4);
        let mut socket = StallGuard::new(ours, Duration::from_millis(20));
        let failed = socket.write_all(&[0; 64]).await.unwrap_err();
        assert_eq!(failed.kind(), io::ErrorKind::TimedOut);
        drop(theirs);
    }

    /// How many of 512 KiB reach a reader that takes `chunk` bytes every second.
    async fn taken(chunk: usize) -> usize {
        let (ours, mut theirs) = tokio::io::duplex(4096);
        let mut socket = StallGuard::new(ours, Duration::from_secs(60));
        let reading = tokio::spawn(async move {
            let (mut taken, mut buffer) = (0, vec![0; chunk]);
            loop {
                tokio::time::sleep(Duration::from_secs(1)).await;
                match theirs.read(&mut buffer).await.unwrap() {
                    0 => return taken,
                    read => taken += read,
                }
            }
        });
        for _ in 0..4 {
            if socket.write_all(&[0; 128 * 1024]).await.is_err() {
                break;
            }
        }
        drop(socket);
        reading.await.unwrap()
    }

    #[tokio::test(start_paused = true)]
    async fn a_reader_that_takes_its_time_gets_everything_and_one_that_takes_too_little_does_not() {
        assert_eq!(taken(4096).await, 4 * 128 * 1024);
        assert!(taken(1024).await < 128 * 1024);
    }

    #[tokio::test(start_paused = true)]
    async fn a_reader_that_waits_for_us_is_never_too_slow() {
        let (ours, mut theirs) = tokio::io::duplex(64);
        let mut socket = StallGuard::new(ours, Duration::from_secs(60));
        for _ in 0..20 {
            socket.write_all(&[0; 64]).await.unwrap();
            let (written, read) = tokio::join!(socket.write_all(&[0; 64]), async {
                tokio::time::sleep(Duration::from_secs(2)).await;
                theirs.read_exact(&mut [0; 128]).await
            });
            written.unwrap();
            read.unwrap();
            tokio::time::sleep(Duration::from_secs(30)).await;
        }
    }
}
