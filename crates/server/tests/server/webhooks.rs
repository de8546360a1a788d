//! Webhooks over HTTP: what is sent, when it is sent again, whose it is, and what is refused before any work.

use std::sync::Arc;
use std::sync::atomic::{AtomicU16, Ordering};
use std::time::Duration;

use runtime::webhooks::DeliveryTimes;
use runtime::worker::Workers;
use serde_json::{Value, json};
use server::ServerSettings;
use testkit::{SiteReply, SiteRequest, TestSite};

use crate::client::Ask;
use crate::stand::Stand;

/// Times that a test can wait for.
const QUICK: DeliveryTimes = DeliveryTimes {
    receiver: Duration::from_millis(300),
    first: Duration::from_millis(10),
    longest: Duration::from_millis(50),
    total: Duration::from_secs(60),
};

/// A server that sends, on a site that is page and receiver at once: `/hook` answers with the status that is set, and with
/// 307 it leads to `/elsewhere`.
async fn sending(status: &Arc<AtomicU16>, settings: ServerSettings, times: DeliveryTimes) -> Stand {
    let stand = on_site(status, settings).await;
    stand.workers.deliver_with(times);
    stand.workers.deliver();
    stand
}

/// The same server, which sends nothing.
async fn on_site(status: &Arc<AtomicU16>, settings: ServerSettings) -> Stand {
    let status = Arc::clone(status);
    let site = TestSite::start(move |asked: &SiteRequest| match asked.path.as_str() {
        "/hook" => match status.load(Ordering::SeqCst) {
            307 => SiteReply::redirect(307, "/elsewhere"),
            status => SiteReply::html("").status(status),
        },
        "/elsewhere" => SiteReply::html(""),
        "/missing" => SiteReply::html("gone").status(404),
        _ => SiteReply::html(
            "<title>Kettles</title><main><h1>Kettles</h1><p>All about kettles, and more.</p></main>",
        ),
    })
    .await;
    let provider = testkit::ScriptedProvider::saying(Vec::<testkit::ProviderAnswer>::new()).await;
    let llm = provider.settings(llm::wires::Wire::OpenAiChat);
    Stand::automating_with(site, settings, llm).await
}

async fn ask(stand: &Stand, who: &str, method: &str, path: &str, body: &Value) -> (u16, Value) {
    let ask = match method {
        "GET" | "DELETE" => Ask::new(method, path),
        _ => Ask::with_body(method, path, body.to_string()),
    };
    let ask = ask.header("authorization", &format!("Bearer key-of-{who}-123456"));
    let mut answer = ask.send(stand.at).await;
    let text = answer.text().await;
    (answer.status, serde_json::from_str(&text).unwrap_or_default())
}

/// Registers `/hook` for these events; the id.
async fn register(stand: &Stand, who: &str, events: &[&str]) -> String {
    let body = json!({"url": stand.site.url("/hook"), "events": events, "description": "of a test"});
    let (status, webhook) = ask(stand, who, "POST", "/v1/webhooks", &body).await;
    assert_eq!(status, 201, "{webhook}");
    assert_eq!(webhook["description"], "of a test");
    assert!(webhook["secret"].as_str().unwrap().starts_with("whsec_"));
    webhook["id"].as_str().unwrap().to_owned()
}

async fn scrape(stand: &Stand, who: &str, path: &str) -> Value {
    ask(stand, who, "POST", "/api/scrape", &stand.request(&[path]))
        .await
        .1
}

async fn deliveries(stand: &Stand, who: &str, id: &str) -> Vec<Value> {
    let path = format!("/v1/webhooks/{id}/deliveries?limit=200");
    let (status, log) = ask(stand, who, "GET", &path, &Value::Null).await;
    assert_eq!(status, 200, "{log}");
    log["deliveries"].as_array().unwrap().clone()
}

