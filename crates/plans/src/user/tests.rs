//! Folders of tools, good and bad.

use std::fs;

use serde_json::{Value, json};
use testkit::{SiteReply, SiteRequest, TestSite};

use super::load;
use tools::{Grant, Registry, ToolContext, ToolServices};

fn manifest(name: &str) -> Value {
    json!({
        "name": name, "version": "1.0.0", "description": "joins a path to a base address", "category": "mine",
        "parameters": {"type": "object", "properties": {"path": {"type": "string", "description": "The path."}}, "required": ["path"]},
        "output_schema": {"type": "object", "properties": {"url": {"type": "string"}}, "required": ["url"]},
        "timeout_ms": 1000, "effects": "read",
        "plan": {"plan": [{"tool": "url.join", "parameters": {"base": "https://a.example/", "path": "x/{{params.path}}"}}], "expected_output": "url"}
    })
}

fn with(name: &str, key: &str, value: Value) -> Value {
    let mut manifest = manifest(name);
    manifest[key] = value;
    manifest
}

fn folder(files: &[(&str, String)]) -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    for (name, text) in files {
        fs::write(folder.path().join(name), text).unwrap();
    }
    folder
}

#[tokio::test]
async fn a_plan_with_parameters_is_a_tool() {
    let nested = json!({"plan": [{"tool": "mine.one", "parameters": {"path": "{{params.path}}"}}], "expected_output": "url"});
    let folder = folder(&[
        ("one.json", manifest("one").to_string()),
        ("two.json", with("two", "plan", nested).to_string()),
    ]);
    let (registry, refused) = load(&Registry::builtin(), folder.path());
    assert_eq!(refused, []);
    let mut context = ToolContext::new(ToolServices::default(), Grant::default());
    let parameters = json!({"path": "kettle"});
    let outcome = registry
        .run("mine.two", parameters.as_object().unwrap(), &mut context)
        .await
        .unwrap();
    assert_eq!(outcome.data, json!({"url": "https://a.example/x/kettle"}));
    assert!(context.input.is_empty(), "what the inner plan kept stays inside");
}

