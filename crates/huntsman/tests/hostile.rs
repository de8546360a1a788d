//! Hostile input through every door of a server in its own process: each request has a proper answer, the server is the
//! same process at the end, and it answers others in the meantime.

// A test that cannot set up its scene has to fail, loudly and at once.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use std::process::Command;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use tempfile::TempDir;
use testkit::serving::{self, ServerAnswer};
use testkit::{ServerProcess, SiteReply, TestSite};

#[path = "hostile/grammars.rs"]
mod grammars;

use grammars::{DEPTHS, JSON, PAGES, PATTERN_BOMBS, QUERY_BOMBS, SCHEMAS, SELECTORS};

/// The largest body that the server reads.
const BODY_BYTES: usize = 2 * 1024 * 1024;

/// More of a body is not sent: the server reads on for a while beyond its limit, not for ever.
const SENT_BYTES: usize = 4 * BODY_BYTES;
/// What the last event of a scrape holds.
const COMPLETE: &str = "\"type\":\"complete\"";

/// The server with its data folder.
struct Scene {
    server: ServerProcess,
    _folder: TempDir,
}

impl Scene {
    fn start(hosts: &str) -> Scene {
        let folder = TempDir::new().unwrap();
        let mut command = Command::new(env!("CARGO_BIN_EXE_huntsman"));
        command
            .args(["--allow-hosts", hosts])
            .env("HUNTSMAN_DATA_DIR", folder.path())
            .current_dir(folder.path());
        Scene {
            server: ServerProcess::start(command),
            _folder: folder,
        }
    }

    /// Sends a body and holds that it is answered: refused as too large exactly when it is, and never a fault of the
    /// server.
    fn post(&self, path: &str, body: &str) -> ServerAnswer {
        let body = &body[..body.floor_char_boundary(SENT_BYTES)];
        let answer = self.server.ask("POST", path, "", body);
        let shown: String = answer.body.chars().take(300).collect();
        assert!(
            answer.status != 0,
            "{path}: the connection was closed on {body:.80}"
        );
        // A tool that could not do its work is 502, one that took too long 504, each with the reason.
        let is_named = matches!(answer.status, 502 | 504) && answer.body.contains("\"error\":\"");
        assert!(
            answer.status < 500 || answer.status == 503 || is_named,
            "{path} {body:.80}: {} {shown}",
            answer.status
        );
        assert_eq!(
            answer.status == 413,
            body.len() > BODY_BYTES,
            "{path} {body:.80}: {shown}"
        );
        answer
    }

    /// As [`Scene::post`], and the request is refused with a text that names the field.
    fn refuses(&self, path: &str, body: &str, field: &str) {
        let answer = self.post(path, body);
        if answer.status != 413 {
            let shown: String = answer.body.chars().take(300).collect();
            let is_named = matches!(answer.status, 400 | 422) && answer.body.contains(field);
            assert!(
                is_named,
                "{path} {body:.80}: {field} is not named: {} {shown}",
                answer.status
            );
            assert!(
                answer.body.len() < 20_000,
                "{path}: the answer repeats the request"
            );
        }
    }

    /// Runs a tool on a page.
    fn tool(&self, name: &str, parameters: &Value, html: &str) -> ServerAnswer {
        let body = json!({"html": html, "parameters": parameters}).to_string();
        self.post(&format!("/v1/tools/{name}/run"), &body)
    }

    /// Holds that the server is the process that was started, and answers.
    fn lives(&self) {
        assert!(
            self.server.memory("VmRSS") > 0,
            "the process is the one that was started"
        );
        assert_eq!(self.server.ask("GET", "/healthz", "", "").status, 200);
    }
}

/// Every parameter of a tool that is a selector, as tool and parameter.
fn selector_parameters(scene: &Scene) -> Vec<(String, String)> {
    let listed: Value = serde_json::from_str(&scene.server.ask("GET", "/v1/tools", "", "").body).unwrap();
    let tools = listed
        .as_array()
        .or_else(|| listed["tools"].as_array())
        .expect("a list of tools");
    let mut found = Vec::new();
    for tool in tools {
        let properties = tool["parameters"]["properties"].as_object();
        for (name, schema) in properties.into_iter().flatten() {
            if schema["format"] == "css" {
                let category = tool["category"].as_str().unwrap();
                found.push((
                    format!("{category}.{}", tool["name"].as_str().unwrap()),
                    name.clone(),
                ));
            }
        }
    }
    assert!(found.len() > 8, "{found:?}");
    found
}

