//! Pages read with a model, through the whole binary: a provider on loopback says what a script says.

use std::process::{Command, Output};

use serde_json::{Value, json};
use tempfile::TempDir;
use testkit::{ProviderAnswer, ScriptedProvider, ScriptedTurn, SiteReply, TestSite};

/// What the rules make of it lacks a brand; they find neither that nor a number for it in running text.
const LAMP: &str = "<html><head><title>Nova lamp - Lumen</title><script type='application/ld+json'>\
    {\"@type\":\"Product\",\"name\":\"Nova lamp\",\"offers\":{\"price\":\"1299.00\",\"priceCurrency\":\"USD\"}}</script></head>\
    <body><h1>Nova lamp</h1><p>The Nova is a lamp of brass that lights a whole room without any glare.</p>\
    <p>Nobody but Lumen Works of Leeds makes them, and they carry the number LS-77 in our books.</p></body></html>";

struct Scene {
    folder: TempDir,
    site: TestSite,
    provider: ScriptedProvider,
}

impl Scene {
    async fn of(answers: Vec<ProviderAnswer>) -> Self {
        let pages: Vec<(String, &str)> = (0..9).map(|it| (format!("/{it}"), LAMP)).collect();
        let pages: Vec<(&str, &str)> = pages.iter().map(|(path, html)| (path.as_str(), *html)).collect();
        Self {
            folder: TempDir::new().unwrap(),
            site: TestSite::of_pages(&pages).await,
            provider: ScriptedProvider::saying(answers).await,
        }
    }

    /// Runs the binary on a thread of its own, since site and provider live on the test's thread.
    async fn run(&self, words: &[&str], settings: &[(&str, &str)]) -> Output {
        let mut command = Command::new(env!("CARGO_BIN_EXE_huntsman"));
        for (name, _) in std::env::vars().filter(|(name, _)| is_setting(name)) {
            command.env_remove(name);
        }
        command
            .args(words)
            .current_dir(self.folder.path())
            .env("HUNTSMAN_DATA_DIR", self.folder.path().join("data"))
            .env("HUNTSMAN_LLM_PROVIDER", "openai_chat")
            .env("HUNTSMAN_LLM_MODEL", "scripted")
            .env("HUNTSMAN_LLM_BASE_URL", self.provider.base_url())
            .env("HUNTSMAN_LLM_API_KEY", "scripted-key-1234")
            .env("HUNTSMAN_LLM_ATTEMPTS", "1")
            .envs(settings.iter().copied());
        tokio::task::spawn_blocking(move || command.output().unwrap())
            .await
            .unwrap()
    }

    async fn scrape(&self, pages: usize, more: &[&str], settings: &[(&str, &str)]) -> Output {
        let urls: Vec<String> = (0..pages).map(|it| self.site.url(&format!("/{it}"))).collect();
        let words: Vec<&str> = ["scrape"]
            .into_iter()
            .chain(urls.iter().map(String::as_str))
            .collect();
        self.run(&[&words, more].concat(), settings).await
    }

    fn calls(&self) -> usize {
        assert_eq!(self.provider.faults(), Vec::<String>::new());
        self.provider.seen().len()
    }
}

pub(crate) fn is_setting(name: &str) -> bool {
    [
        "HUNTSMAN_",
        "OPENAI_",
        "ANTHROPIC_",
        "GEMINI_",
        "AGENT_MODE",
        "LLM_SCHEMA",
    ]
    .iter()
    .any(|it| name.starts_with(it))
}

fn said(value: Value) -> ProviderAnswer {
    ScriptedTurn::json(&value).into()
}

fn brand() -> ProviderAnswer {
    said(json!({"brand": {"quote": "Lumen Works of Leeds", "value": "Lumen Works"}}))
}

fn nothing() -> ProviderAnswer {
    said(json!({"more": []}))
}

fn refusal() -> ProviderAnswer {
    let body = r#"{"error":{"message":"Incorrect API key provided","type":"invalid_request_error","code":"invalid_api_key"}}"#;
    ProviderAnswer::Raw(SiteReply::bytes("application/json", body).status(401))
}

fn result(output: &Output) -> Value {
    serde_json::from_slice(&output.stdout).unwrap_or_else(|_| panic!("{output:?}"))
}

