//! The servers that are measured: ours, or a peer that is started by a command.

use std::future::Future;
use std::io::BufRead as _;
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use serde_json::json;
use tempfile::TempDir;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpStream;

/// A server in a process of its own, gone with this value.
pub(crate) struct Server {
    child: Child,
    at: String,
    _folder: TempDir,
}

impl Server {
    /// Ours, with this model.
    pub(crate) fn ours(model: &str, sandbox: bool) -> Self {
        let folder = TempDir::new().unwrap();
        let mut child = Command::new(env!("CARGO_BIN_EXE_huntsman"))
            .args(["serve", "--listen", "127.0.0.1:0"])
            .args(["--allow-hosts", "127.0.0.1", "--log", "error"])
            .env("HUNTSMAN_DATA_DIR", folder.path())
            .env("HUNTSMAN_CHROMIUM_SANDBOX", if sandbox { "on" } else { "off" })
            .env("HUNTSMAN_LLM_PROVIDER", "openai")
            .env("HUNTSMAN_LLM_BASE_URL", model)
            .env("HUNTSMAN_LLM_MODEL", "scripted")
            .env("HUNTSMAN_LLM_API_KEY", "scripted-key-1234")
            .current_dir(folder.path())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let mut lines = std::io::BufReader::new(child.stderr.take().unwrap()).lines();
        let at = lines
            .find_map(|line| Some(line.ok()?.split_once("http://")?.1.to_owned()))
            .unwrap();
        std::thread::spawn(move || lines.for_each(|line| eprintln!("server: {}", line.unwrap_or_default())));
        Self {
            child,
            at,
            _folder: folder,
        }
    }

    /// A peer: words of a command, apart by blanks.
    pub(crate) async fn peer(command: &str, model: &str) -> Self {
        let port = std::net::TcpListener::bind("127.0.0.1:0")
            .and_then(|it| it.local_addr())
            .unwrap()
            .port();
        let mut words = command.split_whitespace();
        let child = Command::new(words.next().expect("a command"))
            .args(words)
            .args(["--port", &port.to_string(), "--llm", model])
            .stdout(Stdio::null())
            .spawn()
            .unwrap();
        let at = format!("127.0.0.1:{port}");
        for _ in 0..100 {
            if TcpStream::connect(&at).await.is_ok() {
                break;
            }
            tokio::time::sleep(Duration::from_millis(100)).await;
        }
        Self {
            child,
            at,
            _folder: TempDir::new().unwrap(),
        }
    }

    /// Its process.
    pub(crate) fn pid(&self) -> u32 {
        self.child.id()
    }

    /// Does a run to its end, and says whether it ended well.
    pub(crate) fn automate(&self, task: String, url: String) -> impl Future<Output = bool> + Send + 'static {
        let at = self.at.clone();
        async move {
            let body = json!({"task": task, "url": url}).to_string();
            let mut socket = TcpStream::connect(&at).await.unwrap();
            let request = format!(
                "POST /v1/automate HTTP/1.1\r\nhost: {at}\r\nconnection: close\r\ncontent-type: application/json\r\n\
                 content-length: {}\r\n\r\n{body}",
                body.len()
            );
            socket.write_all(request.as_bytes()).await.unwrap();
            let mut answer = Vec::new();
            socket.read_to_end(&mut answer).await.unwrap();
            let answer = String::from_utf8_lossy(&answer);
            let complete = answer
                .split("event: complete\n")
                .nth(1)
                .unwrap_or_else(|| panic!("{answer}"));
            let ended = complete.lines().next().unwrap_or_default().replace(' ', "");
            ended.contains("\"success\":true")
        }
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