#[test]
fn selectors_are_bounded_at_every_tool_in_plans_and_in_instructions() {
    let scene = Scene::start("127.0.0.1:9");
    for grammar in &SELECTORS {
        for depth in DEPTHS {
            let css = grammar.text(depth);
            let run = json!({"html": "<p>x</p>", "parameters": {"selector": css}}).to_string();
            let is_small = depth == 10;
            if is_small {
                scene.post("/v1/tools/html.get_text/run", &run);
            } else if depth > 1_000 || !matches!(grammar.name, "list" | "children" | "siblings") {
                scene.refuses("/v1/tools/html.get_text/run", &run, "selector");
            }
            let plan = json!([{"tool": "html.get_text", "parameters": {"selector": css}}]).to_string();
            let checked = scene.post("/v1/plans/check", &plan);
            assert!(matches!(checked.status, 200 | 400 | 413), "{}", checked.body);
            scene.post("/v1/plans/run", &plan);
        }
    }
    for (tool, parameter) in selector_parameters(&scene) {
        for depth in DEPTHS {
            let css = SELECTORS[0].text(depth);
            let body = json!({"html": "<p>x</p>", "parameters": {parameter.clone(): css}}).to_string();
            let path = format!("/v1/tools/{tool}/run");
            match depth {
                10 => drop(scene.post(&path, &body)),
                _ => scene.refuses(&path, &body, &parameter),
            }
        }
    }
    for depth in DEPTHS {
        let asked = format!("Read the text of `{}`", SELECTORS[0].text(depth));
        let request = json!({"assets": ["http://127.0.0.1:9/"], "instructions": asked}).to_string();
        match asked.chars().count() > 20_000 {
            true => scene.refuses("/api/scrape/stream", &request, "instructions"),
            false => {
                let frames = scene.post("/api/scrape/stream", &request).body;
                assert!(frames.contains(COMPLETE), "{frames:.500}");
            }
        }
    }
    scene.lives();
}

