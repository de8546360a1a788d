//! The pictures of `docs/console.md`, taken of runs of the demo site. `cargo xtask pictures` writes them.

use std::path::PathBuf;

use llm::wires::Wire;
use runtime::config::Secret;
use serde_json::{Value, json};
use server::ServerSettings;
use testkit::demo::{self, DemoRequest};
use testkit::{ScriptedProvider, ScriptedTurn, SiteReply, SiteRequest, TestSite};
use wire::tenancy::{Scope, TenantLimits};

use crate::automate::{plan, shop};
use crate::client::Ask;
use crate::console_pages::played;
use crate::stand::Stand;
use crate::tenants::{ask, key};

const KEY: &str = "a-key-for-the-console";
/// Most bytes of a picture.
const MAX_BYTES: u64 = 60_000;

/// The demo site, a form to order by, a page that never comes, and a lamp whose price depends on how often it was read.
async fn site() -> TestSite {
    let visits = std::sync::atomic::AtomicUsize::new(0);
    TestSite::start(move |asked: &SiteRequest| match asked.path.as_str() {
        "/order-form" => shop(&SiteRequest {
            path: "/".into(),
            ..asked.clone()
        }),
        "/silent" => SiteReply::html("").never_ending(),
        "/lamp" => {
            let visit = visits.fetch_add(1, std::sync::atomic::Ordering::SeqCst);
            let price = if visit < 1 { "120.00" } else { "99.00" };
            SiteReply::html(format!(
                "<html><head><title>Lamp Nova</title><script type='application/ld+json'>{{\"@type\":\"Product\",\"name\":\"Lamp Nova\",\"sku\":\"N-{price}\",\
                 \"offers\":{{\"price\":\"{price}\",\"priceCurrency\":\"EUR\"}}}}</script></head><body><main><h1>Lamp Nova</h1>\
                 <p>A lamp of brass that lights a whole room and needs no bulb for years.</p><p>It costs {price} EUR from the works, with a plug for every country.</p></main></body></html>"
            ))
        }
        path => {
            let answer = demo::answer(&DemoRequest::new(path, &asked.body));
            SiteReply::bytes(answer.content_type, answer.body).status(answer.status)
        }
    })
    .await
}

/// A run of the key, once it has ended; its id.
async fn ended(stand: &Stand, path: &str, body: &Value) -> String {
    let ask = Ask::json(path, body).header("authorization", &format!("Bearer {KEY}"));
    let mut answer = ask.send(stand.at).await;
    let run = answer.header("x-run-id").expect("a run").to_owned();
    answer.frames().await;
    run
}

