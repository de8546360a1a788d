//! Tools that need more than a page: a reader of documents, a model that embeds, a browser that runs scripts.

use std::sync::Arc;

use llm::transport::Network;
use llm::wires::Wire;
use llm::{Models, Role, RoleModel};
use serde_json::{Map, Value, json};
use testkit::{ScriptedModel, SiteReply, TestSite};
use tools::{Error, Grant, Registry, ToolContext, ToolServices};
use url::Url;

use crate::examples::{client, services};

async fn call(id: &str, given: Value, context: &mut ToolContext) -> Result<Value, Error> {
    let given: Map<String, Value> = serde_json::from_value(given).unwrap();
    Registry::builtin()
        .run(id, &given, context)
        .await
        .map(|it| it.data)
}

#[tokio::test]
async fn a_document_is_read_page_by_page_in_a_process_of_its_own() {
    let site = TestSite::start(|asked| match asked.path.as_str() {
        "/paper.pdf" => SiteReply::bytes("application/pdf", testkit::pdf::document("On kettles", &["One"])),
        "/broken.pdf" => SiteReply::bytes("application/pdf", "%PDF-1.7 and so on"),
        "/gone.pdf" => SiteReply::bytes("application/pdf", "%PDF-1.7").status(404),
        _ => SiteReply::html("<p>no document</p>"),
    })
    .await;
    let mut context = ToolContext::new(services(), Grant::default());
    let read = call(
        "pdf.extract_text",
        json!({"url": site.url("/paper.pdf"), "pages": "1,3-9"}),
        &mut context,
    )
    .await
    .unwrap();
    assert_eq!(
        read,
        json!({"title": "On kettles", "pages": [{"number": 1, "text": "One"}],
            "text": "One", "page_count": 1, "complete": true})
    );
    for (path, part) in [
        ("/page", "no PDF document"),
        ("/gone.pdf", "404"),
        ("/broken.pdf", "damaged, locked"),
    ] {
        let error = call("pdf.extract_text", json!({"url": site.url(path)}), &mut context)
            .await
            .unwrap_err();
        assert!(error.to_string().contains(part), "{path}: {error}");
    }
    let without = ToolServices {
        sandbox: None,
        ..services()
    };
    let error = call(
        "pdf.extract_text",
        json!({"url": site.url("/paper.pdf")}),
        &mut ToolContext::new(without, Grant::default()),
    )
    .await
    .unwrap_err();
    assert!(error.to_string().contains("sandbox for queries"), "{error}");
    // A run that keeps to its hosts fetches no document elsewhere.
    let home = Url::parse("https://shop.example/").unwrap();
    let mut bound = ToolContext::new(services(), Grant::reading([&home]));
    let error = call(
        "pdf.extract_text",
        json!({"url": site.url("/paper.pdf")}),
        &mut bound,
    )
    .await
    .unwrap_err();
    assert_eq!(error.code(), "POLICY_DENIED");
}

/// A request with its body goes to granted hosts only, also where a granted one redirects it.
#[tokio::test]
async fn a_redirect_out_of_the_grant_is_refused_before_anything_is_sent_there() {
    let outside = TestSite::start(|_| SiteReply::html("<p>taken</p>")).await;
    let elsewhere = outside.url("/taken");
    let granted = TestSite::start(move |asked| match asked.path.as_str() {
        "/robots.txt" => SiteReply::html("").status(404),
        _ => SiteReply::redirect(307, &elsewhere),
    })
    .await;
    let page = granted.url("/form");
    let grant = Grant::acting([&page.parse().unwrap()]);
    let mut context = ToolContext::new(services(), grant);
    let error = call(
        "http.post",
        json!({"url": page, "json": {"name": "private"}}),
        &mut context,
    )
    .await
    .unwrap_err();
    assert_eq!(error.code(), "POLICY_DENIED");
    let given = json!({"url": page, "check_accessibility": true});
    let answer = call("validate.url", given, &mut context).await.unwrap();
    assert_eq!(answer["accessible"], Value::Null);
    assert_eq!(outside.asked().len(), 0);
    assert_eq!(granted.hits("/form"), 2);
}