#[test]
fn json_is_bounded_in_every_body_and_field() {
    let scene = Scene::start("127.0.0.1:9");
    let doors = [
        "/v1/tools/json.parse/run",
        "/v1/plans/check",
        "/v1/plans/run",
        "/api/scrape",
        "/api/scrape/stream",
        "/v1/extract/markdown",
        "/v1/extract/json",
        "/v1/generate/json",
        "/v1/automate",
        "/v1/automate/none/input",
        "/v1/research",
    ];
    let fields = [
        ("/v1/automate", r#"{"task":"x","data":@}"#, "data"),
        ("/v1/research", r#"{"query":"x","mode":@}"#, "mode"),
        ("/api/scrape", r#"{"assets":@,"instructions":"x"}"#, "assets"),
        (
            "/v1/tools/data.select_columns/run",
            r#"{"input":{"rows":@}}"#,
            "input",
        ),
        (
            "/v1/tools/json.dumps/run",
            r#"{"parameters":{"data":@}}"#,
            "parameters",
        ),
        (
            "/v1/plans/run",
            r#"[{"tool":"json.dumps","parameters":{"data":@}}]"#,
            "[0]",
        ),
        (
            "/v1/plans/run",
            r#"{"plan":[{"tool":"json.dumps"}],"fallback":@}"#,
            "fallback",
        ),
    ];
    for grammar in &JSON {
        for depth in DEPTHS {
            let text = grammar.text(depth);
            for path in doors {
                let answer = scene.post(path, &text);
                assert!(
                    answer.status >= 400 || path == "/v1/plans/check",
                    "{path}: {}",
                    answer.status
                );
            }
            for (path, body, field) in fields {
                let body = body.replace('@', &text);
                match depth {
                    10 => drop(scene.post(path, &body)),
                    _ => scene.refuses(path, &body, field),
                }
            }
            // A text that holds JSON is judged, and no deep value comes back.
            for tool in ["json.parse", "validate.json"] {
                let parameters = json!({"text": text});
                let answer = scene.tool(tool, &parameters, "");
                assert!(
                    matches!(answer.status, 200 | 400 | 413 | 422),
                    "{tool}: {}",
                    answer.body
                );
            }
        }
    }
    scene.lives();
}

#[test]
fn schemas_are_bounded_in_depth_and_in_work() {
    let scene = Scene::start("127.0.0.1:9");
    let doors = [
        (
            "/v1/extract/json",
            r#"{"url":"http://127.0.0.1:9/","json_schema":@}"#,
            "json_schema",
        ),
        (
            "/v1/generate/json",
            r#"{"url":"http://127.0.0.1:9/","instructions":"x","json_schema":@}"#,
            "json_schema",
        ),
        (
            "/api/scrape",
            r#"{"assets":["http://127.0.0.1:9/"],"instructions":"x","schema":@}"#,
            "schema",
        ),
        (
            "/v1/tools/validate.schema/run",
            r#"{"parameters":{"data":1,"schema":@}}"#,
            "schema",
        ),
    ];
    for (path, body, field) in doors {
        for (_, wrap) in SCHEMAS {
            for depth in DEPTHS {
                let body = body.replace('@', &grammars::schema(wrap, depth));
                match depth {
                    10 => drop(scene.post(path, &body)),
                    _ => scene.refuses(path, &body, field),
                }
            }
        }
        for (_, bomb) in grammars::schema_bombs() {
            scene.refuses(path, &body.replace('@', &bomb.to_string()), field);
        }
    }
    // A list whose items are the schema itself, twice, doubles with each level of the value.
    let doubling = json!({"items": {"allOf": [{"$ref": "#"}, {"$ref": "#"}]}});
    let deep: Value = serde_json::from_str(&JSON[0].text(60)).unwrap();
    let answer = scene.tool("validate.schema", &json!({"schema": doubling, "data": deep}), "");
    assert!(answer.body.contains("\"valid\":false"), "{}", answer.body);
    scene.lives();
}

#[test]
fn plans_are_bounded_in_conditions_references_and_steps() {
    let scene = Scene::start("127.0.0.1:9");
    for depth in DEPTHS {
        let texts = [
            format!("steps.s1.data{}", ".a".repeat(depth)),
            format!("rows{}", "[0]".repeat(depth)),
            "${".repeat(depth),
            "{{".repeat(depth),
            format!("{}x{}", "${a.".repeat(depth), "}".repeat(depth)),
            "(".repeat(depth),
        ];
        for text in texts {
            let when = json!({"ref": text, "equals": 1});
            for plan in [
                json!([{"tool": "json.dumps", "parameters": {"data": {"$ref": text}}}]),
                json!([{"tool": "json.dumps", "parameters": {"data": text}}]),
                json!([{"tool": "json.dumps", "parameters": {"data": 1}, "when": when}]),
                json!([{"tool": text, "parameters": {"data": 1}}]),
            ] {
                scene.post("/v1/plans/check", &plan.to_string());
                if depth <= 10_000 {
                    scene.post("/v1/plans/run", &plan.to_string());
                }
            }
        }
        let steps = vec![json!({"tool": "json.dumps", "parameters": {"data": 1}}); depth.min(30_000)];
        let checked = scene.post("/v1/plans/check", &json!(steps).to_string());
        assert!(
            depth <= 100 || !checked.body.contains("\"ok\":true"),
            "{}",
            checked.body
        );
    }
    // Steps that each wrap what the one before gave: the value grows, and is stopped where it could not be read back.
    let wrapped = (0..50).fold(json!({"$ref": "rows"}), |inner, _| json!([inner]));
    let mut steps = vec![json!({"tool": "data.dedupe_rows", "parameters": {"rows": [{"a": 1}]}})];
    steps.extend(
        (0..8).map(|_| json!({"tool": "data.dedupe_rows", "parameters": {"rows": [{"a": wrapped}]}})),
    );
    let frames = scene.post("/v1/plans/run", &json!(steps).to_string()).body;
    assert!(frames.contains("at most 100 are taken"), "{frames:.1500}");
    assert!(frames.contains(COMPLETE), "{frames:.1500}");
    scene.lives();
}

#[tokio::test(flavor = "multi_thread")]
async fn deep_pages_are_read_by_every_reader() {
    let site = TestSite::start(|asked| {
        let mut parts = asked.path.trim_matches('/').split('/');
        let grammar = parts.next().and_then(|at| PAGES.get(at.parse::<usize>().ok()?));
        let depth = parts.next().and_then(|depth| depth.parse().ok()).unwrap_or(1);
        SiteReply::html(grammar.map_or_else(|| "<p>x</p>".to_owned(), |it| it.text(depth)))
    })
    .await;
    let host = site.address().to_string();
    let pages: Vec<Vec<String>> = (0..PAGES.len())
        .map(|at| DEPTHS.map(|depth| site.url(&format!("/{at}/{depth}"))).to_vec())
        .collect();
    let work = move || {
        let scene = Scene::start(&host);
        let tools = [
            "html.get_text",
            "html.parse",
            "html.extract_tables",
            "html.extract_meta",
            "html.extract_links",
            "html.detect_repeating_blocks",
            "extract.records",
        ];
        for (at, urls) in pages.iter().enumerate() {
            for (url, depth) in urls.iter().zip(DEPTHS) {
                // All readers at the depths where recursion would show; at the largest the parser.
                let tools = if depth <= 10_000 { &tools[..] } else { &tools[..1] };
                for tool in tools {
                    let answer =
                        scene.post(&format!("/v1/tools/{tool}/run"), &json!({"url": url}).to_string());
                    let shown: String = answer.body.chars().take(300).collect();
                    // The longest of these pages have more bytes than a page may.
                    let is_too_large = answer.status == 502 && shown.contains("larger than allowed");
                    assert!(
                        matches!(answer.status, 200 | 422) || is_too_large,
                        "{tool} {}: {shown}",
                        PAGES[at].name
                    );
                }
            }
            let request = json!({"assets": urls[..4], "instructions": "read the page"}).to_string();
            let frames = scene.post("/api/scrape/stream", &request).body;
            assert!(frames.contains(COMPLETE), "{}", PAGES[at].name);
            let markdown = json!({"url": urls[3]}).to_string();
            scene.post("/v1/extract/markdown", &markdown);
        }
        scene.lives();
    };
    tokio::task::spawn_blocking(work).await.unwrap();
}

/// The median time of a request for `/healthz`.
fn health_median(address: &str, times: usize) -> Duration {
    let mut taken: Vec<Duration> = (0..times)
        .map(|_| {
            let began = Instant::now();
            assert_eq!(serving::ask(address, "GET", "/healthz", "", "").status, 200);
            std::thread::sleep(Duration::from_millis(20));
            began.elapsed() - Duration::from_millis(20)
        })
        .collect();
    taken.sort_unstable();
    taken[times / 2]
}

#[test]
fn the_server_answers_others_while_two_heavy_requests_run() {
    let scene = Scene::start("127.0.0.1:9");
    let page = "<i></i>".repeat(200_000);
    let body = json!({"html": page, "parameters": {"selector": "b ~ i"}}).to_string();
    let (address, done) = (scene.server.address.clone(), AtomicBool::new(false));
    let (median, answers) = std::thread::scope(|scope| {
        let heavy = || {
            let mut answers = Vec::new();
            while !done.load(Ordering::Relaxed) {
                answers.push(serving::ask(
                    &address,
                    "POST",
                    "/v1/tools/html.select/run",
                    "",
                    &body,
                ));
            }
            answers
        };
        let running = [scope.spawn(heavy), scope.spawn(heavy)];
        std::thread::sleep(Duration::from_millis(200));
        let median = health_median(&address, 50);
        done.store(true, Ordering::Relaxed);
        (median, running.map(|it| it.join().unwrap()).concat())
    });
    println!(
        "/healthz: {} ms at the median while 2 heavy requests run; {} of them ended",
        median.as_millis(),
        answers.len()
    );
    for answer in answers {
        assert!(
            answer.status == 422 && answer.body.contains("selector"),
            "{}",
            answer.body
        );
    }
    assert!(median < Duration::from_millis(100), "{median:?}");
    scene.lives();
}

#[test]
fn queries_and_patterns_that_explode_get_a_named_error() {
    let scene = Scene::start("127.0.0.1:9");
    let before = scene.server.memory("VmRSS");
    for bomb in QUERY_BOMBS {
        let parameters = json!({"query": bomb, "data": [1, 2, 3]});
        let plan = json!([{"tool": "data.query", "parameters": parameters}]).to_string();
        let answer = scene.tool("data.query", &parameters, "");
        assert!(answer.status >= 400, "{bomb}: {}", answer.body);
        let frames = scene.post("/v1/plans/run", &plan).body;
        assert!(frames.contains("error"), "{bomb}: {frames:.500}");
    }
    for bomb in PATTERN_BOMBS {
        for tool in ["regex.sub", "regex.findall", "regex.split"] {
            let mut parameters = json!({"pattern": bomb, "text": grammars::pattern_text()});
            if tool == "regex.sub" {
                parameters["replacement"] = json!("");
            }
            scene.tool(tool, &parameters, "");
        }
    }
    for nested in [("data.query", "query", "["), ("regex.match", "pattern", "(")] {
        for depth in DEPTHS {
            let (tool, field, open) = nested;
            let body = json!({"parameters": {field: open.repeat(depth), "text": "a", "data": 1}});
            scene.post(&format!("/v1/tools/{tool}/run"), &body.to_string());
        }
    }
    let grown = scene.server.memory("VmRSS").saturating_sub(before);
    assert!(grown < 256 * 1024, "the server's memory grew by {grown} kB");
    scene.lives();
}
