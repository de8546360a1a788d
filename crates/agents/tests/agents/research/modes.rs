//! A whole run in each mode: every event, in order, as clients get it.

use std::sync::atomic::{AtomicUsize, Ordering};

use serde_json::{Value, json};
use wire::research::{ResearchEvent, ResearchMode};
use wire::tabstack::ResearchRequest;
use wire::{Event as _, LogEntry};

use super::stand::{Stand, check_pairs, complete, honest, public};
use super::web::{ASKED, lake};

fn request(mode: ResearchMode) -> ResearchRequest {
    let name = lake(ASKED).name;
    ResearchRequest {
        mode,
        fetch_timeout: Some(2),
        ..ResearchRequest::new(format!("How deep is Lake {name}, and who surveyed it?"))
    }
}

/// The schema made of our types, and the contract's own where it is at hand.
fn schemas() -> Vec<jsonschema::Validator> {
    let own = concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/../wire/schemas/research-events.json"
    );
    let folder = std::env::var_os("HUNTSMAN_CONTRACT_DIR").map(std::path::PathBuf::from);
    let contract = folder.map(|it| it.join("research-events.schema.json"));
    let read = |path: std::path::PathBuf| {
        let schema: Value = serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap();
        jsonschema::validator_for(&schema).unwrap()
    };
    [own.into()].into_iter().chain(contract).map(read).collect()
}

/// The log as a text that is the same in every run: no times, no ports, and of long lists the beginning.
fn transcript(entries: &[LogEntry], site: &str) -> String {
    let public = entries.iter().filter(|it| it.audience == wire::Audience::Public);
    let line = |entry: &LogEntry| {
        let mut body: Value =
            serde_json::from_str(&entry.data.replace(site, "http://lakes.example")).unwrap();
        body.as_object_mut().unwrap().shift_remove("timestamp");
        for place in ["/metadata/metrics/totalDuration", "/metadata/metrics/tokens"] {
            if let Some(value) = body.pointer_mut(place) {
                *value = json!("…");
            }
        }
        for phase in body
            .pointer_mut("/metadata/metrics/phases")
            .and_then(Value::as_object_mut)
            .into_iter()
            .flat_map(|it| it.values_mut())
        {
            *phase = json!("…");
        }
        if let Some(samples) = body.get_mut("samples").and_then(Value::as_array_mut) {
            samples.truncate(3);
        }
        let complete = entry.name == "complete";
        let shown = if complete {
            serde_json::to_string_pretty(&body).unwrap()
        } else {
            body.to_string()
        };
        format!("{} {shown}", entry.name)
    };
    public.map(line).collect::<Vec<_>>().join("\n")
}

async fn golden(mode: ResearchMode) -> String {
    let stand = Stand::start(honest).await;
    let log = stand.whole(&request(mode)).await;
    let (events, schemas) = (public(&log), schemas());
    check_pairs(&events);
    for entry in log.iter().filter(|it| it.audience == wire::Audience::Public) {
        let data: Value = serde_json::from_str(&entry.data).unwrap();
        let frame = json!({"event": entry.name, "data": data});
        assert!(schemas.iter().all(|it| it.is_valid(&frame)), "{frame}");
    }
    let done = complete(&log);
    let (report, told) = (&done.report, &done.metadata);
    assert!(
        !report.contains("evil.example") && !report.contains("9999 metres"),
        "{report}"
    );
    let citations = told.citations.unwrap();
    assert_eq!(citations.checked, citations.supported + citations.dropped);
    assert!(
        citations.supported >= 2 && citations.dropped >= 2,
        "{citations:?}"
    );
    let metrics = told.metrics.as_ref().unwrap();
    // The first pages of a search are good ones; the others are met by whoever reads on.
    let met = metrics.robots_blocked >= 1 && metrics.success_rates.fetches.get() < 1.0;
    assert!(mode == ResearchMode::Fast || met, "{metrics:?}");
    let fetched = stand
        .site
        .asked()
        .iter()
        .filter(|it| it.path.starts_with("/private/"))
        .count();
    assert_eq!(fetched, 0, "robots.txt is obeyed");
    let document = told
        .cited_pages
        .iter()
        .flatten()
        .find(|it| it.url.ends_with(".pdf"));
    assert!(document.is_some(), "PDF documents are read and cited: {report}");
    assert_eq!(stand.provider.faults(), Vec::<String>::new());
    // A page in the order of its first citation, and no source without one.
    let cited = told.cited_pages.as_ref().unwrap();
    let mut places: Vec<usize> = cited
        .iter()
        .map(|it| report.find(&format!("[{}]", it.id)).unwrap())
        .collect();
    assert!(places.is_sorted() && cited.iter().all(|it| !it.claims.is_empty()));
    places.dedup();
    assert_eq!(places.len(), cited.len());
    if metrics.iterations > 1 {
        let copies = cited.iter().filter(|it| it.url.contains("/copy/")).count();
        let disputed = told.notes.iter().any(|it| it.contains("near copies"));
        assert!(copies == 0 || disputed, "{:?}", told.notes);
    }
    transcript(&log, &stand.site.url(""))
}