#[tokio::test]
async fn a_body_is_truncated_where_characters_of_it_are_left_out() {
    const MOST: usize = 1 << 20;
    let site = TestSite::start(|asked| match asked.path.as_str() {
        "/most" => SiteReply::html("あ".repeat(MOST)),
        "/more" => SiteReply::html("あ".repeat(MOST + 1)),
        _ => SiteReply::html("").status(404),
    })
    .await;
    let mut context = ToolContext::new(services(), Grant::default());
    for (path, is_truncated) in [("/most", false), ("/more", true)] {
        let answer = call("http.get", json!({"url": site.url(path)}), &mut context)
            .await
            .unwrap();
        assert_eq!(answer["truncated"], json!(is_truncated), "{path}");
        assert_eq!(
            answer["text"].as_str().unwrap().ends_with('…'),
            is_truncated,
            "{path}"
        );
    }
}

#[tokio::test]
async fn whether_an_address_answers_is_asked_of_hosts_that_were_typed() {
    let site = TestSite::start(|_| SiteReply::html("<p>here</p>")).await;
    let given = json!({"url": site.url("/page"), "check_accessibility": true});
    let mut known = ToolServices {
        client: Some(net::Client::new(net::ClientConfig::default()).unwrap()),
        ..services()
    };
    let mut refused = ToolContext::new(known.clone(), Grant::default());
    let answer = call("validate.url", given.clone(), &mut refused).await.unwrap();
    assert_eq!(
        answer["accessible"],
        Value::Null,
        "what was not asked is not known"
    );
    known.profile.granted = vec!["127.0.0.1".to_owned()];
    let mut granted = ToolContext::new(known, Grant::default());
    let answer = call("validate.url", given, &mut granted).await.unwrap();
    assert_eq!(
        (&answer["accessible"], &answer["status_code"]),
        (&json!(true), &json!(200))
    );
}

/// A seat at a provider that says what `reply` says.
fn seat(site: &TestSite, wire: Wire) -> RoleModel {
    let settings = llm::ModelSettings {
        provider: Some(wire.name().to_owned()),
        model: Some("chat".into()),
        base_url: Some(site.url("/v1")),
        api_key: Some(llm::endpoint::ApiKey::new("s3cret")),
        ..llm::ModelSettings::default()
    };
    let models = Models::new(settings, Arc::new(Network::new(client())));
    models.seat(Role::Extractor, llm::Meter::default()).unwrap()
}

#[tokio::test]
async fn texts_become_vectors_where_the_provider_has_embeddings() {
    let site = TestSite::start(|asked| {
        let body: Value = serde_json::from_slice(&asked.body).unwrap_or_default();
        let texts = body["input"].as_array().map_or(0, Vec::len);
        match asked.path.as_str() {
            "/v1/embeddings" if body["model"] == "none" => SiteReply::bytes(
                "application/json",
                r#"{"error":{"message":"The model `none` does not exist","code":"model_not_found"}}"#,
            )
            .status(404),
            "/v1/embeddings" => {
                let data: Vec<Value> = (0..texts)
                    .map(|it| json!({"index": it, "embedding": [it, 0.5]}))
                    .collect();
                SiteReply::bytes(
                    "application/json",
                    json!({"data": data, "model": body["model"], "usage": {"prompt_tokens": 3}}).to_string(),
                )
            }
            "/v1/api/embed" => SiteReply::bytes(
                "application/json",
                json!({"embeddings": vec![[1.0, 2.0]; texts]}).to_string(),
            ),
            _ => SiteReply::bytes("application/json", "{}").status(500),
        }
    })
    .await;
    let context = |wire| {
        let seat = Some(seat(&site, wire));
        ToolContext::new(ToolServices { seat, ..services() }, Grant::default())
    };
    let mut chat = context(Wire::OpenAiChat);
    let read = call(
        "ai.embed",
        json!({"text": ["tea", "kettle"], "model": "small"}),
        &mut chat,
    )
    .await
    .unwrap();
    assert_eq!(
        read,
        json!({"count": 2, "dimensions": 2, "model": "small", "embeddings": [[0.0, 0.5], [1.0, 0.5]]})
    );
    let asked = &site.asked()[0];
    assert_eq!(asked.headers["authorization"], "Bearer s3cret");
    let read = call("ai.embed", json!({"text": "tea"}), &mut context(Wire::Ollama))
        .await
        .unwrap();
    assert_eq!(read["embeddings"], json!([[1.0, 2.0]]));
    let empty = call("ai.embed", json!({"text": " "}), &mut chat).await.unwrap();
    assert_eq!(empty["empty"], true);
    // What cannot embed says so, and never makes a vector up.
    let before = site.asked().len();
    for wire in [Wire::Anthropic, Wire::Gemini] {
        let error = call("ai.embed", json!({"text": "tea"}), &mut context(wire))
            .await
            .unwrap_err();
        assert_eq!(error.code(), "MODEL_FAILED");
        assert!(
            error.to_string().contains("no embeddings that can be asked for"),
            "{error}"
        );
    }
    assert_eq!(site.asked().len(), before);
    let error = call("ai.embed", json!({"text": "tea", "model": "none"}), &mut chat)
        .await
        .unwrap_err();
    assert!(
        error.to_string().contains("does not know the model") && !error.to_string().contains("s3cret"),
        "{error}"
    );
    let seat = Some(RoleModel::new(
        Arc::new(ScriptedModel::saying([])),
        Role::Extractor,
    ));
    let mut scripted = ToolContext::new(ToolServices { seat, ..services() }, Grant::default());
    assert!(
        call("ai.embed", json!({"text": "tea"}), &mut scripted)
            .await
            .is_err()
    );
}

