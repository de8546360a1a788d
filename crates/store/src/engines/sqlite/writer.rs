//! Group commit: one thread that does many writes in one transaction.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::thread;
use std::time::{Duration, Instant};

use rusqlite::{Connection, Transaction};
use tokio::sync::{OwnedSemaphorePermit, Semaphore, oneshot};

use super::schema::BUSY_TIMEOUT;
use crate::Error;

/// Most writes in one transaction.
const MAX_BATCH: usize = 256;

/// Most writes that wait; beyond that a writer waits for room.
pub(super) const MAX_WAITING: usize = 4096;

/// How long deleted values may stay in the write-ahead log while writes or readers hold its emptying up; then it is tried
/// again.
const TRUNCATE_INTERVAL: Duration = Duration::from_secs(1);

/// A write: does its part inside the transaction, or learns why there is none, and holds its reply until the commit.
type WritePart = Box<dyn FnOnce(Result<&Transaction<'_>, Error>) -> PendingReply + Send>;

/// What the thread is asked for, and its place among those that wait.
struct Waiting {
    write: Write,
    _place: OwnedSemaphorePermit,
}

/// See [`Waiting`].
enum Write {
    /// A part of the next transaction.
    Part(WritePart),
    /// That the write-ahead log is emptied, as soon as writes and readers allow it.
    TruncateLog,
}

/// The reply to a waiting caller, sent after the commit.
struct PendingReply {
    /// Why its part failed and has to be undone, when it did.
    failed: Option<Error>,
    /// Sends the outcome of the part, or the error of the commit.
    send: Box<dyn FnOnce(Result<(), Error>) + Send>,
}

/// The queue of the writing thread. The thread ends when this is dropped.
#[derive(Debug)]
pub(super) struct WriterThread {
    writes: Sender<Waiting>,
    /// Places for writes that wait.
    places: Arc<Semaphore>,
}

impl WriterThread {
    pub(super) fn start(connection: Connection) -> Result<Self, Error> {
        let (writes, waiting) = channel();
        thread::Builder::new()
            .name("store-writer".into())
            .spawn(move || serve(connection, &waiting))
            .map_err(|error| Error::Engine {
                reason: format!("cannot start the writing thread: {error}"),
            })?;
        Ok(Self {
            writes,
            places: Arc::new(Semaphore::new(MAX_WAITING)),
        })
    }

    /// Writes, and returns when what was written is durable.
    ///
    /// # Errors
    /// The error of the write itself, which is then rolled back, as it is where the write panics; or that of the commit.
    pub(super) async fn write<T: Send + 'static>(
        &self,
        part: impl FnOnce(&Transaction<'_>) -> Result<T, Error> + Send + 'static,
    ) -> Result<T, Error> {
        let place = Arc::clone(&self.places).acquire_owned().await;
        let (reply, receiver) = oneshot::channel();
        let write = Write::Part(Box::new(move |transaction| {
            let caught = |transaction: &Transaction<'_>| {
                // The part is rolled back, so that nothing sees what it left half done.
                catch_unwind(AssertUnwindSafe(|| part(transaction))).unwrap_or_else(|_| {
                    Err(Error::Engine {
                        reason: "a write ended by a fault of the program".into(),
                    })
                })
            };
            let outcome = transaction.and_then(caught);
            let failed = outcome.as_ref().err().cloned();
            // The receiver is gone when the caller was cancelled; the write stands all the same.
            let send = Box::new(move |commit: Result<(), Error>| drop(reply.send(commit.and(outcome))));
            PendingReply { failed, send }
        }));
        let waiting = Waiting {
            write,
            _place: place.map_err(|_| ended())?,
        };
        self.writes.send(waiting).map_err(|_| ended())?;
        receiver.await.map_err(|_| ended())?
    }

    /// Has the write-ahead log emptied soon: it holds pages as they were before the last writes.
    pub(super) fn truncate_log(&self) {
        // A queue that is full means writes; the log is emptied with the next run that ends.
        if let Ok(place) = Arc::clone(&self.places).try_acquire_owned() {
            let _ = self.writes.send(Waiting {
                write: Write::TruncateLog,
                _place: place,
            });
        }
    }
}

fn ended() -> Error {
    Error::Engine {
        reason: "the writing thread has ended".into(),
    }
}

fn serve(mut connection: Connection, waiting: &Receiver<Waiting>) {
    // Since when the write-ahead log holds values that were deleted.
    let mut stale_since: Option<Instant> = None;
    loop {
        let first = match stale_since {
            Some(_) => waiting.recv_timeout(TRUNCATE_INTERVAL),
            None => waiting.recv().map_err(|_| RecvTimeoutError::Disconnected),
        };
        if matches!(first, Err(RecvTimeoutError::Disconnected)) {
            break;
        }
        let mut parts = Vec::new();
        for waiting in first.into_iter().chain(waiting.try_iter().take(MAX_BATCH - 1)) {
            match waiting.write {
                Write::Part(part) => parts.push(part),
                Write::TruncateLog => stale_since = stale_since.or_else(|| Some(Instant::now())),
            }
        }
        let is_idle = parts.len() < 2;
        if !parts.is_empty() {
            commit(&mut connection, parts);
        }
        let is_due = stale_since.is_some_and(|since| is_idle || since.elapsed() >= TRUNCATE_INTERVAL);
        if is_due {
            stale_since = (!truncate_log(&connection)).then(Instant::now);
        }
    }
    if stale_since.is_some() {
        truncate_log(&connection);
    }
}

/// Empties the write-ahead log. False when a reader still needs it.
fn truncate_log(connection: &Connection) -> bool {
    // Writers must not wait for readers here.
    let _ = connection.busy_timeout(Duration::ZERO);
    let busy = connection.query_row("PRAGMA wal_checkpoint(TRUNCATE)", [], |row| row.get::<_, bool>(0));
    let _ = connection.busy_timeout(BUSY_TIMEOUT);
    matches!(busy, Ok(false))
}

fn commit(connection: &mut Connection, batch: Vec<WritePart>) {
    let mut batch = batch.into_iter();
    let mut replies = Vec::new();
    let outcome = transact(connection, &mut batch, &mut replies);
    if let Err(error) = &outcome {
        replies.extend(batch.map(|write| write(Err(error.clone()))));
    }
    for reply in replies {
        // A part that failed was undone by itself; the fate of the commit is not its own.
        let commit = if reply.failed.is_some() {
            Ok(())
        } else {
            outcome.clone()
        };
        (reply.send)(commit);
    }
}

fn transact(
    connection: &mut Connection,
    batch: &mut impl Iterator<Item = WritePart>,
    replies: &mut Vec<PendingReply>,
) -> Result<(), Error> {
    let transaction = connection.transaction_with_behavior(rusqlite::TransactionBehavior::Immediate)?;
    for write in batch {
        transaction.execute_batch("SAVEPOINT part")?;
        let reply = write(Ok(&transaction));
        let failed = reply.failed.clone();
        let undo = failed.is_some();
        replies.push(reply);
        // A full disk makes SQLite undo the whole transaction by itself: then no part was kept, and all
        // callers get the one reason.
        if let Some(error) = failed.filter(|_| transaction.is_autocommit()) {
            return Err(error);
        }
        transaction.execute_batch(if undo {
            "ROLLBACK TO part; RELEASE part"
        } else {
            "RELEASE part"
        })?;
    }
    Ok(transaction.commit()?)
}
