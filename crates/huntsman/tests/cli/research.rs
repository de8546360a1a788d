//! Research as its users meet it: killed and taken over, through the official client, from a local index, with PDFs.

use std::collections::BTreeMap;
use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::TcpStream;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::{Arc, Mutex};

use serde_json::{Value, json};
use tempfile::TempDir;
use testkit::{Answer, Asked, Exchange, Reply, Said, ScriptedProvider, Site};

/// Pages of the site.
const PAGES: usize = 4;

fn fact(page: usize) -> String {
    format!(
        "The Harrow {page} windmill was built in {} and is {} metres tall.",
        1801 + page,
        21 + page
    )
}

fn pages(asked: &Asked) -> Reply {
    let host = asked.headers["host"].to_str().unwrap().to_owned();
    let path = asked.path.split('?').next().unwrap_or_default();
    if path == "/search" {
        let hit = |it: usize| json!({"url": format!("http://{host}/mill/{it}"), "title": format!("Harrow {it}"), "content": "a mill"});
        let hits: Vec<Value> = (0..PAGES).map(hit).collect();
        return Reply::bytes("application/json", json!({"results": hits}).to_string());
    }
    if path == "/mill.pdf" {
        return Reply::bytes(
            "application/pdf",
            pdf(&["The Quern windmill was built in 1777.", "It is 33 metres tall."]),
        );
    }
    match path
        .strip_prefix("/mill/")
        .and_then(|it| it.parse::<usize>().ok())
    {
        Some(page) => Reply::html(format!(
            "<html><head><title>Harrow {page}</title></head><body><main><h1>Harrow {page}</h1><p>{} It stands on a hill \
             above the village, and its sails turn on Sundays when the wind allows it.</p></main></body></html>",
            fact(page)
        )),
        None => Reply::html("gone").status(404),
    }
}

/// A document of one page, with these lines.
fn pdf(lines: &[&str]) -> Vec<u8> {
    let text: String = lines.iter().map(|it| format!("({it}) Tj 0 -16 Td ")).collect();
    let stream = format!("BT /F1 12 Tf 72 720 Td {text}ET");
    let objects = [
        "<< /Type /Catalog /Pages 2 0 R >>".to_owned(),
        "<< /Type /Pages /Kids [3 0 R] /Count 1 >>".to_owned(),
        "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents 4 0 R /Resources << /Font << /F1 5 0 R >> >> >>".to_owned(),
        format!("<< /Length {} >>\nstream\n{stream}\nendstream", stream.len()),
        "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>".to_owned(),
        "<< /Title (On the Quern windmill) >>".to_owned(),
    ];
    let mut out = String::from("%PDF-1.4\n");
    let mut places = Vec::new();
    for (number, object) in objects.iter().enumerate() {
        places.push(out.len());
        out.push_str(&format!("{} 0 obj\n{object}\nendobj\n", number + 1));
    }
    let table = out.len();
    out.push_str(&format!("xref\n0 {}\n0000000000 65535 f \n", objects.len() + 1));
    out.extend(places.iter().map(|it| format!("{it:010} 00000 n \n")));
    out.push_str(&format!(
        "trailer\n<< /Size {} /Root 1 0 R /Info 6 0 R >>\nstartxref\n{table}\n%%EOF\n",
        objects.len() + 1
    ));
    out.into_bytes()
}

fn form(exchange: &Exchange) -> String {
    let name = &exchange.body["response_format"]["json_schema"]["name"];
    name.as_str().unwrap_or_default().to_owned()
}

