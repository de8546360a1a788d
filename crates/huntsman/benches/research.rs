//! What a balanced research run costs beside its model: CPU of the server for each page that was analysed. The model
//! answers at once and the web is on loopback, so what is left is our own work: searching, fetching, reading, weighing,
//! checking citations, telling events and keeping them.
//!
//! `cargo bench --profile fast -p huntsman --bench research -- [RUNS]`. With `HUNTSMAN_BENCH_GPT_RESEARCHER=PYTHON`, a
//! Python that has GPT-Researcher installed, that reads the same web with the same model afterwards
//! (`bench/research_peer.py`) and the ratio is printed.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use std::path::Path;
use std::process::Command;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Instant;

use serde_json::{Value, json};
use tempfile::TempDir;
use testkit::{ScriptedProvider, ScriptedTurn, ServerProcess, SiteReply, TestSite};

/// Pages of the web.
const PAGES: usize = 160;
/// Sites that they are spread over, since one host is asked only a few times at once.
const SITES: usize = 16;
/// Hits of one search.
const HITS: usize = 10;
/// What is asked.
const QUESTION: &str = "How tall are the windmills of Harrow, and when were they built?";

fn fact(page: usize) -> String {
    format!(
        "The Harrow {page} windmill was built in {} and is {} metres tall.",
        1701 + page,
        15 + page % 30
    )
}

/// A page of about 25 kB, a quarter of it text.
fn page(number: usize) -> String {
    let told = ["sails", "stones", "grain", "winds", "roofs", "millers", "ladders"];
    let paragraphs: String = (0..24)
        .map(|it| {
            let (one, other) = (told[(number + it) % 7], told[(number * 3 + it * 5) % 7]);
            format!(
                "<p class=\"body-text block-{it}\">In the {} of the mill number {number} the <a href=\"/page/{}\">{one}</a> were \
                 kept with care, and of the {other} it is told that {} of them were lost in the storm of {}. Nobody in the \
                 village has counted them since, though many say they would.</p>\n",
                ["north", "south", "east", "west"][it % 4],
                (number + it * 7) % PAGES,
                number * it % 40,
                1800 + (number + it) % 90,
            )
        })
        .collect();
    let nav = (0..60)
        .map(|it| format!("<li class=\"menu-item menu-item-{it}\"><a href=\"/shelf/{it}\" title=\"Shelf {it}\">Shelf {it}</a></li>"))
        .collect::<String>();
    let style = ".block { margin: 0 auto; padding: 4px; color: #334455 }\n".repeat(90);
    format!(
        "<!doctype html><html lang=en><head><title>Harrow {number}</title><style>{style}</style></head><body><nav><ul>{nav}</ul></nav>\
         <main><h1>Harrow {number}</h1><p>{}</p>{paragraphs}</main><footer><p>All rights reserved.</p></footer></body></html>",
        fact(number)
    )
}

/// The web: every site has every page, and the first of them the search.
async fn web() -> Vec<TestSite> {
    let pages: Arc<Vec<String>> = Arc::new((0..PAGES).map(page).collect());
    let addresses: Arc<std::sync::Mutex<Vec<String>>> = Arc::default();
    let mut sites = Vec::new();
    for _ in 0..SITES {
        let (pages, known) = (pages.clone(), addresses.clone());
        let site = TestSite::start(move |asked| {
            let (path, query) = asked.path.split_once('?').unwrap_or((&asked.path, ""));
            if path == "/search" {
                return hits(&known.lock().unwrap(), query);
            }
            match path
                .strip_prefix("/page/")
                .and_then(|it| it.parse::<usize>().ok())
            {
                Some(number) => SiteReply::html(pages[number % PAGES].clone()),
                None => SiteReply::html("nothing here").status(404),
            }
        })
        .await;
        addresses.lock().unwrap().push(site.url(""));
        sites.push(site);
    }
    sites
}

/// Pages that follow each other, from a place that the number in the query says.
fn hits(addresses: &[String], query: &str) -> SiteReply {
    let digits: String = query
        .split("&")
        .find(|it| it.starts_with("q="))
        .unwrap_or("")
        .chars()
        .filter(char::is_ascii_digit)
        .collect();
    let part: usize = digits.parse().unwrap_or(0);
    let hit = |it: usize| {
        let number = (part * HITS + it) % PAGES;
        let url = format!("{}/page/{number}", addresses[number % addresses.len()]);
        json!({"url": url, "title": format!("Harrow {number}"), "content": "a windmill"})
    };
    let results: Vec<Value> = (0..HITS).map(hit).collect();
    SiteReply::bytes("application/json", json!({"results": results}).to_string())
}

