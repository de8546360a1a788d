//! MCP over HTTP, spoken by hand in both of its eras: tools, refusals, parts, joined runs, questions, crowds.

use std::sync::Arc;

use serde_json::{Value, json};
use server::ServerSettings;
use testkit::{ScriptedProvider, ScriptedTurn, SiteReply, SiteRequest, TestSite};

use crate::automate::{done, plan, shop, verdict};
use crate::client::{Answer, Ask};
use crate::stand::Stand;

const MODERN: &str = "2026-07-28";

/// A message of the older era, which needs no session here.
pub(crate) fn legacy(path: &str, method: &str, params: &Value) -> Ask {
    let message = json!({"jsonrpc": "2.0", "id": 1, "method": method, "params": params});
    Ask::json(path, &message).header("accept", "application/json, text/event-stream")
}

/// A message of the newer era: version and capabilities are in each.
pub(crate) fn modern(method: &str, mut params: Value, capabilities: &Value) -> Ask {
    let name = params["name"].as_str().map(str::to_owned);
    params["_meta"] = json!({
        "io.modelcontextprotocol/protocolVersion": MODERN,
        "io.modelcontextprotocol/clientInfo": {"name": "test", "version": "1"},
        "io.modelcontextprotocol/clientCapabilities": capabilities,
    });
    let ask = legacy("/mcp", method, &params)
        .header("mcp-protocol-version", MODERN)
        .header("mcp-method", method);
    match name {
        Some(name) => ask.header("mcp-name", &name),
        None => ask,
    }
}

/// The last JSON-RPC message of an answer, JSON or events.
pub(crate) async fn message(mut answer: Answer) -> Value {
    let text = answer.text().await;
    let mut data = text
        .lines()
        .filter_map(|line| line.strip_prefix("data: "))
        .filter(|it| !it.is_empty());
    serde_json::from_str(data.next_back().unwrap_or(&text)).expect("a message")
}

async fn call(stand: &Stand, tool: &str, arguments: Value) -> Value {
    let params = json!({"name": tool, "arguments": arguments});
    message(legacy("/mcp", "tools/call", &params).send(stand.at).await).await
}

/// The text of a call's answer, and whether it says that it failed.
pub(crate) fn told(message: &Value) -> (&str, bool) {
    let content = message["result"]["content"]
        .as_array()
        .unwrap_or_else(|| panic!("{message}"));
    assert_eq!(content.len(), 1);
    (
        content[0]["text"].as_str().unwrap(),
        message["result"]["isError"] == true,
    )
}

fn names(listed: &Value) -> Vec<&str> {
    let tools = listed["result"]["tools"]
        .as_array()
        .unwrap_or_else(|| panic!("{listed}"));
    tools.iter().map(|tool| tool["name"].as_str().unwrap()).collect()
}