fn answer(exchange: &Exchange) -> Value {
    let text = exchange.body["messages"].to_string();
    // The numbers that the sources have in the prompt, with the mill each is about.
    let sources: Vec<(u64, usize)> = (0..PAGES)
        .filter_map(|mill| {
            let before = text
                .split(&format!(": \\\"Harrow {mill}\\\""))
                .next()
                .filter(|it| it.len() < text.len())?;
            Some((before.rsplit("Source ").next()?.parse().ok()?, mill))
        })
        .collect();
    match form(exchange).as_str() {
        "plan" => {
            json!({"complexity": "simple", "objective": "o", "plan": "p", "questions": ["How tall are they?"], "queries": ["Harrow windmills"]})
        }
        "analysis" => json!({"relevance": "high", "reliability": "high", "summary": "A mill.", "claims": []}),
        "evaluation" => {
            json!({"assessments": [{"number": 1, "status": "answered", "findings": "known"}], "coverage": "Comprehensive", "gaps": "", "next_queries": [], "should_continue": false})
        }
        "outline" => {
            json!({"direct_answer": "a", "key_takeaways": ["b"], "headings": ["Mills"], "sources": [1, 2, 3, 4]})
        }
        "report" => {
            let mut sentences: Vec<Value> = sources
                .iter()
                .map(|(id, mill)| json!({"text": fact(*mill), "sources": [id]}))
                .collect();
            sentences.push(json!({"text": "The Harrow 1 windmill is 99 metres tall.", "sources": [1, 42]}));
            json!({"sections": [{"heading": "", "sentences": sentences}]})
        }
        "revision" => json!({"sentences": []}),
        "verdicts" => {
            let count = text.matches("Statement ").count();
            let verdicts: Vec<Value> = (1..=count)
                .map(|it| json!({"number": it, "supported": true}))
                .collect();
            json!({"verdicts": verdicts})
        }
        "judgment" => json!({"observation": "good", "score": 9, "approved": true, "feedback": ""}),
        other => panic!("nobody asks for {other:?}"),
    }
}

/// The binary as a server; it is killed, not closed, when this is dropped.
struct Server {
    child: Child,
    address: String,
}

impl Server {
    fn start(folder: &Path, settings: &[(&str, String)]) -> Self {
        let mut child = huntsman(folder)
            .args(["serve", "--listen", "127.0.0.1:0", "--log", "error"])
            .envs(settings.iter().map(|(name, value)| (*name, value)))
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let mut lines = BufReader::new(child.stderr.take().unwrap()).lines();
        let address = lines
            .find_map(|line| Some(line.ok()?.split_once("http://")?.1.to_owned()))
            .expect("the server listens");
        // The rest is read and dropped, so that the server never waits for somebody to read it.
        std::thread::spawn(move || lines.for_each(drop));
        Self { child, address }
    }

    /// Sends a request; the answer as far as it came before the server was gone.
    fn ask(address: &str, method: &str, path: &str, body: &str) -> String {
        let mut socket = TcpStream::connect(address).unwrap();
        let head = format!(
            "{method} {path} HTTP/1.1\r\nhost: {address}\r\ncontent-type: application/json\r\nprefer: respond-async\r\n\
             content-length: {}\r\nconnection: close\r\n\r\n{body}",
            body.len()
        );
        socket.write_all(head.as_bytes()).unwrap();
        let mut answer = Vec::new();
        let _ = socket.read_to_end(&mut answer);
        String::from_utf8_lossy(&answer).into_owned()
    }

