//! Monitors of maps, scrapes and research questions, and conditions in words, over HTTP.

use std::sync::{Arc, Mutex};
use std::time::Duration;

use serde_json::{Value, json};
use server::ServerSettings;
use testkit::{ProviderAnswer, ScriptedProvider, ScriptedTurn, SiteReply, SiteRequest, TestSite};
use wire::tenancy::TenantLimits;

use crate::client::Ask;
use crate::stand::Stand;

/// A shop whose stock is set from outside, and a model that judges by the words of what it is shown.
struct Scene {
    stand: Stand,
    stock: Arc<Mutex<Vec<(&'static str, &'static str)>>>,
    provider: Option<ScriptedProvider>,
}

fn shop(stock: &[(&str, &str)], asked: &SiteRequest) -> SiteReply {
    let named = asked.path.strip_prefix("/item/");
    if let Some((name, price)) = named.and_then(|name| stock.iter().find(|(it, _)| *it == name)) {
        return SiteReply::html(format!(
            "<html><head><title>{name}</title><script type='application/ld+json'>{{\"@type\":\"Product\",\"name\":\"{name}\",\
             \"offers\":{{\"price\":\"{price}\",\"priceCurrency\":\"EUR\"}}}}</script></head><body><main><h1>{name}</h1>\
             <p>The {name} costs {price} EUR and comes with a plug for every country of the world.</p></main></body></html>"
        ));
    }
    let links: String = stock
        .iter()
        .map(|(name, _)| format!("<li><a href='/item/{name}'>{name}</a></li>"))
        .collect();
    match asked.path.as_str() {
        "/" => SiteReply::html(format!(
            "<title>Shop</title><main><h1>Shop</h1><ul>{links}</ul></main>"
        )),
        "/hook" => SiteReply::html(""),
        _ => SiteReply::html("nothing").status(404),
    }
}

/// What the model says: a condition holds where the price is 7; answers differ where one names a plum.
fn judged(exchange: &testkit::ProviderRequest) -> ProviderAnswer {
    let text = exchange.body["messages"].to_string();
    match exchange.body["response_format"]["json_schema"]["name"].as_str() {
        Some("condition") => {
            let answer = json!({"holds": text.contains("costs 7 EUR"), "reason": "as it says"});
            ProviderAnswer::from(ScriptedTurn::json(&answer))
        }
        Some("differences") => {
            let changes = match text.contains("plum") {
                true => vec!["There is a plum now."],
                false => Vec::new(),
            };
            ProviderAnswer::from(ScriptedTurn::json(&json!({"changes": changes})))
        }
        _ => ProviderAnswer::Raw(SiteReply::bytes("text/plain", "no").status(500)),
    }
}

async fn scene(has_model: bool) -> Scene {
    let stock = Arc::new(Mutex::new(vec![("lamp", "12"), ("kettle", "30")]));
    let shown = Arc::clone(&stock);
    let site = TestSite::start(move |asked: &SiteRequest| shop(&shown.lock().unwrap(), asked)).await;
    let (stand, provider) = match has_model {
        false => (Stand::on_site(site).await, None),
        true => {
            let provider = ScriptedProvider::start(|exchange, _| judged(exchange)).await;
            let llm = provider.settings(llm::wires::Wire::OpenAiChat);
            let stand = Stand::automating_with(site, ServerSettings::default(), llm).await;
            (stand, Some(provider))
        }
    };
    stand.workers.watch(TenantLimits::default());
    Scene {
        stand,
        stock,
        provider,
    }
}

impl Scene {
    async fn ask(&self, method: &str, path: &str, body: &Value) -> (u16, Value) {
        let ask = match method {
            "GET" => Ask::new(method, path),
            _ => Ask::with_body(method, path, body.to_string()),
        };
        let mut answer = ask.send(self.stand.at).await;
        let text = answer.text().await;
        (answer.status, serde_json::from_str(&text).unwrap_or_default())
    }

    /// Begins to watch; the path of the monitor after its first check.
    async fn watch(&self, target: Value) -> String {
        let mut body = json!({"schedule": {"every": 86_400}});
        body.as_object_mut()
            .unwrap()
            .extend(target.as_object().unwrap().clone());
        let (status, made) = self.ask("POST", "/v1/monitors", &body).await;
        assert_eq!(status, 201, "{made}");
        let path = format!("/v1/monitors/{}", made["id"].as_str().unwrap());
        self.checked(&path, 1).await;
        path
    }