#[tokio::test]
#[ignore = "needs a browser and npm"]
async fn the_pictures_of_the_document_are_small_and_of_pages_without_faults() {
    let provider = ScriptedProvider::saying([
        plan(),
        ScriptedTurn::call(
            "request_user_data",
            json!({"description": "The address and the country that the order goes to", "refs": ["E3", "E4"]}),
        ),
    ])
    .await;
    let settings = ServerSettings {
        api_keys: vec![KEY.parse::<Secret>().unwrap()],
        tenant_limits: TenantLimits::read(&[
            "running=4",
            "queued=50",
            "pages_per_day=1000",
            "tokens_per_month=2000000",
        ])
        .unwrap(),
        ..ServerSettings::default()
    };
    let stand = Stand::automating_with(site().await, settings, provider.settings(Wire::OpenAiChat)).await;
    stand.workers.watch(TenantLimits::default());
    let own = format!("Bearer {KEY}");
    let at = |path: &str| stand.site.url(path);
    let question = json!({"task": "Order the kettle K1", "url": at("/order-form"), "interactive": true});
    let asks = Ask::json("/v1/automate", &question)
        .header("authorization", &own)
        .header("prefer", "respond-async");
    let mut asks = asks.send(stand.at).await;
    let question = asks.header("x-run-id").expect("a run").to_owned();
    asks.until(|it| it.contains("interactive:form_data:request"))
        .await;
    let scrape = ended(
        &stand,
        "/api/scrape/stream",
        &json!({"assets": [at("/shop/plain")], "instructions": "all products", "planner": "triggers", "mode": "rule-based"}),
    )
    .await;
    ended(
        &stand,
        "/api/scrape/stream",
        &json!({"assets": [at("/hn"), at("/tables")], "mode": "rule-based"}),
    )
    .await;
    ended(
        &stand,
        "/api/scrape/stream",
        &json!({"assets": [at("/nowhere")], "mode": "rule-based"}),
    )
    .await;
    let crawl = json!({"url": at("/shop/plain"), "limit": 25, "include": ["/shop/*"]});
    let crawl = ended(&stand, "/v1/crawl", &crawl).await;
    let batch = json!({"urls": [at("/shop/item/1"), at("/shop/item/2"), at("/nowhere/1"), at("/nowhere/2")], "retries": 0});
    let batch = ended(&stand, "/v1/batch", &batch).await;
    let monitor = json!({"url": at("/lamp"), "name": "The lamp", "part": "item", "schedule": {"cron": "0 9 * * 1-5", "timezone": "Europe/Oslo"}, "when": ["price below 100"]});
    let monitor = ask(&stand, &own, "POST", "/v1/monitors", Some(&monitor))
        .await
        .json()
        .await["id"]
        .as_str()
        .expect("a monitor")
        .to_owned();
    let path = format!("/v1/monitors/{monitor}");
    for checks in 1..=2 {
        while ask(&stand, &own, "GET", &path, None).await.json().await["checks"].as_u64() < Some(checks) {
            tokio::time::sleep(std::time::Duration::from_millis(20)).await;
        }
        if checks == 1 {
            ask(&stand, &own, "POST", &format!("{path}/check"), Some(&json!({}))).await;
        }
    }
    let admin = key(
        &stand,
        "acme",
        &["running=4", "dollars_per_month=50", "tokens_per_day=1000000"],
        &[Scope::Admin],
    )
    .await;
    key(&stand, "acme", &[], &[Scope::Read, Scope::Scrape]).await;
    key(&stand, "globex", &[], &Scope::USUAL).await;
    let admin = admin.trim_start_matches("Bearer ");
    let silent = json!({"assets": [at("/shop/item/3"), at("/silent")], "mode": "rule-based"});
    ask(&stand, &own, "POST", "/api/scrape", Some(&silent)).await;
    let wide = |name: &str, path: String| json!({"name": name, "path": path, "key": KEY});
    let mut pictures = vec![
        wide("console-runs", "/console/runs".into()),
        wide("console-timeline", format!("/console/runs/{scrape}")),
        wide("console-table", format!("/console/runs/{scrape}?view=result")),
        wide("console-new", format!("/console/new?from={scrape}")),
        wide("console-question", format!("/console/runs/{question}")),
        wide("console-crawl", format!("/console/crawls/{crawl}")),
        wide("console-monitor", format!("/console/monitors/{monitor}")),
        wide("console-usage", "/console/usage".into()),
        json!({"name": "console-tenant", "path": "/console/tenants/acme", "key": admin}),
        json!({"name": "console-narrow", "path": format!("/console/crawls/{batch}"), "key": KEY, "width": 390, "height": 800, "colorScheme": "dark"}),
    ];
    for picture in pictures.iter_mut().filter(|picture| picture["width"].is_null()) {
        picture["height"] = json!(760);
    }
    let folder = std::env::var_os("HUNTSMAN_PICTURES").map(PathBuf::from);
    let kept = tempfile::tempdir().unwrap();
    let folder = folder.unwrap_or_else(|| kept.path().to_owned());
    let played = played(
        &stand,
        "pictures",
        &json!({"pictures": pictures, "folder": folder, "most": MAX_BYTES}),
    )
    .await;
    let sizes = played["sizes"].as_object().unwrap();
    assert_eq!(sizes.len(), 10);
    for (name, bytes) in sizes {
        assert!(bytes.as_u64().unwrap() < MAX_BYTES, "{name}: {bytes} bytes");
    }
}