#[tokio::test(flavor = "multi_thread")]
async fn a_fast_run() {
    insta::assert_snapshot!(golden(ResearchMode::Fast).await);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_balanced_run() {
    insta::assert_snapshot!(golden(ResearchMode::Balanced).await);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_deep_run() {
    insta::assert_snapshot!(golden(ResearchMode::Deep).await);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_max_run() {
    insta::assert_snapshot!(golden(ResearchMode::Max).await);
}

#[tokio::test(flavor = "multi_thread")]
async fn an_ultra_run() {
    insta::assert_snapshot!(golden(ResearchMode::Ultra).await);
}

#[tokio::test(flavor = "multi_thread")]
async fn without_a_model_the_sources_are_quoted_and_the_report_says_so() {
    let mut stand = Stand::start(honest).await;
    stand.services.models = None;
    for mode in [ResearchMode::Fast, ResearchMode::Deep] {
        let log = stand.whole(&request(mode)).await;
        check_pairs(&public(&log));
        let done = complete(&log);
        assert!(done.report.contains("no model wrote this"), "{}", done.report);
        assert!(done.report.contains("metres deep"), "{}", done.report);
        assert!(stand.provider.seen().is_empty());
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_run_whose_budget_is_spent_writes_from_what_it_has_and_says_so() {
    let mut stand = Stand::start(honest).await;
    // 15 tokens an answer: this is spent in the first loop.
    stand.services.research.tokens = Some(200);
    let log = stand.whole(&request(ResearchMode::Ultra)).await;
    let (events, done) = (public(&log), complete(&log));
    check_pairs(&events);
    assert!(
        done.metadata.notes.iter().any(|it| it.contains("budget")),
        "{:?}",
        done.metadata.notes
    );
    assert!(done.metadata.metrics.unwrap().iterations < 3);
    assert!(!done.metadata.cited_pages.unwrap().is_empty());
    let spent: u64 = stand.provider.seen().len() as u64 * 15;
    // Questions that are on their way when the last token is spent are answered, and paid, too.
    let under_way = 15 * (agents::research::ResearchEffort::of(ResearchMode::Ultra).at_once as u64 - 1);
    assert!(spent <= 200 + under_way, "{spent} tokens of 200");
}

#[tokio::test(flavor = "multi_thread")]
async fn what_cannot_be_found_or_asked_ends_with_its_name() {
    let mut stand = Stand::start(honest).await;
    let name = |log: &[LogEntry]| match public(log).pop() {
        Some(ResearchEvent::Error(error)) => error.error.name,
        other => panic!("{other:?}"),
    };
    let question = ResearchRequest::new("How deep is the lake?");
    let down = search::ProviderSettings {
        url: Some("http://127.0.0.1:9/".parse().unwrap()),
        key: None,
    };
    let search = stand.services.search.clone();
    stand.services.search = Some(search::named("searxng", &down, stand.services.client.clone()).unwrap());
    let log = stand.whole(&question).await;
    check_pairs(&public(&log));
    assert_eq!(name(&log), "SEARCH_FAILED");
    // With a page at hand the run goes on without the search.
    let named = ResearchRequest::new(format!(
        "What does {} say of the depth?",
        stand.site.url("/lake/7")
    ));
    let done = complete(&stand.whole(&named).await);
    assert!(
        done.metadata.notes.iter().any(|it| it.contains("searxng")),
        "{:?}",
        done.metadata.notes
    );
    assert_eq!(done.metadata.url_sources.unwrap().user_provided, 1);
    stand.services.search = None;
    let error = agents::research::check(&question, &stand.services).unwrap_err();
    for way in ["HUNTSMAN_SEARCH_PROVIDER", "sources", "huntsman index add"] {
        assert!(error.message.contains(way), "{}", error.message);
    }
    assert!(agents::research::check(&named, &stand.services).is_ok());
    stand.services.search = search;
    let refusing = testkit::ScriptedProvider::start(|_, _| {
        let body = r#"{"error":{"message":"Incorrect API key provided","code":"invalid_api_key"}}"#;
        testkit::ProviderAnswer::Raw(testkit::SiteReply::bytes("application/json", body).status(401))
    })
    .await;
    let network = llm::transport::Network::new(stand.services.client.clone());
    let settings = refusing.settings(llm::wires::Wire::OpenAiChat);
    stand.services.models = Some(llm::Models::new(settings, std::sync::Arc::new(network)));
    let log = stand.whole(&question).await;
    check_pairs(&public(&log));
    assert_eq!(name(&log), "MODEL_UNAUTHORIZED");
    assert!(public(&log).last().unwrap().is_terminal());
}

#[tokio::test(flavor = "multi_thread")]
async fn a_second_draft_that_answers_less_or_is_rated_lower_does_not_replace_the_first() {
    let report_of = |second: fn(&Value) -> Value, scores: [f64; 2]| async move {
        let (drafts, judged) = (AtomicUsize::new(0), AtomicUsize::new(0));
        let stand = Stand::start(move |ask| match ask.form.as_str() {
            "report" => match drafts.fetch_add(1, Ordering::SeqCst) {
                0 => honest(ask),
                _ => second(&honest(ask)),
            },
            "judgment" => {
                let score = scores[judged.fetch_add(1, Ordering::SeqCst)];
                json!({"observation": "Short.", "score": score, "approved": score > 9.0, "feedback": "Say more."})
            }
            _ => honest(ask),
        })
        .await;
        let done = complete(&stand.whole(&request(ResearchMode::Deep)).await);
        done.report.replace(&stand.site.url(""), "")
    };
    let one = report_of(Value::clone, [9.5, 0.0]).await;
    assert!(one.contains("metres deep"), "{one}");
    let nothing = |_: &Value| json!({"sections": []});
    assert_eq!(
        report_of(nothing, [6.5, 0.0]).await,
        one,
        "the second one is none"
    );
    let shorter = |report: &Value| json!({"sections": [report["sections"][0].clone()]});
    let lower = report_of(shorter, [6.5, 5.0]).await;
    assert_eq!(lower, one, "the second one is rated lower");
    assert_ne!(report_of(shorter, [6.5, 6.8]).await, one, "it is rated higher");
}
