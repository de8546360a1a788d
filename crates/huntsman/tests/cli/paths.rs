//! No answer says where the server keeps its files, whatever goes wrong.

use std::fs;
use std::path::Path;

use serde_json::json;
use tempfile::TempDir;
use testkit::{ScriptedProvider, ScriptedTurn, SiteReply, TestSite};

use super::KETTLE;
use crate::server::{Server, model};

/// Part of every path of the server in this test.
const NEEDLE: &str = "needle-7731";

/// Requests to every endpoint, good ones and bad ones.
fn requests(page: &str, run: &str) -> Vec<(&'static str, String, String)> {
    let scrape = json!({"assets": [page], "instructions": "what is it", "screenshot": true}).to_string();
    let schema = json!({"type": "object", "properties": {"name": {"type": "string"}}});
    let read = json!({"url": page, "json_schema": schema, "instructions": "what is it"}).to_string();
    let plan =
        json!({"url": page, "plan": {"steps": [{"tool": "page.goto", "with": {"url": page}}]}}).to_string();
    let post = |path: &str, body: &str| ("POST", path.to_owned(), body.to_owned());
    let mut all = vec![
        post("/api/scrape", &scrape),
        post("/api/scrape/stream", &scrape),
        post("/v1/automate", &json!({"task": "look", "url": page}).to_string()),
        post("/v1/automate/req_00000000/input", "{\"cancelled\":true}"),
        post(
            "/v1/research",
            &json!({"query": "what is a kettle", "mode": "fast"}).to_string(),
        ),
        post("/v1/extract/markdown", &json!({"url": page}).to_string()),
        post("/v1/extract/json", &read),
        post("/v1/generate/json", &read),
        post("/v1/plans/check", &plan),
        post("/v1/plans/run", &plan),
        post(
            "/v1/tools/page.goto/run",
            &json!({"parameters": {"url": page}}).to_string(),
        ),
        post(
            "/v1/tools/search.web/run",
            &json!({"parameters": {"query": "kettle"}}).to_string(),
        ),
        post("/v1/tools/gone.tool/run", "{}"),
    ];
    for path in [
        "/readyz",
        "/metrics",
        "/openapi.json",
        "/v1/tools",
        "/v1/tools/gone.tool",
        "/v1/runs",
        "/v1/runs?cursor=x",
    ] {
        all.push(("GET", path.to_owned(), String::new()));
    }
    for path in [
        "/v1/runs/RUN",
        "/v1/runs/RUN/events",
        "/api/scrape/RUN/status",
        "/api/scrape/RUN/result",
    ] {
        all.push(("GET", path.replace("RUN", run), String::new()));
    }
    for path in ["/api/scrape/RUN", "/api/scrape/RUN/cleanup", "/v1/runs/RUN"] {
        all.push(("DELETE", path.replace("RUN", run), String::new()));
    }
    let broken: Vec<_> = all
        .iter()
        .filter(|(method, _, _)| *method == "POST")
        .map(|(method, path, _)| {
            (
                *method,
                path.clone(),
                "{\"url\": 7, \"assets\": [\"file:///etc/passwd\"]}".to_owned(),
            )
        })
        .collect();
    all.extend(broken);
    all
}

/// Sends all requests and looks at all answers. Returns how many were errors of the server.
fn sweep(server: &Server, page: &str) -> usize {
    let run = server
        .runs_or_none()
        .first()
        .map_or("run_00000000".to_owned(), |run| {
            run["id"].as_str().unwrap_or_default().to_owned()
        });
    let mut failed = 0;
    for (method, path, body) in requests(page, &run) {
        let answer = Server::ask(&server.address, method, &path, &body);
        assert!(!answer.is_empty(), "{method} {path}");
        assert!(!answer.contains(NEEDLE), "{method} {path}: {answer}");
        failed += usize::from(answer.contains("\"error\""));
    }
    failed
}

fn settings(folder: &Path, provider: &ScriptedProvider) -> Vec<(&'static str, String)> {
    let path = |name: &str| folder.join(name).display().to_string();
    let mut all = model(provider);
    all.extend([
        ("HUNTSMAN_ENGINE", "chromium".to_owned()),
        ("HUNTSMAN_CHROMIUM", path("no-such-program")),
        ("HUNTSMAN_SEARCH_PROVIDER", "local".to_owned()),
        ("HUNTSMAN_UPLOADS", path("no-such-file.pdf")),
        // Recordings cannot be written: the folder is a file.
        ("HUNTSMAN_LLM_RECORD", path("recordings")),
    ]);
    all
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn no_answer_names_a_path_of_the_server() {
    let outer = TempDir::new().unwrap();
    let folder = outer.path().join(NEEDLE);
    fs::create_dir_all(folder.join("tools.d")).unwrap();
    fs::write(folder.join("recordings"), "").unwrap();
    // Pictures cannot be kept either.
    fs::write(folder.join("screenshots"), "").unwrap();
    let gone = json!({"mcpServers": {"gone": {"command": folder.join("no-such-server")}}});
    fs::write(folder.join("tools.d/mcp.json"), gone.to_string()).unwrap();
    fs::write(folder.join("tools.d/broken.json"), "{\"tool_id\": 7}").unwrap();
    let site = TestSite::start(|_| SiteReply::html(KETTLE)).await;
    let page = site.url("/");
    let provider = ScriptedProvider::saying([ScriptedTurn::text("no")]).await;

    let server = Server::over(&folder, &settings(&folder, &provider));
    assert!(sweep(&server, &page) > 5, "no error was provoked");
    // A browser that ends at once and says where it lives, and one that is no program.
    for script in [
        "#!/bin/sh\necho \"$0 cannot start\" >&2\nexit 1\n",
        "nothing that runs",
    ] {
        let program = folder.join("no-such-program");
        fs::write(&program, script).unwrap();
        let executable = std::os::unix::fs::PermissionsExt::from_mode(0o755);
        fs::set_permissions(&program, executable).unwrap();
        assert!(sweep(&server, &page) > 5, "no error was provoked");
    }
    // A store and an index that are damaged while the server runs.
    for file in ["huntsman.db", "index.db"] {
        fs::write(folder.join(file), [b'x'; 65536]).unwrap();
        let _ = fs::write(folder.join(format!("{file}-wal")), b"");
    }
    assert!(sweep(&server, &page) > 5, "no error was provoked");
    drop(server);
}
