//! Tools and plans at the door: the registry told, one tool run, a plan judged, and a plan run in the stream of a scrape.

use serde_json::{Value, json};

use crate::client::Ask;
use crate::stand::Stand;

async fn post(stand: &Stand, path: &str, body: Value) -> (u16, Value) {
    let mut answer = Ask::json(path, &body).send(stand.at).await;
    (answer.status, answer.json().await)
}

#[tokio::test]
async fn plugins_are_told_with_their_tools() {
    let stand = Stand::start().await;
    let plugins = stand.get("/v1/plugins").await.json().await;
    let plugins = plugins["plugins"].as_array().unwrap();
    let html = plugins
        .iter()
        .find(|plugin| plugin["id"] == "html-parser")
        .unwrap();
    assert_eq!(html["categories"], json!(["html"]));
    assert!(html["tools"].as_array().unwrap().contains(&json!("html.select")));
    let same = stand.get("/api/plugins").await.json().await;
    assert_eq!(same["plugins"], json!(plugins));
}

#[tokio::test]
async fn sites_are_told_with_their_tools() {
    let stand = Stand::start().await;
    let sites = stand.get("/api/sites").await.json().await;
    assert_eq!(sites["count"], sites["sites"].as_array().unwrap().len());
    let one = stand.get("/api/sites/hacker_news").await.json().await;
    assert_eq!(
        (&one["host"], &one["tools"]),
        (&json!("news.ycombinator.com"), &json!(["extraction.articles_hn"]))
    );
    assert!(sites["sites"].as_array().unwrap().contains(&one));
    let mut unknown = stand.get("/api/sites/nowhere").await;
    assert_eq!(unknown.status, 404);
    assert!(unknown.text().await.contains("hacker_news"));
}

#[tokio::test]
async fn the_site_of_a_task_is_matched_by_its_words_or_addresses() {
    let stand = Stand::start().await;
    let matched = async |body: Value| post(&stand, "/api/sites/match", body).await.1;
    let reddit = stand.get("/api/sites/reddit").await.json().await;
    let found = json!({"matched": true, "site": reddit});
    assert_eq!(
        matched(json!({"instructions": "newest posts of reddit"})).await,
        found
    );
    assert_eq!(
        matched(json!({"instructions": "newest posts", "assets": ["old.reddit.com/r/rust"]})).await,
        found
    );
    let none = json!({"matched": false, "site": null});
    assert_eq!(
        matched(json!({"instructions": "kettles", "assets": ["https://shop.example/"]})).await,
        none
    );
    assert_eq!(matched(json!({})).await, none);
    let (status, refused) = post(&stand, "/api/sites/match", json!({"assets": "reddit.com"})).await;
    assert_eq!(status, 400);
    assert!(refused["error"].as_str().unwrap().contains("assets"));
}

#[tokio::test]
async fn tools_are_told_with_their_manifests() {
    let stand = Stand::start().await;
    let all = stand.get("/v1/tools").await.json().await;
    let tools = all["tools"].as_array().unwrap();
    assert_eq!(all["count"], tools.len());
    assert!(
        tools
            .iter()
            .all(|it| it["id"].is_string() && it["parameters"]["type"] == "object")
    );
    let twice = stand.get("/v1/tools?category=html&category=csv").await;
    assert_eq!(
        (twice.status, twice.header("x-error-code")),
        (400, Some("INVALID_REQUEST"))
    );
    let of_html = stand.get("/v1/tools?category=html").await.json().await;
    assert!(
        of_html["tools"]
            .as_array()
            .unwrap()
            .iter()
            .all(|it| it["category"] == "html")
    );
    assert_eq!(
        stand.get("/v1/tools/html.select").await.json().await["name"],
        "select"
    );
    let mut unknown = stand.get("/v1/tools/html.selekt").await;
    assert_eq!(
        (unknown.status, unknown.header("x-error-code")),
        (404, Some("UNKNOWN_TOOL"))
    );
    assert!(unknown.text().await.contains("did you mean html.select?"));
}

