//! Profiles and the vault over HTTP: whose they are, what is shown of them, and what is refused before any work.

use serde_json::{Value, json};
use server::ServerSettings;
use store::engines::memory::InMemoryStore;
use testkit::TestSite;
use wire::run::RunStatus;

use crate::client::Ask;
use crate::stand::Stand;

const SESSION: &str = "session-token-of-ada-7c21";

fn settings() -> ServerSettings {
    let key = |text: &str| text.parse().unwrap();
    ServerSettings {
        api_keys: vec![key("key-of-ada-123456"), key("key-of-bob-123456")],
        ..ServerSettings::default()
    }
}

/// Sends a request as one of the two; status and body.
async fn ask(stand: &Stand, who: &str, method: &str, path: &str, body: &Value) -> (u16, Value) {
    let mut ask = match method {
        "GET" | "DELETE" => Ask::new(method, path),
        _ => Ask::with_body(method, path, body.to_string()),
    };
    ask = ask.header("authorization", &format!("Bearer key-of-{who}-123456"));
    let mut answer = ask.send(stand.at).await;
    let text = answer.text().await;
    (answer.status, serde_json::from_str(&text).unwrap_or_default())
}

fn state(domain: &str) -> Value {
    json!({"cookies": [{"name": "sid", "value": SESSION, "domain": domain, "path": "/", "expires": -1}]})
}

#[tokio::test]
async fn a_profile_is_its_owners_and_no_summary_holds_a_value() {
    let stand = Stand::with(settings()).await;
    let site = stand.site.address().ip().to_string();
    let new = json!({"name": "shop", "note": "Ada's", "sites": [site], "storage_state": state(&site)});
    let (status, made) = ask(&stand, "ada", "POST", "/v1/profiles", &new).await;
    assert_eq!(
        (status, &made["cookies"], &made["generation"]),
        (201, &json!(1), &json!(1)),
        "{made}"
    );
    let (_, list) = ask(&stand, "ada", "GET", "/v1/profiles", &Value::Null).await;
    assert!(
        list["profiles"][0]["name"] == "shop" && !list.to_string().contains(SESSION),
        "{list}"
    );
    let (_, exported) = ask(
        &stand,
        "ada",
        "GET",
        "/v1/profiles/shop/storage-state",
        &Value::Null,
    )
    .await;
    assert_eq!(exported["cookies"][0]["value"], SESSION);
    assert_eq!(exported["cookies"][0]["sameSite"], "Lax");

    let page = stand.site.url("/a");
    let scrape = json!({"assets": [page], "profile": "shop"});
    for (method, path, body) in [
        ("GET", "/v1/profiles/shop", Value::Null),
        ("GET", "/v1/profiles/shop/storage-state", Value::Null),
        ("PUT", "/v1/profiles/shop/storage-state", state(&site)),
        ("DELETE", "/v1/profiles/shop", Value::Null),
        ("POST", "/api/scrape/stream", scrape.clone()),
        (
            "POST",
            "/v1/extract/markdown",
            json!({"url": page, "profile": "shop"}),
        ),
    ] {
        let (status, answer) = ask(&stand, "bob", method, path, &body).await;
        assert_eq!(status, 404, "{method} {path}: {answer}");
    }
    assert_eq!(
        stand.site.asked().len(),
        0,
        "nothing was fetched for a profile of somebody else"
    );

    let (status, _) = ask(&stand, "ada", "POST", "/api/scrape/stream", &scrape).await;
    assert_eq!(status, 200);
    let read = json!({"url": page, "profile": "shop"});
    let (status, answer) = ask(&stand, "ada", "POST", "/v1/extract/markdown", &read).await;
    assert_eq!(status, 200, "{answer}");
    let cookies: Vec<_> = stand
        .site
        .asked()
        .iter()
        .map(|it| it.headers.get("cookie").cloned())
        .collect();
    let sent = format!("sid={SESSION}");
    assert!(
        cookies
            .iter()
            .all(|it| it.as_ref().is_some_and(|it| it == sent.as_str())),
        "{cookies:?}"
    );
    let runs = stand
        .service
        .list(None, Some(RunStatus::Completed), None, 9)
        .await
        .unwrap();
    assert_eq!(runs.runs.len(), 1);
    let (status, _) = ask(&stand, "ada", "DELETE", "/v1/profiles/shop", &Value::Null).await;
    let (again, _) = ask(&stand, "ada", "DELETE", "/v1/profiles/shop", &Value::Null).await;
    assert_eq!((status, again), (200, 404));
}

