//! `POST /v1/extract/markdown`: one page, read while its client waits.

use serde_json::{Value, json};

use crate::client::Ask;
use crate::stand::Stand;

async fn ask(stand: &Stand, more: Value) -> (u16, Value) {
    let mut body = json!({"url": stand.site.url("/kettles")});
    for (key, value) in more.as_object().unwrap() {
        body[key] = value.clone();
    }
    let mut answer = Ask::json("/v1/extract/markdown", &body).send(stand.at).await;
    (answer.status, answer.json().await)
}

#[tokio::test]
async fn metadata_stand_at_the_head_unless_they_are_asked_for_apart() {
    let stand = Stand::start().await;
    let (status, page) = ask(&stand, json!({})).await;
    assert_eq!((status, &page["url"]), (200, &json!(stand.site.url("/kettles"))));
    assert!(page.get("metadata").is_none());
    let content = page["content"].as_str().unwrap();
    let (front, text) = content
        .strip_prefix("---\n")
        .unwrap()
        .split_once("---\n\n")
        .unwrap();
    for line in [
        "title: \"Kettles\"\n",
        "author: \"Ann Onym\"\n",
        "description: \"On kettles\"\n",
    ] {
        assert!(front.contains(line), "{line} is missing in {front}");
    }
    assert!(
        text.contains("The best kettle") && !text.contains("Home"),
        "{text}"
    );
    let (_, apart) = ask(&stand, json!({"metadata": true})).await;
    assert_eq!(apart["content"], text);
    let metadata = &apart["metadata"];
    assert_eq!(
        (&metadata["title"], &metadata["author"]),
        (&json!("Kettles"), &json!("Ann Onym"))
    );
    assert_eq!(metadata["favicon"], stand.site.url("/favicon.ico"));
}

#[tokio::test]
async fn the_whole_page_comes_when_it_is_asked_for() {
    let stand = Stand::start().await;
    let (_, page) = ask(
        &stand,
        json!({"content": "full", "effort": "min", "metadata": true}),
    )
    .await;
    let content = page["content"].as_str().unwrap();
    assert!(
        content.contains("Home") && content.contains("The best kettle"),
        "{content}"
    );
}

#[tokio::test]
async fn a_page_that_cannot_be_had_is_an_error_of_its_own_kind() {
    let stand = Stand::start().await;
    let cases = [
        (json!({"url": stand.site.url("/missing")}), 502, "UPSTREAM_ERROR"),
        (json!({"url": "http://127.0.0.1:9/"}), 400, "URL_BLOCKED"),
        (
            json!({"url": "http://169.254.169.254/latest/meta-data/"}),
            400,
            "URL_BLOCKED",
        ),
        (json!({"url": 5}), 400, "INVALID_REQUEST"),
        (json!({"url": ""}), 400, "INVALID_REQUEST"),
        (json!({"url": "kettles"}), 400, "INVALID_REQUEST"),
        (json!({"url": "file:///etc/passwd"}), 400, "URL_BLOCKED"),
        (
            json!({"url": "http://ok.example@127.0.0.1:9/"}),
            400,
            "URL_BLOCKED",
        ),
        (json!({"content": "all"}), 400, "INVALID_REQUEST"),
        (json!({"effort": "much"}), 400, "INVALID_REQUEST"),
        (json!({"metadata": "yes"}), 400, "INVALID_REQUEST"),
        (
            json!({"geo_target": {"country": "Narnia"}}),
            400,
            "INVALID_REQUEST",
        ),
        (
            json!({"headers": {"Metadata-Flavor": "x"}}),
            400,
            "INVALID_REQUEST",
        ),
    ];
    for (more, status, code) in cases {
        let mut body = json!({"url": stand.site.url("/kettles")});
        for (key, value) in more.as_object().unwrap() {
            body[key] = value.clone();
        }
        let mut answer = Ask::json("/v1/extract/markdown", &body).send(stand.at).await;
        let text = answer.text().await;
        assert_eq!(
            (answer.status, answer.header("x-error-code")),
            (status, Some(code)),
            "{more}: {text}"
        );
    }
}
