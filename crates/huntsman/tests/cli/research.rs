//! Research as its users meet it: killed and taken over, through the official clients, from a local index, with PDFs.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};

use serde_json::{Value, json};
use tempfile::TempDir;
use testkit::{ProviderAnswer, ScriptedProvider, ScriptedTurn, SiteReply, TestSite};

use crate::contract;
use crate::mills::{self, PAGES, PAPER, QUESTION, fact, form};
use crate::server::{Server, huntsman, model};

/// The parts of a deep run, each with what says nothing while the run is killed in it: a form of the model's answers, or
/// a path of the web.
const WAITS: [(&str, &str); 10] = [
    ("prefetching", "/named"),
    ("planning", "plan"),
    ("searching", "/search"),
    ("analyzing", "analysis"),
    ("following", "/list"),
    ("evaluating", "evaluation"),
    ("outlining", "outline"),
    ("writing", "report"),
    ("checking", "verdicts"),
    ("judging", "judgment"),
];

/// What says nothing, and whether it was asked.
#[derive(Default)]
struct Hush {
    what: Mutex<Option<&'static str>>,
    met: AtomicBool,
}

impl Hush {
    fn set(&self, what: Option<&'static str>) {
        *self.what.lock().unwrap() = what;
        self.met.store(false, Ordering::SeqCst);
    }

    fn holds(&self, what: &str) -> bool {
        let holds = *self.what.lock().unwrap() == Some(what);
        self.met.fetch_or(holds, Ordering::SeqCst);
        holds
    }
}

/// How often each form was answered, and each page and search of the web.
type Counts = BTreeMap<String, usize>;

#[tokio::test(flavor = "multi_thread")]
async fn a_research_that_is_killed_in_any_phase_ends_once_and_pays_once() {
    let (hush, counts) = (Arc::new(Hush::default()), Arc::<Mutex<Counts>>::default());
    let note = {
        let counts = Arc::clone(&counts);
        move |what: &str| *counts.lock().unwrap().entry(what.to_owned()).or_default() += 1
    };
    let (quiet, noted) = (Arc::clone(&hush), note.clone());
    let site = TestSite::start(move |asked| {
        let path = asked.path.split('?').next().unwrap_or_default();
        if quiet.holds(path) {
            return SiteReply::html("").never_ending();
        }
        // What a server says to robots is asked for by each process anew.
        if path != "/robots.txt" {
            noted(path);
        }
        mills::pages(asked)
    })
    .await;
    let quiet = Arc::clone(&hush);
    let provider = ScriptedProvider::start(move |exchange, _| {
        let form = form(exchange);
        if quiet.holds(&form) {
            return ProviderAnswer::Raw(SiteReply::bytes("text/event-stream", "").never_ending());
        }
        note(&form);
        ScriptedTurn::json(&mills::answer(exchange)).into()
    })
    .await;
    let settings = [mills::search(&site), model(&provider)].concat();
    let query = format!("{QUESTION} See {}", site.url("/named"));
    let body = json!({"query": query, "mode": "deep"}).to_string();
    let take = move || std::mem::take(&mut *counts.lock().unwrap());
    tokio::task::spawn_blocking(move || {
        // What a run costs that nobody kills.
        let folder = TempDir::new().unwrap();
        let server = Server::over(folder.path(), &settings);
        check_log(
            &Server::ask(&server.address, "POST", "/v1/research", &body),
            "whole",
        );
        drop(server);
        let whole = take();
        for (part, what) in WAITS {
            assert!(
                whole.contains_key(what),
                "{part}: nobody asks for {what} in {whole:?}"
            );
            hush.set(Some(what));
            let folder = TempDir::new().unwrap();
            let server = Server::over(folder.path(), &settings);
            let (address, request) = (server.address.clone(), body.clone());
            let client = std::thread::spawn(move || Server::ask(&address, "POST", "/v1/research", &request));
            while !hush.met.load(Ordering::SeqCst) {
                std::thread::yield_now();
            }
            drop(server);
            client.join().unwrap();
            hush.set(None);
            let server = Server::over(folder.path(), &settings);
            let runs = server.runs();
            assert_eq!(runs.len(), 1);
            let path = format!("/v1/runs/{}/events", runs[0]["id"].as_str().unwrap());
            check_log(&Server::ask(&server.address, "GET", &path, ""), part);
            assert_eq!(take(), whole, "killed while {part}");
        }
        let asked: usize = whole
            .iter()
            .filter(|it| !it.0.starts_with('/'))
            .map(|it| it.1)
            .sum();
        println!(
            "killed in each of {} phases: one end each, {asked} answers of the model and each page paid once",
            WAITS.len()
        );
    })
    .await
    .unwrap();
}

/// A log with one end, in which every part was begun and ended once.
fn check_log(events: &str, killed: &str) {
    let count = |name: &str| events.matches(&format!("event: {name}\n")).count();
    assert_eq!(count("complete"), 1, "{killed}: {events}");
    assert_eq!(count("kept"), 0, "nobody reads what is kept");
    let parts = WAITS.iter().map(|it| it.0).filter(|it| *it != "checking");
    for part in parts.chain(["iteration"]) {
        let of = |it: &str| count(&format!("{part}:{it}"));
        assert_eq!((of("start"), of("end")), (1, 1), "{killed}: {part}");
    }
}

