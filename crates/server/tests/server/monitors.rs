//! Monitors over HTTP: what is told of a change, when, to whom, and what is refused before any work.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use runtime::webhooks::DeliveryTimes;
use runtime::worker::Workers;
use serde_json::{Value, json};
use server::ServerSettings;
use testkit::{SiteReply, SiteRequest, TestSite};
use wire::tenancy::TenantLimits;

use crate::client::Ask;
use crate::stand::Stand;

const QUICK: DeliveryTimes = DeliveryTimes {
    receiver: Duration::from_secs(5),
    first: Duration::from_millis(10),
    longest: Duration::from_millis(50),
    total: Duration::from_secs(60),
};

/// A page whose price is set from outside, and whose clock and counter are never the same; a receiver at `/hook`.
struct Watched {
    stand: Stand,
    price: Arc<Mutex<String>>,
}

fn page(price: &str, visit: usize) -> String {
    format!(
        "<html><head><title>Lamp Nova</title><script type='application/ld+json'>{{\"@type\":\"Product\",\
         \"name\":\"Lamp Nova\",\"sku\":\"N-{price}\",\"offers\":{{\"price\":\"{price}\",\"priceCurrency\":\"EUR\"}}}}</script></head>\
         <body><main><h1>Lamp Nova</h1><p>A lamp of brass that lights a whole room and needs no bulb for years.</p>\
         <p>It costs {price} EUR from the works, with a plug for every country.</p>\
         <p>As of 10:{visit:02}:17, {visit} visitors have seen this page. <a href='/more?sid={visit}ab{visit}'>More</a></p>\
         </main></body></html>"
    )
}

async fn watched(settings: ServerSettings) -> Watched {
    let price = Arc::new(Mutex::new("120.00".to_owned()));
    let (shown, visits) = (Arc::clone(&price), AtomicUsize::new(0));
    let site = TestSite::start(move |asked: &SiteRequest| match asked.path.as_str() {
        "/hook" => SiteReply::html(""),
        "/lamp" => match shown.lock().unwrap().as_str() {
            "gone" => SiteReply::html("gone").status(404),
            price => SiteReply::html(page(price, visits.fetch_add(1, Ordering::SeqCst) % 60)),
        },
        _ => SiteReply::html("nothing").status(404),
    })
    .await;
    let provider = testkit::ScriptedProvider::saying(Vec::<testkit::ProviderAnswer>::new()).await;
    let llm = provider.settings(llm::wires::Wire::OpenAiChat);
    let stand = Stand::automating_with(site, settings, llm).await;
    stand.workers.deliver_with(QUICK);
    stand.workers.deliver();
    stand.workers.watch(TenantLimits::default());
    Watched { stand, price }
}

impl Watched {
    fn set(&self, price: &str) {
        price.clone_into(&mut self.price.lock().unwrap());
    }

    async fn ask(&self, who: &str, method: &str, path: &str, body: &Value) -> (u16, Value) {
        let ask = match method {
            "GET" | "DELETE" => Ask::new(method, path),
            _ => Ask::with_body(method, path, body.to_string()),
        };
        let ask = ask.header("authorization", &format!("Bearer key-of-{who}-123456"));
        let mut answer = ask.send(self.stand.at).await;
        let text = answer.text().await;
        (answer.status, serde_json::from_str(&text).unwrap_or_default())
    }

    /// Watches the lamp; the path of the monitor.
    async fn watch(&self, extra: Value) -> String {
        let mut body =
            json!({"url": self.stand.site.url("/lamp"), "name": "lamp", "schedule": {"every": 86_400}});
        body.as_object_mut()
            .unwrap()
            .extend(extra.as_object().unwrap().clone());
        let (status, made) = self.ask("ada", "POST", "/v1/monitors", &body).await;
        assert_eq!(status, 201, "{made}");
        let path = format!("/v1/monitors/{}", made["id"].as_str().unwrap());
        self.checked(&path, 1).await;
        path
    }