/// A model that answers every part of a run at once: pages are relevant, more is wanted, and the report cites what it has.
async fn model() -> ScriptedProvider {
    let searched = AtomicUsize::new(4);
    ScriptedProvider::start(move |asked, _| {
        let form = asked.body["response_format"]["json_schema"]["name"].as_str().unwrap_or_default();
        let text = asked.body["messages"].to_string();
        let answer = match form {
            "plan" => json!({
                "complexity": "moderate", "objective": "Tell how tall and old the mills are.", "plan": "Read about the mills.",
                "questions": ["How tall are the mills?", "When were the mills built?"],
                "queries": (0..4).map(|it| format!("Harrow windmills part {it}")).collect::<Vec<_>>(),
            }),
            "analysis" => {
                let line = text.split("| ").find(|it| it.contains("metres tall")).unwrap_or_default();
                let line = line.split("\\n").next().unwrap_or_default().trim().to_owned();
                json!({"relevance": "high", "reliability": "medium", "summary": "A page about one mill.",
                       "claims": [{"claim": line, "quote": line}]})
            }
            "evaluation" => {
                let from = searched.fetch_add(2, Ordering::Relaxed);
                let next = [from, from + 1].map(|it| format!("Harrow windmills part {it}"));
                json!({
                    "assessments": [{"number": 1, "status": "partial", "findings": "Some are known."}],
                    "coverage": "Moderate", "gaps": "More mills.", "should_continue": true,
                    "next_queries": next,
                })
            }
            "outline" => json!({"direct_answer": "They differ.", "key_takeaways": ["They are old."], "headings": ["Mills"],
                                "sources": (1..=20).collect::<Vec<_>>()}),
            "report" => {
                let sentences: Vec<Value> = text.split("Source ").skip(1).filter_map(sentence).collect();
                json!({"sections": [{"heading": "", "sentences": sentences}]})
            }
            "verdicts" => json!({"verdicts": (1..=text.matches("Statement ").count())
                                 .map(|it| json!({"number": it, "supported": true})).collect::<Vec<_>>()}),
            _ => json!({"sentences": []}),
        };
        ScriptedTurn { piece: 0, ..ScriptedTurn::json(&answer) }.into()
    })
    .await
}

/// What the page of a source says, with the source's number.
fn sentence(source: &str) -> Option<Value> {
    let number: u64 = source.split(':').next()?.parse().ok()?;
    let page: usize = source
        .split("Harrow ")
        .nth(1)?
        .split(|it: char| !it.is_ascii_digit())
        .next()?
        .parse()
        .ok()?;
    Some(json!({"text": fact(page), "sources": [number]}))
}

fn start(folder: &Path, search: &str, model: &ScriptedProvider) -> ServerProcess {
    let mut command = Command::new(env!("CARGO_BIN_EXE_huntsman"));
    command
        .args(["--allow-hosts", "127.0.0.1", "--engine", "http"])
        .env("HUNTSMAN_DATA_DIR", folder)
        .env("HUNTSMAN_SEARCH_PROVIDER", "searxng")
        .env("HUNTSMAN_SEARCH_URL", search)
        .env("HUNTSMAN_LLM_PROVIDER", "openai_chat")
        .env("HUNTSMAN_LLM_MODEL", "scripted")
        .env("HUNTSMAN_LLM_BASE_URL", model.base_url())
        .env("HUNTSMAN_LLM_API_KEY", "scripted-key-1234")
        .current_dir(folder);
    ServerProcess::start(command)
}

/// Does a whole run; what its report says of itself.
fn research(server: &ServerProcess) -> Value {
    let body = json!({"query": QUESTION, "mode": "balanced", "nocache": true}).to_string();
    let told = server.ask("POST", "/v1/research", "", &body).body;
    let done = told.split("event: complete\ndata: ").nth(1).expect("a report");
    serde_json::from_str::<Value>(done.lines().next().unwrap()).unwrap()["metadata"].clone()
}

/// Runs as asked and prints; CPU ms of a page.
fn ours(search: &str, model: &ScriptedProvider, runs: usize) -> f64 {
    let folder = TempDir::new().unwrap();
    let server = start(folder.path(), search, model);
    // The first run also fills what is made once.
    research(&server);
    let (cpu, began) = (server.cpu(), Instant::now());
    let (mut pages, mut calls) = (0.0, model.seen().len());
    let mut cited = 0;
    for _ in 0..runs {
        let told = research(&server);
        pages += told["totalPagesAnalyzed"].as_f64().unwrap();
        cited += told["citedPages"].as_array().unwrap().len();
    }
    calls = model.seen().len() - calls;
    let (cpu, wall) = (server.cpu() - cpu, began.elapsed().as_secs_f64());
    let each = runs as f64;
    println!(
        "huntsman, balanced, {runs} runs: {:.0} pages analysed and {} cited a run, {:.0} model calls; {:.2} ms of CPU a page, \
         {:.0} ms a run; {:.1} s a run, {} MB at most",
        pages / each,
        cited / runs,
        calls as f64 / each,
        cpu / pages,
        cpu / each,
        wall / each,
        server.memory("VmHWM") / 1024
    );
    cpu / pages
}