#[tokio::test(flavor = "multi_thread")]
#[ignore = "needs Python and Node"]
async fn the_official_clients_read_research_in_every_mode() {
    let (site, provider) = (TestSite::start(mills::pages).await, mills::writer().await);
    let searching = mills::search(&site);
    let settings: Vec<_> = searching
        .iter()
        .map(|(name, value)| (*name, value.as_str()))
        .collect();
    // A server for each client: the pauses between requests to one host are each process's own.
    let servers = [(); 3].map(|()| Server::start(Some(&provider), &settings));
    tokio::join!(
        servers[0].python("research.py", &["every_mode,wrong"]),
        servers[1].node("research.mjs", &["every_mode,wrong"]),
        servers[2].python("langchain.py", &["research"]),
    );
    for server in &servers {
        let (runs, events) = contract::check(server).await;
        println!("research: {events} events of {runs} runs, all as the contract says");
    }
    assert_eq!(provider.faults(), Vec::<String>::new());
}

#[tokio::test(flavor = "multi_thread")]
#[ignore = "needs Python"]
async fn a_search_that_is_down_or_missing_is_told_by_name() {
    let (site, provider) = (TestSite::start(mills::pages).await, mills::writer().await);
    let bare = Server::start(Some(&provider), &[]);
    bare.python("research.py", &["nothing"]).await;
    assert!(bare.runs().is_empty() && provider.seen().is_empty());
    let nobody = "http://127.0.0.1:9/";
    let settings = [
        ("HUNTSMAN_SEARCH_PROVIDER", "searxng"),
        ("HUNTSMAN_SEARCH_URL", nobody),
    ];
    let server = Server::start(Some(&provider), &settings);
    server
        .python("research.py", &["down", &site.url("/mill/1")])
        .await;
    server.python("langchain.py", &["down"]).await;
    contract::check(&server).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_folder_answers_without_any_key_and_pdf_documents_are_read_everywhere() {
    let site = TestSite::start(mills::pages).await;
    let address = site.url("/mill.pdf");
    tokio::task::spawn_blocking(move || {
        let folder = TempDir::new().unwrap();
        let run = |words: &[&str]| {
            let output = huntsman(folder.path()).args(words).output().unwrap();
            let (out, err) = (
                String::from_utf8_lossy(&output.stdout).into_owned(),
                String::from_utf8_lossy(&output.stderr).into_owned(),
            );
            (output.status.code(), out, err)
        };
        let (code, _, told) = run(&["research", "How tall is the Quern windmill?"]);
        assert_eq!(code, Some(2), "{told}");
        assert!(
            ["HUNTSMAN_SEARCH_PROVIDER", "sources", "huntsman index add"]
                .iter()
                .all(|it| told.contains(it)),
            "{told}"
        );
        for (words, named) in [
            (vec!["research", " "], "empty"),
            (vec!["research", "x", "--mode", "quick"], "balanced"),
        ] {
            let (code, _, told) = run(&words);
            assert_eq!(code, Some(2));
            assert!(told.contains(named), "{told}");
        }
        let long = "x".repeat(10_001);
        assert_eq!(run(&["research", &long]).0, Some(2));
        let notes = folder.path().join("notes");
        std::fs::create_dir(&notes).unwrap();
        std::fs::write(notes.join("quern.pdf"), mills::paper()).unwrap();
        std::fs::write(notes.join("broken.pdf"), "%PDF-1.7 nothing more").unwrap();
        for page in 0..PAGES {
            let html = format!(
                "<title>Harrow {page}</title><main><p>{} Its sails turn on Sundays.</p></main>",
                fact(page)
            );
            std::fs::write(notes.join(format!("{page}.html")), html).unwrap();
        }
        let (code, told, errors) = run(&["index", "add", "notes"]);
        assert_eq!(code, Some(0), "{told}{errors}");
        assert!(told.contains("5 page(s) read, 1 left out"), "{told}");
        let (code, report, errors) = run(&["research", "When was the Quern windmill built?", "--json"]);
        assert_eq!(code, Some(0), "{errors}");
        let report: Value = serde_json::from_str(&report).unwrap();
        assert!(report["report"].as_str().unwrap().contains("1777"), "{report}");
        let first = &report["metadata"]["citedPages"][0];
        assert!(first["url"].as_str().unwrap().ends_with("/quern.pdf"), "{first}");
        assert_eq!(first["title"], PAPER);
        let (code, text, errors) = run(&["scrape", &address, "--format", "text"]);
        assert_eq!(code, Some(0), "{errors}");
        assert!(text.contains("33 metres tall"), "{text}");
        let (code, report, errors) = run(&[
            "research",
            "How tall is the Quern windmill?",
            "--source",
            &address,
        ]);
        assert_eq!(code, Some(0), "{errors}");
        assert!(
            report.contains("33 metres tall") && report.contains("/mill.pdf"),
            "{report}"
        );
    })
    .await
    .unwrap();
}