#[tokio::test]
async fn what_cannot_be_used_is_refused_by_name_and_no_value_is_repeated() {
    let stand = Stand::with(settings()).await;
    ask(
        &stand,
        "ada",
        "POST",
        "/v1/profiles",
        &json!({"name": "shop", "sites": ["shop.example"]}),
    )
    .await;
    let put = "/v1/profiles/shop/storage-state";
    let secret = "/v1/vault/code";
    for (method, path, body, status, named) in [
        ("POST", "/v1/profiles", json!({"name": "shop"}), 409, "name: "),
        ("POST", "/v1/profiles", json!({"name": "a/b"}), 400, "name: "),
        ("PUT", put, json!([]), 400, "JSON object"),
        (
            "PUT",
            put,
            json!({"cookies": [{"name": "sid"}]}),
            400,
            "cookies[0].value: ",
        ),
        ("PUT", put, state("ads.example"), 400, "ads.example"),
        ("PUT", put, state(".co.uk"), 400, "cookies[0].domain: "),
        (
            "POST",
            "/api/scrape/stream",
            json!({"assets": ["a.example"], "profile_save": true}),
            400,
            "profile_save: ",
        ),
        (
            "POST",
            "/api/scrape/stream",
            json!({"assets": ["a.example"], "profile": "x y"}),
            400,
            "profile: ",
        ),
        (
            "PUT",
            secret,
            json!({"value": SESSION, "kind": "totp", "sites": ["a.example"]}),
            400,
            "value: ",
        ),
        (
            "PUT",
            secret,
            json!({"value": SESSION, "sites": []}),
            400,
            "sites: ",
        ),
        (
            "PUT",
            "/v1/vault/a%20b",
            json!({"value": SESSION, "sites": ["a.example"]}),
            400,
            "name: ",
        ),
        ("DELETE", secret, Value::Null, 404, "no secret"),
    ] {
        let (found, answer) = ask(&stand, "ada", method, path, &body).await;
        let text = answer["error"].as_str().unwrap_or_default();
        assert!(
            found == status && text.contains(named),
            "{method} {path} {body}: {found} {answer}"
        );
        assert!(!text.contains(SESSION), "{text}");
    }
    let partly =
        json!({"cookies": [], "origins": [{"origin": "https://shop.example", "indexedDB": []}], "x": 1});
    let (status, imported) = ask(&stand, "ada", "PUT", put, &partly).await;
    assert_eq!(
        (status, &imported["left_out"]),
        (200, &json!(["origins[0].indexedDB", "x"])),
        "{imported}"
    );
    let set = json!({"value": SESSION, "sites": ["shop.example"]});
    let (status, about) = ask(&stand, "ada", "PUT", "/v1/vault/pass", &set).await;
    assert!(status == 200 && !about.to_string().contains(SESSION), "{about}");
    let (_, list) = ask(&stand, "bob", "GET", "/v1/vault", &Value::Null).await;
    assert_eq!(list, json!({"secrets": []}));
}

#[tokio::test]
async fn no_run_begins_with_a_profile_that_holds_more_than_can_be_hidden() {
    let store = InMemoryStore::open();
    let site = TestSite::of_pages(&[("/a", "<title>Lamps</title><p>All about lamps of brass.")]).await;
    let stand = Stand::on_store(site, store).await;
    let host = stand.site.address().ip().to_string();
    let new = json!({"name": "shop", "sites": [host], "storage_state": state(&host)});
    let (status, _) = ask(&stand, "nobody", "POST", "/v1/profiles", &new).await;
    assert_eq!(status, 201);
    let scrape = json!({"assets": [stand.site.url("/a")], "profile": "shop"});
    let (status, begun) = ask(&stand, "nobody", "POST", "/api/scrape", &scrape).await;
    assert_eq!(status, 202, "{begun}");

    // It grows before the run begins.
    let long = "0".repeat(900_000);
    let token = |number: u32| json!({"name": format!("token {number}"), "value": format!("a{number}{long}")});
    let tokens: Vec<_> = (0..5).map(token).collect();
    let large = json!({"origins": [{"origin": format!("http://{host}"), "localStorage": tokens}]});
    let large = wire::profile::StorageState::of_value("storage_state", large).unwrap();
    let profiles = stand.service.profiles();
    profiles.import("", "shop", large).await.unwrap();
    stand.workers.start(1);
    let ended = stand.ended(begun["session_id"].as_str().unwrap()).await;
    assert_eq!(
        (&ended["status"], &ended["error"]["code"]),
        (&json!("failed"), &json!("INVALID_REQUEST")),
        "{ended}"
    );
    let (status, refused) = ask(&stand, "nobody", "POST", "/api/scrape", &scrape).await;
    assert_eq!(status, 400, "{refused}");
    assert_eq!(stand.site.asked().len(), 0);
    stand.workers.close().await;
}
