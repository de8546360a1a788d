//! A page that follows a run: how far it is behind at 200 events a second, and what it holds after many events.

use std::time::Duration;

use server::ServerSettings;
use tokio::time::{Instant, interval_at};

use crate::written_runs::{WrittenRuns, call};
use crate::{EVENTS, events, js, tab};

/// Events in a second, and for how many seconds.
const RATE: u64 = 200;
const SECONDS: u64 = 30;
/// Further events, as fast as they can be told, before memory is looked at again.
const FLOOD: usize = 20_000;

/// Notes when each row came onto the page; its text has the time at which it was told.
const NOTE: &str = "window.lags = []; new MutationObserver(changes => { for (const change of changes) for (const row of change.addedNodes) {\
    const told = /^told at (\\d+)/.exec(row.querySelector?.('.text')?.textContent ?? ''); if (told) window.lags.push(Date.now() - Number(told[1])); } })\
    .observe(document.querySelector('#timeline'), {childList: true}); return 1;";

pub(crate) async fn following() {
    let runs = WrittenRuns::start(ServerSettings::default()).await;
    let mut run = runs.scrape("a run that is followed").await;
    for from in (0..EVENTS).step_by(500) {
        run.tell(&events(from, 500)).await;
    }
    let mut tab = tab().await;
    let url = format!("http://{}/console/runs/{}", runs.stand.at, run.id)
        .parse()
        .unwrap();
    tab.goto(&url).await.unwrap();
    js(&mut *tab, NOTE).await;
    let mut ticks = interval_at(Instant::now(), Duration::from_micros(1_000_000 / RATE));
    for _ in 0..RATE * SECONDS {
        ticks.tick().await;
        let told = format!("told at {}", jiff::Timestamp::now().as_millisecond());
        run.tell(&[call("category.tool", &told)]).await;
    }
    let count = RATE * SECONDS;
    let wait = format!(
        "for (let i = 0; i < 500 && window.lags.length < {count}; i++) await new Promise(done => setTimeout(done, 10));\
         const lags = window.lags.sort((a, b) => a - b); const at = part => lags[Math.min(lags.length - 1, Math.floor(lags.length * part))];\
         return {{count: lags.length, middle: at(0.5), p99: at(0.99), most: at(1), rows: document.querySelectorAll('#timeline .row').length,\
         heap: performance.memory.usedJSHeapSize}};"
    );
    let seen = js(&mut *tab, &wait).await;
    println!(
        "live: {RATE} events a second for {SECONDS} s on the page of a run that had {EVENTS}: {} of {count} rows came, behind by {} ms \
         (99 of 100 by {}, at most {}); {} rows on the page, {:.1} MB of script heap",
        seen["count"],
        seen["middle"],
        seen["p99"],
        seen["most"],
        seen["rows"],
        seen["heap"].as_f64().unwrap_or_default() / 1e6,
    );
    for from in (0..FLOOD).step_by(500) {
        run.tell(&events(EVENTS + from, 500)).await;
    }
    let last = run.seq;
    let look = "await new Promise(done => setTimeout(done, 200)); return {seq: Number(document.querySelector('#seq').textContent.replace(/\\D/g, '')),\
        rows: document.querySelectorAll('#timeline .row').length, nodes: document.getElementsByTagName('*').length,\
        heap: performance.memory.usedJSHeapSize};";
    let mut seen = js(&mut *tab, look).await;
    for _ in 0..300 {
        if seen["seq"].as_u64() >= Some(last) {
            break;
        }
        // A page that is busy with rows gives its answer late.
        if let Ok(now) = tab.evaluate(look, &[], 10_000).await {
            seen = now;
        }
    }
    println!(
        "live: after {FLOOD} further events at once: event {} of {last} is shown; {} rows and {} elements on the page, {:.1} MB of script heap",
        seen["seq"],
        seen["rows"],
        seen["nodes"],
        seen["heap"].as_f64().unwrap_or_default() / 1e6,
    );
    tab.close().await;
}
