//! Every field of every request does something: for each property of the published schemas, a request with and one without
//! it differ in what the server answers, what the site is asked or what the model is told, or the field is refused by name.

mod sites;

use std::collections::BTreeMap;
use std::time::Duration;

use futures_util::StreamExt as _;
use llm::wires::Wire;
use serde_json::{Map, Value, json};
use server::ServerSettings;
use testkit::{ProviderAnswer, ScriptedProvider, ScriptedTurn, SiteReply, SiteRequest, TestSite};

use crate::automate::{done, plan, verdict};
use crate::client::Ask;
use crate::stand::Stand;

/// How a field is shown to matter.
enum Case {
    /// The base request with this value in the field.
    Value(Value),
    /// The same, with these fields in the base request too.
    With(Value, Value),
    /// By a test of its own: the file, and the name of the function.
    Test(&'static str, &'static str),
}

use Case::{Test, Value as To, With};

/// A kind of request: its schema, where it is sent, and a body that is enough.
struct Kind {
    schema: &'static str,
    path: &'static str,
    base: fn(&str) -> Value,
    cases: fn(&str) -> Vec<(&'static str, Case)>,
}

const SHAPE: &str = r#"{"type":"object","properties":{"title":{"type":"string"}},"required":["title"]}"#;

fn shape() -> Value {
    serde_json::from_str(SHAPE).unwrap()
}

fn other_shape() -> Value {
    json!({"type": "object", "properties": {"name": {"type": "string"}}})
}

fn page_cases(site: &str) -> Vec<(&'static str, Case)> {
    vec![
        ("url", To(json!(format!("{site}/other")))),
        (
            "effort",
            With(json!("min"), json!({"url": format!("{site}/flaky")})),
        ),
        ("nocache", To(json!(true))),
        ("geo_target", To(json!({"country": "NO"}))),
        ("geo_target.country", To(json!("NO"))),
    ]
}

fn kinds() -> Vec<Kind> {
    vec![
        Kind {
            schema: "extract-markdown-request",
            path: "/v1/extract/markdown",
            base: |site| json!({"url": format!("{site}/kept")}),
            cases: |site| {
                let mut cases = page_cases(site);
                cases.push(("content", To(json!("full"))));
                cases.push(("metadata", To(json!(true))));
                cases
            },
        },
        Kind {
            schema: "extract-json-request",
            path: "/v1/extract/json",
            base: |site| json!({"url": format!("{site}/kept"), "json_schema": shape()}),
            cases: |site| {
                let mut cases = page_cases(site);
                cases.push(("json_schema", To(other_shape())));
                cases
            },
        },
        Kind {
            schema: "generate-json-request",
            path: "/v1/generate/json",
            base: |site| json!({"url": format!("{site}/kept"), "json_schema": shape(), "instructions": "name it"}),
            cases: |site| {
                let mut cases = page_cases(site);
                cases.push(("json_schema", To(other_shape())));
                cases.push(("instructions", To(json!("name it in French"))));
                cases
            },
        },
        Kind {
            schema: "scrape-request",
            path: "/api/scrape/stream",
            base: |site| json!({"assets": [format!("{site}/kept")], "instructions": "read"}),
            cases: |site| {
                vec![
                    ("assets", To(json!([format!("{site}/other")]))),
                    ("instructions", To(json!("top 2 links"))),
                    ("output_instructions", To(json!("as a poem"))),
                    ("output_format", To(json!("markdown"))),
                    ("complexity", To(json!("low"))),
                    ("session_id", To(json!("run_0123456789abcdef0123456789abcdef"))),
                    ("model", To(json!("another"))),
                    ("provider", To(json!("openai"))),
                    ("enable_plugins", To(json!(["html-parser"]))),
                    ("selected_agents", To(json!(["poet"]))),
                    (
                        "max_steps",
                        With(
                            json!(1),
                            json!({"instructions": "the 2 cheapest products under 100 euro, as a table"}),
                        ),
                    ),
                    ("mode", To(json!("llm-fixed"))),
                    ("planner", To(json!("model"))),
                    ("schema", To(shape())),
                    ("columns", With(json!(["title"]), json!({"output_format": "csv"}))),
                    ("screenshot", To(json!(true))),
                    ("formats", To(json!(["links", "tables"]))),
                    ("enable_memory", To(json!(true))),
                ]
            },
        },
        Kind {
            schema: "research-request",
            path: "/v1/research",
            base: |site| json!({"query": format!("What is a kettle, says {site}/kept ?")}),
            cases: |site| {
                vec![
                    (
                        "query",
                        To(json!(format!("Who made the kettle, says {site}/kept ?"))),
                    ),
                    ("mode", To(json!("balanced"))),
                    (
                        "fetch_timeout",
                        With(
                            json!(1),
                            json!({"query": format!("What is a kettle, says {site}/slow ?")}),
                        ),
                    ),
                    ("nocache", To(json!(true))),
                    ("sources", To(json!([format!("{site}/other")]))),
                ]
            },
        },
        Kind {
            schema: "automate-request",
            path: "/v1/automate",
            base: |site| json!({"task": "What does the kettle cost?", "url": format!("{site}/kept")}),
            cases: |site| {
                vec![
                    ("task", To(json!("What is the kettle called?"))),
                    ("url", To(json!(format!("{site}/other")))),
                    ("data", To(json!({"email": "a@b.example"}))),
                    ("guardrails", To(json!("Do not order anything."))),
                    ("interactive", To(json!(true))),
                    ("maxIterations", To(json!(1))),
                    ("maxValidationAttempts", To(json!(1))),
                    (
                        "trusted_hostnames",
                        Test(
                            "crates/agents/src/automate/request_grant.rs",
                            "a_request_is_bounded_by_its_address_unless_it_is_unsafe",
                        ),
                    ),
                    (
                        "unsafe_mode",
                        Test(
                            "crates/agents/src/automate/request_grant.rs",
                            "a_request_is_bounded_by_its_address_unless_it_is_unsafe",
                        ),
                    ),
                    ("geo_target", To(json!({"country": "NO"}))),
                    ("geo_target.country", To(json!("NO"))),
                    ("secrets", To(json!({"login": "a-secret-that-is-not-there"}))),
                    ("audience", To(json!("verbose"))),
                ]
            },
        },
        Kind {
            schema: "tool-request",
            path: "/v1/tools/html.select/run",
            base: |site| json!({"parameters": {"selector": "h1"}, "url": format!("{site}/kept")}),
            cases: |site| {
                vec![
                    ("parameters", To(json!({"selector": "p"}))),
                    ("url", To(json!(format!("{site}/other")))),
                    ("html", To(json!("<h1>Sent along</h1>"))),
                    (
                        "input",
                        Test(
                            "crates/server/tests/server/fields.rs",
                            "the_input_of_a_tool_is_what_it_works_on",
                        ),
                    ),
                ]
            },
        },
        Kind {
            schema: "plan-request",
            path: "/v1/plans/run",
            base: |site| {
                json!({"plan": {"plan": [{"tool": "html.select", "params": {"selector": "h1"}}]},
                       "url": format!("{site}/kept")})
            },
            cases: |site| {
                let plan = json!({"plan": [{"tool": "html.select", "params": {"selector": "p"}}]});
                vec![("plan", To(plan)), ("url", To(json!(format!("{site}/other"))))]
            },
        },
        sites::map_kind(),
        sites::crawl_kind(),
        sites::batch_kind(),
    ]
}

/// The choice of a profile, which every kind has that opens pages for a person.
fn profile_cases(kind: &Kind) -> Vec<(&'static str, Case)> {
    if matches!(kind.schema, "tool-request" | "map-request") {
        return Vec::new();
    }
    vec![
        ("profile", To(json!("a-profile-that-is-not-there"))),
        ("profile_save", To(json!(true))),
    ]
}

/// Requests that open no page and start no work, and the tests that go over their fields.
const OF_OTHER_REQUESTS: [(&str, &str); 11] = [
    ("act-request", include_str!("takeover.rs")),
    ("resume-request", include_str!("takeover.rs")),
    ("site-match-request", include_str!("tools.rs")),
    ("create-profile-request", include_str!("logins.rs")),
    ("set-secret-request", include_str!("logins.rs")),
    (
        "tenant-request",
        concat!(include_str!("tenants.rs"), include_str!("tenant_policy.rs")),
    ),
    ("key-request", include_str!("tenants.rs")),
    ("rotate-request", include_str!("tenants.rs")),
    ("create-webhook-request", include_str!("webhooks.rs")),
    (
        "create-monitor-request",
        concat!(include_str!("monitors.rs"), include_str!("monitor_targets.rs")),
    ),
    (
        "update-monitor-request",
        concat!(include_str!("monitors.rs"), include_str!("monitor_targets.rs")),
    ),
];

/// The options that every kind has under `fetch`.
fn fetch_cases(kind: &Kind, site: &str) -> Vec<(&'static str, Case)> {
    if kind.schema == "map-request" {
        return Vec::new();
    }
    let slow = |base: Value| serde_json::from_str(&base.to_string().replace("/kept", "/slow")).unwrap();
    vec![
        ("fetch", To(json!({"locale": "pt-BR"}))),
        ("fetch.engine", To(json!("chromium"))),
        ("fetch.wait_for", To(json!({"text": "Kettle"}))),
        ("fetch.wait_for.selector", To(json!("h1"))),
        ("fetch.wait_for.text", To(json!("Kettle"))),
        ("fetch.wait_for.milliseconds", To(json!(5))),
        ("fetch.wait_for.network_idle", To(json!(true))),
        ("fetch.timeout", With(json!(1), slow((kind.base)(site)))),
        ("fetch.viewport", To(json!({"width": 400, "height": 800}))),
        ("fetch.viewport.width", To(json!(400))),
        ("fetch.viewport.height", To(json!(400))),
        ("fetch.locale", To(json!("pt-BR"))),
        ("fetch.timezone", To(json!("Europe/Oslo"))),
        ("fetch.user_agent", To(json!("Somebody/1"))),
        ("fetch.headers", To(json!({site: {"X-Key": "a-key-of-mine"}}))),
        (
            "fetch.cookies",
            To(json!({site: {"session": "a-session-of-mine"}})),
        ),
        ("fetch.nocache", To(json!(true))),
        ("fetch.robots", To(json!("obey"))),
        ("fetch.geo_target", To(json!({"country": "NO"}))),
        ("fetch.geo_target.country", To(json!("NO"))),
    ]
}

/// Every property of a schema, those of objects within it by their path. Keywords of a schema that a request carries are
/// not fields of the request.
fn fields(schema: &Value) -> Vec<String> {
    let mut found = Vec::new();
    let mut open = vec![(String::new(), schema.clone())];
    while let Some((path, part)) = open.pop() {
        let choices = part["oneOf"].as_array().into_iter().flatten().chain([&part]);
        for (name, property) in choices
            .filter_map(|part| part["properties"].as_object())
            .flatten()
        {
            let path = if path.is_empty() {
                name.clone()
            } else {
                format!("{path}.{name}")
            };
            found.push(path.clone());
            let choices = property["anyOf"]
                .as_array()
                .into_iter()
                .flatten()
                .chain([property]);
            for choice in choices {
                let target = choice["$ref"]
                    .as_str()
                    .filter(|to| !to.ends_with("/ItemSchema"))
                    .and_then(|to| schema.pointer(to.strip_prefix('#')?));
                open.extend(target.map(|target| (path.clone(), target.clone())));
            }
        }
    }
    found
}

/// Sets a field by its path.
fn set(body: &mut Value, path: &str, value: Value) {
    let mut place = body;
    for name in path.split('.') {
        if !place[name].is_object() && !place[name].is_null() {
            place[name] = Value::Null;
        }
        place = &mut place[name];
    }
    *place = value;
}

const KEPT: &str = "<!doctype html><html lang=en><head><title>Kettles</title><meta name=author content='Ann Onym'></head>\
<body><nav><a href=/a>Home</a> <a href=/b>About us and others</a></nav><main><h1>Kettles</h1><p>A kettle is a vessel in \
which water is boiled, with a lid, a spout and a handle. It stands on a stove or on a base of its own, and it says so when \
the water boils. Ann Onym made the first kettle in 1822 in Holm.</p><table><tr><th>Name<th>Price</tr><tr><td>K1<td>12.50 EUR\
</tr><tr><td>K2<td>9.00 EUR</tr></table><p>The best kettle is the one that is there when tea is wanted. All others are \
second, however well they are made and whatever they cost.</p></main></body></html>";

fn answer(flaky: &std::sync::atomic::AtomicUsize, asked: &SiteRequest) -> SiteReply {
    let kept = || SiteReply::html(KEPT).header("cache-control", "max-age=600");
    match asked.path.as_str() {
        "/robots.txt" => SiteReply::bytes("text/plain", "User-agent: *\nDisallow: /kept\nDisallow: /b"),
        "/slow" => SiteReply::html(KEPT).dripping(KEPT.len() / 2, Duration::from_millis(800)),
        "/flaky"
            if flaky
                .fetch_add(1, std::sync::atomic::Ordering::Relaxed)
                .is_multiple_of(2) =>
        {
            SiteReply::html("later").status(503)
        }
        // Fails more often than one request is repeated for.
        "/stubborn" if flaky.fetch_add(1, std::sync::atomic::Ordering::Relaxed) % 8 < 4 => {
            SiteReply::html("later").status(503)
        }
        "/large" => SiteReply::html(format!("{KEPT}<!-- {} -->", "x".repeat(1_200_000))),
        "/other" => SiteReply::html(KEPT.replace("kettle", "teapot").replace("Kettles", "Teapots")),
        _ => kept(),
    }
}

/// Keys whose values differ from run to run.
const VOLATILE: &[&str] = &[
    "duration_seconds",
    "duration_ms",
    "durationMs",
    "duration",
    "startTime",
    "endTime",
    "timestamp",
    "session_id",
    "retrievedAt",
    "retrieved_at",
    "created_at",
    "createdAt",
    "executionTime",
    "totalDuration",
    "elapsed",
    "elapsedMs",
    "traceId",
    "iterationId",
    "sessionId",
    "runId",
    "time",
    "seconds",
    "stats",
    "durations",
    "milliseconds",
    "tool_call_id",
    "id",
];

fn steady(value: &mut Value) {
    match value {
        Value::Object(map) => {
            map.retain(|name, _| !VOLATILE.contains(&name.as_str()));
            map.values_mut().for_each(steady);
        }
        Value::Array(items) => items.iter_mut().for_each(steady),
        // JSON within a text.
        Value::String(text) => {
            if let Ok(mut inner @ (Value::Object(_) | Value::Array(_))) = serde_json::from_str(text) {
                steady(&mut inner);
                *value = inner;
            }
        }
        _ => {}
    }
}

/// What a request comes to: the answer, what the site was asked and what the model was told. Sent twice, since some fields
/// are about what is at hand.
async fn observe(kind: &Kind, make: impl Fn(&str) -> Value) -> String {
    let flaky = std::sync::atomic::AtomicUsize::new(0);
    let site = TestSite::start(move |asked| answer(&flaky, asked)).await;
    let address = site.url("").trim_end_matches('/').to_owned();
    let provider = match kind.schema {
        "automate-request" => {
            let run = [
                plan(),
                ScriptedTurn::call("back", json!({})),
                done("12.50"),
                verdict("partial"),
                done("12.50 EUR"),
                verdict("complete"),
            ];
            ScriptedProvider::saying(run.clone().into_iter().chain(run)).await
        }
        _ => {
            ScriptedProvider::start(|_, _| {
                ProviderAnswer::from(ScriptedTurn::json(
                    &json!({"title": "Kettles", "name": "Kettles"}),
                ))
            })
            .await
        }
    };
    let has_model = matches!(
        kind.schema,
        "automate-request" | "extract-json-request" | "generate-json-request"
    );
    let stand = match has_model {
        true => {
            Stand::automating_with(
                site,
                ServerSettings::default(),
                provider.settings(Wire::OpenAiChat),
            )
            .await
        }
        false => Stand::on_site(site).await,
    };
    let body = make(&address);
    let mut seen = String::new();
    for _ in 0..2 {
        let mut answer = Ask::json(kind.path, &body).send(stand.at).await;
        let text = answer.text().await;
        seen += &format!("status {}\n", answer.status);
        // A stream is judged by its last event and by the names of the others; that of a crawl by its pages, too.
        for line in text.lines().filter_map(|line| line.strip_prefix("event: ")) {
            seen += &format!("event {line}\n");
        }
        seen += &sites::results(&text);
        let last = text
            .lines()
            .rev()
            .filter_map(|line| line.strip_prefix("data: "))
            .find(|data| data.len() > 4);
        match serde_json::from_str::<Value>(last.unwrap_or(&text)) {
            Ok(mut value) => {
                steady(&mut value);
                seen += &format!("{value:#}\n");
            }
            Err(_) => seen += &text,
        }
        if let (Some(wanted), Some(run)) = (body["session_id"].as_str(), answer.header("x-run-id")) {
            seen += &format!("chosen id: {}\n", wanted == run);
        }
    }
    let mut requests = Vec::new();
    for asked in stand.site.asked() {
        let header = |name: &str| {
            asked
                .headers
                .get(name)
                .and_then(|it| it.to_str().ok())
                .unwrap_or("-")
                .to_owned()
        };
        let names = ["user-agent", "accept-language", "cookie", "x-key"].map(header);
        requests.push(format!("{} {} {}\n", asked.method, asked.path, names.join(" | ")));
    }
    // Pages of a site are asked for at the same time.
    requests.sort_unstable();
    seen += &requests.concat();
    for exchange in provider.seen() {
        let mut body = exchange.body.clone();
        steady(&mut body);
        seen += &format!("{body}\n");
    }
    let port = stand.site.address().port().to_string();
    without_labels(&seen.replace(&address, "SITE")).replace(&port, "PORT")
}

/// A text without the labels of quoted pages, which differ from run to run.
fn without_labels(text: &str) -> String {
    let mut parts = text.split("label=");
    let first = parts.next().unwrap_or_default().to_owned();
    parts.fold(first, |text, part| {
        text + "label" + part.split_once('>').map_or("", |(_, rest)| rest)
    })
}

/// The case of a field, from the kind's own table or that of the options.
fn case_of(kind: &Kind, field: &str, site: &str) -> Case {
    // A kind's own case stands in place of the general one.
    let general = fetch_cases(kind, site).into_iter().chain(profile_cases(kind));
    let mut cases: BTreeMap<&str, Case> = general.chain((kind.cases)(site)).collect();
    cases.remove(field).unwrap_or_else(|| {
        panic!(
            "{}: the field {field} has no case that shows what it changes",
            kind.schema
        )
    })
}

/// Shows that a field matters.
async fn check(kind: &Kind, field: &str, usual: &str) {
    let extra = |site: &str| match case_of(kind, field, site) {
        With(_, extra) => extra,
        _ => json!({}),
    };
    if let Test(file, name) = case_of(kind, field, "http://127.0.0.1") {
        let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR"))
            .join("../..")
            .join(file);
        let text = std::fs::read_to_string(&path).unwrap_or_default();
        assert!(
            text.contains(&format!("fn {name}(")),
            "{}: {field}: {file} has no test {name}",
            kind.schema
        );
        return;
    }
    let base = |site: &str| {
        let mut body = (kind.base)(site);
        body.as_object_mut()
            .unwrap()
            .extend(extra(site).as_object().unwrap().clone());
        body
    };
    let has_extra = extra("http://127.0.0.1") != json!({});
    let before = if has_extra {
        observe(kind, base).await
    } else {
        usual.to_owned()
    };
    let after = observe(kind, |site| {
        let mut body = base(site);
        let (To(value) | With(value, _)) = case_of(kind, field, site) else {
            return body;
        };
        set(&mut body, field, value);
        body
    })
    .await;
    let name = field.split('.').next_back().unwrap_or_default();
    let is_refused = after.starts_with("status 4") || after.starts_with("status 5");
    let was_refused = before.starts_with("status 4") || before.starts_with("status 5");
    assert!(
        !was_refused,
        "{}: {field}: the request without it fails: {before}",
        kind.schema
    );
    assert!(
        before != after,
        "{}: {field} changes nothing\n{before}",
        kind.schema
    );
    let effects = [
        "TIMEOUT",
        "did not come within",
        "too long",
        "ROBOTS",
        "robots.txt",
        "503",
        "status",
    ];
    assert!(
        !is_refused || after.contains(name) || effects.iter().any(|effect| after.contains(effect)),
        "{}: {field}: refused without its name: {after}",
        kind.schema
    );
}

async fn check_kind(schema: &str) {
    let kind = kinds().into_iter().find(|kind| kind.schema == schema).unwrap();
    let published = wire::schema::all();
    let (_, schema) = published.iter().find(|(name, _)| *name == kind.schema).unwrap();
    let fields = fields(schema);
    assert!(
        schema["properties"].get("fetch").is_none() || fields.iter().any(|field| field == "fetch.engine"),
        "{fields:?}"
    );
    let usual = observe(&kind, kind.base).await;
    assert_eq!(
        usual,
        observe(&kind, kind.base).await,
        "what is compared differs from run to run"
    );
    let checks = fields.iter().map(|field| check(&kind, field, &usual));
    futures_util::stream::iter(checks)
        .buffer_unordered(8)
        .collect::<Vec<()>>()
        .await;
    // A case of a field that is gone is a mistake, too.
    let site = "http://127.0.0.1";
    let cases = (kind.cases)(site).into_iter();
    for (field, _) in cases.chain(fetch_cases(&kind, site)).chain(profile_cases(&kind)) {
        assert!(
            fields.iter().any(|known| known == field),
            "{}: there is no field {field}",
            kind.schema
        );
    }
}

#[test]
fn every_kind_of_request_is_gone_over() {
    let published = wire::schema::all();
    let requests = published.iter().filter(|(name, _)| name.ends_with("-request"));
    let known: Vec<&str> = kinds().iter().map(|kind| kind.schema).collect();
    for (name, schema) in requests {
        let tests = OF_OTHER_REQUESTS.iter().find(|(stored, _)| stored == name);
        let Some((_, tests)) = tests else {
            assert!(known.contains(name), "{name} has no cases");
            continue;
        };
        let fields = schema["properties"].as_object().into_iter().flatten();
        for (field, _) in fields {
            assert!(
                tests.contains(&format!("\"{field}\"")),
                "{name}: no test says {field}"
            );
        }
    }
    let mut body = Value::Object(Map::new());
    set(&mut body, "fetch.viewport.width", json!(4));
    assert_eq!(body, json!({"fetch": {"viewport": {"width": 4}}}));
}

#[tokio::test]
async fn the_input_of_a_tool_is_what_it_works_on() {
    let stand = Stand::start().await;
    let body = json!({"parameters": {"n": 1}, "input": {"rows": [{"name": "K1"}, {"name": "K2"}]}});
    let mut answer = Ask::json("/v1/tools/extract.top_n/run", &body)
        .send(stand.at)
        .await;
    let text = answer.text().await;
    assert_eq!(answer.status, 200, "{text}");
    assert!(text.contains("K1") && !text.contains("K2"), "{text}");
}

macro_rules! kinds_of_requests {
    ($($name:ident: $schema:literal;)+) => {$(
        #[tokio::test(flavor = "multi_thread")]
        async fn $name() {
            check_kind($schema).await;
        }
    )+};
}

kinds_of_requests! {
    every_field_of_markdown_matters: "extract-markdown-request";
    every_field_of_json_matters: "extract-json-request";
    every_field_of_generate_matters: "generate-json-request";
    every_field_of_scrape_matters: "scrape-request";
    every_field_of_map_matters: "map-request";
    every_field_of_crawl_matters: "crawl-request";
    every_field_of_batch_matters: "batch-request";
    every_field_of_research_matters: "research-request";
    every_field_of_automate_matters: "automate-request";
    every_field_of_a_tool_matters: "tool-request";
    every_field_of_a_plan_matters: "plan-request";
}
