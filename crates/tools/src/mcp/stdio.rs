//! A server that is a program: started by us, spoken to in lines of JSON over its pipes.

use std::collections::HashMap;
use std::process::Stdio;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use serde_json::{Value, json};
use tokio::io::{AsyncBufRead, AsyncBufReadExt as _, AsyncWriteExt as _, BufReader};
use tokio::process::{Child, ChildStdin, ChildStdout, Command};
use tokio::sync::{mpsc, oneshot};

use super::link::{LONGEST, Trouble, reply, result};
use super::servers::Way;

/// Messages that wait to be written.
const QUEUE: usize = 64;
/// What a program gets of our environment: where things are, and no keys.
const PASSED_ON: [&str; 10] = [
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
pub(super) struct Process {
    lines: mpsc::Sender<String>,
    shared: Arc<Shared>,
    next: AtomicU64,
    work: tokio::task::JoinHandle<()>,
}

#[derive(Default)]
struct Shared {
    waiting: Mutex<HashMap<u64, oneshot::Sender<Value>>>,
    /// Why it is no more.
    over: OnceLock<String>,
}

impl Shared {
    fn waiting(&self) -> std::sync::MutexGuard<'_, HashMap<u64, oneshot::Sender<Value>>> {
        self.waiting.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn end(&self, why: String) {
        let _ = self.over.set(why);
        // Whoever waits hears that nothing comes any more.
        self.waiting().clear();
    }

    fn trouble(&self) -> Trouble {
        Trouble::Dead(self.over.get().cloned().unwrap_or_else(|| "it ended".into()))
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        self.work.abort();
    }
}

impl Process {
    /// Starts it. The child ends with this value.
    pub(super) fn start(way: &Way) -> Result<Process, Trouble> {
        let Way::Program {
            command,
            args,
            env,
            cwd,
        } = way
        else {
            return Err(Trouble::Odd("it is no program".into()));
        };
        let mut program = Command::new(command);
        program
            .args(args)
            .env_clear()
            .envs(
                PASSED_ON
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
        let mut child = program
            .spawn()
            .map_err(|error| Trouble::Dead(format!("{command:?} cannot be started: {error}")))?;
        let (Some(input), Some(output)) = (child.stdin.take(), child.stdout.take()) else {
            return Err(Trouble::Dead("it has no pipes".into()));
        };
        let shared = Arc::new(Shared::default());
        let (lines, queue) = mpsc::channel(QUEUE);
        let work = tokio::spawn(serve(
            child,
            input,
            output,
            queue,
            lines.clone(),
            Arc::clone(&shared),
        ));
        Ok(Process {
            lines,
            shared,
            next: AtomicU64::new(1),
            work,
        })
    }

    pub(super) fn is_over(&self) -> bool {
        self.shared.over.get().is_some() || self.work.is_finished()
    }

    pub(super) async fn send(&self, message: &Value) -> Result<(), Trouble> {
        let sent = self.lines.send(message.to_string()).await;
        sent.map_err(|_| self.shared.trouble())
    }

    /// Asks, and waits for the answer. Whoever drops the future tells the server that none is wanted any more.
    pub(super) async fn ask(&self, method: &str, params: Value) -> Result<Value, Trouble> {
        let id = self.next.fetch_add(1, Ordering::Relaxed);
        let (sender, answer) = oneshot::channel();
        self.shared.waiting().insert(id, sender);
        let mut waiting = Waiting {
            process: self,
            id,
            answered: false,
        };
        if self.is_over() {
            return Err(self.shared.trouble());
        }
        self.send(&json!({"jsonrpc": "2.0", "id": id, "method": method, "params": params}))
            .await?;
        let answer = answer.await.map_err(|_| self.shared.trouble());
        waiting.answered = true;
        result(method, answer?)
    }
}

/// A request on its way.
struct Waiting<'a> {
    process: &'a Process,
    id: u64,
    answered: bool,
}

impl Drop for Waiting<'_> {
    fn drop(&mut self) {
        self.process.shared.waiting().remove(&self.id);
        if !self.answered {
            let params = json!({"requestId": self.id, "reason": "nobody waits for it any more"});
            let told = json!({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": params});
            // When the pipe is full, the server has other troubles than this.
            let _ = self.process.lines.try_send(told.to_string());
        }
    }
}

/// Carries lines both ways until the program ends.
async fn serve(
    mut child: Child,
    mut input: ChildStdin,
    output: ChildStdout,
    mut queue: mpsc::Receiver<String>,
    answers: mpsc::Sender<String>,
    shared: Arc<Shared>,
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
            // Programs print other things too; what is no message is passed over.
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
                .and_then(|id| shared.waiting().remove(&id));
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
        if line.len() > LONGEST {
            return Err(format!("it wrote a line of more than {LONGEST} bytes"));
        }
        if end.is_some() {
            return Ok(true);
        }
    }
}
