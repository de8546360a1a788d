//! Policies of tenants over the wire: what a run may do is decided before any work, and held while the run works.

use std::sync::Arc;

use browser::Browser;
use browser::engines::chromium::Chromium;
use llm::wires::Wire;
use serde_json::{Value, json};
use server::ServerSettings;
use testkit::{ScriptedProvider, ScriptedTurn, SiteReply, SiteRequest, TestSite};
use wire::tenancy::Scope;

use crate::automate::{done, plan, verdict};
use crate::client::{Answer, Ask};
use crate::mcp::{legacy, message, told};
use crate::stand::Stand;
use crate::tenants::{ask, key};

const FORM: &str =
    "<title>Shop</title><h1>Shop</h1><form method=post action=/buy><button>Buy now</button></form>";

fn site(asked: &SiteRequest) -> SiteReply {
    match asked.path.as_str() {
        "/away" => SiteReply::redirect(302, "http://192.0.2.1/"),
        "/shop" => SiteReply::html(FORM),
        _ => SiteReply::html("<title>Kettles</title><h1>Kettles</h1><p>A kettle boils water.</p>"),
    }
}

/// A server with a key of the tenant `acme`, and one that may administer.
async fn start(provider: &ScriptedProvider) -> (Stand, String, String) {
    let llm = provider.settings(Wire::OpenAiChat);
    let stand = Stand::automating_with(TestSite::start(site).await, ServerSettings::default(), llm).await;
    let tenant = key(&stand, "acme", &[], &[]).await;
    let admin = key(&stand, "operators", &[], &[Scope::Admin]).await;
    (stand, tenant, admin)
}

async fn set(stand: &Stand, admin: &str, body: Value) -> Answer {
    Ask::with_body("PATCH", "/v1/admin/tenants/acme", body.to_string())
        .header("authorization", admin)
        .send(stand.at)
        .await
}

async fn refused(stand: &Stand, key: &str, path: &str, body: &Value, code: &str, field: &str) {
    let mut answer = ask(stand, key, "POST", path, Some(body)).await;
    let text = answer.text().await;
    assert_eq!(answer.header("x-error-code"), Some(code), "{path} {body}: {text}");
    assert!(
        text.contains(&format!("{field}: ")) && text.contains("policy of this tenant"),
        "{path}: {text}"
    );
}

#[tokio::test]
async fn what_the_policy_does_not_allow_is_refused_before_any_work_and_the_field_is_named() {
    let provider = ScriptedProvider::saying([] as [ScriptedTurn; 0]).await;
    let (stand, acme, admin) = start(&provider).await;
    let rules = json!({"policy": {
        "allowed_hosts": ["shop.example"], "engines": ["http"], "forbidden_tools": ["html", "browser.upload"],
        "profiles": false, "memory": false, "uploads": false, "models": ["mistral/*"],
    }});
    assert_eq!(set(&stand, &admin, rules).await.status, 200);
    let url = stand.site.url("/a");
    let page = json!({"url": url});
    for (path, body, field) in [
        (
            "/api/scrape",
            json!({"assets": ["https://shop.example/", url], "instructions": "x"}),
            "assets[1]",
        ),
        ("/v1/automate", json!({"task": "look", "url": url}), "url"),
        (
            "/v1/research",
            json!({"query": "why", "sources": [url]}),
            "sources[0]",
        ),
        ("/v1/crawl", page.clone(), "url"),
        ("/v1/batch", json!({"urls": [url]}), "urls[0]"),
        (
            "/v1/plans/run",
            json!({"plan": [{"tool": "url.join", "parameters": {}}], "url": url}),
            "url",
        ),
        ("/v1/extract/markdown", page.clone(), "url"),
        ("/v1/map", page.clone(), "url"),
        ("/v1/tools/url.join/run", json!({"url": url}), "url"),
        (
            "/v1/monitors",
            json!({"url": url, "schedule": {"every": 86_400}}),
            "url",
        ),
        (
            "/v1/webhooks",
            json!({"url": url, "events": ["run.completed"]}),
            "url",
        ),
    ] {
        refused(&stand, &acme, path, &body, "URL_BLOCKED", field).await;
    }
    let lifted = json!({"policy": {"allowed_hosts": []}});
    assert_eq!(set(&stand, &admin, lifted).await.status, 200);
    let with = |name: &str, value: Value| {
        let mut body = json!({"assets": [url], "instructions": "x"});
        body[name] = value;
        body
    };
    for (body, field) in [
        (with("fetch", json!({"engine": "chromium"})), "fetch.engine"),
        (
            with("fetch", json!({"viewport": {"width": 800, "height": 600}})),
            "fetch.viewport",
        ),
        (with("profile", json!("shop")), "profile"),
        (with("enable_memory", json!(true)), "enable_memory"),
        (
            with("enable_plugins", json!(["network", "html-parser"])),
            "enable_plugins[1]",
        ),
    ] {
        refused(&stand, &acme, "/api/scrape", &body, "FORBIDDEN", field).await;
    }
    let named = with("model", json!("scripted"));
    let mut answer = ask(&stand, &acme, "POST", "/api/scrape", Some(&named)).await;
    assert!(
        answer
            .text()
            .await
            .contains("model: \\\"scripted\\\" is not offered")
    );
    let mut answer = ask(
        &stand,
        &acme,
        "POST",
        "/v1/tools/html.select/run",
        Some(&json!({})),
    )
    .await;
    assert!(
        answer
            .text()
            .await
            .contains("html.select is not allowed in this run: the policy")
    );
    let plan = json!({"plan": [{"tool": "html.select", "parameters": {"selector": "h1"}}], "url": url});
    let mut answer = ask(&stand, &acme, "POST", "/v1/plans/run", Some(&plan)).await;
    let text = answer.text().await;
    assert!(
        answer.status >= 400 && text.contains("policy of this tenant"),
        "{text}"
    );
    let arguments = json!({"name": "tool_run", "arguments": {"name": "html.select", "url": url}});
    let call = legacy("/mcp", "tools/call", &arguments).header("authorization", &acme);
    let called = message(call.send(stand.at).await).await;
    let (text, is_error) = told(&called);
    assert!(is_error && text.contains("policy of this tenant"), "{text}");
    let tools = ask(&stand, &acme, "GET", "/v1/tools?category=html", None)
        .await
        .json()
        .await;
    assert_eq!(tools["count"], 0);
    assert_eq!(
        (stand.site.asked().len(), provider.seen().len()),
        (0, 0),
        "no work was begun"
    );
    let other = key(&stand, "other", &[], &[]).await;
    let read = ask(&stand, &other, "POST", "/v1/extract/markdown", Some(&page)).await;
    assert_eq!(read.status, 200, "others are as free as before");
    assert_eq!(
        ask(&stand, &acme, "POST", "/v1/extract/markdown", Some(&page))
            .await
            .status,
        200
    );
}

