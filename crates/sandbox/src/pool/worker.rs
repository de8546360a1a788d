//! One child process: requests and responses over its pipes, and why it ended.

use std::io;
use std::os::unix::process::ExitStatusExt as _;
use std::sync::Once;
use std::time::Duration;

use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::process::{Child, ChildStderr, ChildStdin, ChildStdout};
use tokio::task::JoinHandle;

use super::spawner::Spawner;
use crate::error::Error;
use crate::limits::Protections;
use crate::protocol::{HEAD_BYTES, ResponseTag, TaskKind, decode, head, parse_head};

/// Longest start of a child, limits included. A machine under load starts slowly.
const START_TIMEOUT: Duration = Duration::from_secs(10);
/// Most bytes that are kept of what a child prints.
const STDERR_TAIL: usize = 4096;
/// Longest wait for the status and the last words of a child that has ended.
const END_TIMEOUT: Duration = Duration::from_secs(2);
/// Most bytes of all parts of one result.
const MAX_PARTS_BYTES: usize = 64 << 20;

/// A child that waits for a request. Dropping it kills the process.
#[derive(Debug)]
pub(super) struct Worker {
    child: Child,
    input: ChildStdin,
    output: ChildStdout,
    stderr: JoinHandle<Vec<u8>>,
    /// Tasks so far.
    pub(super) tasks: u32,
    /// Time spent on them.
    pub(super) busy: Duration,
}

impl Worker {
    /// Starts a child and waits until its limits are set.
    pub(super) async fn start(spawner: &Spawner) -> Result<Worker, Error> {
        let mut child = spawner.start().await?;
        let pipes = (child.stdin.take(), child.stdout.take(), child.stderr.take());
        let (Some(input), Some(output), Some(stderr)) = pipes else {
            return Err(Error::Start("it has no pipes".into()));
        };
        let mut worker = Worker {
            child,
            input,
            output,
            stderr: tokio::spawn(tail(stderr)),
            tasks: 0,
            busy: Duration::ZERO,
        };
        let ready = tokio::time::timeout(START_TIMEOUT, worker.read_frame()).await;
        match ready {
            Ok(Ok((ResponseTag::Ready, payload))) => log_missing(&decode(&payload)?),
            _ => return Err(Error::Start("it does not answer".into())),
        }
        Ok(worker)
    }

    /// Whether the process still runs.
    pub(super) fn is_alive(&mut self) -> bool {
        matches!(self.child.try_wait(), Ok(None))
    }

    /// Sends a request and reads what comes back: parts, then the result or its error. An error of its own means that the
    /// child is gone.
    pub(super) async fn exchange(
        &mut self,
        kind: TaskKind,
        payload: &[u8],
        mut on_part: impl FnMut(Vec<u8>),
    ) -> io::Result<Result<Vec<u8>, Error>> {
        let head = match head(kind as u8, payload.len()) {
            Ok(head) => head,
            Err(error) => return Ok(Err(error)),
        };
        // What a child sent before it broke counts; that it broke is found by reading.
        if self.input.write_all(&head).await.is_ok() {
            let _ = self.input.write_all(payload).await;
        }
        let mut size = 0;
        loop {
            let (tag, payload) = self.read_frame().await?;
            size += payload.len();
            match tag {
                ResponseTag::Part if size <= MAX_PARTS_BYTES => on_part(payload),
                ResponseTag::Done => return Ok(Ok(payload)),
                ResponseTag::Failed => return Ok(Err(decode(&payload).unwrap_or(Error::Crashed))),
                ResponseTag::Ready | ResponseTag::Part => return Err(io::ErrorKind::InvalidData.into()),
            }
        }
    }

    async fn read_frame(&mut self) -> io::Result<(ResponseTag, Vec<u8>)> {
        let mut bytes = [0; HEAD_BYTES];
        self.output.read_exact(&mut bytes).await?;
        let (tag, length) = parse_head(bytes).ok_or(io::ErrorKind::InvalidData)?;
        let tag = ResponseTag::from_repr(tag).ok_or(io::ErrorKind::InvalidData)?;
        let mut payload = vec![0; length];
        self.output.read_exact(&mut payload).await?;
        Ok((tag, payload))
    }

    /// Kills the process and waits for its end, so that its memory is free afterwards.
    pub(super) async fn end(mut self) {
        // It may have ended by itself.
        let _ = tokio::time::timeout(END_TIMEOUT, self.child.kill()).await;
    }

    /// Why a child ended in a task that had this limit of time.
    pub(super) async fn cause_of_death(mut self, limit: Duration) -> Error {
        let status = tokio::time::timeout(END_TIMEOUT, self.child.wait()).await;
        let words = tokio::time::timeout(END_TIMEOUT, &mut self.stderr).await;
        let words = words.ok().and_then(Result::ok).unwrap_or_default();
        let words = String::from_utf8_lossy(&words);
        let signal = match &status {
            Ok(Ok(status)) => status.signal(),
            _ => None,
        };
        self.end().await;
        // The words are those of Rust's runtime before it aborts.
        if words.contains("memory allocation of") {
            return Error::Memory;
        }
        if words.contains("has overflowed its stack") {
            return Error::Depth;
        }
        match signal {
            Some(libc::SIGKILL) => Error::Memory,
            Some(libc::SIGSEGV | libc::SIGBUS) => Error::Depth,
            Some(libc::SIGXCPU) => Error::Timeout(limit),
            _ => Error::Crashed,
        }
    }
}

/// Reads what a child prints to its end, and keeps the last of it. It may hold data of a task and is not logged.
async fn tail(mut stderr: ChildStderr) -> Vec<u8> {
    let mut kept = Vec::new();
    let mut chunk = [0; STDERR_TAIL];
    while let Ok(count @ 1..) = stderr.read(&mut chunk).await {
        kept.extend_from_slice(chunk.get(..count).unwrap_or_default());
        let surplus = kept.len().saturating_sub(STDERR_TAIL);
        kept.drain(..surplus);
    }
    kept
}

/// Says once which limits this system lacks.
fn log_missing(protections: &Protections) {
    static LOGGED: Once = Once::new();
    if !protections.missing.is_empty() {
        LOGGED.call_once(|| {
            tracing::warn!(
                "processes for hostile input run without {}; their other limits hold",
                protections.missing.join(", ")
            );
        });
    }
}
