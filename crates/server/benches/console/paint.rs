//! The first paint of the page of a run of 5,000 events, and what the page holds then.

use server::ServerSettings;

use crate::written_runs::WrittenRuns;
use crate::{EVENTS, events, js, middle_and_most, tab};

/// How often the page is opened.
const ROUNDS: usize = 15;

pub(crate) async fn first_paint() {
    let runs = WrittenRuns::start(ServerSettings::default()).await;
    let mut run = runs.scrape("a run of many events").await;
    for from in (0..EVENTS).step_by(500) {
        run.tell(&events(from, 500)).await;
    }
    let mut tab = tab().await;
    let (mut paints, mut answers, mut last) = (Vec::new(), Vec::new(), serde_json::Value::Null);
    for _ in 0..ROUNDS {
        let url = format!("http://{}/console/runs/{}", runs.stand.at, run.id)
            .parse()
            .unwrap();
        tab.goto(&url).await.unwrap();
        let seen = js(
            &mut *tab,
            "for (let i = 0; i < 200 && !performance.getEntriesByName('first-contentful-paint').length; i++) await new Promise(done => setTimeout(done, 10));\
             const [navigation] = performance.getEntriesByType('navigation');\
             return {paint: performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? null, answer: navigation.responseEnd,\
             bytes: navigation.encodedBodySize, nodes: document.getElementsByTagName('*').length, heap: performance.memory.usedJSHeapSize};",
        )
        .await;
        paints.push(seen["paint"].as_f64().expect("a first paint"));
        answers.push(seen["answer"].as_f64().expect("an answer"));
        last = seen;
    }
    let ((paint, slowest), (answer, slowest_answer)) = (middle_and_most(paints), middle_and_most(answers));
    println!(
        "paint: a run of {EVENTS} events, {ROUNDS} times: first contentful paint {paint:.0} ms, at most {slowest:.0} ms; \
         answer whole after {answer:.0} ms, at most {slowest_answer:.0} ms; {} elements, {:.0} kB of HTML, {:.1} MB of script heap",
        last["nodes"],
        last["bytes"].as_f64().unwrap_or_default() / 1e3,
        last["heap"].as_f64().unwrap_or_default() / 1e6,
    );
    tab.close().await;
}
