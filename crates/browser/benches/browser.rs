//! Benchmark of snapshots and actions with a real browser: processor time of ours and of Chromium, text, memory.
//!
//! Run with `cargo bench -p browser --bench browser --profile fast` (`-- --no-sandbox` as root). Times are medians,
//! taken from /proc: utime and stime of this process, and of the browser with everything it has started.
//! Tokens are those of o200k_base.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    missing_docs,
    reason = "a benchmark fails by panicking, and has no users"
)]

use std::collections::HashMap;
use std::fs;
use std::time::{Duration, Instant};

use browser::engines::chromium::{Chromium, ChromiumSettings};
use browser::snapshot::SnapshotView;
use browser::{Action, Browser as _, Profile, Ref, Snapshot, Tab};
use testkit::{SiteReply, TestSite};

/// The kernel's ticks in a second, on every Linux there is.
const TICKS: f64 = 100.0;
const ROUNDS: usize = 5;
const STEPS: usize = 60;

#[tokio::main(flavor = "current_thread")]
async fn main() {
    let site = TestSite::start(|asked| match asked.path.as_str() {
        "/form" => SiteReply::html(FORM),
        "/5000" => SiteReply::html(list(1000)),
        _ => SiteReply::html(list(10_000)),
    })
    .await;
    let settings = ChromiumSettings {
        sandbox: !std::env::args().any(|word| word == "--no-sandbox"),
        ..ChromiumSettings::default()
    };
    let browser = Chromium::new(net::Client::new(net::ClientConfig::default()).unwrap(), settings);
    let profile = || Profile {
        granted: vec!["127.0.0.1".into()],
        ..Profile::default()
    };
    let mut tab = browser.open(profile()).await.unwrap();
    let pid = browser.processes().await[0];
    let tokens = tiktoken_rs::o200k_base().unwrap();
    println!(
        "{:<16} {:>9} {:>9} {:>9} {:>9} {:>9} {:>9}",
        "page", "wall ms", "ours ms", "chrome ms", "elements", "bytes", "tokens"
    );
    for (path, bytes) in [("/form", 20_000), ("/5000", 19_000), ("/50000", 40_000)] {
        tab.goto(&site.url(path).parse().unwrap()).await.unwrap();
        tab.snapshot().await.unwrap();
        let mut rounds = Vec::new();
        let (mut text, mut elements) = (String::new(), 0);
        for _ in 0..ROUNDS {
            let before = (Instant::now(), cpu_of(std::process::id()), cpu_of_group(pid));
            let snapshot = tab.snapshot().await.unwrap();
            text = snapshot.text(&SnapshotView {
                bytes,
                ..SnapshotView::default()
            });
            elements = snapshot.nodes.len();
            rounds.push((
                before.0.elapsed().as_secs_f64() * 1e3,
                (cpu_of(std::process::id()) - before.1) * 1e3,
                (cpu_of_group(pid) - before.2) * 1e3,
            ));
        }
        let median = |of: fn(&(f64, f64, f64)) -> f64| {
            let mut list: Vec<f64> = rounds.iter().map(of).collect();
            list.sort_by(f64::total_cmp);
            list[list.len() / 2]
        };
        let told = text.contains("truncated") || text.len() < bytes;
        assert!(told, "what is left out is said");
        println!(
            "{path:<16} {:>9.0} {:>9.0} {:>9.0} {elements:>9} {:>9} {:>9}",
            median(|it| it.0),
            median(|it| it.1),
            median(|it| it.2),
            text.len(),
            tokens.encode_ordinary(&text).len(),
        );
    }
    steps(&mut tab, &site, pid).await;
    memory(&browser, profile, &site).await;
    browser.stop().await;
}

