//! Tenants over the wire: scopes, isolation, limits, usage, wrong keys, administration.

use std::time::Duration;

use runtime::tenants::Tenants;
use runtime::tenants::audit::Actor;
use serde_json::{Value, json};
use server::ServerSettings;
use wire::tenancy::{KeyRequest, Scope, TenantLimits, TenantRequest};

use crate::client::{Answer, Ask};
use crate::mcp::{legacy, message, told};
use crate::stand::Stand;

/// The text of a new key of a tenant, which is created where there is none.
pub(crate) async fn key(stand: &Stand, tenant: &str, limits: &[&str], scopes: &[Scope]) -> String {
    let tenants: Tenants = stand.service.tenants(TenantLimits::default());
    let actor = Actor::command_line();
    let request = TenantRequest {
        name: Some(tenant.to_owned()),
        limits: TenantLimits::read(limits).unwrap(),
        ..TenantRequest::default()
    };
    // The second key of a tenant finds it there.
    let _ = tenants.create(&actor, &request).await;
    let request = KeyRequest {
        tenant: tenant.to_owned(),
        label: String::new(),
        scopes: scopes.to_vec(),
        expires_days: None,
    };
    let made = tenants.create_key(&actor, &request).await.unwrap();
    format!("Bearer {}", made.text.reveal())
}

pub(crate) async fn ask(stand: &Stand, key: &str, method: &str, path: &str, body: Option<&Value>) -> Answer {
    let ask = match body {
        Some(body) if method == "POST" => Ask::json(path, body),
        _ => Ask::new(method, path),
    };
    ask.header("authorization", key).send(stand.at).await
}

/// Begins a scrape in the background and gives the run's id.
async fn begin(stand: &Stand, key: &str, paths: &[&str], instructions: &str) -> Answer {
    let mut body = stand.request(paths);
    body["instructions"] = json!(instructions);
    ask(stand, key, "POST", "/api/scrape", Some(&body)).await
}

/// The run of this id, once it has ended.
async fn ended(stand: &Stand, key: &str, run: &str) -> Value {
    let path = format!("/v1/runs/{run}/events");
    ask(stand, key, "GET", &path, None).await.frames().await;
    ask(stand, key, "GET", &format!("/v1/runs/{run}"), None)
        .await
        .json()
        .await
}

#[tokio::test]
async fn a_key_does_what_its_scopes_say_and_the_refusal_names_what_is_missing() {
    let stand = Stand::start().await;
    let reader = key(&stand, "acme", &[], &[Scope::Read]).await;
    let scraper = key(&stand, "acme", &[], &[Scope::Scrape]).await;
    let admin = key(&stand, "acme", &[], &[Scope::Admin]).await;
    let url = json!({"url": stand.site.url("/a")});
    for (key, method, path, scope) in [
        (&reader, "POST", "/api/scrape", "scrape"),
        (&reader, "POST", "/v1/extract/markdown", "scrape"),
        (&reader, "POST", "/v1/tools/html.select/run", "tools"),
        (
            &reader,
            "DELETE",
            "/v1/runs/run_1",
            "scrape or automate or research or tools",
        ),
        (&reader, "GET", "/v1/admin/keys", "admin"),
        (&reader, "GET", "/metrics", "metrics or admin"),
        (&scraper, "POST", "/v1/automate", "automate"),
        (&scraper, "POST", "/v1/research", "research"),
        (&scraper, "POST", "/v1/plans/run", "tools"),
        (&scraper, "GET", "/v1/runs", "read"),
        (&admin, "POST", "/v1/extract/markdown", "scrape"),
    ] {
        let mut answer = ask(&stand, key, method, path, Some(&url)).await;
        assert_eq!(
            (answer.status, answer.header("x-error-code")),
            (403, Some("FORBIDDEN"))
        );
        let text = answer.text().await;
        assert!(
            text.contains(&format!("scope {scope};")),
            "{method} {path}: {text}"
        );
    }
    let answer = ask(&stand, &scraper, "POST", "/v1/extract/markdown", Some(&url)).await;
    assert_eq!(answer.status, 200);
    assert_eq!(ask(&stand, &reader, "GET", "/v1/runs", None).await.status, 200);
    assert_eq!(
        ask(&stand, &admin, "GET", "/v1/admin/keys", None).await.status,
        200
    );
    assert_eq!(
        stand.get("/v1/runs").await.status,
        401,
        "a key is needed from the first one on"
    );
}

