//! Stdio transport: a server started as a child process, with messages as lines of JSON over its pipes.

use std::collections::HashMap;
use std::process::Stdio;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use serde_json::{Value, json};
use tokio::io::{AsyncBufRead, AsyncBufReadExt as _, AsyncWriteExt as _, BufReader};
use tokio::process::{Child, ChildStdin, ChildStdout, Command};
use tokio::sync::{mpsc, oneshot};

use super::config::ServerTransport;
use super::protocol::{MAX_MESSAGE_BYTES, McpError, reply, request, result};

/// Messages that wait to be written.
const QUEUE: usize = 64;
/// Environment variables that the program gets; none of them holds a key.
const PASSED_ENVIRONMENT: [&str; 10] = [
    "PATH",
    "HOME",
    "USER",
    "LANG",
    "LC_ALL",
    "TERM",
    "TMPDIR",
    "TZ",
    "SHELL",
    "SYSTEMROOT",
];

/// The program. Dropping it ends it.
pub(super) struct StdioTransport {
    lines: mpsc::Sender<String>,
    shared: Arc<PendingReplies>,
    next: AtomicU64,
    work: tokio::task::JoinHandle<()>,
}

#[derive(Default)]
struct PendingReplies {
    pending: Mutex<HashMap<u64, oneshot::Sender<Value>>>,
    /// Why the process ended; set once.
    end_reason: OnceLock<String>,
}

impl PendingReplies {
    fn pending(&self) -> std::sync::MutexGuard<'_, HashMap<u64, oneshot::Sender<Value>>> {
        self.pending.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn end(&self, why: String) {
        let _ = self.end_reason.set(why);
        // Dropping the senders ends every wait.
        self.pending().clear();
    }

    fn error(&self) -> McpError {
        McpError::Unavailable(
            self.end_reason
                .get()
                .cloned()
                .unwrap_or_else(|| "it ended".into()),
        )
    }
}

impl Drop for StdioTransport {
    fn drop(&mut self) {
        self.work.abort();
    }
}

impl StdioTransport {
    /// Starts it. The child ends with this value.
    pub(super) fn start(transport: &ServerTransport) -> Result<StdioTransport, McpError> {
        let ServerTransport::Program {
            command,
            args,
            env,
            cwd,
        } = transport
        else {
            return Err(McpError::Protocol("it is no program".into()));
        };
        let mut program = Command::new(command);
        program
            .args(args)
            .env_clear()
            .envs(
                PASSED_ENVIRONMENT
                    .iter()
                    .filter_map(|it| Some((*it, std::env::var_os(it)?))),
            )
            .envs(env)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .kill_on_drop(true);
        if let Some(cwd) = cwd {
            program.current_dir(cwd);
        }
        let mut child = program.spawn().map_err(|error| {
            tracing::warn!(command, %error, "the program of an MCP server cannot be started");
            McpError::Unavailable(format!("its program cannot be started: {error}"))
        })?;
        let (Some(input), Some(output)) = (child.stdin.take(), child.stdout.take()) else {
            return Err(McpError::Unavailable("it has no pipes".into()));
        };
        let shared = Arc::new(PendingReplies::default());
        let (lines, queue) = mpsc::channel(QUEUE);
        let work = tokio::spawn(serve(
            child,
            input,
            output,
            queue,
            lines.clone(),
            Arc::clone(&shared),
        ));
        Ok(StdioTransport {
            lines,
            shared,
            next: AtomicU64::new(1),
            work,
        })
    }

    pub(super) fn is_ended(&self) -> bool {
        self.shared.end_reason.get().is_some() || self.work.is_finished()
    }

    pub(super) async fn send(&self, message: &Value) -> Result<(), McpError> {
        let sent = self.lines.send(message.to_string()).await;
        sent.map_err(|_| self.shared.error())
    }

