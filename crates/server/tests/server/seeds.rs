//! Features of the stream that the specifications name: errors, pages of steps, times, the order of decisions and calls, output.

use std::sync::Arc;

use browser::Browser;
use browser::engines::http::HttpBrowser;
use search::{SearchHit, SearchProvider, SearchQuery, SearchResults};
use serde_json::{Value, json};
use testkit::{ScriptedProvider, ScriptedTurn, SiteReply, TestSite};

use crate::client::Ask;
use crate::stand::Stand;

async fn events(answer: &mut crate::client::Answer) -> Vec<Value> {
    let frames = answer.frames().await;
    let data = frames
        .iter()
        .filter_map(|it| it.lines().find_map(|it| it.strip_prefix("data: ")));
    data.map(|it| serde_json::from_str(it).unwrap()).collect()
}

fn place(events: &[Value], is_wanted: impl Fn(&Value) -> bool) -> usize {
    events.iter().position(is_wanted).expect("such an event")
}

#[tokio::test]
async fn a_page_that_fails_tells_its_error_before_its_end_and_the_others_go_on() {
    let stand = Stand::start().await;
    let events = events(&mut stand.stream(&["/kettles", "/missing"]).await).await;
    let missing = stand.site.url("/missing");
    let error = place(&events, |it| it["type"] == "error");
    let told = &events[error]["data"];
    assert_eq!(
        (&told["url"], &told["code"]),
        (&json!(missing), &json!("UPSTREAM_ERROR"))
    );
    assert!(told["message"].is_string() && told["timestamp"].is_string());
    assert_eq!(
        told["retryable"], false,
        "a page that is not there is not there the next time"
    );
    let ends: Vec<&Value> = events.iter().filter(|it| it["type"] == "url_complete").collect();
    let end_of = |url: &str| *ends.iter().find(|it| it["url"] == url).unwrap();
    let (good, bad) = (end_of(&stand.site.url("/kettles")), end_of(&missing));
    assert_eq!(
        (&good["status"], &good["items"]),
        (&json!("completed"), &json!(1))
    );
    assert!(good.get("error").is_none());
    assert_eq!(
        (&bad["status"], &bad["items"], &bad["error"]["code"]),
        (&json!("failed"), &json!(0), &json!("UPSTREAM_ERROR"))
    );
    assert!(error < place(&events, |it| it["type"] == "url_complete" && it["url"] == missing));
    let starts = events.iter().filter(|it| it["type"] == "url_start");
    let mut starts: Vec<(u64, u64)> = starts
        .map(|it| (it["index"].as_u64().unwrap(), it["total"].as_u64().unwrap()))
        .collect();
    starts.sort_unstable();
    assert_eq!(starts, [(0, 2), (1, 2)]);
}

#[tokio::test]
async fn a_step_names_its_page_and_how_long_it_took_and_a_decision_comes_before_its_calls() {
    let stand = Stand::start().await;
    let url = stand.site.url("/kettles");
    let select = json!({"tool": "html.select", "parameters": {"selector": "p", "limit": 1}});
    let top = json!({"tool": "extract.top_n", "parameters": {"n": 1}});
    let body = json!({"plan": [select, top], "expected_output": "rows", "url": url});
    let events = events(&mut Ask::json("/v1/plans/run", &body).send(stand.at).await).await;
    let steps: Vec<&Value> = events
        .iter()
        .filter(|it| it["type"] == "step")
        .map(|it| &it["data"])
        .collect();
    let of_page = |it: &&&Value| {
        matches!(
            it["action"].as_str(),
            Some("navigator" | "tool_call" | "agent_decision")
        )
    };
    assert!(steps.iter().filter(of_page).count() >= 6);
    for step in steps.iter().filter(of_page) {
        assert_eq!(step["url"], url, "{step}");
    }
    let calls = steps.iter().filter(|it| it["action"] == "tool_call");
    for call in calls {
        assert_eq!(
            call["duration_ms"].is_number(),
            call["status"] != "running",
            "{call}"
        );
    }
    let decision = place(&events, |it| it["data"]["action"] == "agent_decision");
    let call = place(&events, |it| it["data"]["extracted_data"]["tool"].is_string());
    let (start, end) = (
        place(&events, |it| it["type"] == "url_start"),
        place(&events, |it| it["type"] == "url_complete"),
    );
    assert!(start < decision && decision < call && call < end && end < events.len() - 1);
    let result = events.last().unwrap()["data"]["extracted_data"]
        .as_object()
        .unwrap();
    let rows = &result.values().next().unwrap()["rows"];
    assert_eq!(
        rows.as_array().map(Vec::len),
        Some(1),
        "the rows of the step before: {rows}"
    );
}

#[tokio::test]
async fn the_output_of_a_scrape_as_json_holds_its_items() {
    let stand = Stand::start().await;
    let events = events(&mut stand.stream(&["/kettles"]).await).await;
    let done = &events.last().unwrap()["data"];
    let output: Value = serde_json::from_str(done["output"].as_str().unwrap()).unwrap();
    assert_eq!(
        (&done["output_format"], &done["status"]),
        (&json!("json"), &json!("completed"))
    );
    assert!(done["errors"].as_array().is_none_or(Vec::is_empty));
    assert_eq!(done["urls_processed"], 1);
    assert!(done["duration_seconds"].is_number());
    assert!(output.to_string().contains("Kettles"), "{output}");
}