    /// The monitor, once it was checked so often.
    async fn checked(&self, path: &str, checks: u64) -> Value {
        for _ in 0..3_000 {
            let (_, monitor) = self.ask("ada", "GET", path, &Value::Null).await;
            if monitor["checks"].as_u64().unwrap() >= checks {
                return monitor;
            }
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
        panic!("{:?}", self.ask("ada", "GET", path, &Value::Null).await);
    }

    /// Checks now, and waits for that.
    async fn check(&self, path: &str) -> Value {
        let (_, before) = self.ask("ada", "GET", path, &Value::Null).await;
        let (status, answer) = self
            .ask("ada", "POST", &format!("{path}/check"), &json!({}))
            .await;
        assert_eq!(status, 200, "{answer}");
        self.checked(path, before["checks"].as_u64().unwrap() + 1).await
    }

    async fn history(&self, path: &str) -> Vec<Value> {
        let (_, history) = self
            .ask("ada", "GET", &format!("{path}/history"), &Value::Null)
            .await;
        history["versions"].as_array().unwrap().clone()
    }

    /// Bodies of the messages that came, once there are so many.
    async fn told(&self, count: usize) -> Vec<Value> {
        for _ in 0..3_000 {
            let asked = self.stand.site.asked().into_iter();
            let hooks = asked.filter(|asked| asked.path == "/hook");
            let told: Vec<Value> = hooks
                .map(|asked| serde_json::from_slice(&asked.body).unwrap())
                .collect();
            if told.len() >= count {
                return told;
            }
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
        panic!("{} of {count} messages", self.stand.site.hits("/hook"));
    }

    async fn register(&self) {
        let hook = json!({"url": self.stand.site.url("/hook")});
        assert_eq!(self.ask("ada", "POST", "/v1/webhooks", &hook).await.0, 201);
    }
}

fn keys() -> ServerSettings {
    let key = |text: &str| text.parse().unwrap();
    ServerSettings {
        api_keys: vec![key("key-of-ada-123456"), key("key-of-bob-123456")],
        ..ServerSettings::default()
    }
}

#[tokio::test]
async fn a_change_of_the_text_is_told_and_noise_alone_is_not() {
    let watched = watched(keys()).await;
    watched.register().await;
    let path = watched.watch(json!({"keep": 2})).await;
    for _ in 0..5 {
        watched.check(&path).await;
    }
    assert_eq!(
        watched.history(&path).await.len(),
        1,
        "clocks, counters and tokens"
    );
    watched.set("99.00");
    let monitor = watched.check(&path).await;
    assert_eq!(
        (&monitor["version"], &monitor["name"]),
        (&json!(2), &json!("lamp"))
    );
    let told = watched.told(1).await;
    assert_eq!(
        (&told[0]["type"], &told[0]["data"]["version"]),
        (&json!("monitor.changed"), &json!(2))
    );
    let change = &told[0]["data"]["change"]["changed"];
    assert_eq!(change.as_array().unwrap().len(), 1, "{change}");
    assert!(
        change[0]["before"].as_str().unwrap().contains("120.00"),
        "{change}"
    );
    assert!(change[0]["after"].as_str().unwrap().contains("99.00"), "{change}");
    watched.set("98.00");
    watched.check(&path).await;
    let versions = watched.history(&path).await;
    let numbers: Vec<_> = versions
        .iter()
        .map(|it| it["version"].as_u64().unwrap())
        .collect();
    assert_eq!(numbers, [3, 2], "two are kept, the newest first");
    watched.told(2).await;
}

#[tokio::test]
async fn a_condition_over_a_field_decides_what_is_told_and_history_keeps_the_rest() {
    let watched = watched(keys()).await;
    watched.register().await;
    let conditions = json!([{"field": "price", "operator": "below", "value": 100}]);
    let path = watched
        .watch(json!({"part": "item", "conditions": conditions}))
        .await;
    for price in ["110.00", "95.50"] {
        watched.set(price);
        watched.check(&path).await;
    }
    let told = watched.told(1).await;
    assert_eq!(told.len(), 1, "{told:?}");
    let fields = told[0]["data"]["change"]["fields"].as_array().unwrap();
    let price = fields.iter().find(|it| it["field"] == "price").unwrap();
    assert_eq!((&price["before"], &price["after"]), (&json!(110), &json!(95.5)));
    let matched: Vec<_> = watched
        .history(&path)
        .await
        .iter()
        .map(|it| it["matched"].clone())
        .collect();
    assert_eq!(matched, [json!(true), json!(false), json!(false)]);
    // Other conditions hold from now on.
    let update = json!({"conditions": [], "name": "cheap", "schedule": {"cron": "0 9 * * *", "timezone": "Europe/Oslo"}});
    let (status, changed) = watched.ask("ada", "PATCH", &path, &update).await;
    assert_eq!((status, &changed["name"]), (200, &json!("cheap")), "{changed}");
    let next = changed["next_check_at"].as_str().unwrap();
    assert!(
        next.ends_with("T08:00:00.000Z") || next.ends_with("T07:00:00.000Z"),
        "{next}"
    );
    watched.set("130.00");
    watched.check(&path).await;
    watched.told(2).await;
}

#[tokio::test]
async fn a_page_that_cannot_be_read_is_told_once_and_a_pause_rests() {
    let watched = watched(keys()).await;
    watched.register().await;
    let path = watched.watch(json!({})).await;
    watched.set("gone");
    for _ in 0..3 {
        let monitor = watched.check(&path).await;
        assert!(monitor["error"].is_string(), "{monitor}");
    }
    let told = watched.told(1).await;
    assert_eq!((told.len(), &told[0]["type"]), (1, &json!("monitor.failed")));
    watched.set("120.00");
    let monitor = watched.check(&path).await;
    assert_eq!(
        (&monitor["error"], &monitor["version"]),
        (&Value::Null, &json!(1))
    );
    let (_, paused) = watched.ask("ada", "PATCH", &path, &json!({"paused": true})).await;
    assert_eq!(
        (&paused["paused"], &paused["next_check_at"]),
        (&json!(true), &Value::Null)
    );
    assert_eq!(
        watched
            .ask("ada", "POST", &format!("{path}/check"), &json!({}))
            .await
            .0,
        409
    );
    let (_, resumed) = watched
        .ask("ada", "PATCH", &path, &json!({"paused": false}))
        .await;
    assert!(resumed["next_check_at"].is_string());
    // Nothing of it is there for others.
    for (method, path) in [
        ("GET", path.clone()),
        ("GET", format!("{path}/history")),
        ("PATCH", path.clone()),
        ("POST", format!("{path}/check")),
        ("DELETE", path.clone()),
    ] {
        assert_eq!(
            watched.ask("bob", method, &path, &json!({})).await.0,
            404,
            "{method} {path}"
        );
    }
    assert_eq!(
        watched.ask("bob", "GET", "/v1/monitors", &Value::Null).await.1,
        json!({"monitors": []})
    );
    assert_eq!(watched.ask("ada", "DELETE", &path, &Value::Null).await.0, 200);
    assert_eq!(watched.ask("ada", "GET", &path, &Value::Null).await.0, 404);
}

#[tokio::test]
async fn a_check_counts_as_one_run_however_often_it_reads() {
    let watched = watched(keys()).await;
    let path = watched.watch(json!({})).await;
    watched.set("99.00");
    watched.check(&path).await;
    for _ in 0..3_000 {
        let (_, usage) = watched.ask("ada", "GET", "/v1/usage", &Value::Null).await;
        let rows = usage["usage"].as_array().unwrap();
        let total = |name: &str| rows.iter().filter_map(|row| row[name].as_u64()).sum::<u64>();
        // The first check reads once; a change is looked at three times more.
        if total("pages") == 5 {
            assert_eq!(total("runs"), 2, "{usage}");
            return;
        }
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
    panic!("{:?}", watched.ask("ada", "GET", "/v1/usage", &Value::Null).await);
}

#[tokio::test]
async fn of_two_servers_on_a_store_one_does_each_slot() {
    let watched = watched(keys()).await;
    let stand = &watched.stand;
    let other = Workers::new(
        stand.service.clone(),
        stand.services.clone(),
        Duration::from_secs(60),
    );
    other.watch(TenantLimits::default());
    let mut paths = Vec::new();
    for _ in 0..3 {
        paths.push(watched.watch(json!({})).await);
    }
    for (path, round) in paths
        .iter()
        .flat_map(|path| (2..8).map(move |round| (path, round)))
    {
        let monitor = watched.check(path).await;
        assert_eq!(monitor["checks"], json!(round));
    }
    assert_eq!(stand.site.hits("/lamp"), 3 * 7);
    other.close().await;
}

#[tokio::test]
async fn what_cannot_be_watched_is_refused_and_names_the_field() {
    let watched = watched(keys()).await;
    let page = watched.stand.site.url("/lamp");
    let every = json!({"every": 60});
    for (body, field) in [
        (json!({"schedule": every}), "url"),
        (json!({"url": "http://10.0.0.1/", "schedule": every}), "url"),
        (
            json!({"url": format!("{page}?access_token=abcdefgh1"), "schedule": every}),
            "url",
        ),
        (
            json!({"url": format!("{page}?access_token=abc"), "schedule": every}),
            "url",
        ),
        (json!({"url": page}), "schedule"),
        (json!({"url": page, "schedule": {"every": 0}}), "schedule.every"),
        (
            json!({"url": page, "schedule": {"cron": "0 0 31 2 *"}}),
            "schedule.cron",
        ),
        (
            json!({"url": page, "schedule": {"cron": "soon"}}),
            "schedule.cron",
        ),
        (
            json!({"url": page, "schedule": {"cron": "* * * * *", "timezone": "Mars/Olympus"}}),
            "schedule.timezone",
        ),
        (json!({"url": page, "schedule": every, "keep": 0}), "keep"),
        (json!({"url": page, "schedule": every, "key": "sku"}), "key"),
        (
            json!({"url": page, "schedule": every, "conditions": [{"field": "price", "operator": "below", "value": "x"}]}),
            "conditions[0].value",
        ),
    ] {
        let (status, refusal) = watched.ask("ada", "POST", "/v1/monitors", &body).await;
        let text = refusal["error"].as_str().unwrap();
        assert_eq!(
            (status, text.split(": ").next()),
            (400, Some(field)),
            "{body}: {text}"
        );
    }
    assert_eq!(watched.stand.site.hits("/lamp"), 0);
}

#[tokio::test]
async fn a_condition_on_a_field_that_nothing_has_fails_the_first_check_and_names_those_that_there_are() {
    let watched = watched(keys()).await;
    let condition = |field: &str| json!({"part": "item", "conditions": [{"field": field, "operator": "below", "value": 100}]});
    let path = watched.watch(condition("prize")).await;
    let monitor = watched.checked(&path, 1).await;
    let error = monitor["error"].as_str().unwrap_or_default();
    assert!(error.contains("prize") && error.contains("price"), "{monitor}");
    let path = watched.watch(condition("price")).await;
    assert_eq!(watched.checked(&path, 1).await["error"], Value::Null);
}
