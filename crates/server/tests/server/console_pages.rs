//! Every page of the console in Chromium, led by Playwright and looked at by axe-core; pages without scripts; who sees them.

use std::sync::atomic::{AtomicUsize, Ordering};

use browser::engines::chromium::find;
use llm::wires::Wire;
use runtime::config::Secret;
use serde_json::{Value, json};
use server::ServerSettings;
use testkit::{ScriptedProvider, ScriptedTurn, SiteReply, SiteRequest, TestSite, chromium};
use wire::tenancy::{Scope, TenantLimits};

use crate::automate::{done, plan, shop, verdict};
use crate::client::{Answer, Ask};
use crate::stand::Stand;
use crate::tenants::key;

/// A key of the environment: a tenant of its own.
const KEY: &str = "a-key-for-the-console";

/// A shop, a site to crawl with a page that is missing, a lamp whose price falls after the first visit, and a page that never comes.
async fn site() -> TestSite {
    let visits = AtomicUsize::new(0);
    TestSite::start(move |asked: &SiteRequest| match asked.path.as_str() {
        "/silent" => SiteReply::html("").never_ending(),
        "/site" => SiteReply::html(
            "<!doctype html><title>Site</title><main><h1>A site of three pages</h1><p>Its pages are listed here, with one that is not there.</p>\
             <a href=/one>One</a> <a href=/two>Two</a> <a href=/missing>Gone</a></main>",
        ),
        path @ ("/one" | "/two") => SiteReply::html(format!(
            "<!doctype html><title>Page {path}</title><main><h1>{path}</h1><p>This is the page {path}, which nobody else has in these words.</p></main>"
        )),
        "/shop" => {
            let card = |number: usize| format!("<li class=product><h2><a href=/p{number}>Kettle K{number}</a></h2><span class=price>{number}2.50 EUR</span></li>");
            let cards: String = (1..=6).map(card).collect();
            SiteReply::html(format!("<!doctype html><title>Kettles</title><main><h1>Kettles</h1><ul>{cards}</ul></main>"))
        }
        "/lamp" => {
            let price = if visits.fetch_add(1, Ordering::SeqCst) < 1 { 120 } else { 99 };
            SiteReply::html(format!(
                "<html><head><title>Lamp</title><script type='application/ld+json'>{{\"@type\":\"Product\",\"name\":\"Lamp\",\"sku\":\"N-{price}\",\
                 \"offers\":{{\"price\":\"{price}.00\",\"priceCurrency\":\"EUR\"}}}}</script></head><body><main><h1>Lamp</h1>\
                 <p>A lamp of brass that lights a whole room and needs no bulb for years.</p><p>It costs {price}.00 EUR from the works, with a plug for every country.</p></main></body></html>"
            ))
        }
        _ => SiteReply::html("gone").status(404),
    })
    .await
}

/// A server with a key of the environment and limits.
async fn guarded() -> Stand {
    let settings = ServerSettings {
        api_keys: vec![KEY.parse::<Secret>().unwrap()],
        tenant_limits: TenantLimits::read(&[
            "running=4",
            "queued=50",
            "pages_per_day=1000",
            "requests_per_minute=10000",
        ])
        .unwrap(),
        ..ServerSettings::default()
    };
    let provider = ScriptedProvider::saying(Vec::<testkit::ProviderAnswer>::new()).await;
    let stand = Stand::automating_with(site().await, settings, provider.settings(Wire::OpenAiChat)).await;
    stand.workers.watch(TenantLimits::default());
    stand
}

/// What a script of Playwright says of pages: how many it visited, what is wrong with them, and what else it tells.
pub(crate) async fn played(stand: &Stand, script: &str, more: &Value) -> Value {
    let program = find(chromium::settings().program.as_deref()).expect("a browser");
    let mut given = json!({
        "base": format!("http://{}", stand.at), "site": stand.site.url("").trim_end_matches('/'), "chromium": program,
        "sandbox": chromium::has_sandbox(), "key": KEY,
    });
    let more = more.as_object().unwrap().clone();
    given.as_object_mut().unwrap().extend(more);
    let script = format!("{}/tests/server/console/{script}.mjs", env!("CARGO_MANIFEST_DIR"));
    // The server answers on this runtime meanwhile.
    let run = move || testkit::sdk::run_console_script(&script, &given.to_string());
    let output = tokio::task::spawn_blocking(run).await.unwrap();
    let (said, wrong) = (
        String::from_utf8_lossy(&output.stdout),
        String::from_utf8_lossy(&output.stderr),
    );
    assert!(output.status.success(), "{said}{wrong}");
    let played: Value = serde_json::from_str(said.lines().last().expect("a line")).unwrap();
    let faults = played["faults"].as_array().unwrap();
    let faults: Vec<&str> = faults.iter().filter_map(Value::as_str).collect();
    assert!(faults.is_empty(), "{}", faults.join("\n"));
    played
}