#[tokio::test]
async fn both_eras_list_and_call_and_the_reading_endpoint_offers_no_change() {
    let stand = Stand::start().await;
    let client = json!({"name": "test", "version": "1"});
    let hello = json!({"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": client});
    let hello = message(legacy("/mcp", "initialize", &hello).send(stand.at).await).await;
    assert_eq!(hello["result"]["protocolVersion"], "2025-06-18");
    assert_eq!(hello["result"]["serverInfo"]["name"], "huntsman");
    let discovered = message(
        modern("server/discover", json!({}), &json!({}))
            .send(stand.at)
            .await,
    )
    .await;
    assert!(
        discovered["result"]["supportedVersions"]
            .as_array()
            .unwrap()
            .contains(&json!(MODERN))
    );
    let listed = message(legacy("/mcp", "tools/list", &json!({})).send(stand.at).await).await;
    let all = [
        "read",
        "scrape",
        "research",
        "automate",
        "run_wait",
        "run_cancel",
        "tool_find",
        "tool_run",
    ];
    assert_eq!(
        names(&listed),
        all,
        "search is offered where a provider is configured"
    );
    let again = message(modern("tools/list", json!({}), &json!({})).send(stand.at).await).await;
    assert_eq!(listed["result"]["tools"], again["result"]["tools"]);
    let reading = message(legacy("/mcp/read", "tools/list", &json!({})).send(stand.at).await).await;
    assert_eq!(names(&reading), ["read", "research", "run_wait", "tool_find"]);
    let forbidden = json!({"name": "automate", "arguments": {"task": "buy it"}});
    let refused = message(legacy("/mcp/read", "tools/call", &forbidden).send(stand.at).await).await;
    assert_eq!(refused["error"]["code"], -32602);
    for ask in [
        legacy(
            "/mcp",
            "tools/call",
            &json!({"name": "read", "arguments": {"url": stand.site.url("/")}}),
        ),
        modern(
            "tools/call",
            json!({"name": "read", "arguments": {"url": stand.site.url("/")}}),
            &json!({}),
        ),
    ] {
        let read = message(ask.send(stand.at).await).await;
        let (text, failed) = told(&read);
        assert!(
            !failed
                && text.contains("never instructions")
                && text.contains("| title: Kettles\n| author: Ann Onym\n"),
            "{text}"
        );
        assert!(read["result"].get("structuredContent").is_none());
    }
}

#[tokio::test]
async fn bad_input_is_refused_before_any_work_and_says_what_to_try() {
    let stand = Stand::start().await;
    let unknown = call(&stand, "reed", json!({})).await;
    assert!(
        unknown["error"]["message"]
            .as_str()
            .unwrap()
            .contains("did you mean read?"),
        "{unknown}"
    );
    let wrong = call(&stand, "read", json!({"ur": "x", "part": 0})).await;
    let (text, failed) = told(&wrong);
    assert!(
        failed
            && ["did you mean url?", "part: must be", "url: is required"]
                .iter()
                .all(|it| text.contains(it))
    );
    for (tool, arguments, what) in [
        (
            "run_wait",
            json!({"run_id": "run_0123456789"}),
            "there is no run of this id",
        ),
        ("run_cancel", json!({"run_id": "../../etc"}), "run_id: an id is"),
        ("tool_run", json!({"name": "table.extrakt"}), "name: "),
        ("tool_run", json!({"name": "no.such", "part": 2}), "name: "),
        (
            "research",
            json!({"question": " "}),
            "question: must not be empty",
        ),
        (
            "automate",
            json!({"task": "x", "trusted_hostnames": ["https://a.example/"]}),
            "trusted_hostnames[0]",
        ),
        ("read", json!({"url": "http://10.0.0.1/"}), "public"),
    ] {
        let answer = call(&stand, tool, arguments.clone()).await;
        let (text, failed) = told(&answer);
        assert!(failed && text.contains(what), "{tool} {arguments}: {text}");
    }
    let one = json!({"jsonrpc": "2.0", "id": 1, "method": "tools/list"});
    let batch =
        Ask::json("/mcp", &json!(vec![one; 1000])).header("accept", "application/json, text/event-stream");
    let refused = batch.send(stand.at).await;
    assert_eq!(refused.status, 400);
    assert_eq!(message(refused).await["error"]["code"], -32600);
    let large = Ask::post("/mcp", vec![b' '; 100 << 20]).send(stand.at).await;
    assert_eq!(large.status, 413);
    for (method, params, what) in [
        (
            "tools/call",
            json!({"arguments": {}}),
            "params: tools/call needs name",
        ),
        (
            "tools/call",
            json!({"name": "read", "arguments": [1]}),
            "params: tools/call needs name",
        ),
        (
            "resources/read",
            json!({"uri": 7}),
            "params: resources/read needs uri",
        ),
        ("no/such", json!({}), "no/such"),
    ] {
        let refused = message(legacy("/mcp", method, &params).send(stand.at).await).await;
        let text = refused["error"]["message"]
            .as_str()
            .unwrap_or_else(|| panic!("{refused}"));
        assert!(text.starts_with(what), "{refused}");
    }
    // A client that lies: what its headers say has to be what its message says.
    let honest = [MODERN, "tools/call", "read"];
    for lie in [
        ["2025-06-18", "tools/call", "read"],
        [MODERN, "tools/list", "read"],
        [MODERN, "tools/call", "automate"],
    ] {
        let meta = json!({
            "io.modelcontextprotocol/protocolVersion": MODERN,
            "io.modelcontextprotocol/clientInfo": {"name": "test", "version": "1"},
            "io.modelcontextprotocol/clientCapabilities": {},
        });
        let params = json!({"name": "read", "arguments": {}, "_meta": meta});
        let with = |[version, method, name]: [&str; 3]| {
            legacy("/mcp", "tools/call", &params)
                .header("mcp-protocol-version", version)
                .header("mcp-method", method)
                .header("mcp-name", name)
        };
        assert_eq!(with(lie).send(stand.at).await.status, 400, "{lie:?}");
        assert_eq!(with(honest).send(stand.at).await.status, 200);
    }
    let scraped = call(&stand, "scrape", json!({"urls": ["http://10.0.0.1/"]})).await;
    let run = scraped["result"]["structuredContent"]["run_id"].clone();
    let beyond = call(&stand, "run_wait", json!({"run_id": run, "part": 9})).await;
    assert!(
        told(&beyond).1
            && told(&beyond)
                .0
                .contains("part 9 does not exist: the answer has only part 1"),
        "{beyond}"
    );
    let foreign = legacy("/mcp", "tools/list", &json!({}))
        .header("origin", "https://evil.test")
        .send(stand.at)
        .await;
    assert_eq!(foreign.status, 403);
    let rebound = legacy("/mcp", "tools/list", &json!({}))
        .header("host", "evil.test")
        .send(stand.at)
        .await;
    assert_eq!(rebound.status, 403);
    assert_eq!(stand.site.asked().len(), 0);
}

