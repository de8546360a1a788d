//! Nothing of a page leaves but through the guard: every channel, tried at canaries that the guard does not allow.
//!
//! A browser without the guard shows that the page really tries each channel. A run that may reach the canaries shows
//! which channels go through the proxy.

use std::collections::{BTreeMap, BTreeSet};
use std::net::{TcpListener, UdpSocket};
use std::sync::{Arc, Mutex};
use std::time::Instant;

use serde_json::json;
use testkit::chromium::RunningBrowser;

use super::*;

/// The host of the canaries: this machine, under a name that the runs are not granted.
const CANARY_HOST: &str = "127.0.0.2";

/// Channels that have an address with a path, in each document: page, frame, foreign frame, popup.
const OF_DOCUMENTS: &[&str] = &[
    "fetch",
    "xhr",
    "eventsource",
    "websocket",
    "cache",
    "img",
    "script",
    "iframe",
    "poster",
    "css-import",
    "css-url",
    "stylesheet",
    "modulepreload",
    "preload",
    "prefetch",
    "font",
    "beacon",
    "ping",
    "form",
];
const DOCUMENTS: &[&str] = &["page", "frame", "foreign", "popup"];
/// Channels of workers.
const OF_WORKERS: &[&str] = &["fetch", "xhr", "eventsource", "websocket", "cache", "import"];
/// Channels of service workers, which have no `XMLHttpRequest`.
const OF_SERVICE_WORKERS: &[&str] = &["fetch", "eventsource", "websocket", "cache", "import"];
/// Channels that only the page has.
const OF_PAGES: &[&str] = &["icon", "csp-report"];
/// Channels without a path, which have a canary each. The second field: whether they are datagrams.
const WITHOUT_PATH: &[(&str, bool)] = &[
    ("tls", false),
    ("preconnect", false),
    ("turn_tcp", false),
    ("turn_tls", false),
    ("quic", true),
    ("stun", true),
    ("turn_udp", true),
    ("page_webtransport", true),
    ("frame_webtransport", true),
    ("foreign_webtransport", true),
    ("popup_webtransport", true),
    ("worker_webtransport", true),
    ("shared_webtransport", true),
    ("service_webtransport", true),
];

type Hits = Arc<Mutex<BTreeSet<String>>>;

/// Listeners for streams and datagrams that note who called.
struct Canaries {
    hits: Hits,
    /// `host:port`, by name.
    addresses: BTreeMap<String, String>,
}

impl Canaries {
    fn start() -> Canaries {
        let mut canaries = Canaries {
            hits: Hits::default(),
            addresses: BTreeMap::new(),
        };
        canaries.add("http");
        for (name, _) in WITHOUT_PATH {
            canaries.add(name);
        }
        canaries
    }

    /// Listens for streams and datagrams at one port. A request is noted by its path, anything else by the name.
    fn add(&mut self, name: &str) {
        use std::io::{Read as _, Write as _};
        let stream = TcpListener::bind((CANARY_HOST, 0)).unwrap();
        let address = stream.local_addr().unwrap();
        self.addresses.insert(name.to_owned(), address.to_string());
        let datagrams = UdpSocket::bind(address).unwrap();
        let (hits, noted) = (self.hits.clone(), format!("{name} (datagram)"));
        std::thread::spawn(move || {
            while datagrams.recv_from(&mut [0; 2048]).is_ok() {
                hits.lock().unwrap().insert(noted.clone());
            }
        });
        let (hits, noted) = (self.hits.clone(), format!("{name} (stream)"));
        std::thread::spawn(move || {
            for socket in stream.incoming() {
                let Ok(mut socket) = socket else { return };
                let (hits, noted) = (hits.clone(), noted.clone());
                std::thread::spawn(move || {
                    // A connection alone is a hit, where nothing else may come.
                    if noted != "http (stream)" {
                        hits.lock().unwrap().insert(noted);
                        return;
                    }
                    let mut head = [0; 2048];
                    let read = socket.read(&mut head).unwrap_or(0);
                    let head = String::from_utf8_lossy(&head[..read]).into_owned();
                    if let Some(path) = head.split(' ').nth(1) {
                        hits.lock()
                            .unwrap()
                            .insert(path.trim_start_matches('/').to_owned());
                    }
                    let answer = "HTTP/1.1 200 OK\r\ncontent-type: text/javascript\r\naccess-control-allow-origin: *\r\ncontent-length: 0\r\n\
                                  access-control-allow-headers: *\r\nconnection: close\r\n\r\n";
                    let _ = socket.write_all(answer.as_bytes());
                });
            }
        });
    }

