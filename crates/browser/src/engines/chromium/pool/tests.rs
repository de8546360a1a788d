//! Tests of the pool with real browsers.

use rustix::process::{Pid, Signal, WaitId, WaitIdOptions, kill_process, waitid};
use serde::{Deserialize, Serialize};
use testkit::chromium::has_sandbox;

use super::super::cdp::{BROWSER_SESSION, CdpCommand};
use super::super::launch::find;
use super::super::pooled_browser::CONTEXTS_IN_LIFE;
use super::super::tab::ChromiumTab;
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

fn process(pid: u32) -> Pid {
    i32::try_from(pid).ok().and_then(Pid::from_raw).unwrap()
}

/// Lets a browser stand still, or go on.
fn signal(pid: u32, signal: Signal) {
    kill_process(process(pid), signal).unwrap();
}

/// Whether a process of ours, which is not reaped yet, has ended.
fn has_exited(pid: u32) -> bool {
    let options = WaitIdOptions::EXITED | WaitIdOptions::NOWAIT | WaitIdOptions::NOHANG;
    waitid(WaitId::Pid(process(pid)), options).unwrap().is_some()
}

/// Writes a program.
fn script(path: &std::path::Path, text: &str) {
    use std::os::unix::fs::PermissionsExt as _;
    std::fs::write(path, text).unwrap();
    std::fs::set_permissions(path, std::fs::Permissions::from_mode(0o700)).unwrap();
}

/// Lets the time of waits pass, and no more of it than that, until a browser gets no more contexts.
async fn until_worn_out(browser: &PooledBrowser) {
    for _ in 0..60 {
        if browser.is_worn_out() {
            return;
        }
        tokio::time::advance(Duration::from_secs(1)).await;
    }
    panic!("it still gets contexts");
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
async fn a_browser_that_is_slow_gets_no_more_contexts_and_ends_with_its_last() {
    let pool = pool(settings(1));
    let other_run = pool.claim().await;
    let slow = other_run.connected().await.unwrap();
    signal(slow.pid().unwrap(), Signal::STOP);
    tokio::time::pause();
    let opening = open(&pool);
    until("a context is being opened", || contexts(&pool) == 2).await;
    let pooled = pool.state().browsers[0].clone();
    until_worn_out(&pooled).await;
    // It gives its version.
    signal(slow.pid().unwrap(), Signal::CONT);
    until("the context is opened", || opening.is_finished()).await;
    tokio::time::resume();
    let context = opening.await.unwrap().unwrap();
    assert!(!Arc::ptr_eq(context.browser(), &slow));
    assert!(!slow.connection.is_closed());
    assert!(!has_exited(slow.pid().unwrap()));
    drop(other_run);
    slow.connection.closed().await;
}

#[tokio::test]
async fn a_browser_that_opens_no_pages_is_left_for_another_one_and_keeps_its_other_contexts() {
    let folder = tempfile::tempdir().unwrap();
    let chromium = find(settings(1).program.as_deref()).unwrap();
    let [program, mute, mark] = ["chromium", "mute", "mark"].map(|name| folder.path().join(name));
    // The pages of the first browser have processes that never answer.
    script(&mute, "#!/bin/sh\nexec sleep 100\n");
    script(
        &program,
        &format!(
            "#!/bin/sh\nmkdir '{}' 2>/dev/null && exec '{chromium}' \"$@\" --renderer-cmd-prefix='{}'\nexec '{chromium}' \"$@\"\n",
            mark.display(),
            mute.display(),
            chromium = chromium.display(),
        ),
    );
    let pool = pool(ChromiumSettings {
        program: Some(program),
        ..settings(1)
    });
    let other_run = pool.claim().await;
    let slow = other_run.connected().await.unwrap();
    tokio::time::pause();
    let opening = tokio::spawn(ChromiumTab::open(pool.clone(), Profile::default()));
    until("its context is there", || slow.router.contexts() == 1).await;
    let pooled = pool.state().browsers[0].clone();
    until_worn_out(&pooled).await;
    until("the tab is open", || opening.is_finished()).await;
    tokio::time::resume();
    let tab = opening.await.unwrap().unwrap();
    assert!(!Arc::ptr_eq(tab.context.as_ref().unwrap().browser(), &slow));
    assert!(!slow.connection.is_closed());
}

#[tokio::test]
async fn a_browser_that_hangs_is_ended_although_it_has_contexts() {
    let pool = pool(settings(1));
    let other_run = open(&pool).await.unwrap().unwrap();
    let hung = other_run.browser().clone();
    let pid = hung.pid().unwrap();
    signal(pid, Signal::STOP);
    tokio::time::pause();
    let opening = open(&pool);
    until("a context is being opened", || contexts(&pool) == 2).await;
    let pooled = pool.state().browsers[0].clone();
    until_worn_out(&pooled).await;
    // The other browser is there before the time for the version has passed.
    until("the context is opened", || opening.is_finished()).await;
    tokio::time::advance(Duration::from_secs(11)).await;
    until("its process has ended", || has_exited(pid)).await;
    tokio::time::resume();
    let context = opening.await.unwrap().unwrap();
    assert_eq!(pool.processes(), [context.browser().pid().unwrap()]);
}

#[tokio::test]
async fn a_closed_browser_is_ended_although_it_hangs_and_has_contexts() {
    let pool = pool(settings(1));
    let context = open(&pool).await.unwrap().unwrap();
    let pid = context.browser().pid().unwrap();
    signal(pid, Signal::STOP);
    context.browser().connection.close();
    until("its process has ended", || has_exited(pid)).await;
}

#[tokio::test]
async fn while_long_runs_keep_worn_out_browsers_others_take_their_places_and_nobody_waits() {
    let pool = pool(settings(1));
    let mut long_runs = Vec::new();
    for _ in 0..2 {
        long_runs.push(pool.claim().await);
        while !pool.state().browsers.last().unwrap().is_worn_out() {
            drop(pool.claim().await);
        }
    }
    let claim = pool.claim().now_or_never();
    let shared = claim.expect("nobody waits").connected().await.unwrap();
    let mut all = Vec::new();
    for run in &long_runs {
        all.push(run.connected().await.unwrap());
    }
    assert!(!Arc::ptr_eq(&all[0], &all[1]));
    assert!(all.iter().any(|browser| Arc::ptr_eq(browser, &shared)));
}

#[tokio::test]
async fn a_program_that_does_not_answer_keeps_nobody_else_waiting() {
    let folder = tempfile::tempdir().unwrap();
    let program = folder.path().join("mute");
    script(&program, "#!/bin/sh\nexec sleep 1000\n");
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