#[tokio::test]
async fn keys_are_asked_for_and_nobody_sees_the_runs_of_another_key() {
    let keys = ["first-key-of-ours", "second-key-of-ours"];
    let settings = ServerSettings {
        api_keys: keys.iter().map(|key| key.parse().unwrap()).collect(),
        ..ServerSettings::default()
    };
    let stand = Stand::with(settings).await;
    assert_eq!(
        legacy("/mcp", "tools/list", &json!({}))
            .send(stand.at)
            .await
            .status,
        401
    );
    let with = |key: &str, tool: &str, arguments: Value| {
        let params = json!({"name": tool, "arguments": arguments});
        legacy("/mcp", "tools/call", &params).header("authorization", &format!("Bearer {key}"))
    };
    let scrape = with(keys[0], "scrape", json!({"urls": [stand.site.url("/")]}))
        .send(stand.at)
        .await;
    let scraped = message(scrape).await;
    let data = &scraped["result"]["structuredContent"];
    assert_eq!(serde_json::from_str::<Value>(told(&scraped).0).unwrap(), *data);
    assert_eq!(data["status"], "completed");
    let run = json!({"run_id": data["run_id"]});
    let own = message(with(keys[0], "run_wait", run.clone()).send(stand.at).await).await;
    assert_eq!(own["result"]["structuredContent"], *data);
    let foreign = message(with(keys[1], "run_wait", run).send(stand.at).await).await;
    assert!(told(&foreign).0.contains("no run of this id"));
    let uri = json!({"uri": format!("huntsman://runs/{}/events", data["run_id"].as_str().unwrap())});
    for (key, found) in [(keys[0], true), (keys[1], false)] {
        let ask = legacy("/mcp", "resources/read", &uri).header("authorization", &format!("Bearer {key}"));
        let resource = message(ask.send(stand.at).await).await;
        assert_eq!(resource.get("result").is_some(), found, "{resource}");
    }
}