/// A tool called over the Model Context Protocol.
async fn call(stand: &Stand, key: &str, path: &str, tool: &str, arguments: Value) -> Value {
    let params = json!({"name": tool, "arguments": arguments});
    let ask = legacy(path, "tools/call", &params).header("authorization", key);
    message(ask.send(stand.at).await).await
}

#[tokio::test]
async fn a_tool_of_the_protocol_needs_the_scope_of_the_endpoint_that_does_the_same() {
    let stand = Stand::start().await;
    let reader = key(&stand, "acme", &[], &[Scope::Read]).await;
    let scraper = key(&stand, "acme", &[], &[Scope::Scrape]).await;
    let admin = key(&stand, "acme", &[], &[Scope::Admin]).await;
    let url = stand.site.url("/a");
    let run = json!({"run_id": "run_0123456789"});
    for (key, path, tool, arguments, scope) in [
        (&reader, "/mcp", "scrape", json!({"urls": [url]}), "scrape"),
        (&reader, "/mcp/read", "read", json!({"url": url}), "scrape"),
        (
            &reader,
            "/mcp",
            "run_cancel",
            run.clone(),
            "scrape or automate or research or tools",
        ),
        (
            &scraper,
            "/mcp",
            "automate",
            json!({"task": "look", "url": url}),
            "automate",
        ),
        (
            &scraper,
            "/mcp/read",
            "research",
            json!({"question": "why"}),
            "research",
        ),
        (
            &scraper,
            "/mcp",
            "tool_run",
            json!({"name": "html.select", "url": url}),
            "tools",
        ),
        (&scraper, "/mcp", "run_wait", run, "read"),
    ] {
        let answer = call(&stand, key, path, tool, arguments).await;
        let (text, is_error) = told(&answer);
        assert!(
            is_error && text.contains(&format!("scope {scope};")),
            "{tool}: {text}"
        );
    }
    // The list holds what the key opens.
    let list = legacy("/mcp", "tools/list", &json!({})).header("authorization", &scraper);
    let listed = message(list.send(stand.at).await).await;
    let tools = listed["result"]["tools"].as_array().unwrap();
    let names: Vec<&str> = tools.iter().map(|tool| tool["name"].as_str().unwrap()).collect();
    assert_eq!(names, ["read", "scrape", "run_cancel"]);
    let runs = legacy("/mcp", "resources/read", &json!({"uri": "huntsman://runs"}));
    let refused = message(runs.header("authorization", &scraper).send(stand.at).await).await;
    assert!(refused["error"].to_string().contains("scope read;"), "{refused}");
    let listed = legacy("/mcp", "tools/list", &json!({})).header("authorization", &admin);
    assert_eq!(listed.send(stand.at).await.status, 403);
    assert_eq!(stand.site.asked().len(), 0, "no work was begun");
    let read = call(&stand, &scraper, "/mcp/read", "read", json!({"url": url})).await;
    assert!(!told(&read).1, "{read}");
}

/// Every endpoint of the document, asked by one tenant about every kind of run of another.
#[tokio::test]
async fn nothing_of_one_tenant_is_in_any_answer_to_another() {
    let stand = Stand::start().await;
    let one = key(&stand, "one", &[], &[]).await;
    let other = key(&stand, "other", &[], &[]).await;
    let mut runs = Vec::new();
    let begun = begin(&stand, &one, &["/canary-page"], "canary-words").await;
    runs.push(begun.header("x-run-id").unwrap().to_owned());
    let step =
        json!({"tool": "html.select", "parameters": {"selector": "h1", "limit": 5}, "description": "canary"});
    let url = stand.site.url("/canary-page");
    let plan = json!({"plan": [step], "expected_output": "elements", "url": url});
    let mut begun = ask(&stand, &one, "POST", "/v1/plans/run", Some(&plan)).await;
    runs.push(begun.header("x-run-id").unwrap().to_owned());
    begun.text().await;
    assert_eq!(ended(&stand, &one, &runs[0]).await["status"], "completed");
    let document: Value = stand.get("/openapi.json").await.json().await;
    let mut asked = 0;
    for (path, methods) in document["paths"].as_object().unwrap() {
        for method in methods.as_object().unwrap().keys() {
            for run in &runs {
                let is_named = path.contains("{id}") && !path.starts_with("/v1/admin");
                let named = path.replace("{id}", run).replace("{name}", "one");
                let body = json!({"cancelled": true});
                let body = (method == "post").then_some(&body);
                let mut answer = ask(&stand, &other, &method.to_uppercase(), &named, body).await;
                if is_named {
                    assert_eq!(answer.status, 404, "{method} {named}");
                    asked += 1;
                }
                let text = match answer.header("content-type") {
                    Some("text/event-stream") => String::new(),
                    _ => answer.text().await,
                };
                assert!(!text.contains("canary"), "{method} {named}: {text}");
                assert!(is_named || !text.contains(run), "{method} {named}: {text}");
            }
        }
    }
    assert!(asked >= 14, "{asked}");
    assert_eq!(
        ended(&stand, &one, &runs[0]).await["status"],
        "completed",
        "it is untouched"
    );
}

