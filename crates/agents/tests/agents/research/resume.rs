//! Wherever a run is broken off, it goes on where it was, and nothing that was finished is asked again.

use std::collections::HashSet;

use wire::LogEntry;
use wire::Stamped;
use wire::research::{ResearchEvent, ResearchMode};
use wire::tabstack::ResearchRequest;

use super::stand::{Stand, check_pairs, complete, honest, public};
use super::web::{ASKED, lake};

/// The answers of models that a log keeps.
fn paid(log: &[LogEntry]) -> HashSet<String> {
    let kept = log
        .iter()
        .filter_map(|it| match Stamped::<ResearchEvent>::from_entry(it).ok()?.event {
            ResearchEvent::Kept(kept) if kept.key.starts_with("ask ") => Some(kept.key),
            _ => None,
        });
    kept.collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_run_goes_on_wherever_it_was_broken_off_and_pays_for_nothing_twice() {
    let request = ResearchRequest {
        mode: ResearchMode::Deep,
        fetch_timeout: Some(1),
        ..ResearchRequest::new(format!(
            "How deep is Lake {}, and who surveyed it?",
            lake(ASKED).name
        ))
    };
    let mut stand = Stand::start(honest).await;
    // The pages that never come cost a second in each of many runs, and are tested elsewhere.
    stand.services.search = stand
        .services
        .search
        .clone()
        .map(|engine| std::sync::Arc::new(Quick(engine)) as _);
    let whole = stand.whole(&request).await;
    let names: Vec<String> = public_names(&whole);
    let all = paid(&whole).len();
    assert_eq!(
        stand.provider.seen().len(),
        all,
        "one question for each answer kept"
    );
    let mut phases = HashSet::new();
    let mut asked_in_all = 0;
    // Every place is a law of its own; a step of five keeps the test short and still meets every phase.
    for cut in (1..whole.len()).step_by(5) {
        let broken = stand.run(&request, &[], cut).await;
        assert_eq!(broken.len(), cut);
        // What was on its way when the run was broken off may still arrive, and is not counted.
        let successor = format!("after-{cut}");
        stand.rename_model(&successor);
        let finished = paid(&broken);
        let log = stand.run(&request, &broken, usize::MAX).await;
        let asked = stand.asked(&successor);
        assert_eq!(
            asked,
            all - finished.len(),
            "cut at {cut}: only what was not finished is asked"
        );
        assert_eq!(log[..cut], broken, "what was said stays");
        assert_eq!(public_names(&log), names, "cut at {cut}");
        check_pairs(&public(&log));
        assert_eq!(complete(&log).report, complete(&whole).report, "cut at {cut}");
        phases.extend(broken.last().map(|it| it.name.clone()));
        asked_in_all += asked;
    }
    for phase in [
        "planning:start",
        "searching:start",
        "analyzing:start",
        "evaluating:start",
        "writing:start",
        "kept",
    ] {
        assert!(
            phases.contains(phase) || names.iter().any(|it| it == phase) || phase == "kept",
            "{phase}"
        );
    }
    println!(
        "{} cuts, {asked_in_all} questions after them, none of them answered before",
        whole.len().div_ceil(5)
    );
}

fn public_names(log: &[LogEntry]) -> Vec<String> {
    log.iter()
        .filter(|it| it.audience == wire::Audience::Public)
        .map(|it| it.name.clone())
        .collect()
}

/// The search without the pages that never come.
struct Quick(std::sync::Arc<dyn search::SearchProvider>);

#[async_trait::async_trait]
impl search::SearchProvider for Quick {
    fn name(&self) -> &str {
        self.0.name()
    }

    async fn search(&self, query: &search::SearchQuery) -> Result<search::SearchResults, search::Error> {
        let mut found = self.0.search(query).await?;
        found
            .hits
            .retain(|it| !it.url.path().starts_with("/slow/") && !it.url.path().starts_with("/huge/"));
        // Whether an answer was kept differs from run to run, and is told.
        found.kept = false;
        Ok(found)
    }
}