#[tokio::test]
async fn a_redirect_out_of_the_allowed_hosts_is_not_followed() {
    let provider = ScriptedProvider::saying([] as [ScriptedTurn; 0]).await;
    let (stand, acme, admin) = start(&provider).await;
    let host = stand.site.address().to_string();
    let rules = json!({"policy": {"allowed_hosts": [host]}});
    assert_eq!(set(&stand, &admin, rules).await.status, 200);
    let body = json!({"url": stand.site.url("/away")});
    for path in ["/v1/extract/markdown", "/v1/map"] {
        let mut answer = ask(&stand, &acme, "POST", path, Some(&body)).await;
        let text = answer.text().await;
        assert!(text.contains("policy of this tenant"), "{path}: {text}");
    }
    let body = json!({"url": stand.site.url("/a")});
    assert_eq!(
        ask(&stand, &acme, "POST", "/v1/extract/markdown", Some(&body))
            .await
            .status,
        200
    );
}

#[tokio::test]
async fn an_automation_has_the_tenants_guardrails_and_asks_models_with_the_tenants_key() {
    let script = [
        plan(),
        ScriptedTurn::call("click", json!({"ref": "E2"})),
        done("nothing"),
        verdict("complete"),
    ];
    let provider = ScriptedProvider::saying(script).await;
    let (stand, acme, admin) = start(&provider).await;
    let rules = json!({
        "policy": {"guardrails": "Never buy anything.", "models": ["openai_chat/scripted"]},
        "model_keys": {"openai_chat": "sk-canary-of-acme"},
    });
    let mut answer = set(&stand, &admin, rules).await;
    let shown = answer.text().await;
    assert!(
        shown.contains("\"model_keys\":[\"openai_chat\"]") && !shown.contains("canary"),
        "{shown}"
    );
    let task = json!({"task": "look at the shop", "url": stand.site.url("/shop"), "guardrails": "Be quick."});
    let mut answer = ask(&stand, &acme, "POST", "/v1/automate", Some(&task)).await;
    let text = answer.text().await;
    assert!(
        text.contains("refused") && text.contains("Never buy anything."),
        "{text}"
    );
    assert_eq!(stand.site.hits("/buy"), 0);
    let seen = provider.seen();
    assert!(seen.len() >= 2 && !text.contains("canary"), "{text}");
    for asked in &seen {
        assert_eq!(asked.headers["authorization"], "Bearer sk-canary-of-acme");
    }
    let first = seen[0].body.to_string();
    assert!(
        first.contains("Never buy anything.") && first.contains("Be quick."),
        "{first}"
    );
    for path in [
        "/v1/admin/tenants/acme",
        "/v1/admin/tenants",
        "/v1/admin/tenants/acme/export",
        "/v1/admin/audit",
    ] {
        assert!(
            !ask(&stand, &admin, "GET", path, None)
                .await
                .text()
                .await
                .contains("canary"),
            "{path}"
        );
    }
    let taken = json!({"model_keys": {"openai_chat": null}});
    assert!(
        !set(&stand, &admin, taken)
            .await
            .text()
            .await
            .contains("model_keys")
    );
}

