//! Folders of tools, good and bad.

use std::fs;

use browser::engines::http::HttpBrowser;
use serde_json::{Map, Value, json};
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
    let reader = |name: &str, page: Value| {
        let mut tool = with(name, "page", page);
        tool.as_object_mut().unwrap().remove("plan");
        tool["output_schema"] = list_schema();
        tool.to_string()
    };
    let endpoint = |url: &str| {
        let mut tool = with("e", "http", json!({"url": url}));
        tool.as_object_mut().unwrap().remove("plan");
        tool
    };
    let cases: Vec<(&str, String, &str)> = vec![
        ("a", "{".into(), "not JSON"),
        ("pages1", reader("pages1", json!({"rows": "li", "fields": {"name": "a:is("}})), "page.fields.name"),
        ("pages2", reader("pages2", json!({"rows": "li", "fields": {"colour": "a"}})), "no property"),
        ("pages3", reader("pages3", json!({"rows": "li", "fields": {}})), "names no field"),
        ("pages4", reader("pages4", json!({"fields": {"products": "a"}, "max_pages": 2})), "needs `page.rows`"),
        ("pages5", reader("pages5", json!({"rows": "li", "fields": {"name": "a"}, "max_pages": 0})), "from 1 to 200"),
        ("pages6", reader("pages6", json!({"rows": "li", "fields": {"name": {"text": "a"}}})), "an object of `selector`"),
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

/// Rows of a shop's list, as an output schema.
fn list_schema() -> Value {
    json!({"type": "object", "properties": {"products": {"type": "array", "items": {
        "type": "object",
        "properties": {
            "name": {"type": "string"}, "price": {"type": "number"}, "url": {"type": "string", "format": "uri"},
            "reviews": {"type": "integer"}, "sold": {"type": "boolean"},
            "tags": {"type": "array", "items": {"type": "string"}}, "id": {"type": "string"}
        },
        "required": ["name"]
    }}}})
}

#[tokio::test]
async fn selectors_in_a_manifest_read_every_page_of_a_list() {
    let site = TestSite::start(|asked: &SiteRequest| {
        let item = |number: usize, more: &str| {
            format!(
                "<li data-id=p{number}><a href=/item/{number}>Kettle  {number}</a><b>1 2{number}9,90 zł</b>\
                 <i>{number} reviews</i><u>steel</u><u>red</u>{more}</li>"
            )
        };
        let (rows, next) = match asked.path.as_str() {
            // The last page leads back to the first one.
            "/two" => (item(3, ""), "<a class=on href='/back'>on</a>"),
            "/back" => return SiteReply::redirect(302, "/#list"),
            _ => (
                item(1, "<s>sold</s>") + &item(2, "") + "<li><a href=/x></a></li>",
                "<a class=on href=/two>on</a>",
            ),
        };
        SiteReply::html(format!("<title>Kettles</title><ul>{rows}</ul>{next}"))
    })
    .await;
    let mut tool = with(
        "kettles",
        "page",
        json!({
            "rows": "ul > li",
            "fields": {
                "name": "a", "price": "b", "url": {"selector": "a", "attribute": "href"}, "reviews": "i",
                "sold": "s", "tags": "u", "id": {"attribute": "data-id"},
            },
            "next": "a.on", "max_pages": 5,
        }),
    );
    let fields = tool.as_object_mut().unwrap();
    fields.remove("plan");
    fields.remove("effects");
    fields.insert("parameters".into(), json!({"type": "object", "properties": {}}));
    fields.insert("output_schema".into(), list_schema());
    let folder = folder(&[("kettles.json", tool.to_string())]);
    let (registry, refused) = load(&Registry::builtin(), folder.path());
    assert_eq!(refused, []);
    let manifest = registry.find("mine.kettles").unwrap().manifest();
    assert_eq!(manifest.effects, tools::manifest::Effects::Read);
    let client = net::Client::new(net::ClientConfig {
        allow: vec!["127.0.0.1".parse().unwrap()],
        ..net::ClientConfig::default()
    })
    .unwrap();
    let services = ToolServices {
        browser: Some(std::sync::Arc::new(HttpBrowser::new(client))),
        ..ToolServices::default()
    };
    let mut context = ToolContext::new(services, Grant::default());
    context.goto(&site.url("/").parse().unwrap()).await.unwrap();
    let outcome = registry
        .run("mine.kettles", &Map::new(), &mut context)
        .await
        .unwrap();
    let row = |number: usize, sold: bool| {
        json!({
            "name": format!("Kettle {number}"), "price": 1209.9 + 10.0 * number as f64,
            "url": site.url(&format!("/item/{number}")), "reviews": number, "sold": sold, "tags": ["steel", "red"],
            "id": format!("p{number}"),
        })
    };
    assert_eq!(
        outcome.data,
        json!({"products": [row(1, true), row(2, false), row(3, false)]})
    );
    assert!(
        outcome
            .warnings
            .iter()
            .any(|it| it.starts_with("1 elements match")),
        "{:?}",
        outcome.warnings
    );
}

/// The manifest that a specification prints, for a tool that is compiled in: without `effects`, with a dependency on a
/// library.
#[tokio::test]
async fn a_manifest_without_code_is_for_the_tool_of_its_name() {
    let tool = json!({
        "name": "products_ceneo", "version": "2.0.0", "category": "extraction",
        "description": "Extract product listings with price filtering",
        "triggers": ["product.*ceneo", "ceneo.*product", "product.*polish.*site"],
        "parameters": {
            "type": "object",
            "properties": {
                "max_price": {"type": "number", "description": "Highest price", "default": 999999},
                "min_price": {"type": "number", "description": "Lowest price", "default": 0},
                "category": {"type": "string", "description": "Category filter", "optional": true}
            },
            "required": ["max_price"]
        },
        "output_schema": {"type": "object", "properties": {"products": {"type": "array", "items": {
            "type": "object",
            "properties": {"name": {"type": "string"}, "price": {"type": "number"}, "url": {"type": "string", "format": "uri"}}
        }}}},
        "examples": [{
            "instruction": "Find products under 150", "parameters": {"max_price": 150},
            "expected_output": {"products": [{"name": "Example", "price": 149.99, "url": "..."}]}
        }],
        "dependencies": ["playwright", "page"], "timeout_ms": 30000
    });
    let folder = folder(&[
        ("products_ceneo.json", tool.to_string()),
        ("zz.json", {
            let mut other = tool.clone();
            other["name"] = json!("zz");
            other.to_string()
        }),
    ]);
    let (registry, refused) = load(&Registry::builtin(), folder.path());
    assert_eq!(refused.len(), 1);
    assert!(
        refused[0].to_string().contains("there is no code for it"),
        "{refused:?}"
    );
    let manifest = registry.find("extraction.products_ceneo").unwrap().manifest();
    assert_eq!(
        (manifest.version.as_str(), manifest.effects),
        ("2.0.0", tools::manifest::Effects::Read)
    );
    let product = |name: &str, zloty: usize| {
        format!(
            "<div class=cat-prod-row><strong class=cat-prod-row__name><a href=/480{zloty}>{name}</a></strong>\
             <span class=price-format><span class=price><span class=value>{zloty}</span><span class=penny>,00</span></span> zł\
             </span></div>"
        )
    };
    let html = product("Czajnik", 99) + &product("Garnek", 199);
    let page = page::Page::new(html, Some("https://www.ceneo.pl/".parse().unwrap()));
    let mut context = ToolContext::new(ToolServices::default(), Grant::default()).with_page(page.into());
    let parameters = json!({"max_price": 150});
    let outcome = registry
        .run(
            "extraction.products_ceneo",
            parameters.as_object().unwrap(),
            &mut context,
        )
        .await
        .unwrap();
    assert_eq!(outcome.data["products"][0]["name"], "Czajnik", "{outcome:?}");
    assert_eq!(outcome.data["products"].as_array().unwrap().len(), 1);
    let unknown = json!({"max_price": 150, "max_results": 3});
    let refused = registry.run(
        "extraction.products_ceneo",
        unknown.as_object().unwrap(),
        &mut context,
    );
    assert!(
        refused.await.is_err(),
        "the parameters are those of the user's manifest"
    );
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

#[test]
fn a_folder_that_cannot_be_read_is_told_and_one_that_is_not_there_is_not() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("a file");
    std::fs::write(&file, "x").expect("a file");
    let (_, refused) = load(&Registry::builtin(), &file);
    assert_eq!(refused.len(), 1, "{refused:?}");
    let (_, refused) = load(&Registry::builtin(), &folder.path().join("absent"));
    assert!(refused.is_empty(), "{refused:?}");
}
