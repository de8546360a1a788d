//! The thread that writes: many writes, one commit.

use std::sync::mpsc::{Receiver, SyncSender, TrySendError, sync_channel};
use std::thread;

use rusqlite::{Connection, Transaction};
use tokio::sync::oneshot;

use crate::Error;

/// Most writes in one transaction.
const BATCH: usize = 256;

/// Most writes that wait; beyond that a writer waits for room.
const WAITING: usize = 4096;

/// A write: does its part inside the transaction, or hears why there is none, and keeps its answer until the commit.
type Write = Box<dyn FnOnce(Result<&Transaction<'_>, Error>) -> Answer + Send>;

/// Tells a waiting writer how the commit went. Its own outcome was decided before.
struct Answer {
    /// Why its part failed and has to be undone, when it did.
    failed: Option<Error>,
    tell: Box<dyn FnOnce(Result<(), Error>) + Send>,
}

/// The way to the writing thread. The thread ends when this is dropped.
#[derive(Debug)]
pub(super) struct Writer {
    writes: SyncSender<Write>,
}

impl Writer {
    pub(super) fn start(connection: Connection) -> Result<Self, Error> {
        let (writes, waiting) = sync_channel(WAITING);
        thread::Builder::new()
            .name("store-writer".into())
            .spawn(move || serve(connection, &waiting))
            .map_err(|error| Error::Engine {
                reason: format!("cannot start the writing thread: {error}"),
            })?;
        Ok(Self { writes })
    }

    /// Writes, and returns when what was written is durable.
    ///
    /// # Errors
    /// What the write itself says, and then nothing of it was kept; or what the commit says.
    pub(super) async fn write<T: Send + 'static>(
        &self,
        part: impl FnOnce(&Transaction<'_>) -> Result<T, Error> + Send + 'static,
    ) -> Result<T, Error> {
        let (tell, answer) = oneshot::channel();
        let mut write: Write = Box::new(move |transaction| {
            let outcome = transaction.and_then(part);
            let failed = outcome.as_ref().err().cloned();
            // The receiver is gone when the caller was cancelled; the write stands all the same.
            let tell = Box::new(move |commit: Result<(), Error>| drop(tell.send(commit.and(outcome))));
            Answer { failed, tell }
        });
        loop {
            match self.writes.try_send(write) {
                Ok(()) => break,
                Err(TrySendError::Full(back)) => {
                    write = back;
                    tokio::task::yield_now().await;
                }
                Err(TrySendError::Disconnected(_)) => return Err(ended()),
            }
        }
        answer.await.map_err(|_| ended())?
    }
}

fn ended() -> Error {
    Error::Engine {
        reason: "the writing thread has ended".into(),
    }
}

fn serve(mut connection: Connection, waiting: &Receiver<Write>) {
    while let Ok(first) = waiting.recv() {
        let batch = std::iter::once(first).chain(waiting.try_iter().take(BATCH - 1));
        commit(&mut connection, batch.collect());
    }
}

fn commit(connection: &mut Connection, batch: Vec<Write>) {
    let mut batch = batch.into_iter();
    let mut answers = Vec::new();
    let outcome = transact(connection, &mut batch, &mut answers);
    if let Err(error) = &outcome {
        answers.extend(batch.map(|write| write(Err(error.clone()))));
    }
    for answer in answers {
        // A part that failed was undone by itself; the fate of the commit is not its own.
        let commit = if answer.failed.is_some() {
            Ok(())
        } else {
            outcome.clone()
        };
        (answer.tell)(commit);
    }
}

fn transact(
    connection: &mut Connection,
    batch: &mut impl Iterator<Item = Write>,
    answers: &mut Vec<Answer>,
) -> Result<(), Error> {
    let transaction = connection.transaction_with_behavior(rusqlite::TransactionBehavior::Immediate)?;
    for write in batch {
        transaction.execute_batch("SAVEPOINT part")?;
        let answer = write(Ok(&transaction));
        let failed = answer.failed.clone();
        let undo = failed.is_some();
        answers.push(answer);
        // A full disk makes SQLite undo the whole transaction by itself: then nobody's part was kept, and all of
        // them are told the one reason.
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