/// TOOL-016, TOOL-018, TOOL-021, TOOL-022 and TOOL-024: every manifest that cannot be used is told with its file.
#[test]
fn each_bad_manifest_is_refused_with_its_place_and_the_rest_is_loaded() {
    let endpoint = |url: &str| {
        let mut tool = with("e", "http", json!({"url": url}));
        tool.as_object_mut().unwrap().remove("plan");
        tool
    };
    let cases: Vec<(&str, String, &str)> = vec![
        ("a", "{".into(), "not JSON"),
        ("b", with("b", "parameters", json!({"type": "object", "properties": {"path": {"type": "words", "description": "x"}}})).to_string(), "no `type`"),
        ("c", with("c", "parameters", json!({"type": "object", "properties": {"path": {"type": "string", "description": "x", "default": 5}}})).to_string(), "default 5"),
        ("d", with("d", "parameters", json!({"type": "object", "properties": {}, "required": ["path"]})).to_string(), "no property"),
        ("e", endpoint("https://{{params.path}}/x").to_string(), "host"),
        ("f", with("f", "version", json!("1")).to_string(), "three numbers"),
        ("g", with("g", "version", json!("latest")).to_string(), "three numbers"),
        ("h", with("h", "version", json!("1.0.0-é")).to_string(), "three numbers"),
        ("i", with("i", "output_schema", json!({"type": "object", "properties": {"x": {"$ref": "https://evil.example/schema"}}})).to_string(), "only references within"),
        ("j", with("j", "description", json!("x".repeat(5 << 20))).to_string(), "bytes"),
        ("k", with("k", "timeout_ms", json!(0)).to_string(), "timeout_ms"),
        ("l", with("l", "timeout_ms", json!(-1)).to_string(), "timeout_ms"),
        ("m", with("m", "timeout_ms", json!(1e12)).to_string(), "timeout_ms"),
        ("n", with("n", "examples", json!([{"instruction": "x", "parameters": {"path": 5}}])).to_string(), "example 0"),
        ("o", with("p", "notes", json!([])).to_string(), "file's place"),
        ("q", with("q", "plan", json!([{"tool": "html.selekt", "parameters": {}}])).to_string(), "did you mean html.select?"),
        ("r", with("r", "plan", json!([{"tool": "mine.s", "parameters": {"path": "x"}}])).to_string(), "uses itself"),
        ("s", with("s", "plan", json!([{"tool": "mine.r", "parameters": {"path": "x"}}])).to_string(), "uses itself"),
        ("t", with("t", "code", json!("import os")).to_string(), "no key of a manifest"),
        ("u", with("u", "triggers", json!(["(a"])).to_string(), "trigger"),
        ("v", with("v", "plan", json!([{"tool": "url.join", "parameters": {"path": "{{params.none}}"}}])).to_string(), "no parameter"),
    ];
    let mut files: Vec<(String, String)> = cases
        .iter()
        .map(|(name, text, _)| (format!("{name}.json"), text.clone()))
        .collect();
    files.push(("z.json".into(), manifest("z").to_string()));
    let named: Vec<(&str, String)> = files
        .iter()
        .map(|(name, text)| (name.as_str(), text.clone()))
        .collect();
    let folder = folder(&named);
    let (registry, refused) = load(&Registry::builtin(), folder.path());
    for (name, _, why) in &cases {
        let told = refused
            .iter()
            .map(ToString::to_string)
            .find(|it| it.starts_with(&format!("{name}.json")));
        assert!(
            told.as_ref().is_some_and(|it| it.contains(why)),
            "{name}: {told:?}"
        );
    }
    assert_eq!(refused.len(), cases.len());
    assert!(registry.find("mine.z").is_ok());
    assert_eq!(registry.len(), Registry::builtin().len() + 1);
}

/// TOOL-017.
#[test]
fn of_two_tools_with_one_name_the_second_is_refused_every_time() {
    let folder = folder(&[("one.json", manifest("one").to_string())]);
    fs::create_dir(folder.path().join("more")).unwrap();
    fs::write(
        folder.path().join("more/one.json"),
        with("one", "description", json!("another one of that name")).to_string(),
    )
    .unwrap();
    let built_in = with("select", "category", json!("html"));
    fs::write(folder.path().join("select.json"), built_in.to_string()).unwrap();
    for _ in 0..3 {
        let (registry, refused) = load(&Registry::builtin(), folder.path());
        let told: Vec<String> = refused.iter().map(ToString::to_string).collect();
        assert_eq!(
            told,
            [
                "one.json: there is a tool named mine.one already",
                "select.json: there is a tool named html.select already"
            ]
        );
        assert!(
            registry
                .find("mine.one")
                .unwrap()
                .manifest()
                .description
                .contains("another")
        );
    }
}

/// TOOL-021.
#[cfg(unix)]
#[test]
fn a_link_out_of_the_folder_is_not_followed() {
    let outside = folder(&[("far.json", manifest("far").to_string())]);
    let folder = folder(&[]);
    std::os::unix::fs::symlink(outside.path().join("far.json"), folder.path().join("far.json")).unwrap();
    let (registry, refused) = load(&Registry::builtin(), folder.path());
    assert!(
        refused[0].to_string().contains("leads out of the folder"),
        "{refused:?}"
    );
    assert!(registry.find("mine.far").is_err());
}

