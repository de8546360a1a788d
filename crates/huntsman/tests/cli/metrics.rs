//! What `/metrics` of a server counts.

use serde_json::json;
use testkit::{SiteReply, TestSite};

use crate::server::Server;

#[tokio::test(flavor = "multi_thread")]
async fn calls_of_tools_are_counted_by_name_and_success() {
    let site =
        TestSite::start(|_| SiteReply::html("<title>Lamps</title><h1>Lamps</h1><p>Two lamps.</p>")).await;
    let page = site.url("/");
    tokio::task::spawn_blocking(move || {
        let server = Server::start(None, &[]);
        let read = |selector: &str| json!({"tool": "html.select", "parameters": {"selector": selector}});
        // The page has no such button.
        let fails = json!({"tool": "navigation.click_by_text", "parameters": {"text": "Buy"}, "on_error": "continue"});
        let steps = [read("h1"), fails, read("p")];
        let body = json!({"plan": steps, "expected_output": "elements", "url": page}).to_string();
        let told = Server::ask(&server.address, "POST", "/v1/plans/run", &body);
        let counts = Server::ask(&server.address, "GET", "/metrics", "");
        for (tool, success, calls) in [("html.select", "true", 2), ("navigation.click_by_text", "false", 1)] {
            let line = format!("huntsman_tool_calls_total{{tool=\"{tool}\",success=\"{success}\"}} {calls}");
            assert!(counts.lines().any(|it| it == line), "{line}\n{told}\n{counts}");
        }
    })
    .await
    .unwrap();
}