/// GPT-Researcher's model: the same content, in the words its prompts ask for; and embeddings of word counts.
async fn peer_model() -> TestSite {
    TestSite::start(|asked| {
        let body: Value = serde_json::from_slice(&asked.body).unwrap_or_default();
        let json = |value: Value| SiteReply::bytes("application/json", value.to_string());
        if asked.path.ends_with("/embeddings") {
            let inputs = match &body["input"] {
                Value::Array(list) => list.clone(),
                one => vec![one.clone()],
            };
            let rows = inputs.iter().enumerate().map(|(at, it)| {
                json!({"object": "embedding", "index": at, "embedding": embedding(it.as_str().unwrap_or_default())})
            });
            let usage = json!({"prompt_tokens": 1, "total_tokens": 1});
            return json(json!({"object": "list", "model": "scripted", "data": rows.collect::<Vec<_>>(), "usage": usage}));
        }
        let text = body["messages"].to_string();
        let said = if text.contains("agent_role_prompt") {
            json!({"server": "Researcher", "agent_role_prompt": "You are a careful researcher."}).to_string()
        } else if text.contains("search queries") {
            let queries: Vec<String> = (0..3).map(|it| format!("Harrow windmills part {it}")).collect();
            json!(queries).to_string()
        } else {
            let facts: String = (0..20).map(|it| format!("{} ", fact(it))).collect();
            format!("# Windmills\n\n{facts}")
        };
        let usage = json!({"prompt_tokens": 10, "completion_tokens": 5, "total_tokens": 15});
        let head = json!({"id": "1", "object": "chat.completion", "created": 1, "model": "scripted", "usage": usage});
        let mut whole = head.as_object().unwrap().clone();
        if body["stream"] == true {
            whole.insert("object".into(), json!("chat.completion.chunk"));
            let delta = json!([{"index": 0, "delta": {"role": "assistant", "content": said}, "finish_reason": "stop"}]);
            whole.insert("choices".into(), delta);
            let chunk = Value::Object(whole).to_string();
            return SiteReply::bytes("text/event-stream", format!("data: {chunk}\n\ndata: [DONE]\n\n"));
        }
        let message = json!([{"index": 0, "message": {"role": "assistant", "content": said}, "finish_reason": "stop"}]);
        whole.insert("choices".into(), message);
        json(Value::Object(whole))
    })
    .await
}

/// Counts of words by their length and first letter: enough to be like a text that has the same words.
fn embedding(text: &str) -> Vec<f64> {
    let mut counts = vec![0.0; 64];
    for word in text.split_whitespace() {
        let first = word.bytes().next().unwrap_or(0) as usize;
        counts[(first * 7 + word.len()) % 64] += 1.0;
    }
    let length = counts.iter().map(|it: &f64| it * it).sum::<f64>().sqrt().max(1.0);
    counts.into_iter().map(|it| it / length).collect()
}

/// The same for GPT-Researcher, in a process of its own.
fn peer(python: &str, search: &str, model: &str) -> Option<f64> {
    let script = concat!(env!("CARGO_MANIFEST_DIR"), "/../../bench/research_peer.py");
    let output = Command::new(python)
        .args([script, QUESTION])
        .env("SEARX_URL", search)
        .env("OPENAI_BASE_URL", model)
        .output()
        .unwrap();
    let said = String::from_utf8_lossy(&output.stdout).into_owned();
    let last = said.lines().last().unwrap_or_default();
    let Ok(told) = serde_json::from_str::<Value>(last) else {
        println!(
            "GPT-Researcher gave nothing: {said}{}",
            String::from_utf8_lossy(&output.stderr)
        );
        return None;
    };
    let of = |name: &str| told[name].as_f64().unwrap_or(f64::NAN);
    println!(
        "GPT-Researcher {}, {} runs: {:.0} pages a run; {:.1} ms of CPU a page, {:.0} ms a run (and {:.0} ms once for its imports); \
         {:.1} s a run, {:.0} MB at most",
        told["version"].as_str().unwrap_or("?"),
        of("runs"),
        of("pages"),
        of("cpu_page"),
        of("cpu_run"),
        of("cpu_imports"),
        of("wall_run"),
        of("memory")
    );
    Some(of("cpu_page"))
}

#[tokio::main]
async fn main() {
    let runs = std::env::args()
        .skip(1)
        .find_map(|it| it.parse().ok())
        .unwrap_or(5);
    let (sites, model) = (web().await, model().await);
    let search = sites[0].url("/");
    let (at, provider) = (search.clone(), model);
    let ours = tokio::task::spawn_blocking(move || ours(&at, &provider, runs))
        .await
        .unwrap();
    let Ok(python) = std::env::var("HUNTSMAN_BENCH_GPT_RESEARCHER") else {
        return;
    };
    let model = peer_model().await;
    let base = model.url("/v1");
    let theirs = tokio::task::spawn_blocking(move || peer(&python, &search, &base))
        .await
        .unwrap();
    let asked = model.asked();
    let count = |end: &str| asked.iter().filter(|it| it.path.ends_with(end)).count();
    println!(
        "GPT-Researcher asked {} times for text and {} times for embeddings, its first run included",
        count("/chat/completions"),
        count("/embeddings")
    );
    if let Some(theirs) = theirs {
        println!("CPU of a page: {:.1} times ours", theirs / ours);
    }
}
