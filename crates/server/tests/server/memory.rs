//! Memory of sites: what a scrape learned is kept for its owner, used by the next one, shown and erased.

use agents::services::Reading;
use serde_json::{Value, json};
use testkit::{ScriptedProvider, ScriptedTurn};

use crate::client::Ask;
use crate::stand::Stand;

async fn scrape(stand: &Stand, more: Value) -> Value {
    let mut body = json!({"assets": [stand.site.url("/kettles")], "instructions": "read the page"});
    for (key, value) in more.as_object().unwrap() {
        body[key] = value.clone();
    }
    let mut answer = Ask::json("/api/scrape", &body)
        .header("prefer", "respond-async")
        .send(stand.at)
        .await;
    let run = answer.json().await["session_id"].as_str().unwrap().to_owned();
    stand.ended(&run).await["result"].clone()
}

fn page(result: &Value) -> &Value {
    result["extracted_data"]
        .as_object()
        .unwrap()
        .values()
        .next()
        .unwrap()
}

#[tokio::test]
async fn what_a_run_learned_is_given_to_the_next_one_shown_and_erased() {
    let stand = Stand::start().await;
    let without = scrape(&stand, json!({})).await;
    assert_eq!(without["memory_enabled"], false);
    assert_eq!(stand.get("/v1/memory").await.json().await, json!({"sites": []}));

    let first = scrape(&stand, json!({"enable_memory": true})).await;
    assert_eq!(
        (&first["memory_enabled"], &page(&first)["memory"]),
        (&json!(true), &Value::Null)
    );
    let list = stand.get("/v1/memory").await.json().await;
    let site = list["sites"][0]["site"].as_str().unwrap().to_owned();
    assert!(site.starts_with("127.0.0.1:"), "{site}");
    assert_eq!(list["sites"][0]["pages"], 1);
    assert!(list["sites"][0]["fields"]["title"].is_string(), "{list}");
    assert!(
        !list.to_string().contains("Kettles"),
        "no text of the page is kept: {list}"
    );

    let second = scrape(&stand, json!({"enable_memory": true})).await;
    assert_eq!(page(&second)["memory"], list["sites"][0]);
    let one = stand.get(&format!("/v1/memory/{site}")).await.json().await;
    assert_eq!(one["pages"], 2);

    let erased = Ask::new("DELETE", &format!("/v1/memory/{site}"))
        .send(stand.at)
        .await;
    assert_eq!(erased.status, 200);
    for (method, path) in [
        ("GET", site.as_str()),
        ("DELETE", &site),
        ("GET", "no/site"),
        ("GET", "%00"),
    ] {
        let answer = Ask::new(method, &format!("/v1/memory/{path}"))
            .send(stand.at)
            .await;
        assert_eq!(answer.status, 404, "{method} {path}");
    }
    let third = scrape(&stand, json!({"enable_memory": true})).await;
    assert_eq!(page(&third)["memory"], Value::Null);
    let all = Ask::new("DELETE", "/v1/memory").send(stand.at).await.json().await;
    assert_eq!(all, json!({"deleted": 1}));
    assert_eq!(stand.get("/v1/memory").await.json().await, json!({"sites": []}));
}

#[tokio::test]
async fn a_model_reads_what_is_known_of_a_site_as_quoted_data() {
    let provider = ScriptedProvider::start(|_, _| ScriptedTurn::json(&json!({})).into()).await;
    let site = testkit::TestSite::of_pages(&[(
        "/kettles",
        "<title>Kettles</title><h1>Kettles</h1><p>A kettle is a vessel in which water is boiled.</p>",
    )])
    .await;
    let stand = Stand::reading(site, &provider, Reading::default()).await;
    let request = json!({"enable_memory": true, "mode": "llm-fixed"});
    scrape(&stand, request.clone()).await;
    let before = provider.seen().len();
    assert!(
        !provider
            .seen()
            .iter()
            .any(|it| it.body.to_string().contains("earlier readings"))
    );
    scrape(&stand, request).await;
    let prompts: Vec<String> = provider.seen()[before..]
        .iter()
        .map(|it| it.body.to_string())
        .collect();
    let told = prompts.iter().any(|it| {
        it.contains("earlier readings of this site")
            && it.contains("| title: ")
            && it.contains("| kinds of page: ")
    });
    assert!(told, "{prompts:?}");
}