async fn ask(stand: &Stand, method: &str, path: &str, body: Option<&Value>) -> Value {
    let mut answer = crate::tenants::ask(stand, &format!("Bearer {KEY}"), method, path, body).await;
    assert!(answer.status < 300, "{method} {path}: {}", answer.text().await);
    answer.json().await
}

/// A run of the key, once it has ended; its id.
async fn ended(stand: &Stand, path: &str, body: &Value) -> String {
    let ask = Ask::json(path, body).header("authorization", &format!("Bearer {KEY}"));
    let mut answer = ask.send(stand.at).await;
    let run = answer.header("x-run-id").unwrap().to_owned();
    answer.frames().await;
    run
}

#[tokio::test]
#[ignore = "needs a browser and npm"]
async fn every_page_is_accessible_and_without_errors_in_light_and_dark_on_wide_and_narrow_screens() {
    let stand = guarded().await;
    let assets = json!({"assets": [stand.site.url("/shop")], "instructions": "all products", "planner": "triggers", "mode": "rule-based"});
    let scrape = ended(&stand, "/api/scrape/stream", &assets).await;
    let failed = ended(
        &stand,
        "/api/scrape/stream",
        &json!({"assets": [stand.site.url("/missing")]}),
    )
    .await;
    let crawl = ended(&stand, "/v1/crawl", &json!({"url": stand.site.url("/site")})).await;
    let batch = json!({"urls": [stand.site.url("/one"), stand.site.url("/silent")]});
    let batch = ask(
        &stand,
        "POST",
        "/api/scrape",
        Some(&json!({"assets": batch["urls"]})),
    )
    .await["session_id"]
        .clone();
    let monitor = json!({"url": stand.site.url("/lamp"), "part": "item", "schedule": {"every": 86400}, "when": ["price below 100"]});
    let monitor = ask(&stand, "POST", "/v1/monitors", Some(&monitor)).await["id"]
        .as_str()
        .unwrap()
        .to_owned();
    ask(
        &stand,
        "POST",
        "/v1/profiles",
        Some(&json!({"name": "shop-login", "note": "for the shop", "sites": ["shop.example"]})),
    )
    .await;
    let admin = key(
        &stand,
        "acme",
        &["running=2", "tokens_per_month=5"],
        &[Scope::Admin],
    )
    .await;
    let mut paths: Vec<String> = [
        "runs",
        "runs?status=failed",
        "runs?q=nothing-at-all",
        "new?kind=scrape",
        "new?kind=automate",
        "new?kind=research",
        "new?kind=crawl",
        "new?kind=batch",
        "tools",
        "tools?q=nothing-at-all",
        "tools/extraction.products_generic",
        "plans",
        "crawls",
        "monitors",
        "profiles",
        "usage",
        "usage?from=2020-01-01&to=2020-01-31",
    ]
    .map(|path| format!("/console/{path}"))
    .to_vec();
    for view in [
        "timeline",
        "result",
        "request",
        "raw",
        "timeline&only=failed",
        "timeline&seq=3",
    ] {
        paths.push(format!("/console/runs/{scrape}?view={view}"));
    }
    paths.push(format!("/console/runs/{failed}"));
    paths.push(format!("/console/runs/{}", batch.as_str().unwrap()));
    paths.push(format!("/console/new?from={scrape}"));
    paths.push(format!("/console/crawls/{crawl}"));
    paths.push(format!("/console/runs/{crawl}"));
    paths.push(format!("/console/monitors/{monitor}"));
    let admin = json!({"key": admin.trim_start_matches("Bearer "), "paths": ["/console/tenants", "/console/tenants/acme"]});
    let visitors = json!({"visitors": [{"key": KEY, "paths": paths}, admin]});
    let played = played(&stand, "sweep", &visitors).await;
    assert_eq!(played["visits"], 4 * (paths.len() + 2 + 1));
}

