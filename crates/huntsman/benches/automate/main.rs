//! What a run of the browser agent costs: an order in a shop, by a model that answers at once from a script.
//!
//! `cargo bench --profile fast -p huntsman --bench automate -- [RUNS] [--no-sandbox]` (the latter as root). The server is
//! a process of its own with a real Chromium; every request goes over HTTP, the model's answers come as an event stream.
//! Told are, for each turn: our processor time and Chromium's (from /proc), wall time; of a whole run: the tokens of all
//! prompts by o200k_base, and how much of each prompt repeats the one before; the server's memory with one session
//! and what each further one adds.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod meter;
mod script;
mod shop;

use std::io::BufRead as _;
use std::process::{Child, Command, Stdio};
use std::sync::{Arc, Mutex};
use std::time::Instant;

use serde_json::{Value, json};
use tempfile::TempDir;
use testkit::scripted::Answer;
use testkit::{ScriptedProvider, Site};
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpStream;

use crate::meter::Spent;

/// Sessions beside the first one when memory is measured.
const FURTHER: usize = 6;

/// A request to the model.
struct Prompt {
    run: usize,
    at: Instant,
    spent: Spent,
    body: Value,
}

struct Server {
    child: Child,
    at: String,
    _folder: TempDir,
}

impl Server {
    fn start(model: &str, sandbox: bool) -> Self {
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
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Does a run to its end, and says whether it ended well.
async fn automate(at: String, task: String, url: String) -> bool {
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
    complete
        .lines()
        .next()
        .is_some_and(|line| line.contains("\"success\":true"))
}

#[tokio::main]
async fn main() {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let runs: usize = words.iter().find_map(|word| word.parse().ok()).unwrap_or(10);
    let site = Site::start(|asked| shop::answer(&asked.path)).await;
    let prompts: Arc<Mutex<Vec<Prompt>>> = Arc::default();
    let pid = Arc::new(Mutex::new(0));
    let (log, server_pid) = (Arc::clone(&prompts), Arc::clone(&pid));
    let script = script::Script::default();
    let model = ScriptedProvider::start(move |exchange, _| {
        let said = script.answer(&exchange.body);
        if let Some((run, said)) = said {
            log.lock().unwrap().push(Prompt {
                run,
                at: Instant::now(),
                spent: Spent::of(*server_pid.lock().unwrap()),
                body: exchange.body.clone(),
            });
            return Answer::Turn(said, 0);
        }
        Answer::Turn(script::aside(&exchange.body), 0)
    })
    .await;
    let server = Server::start(
        &model.base_url(),
        !words.iter().any(|word| word == "--no-sandbox"),
    );
    *pid.lock().unwrap() = server.child.id();
    let idle = meter::resident(server.child.id());
    // A first run starts the browser, and is not counted.
    let mut right = 0;
    for run in 0..=runs {
        let ended = automate(
            server.at.clone(),
            script::task(run),
            site.url(&format!("/?run={run}")),
        )
        .await;
        let ordered = site
            .asked()
            .iter()
            .any(|asked| shop::is_order(run, &asked.path, &asked.body));
        right += usize::from(run > 0 && ended && ordered);
    }
    let one = meter::resident(server.child.id());
    println!("{right} of {runs} orders right");
    assert!(model.faults().is_empty(), "{:?}", model.faults());
    tell(&prompts.lock().unwrap(), runs);
    // Sessions at the same time: the most memory while all of them are under way.
    let more: Vec<_> = (0..=FURTHER)
        .map(|it| {
            let run = runs + 1 + it;
            let url = site.url(&format!("/?run={run}"));
            tokio::spawn(automate(server.at.clone(), script::task(run), url))
        })
        .collect();
    let mut most = 0.0_f64;
    while !more.iter().all(tokio::task::JoinHandle::is_finished) {
        most = most.max(meter::resident(server.child.id()));
        tokio::time::sleep(std::time::Duration::from_millis(50)).await;
    }
    println!(
        "memory: {idle:.1} MB at the start, {one:.1} MB after {runs} sessions, {:.2} MB more for each of {FURTHER} further ones at once",
        (most - one).max(0.0) / FURTHER as f64
    );
}

/// Costs of a turn, and prompts.
fn tell(prompts: &[Prompt], runs: usize) {
    let mut totals = Vec::new();
    let (mut shares, mut largest, mut wall) = (Vec::new(), 0, Vec::new());
    let (mut ours, mut chromium, mut turns) = (0.0, 0.0, 0);
    let tokens = meter::Tokens::default();
    for run in 1..=runs {
        let own: Vec<&Prompt> = prompts.iter().filter(|it| it.run == run).collect();
        let texts: Vec<String> = own.iter().map(|it| meter::text(&it.body)).collect();
        let counts: Vec<usize> = texts.iter().map(|it| tokens.count(it)).collect();
        totals.push(counts.iter().sum::<usize>());
        largest = largest.max(counts.iter().copied().max().unwrap_or(0));
        for (at, pair) in texts.windows(2).enumerate() {
            shares.push(tokens.count(meter::common(&pair[0], &pair[1])) as f64 / counts[at + 1] as f64);
        }
        for pair in own.windows(2) {
            wall.push((pair[1].at - pair[0].at).as_secs_f64() * 1e3);
            ours += pair[1].spent.ours - pair[0].spent.ours;
            chromium += pair[1].spent.chromium - pair[0].spent.chromium;
            turns += 1;
        }
    }
    let each = |sum: f64| sum / f64::from(turns.max(1)) * 1e3;
    wall.sort_by(f64::total_cmp);
    totals.sort_unstable();
    println!(
        "a turn: {:.1} ms of ours, {:.0} ms of Chromium's, {:.0} ms wall (median; mean {:.0}); {} turns a run",
        each(ours),
        each(chromium),
        wall.get(wall.len() / 2).copied().unwrap_or(0.0),
        wall.iter().sum::<f64>() / wall.len().max(1) as f64,
        turns as usize / runs.max(1) + 1
    );
    println!(
        "prompts of a run: {} tokens in all (median), the largest {largest}; {:.3} of each repeats the one before (mean)",
        totals.get(totals.len() / 2).copied().unwrap_or(0),
        shares.iter().sum::<f64>() / shares.len().max(1) as f64
    );
}