/// The deliveries of an endpoint, once they are as wanted.
async fn until(stand: &Stand, id: &str, wanted: impl Fn(&[Value]) -> bool) -> Vec<Value> {
    for _ in 0..3_000 {
        let all = deliveries(stand, "ada", id).await;
        if wanted(&all) {
            return all;
        }
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
    panic!("{:?}", deliveries(stand, "ada", id).await);
}

fn all_are(state: &'static str, count: usize) -> impl Fn(&[Value]) -> bool {
    move |all| all.len() == count && all.iter().all(|it| it["state"] == state)
}

/// What the receiver got: headers and body.
fn received(stand: &Stand) -> Vec<(http::HeaderMap, Value)> {
    let asked = stand.site.asked().into_iter();
    let hooks = asked.filter(|asked| asked.method == "POST");
    hooks
        .map(|asked| (asked.headers, serde_json::from_slice(&asked.body).unwrap()))
        .collect()
}

fn keys() -> ServerSettings {
    let key = |text: &str| text.parse().unwrap();
    ServerSettings {
        api_keys: vec![key("key-of-ada-123456"), key("key-of-bob-123456")],
        ..ServerSettings::default()
    }
}

#[tokio::test]
async fn ends_and_chosen_events_of_ones_own_runs_are_told_once_each() {
    let status = Arc::new(AtomicU16::new(200));
    let stand = sending(&status, keys(), QUICK).await;
    let id = register(&stand, "ada", &["run.completed", "url_complete"]).await;
    let bobs = register(&stand, "bob", &["run.completed"]).await;
    let ran = scrape(&stand, "ada", "/a").await;
    let log = until(&stand, &id, all_are("delivered", 2)).await;
    assert!(log.iter().all(|it| it["attempts"].as_array().unwrap().len() == 1));
    let got = received(&stand);
    assert_eq!(got.len(), 2, "{got:?}");
    let of_type = |name: &str| got.iter().find(|(_, body)| body["type"] == name).unwrap();
    let (headers, end) = of_type("run.completed");
    assert_eq!(
        end["data"]["id"],
        ran["id"].as_str().or(ran["session_id"].as_str()).unwrap()
    );
    assert_eq!(end["data"]["status"], "completed");
    assert!(end["data"]["result"].is_object() && end["data"]["request"].is_null());
    assert!(headers["webhook-id"].to_str().unwrap().starts_with("msg_"));
    assert!(headers["webhook-signature"].to_str().unwrap().starts_with("v1,"));
    let (_, event) = of_type("url_complete");
    assert_eq!(event["data"]["data"]["type"], "url_complete");
    assert_eq!(deliveries(&stand, "bob", &bobs).await, Vec::<Value>::new());
    // What belongs to ada is not there for bob.
    let first = log[0]["id"].as_str().unwrap();
    for (method, path) in [
        ("GET", format!("/v1/webhooks/{id}")),
        ("DELETE", format!("/v1/webhooks/{id}")),
        ("GET", format!("/v1/webhooks/{id}/deliveries")),
        ("POST", format!("/v1/webhooks/{id}/rotate")),
        ("POST", format!("/v1/webhooks/{id}/deliveries/{first}/resend")),
        ("POST", format!("/v1/webhooks/{bobs}/deliveries/{first}/resend")),
        ("GET", "/v1/webhooks/whk_x".to_owned()),
    ] {
        assert_eq!(
            ask(&stand, "bob", method, &path, &json!({})).await.0,
            404,
            "{path}"
        );
    }
    assert_eq!(
        ask(
            &stand,
            "ada",
            "DELETE",
            &format!("/v1/webhooks/{id}"),
            &Value::Null
        )
        .await
        .0,
        200
    );
    let (_, left) = ask(&stand, "ada", "GET", "/v1/webhooks", &Value::Null).await;
    assert_eq!(left, json!({"webhooks": []}));
}

#[tokio::test]
async fn a_receiver_that_is_down_gets_the_same_message_when_it_is_back() {
    let status = Arc::new(AtomicU16::new(503));
    let stand = sending(&status, keys(), QUICK).await;
    let id = register(&stand, "ada", &["run.failed", "run.completed"]).await;
    scrape(&stand, "ada", "/a").await;
    let tried = |log: &[Value]| {
        log.first()
            .is_some_and(|it| it["attempts"].as_array().unwrap().len() >= 3)
    };
    let log = until(&stand, &id, tried).await;
    assert_eq!(
        (&log[0]["state"], &log[0]["attempts"][0]["status"]),
        (&json!("pending"), &json!(503))
    );
    assert!(log[0]["next_attempt_at"].is_string());
    status.store(204, Ordering::SeqCst);
    until(&stand, &id, all_are("delivered", 1)).await;
    let got = received(&stand);
    let ids: std::collections::BTreeSet<_> = got
        .iter()
        .map(|(it, _)| it["webhook-id"].clone().to_str().unwrap().to_owned())
        .collect();
    assert_eq!(ids.len(), 1);
    assert!(got.windows(2).all(|two| two[0].1 == two[1].1));
}

#[tokio::test]
async fn what_nobody_takes_is_a_dead_letter_that_can_be_sent_again() {
    let status = Arc::new(AtomicU16::new(307));
    let times = DeliveryTimes {
        total: Duration::from_millis(100),
        ..QUICK
    };
    let stand = sending(&status, keys(), times).await;
    let id = register(&stand, "ada", &["run.completed"]).await;
    scrape(&stand, "ada", "/a").await;
    let log = until(&stand, &id, all_are("dead", 1)).await;
    let last = log[0]["attempts"].as_array().unwrap().last().unwrap().clone();
    assert!(
        last["error"]
            .as_str()
            .unwrap()
            .contains("redirects are not followed"),
        "{last}"
    );
    assert_eq!(stand.site.hits("/elsewhere"), 0);
    let delivery = log[0]["id"].as_str().unwrap();
    status.store(200, Ordering::SeqCst);
    let path = format!("/v1/webhooks/{id}/deliveries/{delivery}/resend");
    let (code, again) = ask(&stand, "ada", "POST", &path, &json!({})).await;
    assert_eq!((code, &again["state"]), (200, &json!("pending")), "{again}");
    until(&stand, &id, all_are("delivered", 1)).await;
    status.store(410, Ordering::SeqCst);
    assert_eq!(ask(&stand, "ada", "POST", &path, &json!({})).await.0, 200);
    let gone = until(&stand, &id, all_are("dead", 1)).await;
    let attempts = gone[0]["attempts"].as_array().unwrap();
    assert_eq!(attempts.last().unwrap()["status"], 410);
    let dead = format!("/v1/webhooks/{id}/deliveries?state=delivered");
    assert_eq!(
        ask(&stand, "ada", "GET", &dead, &Value::Null).await.1,
        json!({"deliveries": []})
    );
}

#[tokio::test]
async fn a_slow_receiver_delays_no_other_and_one_that_is_not_public_is_never_asked() {
    let status = Arc::new(AtomicU16::new(200));
    let stand = on_site(&status, ServerSettings::default()).await;
    let client = net::Client::new(net::ClientConfig {
        allow: vec!["127.0.0.0/8".parse().unwrap()],
        ..net::ClientConfig::default()
    });
    let services = agents::services::AgentServices {
        client: client.unwrap(),
        ..stand.services.clone()
    };
    let workers = Workers::new(stand.service.clone(), services, Duration::from_secs(60));
    workers.deliver_with(DeliveryTimes {
        total: Duration::from_millis(500),
        ..QUICK
    });
    // It takes connections and says nothing.
    let silent = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let slow = format!("http://{}/", silent.local_addr().unwrap());
    let mut ids = Vec::new();
    // As if their hosts had been public when they were registered.
    for url in [&slow, "http://10.0.0.1/hook", &stand.site.url("/hook")] {
        let body = json!({"url": url, "events": ["run.completed"]}).to_string();
        let request = wire::webhooks::CreateWebhook::parse(body.as_bytes()).unwrap();
        let created = stand.service.webhooks().create("", request).await.unwrap();
        ids.push(created.webhook.id);
    }
    for _ in 0..5 {
        scrape(&stand, "ada", "/a").await;
    }
    workers.deliver();
    until(&stand, &ids[2], all_are("delivered", 5)).await;
    let private = until(&stand, &ids[1], all_are("dead", 5)).await;
    let error = private[0]["attempts"][0]["error"].as_str().unwrap();
    assert!(error.contains("not public"), "{error}");
    assert_eq!(private[0]["attempts"].as_array().unwrap().len(), 1);
    let late = until(&stand, &ids[0], all_are("dead", 5)).await;
    let error = late[0]["attempts"][0]["error"].as_str().unwrap();
    assert!(error.contains("too long"), "{error}");
    workers.close().await;
}

#[tokio::test]
async fn of_two_servers_one_sends_each_try() {
    let status = Arc::new(AtomicU16::new(200));
    // No receiver is late, however busy the machine is: what is late is sent again.
    let times = DeliveryTimes {
        receiver: Duration::from_secs(30),
        ..QUICK
    };
    let stand = sending(&status, keys(), times).await;
    let other = Workers::new(
        stand.service.clone(),
        stand.services.clone(),
        Duration::from_secs(60),
    );
    other.deliver_with(times);
    other.deliver();
    let id = register(&stand, "ada", &["run.completed", "url_start", "url_complete"]).await;
    for _ in 0..10 {
        scrape(&stand, "ada", "/a").await;
    }
    let log = until(&stand, &id, all_are("delivered", 30)).await;
    assert_eq!(received(&stand).len(), 30, "{log:?}");
    other.close().await;
}

#[tokio::test]
async fn what_cannot_be_an_endpoint_is_refused_and_names_the_field() {
    let status = Arc::new(AtomicU16::new(200));
    let stand = sending(&status, keys(), QUICK).await;
    let hook = stand.site.url("/hook");
    for (body, code, field) in [
        (json!({}), 400, "url"),
        (json!({"url": "http://10.0.0.1/hook"}), 400, "url"),
        (json!({"url": "http://169.254.169.254/latest"}), 400, "url"),
        (json!({"url": "http://[::1]:9/hook"}), 400, "url"),
        (json!({"url": format!("http://{}/hook", stand.at)}), 400, "url"),
        (json!({"url": "http://localhost/hook"}), 400, "url"),
        (json!({"url": "file:///etc/passwd"}), 400, "url"),
        (json!({"url": hook, "events": ["run.done"]}), 400, "events[0]"),
        (json!({"url": hook, "events": []}), 400, "events"),
        (json!({"url": hook, "description": 7}), 400, "description"),
    ] {
        let (got, refusal) = ask(&stand, "ada", "POST", "/v1/webhooks", &body).await;
        let text = refusal["error"].as_str().unwrap();
        assert_eq!(
            (got, text.split(':').next()),
            (code, Some(field)),
            "{body}: {text}"
        );
    }
    for _ in 0..20 {
        register(&stand, "ada", &["run.completed"]).await;
    }
    let (code, full) = ask(&stand, "ada", "POST", "/v1/webhooks", &json!({"url": hook})).await;
    assert_eq!(code, 400, "{full}");
    assert!(received(&stand).is_empty());
}
