//! What goes wrong while somebody looks: a session that ends, a run that is deleted, a stream that is cut, a server that is
//! started again, and events of a newer version.

use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use browser::Tab;
use runtime::config::Secret;
use serde_json::{Value, json};
use server::ServerSettings;
use tokio::net::{TcpListener, TcpStream};
use tokio_util::sync::CancellationToken;

use crate::client::Ask;
use crate::console::{js, tab, until, visit};
use crate::written_runs::{WrittenRun, WrittenRuns, call};

const KEY: &str = "a-key-for-the-console";

/// Begins to look at a run in a tab of a server at an address.
async fn watch(tab: &mut dyn Tab, at: SocketAddr, run: &WrittenRun) {
    let url = format!("http://{at}/console/runs/{}", run.id).parse().unwrap();
    tab.goto(&url).await.unwrap();
    until(tab, "document.querySelector('#live')?.hidden === false && !document.querySelector('#live').classList.contains('broken')").await;
}

/// The names of the tools on the timeline, in their order.
async fn tools(tab: &mut dyn Tab) -> Value {
    js(
        tab,
        "return [...document.querySelectorAll('#timeline .head')].map(it => it.textContent);",
    )
    .await
}

/// Waits until the timeline has a call of this tool.
async fn until_tool(tab: &mut dyn Tab, tool: &str) {
    let shown =
        format!("[...document.querySelectorAll('#timeline .head')].some(it => it.textContent === '{tool}')");
    until(tab, &shown).await;
}

#[tokio::test]
#[ignore = "needs a browser"]
async fn a_session_that_ends_leads_to_the_login_and_back_to_the_same_page() {
    let settings = ServerSettings {
        api_keys: vec![KEY.parse::<Secret>().unwrap()],
        ..ServerSettings::default()
    };
    let runs = WrittenRuns::start(settings).await;
    let mut tab = tab().await;
    let log_in = format!(
        "document.querySelector('#key').value = '{KEY}'; document.querySelector('form.stack').requestSubmit(); return 1;"
    );
    visit(&mut *tab, &runs.stand, "/console/new?kind=research").await;
    until(&mut *tab, "location.pathname === '/console/login'").await;
    js(&mut *tab, &log_in).await;
    until(
        &mut *tab,
        "location.pathname === '/console/new' && document.querySelector('#new-run')",
    )
    .await;
    // The session ends elsewhere; here the form is still open.
    js(&mut *tab, "await fetch('/console/logout', {method: 'POST', body: new URLSearchParams(), redirect: 'manual'}); return 1;").await;
    js(&mut *tab, "document.querySelector('#new-run textarea, #new-run input:not([type=hidden])').value = 'x'; document.querySelector('#new-run').submit(); return 1;").await;
    until(
        &mut *tab,
        "location.pathname === '/console/login' && document.querySelector('#key')",
    )
    .await;
    js(&mut *tab, &log_in).await;
    until(
        &mut *tab,
        "location.pathname + location.search === '/console/new?kind=research'",
    )
    .await;
    tab.close().await;
}

#[tokio::test]
async fn only_our_own_forms_lead_to_the_login_and_only_back_to_the_console() {
    let settings = ServerSettings {
        api_keys: vec![KEY.parse::<Secret>().unwrap()],
        ..ServerSettings::default()
    };
    let runs = WrittenRuns::start(settings).await;
    let sent = |site: &str, referer: &str| {
        let form = Ask::form("/console/monitors", "url=x");
        let form = form.header("sec-fetch-site", site).header("accept", "text/html");
        form.header("referer", referer).send(runs.stand.at)
    };
    let away = sent("same-origin", "http://127.0.0.1/console/monitors?a=1").await;
    let login = "/console/login?next=%2Fconsole%2Fmonitors%3Fa%3D1";
    assert_eq!((away.status, away.header("location")), (303, Some(login)));
    assert_eq!(
        sent("cross-site", "http://127.0.0.1/console/monitors")
            .await
            .status,
        401
    );
    let elsewhere = Ask::get("/console/login?next=%2F%2Fevil.example%2Fconsole")
        .send(runs.stand.at)
        .await
        .text()
        .await;
    assert!(!elsewhere.contains("evil.example\""), "{elsewhere}");
}

#[tokio::test]
#[ignore = "needs a browser"]
async fn a_run_that_is_deleted_while_it_is_looked_at_says_so() {
    let runs = WrittenRuns::start(ServerSettings::default()).await;
    let mut run = runs.scrape("to be deleted").await;
    run.tell(&[call("before", "one")]).await;
    let mut tab = tab().await;
    watch(&mut *tab, runs.stand.at, &run).await;
    run.end(
        "complete",
        json!({"type": "complete", "data": {"status": "completed"}}),
        json!({}),
    )
    .await;
    until(&mut *tab, "document.querySelector('#notice')?.hidden === false").await;
    let id = wire::RunId::parse(&run.id).unwrap();
    assert!(runs.stand.service.delete(None, &id).await.unwrap());
    // What is on the page stays there; whatever is asked for next says that the run is gone.
    assert_eq!(
        tools(&mut *tab).await.as_array().unwrap().first(),
        Some(&json!("before"))
    );
    js(
        &mut *tab,
        "document.querySelector('.tabs a[href*=raw]').click(); return 1;",
    )
    .await;
    until(
        &mut *tab,
        "document.body.innerText.includes('NOT_FOUND') && document.body.innerText.includes('deleted')",
    )
    .await;
    tab.close().await;
}