#[tokio::test]
async fn an_endpoint_is_asked_through_the_guard() {
    let site = TestSite::start(|asked| {
        SiteReply::bytes("application/json", format!(r#"{{"url": "{}"}}"#, asked.path))
    })
    .await;
    let mut tool = with(
        "rate",
        "http",
        json!({"url": format!("{}/{{{{params.path}}}}", site.url("/api")), "query": {"q": "{{params.path}}"}}),
    );
    tool.as_object_mut().unwrap().remove("plan");
    let folder = folder(&[("rate.json", tool.to_string())]);
    let (registry, refused) = load(&Registry::builtin(), folder.path());
    assert_eq!(refused, []);
    let parameters = json!({"path": "a/../b&c"});
    let run = async |allow: bool| {
        let allow = if allow {
            vec!["127.0.0.1".parse().unwrap()]
        } else {
            Vec::new()
        };
        let client = net::Client::new(net::ClientConfig {
            allow,
            ..net::ClientConfig::default()
        })
        .unwrap();
        let mut context = ToolContext::new(
            ToolServices {
                client: Some(client),
                ..ToolServices::default()
            },
            Grant::default(),
        );
        registry
            .run("mine.rate", parameters.as_object().unwrap(), &mut context)
            .await
    };
    assert_eq!(
        run(true).await.unwrap().data["url"],
        "/api/a%2F..%2Fb%26c?q=a%2F..%2Fb%26c"
    );
    assert_eq!(run(false).await.unwrap_err().code(), "URL_BLOCKED");
    assert_eq!(site.asked().len(), 1);
}

fn key_of(asked: &SiteRequest) -> Option<&str> {
    asked.headers.get("x-key")?.to_str().ok()
}

#[tokio::test]
async fn an_endpoint_takes_variables_and_its_answer_does_not_give_them_back() {
    // A variable that every system has; tests cannot set their own without `unsafe`.
    let path = std::env::var("PATH").unwrap();
    let site = TestSite::start(|asked| {
        let answer =
            json!({"url": asked.path, "echo": key_of(asked), "body": String::from_utf8_lossy(&asked.body)});
        SiteReply::bytes("application/json", answer.to_string())
    })
    .await;
    let endpoint = json!({
        "url": format!("{}/x", site.url("")), "method": "POST", "headers": {"x-key": "key ${PATH}"},
        "body": {"value": "${PATH}", "text": "{{params.path}}"},
    });
    let mut tool = with("keyed", "http", endpoint);
    tool.as_object_mut().unwrap().remove("plan");
    tool["effects"] = json!("idempotent");
    let mut missing = with(
        "missing",
        "http",
        json!({"url": "https://a.example/", "headers": {"x-key": "${NO_SUCH_KEY}"}}),
    );
    missing.as_object_mut().unwrap().remove("plan");
    let folder = folder(&[
        ("keyed.json", tool.to_string()),
        ("missing.json", missing.to_string()),
    ]);
    let (registry, refused) = load(&Registry::builtin(), folder.path());
    assert_eq!(refused.len(), 1);
    let refusal = refused[0].to_string();
    assert!(
        refusal.contains("`http.headers.x-key`: the variable NO_SUCH_KEY is not set"),
        "{refusal}"
    );
    let client = net::Client::new(net::ClientConfig {
        allow: vec!["127.0.0.1".parse().unwrap()],
        ..net::ClientConfig::default()
    });
    let services = ToolServices {
        client: Some(client.unwrap()),
        ..ToolServices::default()
    };
    let mut context = ToolContext::new(services, Grant::default());
    let parameters = json!({"path": "a ${HOME}"});
    let outcome = registry
        .run("mine.keyed", parameters.as_object().unwrap(), &mut context)
        .await
        .unwrap();
    assert_eq!(outcome.data["echo"], "key ${PATH}", "the value is hidden");
    let asked = site.asked();
    assert_eq!(
        key_of(&asked[0]),
        Some(format!("key {path}").as_str()),
        "the value was sent"
    );
    let body: Value = serde_json::from_slice(&asked[0].body).unwrap();
    assert_eq!(
        body,
        json!({"value": path, "text": "a ${HOME}"}),
        "a parameter names no variable"
    );
}