#[tokio::test]
async fn one_tool_runs_on_a_page_that_is_sent_along_or_fetched() {
    let stand = Stand::start().await;
    let run = async |body: Value| post(&stand, "/v1/tools/html.select/run", body).await;
    let (status, outcome) =
        run(json!({"parameters": {"selector": "p"}, "html": "<p>one</p><p>two</p>"})).await;
    assert_eq!(
        (status, &outcome["ok"], &outcome["data"]["elements_found"]),
        (200, &json!(true), &json!(2))
    );
    let (_, outcome) =
        run(json!({"parameters": {"selector": "h1"}, "url": stand.site.url("/kettles")})).await;
    assert_eq!(outcome["data"]["elements"][0]["text"], "Kettles");
    let (_, outcome) = run(json!({"parameters": {"selector": "table"}, "html": "<p>one</p>"})).await;
    assert_eq!(
        (&outcome["empty"], &outcome["data"]["empty"]),
        (&json!(true), &json!(true))
    );
    for (body, status) in [
        (json!({"parameters": {"selector": "h1[["}, "html": "<p>"}), 422),
        (json!({"parameters": {"selektor": "h1"}, "html": "<p>"}), 422),
        (
            json!({"parameters": {"selector": "h1"}, "url": "http://127.0.0.1:1/"}),
            400,
        ),
        (json!({"parameters": "{}"}), 400),
    ] {
        let (got, answer) = run(body.clone()).await;
        assert_eq!(got, status, "{body}: {answer}");
        assert_eq!(answer.as_object().unwrap().keys().collect::<Vec<_>>(), ["error"]);
    }
}

#[tokio::test]
async fn a_plan_is_judged_as_a_whole_and_a_bad_one_never_runs() {
    let stand = Stand::start().await;
    let good = json!({"plan": [{"tool": "html.select", "parameters": {"selector": "h1", "limit": "5"}}]});
    let (_, verdict) = post(&stand, "/v1/plans/check", good).await;
    assert_eq!(
        (&verdict["ok"], &verdict["plan"]["plan"][0]["parameters"]["limit"]),
        (&json!(true), &json!(5))
    );
    let bad = json!({"plan": [{"tool": "html.select", "parameters": {"selector": "h1[["}}, {"tool": "no.such"}], "url": stand.site.url("/")});
    let (status, verdict) = post(&stand, "/v1/plans/check", bad.clone()).await;
    assert_eq!(
        (
            status,
            &verdict["ok"],
            verdict["issues"].as_array().unwrap().len()
        ),
        (200, &json!(false), 2)
    );
    let mut refused = Ask::json("/v1/plans/run", &bad).send(stand.at).await;
    assert_eq!(
        (refused.status, refused.header("x-error-code")),
        (400, Some("INVALID_PLAN"))
    );
    assert!(refused.text().await.contains("/plan/1/tool"));
    assert!(stand.site.asked().is_empty());
}

