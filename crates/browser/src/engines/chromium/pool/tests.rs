//! Tests of the pool with real browsers.

use rustix::process::{Pid, Signal, kill_process};
use serde::{Deserialize, Serialize};
use testkit::chromium::has_sandbox;

use super::super::cdp::{BROWSER_SESSION, CdpCommand};
use super::super::pooled_browser::CONTEXTS_IN_LIFE;
use super::*;

#[derive(Serialize)]
struct GetBrowserContexts {}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct BrowserContexts {
    browser_context_ids: Vec<String>,
}

impl CdpCommand for GetBrowserContexts {
    const METHOD: &'static str = "Target.getBrowserContexts";
    type Response = BrowserContexts;
}

/// Settings for a real browser.
fn settings(browsers: usize) -> ChromiumSettings {
    ChromiumSettings {
        program: testkit::chromium::settings().program,
        sandbox: has_sandbox(),
        browsers,
        ..ChromiumSettings::default()
    }
}

fn pool(settings: ChromiumSettings) -> Arc<BrowserPool> {
    BrowserPool::new(Client::new(net::ClientConfig::default()).unwrap(), settings)
}

/// Lets a browser stand still, or go on.
fn signal(pid: u32, signal: Signal) {
    let pid = i32::try_from(pid).ok().and_then(Pid::from_raw).unwrap();
    kill_process(pid, signal).unwrap();
}

/// Begins to open a context.
fn open(pool: &Arc<BrowserPool>) -> tokio::task::JoinHandle<Result<BrowserContext, Error>> {
    let pool = pool.clone();
    tokio::spawn(async move {
        let (profile, budget) = (Profile::default(), Arc::default());
        let opened = pool.context(&profile, &budget, 0, &mut Vec::new()).await;
        opened.map(|(context, _)| context)
    })
}

/// Waits until something holds.
async fn until(what: &str, mut holds: impl FnMut() -> bool) {
    let end = std::time::Instant::now() + Duration::from_secs(60);
    while !holds() {
        assert!(std::time::Instant::now() < end, "it never is so: {what}");
        tokio::task::yield_now().await;
    }
}

/// Contexts in all browsers.
fn contexts(pool: &BrowserPool) -> usize {
    pool.state()
        .browsers
        .iter()
        .map(|browser| browser.contexts())
        .sum()
}

#[tokio::test]
async fn an_opening_that_is_given_up_leaves_no_context_behind() {
    let pool = pool(settings(1));
    let browser = pool.claim().await.connected().await.unwrap();
    let pid = browser.pid().unwrap();
    signal(pid, Signal::STOP);
    let opening = open(&pool);
    until("a context is being opened", || contexts(&pool) == 1).await;
    opening.abort();
    assert!(opening.await.err().unwrap().is_cancelled());
    signal(pid, Signal::CONT);
    until("its place is free", || contexts(&pool) == 0).await;
    let left = browser.connection.call(BROWSER_SESSION, &GetBrowserContexts {});
    assert_eq!(left.receive().await.unwrap().browser_context_ids, [""; 0]);
    assert_eq!(pool.slots.available_permits(), CONTEXTS_PER_BROWSER);
}

#[tokio::test]
async fn a_browser_that_stands_still_is_ended_and_another_one_takes_the_context() {
    let pool = pool(settings(2));
    let mut claims = Vec::new();
    for _ in 0..=CONTEXTS_PER_BROWSER {
        claims.push(pool.claim().await);
    }
    let still = claims[0].connected().await.unwrap();
    let other = claims[CONTEXTS_PER_BROWSER].connected().await.unwrap();
    drop(claims);
    signal(still.pid().unwrap(), Signal::STOP);
    // The time of the wait passes at once.
    tokio::time::pause();
    let opening = open(&pool);
    still.connection.closed().await;
    tokio::time::resume();
    let context = opening.await.unwrap().unwrap();
    assert!(Arc::ptr_eq(context.browser(), &other));
    until("it has left the pool", || pool.state().browsers.len() == 1).await;
}

#[tokio::test]
async fn a_worn_out_browser_gets_no_more_contexts_and_ends_with_its_last() {
    let pool = pool(settings(1));
    let last = pool.claim().await;
    let worn_out = last.connected().await.unwrap();
    for _ in 1..CONTEXTS_IN_LIFE {
        drop(pool.claim().await);
    }
    let next = pool.claim().await.connected().await.unwrap();
    assert!(!Arc::ptr_eq(&next, &worn_out));
    assert_eq!(pool.processes().len(), 2);
    drop(last);
    worn_out.connection.closed().await;
    assert_eq!(pool.processes(), [next.pid().unwrap()]);
}

#[tokio::test]
async fn a_program_that_does_not_answer_keeps_nobody_else_waiting() {
    use std::os::unix::fs::PermissionsExt as _;
    let folder = tempfile::tempdir().unwrap();
    let program = folder.path().join("mute");
    std::fs::write(&program, "#!/bin/sh\nexec sleep 1000\n").unwrap();
    std::fs::set_permissions(&program, std::fs::Permissions::from_mode(0o700)).unwrap();
    let pool = pool(ChromiumSettings {
        program: Some(program),
        folder: folder.path().join("profiles"),
        ..settings(1)
    });
    let profiles = || std::fs::read_dir(folder.path().join("profiles")).map_or(0, Iterator::count);
    let openings = [open(&pool), open(&pool)];
    until("it is being launched", || profiles() == 1).await;
    assert_eq!(pool.processes(), [0; 0]);
    assert!(openings.iter().all(|opening| !opening.is_finished()));
    // Both wait for one launch, and are told of its end.
    pool.stop();
    for opening in openings {
        let refused = opening.await.unwrap().err().unwrap();
        assert_eq!(refused, Error::Unavailable("the engine was stopped".into()));
    }
    until("its folder is gone", || profiles() == 0).await;
}