#[tokio::test]
async fn a_page_of_fifty_thousand_elements_is_read_in_parts_that_give_all_of_it_and_is_fetched_once() {
    let lines: String = (0..50_000)
        .map(|n| format!("<p>Line number {n} of the long list.</p>"))
        .collect();
    let page = format!("<title>Long</title><main><h1>Long</h1>{lines}</main>");
    let stand =
        Stand::on_site(TestSite::start(move |_: &SiteRequest| SiteReply::html(page.clone())).await).await;
    let url = stand.site.url("/long");
    let (mut seen, mut part) = (0, 1);
    loop {
        let arguments = json!({"url": url, "as": "full", "part": part, "max_tokens": 20000});
        let answer = call(&stand, "read", arguments).await;
        let (text, failed) = told(&answer);
        assert!(!failed, "{text}");
        for line in text.lines().filter(|line| line.starts_with("| Line number")) {
            assert!(line.starts_with(&format!("| Line number {seen} of")), "{line}");
            seen += 1;
        }
        if text.contains("This is the last of") {
            break;
        }
        part += 1;
    }
    assert_eq!((seen, stand.site.hits("/long")), (50_000, 1));
    let beyond = call(
        &stand,
        "read",
        json!({"url": url, "as": "full", "part": part + 1, "max_tokens": 20000}),
    )
    .await;
    assert!(told(&beyond).1 && told(&beyond).0.contains(&format!("parts 1 to {part}")));
    let found = call(&stand, "read", json!({"url": url, "as": "full", "find": "49999"})).await;
    assert!(
        told(&found).0.contains("Line number 49999") && told(&found).0.len() < 1000,
        "{}",
        told(&found).0
    );
}

#[tokio::test]
async fn a_long_run_is_told_in_time_joined_by_equal_calls_waited_for_and_cancelled() {
    let stand = Stand::start().await;
    let arguments = json!({"urls": [stand.site.url("/silent")]});
    let mut params = json!({"name": "scrape", "arguments": arguments, "_meta": {"progressToken": "p1"}});
    let mut first = legacy("/mcp", "tools/call", &params).send(stand.at).await;
    let progress = first.until(|text| text.contains("run_")).await;
    assert!(
        progress.contains("notifications/progress") && progress.contains("\"p1\""),
        "{progress}"
    );
    let run = &progress[progress.find("run_").unwrap()..][..36];
    // The stream is cut; whoever was told the run's id finds it running.
    drop(first);
    let waited = call(&stand, "run_wait", json!({"run_id": run, "wait_seconds": 0})).await;
    assert!(
        told(&waited).0.contains(&format!("{run} is still running")),
        "{waited}"
    );
    let again = legacy("/mcp", "tools/call", &params)
        .send(stand.at)
        .await
        .until(|text| text.contains("run_"))
        .await;
    assert!(again.contains(run), "{again}");
    params["arguments"]["fresh"] = json!(true);
    let fresh = legacy("/mcp", "tools/call", &params)
        .send(stand.at)
        .await
        .until(|text| text.contains("run_"))
        .await;
    assert!(!fresh.contains(run), "{fresh}");
    let cancelled = call(&stand, "run_cancel", json!({"run_id": run})).await;
    assert!(told(&cancelled).0.contains("is being cancelled"));
    let ended = call(&stand, "run_wait", json!({"run_id": run})).await;
    assert!(told(&ended).1, "{ended}");
    // An equal call after the end begins anew.
    params["arguments"]["fresh"] = json!(null);
    let anew = legacy("/mcp", "tools/call", &params)
        .send(stand.at)
        .await
        .until(|text| text.contains("run_"))
        .await;
    assert!(!anew.contains(run) && anew.contains("run_"), "{anew}");
}

pub(crate) fn asking() -> [ScriptedTurn; 4] {
    let fields = json!({"refs": ["E3", "E4"], "description": "delivery"});
    [
        plan(),
        ScriptedTurn::call("request_user_data", fields),
        done("ordered"),
        verdict("complete"),
    ]
}

