//! The binary as a server in a process of its own, with that process's CPU time and memory.

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::TcpStream;
use std::process::{Child, Command, Stdio};
use std::thread::JoinHandle;

/// The server; it is killed, not closed, when this is dropped.
#[derive(Debug)]
pub struct ServerProcess {
    child: Child,
    /// Reads what the server writes on stderr until the server has ended.
    reader: Option<JoinHandle<()>>,
    /// Host and port.
    pub address: String,
}

/// What a server answered.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ServerAnswer {
    /// The status; 0 when the server was gone before it said one.
    pub status: u16,
    /// The status line and the headers.
    pub head: String,
    /// The body as far as it came.
    pub body: String,
}

impl ServerProcess {
    /// Runs `serve` on a free port of loopback; `command` is the binary with its settings. Errors of its log are printed.
    pub fn start(command: Command) -> Self {
        Self::start_logging(command, "error", |line| eprintln!("server: {line}"))
    }

    /// As [`start`](Self::start), with a log of that level whose lines go to `read` as they come.
    pub fn start_logging(
        mut command: Command,
        level: &str,
        mut read: impl FnMut(&str) + Send + 'static,
    ) -> Self {
        store_in_nats(&mut command);
        let mut child = command
            .args(["serve", "--listen", "127.0.0.1:0", "--log", level])
            .stderr(Stdio::piped())
            .spawn()
            .expect("the binary starts");
        let mut lines = BufReader::new(child.stderr.take().expect("its stderr")).lines();
        let address = lines.find_map(|line| {
            let line = line.ok()?;
            read(&line);
            Some(line.split_once("listening on http://")?.1.trim().to_owned())
        });
        let address = address.expect("the server listens");
        // The rest is read, so that the server never waits for somebody to read it.
        let reader = std::thread::spawn(move || lines.for_each(|line| read(&line.unwrap_or_default())));
        Self {
            child,
            reader: Some(reader),
            address,
        }
    }

    /// Sends a request, with headers that are lines of their own.
    pub fn ask(&self, method: &str, path: &str, headers: &str, body: &str) -> ServerAnswer {
        ask(&self.address, method, path, headers, body)
    }

    /// Asks the server to end, and waits until it has and all of its log is read.
    pub fn stop(mut self) {
        let asked = Command::new("kill")
            .args(["-TERM", &self.child.id().to_string()])
            .status();
        asked.expect("kill");
        self.child.wait().expect("its end");
        if let Some(reader) = self.reader.take() {
            reader.join().expect("its log");
        }
    }

    /// CPU time used so far, by all its threads, in ms: fields 14 and 15 of proc(5), in ticks of 10 ms.
    pub fn cpu(&self) -> f64 {
        let stat = std::fs::read_to_string(format!("/proc/{}/stat", self.child.id())).expect("the process");
        let fields = stat.rsplit(')').next().unwrap_or_default().split_whitespace();
        fields
            .skip(11)
            .take(2)
            .filter_map(|field| field.parse::<f64>().ok())
            .sum::<f64>()
            * 10.0
    }

    /// Memory in kB: `VmRSS` for what is resident now, `VmHWM` for the most it was.
    pub fn memory(&self, which: &str) -> u64 {
        let status =
            std::fs::read_to_string(format!("/proc/{}/status", self.child.id())).expect("the process");
        let line = status
            .lines()
            .find(|line| line.starts_with(which))
            .expect("such a line");
        line.split_whitespace()
            .nth(1)
            .and_then(|number| number.parse().ok())
            .expect("a number")
    }
}

/// Lets a server keep its runs on the NATS server that `HUNTSMAN_TEST_NATS` names, if it names one, so that tests of servers
/// also test that engine. Servers of one data folder share their runs, and others do not see them.
fn store_in_nats(command: &mut Command) {
    let Ok(address) = std::env::var("HUNTSMAN_TEST_NATS") else {
        return;
    };
    let variable = |name: &str| {
        let set = command.get_envs().find(|(key, _)| *key == name);
        set.and_then(|(_, value)| value).map(std::ffi::OsStr::to_owned)
    };
    if variable("HUNTSMAN_STORE").is_some() {
        return;
    }
    let folder = variable("HUNTSMAN_DATA_DIR").unwrap_or_default();
    let hash = folder
        .as_encoded_bytes()
        .iter()
        .fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| {
            (hash ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3)
        });
    command
        .env("HUNTSMAN_STORE", address)
        .env("HUNTSMAN_NATS_REPLICAS", "1")
        .env("HUNTSMAN_NATS_PREFIX", format!("{hash:016x}"))
        .env("HUNTSMAN_SECRET_KEY", "07".repeat(32));
}

/// Sends a request; the answer is read from the socket as it comes.
pub fn send(address: &str, method: &str, path: &str, headers: &str, body: &str) -> TcpStream {
    let mut socket = TcpStream::connect(address).expect("a connection");
    // In HTTP/1.0 a body comes as it is, without chunks.
    let head = format!(
        "{method} {path} HTTP/1.0\r\nhost: {address}\r\ncontent-type: application/json\r\n{headers}content-length: {}\r\n\r\n",
        body.len()
    );
    socket
        .write_all(format!("{head}{body}").as_bytes())
        .expect("a request");
    socket
}

/// As [`ServerProcess::ask`], for threads that do not have the server.
pub fn ask(address: &str, method: &str, path: &str, headers: &str, body: &str) -> ServerAnswer {
    let mut socket = send(address, method, path, headers, body);
    let mut answer = Vec::new();
    // A server that is killed leaves its answer unfinished.
    let _ = socket.read_to_end(&mut answer);
    let answer = String::from_utf8_lossy(&answer).into_owned();
    let (head, body) = answer.split_once("\r\n\r\n").unwrap_or_default();
    ServerAnswer {
        status: head
            .split(' ')
            .nth(1)
            .and_then(|status| status.parse().ok())
            .unwrap_or(0),
        head: head.to_owned(),
        body: body.to_owned(),
    }
}

impl ServerAnswer {
    /// The value of a header.
    pub fn header(&self, name: &str) -> Option<&str> {
        let mut headers = self.head.lines().skip(1).filter_map(|line| line.split_once(": "));
        let found = headers.find(|(header, _)| header.eq_ignore_ascii_case(name));
        found.map(|(_, value)| value)
    }
}

impl Drop for ServerProcess {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