#[tokio::test]
async fn of_64_clients_exactly_as_many_get_in_as_the_tenant_may_queue() {
    let stand = Stand::start().await;
    let limited = key(&stand, "limited", &["running=1", "queued=10"], &[]).await;
    let free = key(&stand, "free", &[], &[]).await;
    let first = begin(&stand, &limited, &["/silent"], "x").await;
    let first = first.header("x-run-id").unwrap().to_owned();
    let path = format!("/v1/runs/{first}");
    while ask(&stand, &limited, "GET", &path, None).await.json().await["status"] == "queued" {
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
    let clients = (0..64).map(|_| begin(&stand, &limited, &["/silent"], "x"));
    let answers = futures_util::future::join_all(clients).await;
    let (accepted, refused): (Vec<_>, Vec<_>) = answers.into_iter().partition(|answer| answer.status == 202);
    assert_eq!((accepted.len(), refused.len()), (10, 54));
    for mut answer in refused {
        assert_eq!(
            (answer.status, answer.header("x-error-code")),
            (429, Some("RATE_LIMITED"))
        );
        assert!(answer.header("retry-after").is_some());
        assert!(answer.text().await.contains("10 runs of yours wait"));
    }
    let list = ask(&stand, &limited, "GET", "/v1/runs?status=running", None)
        .await
        .json()
        .await;
    assert_eq!(
        list["runs"].as_array().unwrap().len(),
        1,
        "seven workers are free, and one may run"
    );
    let begun = begin(&stand, &free, &["/a"], "x").await;
    let run = begun.header("x-run-id").unwrap().to_owned();
    assert_eq!(
        ended(&stand, &free, &run).await["status"],
        "completed",
        "nobody else waits"
    );
}

#[tokio::test]
async fn requests_are_counted_and_the_headers_say_how_many_are_left() {
    let stand = Stand::start().await;
    let limited = key(&stand, "limited", &["requests_per_minute=3"], &[]).await;
    for left in ["2", "1", "0"] {
        let answer = ask(&stand, &limited, "GET", "/v1/runs", None).await;
        assert_eq!(
            (answer.status, answer.header("ratelimit-policy")),
            (200, Some("\"requests\";q=3;w=60"))
        );
        let state = answer.header("ratelimit").unwrap();
        assert!(state.starts_with(&format!("\"requests\";r={left};t=")), "{state}");
    }
    let answer = ask(&stand, &limited, "GET", "/v1/runs", None).await;
    assert_eq!(answer.status, 429);
    let wait: u64 = answer.header("retry-after").unwrap().parse().unwrap();
    assert!((1..=20).contains(&wait), "{wait}");
    let crowded = key(&stand, "crowded", &["requests_per_minute=10"], &[]).await;
    let clients = (0..64).map(|_| ask(&stand, &crowded, "GET", "/v1/runs", None));
    let answers = futures_util::future::join_all(clients).await;
    let let_in = answers.iter().filter(|answer| answer.status == 200).count();
    assert_eq!(let_in, 10, "of 64 clients at once");
}

#[tokio::test]
async fn usage_is_exact_to_the_run_and_a_budget_that_is_used_up_refuses_before_any_work() {
    let stand = Stand::start().await;
    let limited = key(&stand, "limited", &["pages_per_day=3"], &[]).await;
    let other = key(&stand, "other", &[], &[]).await;
    for paths in [&["/a"] as &[&str], &["/b", "/c"]] {
        let begun = begin(&stand, &limited, paths, "x").await;
        let run = begun.header("x-run-id").unwrap().to_owned();
        assert_eq!(ended(&stand, &limited, &run).await["status"], "completed");
    }
    let usage = ask(&stand, &limited, "GET", "/v1/usage", None).await.json().await;
    let rows = usage["usage"].as_array().unwrap();
    assert_eq!(rows.len(), 1, "{usage}");
    let id = &limited["Bearer hmk_".len()..][..8];
    let row = &rows[0];
    assert_eq!(
        (
            &row["tenant"],
            &row["key"],
            &row["kind"],
            &row["runs"],
            &row["pages"]
        ),
        (
            &json!("limited"),
            &json!(id),
            &json!("scrape"),
            &json!(2),
            &json!(3)
        )
    );
    let mut csv = ask(&stand, &limited, "GET", "/v1/usage?format=csv", None).await;
    let csv = csv.text().await;
    let mut lines = csv.split("\r\n");
    assert!(
        lines
            .next()
            .unwrap()
            .starts_with("tenant,day,key,kind,model,runs,pages,")
    );
    assert!(
        lines
            .next()
            .unwrap()
            .ends_with(&format!(",{id},scrape,,2,3,0,0,0,0,0.000000")),
        "{csv}"
    );
    let url = json!({"url": stand.site.url("/d")});
    for (path, body) in [
        ("/api/scrape", &stand.request(&["/d"])),
        ("/v1/extract/markdown", &url),
    ] {
        let mut answer = ask(&stand, &limited, "POST", path, Some(body)).await;
        assert_eq!(
            (answer.status, answer.header("x-error-code")),
            (429, Some("RATE_LIMITED"))
        );
        assert!(answer.text().await.contains("3 pages a day"));
    }
    let url = stand.site.url("/d");
    for (tool, arguments) in [("scrape", json!({"urls": [url]})), ("read", json!({"url": url}))] {
        let answer = call(&stand, &limited, "/mcp", tool, arguments).await;
        assert!(told(&answer).0.contains("3 pages a day"), "{answer}");
    }
    assert_eq!(stand.site.hits("/d"), 0, "no work was begun");
    assert_eq!(
        ask(&stand, &other, "GET", "/v1/usage", None).await.json().await,
        json!({"usage": []})
    );
}

#[tokio::test]
async fn wrong_keys_are_slowed_and_a_made_key_still_opens() {
    let settings = ServerSettings {
        api_keys: vec!["key-of-the-environment".parse().unwrap()],
        ..ServerSettings::default()
    };
    let stand = Stand::with(settings).await;
    let right = key(&stand, "acme", &[], &[]).await;
    let environment = "Bearer key-of-the-environment";
    assert_eq!(
        ask(&stand, environment, "GET", "/v1/runs", None).await.status,
        200
    );
    let mut statuses = Vec::new();
    for number in 0..200 {
        let wrong = format!("Bearer guess-number-{number}");
        statuses.push(ask(&stand, &wrong, "GET", "/v1/runs", None).await.status);
    }
    let checked = statuses.iter().filter(|status| **status == 401).count();
    assert!(
        checked < 40 && statuses[0] == 401 && statuses[199] == 429,
        "{checked}"
    );
    let slowed = ask(&stand, environment, "GET", "/v1/runs", None).await;
    assert_eq!(slowed.status, 429, "a key that could be guessed waits as well");
    assert!(slowed.header("retry-after").is_some());
    assert_eq!(ask(&stand, &right, "GET", "/v1/runs", None).await.status, 200);
    let mut damaged = right.clone();
    damaged.pop();
    assert_eq!(ask(&stand, &damaged, "GET", "/v1/runs", None).await.status, 429);
}

#[tokio::test]
async fn a_connection_remembers_no_key_longer_than_it_opens() {
    let stand = Stand::start().await;
    let admin = key(&stand, "operators", &[], &[Scope::Admin]).await;
    let (acme, other) = (
        key(&stand, "acme", &[], &[]).await,
        key(&stand, "other", &[], &[]).await,
    );
    let run = begin(&stand, &acme, &["/silent"], "x").await;
    let of_acme = format!("/v1/runs/{}", run.header("x-run-id").unwrap());
    let shown = |key: &str| Ask::get(&of_acme).header("authorization", key);
    let mut misspelt = acme.clone();
    let last = misspelt.pop();
    misspelt.push(if last == Some('a') { 'b' } else { 'a' });
    let mut answer = shown(&acme).send(stand.at).await;
    for (key, status) in [
        (&acme, 200),
        (&acme, 200),
        (&other, 404),
        (&other, 404),
        (&misspelt, 401),
        (&acme, 200),
        (&acme, 200),
    ] {
        answer = answer.then(shown(key)).await;
        assert_eq!(answer.status, status);
    }
    let id = &acme["Bearer hmk_".len()..][..8];
    let revoked = ask(&stand, &admin, "DELETE", &format!("/v1/admin/keys/{id}"), None).await;
    assert_eq!(revoked.status, 200);
    answer = answer.then(shown(&acme)).await;
    assert_eq!(answer.status, 401, "from the moment on that it is revoked");
    assert_eq!(answer.then(Ask::get("/v1/runs")).await.status, 401, "nor without");
}

#[tokio::test]
async fn an_administrator_makes_rotates_and_revokes_keys_and_deletes_a_tenant_with_its_runs() {
    let stand = Stand::start().await;
    let admin = key(&stand, "operators", &[], &[Scope::Admin]).await;
    assert!(admin.starts_with("Bearer hma_"));
    let post = async |path: &str, body: Value| ask(&stand, &admin, "POST", path, Some(&body)).await;
    let wrong = json!({"name": "acme", "weight": 0});
    assert_eq!(post("/v1/admin/tenants", wrong).await.status, 400);
    let wrong = json!({"name": "acme", "limits": {"running": -1}});
    assert_eq!(post("/v1/admin/tenants", wrong).await.status, 400);
    let wrong = json!({"tenant": "operators", "label": "x", "scopes": ["everything"]});
    assert_eq!(post("/v1/admin/keys", wrong).await.status, 400);
    let tenant = json!({"name": "acme", "weight": 2});
    assert_eq!(post("/v1/admin/tenants", tenant.clone()).await.status, 201);
    assert_eq!(post("/v1/admin/tenants", tenant).await.status, 409);
    assert_eq!(
        post("/v1/admin/keys", json!({"tenant": "nobody"})).await.status,
        404
    );
    let mut made = post("/v1/admin/keys", json!({"tenant": "acme", "expires_days": 1})).await;
    assert_eq!(
        (made.status, made.header("cache-control")),
        (201, Some("no-store"))
    );
    let made = made.json().await;
    let first = format!("Bearer {}", made["key"].as_str().unwrap());
    let id = made["id"].as_str().unwrap();
    let listed = ask(&stand, &admin, "GET", "/v1/admin/keys", None)
        .await
        .text()
        .await;
    assert!(listed.contains(id) && !listed.contains(&first["Bearer ".len()..]) && !listed.contains("sha256"));
    let rotated = post(&format!("/v1/admin/keys/{id}/rotate"), json!({"grace_hours": 0}))
        .await
        .json()
        .await;
    let second = format!("Bearer {}", rotated["key"].as_str().unwrap());
    assert_eq!(
        ask(&stand, &first, "GET", "/v1/runs", None).await.status,
        401,
        "there was no grace"
    );
    let profile = json!({"name": "shop"});
    let created = ask(&stand, &second, "POST", "/v1/profiles", Some(&profile)).await;
    assert_eq!(created.status, 201);
    let begun = begin(&stand, &second, &["/silent"], "x").await;
    let run = begun.header("x-run-id").unwrap().to_owned();
    let mut follower = ask(&stand, &second, "GET", &format!("/v1/runs/{run}/events"), None).await;
    let deleted = ask(&stand, &admin, "DELETE", "/v1/admin/tenants/acme", None).await;
    assert_eq!(deleted.status, 202, "its run has not ended");
    assert_eq!(ask(&stand, &second, "GET", "/v1/runs", None).await.status, 401);
    let events = follower.text().await;
    assert_eq!(events.matches("event: complete").count(), 1, "{events}");
    assert!(events.contains("cancelled"), "{events}");
    assert_eq!(
        ask(&stand, &admin, "DELETE", "/v1/admin/tenants/acme", None)
            .await
            .status,
        200
    );
    assert_eq!(
        ask(&stand, &admin, "GET", "/v1/admin/tenants/acme", None)
            .await
            .status,
        404
    );
    let id = wire::RunId::parse(&run).unwrap();
    assert!(stand.service.run(None, &id).await.is_err(), "the run is gone");
    let profiles = stand.service.profiles().list("acme").await.unwrap();
    assert!(profiles.profiles.is_empty(), "its logins are gone");
    let mut audit = ask(&stand, &admin, "GET", "/v1/admin/audit", None).await;
    let audit = audit.text().await;
    for action in ["tenant.create", "key.create", "key.rotate", "tenant.delete"] {
        assert!(audit.contains(action), "{action} is not in {audit}");
    }
}