/// A script is refused until the operator granted it, by whichever door; then it runs in the page.
#[tokio::test(flavor = "multi_thread")]
async fn a_script_runs_only_where_the_operator_granted_it() {
    let site = TestSite::start(|_| SiteReply::html("<title>Kettles</title><p id=a>tea</p>")).await;
    let url = Url::parse(&site.url("/")).unwrap();
    let script = json!({"script": "return {title: document.title, sum: arguments[0] + 1}", "args": [41]});
    let browser = crate::browser::browser();
    let mut context = ToolContext::new(crate::browser::services(&browser), Grant::default());
    context.goto(&url).await.unwrap();
    let denied = call("browser.execute_js", script.clone(), &mut context)
        .await
        .unwrap_err();
    assert_eq!(denied.code(), "POLICY_DENIED");
    assert!(
        denied
            .to_string()
            .contains("HUNTSMAN_TOOLS_GRANTED=browser.execute_js"),
        "{denied}"
    );
    let granted = Registry::builtin().granting(["browser.execute_js".to_owned()]);
    let mut run = async |given: Value| {
        let given: Map<String, Value> = serde_json::from_value(given).unwrap();
        granted
            .run("browser.execute_js", &given, &mut context)
            .await
            .map(|it| it.data["result"].clone())
    };
    assert_eq!(
        run(script.clone()).await.unwrap(),
        json!({"title": "Kettles", "sum": 42})
    );
    assert_eq!(
        run(json!({"script": "await new Promise(it => setTimeout(it, 1)); return [1, null]"}))
            .await
            .unwrap(),
        json!([1, null])
    );
    assert_eq!(
        run(json!({"script": ""})).await.unwrap_err().code(),
        "BAD_TOOL_ARGS"
    );
    assert_eq!(
        run(json!({"script": "document.title"})).await.unwrap(),
        Value::Null
    );
    for (script, part) in [
        ("throw new Error('no tea')", "no tea"),
        ("return (", "SyntaxError"),
        ("return 'x'.repeat(3000000)", "more than"),
        ("const a = {}; a.a = a; return a", "circular"),
    ] {
        let error = run(json!({"script": script})).await.unwrap_err().to_string();
        assert!(error.contains(part), "{script}: {error}");
    }
    // The engine without scripts says who can.
    let mut plain = ToolContext::new(services(), Grant::default());
    plain.goto(&url).await.unwrap();
    let given: Map<String, Value> = serde_json::from_value(script).unwrap();
    let error = granted
        .run("browser.execute_js", &given, &mut plain)
        .await
        .unwrap_err();
    assert_eq!(error.code(), "NOT_CAPABLE");
    // A run that a model leads may not act at all.
    let mut bound = ToolContext::new(services(), Grant::reading([&url]));
    let error = granted
        .run("browser.execute_js", &given, &mut bound)
        .await
        .unwrap_err();
    assert_eq!(error.code(), "POLICY_DENIED");
    browser.stop().await;
}