#[tokio::test]
async fn a_rule_that_cannot_hold_is_refused_and_changes_nothing() {
    let provider = ScriptedProvider::saying([] as [ScriptedTurn; 0]).await;
    let (stand, _, admin) = start(&provider).await;
    for (body, field) in [
        (
            json!({"policy": {"allowed_hosts": ["not a host"]}}),
            "policy.allowed_hosts",
        ),
        (
            json!({"policy": {"forbidden_hosts": ["10.0.0.0/99"]}}),
            "policy.forbidden_hosts",
        ),
        (
            json!({"policy": {"forbidden_tools": ["html.selct"]}}),
            "policy.forbidden_tools",
        ),
        (json!({"policy": {"models": ["nobody/model"]}}), "policy.models"),
        (json!({"policy": {"engines": ["chromium"]}}), "policy.engines"),
        (json!({"policy": {"tools": []}}), "policy.tools"),
        (json!({"policy": "free"}), "policy"),
        (json!({"model_keys": {"nobody": "sk-canary"}}), "model_keys"),
        (
            json!({"model_keys": {"openai": "sk canary"}}),
            "model_keys.openai",
        ),
        (json!({"model_keys": ["sk-canary"]}), "model_keys"),
    ] {
        let mut answer = set(&stand, &admin, body.clone()).await;
        let text = answer.text().await;
        assert_eq!(answer.status, 400, "{body}: {text}");
        assert!(text.contains(field) && !text.contains("canary"), "{body}: {text}");
    }
    let shown = ask(&stand, &admin, "GET", "/v1/admin/tenants/acme", None)
        .await
        .json()
        .await;
    assert!(
        shown.get("policy").is_none() && shown.get("model_keys").is_none(),
        "{shown}"
    );
}

#[tokio::test]
#[ignore = "needs a browser"]
async fn a_browser_under_a_policy_asks_no_host_beyond_it() {
    let provider = ScriptedProvider::saying([] as [ScriptedTurn; 0]).await;
    let other = TestSite::start(|_| SiteReply::html("<title>Other</title>")).await;
    let (frame, picture) = (other.url("/frame"), other.url("/picture.png"));
    let script = format!(
        "fetch('{}', {{mode: 'no-cors'}}).catch(() => 0)",
        other.url("/fetched")
    );
    let page = format!(
        "<title>Kettles</title><h1>Kettles</h1><img src='{picture}'><iframe src='{frame}'></iframe>\
         <p id=out>A kettle</p><script>{script}; document.getElementById('out').textContent = 'scripts ran';</script>"
    );
    let site = TestSite::start(move |_| SiteReply::html(page.clone())).await;
    let browser =
        |client| -> Arc<dyn Browser> { Arc::new(Chromium::new(client, testkit::chromium::settings())) };
    let stand = Stand::open_to(site, &provider, browser, None).await;
    let acme = key(&stand, "acme", &[], &[]).await;
    let admin = key(&stand, "operators", &[], &[Scope::Admin]).await;
    let body = json!({"url": stand.site.url("/a"), "fetch": {"engine": "chromium", "wait_for": {"network_idle": true}}});
    let read = async || {
        let mut answer = ask(&stand, &acme, "POST", "/v1/extract/markdown", Some(&body)).await;
        let text = answer.text().await;
        assert!(text.contains("scripts ran"), "{text}");
    };
    let forbidden = json!({"policy": {"forbidden_hosts": [other.address().to_string()]}});
    assert_eq!(set(&stand, &admin, forbidden).await.status, 200);
    read().await;
    assert_eq!(other.asked().len(), 0, "{:?}", other.asked());
    let lifted = json!({"policy": {"forbidden_hosts": []}});
    assert_eq!(set(&stand, &admin, lifted).await.status, 200);
    read().await;
    assert!(
        other.asked().len() >= 3,
        "without the rule the page reaches the other site"
    );
}