    /// Sends a request and waits for its response. Dropping the future cancels the request on the server.
    pub(super) async fn ask(&self, method: &str, params: Value) -> Result<Value, McpError> {
        let id = self.next.fetch_add(1, Ordering::Relaxed);
        let (sender, answer) = oneshot::channel();
        self.shared.pending().insert(id, sender);
        let mut pending = PendingRequest {
            process: self,
            id,
            answered: false,
        };
        if self.is_ended() {
            return Err(self.shared.error());
        }
        self.send(&request(id, method, &params)).await?;
        let answer = answer.await.map_err(|_| self.shared.error());
        pending.answered = true;
        result(method, answer?)
    }
}

/// A request without a response yet; dropping it cancels the request.
struct PendingRequest<'a> {
    process: &'a StdioTransport,
    id: u64,
    answered: bool,
}

impl Drop for PendingRequest<'_> {
    fn drop(&mut self) {
        self.process.shared.pending().remove(&self.id);
        if !self.answered {
            let params = json!({"requestId": self.id, "reason": "nobody waits for it any more"});
            let message = json!({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": params});
            // When the pipe is full, the server does not read anyway.
            let _ = self.process.lines.try_send(message.to_string());
        }
    }
}

/// Transfers lines in both directions until the program ends.
async fn serve(
    mut child: Child,
    mut input: ChildStdin,
    output: ChildStdout,
    mut queue: mpsc::Receiver<String>,
    answers: mpsc::Sender<String>,
    shared: Arc<PendingReplies>,
) {
    let write = async {
        while let Some(mut line) = queue.recv().await {
            line.push('\n');
            if input.write_all(line.as_bytes()).await.is_err() || input.flush().await.is_err() {
                break;
            }
        }
        // A program that takes no more may still have something to say.
        std::future::pending::<()>().await;
    };
    let read = async {
        let mut output = BufReader::new(output);
        let mut line = Vec::new();
        loop {
            match next_line(&mut output, &mut line).await {
                Ok(true) => {}
                Ok(false) => return None,
                Err(why) => return Some(why),
            }
            // Programs print other things too; lines that are no message are ignored.
            let Ok(message) = serde_json::from_slice::<Value>(&line) else {
                continue;
            };
            if let Some(reply) = reply(&message) {
                // A server that asks faster than it reads gets no answer.
                let _ = answers.try_send(reply.to_string());
                continue;
            }
            let waiting = message
                .get("id")
                .and_then(Value::as_u64)
                .and_then(|id| shared.pending().remove(&id));
            if let Some(waiting) = waiting {
                let _ = waiting.send(message);
            }
        }
    };
    let why = tokio::select! {
        () = write => None,
        why = read => why,
    };
    let why = match why {
        Some(why) => why,
        None => match tokio::time::timeout(std::time::Duration::from_secs(1), child.wait()).await {
            Ok(Ok(status)) => format!("its program ended ({status})"),
            _ => "its program closed the pipe".to_owned(),
        },
    };
    shared.end(why);
    let _ = child.start_kill();
    let _ = child.wait().await;
}

/// The next line of a program, without its end; false when there is none.
async fn next_line(output: &mut (impl AsyncBufRead + Unpin), line: &mut Vec<u8>) -> Result<bool, String> {
    line.clear();
    loop {
        let ready = output.fill_buf().await.map_err(|error| error.to_string())?;
        if ready.is_empty() {
            return Ok(!line.is_empty());
        }
        let end = ready.iter().position(|it| *it == b'\n');
        line.extend_from_slice(ready.get(..end.unwrap_or(ready.len())).unwrap_or_default());
        let taken = end.map_or(ready.len(), |it| it + 1);
        output.consume(taken);
        if line.len() > MAX_MESSAGE_BYTES {
            return Err(format!("it wrote a line of more than {MAX_MESSAGE_BYTES} bytes"));
        }
        if end.is_some() {
            return Ok(true);
        }
    }
}