#[tokio::test]
#[ignore = "needs a browser and npm"]
async fn every_action_of_administration_profiles_monitors_and_crawls_is_done_by_a_person() {
    let stand = guarded().await;
    let admin = key(&stand, "acme", &[], &[Scope::Admin]).await;
    let admin = json!({"admin": admin.trim_start_matches("Bearer ")});
    let played = played(&stand, "actions", &admin).await;
    // Both keys were revoked, one by its successor's grace of no hours.
    for key in ["key", "successor"] {
        let key = format!("Bearer {}", played[key].as_str().unwrap());
        let refused = crate::tenants::ask(&stand, &key, "GET", "/v1/runs", None).await;
        assert_eq!(refused.status, 401);
    }
}

#[tokio::test]
#[ignore = "needs a browser and npm"]
async fn the_five_main_ways_are_gone_by_a_browser_tool_of_others() {
    let provider = ScriptedProvider::saying([
        plan(),
        ScriptedTurn::call(
            "request_user_data",
            json!({"description": "delivery", "refs": ["E3", "E4"]}),
        ),
        ScriptedTurn::call("click", json!({"ref": "E5"})),
        done("ordered"),
        verdict("complete"),
    ])
    .await;
    let site = TestSite::start(|asked: &SiteRequest| match asked.path.as_str() {
        "/silent" => SiteReply::html("").never_ending(),
        "/shop" => {
            let card = |number: usize| {
                format!(
                    "<li class=product><h2><a href=/p{number}>Kettle K{number}</a></h2><span class=price>{number}2.50 EUR</span></li>"
                )
            };
            let cards: String = (1..=6).map(card).collect();
            SiteReply::html(format!(
                "<!doctype html><title>Kettles</title><main><h1>Kettles</h1><ul>{cards}</ul></main>"
            ))
        }
        _ => shop(asked),
    });
    let stand = Stand::automating(site.await, &provider).await;
    let played = played(&stand, "ways", &json!({})).await;
    assert_eq!(
        played["ways"],
        json!(["start", "watch", "export", "answer", "cancel"])
    );
    let order = stand
        .site
        .asked()
        .into_iter()
        .find(|it| it.path == "/order")
        .expect("the order");
    assert_eq!(
        String::from_utf8_lossy(&order.body),
        "mail=ada.secret%40example.org&country=Peru"
    );
}

/// A page as a person without scripts sees it.
async fn page(stand: &Stand, key: &str, path: &str) -> Answer {
    Ask::get(path)
        .header("authorization", key)
        .header("accept", "text/html")
        .send(stand.at)
        .await
}

/// The text of an answer, with slashes as they are: templates escape them.
async fn text(mut answer: Answer) -> String {
    answer.text().await.replace("&#x2f;", "/")
}

/// A form as a page of the console sends it.
async fn form(stand: &Stand, key: &str, path: &str, body: &str) -> Answer {
    Ask::form(path, body)
        .header("authorization", key)
        .header("sec-fetch-site", "same-origin")
        .send(stand.at)
        .await
}

#[tokio::test]
async fn administration_is_for_keys_that_may_and_other_keys_are_told_why_not() {
    let stand = guarded().await;
    let own = format!("Bearer {KEY}");
    let admin = key(&stand, "acme", &[], &[Scope::Admin]).await;
    for path in ["/console/tenants", "/console/tenants/acme"] {
        let mut refused = page(&stand, &own, path).await;
        assert_eq!(
            (refused.status, refused.header("x-frame-options")),
            (403, Some("DENY"))
        );
        let text = refused.text().await;
        assert!(text.contains("scope admin") && text.contains("<nav"), "{text}");
        assert_eq!(page(&stand, &admin, path).await.status, 200);
    }
    for path in [
        "/console/tenants",
        "/console/tenants/acme",
        "/console/tenants/acme/keys",
    ] {
        assert_eq!(
            form(&stand, &own, path, "name=evil&label=x&scope=admin")
                .await
                .status,
            403,
            "{path}"
        );
    }
    let foreign = Ask::form("/console/tenants/acme/keys", "scope=admin").header("authorization", &admin);
    assert_eq!(
        foreign
            .header("sec-fetch-site", "cross-site")
            .send(stand.at)
            .await
            .status,
        403
    );
    let shown = text(page(&stand, &own, "/console/usage").await).await;
    assert!(
        !shown.contains("/console/tenants") && shown.contains("/console/monitors"),
        "{shown}"
    );
    let shown = text(page(&stand, &admin, "/console/tenants").await).await;
    assert!(
        shown.contains("/console/tenants") && !shown.contains("/console/monitors"),
        "{shown}"
    );
    assert_eq!(
        page(&stand, &admin, "/console").await.header("location"),
        Some("/console/tenants")
    );
    let away = form(&stand, &admin, "/console/logout", "").await;
    assert_eq!(
        (away.status, away.header("location")),
        (303, Some("/console/login"))
    );
}