/// The tables of the stream's contract, field by field, over a run of four calls; and the run read again from any place.
#[tokio::test]
async fn a_run_of_four_calls_is_told_in_both_patterns_and_can_be_read_from_anywhere() {
    let stand = Stand::start().await;
    let call = |selector: &str| json!({"tool": "html.select", "parameters": {"selector": selector, "limit": 20}, "description": "find blocks"});
    let mut steps = vec![call("h1"), call("p"), call("a")];
    steps.push(json!({"tool": "url.join", "parameters": {"base": "{{elements[0].text}}", "path": "x"}, "on_error": "continue"}));
    let body = json!({"plan": steps, "expected_output": "elements", "url": stand.site.url("/kettles")});
    let mut answer = Ask::json("/v1/plans/run", &body).send(stand.at).await;
    let run = answer.header("x-run-id").unwrap().to_owned();
    let frames = answer.frames().await;
    let events: Vec<Value> = frames
        .iter()
        .filter_map(|it| it.lines().find_map(|it| it.strip_prefix("data: ")))
        .map(|it| serde_json::from_str(it).unwrap())
        .collect();
    let kinds: Vec<&str> = events.iter().map(|it| it["type"].as_str().unwrap()).collect();
    assert_eq!((kinds.first(), kinds.last()), (Some(&"init"), Some(&"complete")));
    assert!(kinds.contains(&"url_start") && kinds.contains(&"url_complete"));
    let steps: Vec<&Value> = events
        .iter()
        .filter(|it| it["type"] == "step")
        .map(|it| &it["data"])
        .collect();
    for step in &steps {
        assert!(
            step["step_number"].is_u64() && step["action"].is_string() && step["status"].is_string(),
            "{step}"
        );
        assert!(
            step["message"].is_string() && step["reward"].is_number() && step["timestamp"].is_string(),
            "{step}"
        );
        assert!(
            step["extracted_data"].is_object() || step["extracted_data"].is_null(),
            "{step}"
        );
    }
    let of = |action: &str| {
        steps
            .iter()
            .filter(|it| it["action"] == action)
            .copied()
            .collect::<Vec<&Value>>()
    };
    let decision = of("agent_decision")[0];
    assert_eq!(
        (&decision["message"], &decision["reward"], &decision["status"]),
        (
            &json!("Agent selected 4 runtime tools"),
            &json!(0.1),
            &json!("completed")
        )
    );
    let planned = &decision["extracted_data"]["tool_calls"];
    assert_eq!(planned.as_array().unwrap().len(), 4);
    assert_eq!(
        planned[0],
        json!({"tool": "html.select", "params": {"selector": "h1", "limit": 20}, "reasoning": "find blocks"})
    );
    // Pattern A: the house's own call, with name, description, parameters and result.
    let own: Vec<&Value> = of("tool_call")
        .into_iter()
        .filter(|it| it["extracted_data"]["tool_name"].is_string())
        .collect();
    assert_eq!(own.len(), 2);
    assert_eq!(own[1]["extracted_data"]["tool_name"], "html.parse");
    assert!(
        own[1]["extracted_data"]["tool_description"].is_string()
            && own[1]["extracted_data"]["parameters"].is_object()
    );
    assert!(
        own[0]["extracted_data"]["result"].is_null()
            && own[1]["extracted_data"]["result"]["elements"].is_u64()
    );
    // Pattern B: the plan's calls, with tool, success, preview, error and duration.
    let calls: Vec<&Value> = of("tool_call")
        .into_iter()
        .filter(|it| it["extracted_data"]["tool"].is_string())
        .collect();
    assert_eq!(calls.len(), 8);
    for pair in calls.chunks(2) {
        assert_eq!(
            (&pair[0]["status"], &pair[0]["call_id"]),
            (&json!("running"), &pair[1]["call_id"])
        );
    }
    let first = &calls[1]["extracted_data"];
    assert_eq!(
        (&calls[1]["message"], &calls[1]["reward"]),
        (&json!("Tool html.select: ok"), &json!(0.05))
    );
    assert_eq!(
        (&first["tool"], &first["success"], &first["error"]),
        (&json!("html.select"), &json!(true), &Value::Null)
    );
    assert!(
        first["result_preview"]
            .as_str()
            .unwrap()
            .starts_with(r#"{"elements_found":1"#),
        "{first}"
    );
    assert!(first["duration_ms"].is_number());
    let last = &calls[7];
    assert_eq!(
        (
            &last["status"],
            &last["reward"],
            &last["extracted_data"]["success"]
        ),
        (&json!("failed"), &json!(-0.02), &json!(false))
    );
    assert!(
        last["extracted_data"]["error"].as_str().unwrap().contains("base"),
        "{last}"
    );
    let done = &events.last().unwrap()["data"];
    let result = done["extracted_data"]
        .as_object()
        .unwrap()
        .values()
        .next()
        .unwrap();
    assert_eq!(result["rows"][0]["text"], "Home");
    let earned: f64 = steps.iter().map(|it| it["reward"].as_f64().unwrap()).sum();
    assert!((done["total_reward"].as_f64().unwrap() - earned).abs() < 1e-9);
    for seen in 0..=frames.len() {
        let path = format!("/v1/runs/{run}/events");
        let again = Ask::get(&path)
            .header("last-event-id", &seen.to_string())
            .send(stand.at)
            .await
            .frames()
            .await;
        assert_eq!(again.len(), frames.len() - seen);
    }
}

#[tokio::test]
async fn instructions_choose_tools_and_plugins_limit_them() {
    let stand = Stand::start().await;
    let scrape = async |plugins: Value| {
        let body = json!({"assets": [stand.site.url("/kettles")], "instructions": "which elements match the css selector `main p`", "enable_plugins": plugins});
        let frames = Ask::json("/api/scrape/stream", &body)
            .send(stand.at)
            .await
            .frames()
            .await;
        frames.join("\n")
    };
    let all = scrape(json!([])).await;
    assert!(
        all.contains("agent_decision") && all.contains("html.select"),
        "{all}"
    );
    assert!(all.contains(r#""rows":[{"#));
    let none = scrape(json!(["regex"])).await;
    assert!(!none.contains("agent_decision"), "{none}");
    assert!(none.contains(r#""requested_plugins":["regex"]"#));
}