const SHELF: &str = "<html><head><title>Pots</title></head><body><main><h1>Pots</h1><ul>\
    <li><h2><a href='/1'>Pot One</a></h2><p>10,00 €</p></li><li><h2><a href='/2'>Pot Two</a></h2><p>20,00 €</p></li>\
    <li><h2><a href='/3'>Pot Three</a></h2><p>30,00 €</p></li></ul></main></body></html>";

/// The response of a scrape of one list page, with these fields beside its address.
async fn scrape_of_shelf(fields: Value) -> Value {
    let site = TestSite::start(|_| SiteReply::html(SHELF)).await;
    let stand = Stand::on_site(site).await;
    let mut body = json!({"assets": [stand.site.url("/list")]});
    let given = fields.as_object().cloned().unwrap_or_default();
    body.as_object_mut().unwrap().extend(given);
    let answer = &mut Ask::json("/api/scrape/stream", &body).send(stand.at).await;
    events(answer).await.pop().unwrap()["data"].clone()
}

#[tokio::test]
async fn the_csv_of_a_list_page_is_its_rows_and_columns_that_none_has_are_told() {
    let csv = |columns: Value| scrape_of_shelf(json!({"output_format": "csv", "columns": columns}));
    let asked = csv(json!(["title", "price"])).await;
    assert_eq!(
        asked["output"],
        "title,price\r\nPot One,10\r\nPot Two,20\r\nPot Three,30\r\n"
    );
    assert!(asked.get("warnings").is_none(), "{asked}");
    let usual = csv(Value::Null).await;
    let lines = usual["output"].as_str().unwrap().lines().count();
    assert_eq!(lines, 4, "{}", usual["output"]);
    let none = csv(json!(["nope"])).await;
    assert_eq!(none["output"], "");
    let warning = none["warnings"][0].as_str().unwrap();
    assert!(
        warning.starts_with("columns: no row has \"nope\"; the rows have title"),
        "{warning}"
    );
    let shape =
        json!({"type": "array", "items": {"type": "object", "properties": {"title": {"type": "string"}}}});
    let shaped = scrape_of_shelf(json!({"output_format": "csv", "schema": shape})).await;
    assert_eq!(shaped["output"], "title\r\nPot One\r\nPot Two\r\nPot Three\r\n");
}

#[tokio::test]
async fn what_a_request_leaves_no_room_for_is_not_said_to_be_not_understood() {
    for (fields, said) in [
        (json!({"max_steps": 1}), "max_steps allows 1"),
        (json!({"formats": ["records"]}), "ask for `item`, too"),
    ] {
        let mut body = json!({"instructions": "under 15 €"});
        body.as_object_mut()
            .unwrap()
            .extend(fields.as_object().unwrap().clone());
        let done = scrape_of_shelf(body).await;
        let result = done["extracted_data"]
            .as_object()
            .unwrap()
            .values()
            .next()
            .unwrap();
        let verdict = &result["plan"]["verdict"];
        assert_eq!(verdict["conditions"][0]["state"], "not_applied", "{verdict}");
        assert!(verdict["issues"][0].as_str().unwrap().contains(said), "{verdict}");
    }
}

/// A search that finds these pages for "blue kettles", and nothing else.
struct Shelf(Vec<String>);

#[async_trait::async_trait]
impl SearchProvider for Shelf {
    fn name(&self) -> &str {
        "shelf"
    }

    async fn search(&self, query: &SearchQuery) -> Result<SearchResults, search::Error> {
        let found = self.0.iter().filter(|_| query.text == "blue kettles");
        let hits = found.take(query.count).map(|url| SearchHit {
            url: url.parse().unwrap(),
            title: "Kettles".into(),
            snippet: "found".into(),
            text: None,
        });
        Ok(SearchResults {
            hits: hits.collect(),
            kept: false,
        })
    }
}

#[tokio::test]
async fn search_terms_stand_for_the_pages_that_a_search_finds() {
    let site = TestSite::start(|asked| {
        let name = asked.path.trim_matches('/');
        SiteReply::html(format!(
            "<title>Kettle {name}</title><h1>Kettle {name}</h1><p>It boils water."
        ))
    })
    .await;
    let provider = ScriptedProvider::start(|_, _| ScriptedTurn::json(&json!({})).into()).await;
    let shelf = Shelf((1..=7).map(|number| site.url(&format!("/{number}"))).collect());
    let http = |client| -> Arc<dyn Browser> { Arc::new(HttpBrowser::new(client)) };
    let stand = Stand::open_to(site, &provider, http, Some(Arc::new(shelf))).await;
    let own = stand.site.url("/own");
    let body = json!({"assets": [own, "blue kettles", "green teapots"], "mode": "rule-based"});
    let events = events(&mut Ask::json("/api/scrape/stream", &body).send(stand.at).await).await;
    let ends = events.iter().filter(|it| it["type"] == "url_complete");
    let mut read: Vec<(&str, &str)> = ends
        .map(|it| (it["url"].as_str().unwrap(), it["status"].as_str().unwrap()))
        .collect();
    read.sort_unstable();
    let found: Vec<String> = (1..=5)
        .map(|number| stand.site.url(&format!("/{number}")))
        .collect();
    let mut wanted: Vec<(&str, &str)> = found.iter().map(|url| (url.as_str(), "completed")).collect();
    wanted.extend([(own.as_str(), "completed"), ("green teapots", "failed")]);
    wanted.sort_unstable();
    assert_eq!(
        read, wanted,
        "the first five that are found, and a term without any fails"
    );
    let call = place(&events, |it| it["data"]["extracted_data"]["tool"] == "search");
    assert!(call < place(&events, |it| it["type"] == "url_start"));
}