/// A way to a server that can be cut.
struct Passage {
    at: SocketAddr,
    open: Arc<AtomicBool>,
    cut: Arc<std::sync::Mutex<CancellationToken>>,
}

impl Passage {
    async fn to(listener: TcpListener, server: SocketAddr) -> Self {
        let at = listener.local_addr().unwrap();
        let (open, cut) = (
            Arc::new(AtomicBool::new(true)),
            Arc::new(std::sync::Mutex::new(CancellationToken::new())),
        );
        let (is_open, cut_now) = (Arc::clone(&open), Arc::clone(&cut));
        tokio::spawn(async move {
            while let Ok((mut client, _)) = listener.accept().await {
                let cut = cut_now.lock().unwrap().clone();
                if !is_open.load(Ordering::SeqCst) {
                    continue;
                }
                tokio::spawn(async move {
                    let mut behind = TcpStream::connect(server).await.unwrap();
                    tokio::select! {
                        _ = tokio::io::copy_bidirectional(&mut client, &mut behind) => {}
                        () = cut.cancelled() => {}
                    }
                });
            }
        });
        Self { at, open, cut }
    }

    /// Cuts every connection; new ones are closed at once until it is opened again.
    fn cut(&self) {
        self.open.store(false, Ordering::SeqCst);
        std::mem::take(&mut *self.cut.lock().unwrap()).cancel();
    }

    fn open(&self) {
        self.open.store(true, Ordering::SeqCst);
    }
}

#[tokio::test]
#[ignore = "needs a browser"]
async fn a_stream_that_is_cut_goes_on_without_a_gap_or_a_row_twice() {
    let runs = WrittenRuns::start(ServerSettings::default()).await;
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let passage = Passage::to(listener, runs.stand.at).await;
    let mut run = runs.scrape("a run with a broken stream").await;
    run.tell(&[call("tool-1", "x")]).await;
    let mut tab = tab().await;
    watch(&mut *tab, passage.at, &run).await;
    for round in 1..=3 {
        passage.cut();
        until(
            &mut *tab,
            "document.querySelector('#live').classList.contains('broken')",
        )
        .await;
        run.tell(&[
            call(&format!("tool-{}", round * 2), "x"),
            call(&format!("tool-{}", round * 2 + 1), "x"),
        ])
        .await;
        passage.open();
        until_tool(&mut *tab, &format!("tool-{}", round * 2 + 1)).await;
    }
    let expected: Vec<String> = (1..=7).map(|number| format!("tool-{number}")).collect();
    assert_eq!(tools(&mut *tab).await, json!(expected));
    assert_eq!(
        js(
            &mut *tab,
            "return document.querySelector('#live').classList.contains('broken');"
        )
        .await,
        false
    );
    tab.close().await;
}

#[tokio::test]
#[ignore = "needs a browser"]
async fn a_page_goes_on_when_its_server_is_started_again() {
    let runs = WrittenRuns::start(ServerSettings::default()).await;
    let mut run = runs.scrape("a run that outlives its server").await;
    run.tell(&[call("before", "x")]).await;
    let mut tab = tab().await;
    watch(&mut *tab, runs.stand.at, &run).await;
    let runs = runs.restart(ServerSettings::default()).await;
    run.tell(&[call("meanwhile", "x")]).await;
    until_tool(&mut *tab, "meanwhile").await;
    run.tell(&[call("after", "x")]).await;
    until_tool(&mut *tab, "after").await;
    assert_eq!(tools(&mut *tab).await, json!(["before", "meanwhile", "after"]));
    assert_eq!(runs.stand.get("/console/runs").await.status, 200);
    tab.close().await;
}

#[tokio::test]
#[ignore = "needs a browser"]
async fn events_of_a_newer_version_are_shown_as_they_are() {
    let runs = WrittenRuns::start(ServerSettings::default()).await;
    let mut run = runs.scrape("a run of a newer version").await;
    let strange = json!({"type": "teleport", "data": {"to": "the moon", "depth": [1, {"two": null}]}});
    let action = json!({"type": "step", "data": {"action": "dream", "status": "lucid", "url": 7}});
    run.tell(&[
        ("teleport", strange.clone()),
        ("step", action.clone()),
        ("step", json!([1, 2])),
        ("", json!(null)),
    ])
    .await;
    let shown = runs
        .stand
        .get(&format!("/console/runs/{}", run.id))
        .await
        .text()
        .await;
    assert!(
        shown.contains("teleport") && shown.contains("the moon") && shown.contains("dream"),
        "{shown}"
    );
    let mut tab = tab().await;
    watch(&mut *tab, runs.stand.at, &run).await;
    run.tell(&[("teleport", strange), ("step", action), call("known", "x")])
        .await;
    until_tool(&mut *tab, "known").await;
    let rows = js(&mut *tab, "return [...document.querySelectorAll('#timeline .row.unknown')].map(it => it.querySelector('.head').textContent + it.querySelector('.context').textContent);").await;
    let told: Vec<&str> = rows
        .as_array()
        .unwrap()
        .iter()
        .filter_map(Value::as_str)
        .collect();
    assert_eq!(
        told.iter().filter(|it| it.contains("the moon")).count(),
        2,
        "{told:?}"
    );
    assert_eq!(
        told.iter().filter(|it| it.contains("lucid")).count(),
        2,
        "{told:?}"
    );
    let raw = runs
        .stand
        .get(&format!("/console/runs/{}?view=raw", run.id))
        .await
        .text()
        .await;
    assert!(raw.contains("teleport") && raw.contains("the moon"), "{raw}");
    tab.close().await;
}