#[tokio::test]
async fn a_key_of_another_tenant_is_not_changed_by_the_page_of_this_one() {
    let stand = guarded().await;
    let admin = key(&stand, "acme", &[], &[Scope::Admin]).await;
    let other = key(&stand, "globex", &[], &[Scope::Read]).await;
    let id = &other["Bearer hmk_".len()..][..8];
    let page = format!("/console/tenants/acme/keys/{id}");
    assert_eq!(form(&stand, &admin, &page, "do=revoke").await.status, 404);
    let page = format!("/console/tenants/globex/keys/{id}");
    assert_eq!(form(&stand, &admin, &page, "do=nothing").await.status, 400);
    let mut wrong = form(&stand, &admin, &page, "do=rotate&grace_hours=many").await;
    assert_eq!(wrong.status, 400);
    assert!(wrong.text().await.contains("grace_hours: must be a whole number"));
    assert_eq!(form(&stand, &admin, &page, "do=revoke").await.status, 303);
    let refused = crate::tenants::ask(&stand, &other, "GET", "/v1/runs", None).await;
    assert_eq!(refused.status, 401);
}

#[tokio::test]
async fn forms_that_are_wrong_name_the_field_and_keep_what_was_typed() {
    let stand = guarded().await;
    let own = format!("Bearer {KEY}");
    let admin = key(&stand, "acme", &[], &[Scope::Admin]).await;
    for (key, path, body, told, kept) in [
        (
            &admin,
            "/console/tenants",
            "name=A+B&weight=3",
            "name: must be",
            "A B",
        ),
        (
            &admin,
            "/console/tenants",
            "name=globex&weight=0",
            "weight: must be",
            "globex",
        ),
        (
            &admin,
            "/console/tenants",
            "name=globex&limit%3Arunning=-1",
            "limits.running: must be",
            "-1",
        ),
        (
            &admin,
            "/console/tenants",
            "name=globex&limit%3Aflying=1",
            "limits.flying: is not known",
            "globex",
        ),
        (
            &admin,
            "/console/tenants",
            "name=acme",
            "there is a tenant acme already",
            "acme",
        ),
        (
            &admin,
            "/console/tenants/acme",
            "do=limits&weight=many",
            "weight: must be",
            "many",
        ),
        (
            &admin,
            "/console/tenants/acme/keys",
            "do=key&label=mine&scope=fly",
            "scopes: must be",
            "mine",
        ),
        (
            &admin,
            "/console/tenants/acme/keys",
            "do=key&label=mine",
            "scopes: must be",
            "mine",
        ),
        (
            &admin,
            "/console/tenants/acme/keys",
            "do=key&label=mine&scope=read&expires_days=0",
            "expires_days: must be",
            "mine",
        ),
        (
            &own,
            "/console/profiles",
            "name=a%2Fb&note=of+ours",
            "name: ",
            "of ours",
        ),
        (
            &own,
            "/console/profiles",
            "name=a&storage_state=%7B",
            "storage_state: must be JSON",
            "",
        ),
        (
            &own,
            "/console/monitors",
            "url=ftp%3A%2F%2Fa&name=lamp&every=60",
            "url: ",
            "ftp://a",
        ),
        (
            &own,
            "/console/monitors",
            "url=http%3A%2F%2Fa.example&name=lamp&every=1",
            "schedule.every: ",
            "lamp",
        ),
        (
            &own,
            "/console/monitors",
            "url=http%3A%2F%2Fa.example&cron=never",
            "cron",
            "never",
        ),
    ] {
        let answer = form(&stand, key, path, body).await;
        let status = answer.status;
        let text = text(answer).await;
        assert_eq!(status, 400, "{path} {body}: {text}");
        assert!(
            text.contains(told) && text.contains(kept),
            "{path} {body}: {text}"
        );
    }
    for (key, path, body) in [
        (&admin, "/console/tenants/nobody", "weight=2"),
        (&admin, "/console/tenants/nobody/keys", "scope=read"),
        (&own, "/console/profiles/nothing/delete", ""),
        (&own, "/console/monitors/mon_0", "do=check"),
    ] {
        assert_eq!(form(&stand, key, path, body).await.status, 404, "{path}");
    }
}