    /// The site's page that tries everything.
    fn page(&self, site: &TestSite) -> Url {
        let mut url: Url = site.url("/").parse().unwrap();
        let ways = json!(self.addresses).to_string();
        url.query_pairs_mut().append_pair("ways", &ways);
        url
    }

    fn hits(&self) -> BTreeSet<String> {
        self.hits.lock().unwrap().clone()
    }

    /// Waits until all of these were hit, or for the deadline.
    async fn wait_for(&self, expected: &BTreeSet<String>, seconds: u64) -> BTreeSet<String> {
        let end = Instant::now() + Duration::from_secs(seconds);
        while !expected.is_subset(&self.hits()) && Instant::now() < end {
            tokio::time::sleep(Duration::from_millis(100)).await;
        }
        self.hits()
    }
}

/// A site whose pages and workers try every way out.
async fn site(canaries: &Canaries) -> TestSite {
    let channels = include_str!("egress_channels.js");
    let http = canaries.addresses["http"].clone();
    TestSite::start(move |request| {
        let document = |call: &str| {
            let script = format!("{channels}\n{call}");
            SiteReply::html(format!(
                "<!doctype html><html><head></head><body><script>{script}</script></body></html>"
            ))
        };
        let worker = |call: &str| SiteReply::bytes("text/javascript", format!("{channels}\n{call}"));
        let import = |scope: &str| {
            format!("everywhere('{scope}'); importScripts(`http://${{ways.http}}/{scope}/import`)")
        };
        match request.path.split('?').next().unwrap_or_default() {
            "/" => document("inMainPage()").header(
                "content-security-policy-report-only",
                &format!("connect-src 'none'; report-uri http://{http}/page/csp-report"),
            ),
            "/frame" => document("inDocument('frame')"),
            "/foreign" => document("inDocument('foreign')"),
            "/popup" => document("inDocument('popup')"),
            "/prerendered" => document("everywhere('prerendered')"),
            "/worker.js" => worker(&import("worker")),
            "/shared.js" => worker(&import("shared")),
            "/service.js" => worker(&import("service")),
            path if path.starts_with("/ran/") => SiteReply::html(""),
            _ => SiteReply::html("").status(404),
        }
    })
    .await
}

/// What a browser without the guard reaches.
fn every_channel() -> BTreeSet<String> {
    let mut all = BTreeSet::new();
    for document in DOCUMENTS {
        all.extend(OF_DOCUMENTS.iter().map(|way| format!("{document}/{way}")));
    }
    for worker in ["worker", "shared"] {
        all.extend(OF_WORKERS.iter().map(|way| format!("{worker}/{way}")));
    }
    all.extend(OF_SERVICE_WORKERS.iter().map(|way| format!("service/{way}")));
    all.extend(OF_PAGES.iter().map(|way| format!("page/{way}")));
    all.insert("prerendered/fetch".into());
    let kind = |is_datagram: bool| if is_datagram { "datagram" } else { "stream" };
    all.extend(
        WITHOUT_PATH
            .iter()
            .map(|(name, is_datagram)| format!("{name} ({})", kind(*is_datagram))),
    );
    all
}

/// Forces QUIC where the browser has it.
fn quic_switch(canaries: &Canaries) -> String {
    format!("--origin-to-force-quic-on={}", canaries.addresses["quic"])
}

async fn run_guarded(canaries: &Canaries, granted: &[&str]) -> (TestSite, Chromium, Box<dyn Tab>) {
    let site = site(canaries).await;
    let browser = Chromium::new(
        client(),
        ChromiumSettings {
            switches: vec![quic_switch(canaries)],
            ..settings()
        },
    );
    let profile = Profile {
        granted: granted.iter().map(|&host| host.to_owned()).collect(),
        ..Profile::default()
    };
    let mut tab = browser.open(profile).await.unwrap();
    tab.goto(&canaries.page(&site)).await.unwrap();
    (site, browser, tab)
}

#[tokio::test]
async fn a_browser_without_the_guard_uses_every_channel() {
    let canaries = Canaries::start();
    let site = site(&canaries).await;
    let running = RunningBrowser::start_with(&[&quic_switch(&canaries), "--disable-popup-blocking"]);
    running.open(canaries.page(&site).as_str());
    let expected = every_channel();
    let hits = canaries.wait_for(&expected, 40).await;
    let missing: Vec<_> = expected.difference(&hits).collect();
    assert!(missing.is_empty(), "the page does not try {missing:?}");
}