#[tokio::test]
async fn a_person_is_asked_by_a_form_of_the_client_and_the_call_goes_on_with_the_answer() {
    let provider = ScriptedProvider::saying(asking()).await;
    let stand = Stand::automating(TestSite::start(shop).await, &provider).await;
    let arguments = json!({"task": "order", "url": stand.site.url("/"), "interactive": true});
    let params = json!({"name": "automate", "arguments": arguments});
    let able = json!({"elicitation": {"form": {}}});
    let asked = message(modern("tools/call", params.clone(), &able).send(stand.at).await).await;
    let required = &asked["result"];
    assert_eq!(required["resultType"], "input_required", "{asked}");
    let form = &required["inputRequests"]["form"];
    assert_eq!(
        form["params"]["requestedSchema"]["properties"]["E3"]["title"], "E-mail",
        "{form}"
    );
    let mut repeated = params.clone();
    repeated["requestState"] = json!("forged");
    let forged = message(modern("tools/call", repeated.clone(), &able).send(stand.at).await).await;
    assert!(told(&forged).1);
    repeated["requestState"] = required["requestState"].clone();
    let content = json!({"E3": "ann@example.org", "E4": "Peru"});
    repeated["inputResponses"] = json!({"form": {"action": "accept", "content": content}});
    let answered = message(modern("tools/call", repeated, &able).send(stand.at).await).await;
    let (text, failed) = told(&answered);
    assert!(!failed && text.contains("| ordered"), "{text}");
    assert!(
        provider
            .seen()
            .iter()
            .all(|it| !it.body.to_string().contains("ann@example.org"))
    );
}

#[tokio::test]
async fn a_secret_is_given_in_the_console_to_which_the_client_leads_and_never_passes_through_the_client() {
    let login = |asked: &SiteRequest| match asked.method.as_str() {
        "POST" => SiteReply::html("<title>In</title><h1>Welcome</h1>"),
        _ => SiteReply::html(
            "<title>Log in</title><form action=/in method=post>\
             <label>Password <input type=password name=p required></label><button>Go</button></form>",
        ),
    };
    let fields = json!({"refs": ["E2"], "description": "the login"});
    let turns = [
        plan(),
        ScriptedTurn::call("request_user_data", fields),
        done("logged in"),
        verdict("complete"),
    ];
    let provider = ScriptedProvider::saying(turns).await;
    let stand = Stand::automating(TestSite::start(login).await, &provider).await;
    let arguments = json!({"task": "log in", "url": stand.site.url("/"), "interactive": true});
    let mut params = json!({"name": "automate", "arguments": arguments});
    let able = json!({"elicitation": {"form": {}, "url": {}}});
    let asked = message(modern("tools/call", params.clone(), &able).send(stand.at).await).await;
    let required = &asked["result"];
    let visit = &required["inputRequests"]["link"]["params"];
    let state = required["requestState"].as_str().unwrap();
    let question = state.split(' ').next_back().unwrap();
    assert_eq!(visit["mode"], "url", "{asked}");
    assert_eq!(
        visit["url"],
        format!("http://{}/console/questions/{question}", stand.at)
    );
    // What the console does with the person's answer.
    let answer = json!({"fields": [{"ref": "E2", "value": "canary-hunter2"}]});
    let given = Ask::json(&format!("/v1/automate/{question}/input"), &answer);
    assert_eq!(given.send(stand.at).await.status, 202);
    params["requestState"] = json!(state);
    params["inputResponses"] = json!({"link": {"action": "accept"}});
    let answered = message(modern("tools/call", params, &able).send(stand.at).await).await;
    let (text, failed) = told(&answered);
    assert!(
        !failed && text.contains("| logged in") && !text.contains("canary"),
        "{text}"
    );
}

#[tokio::test]
async fn a_client_without_forms_is_told_where_the_person_can_answer() {
    let provider = ScriptedProvider::saying(asking()).await;
    let stand = Stand::automating(TestSite::start(shop).await, &provider).await;
    let arguments = json!({"task": "order", "url": stand.site.url("/"), "interactive": true});
    let answer = call(&stand, "automate", arguments).await;
    let (text, failed) = told(&answer);
    assert!(
        !failed && text.contains("waits for a person") && text.contains("/v1/automate/req_"),
        "{text}"
    );
}

