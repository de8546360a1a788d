//! Pages that are longer than a model reads in one call: asked in windows and joined, within the model's window and the budget.

use llm::ContextWindows;
use llm::wires::Wire;
use serde_json::{Value, json};
use server::ServerSettings;
use testkit::{ProviderRequest, ScriptedProvider, ScriptedTurn, SiteReply, TestSite};

use crate::client::Ask;
use crate::stand::Stand;

/// Tokens of the model in these tests.
const CONTEXT: u32 = 8_192;
/// What stands at the end of the page, in no words that the requests use.
const LAST: &str = "ZX-4411-Q is how the authority knows the device.";

/// A page with 300 kB of text, in which no two lines are alike.
async fn long_page() -> TestSite {
    let lines: String = (0..3_000)
        .map(|it| {
            format!("<p>Line {it} of the log says that valve {it} was opened, looked at, cleaned and closed again by hand.</p>")
        })
        .collect();
    // As long as a passage of the others, so that it fits nowhere but where its turn is.
    let signed =
        "Signed by the warden in the presence of two others, as the rules of the house want it. ".repeat(4);
    let page =
        format!("<title>Log of the works</title><main><h1>Log</h1>{lines}<p>{LAST} {signed}</p></main>");
    TestSite::start(move |_| SiteReply::html(&page)).await
}

/// Everything that a request shows to the model.
fn shown(exchange: &ProviderRequest) -> String {
    let messages = exchange.body["messages"].as_array().unwrap();
    messages
        .iter()
        .filter_map(|message| message["content"].as_str())
        .collect()
}

/// A model that knows only what its prompt holds, and counts three bytes as a token.
async fn provider() -> ScriptedProvider {
    ScriptedProvider::start(|exchange, _| {
        let prompt = shown(exchange);
        let found = prompt.contains("ZX-4411-Q").then_some("ZX-4411-Q");
        let facts = exchange.body["response_format"]["json_schema"]["name"] == "facts";
        let answer = match (facts, found) {
            (true, Some(found)) => json!({"mark": {"quote": LAST, "value": found}, "unavailable": []}),
            (true, None) => json!({"mark": null, "unavailable": ["mark"]}),
            (false, _) => json!({"mark": found, "parts": 1}),
        };
        let tokens = u64::try_from(prompt.len().div_ceil(3)).unwrap();
        ScriptedTurn::json(&answer).costing(tokens, 20).into()
    })
    .await
}

async fn stand(provider: &ScriptedProvider, budget: Option<u64>) -> Stand {
    let mut llm = provider.settings(Wire::OpenAiChat);
    llm.context = ContextWindows([("*".to_owned(), CONTEXT)].into());
    llm.budget.tokens = budget;
    Stand::automating_with(long_page().await, ServerSettings::default(), llm).await
}

/// Tokens of all questions, none of which may be more than the model reads together with an answer.
fn tokens_within_the_window(provider: &ScriptedProvider) -> usize {
    let each = provider
        .seen()
        .iter()
        .map(|it| shown(it).len().div_ceil(3))
        .collect::<Vec<_>>();
    let most = usize::try_from(CONTEXT / 2).unwrap();
    assert!(each.iter().all(|tokens| *tokens <= most), "{each:?}");
    each.iter().sum()
}

fn body(stand: &Stand, path: &str) -> Value {
    let schema = json!({"type": "object", "required": ["mark"], "properties": {
        "mark": {"type": ["string", "null"]}, "parts": {"type": "integer"}}});
    let mut body = json!({"url": stand.site.url("/log"), "json_schema": schema});
    if path.starts_with("/v1/generate") {
        body["instructions"] = "which mark does the thing have?".into();
    }
    body
}

#[tokio::test]
async fn what_stands_at_the_end_of_a_long_page_is_found_in_windows_of_the_models_size() {
    for path in ["/v1/generate/json", "/v1/extract/json"] {
        let provider = provider().await;
        let stand = stand(&provider, None).await;
        let mut answer = Ask::json(path, &body(&stand, path)).send(stand.at).await;
        assert_eq!(answer.status, 200, "{path}");
        let page: usize = answer.header("x-page-bytes").unwrap().parse().unwrap();
        assert!(page > 290_000, "{path}: {page}");
        if path == "/v1/generate/json" {
            assert_eq!(
                answer.header("x-unread-bytes"),
                Some("0"),
                "what is made of a page is made of all of it"
            );
        }
        assert_eq!(answer.json().await["mark"], "ZX-4411-Q", "{path}");
        assert!(provider.seen().len() > 20, "{path}");
        tokens_within_the_window(&provider);
    }
}

#[tokio::test]
async fn a_field_that_a_request_names_is_looked_for_in_all_of_a_long_page() {
    let provider = provider().await;
    let stand = stand(&provider, None).await;
    let body = json!({"assets": [stand.site.url("/log")], "instructions": "read it", "columns": ["mark"],
        "mode": "llm-dynamic-adaptive"});
    let mut answer = Ask::json("/api/scrape", &body)
        .header("prefer", "respond-async")
        .send(stand.at)
        .await;
    let run = answer.json().await["session_id"].as_str().unwrap().to_owned();
    let ended = stand.ended(&run).await;
    let text = ended.to_string();
    assert!(text.contains(r#""mark":"ZX-4411-Q""#), "{text}");
    tokens_within_the_window(&provider);
}

#[tokio::test]
async fn a_budget_that_does_not_last_for_the_page_ends_the_reading_and_is_told() {
    const BUDGET: usize = 30_000;
    let provider = provider().await;
    let stand = stand(&provider, Some(BUDGET as u64)).await;
    let path = "/v1/generate/json";
    let mut answer = Ask::json(path, &body(&stand, path)).send(stand.at).await;
    assert_eq!(answer.status, 200);
    let unread: usize = answer.header("x-unread-bytes").unwrap().parse().unwrap();
    assert!((150_000..290_000).contains(&unread), "{unread}");
    assert_eq!(answer.json().await, json!({"mark": null, "parts": 1}));
    let spent = tokens_within_the_window(&provider);
    assert!((BUDGET / 2..=BUDGET).contains(&spent), "{spent}");
}

#[tokio::test]
async fn a_model_with_a_large_window_is_asked_few_questions() {
    let provider = provider().await;
    let mut llm = provider.settings(Wire::OpenAiChat);
    llm.context = ContextWindows([("scripted".to_owned(), 200_000)].into());
    let stand = Stand::automating_with(long_page().await, ServerSettings::default(), llm).await;
    let path = "/v1/generate/json";
    let mut answer = Ask::json(path, &body(&stand, path)).send(stand.at).await;
    assert_eq!(answer.json().await["mark"], "ZX-4411-Q");
    assert_eq!(provider.seen().len(), 3);
}