/// Steps as an agent takes them: look, write the view, act.
async fn steps(tab: &mut Box<dyn Tab>, site: &TestSite, pid: u32) {
    tab.goto(&site.url("/form").parse().unwrap()).await.unwrap();
    let before = (Instant::now(), cpu_of(std::process::id()), cpu_of_group(pid));
    for step in 0..STEPS {
        let snapshot = tab.snapshot().await.unwrap();
        assert!(!snapshot.text(&SnapshotView::default()).is_empty());
        let action = match step % 4 {
            0 => Action::Fill {
                target: find(&snapshot, "Name"),
                value: format!("Ann {step}"),
            },
            1 => Action::Check {
                target: find(&snapshot, "Gift"),
                on: step % 8 == 1,
            },
            2 => Action::Select {
                target: find(&snapshot, "Size"),
                options: vec![if step % 8 == 2 { "Large" } else { "Small" }.into()],
            },
            _ => Action::Click {
                target: find(&snapshot, "Add"),
                times: 1,
            },
        };
        tab.act(&action).await.unwrap();
    }
    let count = STEPS as f64;
    println!(
        "step             {:>9.1} {:>9.1} {:>9.1}",
        before.0.elapsed().as_secs_f64() * 1e3 / count,
        (cpu_of(std::process::id()) - before.1) * 1e3 / count,
        (cpu_of_group(pid) - before.2) * 1e3 / count,
    );
}

/// What a further session costs us.
async fn memory(browser: &Chromium, profile: impl Fn() -> Profile, site: &TestSite) {
    let before = resident();
    let mut tabs = Vec::new();
    for _ in 0..6 {
        let mut tab = browser.open(profile()).await.unwrap();
        tab.goto(&site.url("/form").parse().unwrap()).await.unwrap();
        tab.snapshot().await.unwrap();
        tabs.push(tab);
    }
    println!(
        "memory           {before:>6.1} MB of ours with one session, {:.2} MB for each further one",
        (resident() - before) / tabs.len() as f64
    );
    tokio::time::sleep(Duration::from_millis(10)).await;
}

fn find(snapshot: &Snapshot, name: &str) -> Ref {
    let found = snapshot
        .nodes
        .iter()
        .find(|node| node.name == name && node.target.is_some());
    found.and_then(|node| node.target).unwrap()
}

fn list(rows: usize) -> String {
    let mut html =
        "<!doctype html><title>List</title><style>.row{display:flex;gap:1em}</style><h1>List</h1><main>"
            .to_owned();
    for row in 1..=rows {
        html.push_str(&format!(
            "<div class=row><span>Row {row}</span><a href='/item?id={row}'>Article {row}</a><em>in stock</em><button>Put in {row}</button></div>"
        ));
    }
    html + "</main>"
}

const FORM: &str = "<!doctype html><title>Form</title><h1>Order</h1><form onsubmit='return false'><label>Name <input></label>
    <label><input type=checkbox> Gift</label><label>Size <select><option>Small<option>Large</select></label>
    <button onclick=\"l.append(Object.assign(document.createElement('li'), {textContent: 'one more'})); if (l.children.length > 9) l.textContent = ''\">Add</button>
    </form><ul id=l></ul>";

/// Fields of /proc/PID/stat after the name, from the state on.
fn stat(pid: u32) -> Option<Vec<String>> {
    let text = fs::read_to_string(format!("/proc/{pid}/stat")).ok()?;
    Some(
        text.rsplit_once(')')?
            .1
            .split_whitespace()
            .map(str::to_owned)
            .collect(),
    )
}

fn cpu_of(pid: u32) -> f64 {
    let Some(fields) = stat(pid) else { return 0.0 };
    let ticks = |at: usize| fields[at].parse::<f64>().unwrap_or(0.0);
    (ticks(11) + ticks(12)) / TICKS
}

/// A browser's processes are a group of their own. What has ended is counted by its parent.
fn cpu_of_group(group: u32) -> f64 {
    let mut all: HashMap<u32, f64> = HashMap::new();
    for entry in fs::read_dir("/proc").unwrap().flatten() {
        let Ok(pid) = entry.file_name().to_string_lossy().parse::<u32>() else {
            continue;
        };
        if let Some(fields) = stat(pid)
            && fields[2].parse() == Ok(group)
        {
            all.insert(pid, cpu_of(pid));
        }
    }
    all.values().sum()
}

/// Resident memory in MB.
fn resident() -> f64 {
    let text = fs::read_to_string("/proc/self/status").unwrap();
    let line = text.lines().find(|line| line.starts_with("VmRSS")).unwrap();
    line.split_whitespace().nth(1).unwrap().parse::<f64>().unwrap() / 1024.0
}