#[tokio::test]
async fn nothing_reaches_what_the_guard_does_not_allow() {
    let canaries = Canaries::start();
    let (site, _browser, _tab) = run_guarded(&canaries, &["127.0.0.1", "localhost"]).await;
    // What runs and reaches its own site, but no canary, has tried in vain.
    for scope in ["page", "frame", "foreign", "popup", "worker", "shared"] {
        let end = Instant::now() + Duration::from_secs(20);
        while site.hits(&format!("/ran/{scope}")) == 0 {
            assert!(Instant::now() < end, "nothing runs in the {scope}");
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
    }
    tokio::time::sleep(Duration::from_secs(6)).await;
    assert_eq!(canaries.hits(), BTreeSet::new());
}

#[tokio::test]
async fn what_the_guard_allows_goes_through_the_proxy_and_datagrams_go_nowhere() {
    let canaries = Canaries::start();
    let (_site, _browser, _tab) = run_guarded(&canaries, &["127.0.0.1", "localhost", CANARY_HOST]).await;
    // The browser has no pings, no prerendering and, in pages, no service workers and no WebRTC; it connects early to
    // the proxy only.
    let absent = |way: &str| {
        way.ends_with("/ping")
            || way.starts_with("service/")
            || way.starts_with("prerendered/")
            || way.starts_with("turn_")
            || way.starts_with("preconnect")
    };
    let expected: BTreeSet<String> = every_channel()
        .into_iter()
        .filter(|way| !absent(way) && !way.ends_with("(datagram)"))
        .collect();
    let hits = canaries.wait_for(&expected, 30).await;
    let missing: Vec<_> = expected.difference(&hits).collect();
    assert!(missing.is_empty(), "through the proxy came no {missing:?}");
    let datagrams: Vec<_> = hits.iter().filter(|way| way.ends_with("(datagram)")).collect();
    assert!(datagrams.is_empty(), "{datagrams:?}");
}

/// Names that a browser resolved by itself, as its own log of the network says.
fn resolved_names(log: &std::path::Path) -> BTreeSet<String> {
    let log = std::fs::read_to_string(log).unwrap();
    let (head, events) = log.split_once('\n').unwrap();
    let types = head.split("\"logEventTypes\":").nth(1).unwrap();
    let number = |name: &str| {
        let rest = types
            .split(&format!("\"{name}\":"))
            .nth(1)
            .unwrap_or_else(|| panic!("no {name} in the log"));
        rest.chars().take_while(char::is_ascii_digit).collect::<String>()
    };
    let lookups = ["HOST_RESOLVER_SYSTEM_TASK", "HOST_RESOLVER_DNS_TASK"]
        .map(|name| format!("\"type\":{}}}", number(name)));
    let jobs = format!("\"type\":{}}}", number("HOST_RESOLVER_MANAGER_JOB"));
    assert!(events.contains("127.0.0.1"), "the log is not empty");
    let has_lookups = events
        .lines()
        .any(|line| lookups.iter().any(|lookup| line.contains(lookup)));
    let names = events.lines().filter(|line| has_lookups && line.contains(&jobs));
    let name = |line: &str| {
        let at = line.find(".canary.test")?;
        let start = line[..at].rfind(|letter: char| !letter.is_ascii_alphanumeric() && letter != '-')?;
        Some(line[start + 1..at].to_owned())
    };
    names.filter_map(name).collect()
}

#[tokio::test]
async fn the_browser_resolves_no_name_by_itself() {
    let names = BTreeSet::from(["dns-prefetch", "fetch", "preconnect"].map(str::to_owned));
    let folder = tempfile::tempdir().unwrap();
    let canaries = Canaries::start();
    let site = site(&canaries).await;
    let log = folder.path().join("free.json");
    let switch = format!("--log-net-log={}", log.display());
    let mut running = RunningBrowser::start_with(&[&switch]);
    running.open(canaries.page(&site).as_str());
    canaries
        .wait_for(&BTreeSet::from(["worker/fetch".to_owned()]), 30)
        .await;
    tokio::time::sleep(Duration::from_secs(3)).await;
    running.kill();
    assert_eq!(resolved_names(&log), names, "the page tries all of them");
    let log = folder.path().join("guarded.json");
    let settings = ChromiumSettings {
        switches: vec![format!("--log-net-log={}", log.display())],
        ..settings()
    };
    let browser = Chromium::new(client(), settings);
    let mut tab = browser.open(profile()).await.unwrap();
    tab.goto(&canaries.page(&site)).await.unwrap();
    tokio::time::sleep(Duration::from_secs(5)).await;
    browser.stop().await;
    assert_eq!(resolved_names(&log), BTreeSet::new());
}