/// Half of those who die know the id of their run, the others do not.
#[tokio::test]
async fn a_hundred_clients_of_whom_ten_die_get_one_run_each_and_none_is_lost() {
    let site = TestSite::start(|asked: &SiteRequest| {
        let page = SiteReply::html(format!(
            "<title>{0}</title><main><h1>Page {0}</h1><p>Text of it.</p></main>",
            asked.path
        ));
        // Pages of the clients that die come slowly, so that these go in the middle of their calls.
        match asked.path.ends_with('0') {
            true => page.dripping(10, std::time::Duration::from_millis(60)),
            false => page,
        }
    })
    .await;
    let stand = Arc::new(Stand::on_site(site).await);
    let clients = (0..100).map(|number| {
        let stand = Arc::clone(&stand);
        tokio::spawn(async move {
            let mut params =
                json!({"name": "scrape", "arguments": {"urls": [stand.site.url(&format!("/{number}"))]}});
            if number % 20 != 10 {
                params["_meta"] = json!({"progressToken": number});
            }
            let mut answer = legacy("/mcp", "tools/call", &params).send(stand.at).await;
            match number % 20 {
                0 => {
                    answer.until(|text| text.contains("run_")).await;
                    return None;
                }
                10 => {
                    while stand.site.hits(&format!("/{number}")) == 0 {
                        tokio::task::yield_now().await;
                    }
                    return None;
                }
                _ => {}
            }
            let message = message(answer).await;
            message["result"]["structuredContent"]["status"]
                .as_str()
                .map(str::to_owned)
        })
    });
    let mut completed = 0;
    for client in clients.collect::<Vec<_>>() {
        completed += usize::from(client.await.unwrap().as_deref() == Some("completed"));
    }
    assert_eq!(completed, 90);
    let listed = stand.get("/v1/runs?limit=200").await.json().await;
    let runs = listed["runs"].as_array().unwrap();
    assert_eq!(runs.len(), 100);
    for run in runs {
        let ended = stand.ended(run["id"].as_str().unwrap()).await;
        assert_eq!(ended["status"], "completed", "{ended}");
    }
    for number in 0..100 {
        assert_eq!(stand.site.hits(&format!("/{number}")), 1, "page {number}");
    }
}

#[tokio::test]
async fn prompts_name_every_argument_that_is_missing_and_fill_in_those_that_are_given() {
    let stand = Stand::start().await;
    let ask = |method: &str, params: Value| legacy("/mcp", method, &params).send(stand.at);
    let listed = message(ask("prompts/list", json!({})).await).await;
    assert_eq!(listed["result"]["prompts"].as_array().unwrap().len(), 3);
    let missing = message(ask("prompts/get", json!({"name": "compare_pages"})).await).await;
    assert_eq!(missing["error"]["message"], "arguments are missing: urls, what");
    let given = json!({"name": "answer_with_sources", "arguments": {"question": "why is the sky blue"}});
    let filled = message(ask("prompts/get", given).await).await;
    let text = filled["result"]["messages"][0]["content"]["text"]
        .as_str()
        .unwrap();
    assert!(text.contains("why is the sky blue") && text.contains("`research`"));
}

#[tokio::test]
async fn the_words_that_models_read_change_on_purpose_only() {
    let stand = Stand::start().await;
    let listed = message(legacy("/mcp", "tools/list", &json!({})).send(stand.at).await).await;
    let tools = &listed["result"]["tools"];
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/server/mcp_tools.json");
    if std::env::var_os("BLESS").is_some() {
        std::fs::write(path, format!("{tools:#}\n")).unwrap();
    }
    let expected: Value = serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap();
    assert_eq!(*tools, expected, "BLESS=1 writes it anew");
}
