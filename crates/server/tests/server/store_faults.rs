//! Webhooks, monitors and runs over a store that fails, or that holds what cannot be read.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::time::Duration;

use async_trait::async_trait;
use runtime::webhooks::DeliveryTimes;
use serde_json::{Value, json};
use server::ServerSettings;
use store::engines::memory::InMemoryStore;
use store::jobs::Lease;
use store::log::{EventLog, RunEnd};
use store::vault::{Record, RecordKey, RecordKind, RecordSummary, Vault, WriteCondition};
use store::{Error, Store};
use testkit::{SiteReply, SiteRequest, TestSite};
use tokio::sync::watch;
use wire::tenancy::TenantLimits;
use wire::{LogEntry, RunId};

use crate::client::Ask;
use crate::mcp::{legacy, message, told};
use crate::stand::Stand;
use crate::written_runs::WrittenRuns;

/// A page, and a receiver at `/hook`.
async fn stand_on(store: &Store) -> Stand {
    let site = TestSite::start(|asked: &SiteRequest| match asked.path.as_str() {
        "/hook" => SiteReply::html(""),
        "/none" => SiteReply::html("gone").status(404),
        _ => SiteReply::html(
            "<title>Lamps</title><main><h1>Lamps</h1><p>All about lamps of brass, and more of them.</p></main>",
        ),
    })
    .await;
    let stand = Stand::on_store(site, store.clone()).await;
    stand.workers.deliver_with(DeliveryTimes {
        receiver: Duration::from_secs(5),
        first: Duration::from_millis(10),
        longest: Duration::from_millis(50),
        total: Duration::from_secs(60),
    });
    stand
}

async fn ask(stand: &Stand, method: &str, path: &str, body: &Value) -> Value {
    let ask = match method {
        "GET" | "DELETE" => Ask::new(method, path),
        _ => Ask::with_body(method, path, body.to_string()),
    };
    let mut answer = ask.send(stand.at).await;
    let text = answer.text().await;
    assert!(answer.status < 300, "{method} {path}: {} {text}", answer.status);
    serde_json::from_str(&text).unwrap_or_default()
}

