//! Webhooks of the binary: verified by the reference libraries, and sent on by the server that comes after a killed one.

use std::sync::Arc;
use std::sync::atomic::{AtomicU16, Ordering};

use serde_json::{Value, json};
use tempfile::TempDir;
use testkit::{SiteReply, SiteRequest, TestSite};

use crate::server::Server;

const PAGE: &str =
    "<title>Kettles</title><main><h1>Kettles</h1><p>All about kettles of brass and steel.</p></main>";

/// A page and a receiver, whose answer is a status that can be changed.
async fn site(status: &Arc<AtomicU16>) -> TestSite {
    let status = Arc::clone(status);
    TestSite::start(move |asked: &SiteRequest| match asked.path.as_str() {
        "/hook" => SiteReply::html("").status(status.load(Ordering::SeqCst)),
        _ => SiteReply::html(PAGE),
    })
    .await
}

async fn ask(server: &Server, method: &'static str, path: &str, body: Value) -> Value {
    let (address, path) = (server.address.clone(), path.to_owned());
    let body = if body.is_null() {
        String::new()
    } else {
        body.to_string()
    };
    let asking = move || Server::ask(&address, method, &path, &body);
    let text = tokio::task::spawn_blocking(asking).await.unwrap();
    serde_json::from_str(&text).unwrap_or_else(|_| panic!("{text}"))
}

/// The receiver's requests, once there are so many.
async fn hooks(site: &TestSite, count: usize) -> Vec<SiteRequest> {
    for _ in 0..6_000 {
        let asked = site.asked().into_iter();
        let hooks: Vec<_> = asked.filter(|it| it.path == "/hook").collect();
        if hooks.len() >= count {
            return hooks;
        }
        tokio::time::sleep(std::time::Duration::from_millis(10)).await;
    }
    panic!("{} of {count} messages", site.hits("/hook"));
}

/// The one delivery of a log, once it is as wanted.
async fn delivery(server: &Server, log: &str, wanted: impl Fn(&Value) -> bool) -> Value {
    for _ in 0..3_000 {
        let found = ask(server, "GET", log, Value::Null).await["deliveries"][0].take();
        if found.is_object() && wanted(&found) {
            return found;
        }
        tokio::time::sleep(std::time::Duration::from_millis(20)).await;
    }
    panic!("{}", ask(server, "GET", log, Value::Null).await);
}

async fn scrape(server: &Server, site: &TestSite) {
    let body = json!({"assets": [site.url("/a")], "instructions": "read"});
    ask(server, "POST", "/api/scrape", body).await;
}

/// A message as the libraries take it.
fn message(hook: &SiteRequest, secrets: &[&Value], wrong: &[&Value]) -> Value {
    let header = |name: &str| hook.headers[name].to_str().unwrap().to_owned();
    let names = ["webhook-id", "webhook-timestamp", "webhook-signature"];
    let headers: serde_json::Map<String, Value> = names
        .iter()
        .map(|name| ((*name).to_owned(), header(name).into()))
        .collect();
    json!({
        "headers": headers, "body": String::from_utf8(hook.body.to_vec()).unwrap(),
        "secrets": secrets, "wrong_secrets": wrong,
    })
}

/// Messages before, during and after a rotation, with the secrets that fit.
async fn messages() -> (Server, String) {
    let status = Arc::new(AtomicU16::new(204));
    let site = site(&status).await;
    let server = Server::start(None, &[]);
    let made = ask(&server, "POST", "/v1/webhooks", json!({"url": site.url("/hook")})).await;
    let rotate = format!("/v1/webhooks/{}/rotate", made["id"].as_str().unwrap());
    scrape(&server, &site).await;
    hooks(&site, 1).await;
    let second = ask(&server, "POST", &rotate, json!({"grace_hours": 1})).await;
    scrape(&server, &site).await;
    hooks(&site, 2).await;
    let third = ask(&server, "POST", &rotate, json!({"grace_hours": 0})).await;
    scrape(&server, &site).await;
    let got = hooks(&site, 3).await;
    let [one, two, three] = [&made["secret"], &second["secret"], &third["secret"]];
    let all = json!([
        message(&got[0], &[one], &[two, three]),
        message(&got[1], &[one, two], &[three]),
        message(&got[2], &[three], &[one, two]),
    ]);
    (server, all.to_string())
}

#[tokio::test]
#[ignore = "needs Python"]
async fn the_reference_library_for_python_verifies_messages_also_during_a_rotation() {
    let (server, messages) = messages().await;
    server.python("webhooks.py", &[&messages]).await;
}

#[tokio::test]
#[ignore = "needs Node"]
async fn the_reference_library_for_javascript_verifies_messages_too() {
    let (server, messages) = messages().await;
    server.node("webhooks.mjs", &[&messages]).await;
}

#[tokio::test]
async fn the_server_after_a_killed_one_sends_what_is_due_and_no_secret_lies_on_the_disk() {
    let status = Arc::new(AtomicU16::new(503));
    let (site, folder) = (site(&status).await, TempDir::new().unwrap());
    let server = Server::over(folder.path(), &[]);
    let secret_path = format!("{}?token=canary-of-the-receiver", site.url("/hook"));
    // The receiver is at this very address; its query is a secret, as those of many receivers.
    let made = ask(
        &server,
        "POST",
        "/v1/webhooks",
        json!({"url": site.url("/hook"), "description": "ours"}),
    )
    .await;
    let canary = ask(
        &server,
        "POST",
        "/v1/webhooks",
        json!({"url": secret_path, "events": ["run.failed"]}),
    )
    .await;
    scrape(&server, &site).await;
    let first = hooks(&site, 1).await;
    let log = format!("/v1/webhooks/{}/deliveries", made["id"].as_str().unwrap());
    // A try that was not written down belongs to the killed server for a minute.
    delivery(&server, &log, |it| !it["attempts"].as_array().unwrap().is_empty()).await;
    drop(server);
    for secret in [
        made["secret"].as_str().unwrap(),
        canary["secret"].as_str().unwrap(),
        "canary-of-the-receiver",
    ] {
        let secret = secret.trim_start_matches("whsec_").as_bytes();
        for file in ["huntsman.db", "huntsman.db-wal"] {
            let bytes = std::fs::read(folder.path().join(file)).unwrap_or_default();
            assert!(!bytes.windows(secret.len()).any(|part| part == secret), "{file}");
        }
    }
    status.store(200, Ordering::SeqCst);
    let server = Server::over(folder.path(), &[]);
    let got = hooks(&site, first.len() + 1).await;
    let (first, last) = (&got[0], got.last().unwrap());
    assert_eq!(
        (&first.headers["webhook-id"], &first.body),
        (&last.headers["webhook-id"], &last.body)
    );
    let delivery = delivery(&server, &log, |it| it["state"] == "delivered").await;
    assert!(delivery["attempts"].as_array().unwrap().len() >= 2, "{delivery}");
}