#[tokio::test]
async fn pages_of_others_are_not_there() {
    let stand = guarded().await;
    let own = format!("Bearer {KEY}");
    let other = key(&stand, "globex", &[], &Scope::USUAL).await;
    let crawl = ended(&stand, "/v1/crawl", &json!({"url": stand.site.url("/site")})).await;
    let monitor = json!({"url": stand.site.url("/one"), "schedule": {"every": 86400}});
    let monitor = ask(&stand, "POST", "/v1/monitors", Some(&monitor)).await["id"]
        .as_str()
        .unwrap()
        .to_owned();
    ask(
        &stand,
        "POST",
        "/v1/profiles",
        Some(&json!({"name": "shop-login"})),
    )
    .await;
    for path in [
        format!("/console/crawls/{crawl}"),
        format!("/console/crawls/{crawl}/counts"),
        format!("/console/monitors/{monitor}"),
    ] {
        assert_eq!(page(&stand, &own, &path).await.status, 200, "{path}");
        assert_eq!(page(&stand, &other, &path).await.status, 404, "{path}");
    }
    for (path, canary) in [
        ("crawls", &crawl),
        ("monitors", &monitor),
        ("profiles", &"shop-login".to_owned()),
    ] {
        let path = format!("/console/{path}");
        assert!(
            text(page(&stand, &own, &path).await)
                .await
                .contains(canary.as_str()),
            "{path}"
        );
        assert!(
            !text(page(&stand, &other, &path).await)
                .await
                .contains(canary.as_str()),
            "{path}"
        );
    }
    let usage = text(page(&stand, &other, "/console/usage").await).await;
    assert!(usage.contains("Nothing was used"), "{usage}");
    let usage = text(page(&stand, &own, "/console/usage").await).await;
    assert!(
        usage.contains("crawl") && usage.contains("of 1\u{202f}000"),
        "{usage}"
    );
    assert_eq!(
        form(&stand, &other, "/console/profiles/shop-login/delete", "")
            .await
            .status,
        404
    );
    assert_eq!(
        form(
            &stand,
            &other,
            &format!("/console/monitors/{monitor}"),
            "do=delete"
        )
        .await
        .status,
        404
    );
}

#[tokio::test]
async fn a_crawl_shows_its_counts_what_failed_and_what_came_since() {
    let stand = guarded().await;
    let own = format!("Bearer {KEY}");
    let crawl = ended(&stand, "/v1/crawl", &json!({"url": stand.site.url("/site")})).await;
    let shown = text(page(&stand, &own, &format!("/console/crawls/{crawl}")).await).await;
    assert!(
        shown.contains("/missing") && shown.contains("4</b> of") && shown.contains("Completed"),
        "{shown}"
    );
    let all = ask(&stand, "GET", &format!("/console/crawls/{crawl}/counts"), None).await;
    assert_eq!(
        (&all["read"], &all["failed"], &all["is_live"]),
        (&json!(3), &json!(1), &json!(false))
    );
    let after = all["read_to"].as_u64().unwrap();
    let none = ask(
        &stand,
        "GET",
        &format!("/console/crawls/{crawl}/counts?after={after}"),
        None,
    )
    .await;
    assert_eq!(
        (&none["read"], &none["failed"], &none["read_to"]),
        (&json!(0), &json!(0), &json!(after))
    );
    let list = text(page(&stand, &own, "/console/crawls").await).await;
    assert!(list.contains(&crawl) && list.contains("1 failed"), "{list}");
    let scrape = ended(
        &stand,
        "/api/scrape/stream",
        &json!({"assets": [stand.site.url("/one")]}),
    )
    .await;
    assert_eq!(
        page(&stand, &own, &format!("/console/crawls/{scrape}"))
            .await
            .status,
        404
    );
    assert!(
        !text(page(&stand, &own, "/console/crawls").await)
            .await
            .contains(&scrape)
    );
}

#[tokio::test]
async fn only_limits_that_hold_are_shown_with_what_is_used() {
    let stand = guarded().await;
    let defaults = TenantLimits::read(&["queued=5", "requests_per_minute=60", "tokens_per_day=9"]).unwrap();
    let limits = ["queued=0", "dollars_per_month=2.5"];
    key(&stand, "acme", &limits, &[Scope::Read]).await;
    let tenants = stand.service.tenants(defaults);
    let tenant = tenants.get("acme").await.unwrap();
    let states = tenants.limit_states(&tenant).await.unwrap();
    let shown: Vec<_> = states.iter().map(|it| (it.name, it.limit, it.used)).collect();
    let expected = [
        ("requests_per_minute", 60.0, None),
        ("tokens_per_day", 9.0, Some(0.0)),
        ("dollars_per_month", 2.5, Some(0.0)),
    ];
    assert_eq!(shown, expected);
    assert!(states[1].ends_in_seconds.is_some_and(|left| left <= 24 * 3600));
}