    /// The newest run: its id and how many entries its log has.
    fn run(&self) -> Option<(String, u64)> {
        let answer = Self::ask(&self.address, "GET", "/v1/runs", "");
        let at = answer.find('{')?;
        let list: Value = serde_json::Deserializer::from_str(&answer[at..])
            .into_iter()
            .next()?
            .ok()?;
        let run = &list["runs"][0];
        Some((run["id"].as_str()?.to_owned(), run["last_seq"].as_u64()?))
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn huntsman(folder: &Path) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_huntsman"));
    for (name, _) in std::env::vars().filter(|(name, _)| crate::models::is_setting(name)) {
        command.env_remove(name);
    }
    command
        .env("HUNTSMAN_DATA_DIR", folder)
        .env("HUNTSMAN_ALLOW_HOSTS", "127.0.0.1")
        .env("HUNTSMAN_ENGINE", "http")
        .current_dir(folder);
    command
}

fn settings(site: &Site, provider: &ScriptedProvider) -> Vec<(&'static str, String)> {
    vec![
        ("HUNTSMAN_SEARCH_PROVIDER", "searxng".into()),
        ("HUNTSMAN_SEARCH_URL", site.url("/")),
        ("HUNTSMAN_LLM_PROVIDER", "openai_chat".into()),
        ("HUNTSMAN_LLM_MODEL", "scripted".into()),
        ("HUNTSMAN_LLM_BASE_URL", provider.base_url()),
        ("HUNTSMAN_LLM_API_KEY", "scripted-key-1234".into()),
        ("HUNTSMAN_LLM_ATTEMPTS", "1".into()),
    ]
}

/// A form, the place of the log where the run waits for its answer, and how many questions of the form wait.
const WAITS: [(&str, u64); 6] = [
    ("plan", 2),
    ("analysis", 13),
    ("evaluation", 19),
    ("outline", 23),
    ("report", 26),
    ("verdicts", 27),
];

#[tokio::test(flavor = "multi_thread")]
async fn a_research_that_is_killed_in_any_phase_ends_once_and_pays_once() {
    let site = Site::start(pages).await;
    let silent: Arc<Mutex<Option<&str>>> = Arc::default();
    let answered: Arc<Mutex<BTreeMap<String, usize>>> = Arc::default();
    let (hush, count) = (Arc::clone(&silent), Arc::clone(&answered));
    let provider = ScriptedProvider::start(move |exchange, _| {
        let form = form(exchange);
        if *hush.lock().unwrap() == Some(form.as_str()) {
            return Answer::Raw(Reply::bytes("text/event-stream", "").never_ending());
        }
        *count.lock().unwrap().entry(form).or_default() += 1;
        Answer::from(Said::json(&answer(exchange)))
    })
    .await;
    let settings = settings(&site, &provider);
    tokio::task::spawn_blocking(move || {
        let mut all = Vec::new();
        for (phase, place) in WAITS {
            answered.lock().unwrap().clear();
            *silent.lock().unwrap() = Some(phase);
            let folder = TempDir::new().unwrap();
            let server = Server::start(folder.path(), &settings);
            let address = server.address.clone();
            let body = json!({"query": "How tall are the Harrow windmills?", "mode": "balanced"}).to_string();
            let client = std::thread::spawn(move || Server::ask(&address, "POST", "/v1/research", &body));
            let id = loop {
                match server.run() {
                    Some((id, last)) if last >= place => break id,
                    _ => std::thread::yield_now(),
                }
            };
            drop(server);
            client.join().unwrap();
            *silent.lock().unwrap() = None;
            let server = Server::start(folder.path(), &settings);
            let events = Server::ask(&server.address, "GET", &format!("/v1/runs/{id}/events"), "");
            assert_eq!(
                events.matches("event: complete\n").count(),
                1,
                "{phase}: {events}"
            );
            assert_eq!(
                events.matches("event: kept\n").count(),
                0,
                "nobody reads what is kept"
            );
            for part in [
                "planning",
                "iteration",
                "searching",
                "analyzing",
                "evaluating",
                "outlining",
                "writing",
            ] {
                let of = |it: &str| events.matches(&format!("event: {part}:{it}\n")).count();
                assert_eq!((of("start"), of("end")), (1, 1), "{phase}: {part}");
            }
            let counts = answered.lock().unwrap().clone();
            let expected = [
                ("analysis", PAGES),
                ("evaluation", 1),
                ("outline", 1),
                ("plan", 1),
                ("report", 1),
                ("verdicts", 1),
            ];
            for (form, times) in expected {
                assert_eq!(counts.get(form), Some(&times), "killed in {phase}: {counts:?}");
            }
            all.push(format!("{phase}: {} answers", counts.values().sum::<usize>()));
        }
        println!(
            "killed in each of {} phases, one end and no answer twice ({})",
            all.len(),
            all.join(", ")
        );
    })
    .await
    .unwrap();
}

#[tokio::test(flavor = "multi_thread")]
async fn the_official_client_reads_research_in_every_mode() {
    let (site, provider) = (
        Site::start(pages).await,
        ScriptedProvider::start(|it, _| Said::json(&answer(it)).into()).await,
    );
    let settings = settings(&site, &provider);
    let output = tokio::task::spawn_blocking(move || {
        let folder = TempDir::new().unwrap();
        let server = Server::start(folder.path(), &settings);
        let script = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/sdk/research.py");
        testkit::sdk::run(script, &format!("http://{}/v1", server.address), &["every_mode"])
    });
    let output = output.await.unwrap();
    let said = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(
        said.ends_with("well\n"),
        "{said}{}",
        String::from_utf8_lossy(&output.stderr)
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn a_folder_answers_without_any_key_and_pdf_documents_are_read_everywhere() {
    let site = Site::start(pages).await;
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
        std::fs::write(
            notes.join("quern.pdf"),
            pdf(&["The Quern windmill was built in 1777.", "It is 33 metres tall."]),
        )
        .unwrap();
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
        assert_eq!(first["title"], "On the Quern windmill");
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
