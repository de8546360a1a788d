//! Many browser runs, four at a time, some of them cancelled and some with their browser killed: each comes to one end, no
//! process and no profile is left, and the server's memory stays flat.

use std::fs;
use std::io::{BufRead as _, BufReader};
use std::path::Path;
use std::process::Command;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use serde_json::json;
use tempfile::TempDir;
use testkit::serving::send;
use testkit::{
    ProviderAnswer, ProviderRequest, ScriptedProvider, ScriptedTurn, ServerProcess, SiteReply, SiteRequest,
    TestSite, play_automation,
};

use super::{ask, start_with};

/// Runs at once.
const AT_ONCE: usize = 4;
/// Browsers that the runs share.
const BROWSERS: usize = 2;

const FORM: &str = "<!doctype html><title>Form</title><form action=/sent><label>Name <input name=n></label>\
    <button>Send</button></form><button onclick=\"document.title = confirm('Sure?')\">Ask</button>";

async fn site() -> TestSite {
    TestSite::start(|asked: &SiteRequest| match asked.path.split('?').next() {
        Some("/sent") => SiteReply::html("<title>Sent</title><p>Thank you</p><a href=/more>More</a>"),
        Some("/more") => SiteReply::html("<title>More</title><p>That is all.</p>"),
        _ => SiteReply::html(FORM),
    })
    .await
}

/// A run of eight turns: a field, a question of the page, two further pages.
fn play(asked: &ProviderRequest) -> ProviderAnswer {
    play_automation(asked, |turn, named| match turn {
        0 => ScriptedTurn::call("fill", json!({"ref": named("Name"), "value": "Ada"})),
        1 => ScriptedTurn::call("click", json!({"ref": named("Ask")})),
        2 => ScriptedTurn::call("answer_dialogs", json!({"accept": true})),
        3 => ScriptedTurn::call("click", json!({"ref": named("Send")})),
        4 => ScriptedTurn::call("click", json!({"ref": named("More")})),
        5 => ScriptedTurn::call("back", json!({})),
        6 => ScriptedTurn::call("scroll", json!({"direction": "down"})),
        _ => ScriptedTurn::call("done", json!({"result": "sent"})),
    })
    .into()
}

/// What happens to a run.
#[derive(Clone, Copy, PartialEq)]
enum Fate {
    Left,
    Cancelled,
    Killed,
}

/// One in ten is cancelled and one in ten loses its browser.
fn fate(number: usize) -> Fate {
    match number % 10 {
        3 => Fate::Cancelled,
        7 => Fate::Killed,
        _ => Fate::Left,
    }
}

/// The processes whose command line or group tells that they belong to browsers under this folder: main ones, and all.
fn browsers(folder: &Path) -> (Vec<u32>, usize) {
    let (mut main, mut all) = (Vec::new(), 0);
    let wanted = folder.to_string_lossy().into_owned();
    for entry in fs::read_dir("/proc").unwrap().flatten() {
        let Ok(pid) = entry.file_name().to_string_lossy().parse::<u32>() else {
            continue;
        };
        let line = fs::read(entry.path().join("cmdline")).unwrap_or_default();
        let line = String::from_utf8_lossy(&line);
        if line.contains(&wanted) && line.contains("--user-data-dir") {
            all += 1;
            if !line.contains("--type=") && !line.contains("crashpad") {
                main.push(pid);
            }
        }
    }
    (main, all)
}

fn profiles(folder: &Path) -> usize {
    let names = fs::read_dir(folder).unwrap().flatten().map(|it| it.file_name());
    let ours = names.filter(|it| it.to_string_lossy().starts_with("huntsman-browser-"));
    ours.count()
}

fn kill(pid: u32, signal: &str) {
    let _ = Command::new("kill").args([signal, &pid.to_string()]).status();
}

/// Does one run and says how it ended: the names of its events, and whether it was a success.
fn run(server: &ServerProcess, url: &str, folder: &Path, number: usize) -> (Vec<String>, bool) {
    let body = json!({"task": "send the form", "url": url}).to_string();
    let mut lines = BufReader::new(send(&server.address, "POST", "/v1/automate", "", &body)).lines();
    let (mut id, mut names, mut success) = (String::new(), Vec::new(), false);
    // The moment differs from run to run: while the plan is made, at the first page, in the middle, near the end.
    let moment = [2, 6, 12, 20, 33][(number / 10) % 5];
    let mut due = fate(number) != Fate::Left;
    while let Some(Ok(line)) = lines.next() {
        let header = line
            .split_once(": ")
            .filter(|it| it.0.eq_ignore_ascii_case("x-run-id"));
        if let Some((_, run)) = header {
            run.clone_into(&mut id);
        }
        if let Some(name) = line.strip_prefix("event: ") {
            names.push(name.to_owned());
        }
        success |= line.starts_with("data: ") && line.contains("\"success\":true,\"finalAnswer\"");
        if due && names.len() >= moment {
            due = false;
            match fate(number) {
                Fate::Cancelled => {
                    let (status, answer) = ask(server, "DELETE", &format!("/v1/runs/{id}"), "");
                    assert!(matches!(status, 200 | 202 | 204 | 409), "{status} {answer}");
                }
                Fate::Killed => {
                    if let Some(pid) = browsers(folder).0.first() {
                        kill(*pid, "-9");
                    }
                }
                Fate::Left => {}
            }
        }
    }
    (names, success)
}

