//! Requests that want a page read with a model: what is refused before any work.

use serde_json::{Value, json};

use crate::client::Ask;
use crate::stand::Stand;

fn deep() -> Value {
    (0..70).fold(
        json!({"type": "string"}),
        |inner, _| json!({"type": "array", "items": inner}),
    )
}

#[tokio::test]
async fn a_schema_that_cannot_be_used_is_refused_wherever_it_is_sent() {
    let stand = Stand::start().await;
    let url = stand.site.url("/page");
    let remote = json!({"properties": {"a": {"$ref": stand.site.url("/schema.json")}}});
    for schema in [
        json!("no schema"),
        json!({"type": "thing"}),
        json!({"pattern": "("}),
        remote,
        deep(),
    ] {
        for (path, field, body) in [
            (
                "/v1/extract/json",
                "json_schema",
                json!({"url": url, "json_schema": schema}),
            ),
            (
                "/v1/generate/json",
                "json_schema",
                json!({"url": url, "json_schema": schema, "instructions": "x"}),
            ),
            (
                "/api/scrape/stream",
                "schema",
                json!({"assets": [url], "instructions": "x", "schema": schema}),
            ),
            (
                "/api/scrape",
                "schema",
                json!({"assets": [url], "instructions": "x", "schema": schema}),
            ),
        ] {
            let mut answer = Ask::json(path, &body).send(stand.at).await;
            let text = answer.text().await;
            assert_eq!(
                (answer.status, answer.header("x-error-code")),
                (400, Some("INVALID_REQUEST")),
                "{path}: {text}"
            );
            assert!(text.contains(&format!("\"{field}")), "{path}: {text}");
        }
    }
    assert!(stand.site.asked().is_empty());
}

#[tokio::test]
async fn what_needs_a_model_says_what_to_set_before_any_page_is_fetched() {
    let stand = Stand::start().await;
    let url = stand.site.url("/page");
    let schema = json!({"type": "object"});
    for (path, body) in [
        ("/v1/extract/json", json!({"url": url, "json_schema": schema})),
        (
            "/v1/generate/json",
            json!({"url": url, "json_schema": schema, "instructions": "x"}),
        ),
        (
            "/api/scrape/stream",
            json!({"assets": [url], "instructions": "x", "mode": "llm_dynamic_adaptive"}),
        ),
        (
            "/api/scrape",
            json!({"assets": [url], "instructions": "x", "mode": "llm-fixed"}),
        ),
    ] {
        let mut answer = Ask::json(path, &body).send(stand.at).await;
        let text = answer.text().await;
        assert_eq!(
            answer.header("x-error-code"),
            Some("MODEL_NOT_CONFIGURED"),
            "{path}: {text}"
        );
        assert!(
            answer.status >= 400 && text.contains("HUNTSMAN_LLM_PROVIDER"),
            "{path}: {text}"
        );
    }
    assert!(stand.site.asked().is_empty());
}

#[tokio::test]
async fn a_provider_that_nobody_knows_is_named() {
    let stand = Stand::start().await;
    let body = json!({"assets": [stand.site.url("/page")], "instructions": "x", "provider": "nobody"});
    let mut answer = Ask::json("/api/scrape", &body).send(stand.at).await;
    let text = answer.text().await;
    assert_eq!(answer.status, 400, "{text}");
    assert!(text.contains("provider") && text.contains("nobody"), "{text}");
}
