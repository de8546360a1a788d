//! What the official clients make of every failure of `/v1/extract/json` and `/v1/generate/json`, and when they come
//! again by themselves.

use std::sync::atomic::{AtomicUsize, Ordering};

use serde_json::{Value, json};
use testkit::{
    ProviderAnswer, ProviderRequest, ScriptedProvider, ScriptedTurn, SiteReply, SiteRequest, TestSite,
};

use crate::server::Server;

/// Every page names itself, and the provider does by page what the test wants of it.
async fn site() -> TestSite {
    TestSite::start(|asked: &SiteRequest| {
        let name = asked.path.trim_start_matches('/');
        match name {
            "missing" => SiteReply::html("gone").status(404),
            "empty" => SiteReply::html(""),
            "never" => SiteReply::html("").never_ending(),
            _ => SiteReply::html(format!(
                "<title>Nova lamp</title><h1>Nova lamp</h1><p>A lamp of brass that lights a room, kept in room-{name} of the works.</p>"
            )),
        }
    })
    .await
}

fn failing(status: u16) -> ProviderAnswer {
    let body = r#"{"error":{"message":"not now","code":"busy"}}"#;
    ProviderAnswer::Raw(SiteReply::bytes("application/json", body).status(status))
}

/// A provider that fails as the page says; what `passing` pages fail with passes after that many questions.
async fn provider() -> ScriptedProvider {
    let (moody, slow) = (AtomicUsize::new(0), AtomicUsize::new(0));
    ScriptedProvider::start(move |asked: &ProviderRequest, _| {
        let text = asked.body.to_string();
        let of = |page: &str| text.contains(&format!("room-{page} "));
        let good = || ProviderAnswer::from(ScriptedTurn::json(&json!({"name": "Nova lamp"})));
        let silent = || ProviderAnswer::Raw(SiteReply::bytes("text/event-stream", "").never_ending());
        if of("unfit") {
            ScriptedTurn::json(&json!({"name": 5})).into()
        } else if of("broken") {
            failing(500)
        } else if of("refused") {
            failing(401)
        } else if of("silent") {
            silent()
        } else if of("moody") && moody.fetch_add(1, Ordering::Relaxed) % 3 < 2 {
            failing(500)
        } else if of("slow") && slow.fetch_add(1, Ordering::Relaxed) % 2 < 1 {
            silent()
        } else {
            good()
        }
    })
    .await
}

const SETTINGS: [(&str, &str); 2] = [
    ("HUNTSMAN_LLM_SCHEMA_RETRIES", "0"),
    ("HUNTSMAN_LLM_FIRST_TOKEN_SECONDS", "1"),
];

#[tokio::test]
#[ignore = "needs Python and Node"]
async fn every_status_has_its_class_in_the_official_clients() {
    let (site, provider) = (site().await, provider().await);
    let server = Server::start(Some(&provider), &SETTINGS);
    let closed = Server::start(Some(&provider), &[("HUNTSMAN_API_KEYS", "quite-another-key")]);
    let bare = Server::start(None, &[]);
    let nowhere = format!("{}/nowhere", server.base);
    let page = |path: &str| site.url(path);
    let cases = json!([
        {"status": 400, "class": "BadRequestError", "url": "no address", "named": "url"},
        {"status": 400, "class": "BadRequestError", "url": "http://169.254.1.1/", "named": "not public"},
        {"status": 401, "class": "AuthenticationError", "url": page("/lamp"), "base": closed.base, "named": "key"},
        {"status": 403, "class": "PermissionDeniedError", "url": page("/lamp"), "headers": {"Origin": "https://evil.example"}, "named": "other sites"},
        {"status": 404, "class": "NotFoundError", "url": page("/lamp"), "base": nowhere, "named": "openapi.json"},
        {"status": 422, "class": "UnprocessableEntityError", "url": page("/empty"), "named": "empty"},
        {"status": 422, "class": "UnprocessableEntityError", "url": page("/unfit"), "named": "schema"},
        {"status": 502, "class": "InternalServerError", "url": page("/missing"), "named": "404"},
        {"status": 502, "class": "InternalServerError", "url": page("/broken")},
        {"status": 502, "class": "InternalServerError", "url": page("/refused"), "named": "HUNTSMAN_LLM_API_KEY"},
        {"status": 503, "class": "InternalServerError", "url": page("/lamp"), "base": bare.base, "named": "HUNTSMAN_LLM_PROVIDER"},
        {"status": 504, "class": "InternalServerError", "url": page("/silent")},
    ]);
    let cases = cases.to_string();
    server.python("statuses.py", &["classes", &cases]).await;
    server.node("statuses.mjs", &["classes", &cases]).await;
    assert_eq!(provider.faults(), Vec::<String>::new());
}

#[tokio::test]
#[ignore = "needs Python and Node"]
async fn what_may_pass_is_asked_about_again_and_nothing_else() {
    let (site, provider) = (site().await, provider().await);
    let server = Server::start(Some(&provider), &SETTINGS);
    let case = |path: &str, statuses: &[u16], class: &str| -> Value {
        json!({"url": site.url(path), "statuses": statuses, "class": class})
    };
    let cases = json!([
        case("/moody", &[502, 502, 200], ""),
        case("/slow", &[504, 200], ""),
        case("/broken", &[502, 502, 502], "InternalServerError"),
        case("/refused", &[502], "InternalServerError"),
        case("/empty", &[422], "UnprocessableEntityError"),
    ]);
    let cases = cases.to_string();
    server.python("statuses.py", &["again", &cases]).await;
    server.node("statuses.mjs", &["again", &cases]).await;
}

#[tokio::test]
#[ignore = "needs Node"]
async fn a_crowd_is_refused_at_the_door_in_typescript_too() {
    let (site, provider) = (site().await, provider().await);
    let server = Server::start(Some(&provider), &[]);
    server.node("statuses.mjs", &["crowd", &site.url("/never")]).await;
    assert!(site.hits("/never") <= 16 && provider.seen().is_empty());
}