/// The answer to a question, once it is as wanted.
async fn until(stand: &Stand, path: &str, wanted: impl Fn(&Value) -> bool) -> Value {
    for _ in 0..3_000 {
        let answer = ask(stand, "GET", path, &Value::Null).await;
        if wanted(&answer) {
            return answer;
        }
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
    panic!("{}", ask(stand, "GET", path, &Value::Null).await);
}

async fn watch_page(stand: &Stand) -> String {
    let body = json!({"url": stand.site.url("/lamps"), "schedule": {"every": 86_400}});
    let made = ask(stand, "POST", "/v1/monitors", &body).await;
    format!("/v1/monitors/{}", made["id"].as_str().unwrap())
}

/// The path of the deliveries to an endpoint of these events.
async fn register(stand: &Stand, events: &[&str]) -> String {
    let body = json!({"url": stand.site.url("/hook"), "events": events});
    let made = ask(stand, "POST", "/v1/webhooks", &body).await;
    format!("/v1/webhooks/{}/deliveries", made["id"].as_str().unwrap())
}

fn delivered(log: &Value, state: &str) -> usize {
    let all = log["deliveries"].as_array().unwrap().iter();
    all.filter(|delivery| delivery["state"] == state).count()
}

async fn put(store: &Store, collection: &str, name: &str, value: &str) {
    let present = store.records.get(collection, name).await.unwrap();
    let revision = present.map_or(0, |record| record.revision);
    let written = store.records.put(collection, name, value.to_owned(), revision);
    assert!(written.await.unwrap().is_some());
}

#[tokio::test]
async fn records_that_cannot_be_read_hold_up_no_other_monitor_and_no_other_delivery() {
    let store = InMemoryStore::open();
    let other = r#"{"of": "another version"}"#;
    put(&store, "monitors", "o./mon_0", other).await;
    put(&store, "monitor-due", "0000000000001/o./mon_0", "").await;
    put(&store, "webhook-deliveries/whk_0", "msg_0", other).await;
    put(&store, "webhook-due", "0000000000001/whk_0/msg_0", "").await;
    let stand = stand_on(&store).await;
    stand.workers.start(2);
    stand.workers.deliver();
    stand.workers.watch(TenantLimits::default());
    let monitor = watch_page(&stand).await;
    until(&stand, &monitor, |monitor| monitor["checks"] == 1).await;
    let log = register(&stand, &["run.completed"]).await;
    ask(&stand, "POST", "/api/scrape", &stand.request(&["/a"])).await;
    until(&stand, &log, |log| delivered(log, "delivered") == 1).await;
    let listed = ask(&stand, "GET", "/v1/monitors", &Value::Null).await;
    assert_eq!(listed["monitors"].as_array().unwrap().len(), 1);
    stand.workers.close().await;
}

#[tokio::test]
async fn a_content_that_cannot_be_read_is_told_and_later_changes_are_seen_again() {
    let store = InMemoryStore::open();
    let stand = stand_on(&store).await;
    stand.workers.deliver();
    stand.workers.watch(TenantLimits::default());
    let log = register(&stand, &["monitor.failed", "monitor.changed"]).await;
    let monitor = watch_page(&stand).await;
    until(&stand, &monitor, |monitor| monitor["checks"] == 1).await;
    let id = monitor.rsplit('/').next().unwrap();
    let parts = format!("monitor-content/{id}");
    for part in store.records.list(&parts, "", 9).await.unwrap() {
        put(&store, &parts, &part.name, &part.value[1..]).await;
    }
    ask(&stand, "POST", &format!("{monitor}/check"), &json!({})).await;
    let failed = until(&stand, &monitor, |monitor| monitor["checks"] == 2).await;
    assert!(
        failed["error"].as_str().unwrap().contains("cannot be read"),
        "{failed}"
    );
    assert_eq!(failed["version"], 1, "nothing is made of it");
    let told = until(&stand, &log, |log| delivered(log, "delivered") == 1).await;
    assert_eq!(told["deliveries"][0]["event"], "monitor.failed");
    ask(&stand, "POST", &format!("{monitor}/check"), &json!({})).await;
    let well = until(&stand, &monitor, |monitor| monitor["checks"] == 3).await;
    assert_eq!((&well["error"], &well["version"]), (&Value::Null, &json!(1)));
    stand.workers.close().await;
}

#[tokio::test]
async fn monitors_whose_checks_are_runs_that_go_on_leave_the_others_their_turn() {
    let store = InMemoryStore::open();
    let stand = stand_on(&store).await;
    // Nobody does these runs.
    for _ in 0..65 {
        let scrape = json!({"assets": [stand.site.url("/lamps")], "columns": ["title"]});
        let body = json!({"scrape": scrape, "schedule": {"every": 86_400}});
        ask(&stand, "POST", "/v1/monitors", &body).await;
    }
    stand.workers.watch(TenantLimits::default());
    let monitor = watch_page(&stand).await;
    until(&stand, &monitor, |monitor| monitor["checks"] == 1).await;
    stand.workers.close().await;
}

/// Whether there is one left to take.
fn takes_one(left: &AtomicUsize) -> bool {
    let less = |left: usize| left.checked_sub(1);
    left.fetch_update(Ordering::SeqCst, Ordering::SeqCst, less)
        .is_ok()
}

fn away() -> Error {
    Error::Engine {
        reason: "no leader".into(),
    }
}

/// A log whose events cannot be read when that is set, or so many times, or whose reader panics so many times; how often that
/// was tried.
struct UnreadableLog {
    log: Arc<dyn EventLog>,
    is_unreadable: AtomicBool,
    refusals: AtomicUsize,
    panics: AtomicUsize,
    tries: AtomicUsize,
    /// The smallest number after which events were read.
    earliest: AtomicU64,
}

impl UnreadableLog {
    fn of(store: &mut Store) -> Arc<Self> {
        let log = Arc::new(Self {
            log: store.log.clone(),
            is_unreadable: AtomicBool::new(false),
            refusals: AtomicUsize::new(0),
            panics: AtomicUsize::new(0),
            tries: AtomicUsize::new(0),
            earliest: AtomicU64::new(u64::MAX),
        });
        store.log = log.clone();
        log
    }
}

#[async_trait]
impl EventLog for UnreadableLog {
    async fn append(&self, lease: &Lease, after: u64, entries: Vec<LogEntry>) -> Result<(), Error> {
        self.log.append(lease, after, entries).await
    }

    async fn finish(
        &self,
        lease: &Lease,
        after: u64,
        entries: Vec<LogEntry>,
        ending: RunEnd,
    ) -> Result<(), Error> {
        self.log.finish(lease, after, entries, ending).await
    }

    async fn read(&self, run: &RunId, after: u64, limit: usize) -> Result<Vec<LogEntry>, Error> {
        self.earliest.fetch_min(after, Ordering::SeqCst);
        assert!(!takes_one(&self.panics), "a fault of a test");
        if takes_one(&self.refusals) {
            return Err(away());
        }
        if !self.is_unreadable.load(Ordering::SeqCst) {
            return self.log.read(run, after, limit).await;
        }
        self.tries.fetch_add(1, Ordering::SeqCst);
        Err(Error::Damaged {
            reason: "of a test".into(),
        })
    }

    fn tail(&self, run: &RunId) -> watch::Receiver<u64> {
        self.log.tail(run)
    }
}

#[tokio::test]
async fn a_delivery_whose_message_cannot_be_made_rests_and_others_are_sent() {
    let mut store = InMemoryStore::open();
    let log = UnreadableLog::of(&mut store);
    let stand = stand_on(&store).await;
    stand.workers.start(2);
    let events = register(&stand, &["url_complete"]).await;
    ask(&stand, "POST", "/api/scrape", &stand.request(&["/a"])).await;
    // Messages of monitors are made of nothing else.
    let changes = register(&stand, &["monitor.failed"]).await;
    log.is_unreadable.store(true, Ordering::SeqCst);
    stand.workers.deliver();
    stand.workers.watch(TenantLimits::default());
    for number in 1..=5 {
        let body = json!({"url": stand.site.url("/none"), "schedule": {"every": 86_400}});
        ask(&stand, "POST", "/v1/monitors", &body).await;
        until(&stand, &changes, |log| delivered(log, "delivered") == number).await;
    }
    assert_eq!(log.tries.load(Ordering::SeqCst), 1);
    let waiting = ask(&stand, "GET", &events, &Value::Null).await;
    assert_eq!(delivered(&waiting, "pending"), 1);
    stand.workers.close().await;
}

#[tokio::test]
async fn deliveries_that_meet_a_fault_hold_up_no_other_to_their_endpoint() {
    let mut store = InMemoryStore::open();
    let log = UnreadableLog::of(&mut store);
    let stand = stand_on(&store).await;
    stand.workers.start(1);
    let events = register(&stand, &["url_complete"]).await;
    for path in ["/a", "/b", "/c", "/d"] {
        let begun = ask(&stand, "POST", "/api/scrape", &stand.request(&[path])).await;
        stand.ended(begun["session_id"].as_str().unwrap()).await;
    }
    log.panics.store(3, Ordering::SeqCst);
    stand.workers.deliver();
    until(&stand, &events, |log| delivered(log, "delivered") == 1).await;
    assert_eq!(log.panics.load(Ordering::SeqCst), 0);
    stand.workers.close().await;
}

/// A vault that cannot be read so many times.
struct AwayVault {
    vault: Arc<dyn Vault>,
    refusals: AtomicUsize,
}

#[async_trait]
impl Vault for AwayVault {
    async fn write(
        &self,
        key: &RecordKey,
        facts: &str,
        value: &str,
        condition: WriteCondition,
    ) -> Result<Option<u64>, Error> {
        self.vault.write(key, facts, value, condition).await
    }

    async fn read(&self, key: &RecordKey) -> Result<Option<Record>, Error> {
        if takes_one(&self.refusals) {
            return Err(away());
        }
        self.vault.read(key).await
    }

    async fn list(&self, owner: &str, kind: RecordKind) -> Result<Vec<RecordSummary>, Error> {
        self.vault.list(owner, kind).await
    }

    async fn delete(&self, key: &RecordKey) -> Result<bool, Error> {
        self.vault.delete(key).await
    }
}

#[tokio::test]
async fn a_store_that_is_away_for_a_moment_fails_no_run_that_begins() {
    let mut store = InMemoryStore::open();
    let vault = Arc::new(AwayVault {
        vault: store.vault.clone(),
        refusals: AtomicUsize::new(0),
    });
    store.vault = vault.clone();
    let stand = stand_on(&store).await;
    let host = stand.site.address().ip().to_string();
    let cookie = json!({"name": "sid", "value": "of-a-test", "domain": host, "path": "/", "expires": -1});
    let profile = json!({"name": "shop", "sites": [host], "storage_state": {"cookies": [cookie]}});
    ask(&stand, "POST", "/v1/profiles", &profile).await;
    let mut request = stand.request(&["/a"]);
    request["profile"] = json!("shop");
    let body = request.to_string();
    let begun = Ask::with_body("POST", "/api/scrape", body).header("prefer", "respond-async");
    let run: Value = begun.send(stand.at).await.json().await;
    vault.refusals.store(2, Ordering::SeqCst);
    stand.workers.start(1);
    let run = run["id"]
        .as_str()
        .or(run["session_id"].as_str())
        .unwrap()
        .to_owned();
    let ended = stand.ended(&run).await;
    assert_eq!(ended["status"], "completed", "{ended}");
    assert_eq!(vault.refusals.load(Ordering::SeqCst), 0);
    stand.workers.close().await;
}

#[tokio::test]
async fn a_log_that_is_away_for_a_moment_costs_a_run_that_begins_no_worker() {
    let mut store = InMemoryStore::open();
    let log = UnreadableLog::of(&mut store);
    let stand = stand_on(&store).await;
    let begun = ask(&stand, "POST", "/api/scrape", &stand.request(&["/a"])).await;
    let run = begun["session_id"].as_str().unwrap();
    log.refusals.store(1, Ordering::SeqCst);
    stand.workers.start(1);
    until(&stand, &format!("/v1/runs/{run}"), |run| {
        run["status"] == "completed"
    })
    .await;
    let job = store
        .jobs
        .summary(&RunId::parse(run).unwrap())
        .await
        .unwrap()
        .unwrap();
    assert_eq!((job.attempt, job.lost_workers), (1, 0));
    stand.workers.close().await;
}

#[tokio::test]
async fn who_asks_again_about_a_run_reads_of_its_log_what_is_new() {
    let mut store = InMemoryStore::open();
    let log = UnreadableLog::of(&mut store);
    let runs = WrittenRuns::on(store, ServerSettings::default()).await;
    let mut run = runs.scrape("read").await;
    let done = json!({"type": "url_complete", "url": "http://127.0.0.1:9/", "items": 2});
    let events: Vec<_> = (0..200).map(|_| ("url_complete", done.clone())).collect();
    run.tell(&events).await;
    let path = format!("/api/scrape/{}/status", run.id);
    let first = ask(&runs.stand, "GET", &path, &Value::Null).await;
    assert_eq!(first["extracted_count"], 400, "{first}");
    run.tell(&events[..3]).await;
    log.earliest.store(u64::MAX, Ordering::SeqCst);
    let second = ask(&runs.stand, "GET", &path, &Value::Null).await;
    assert_eq!(second["extracted_count"], 406, "{second}");
    assert!(log.earliest.swap(u64::MAX, Ordering::SeqCst) >= 200);
    let wait = json!({"name": "run_wait", "arguments": {"run_id": run.id, "wait_seconds": 0}});
    let waited = message(legacy("/mcp", "tools/call", &wait).send(runs.stand.at).await).await;
    assert!(told(&waited).0.contains("is still running"), "{waited}");
    assert!(log.earliest.load(Ordering::SeqCst) >= 153, "the last fifty");
}
