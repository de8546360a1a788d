//! Clients of the chaos test: each submits one run and follows it over whatever server answers, and keeps what it saw.

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::TcpStream;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use serde_json::{Value, json};

/// How long a client waits for a byte before it asks another server.
const SILENCE: Duration = Duration::from_secs(8);
/// How long a client waits before it asks again.
const PAUSE: Duration = Duration::from_millis(300);

/// An event as a client saw it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct SeenEvent {
    pub(crate) id: u64,
    pub(crate) name: String,
    pub(crate) data: String,
}

/// The servers as clients know them, as behind a load balancer.
pub(crate) struct Servers {
    pub(crate) addresses: Vec<String>,
    next: AtomicUsize,
    /// Answers that were a refusal to try later, or that did not come.
    pub(crate) refused: AtomicUsize,
    /// No client goes on.
    pub(crate) closed: AtomicBool,
}

/// A run as its client saw it.
#[derive(Debug, Clone, Default)]
pub(crate) struct History {
    /// Its id, once it was accepted.
    pub(crate) id: Option<String>,
    pub(crate) seen: Vec<(SeenEvent, Option<Instant>)>,
    pub(crate) ended: bool,
    /// What is wrong, one sentence each.
    pub(crate) violations: Vec<String>,
}

impl Servers {
    pub(crate) fn new(addresses: Vec<String>) -> Self {
        Self {
            addresses,
            next: AtomicUsize::new(0),
            refused: AtomicUsize::new(0),
            closed: AtomicBool::new(false),
        }
    }

    fn pick(&self) -> &str {
        let number = self.next.fetch_add(1, Ordering::Relaxed);
        &self.addresses[number % self.addresses.len()]
    }

    fn is_closed(&self) -> bool {
        self.closed.load(Ordering::Acquire)
    }

    fn pause(&self) {
        self.refused.fetch_add(1, Ordering::Relaxed);
        std::thread::sleep(PAUSE);
    }
}

/// Sends a request; status and reader of the body. None when the server is not there or does not answer.
fn send(
    address: &str,
    method: &str,
    path: &str,
    headers: &str,
    body: &str,
) -> Option<(u16, BufReader<TcpStream>)> {
    let mut socket = TcpStream::connect(address).ok()?;
    socket.set_read_timeout(Some(SILENCE)).ok()?;
    let length = body.len();
    let head = format!(
        "{method} {path} HTTP/1.0\r\nhost: {address}\r\ncontent-type: application/json\r\n{headers}content-length: {length}\r\n\r\n"
    );
    socket.write_all(format!("{head}{body}").as_bytes()).ok()?;
    let mut reader = BufReader::new(socket);
    let mut status = None;
    loop {
        let mut line = String::new();
        if reader.read_line(&mut line).ok()? == 0 {
            return None;
        }
        let line = line.trim_end();
        if line.is_empty() {
            return Some((status?, reader));
        }
        if status.is_none() {
            status = line.split(' ').nth(1)?.parse().ok();
        }
    }
}

/// Sends a request; status and body.
pub(crate) fn ask(
    address: &str,
    method: &str,
    path: &str,
    headers: &str,
    body: &str,
) -> Option<(u16, String)> {
    let (status, mut reader) = send(address, method, path, headers, body)?;
    let mut text = String::new();
    reader.read_to_string(&mut text).ok()?;
    Some((status, text))
}

/// Submits a run of these pages until it is accepted, and follows it to its end.
pub(crate) fn submit_and_follow(
    servers: &Servers,
    key: &str,
    pages: &[String],
    history: &Arc<Mutex<History>>,
) {
    let body = json!({"assets": pages, "instructions": "read"}).to_string();
    let headers = format!("idempotency-key: {key}\r\n");
    let id = loop {
        if servers.is_closed() {
            return;
        }
        match ask(servers.pick(), "POST", "/api/scrape", &headers, &body) {
            Some((202, answer)) => {
                let answer: Value = serde_json::from_str(&answer).unwrap();
                break answer["session_id"].as_str().unwrap().to_owned();
            }
            None | Some((503, _)) => servers.pause(),
            Some((status, answer)) => {
                let text = format!("{key} was answered with {status}: {answer}");
                history.lock().unwrap().violations.push(text);
                return;
            }
        }
    };
    history.lock().unwrap().id = Some(id.clone());
    // The same request again is the same run, on every server.
    if let Some((202, answer)) = ask(servers.pick(), "POST", "/api/scrape", &headers, &body)
        && !answer.contains(&id)
    {
        let text = format!("{key} is two runs: {id} and {answer}");
        history.lock().unwrap().violations.push(text);
    }
    while !servers.is_closed() && !history.lock().unwrap().ended {
        if follow(servers, &id, history).is_none() {
            servers.pause();
        }
    }
}

/// Follows a run until its stream ends or breaks; none when no stream was opened.
fn follow(servers: &Servers, id: &str, history: &Mutex<History>) -> Option<()> {
    let last = history
        .lock()
        .unwrap()
        .seen
        .last()
        .map_or(0, |(event, _)| event.id);
    let headers = format!("last-event-id: {last}\r\n");
    let path = format!("/v1/runs/{id}/events");
    let (status, mut reader) = send(servers.pick(), "GET", &path, &headers, "")?;
    if status != 200 {
        if status != 503 {
            let text = format!("the stream of {id} was answered with {status}");
            history.lock().unwrap().violations.push(text);
        }
        return None;
    }
    while let Some(event) = next_event(&mut reader) {
        let mut history = history.lock().unwrap();
        let expected = history.seen.last().map_or(1, |(event, _)| event.id + 1);
        if event.id != expected {
            let text = format!("{id}: event {} came where {expected} was due", event.id);
            history.violations.push(text);
            return Some(());
        }
        if history.ended {
            let text = format!("{id}: event {} came after the end", event.id);
            history.violations.push(text);
        }
        history.ended |= event.name == "complete";
        history.seen.push((event, Some(Instant::now())));
    }
    Some(())
}

/// The next event of a stream; none at its end and when nothing comes.
fn next_event(reader: &mut impl std::io::BufRead) -> Option<SeenEvent> {
    let (mut id, mut name, mut data) = (None, None, String::new());
    loop {
        let mut line = String::new();
        if reader.read_line(&mut line).ok()? == 0 || !line.ends_with('\n') {
            return None;
        }
        match line.trim_end_matches(['\r', '\n']).split_once(": ") {
            Some(("id", text)) => id = text.parse().ok(),
            Some(("event", text)) => name = Some(text.to_owned()),
            Some(("data", text)) => data.push_str(text),
            // An empty line ends an event; heartbeats and the time to come back have no number.
            _ if line.trim().is_empty() => {
                if let (Some(id), Some(name)) = (id, name.take()) {
                    return Some(SeenEvent { id, name, data });
                }
                (id, data) = (None, String::new());
            }
            _ => {}
        }
    }
}

/// The whole log of a run, as one server shows it.
pub(crate) fn whole_log(address: &str, id: &str) -> Option<Vec<SeenEvent>> {
    let (status, mut reader) = send(address, "GET", &format!("/v1/runs/{id}/events"), "", "")?;
    let events = std::iter::from_fn(|| next_event(&mut reader)).collect();
    (status == 200).then_some(events)
}