/// Waits for something that comes by itself.
fn comes(what: &str, is_so: impl Fn() -> bool) {
    let end = Instant::now() + Duration::from_secs(20);
    while !is_so() {
        assert!(Instant::now() < end, "{what} does not come");
        std::thread::sleep(Duration::from_millis(20));
    }
}

#[tokio::test(flavor = "multi_thread")]
#[ignore = "needs a browser"]
async fn runs_leave_nothing_behind_whatever_happens_to_their_browsers() {
    let runs: usize = std::env::var("HUNTSMAN_SOAK").map_or(12, |it| it.parse().unwrap());
    let provider = ScriptedProvider::start(|asked, _| play(asked)).await;
    let site = site().await;
    let (folder, home) = (TempDir::new().unwrap(), TempDir::new().unwrap());
    let sandbox = if testkit::chromium::has_sandbox() {
        "on"
    } else {
        "off"
    };
    let settings = [
        ("TMPDIR", folder.path().display().to_string()),
        ("HUNTSMAN_ENGINE", "chromium".to_owned()),
        ("HUNTSMAN_BROWSERS", BROWSERS.to_string()),
        ("HUNTSMAN_CHROMIUM_SANDBOX", sandbox.to_owned()),
        ("HUNTSMAN_LLM_PROVIDER", "openai_chat".to_owned()),
        ("HUNTSMAN_LLM_MODEL", "scripted".to_owned()),
        ("HUNTSMAN_LLM_BASE_URL", provider.base_url()),
        ("HUNTSMAN_LLM_API_KEY", "scripted-key-1234".to_owned()),
    ];
    let (url, host) = (site.url("/"), "127.0.0.1");
    let work = move || {
        let server = start_with(home.path(), host, &settings);
        let (next, done) = (AtomicUsize::new(0), AtomicUsize::new(0));
        let (won, readings) = (AtomicUsize::new(0), std::sync::Mutex::new(Vec::new()));
        let begun = Instant::now();
        std::thread::scope(|scope| {
            for _ in 0..AT_ONCE {
                scope.spawn(|| {
                    loop {
                        let number = next.fetch_add(1, Ordering::SeqCst);
                        if number >= runs {
                            return;
                        }
                        let (names, success) = run(&server, &url, folder.path(), number);
                        let ends = names.iter().filter(|it| *it == "done" || *it == "error").count();
                        let last = names.last().map(String::as_str);
                        assert_eq!(
                            (ends, matches!(last, Some("done" | "error"))),
                            (1, true),
                            "{names:?}"
                        );
                        if success {
                            won.fetch_add(1, Ordering::SeqCst);
                        }
                        let count = done.fetch_add(1, Ordering::SeqCst) + 1;
                        if count % 50 == 0 || count == runs {
                            let reading = (count, server.memory("VmRSS"), begun.elapsed().as_secs());
                            eprintln!("{count} runs: {} MB resident, {} s", reading.1 / 1024, reading.2);
                            readings.lock().unwrap().push(reading);
                        }
                    }
                });
            }
        });
        let won = won.into_inner();
        eprintln!("{won} of {runs} runs were a success");
        // Those that were cancelled, and those whose browser was killed or shared with one that was, may fail.
        let spared = (0..runs).filter(|it| fate(*it) == Fate::Left).count();
        let killed = (0..runs).filter(|it| fate(*it) == Fate::Killed).count();
        assert!(
            won + killed * AT_ONCE >= spared,
            "{won} of {spared} runs that nothing happened to"
        );
        comes("the end of what was killed", || {
            let (main, _) = browsers(folder.path());
            main.len() <= BROWSERS && profiles(folder.path()) == main.len()
        });
        let readings = readings.into_inner().unwrap();
        if let ([(_, first, _), .., (_, last, _)], true) = (readings.as_slice(), runs >= 100) {
            assert!(*last < first + first / 2 + 20_000, "memory grows: {readings:?}");
        }
        // Asked to end, the server takes its browsers with it.
        server.stop();
        comes("the end of the browsers", || {
            browsers(folder.path()).1 == 0 && profiles(folder.path()) == 0
        });
    };
    tokio::task::spawn_blocking(work).await.unwrap();
    assert_eq!(provider.faults(), Vec::<String>::new());
}