fn stderr(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

#[tokio::test]
async fn a_model_fills_what_rules_leave_open_and_its_quote_is_told() {
    for mode in ["llm-dynamic-adaptive", "llm_dynamic_adaptive", "llm-dynamic"] {
        let scene = Scene::of(vec![brand(), nothing()]).await;
        let output = scene.scrape(1, &["--mode", mode], &[]).await;
        assert!(output.status.success(), "{output:?}");
        let result = result(&output);
        let (item, meta) = (&result["item"], &result["meta"]);
        assert_eq!(
            (&item["price"], &item["brand"]),
            (&json!(1299), &json!("Lumen Works"))
        );
        assert_eq!(
            item["provenance"]["brand"],
            json!({"from": "model", "quote": "Lumen Works of Leeds"})
        );
        assert_eq!(item["provenance"]["price"]["from"], "json_ld");
        assert_eq!(meta["mode"], mode.replace('_', "-"));
        assert_eq!(meta["attempts"][0]["gained"], json!(["brand"]));
        assert_eq!((&meta["missing"], &meta["unavailable"]), (&json!([]), &json!([])));
    }
}

#[tokio::test]
async fn each_question_is_a_step_that_begins_and_ends() {
    let scene = Scene::of(vec![brand()]).await;
    let output = scene.scrape(1, &["--mode", "llm-dynamic", "--events"], &[]).await;
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    let events: Vec<Value> = text.lines().map(|it| serde_json::from_str(it).unwrap()).collect();
    let steps = events
        .iter()
        .filter(|it| it["type"] == "step")
        .map(|it| &it["data"]);
    let asked: Vec<&Value> = steps.filter(|it| it["action"] == "tool_call").collect();
    assert_eq!(asked.len(), 2, "{text}");
    assert_eq!(
        (&asked[0]["status"], &asked[1]["status"]),
        (&json!("running"), &json!("completed"))
    );
    assert_eq!(asked[0]["call_id"], asked[1]["call_id"]);
    assert!(
        asked[1]["message"].as_str().unwrap().contains("brand"),
        "{}",
        asked[1]
    );
    let shown = scene.run(&["runs", "list", "--json"], &[]).await;
    let id = result(&shown)["runs"][0]["id"].as_str().unwrap().to_owned();
    let run = result(&scene.run(&["runs", "show", &id], &[]).await);
    assert_eq!(run["usage"]["model_calls"], 1);
    assert!(run["usage"]["input_tokens"].as_u64().unwrap() > 0, "{run}");
}

#[tokio::test]
async fn a_refused_key_ends_the_run_after_one_call_and_says_what_to_set() {
    let scene = Scene::of((0..20).map(|_| refusal()).collect()).await;
    let output = scene.scrape(6, &["--mode", "llm-dynamic-adaptive"], &[]).await;
    assert_eq!((scene.calls(), output.status.code()), (1, Some(1)), "{output:?}");
    let text = stderr(&output);
    assert!(
        text.contains("MODEL_UNAUTHORIZED") && text.contains("HUNTSMAN_LLM_API_KEY"),
        "{text}"
    );
    assert!(!text.contains("scripted-key"), "{text}");
}

#[tokio::test]
async fn a_silent_provider_is_not_waited_for_beyond_the_limit() {
    fn silent(reply: SiteReply) -> SiteReply {
        reply.cut_after(60).never_ending()
    }
    let scene = Scene::of(vec![ProviderAnswer::Bent(
        ScriptedTurn::text("{\"brand\": \"Lumen"),
        silent,
    )])
    .await;
    let limits = [
        ("HUNTSMAN_LLM_SILENCE_SECONDS", "0.3"),
        ("HUNTSMAN_LLM_SCHEMA_RETRIES", "0"),
    ];
    let output = scene.scrape(1, &["--mode", "llm-fixed"], &limits).await;
    assert_eq!((scene.calls(), output.status.code()), (1, Some(1)), "{output:?}");
    let result = result(&output);
    assert_eq!(
        (&result["status"], &result["error"]["code"]),
        (&json!("failed"), &json!("MODEL_TIMEOUT"))
    );
    assert_eq!(result["item"]["price"], 1299, "what the rules read is kept");
}

#[tokio::test]
async fn an_answer_that_breaks_off_is_asked_for_once_more_and_no_oftener() {
    fn broken(reply: SiteReply) -> SiteReply {
        reply.broken_after(400)
    }
    let cut = || {
        let long = json!({"brand": {"quote": "Lumen Works of Leeds", "value": "Lumen Works"}, "more": []});
        ProviderAnswer::Bent(ScriptedTurn::json(&long), broken)
    };
    let once = [("HUNTSMAN_LLM_SCHEMA_RETRIES", "0")];
    let scene = Scene::of(vec![cut(), brand()]).await;
    let output = scene.scrape(1, &["--mode", "llm-dynamic"], &once).await;
    assert_eq!(scene.calls(), 2, "{output:?}");
    assert_eq!(result(&output)["item"]["brand"], "Lumen Works");
    let scene = Scene::of(vec![cut(), cut(), brand()]).await;
    let output = scene.scrape(1, &["--mode", "llm-dynamic"], &once).await;
    assert_eq!((scene.calls(), output.status.code()), (2, Some(1)), "{output:?}");
    assert_eq!(result(&output)["error"]["code"], "MODEL_FAILED");
}

#[tokio::test]
async fn without_a_model_a_mode_that_needs_one_is_refused_with_what_to_set() {
    let scene = Scene::of(Vec::new()).await;
    let none = [
        ("HUNTSMAN_LLM_PROVIDER", ""),
        ("HUNTSMAN_LLM_MODEL", ""),
        ("HUNTSMAN_LLM_BASE_URL", ""),
    ];
    let by_setting = [&none[..], &[("AGENT_MODE", "llm-fixed")]].concat();
    for (more, settings) in [(&["--mode", "llm-fixed"][..], &none[..]), (&[], &by_setting)] {
        let output = scene.scrape(1, more, settings).await;
        assert_eq!(output.status.code(), Some(2), "{output:?}");
        let text = stderr(&output);
        assert!(
            text.contains("llm-fixed") && text.contains("HUNTSMAN_LLM_PROVIDER"),
            "{text}"
        );
    }
}

#[tokio::test]
async fn a_schema_shapes_the_item() {
    let schema = json!({"type": "object", "required": ["maker"], "additionalProperties": false,
        "properties": {"maker": {"type": "string"}}});
    let scene = Scene::of(vec![said(json!({"maker": "Lumen Works"}))]).await;
    std::fs::write(scene.folder.path().join("schema.json"), schema.to_string()).unwrap();
    let more = [
        "--mode",
        "llm-dynamic",
        "--schema",
        "schema.json",
        "--instructions",
        "who makes it",
    ];
    let output = scene.scrape(1, &more, &[]).await;
    assert_eq!(
        result(&output)["item"],
        json!({"maker": "Lumen Works"}),
        "{output:?}"
    );
    assert!(scene.provider.seen()[0].body.to_string().contains("who makes it"));
}

#[tokio::test]
async fn without_a_model_rules_fill_a_schema_as_far_as_they_can() {
    let schema = json!({"type": "object", "required": ["name", "maker"],
        "properties": {"name": {"type": "string"}, "cost": {"type": "string"}, "maker": {"type": "string"}}});
    let scene = Scene::of(Vec::new()).await;
    std::fs::write(scene.folder.path().join("schema.json"), schema.to_string()).unwrap();
    let result = result(&scene.scrape(1, &["--schema", "schema.json"], &[]).await);
    assert_eq!(result["item"], json!({"name": "Nova lamp", "cost": "1299"}));
    assert!(
        result["warnings"][0].as_str().unwrap().contains("maker"),
        "{result}"
    );
    let csv = scene
        .scrape(1, &["--format", "csv", "--columns", "product_name,cost"], &[])
        .await;
    assert_eq!(
        String::from_utf8_lossy(&csv.stdout),
        "product_name,cost\r\nNova lamp,1299\r\n"
    );
}

#[tokio::test]
async fn a_run_whose_budget_is_spent_ends_with_what_it_has_and_says_so() {
    let scene = Scene::of((0..9).map(|_| brand()).collect()).await;
    let budget = [("HUNTSMAN_LLM_BUDGET_TOKENS", "15")];
    let output = scene.scrape(3, &["--mode", "llm-dynamic"], &budget).await;
    assert_eq!((scene.calls(), output.status.code()), (1, Some(0)), "{output:?}");
    let results = result(&output);
    let warned = results.as_array().unwrap().iter().filter(|it| {
        let text = it["warnings"].to_string();
        it["item"]["price"] == 1299 && text.contains("budget")
    });
    assert_eq!(warned.count(), 2, "{results}");
}

#[tokio::test]
async fn wrong_input_is_refused_before_anything_is_asked_and_named() {
    let scene = Scene::of(Vec::new()).await;
    let deep = (0..70).fold(
        json!({"type": "string"}),
        |inner, _| json!({"type": "array", "items": inner}),
    );
    let remote = format!("{}/schema", scene.site.url(""));
    for (name, schema) in [
        ("none", json!("no schema")),
        ("type", json!({"type": "thing"})),
        ("remote", json!({"$ref": remote})),
        ("deep", deep),
    ] {
        std::fs::write(scene.folder.path().join("schema.json"), schema.to_string()).unwrap();
        let output = scene
            .scrape(1, &["--mode", "llm-fixed", "--schema", "schema.json"], &[])
            .await;
        assert_eq!(output.status.code(), Some(2), "{name}: {output:?}");
        assert!(stderr(&output).contains("schema"), "{name}: {output:?}");
    }
    let long = "x".repeat(20_001);
    for (more, settings, named) in [
        (
            &["--mode", "llm-fixed", "--instructions", &long][..],
            &[][..],
            "--instructions",
        ),
        (&["--mode", "magic"], &[], "--mode"),
        (
            &[],
            &[("HUNTSMAN_LLM_PROVIDER", "nobody")],
            "HUNTSMAN_LLM_PROVIDER",
        ),
        (
            &[],
            &[("HUNTSMAN_LLM_SCHEMA_RETRIES", "eleven")],
            "HUNTSMAN_LLM_SCHEMA_RETRIES",
        ),
    ] {
        let output = scene.scrape(1, more, settings).await;
        assert_eq!(output.status.code(), Some(2), "{named}: {output:?}");
        let text = stderr(&output);
        assert!(
            text.contains(named)
                || text.contains(&named.replace("HUNTSMAN_", "").to_lowercase().replace('_', "-")),
            "{text}"
        );
    }
    assert_eq!((scene.calls(), scene.site.asked().len()), (0, 0));
}

#[tokio::test]
async fn a_ping_shows_that_the_model_answers_or_what_to_set() {
    let scene = Scene::of(vec![
        ScriptedTurn::text("pong").costing(12, 3).into(),
        ScriptedTurn::text("pong").into(),
        refusal(),
    ])
    .await;
    let plain = scene.run(&["llm", "ping"], &[]).await;
    let text = String::from_utf8_lossy(&plain.stdout).into_owned();
    for part in ["scripted", "pong", "12 read, 3 written", " s"] {
        assert!(text.contains(part), "{text}");
    }
    let told = result(
        &scene
            .run(&["llm", "ping", "--json", "--role", "judge"], &[])
            .await,
    );
    assert_eq!(
        (&told["reply"], &told["model"]),
        (&json!("pong"), &json!("scripted"))
    );
    let refused = scene.run(&["llm", "ping"], &[]).await;
    assert_eq!((refused.status.code(), scene.calls()), (Some(1), 3));
    assert!(stderr(&refused).contains("HUNTSMAN_LLM_API_KEY"), "{refused:?}");
    for (words, settings, named) in [
        (&["llm", "ping", "--role", "king"][..], &[][..], "--role"),
        (
            &["llm", "ping"],
            &[("HUNTSMAN_LLM_PROVIDER", ""), ("HUNTSMAN_LLM_MODEL", "")],
            "HUNTSMAN_LLM_PROVIDER",
        ),
        (
            &["llm", "ping"],
            &[("HUNTSMAN_LLM_MODEL", "")],
            "HUNTSMAN_LLM_MODEL",
        ),
    ] {
        let output = scene.run(words, settings).await;
        assert_eq!(output.status.code(), Some(2), "{output:?}");
        assert!(stderr(&output).contains(named), "{output:?}");
    }
}

#[tokio::test]
async fn the_doctor_knows_whether_there_is_a_model() {
    let scene = Scene::of(Vec::new()).await;
    let with = scene.run(&["doctor", "--mode", "llm-fixed"], &[]).await;
    let text = String::from_utf8_lossy(&with.stdout).into_owned();
    assert!(
        with.status.success() && text.contains("extractor by scripted"),
        "{text}"
    );
    let none = [
        ("HUNTSMAN_LLM_PROVIDER", ""),
        ("HUNTSMAN_LLM_MODEL", ""),
        ("HUNTSMAN_LLM_BASE_URL", ""),
    ];
    let without = scene.run(&["doctor", "--mode", "llm-fixed"], &none).await;
    let text = String::from_utf8_lossy(&without.stdout).into_owned();
    assert!(
        !without.status.success() && text.contains("HUNTSMAN_LLM_PROVIDER"),
        "{text}"
    );
}