    async fn checked(&self, path: &str, checks: u64) -> Value {
        for _ in 0..3_000 {
            let (_, monitor) = self.ask("GET", path, &Value::Null).await;
            if monitor["checks"].as_u64().unwrap() >= checks {
                assert_eq!(monitor["error"], Value::Null, "{monitor}");
                return monitor;
            }
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
        panic!("{:?}", self.ask("GET", path, &Value::Null).await);
    }

    /// Checks now; the newest version after that.
    async fn check(&self, path: &str) -> Value {
        let (_, before) = self.ask("GET", path, &Value::Null).await;
        let (status, answer) = self.ask("POST", &format!("{path}/check"), &json!({})).await;
        assert_eq!(status, 200, "{answer}");
        self.checked(path, before["checks"].as_u64().unwrap() + 1).await;
        let (_, history) = self.ask("GET", &format!("{path}/history"), &Value::Null).await;
        history["versions"][0].clone()
    }

    fn set(&self, stock: &[(&'static str, &'static str)]) {
        *self.stock.lock().unwrap() = stock.to_vec();
    }
}

#[tokio::test]
async fn a_map_tells_addresses_that_are_new_and_gone() {
    let scene = scene(false).await;
    let start = scene.stand.site.url("/");
    let path = scene.watch(json!({"map": {"url": start}})).await;
    assert_eq!(scene.check(&path).await["version"], 1, "nothing has changed");
    scene.set(&[("lamp", "5"), ("pan", "9")]);
    let version = scene.check(&path).await;
    let (new, gone) = (
        scene.stand.site.url("/item/pan"),
        scene.stand.site.url("/item/kettle"),
    );
    let expected =
        json!({"part": "records", "added": [{"url": new}], "removed": [{"url": gone}], "changed": []});
    assert_eq!(version["change"], expected);
}

#[tokio::test]
async fn a_scrape_is_a_run_for_each_check_and_tells_fields_by_page() {
    let scene = scene(false).await;
    let pages = [
        scene.stand.site.url("/item/lamp"),
        scene.stand.site.url("/item/kettle"),
    ];
    let scrape = json!({"scrape": {"assets": pages, "columns": ["title", "price"]}, "key": "url", "when": ["price below 20"]});
    let path = scene.watch(scrape).await;
    let (_, monitor) = scene.ask("GET", &path, &Value::Null).await;
    let rule = json!([{"field": "price", "operator": "below", "value": 20}]);
    assert_eq!((&monitor["conditions"], &monitor["when"]), (&rule, &Value::Null));
    scene.set(&[("lamp", "12"), ("kettle", "25")]);
    let version = scene.check(&path).await;
    let changed = version["change"]["changed"].as_array().unwrap();
    assert_eq!(
        (changed.len(), &changed[0]["key"]),
        (1, &json!(pages[1])),
        "{version}"
    );
    let price = json!({"field": "price", "before": 30, "after": 25});
    let fields = changed[0]["fields"].as_array().unwrap();
    assert!(fields.contains(&price), "{version}");
    assert_eq!(version["matched"], false);
    scene.set(&[("lamp", "12"), ("kettle", "19")]);
    assert_eq!(scene.check(&path).await["matched"], true);
    // A page that is gone is no change of what the scrape gives: nothing is known of it.
    scene.set(&[("lamp", "12")]);
    scene.ask("POST", &format!("{path}/check"), &json!({})).await;
    for _ in 0..3_000 {
        let (_, monitor) = scene.ask("GET", &path, &Value::Null).await;
        if monitor["checks"] == 4 {
            assert!(
                monitor["error"].as_str().unwrap().contains("/item/kettle"),
                "{monitor}"
            );
            assert_eq!(monitor["version"], 3);
            break;
        }
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
    let (_, runs) = scene.ask("GET", "/v1/runs", &Value::Null).await;
    assert_eq!(runs["runs"].as_array().unwrap().len(), 4, "{runs}");
}

#[tokio::test]
async fn a_model_says_what_an_answer_has_new_and_whether_words_hold() {
    let scene = scene(true).await;
    let page = scene.stand.site.url("/item/lamp");
    let question =
        json!({"research": {"query": "What does the lamp cost?", "sources": [page], "mode": "fast"}});
    let research = scene.watch(question).await;
    let words = json!({"url": page, "when": ["it is as cheap as an egg"]});
    let words = scene.watch(words).await;
    scene.set(&[("lamp", "8")]);
    assert_eq!(scene.check(&words).await["matched"], false);
    assert_eq!(scene.check(&research).await["version"], 1, "the same facts");
    scene.set(&[("lamp", "7")]);
    assert_eq!(scene.check(&words).await["matched"], true);
    let asked = scene.provider.as_ref().unwrap().seen();
    let prompt = asked
        .iter()
        .map(|exchange| exchange.body["messages"].to_string())
        .find(|text| text.contains("as cheap as an egg"));
    assert!(prompt.unwrap().contains("costs 8 EUR"));
}

#[tokio::test]
async fn what_needs_a_model_is_refused_where_there_is_none_and_wrong_targets_name_their_field() {
    let scene = scene(false).await;
    let page = scene.stand.site.url("/");
    let every = json!({"every": 60});
    for (target, status, start) in [
        (
            json!({"url": page, "when": ["it looks sold out"]}),
            503,
            "when: no rule reads",
        ),
        (json!({"research": {"query": "Why?"}}), 503, "research: a model"),
        (
            json!({"map": {"url": page, "include": ["re:("]}}),
            400,
            "map.include",
        ),
        (json!({"map": {"url": "http://10.0.0.1/"}}), 400, "map.url"),
        (
            json!({"scrape": {"assets": [page], "mode": "llm-fixed"}}),
            503,
            "mode llm-fixed needs",
        ),
        (json!({"url": page, "map": {"url": page}}), 400, "url: give one"),
    ] {
        let mut body = target.clone();
        body["schedule"] = every.clone();
        let (answered, refusal) = scene.ask("POST", "/v1/monitors", &body).await;
        let text = refusal["error"].as_str().unwrap();
        assert!(
            answered == status && text.starts_with(start),
            "{target}: {answered} {text}"
        );
    }
    let path = scene.watch(json!({"url": page})).await;
    let (status, refusal) = scene
        .ask("PATCH", &path, &json!({"when": ["it looks sold out"]}))
        .await;
    assert_eq!(status, 503, "{refusal}");
}
