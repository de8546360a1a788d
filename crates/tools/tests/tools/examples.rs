//! The examples of every manifest, run as tests.

use std::sync::Arc;

use browser::engines::http::HttpBrowser;
use serde_json::{Map, Value};
use testkit::{SiteReply, TestSite};
use tools::manifest::Example;
use tools::{Grant, Registry, ToolContext, ToolServices};
use url::Url;

/// Where the expected and the real value part; nothing when all that is expected is there. An object may have further
/// fields, `"..."` stands for any text, numbers are compared by value.
fn differences(expected: &Value, real: &Value, path: &str, found: &mut Vec<String>) {
    match (expected, real) {
        (Value::String(any), Value::String(_)) if any == "..." => {}
        (Value::Object(expected), Value::Object(real)) => {
            for (key, value) in expected {
                let real = real.get(key).unwrap_or(&Value::Null);
                differences(value, real, &format!("{path}/{key}"), found);
            }
        }
        (Value::Array(expected), Value::Array(real)) if expected.len() == real.len() => {
            for (at, (expected, real)) in expected.iter().zip(real).enumerate() {
                differences(expected, real, &format!("{path}/{at}"), found);
            }
        }
        (Value::Number(expected), Value::Number(real)) if expected.as_f64() == real.as_f64() => {}
        (expected, real) if expected == real => {}
        _ => found.push(format!("{path}: expected {expected}, got {real}")),
    }
}

pub(crate) fn client() -> net::Client {
    let allow = vec!["127.0.0.1".parse().unwrap()];
    let config = net::ClientConfig {
        allow,
        ..net::ClientConfig::default()
    };
    net::Client::new(config).unwrap()
}

pub(crate) fn services() -> ToolServices {
    let client = client();
    ToolServices {
        browser: Some(Arc::new(HttpBrowser::new(client.clone()))),
        client: Some(client),
        sandbox: Some(testkit::sandbox::sandbox()),
        now: Some("2026-03-05T10:00:00".parse().unwrap()),
        ..ToolServices::default()
    }
}

/// Serves inline pages, each under its own path.
async fn site(pages: Vec<String>) -> TestSite {
    TestSite::start(move |asked| {
        let at = asked
            .path
            .trim_start_matches("/page/")
            .split(['?', '#'])
            .next()
            .and_then(|it| it.parse::<usize>().ok());
        match at.and_then(|it| pages.get(it)) {
            Some(html) => SiteReply::html(html.clone()),
            None => SiteReply::html("<h1>Not found</h1>").status(404),
        }
    })
    .await
}

async fn judge(id: &str, example: &Example, url: Option<Url>) -> Vec<String> {
    let mut context = ToolContext::new(services(), Grant::default());
    if let Some(url) = url {
        context.goto(&url).await.unwrap();
    }
    context.input = example.input.clone().unwrap_or_default();
    let outcome = Registry::builtin()
        .run(id, &example.parameters, &mut context)
        .await;
    let mut found = Vec::new();
    match (&example.expected_error, outcome) {
        (Some(part), Err(error)) if error.to_string().contains(part.as_str()) => {}
        (Some(part), Err(error)) => found.push(format!("expected an error with {part:?}, got: {error}")),
        (Some(part), Ok(outcome)) => {
            found.push(format!("expected an error with {part:?}, got {}", outcome.data))
        }
        (None, Err(error)) => found.push(format!("failed: {error}")),
        (None, Ok(outcome)) => {
            let expected = example
                .expected_output
                .clone()
                .unwrap_or(Value::Object(Map::new()));
            differences(&expected, &outcome.data, "", &mut found);
        }
    }
    found
}

#[tokio::test]
async fn every_example_comes_out_as_told() {
    let registry = Registry::builtin();
    let examples: Vec<(String, usize, Example)> = registry
        .iter()
        .flat_map(|entry| {
            let examples = entry.manifest().examples.iter().enumerate();
            examples
                .map(|(at, it)| (entry.id().to_owned(), at, it.clone()))
                .collect::<Vec<_>>()
        })
        .collect();
    let pages = examples
        .iter()
        .map(|(.., it)| it.html.clone().unwrap_or_default())
        .collect();
    let site = site(pages).await;
    let shop = testkit::shop::start().await;
    let mut faults = Vec::new();
    for (place, (id, at, example)) in examples.iter().enumerate() {
        let url = match (&example.html, &example.page) {
            (Some(_), _) => Some(site.url(&format!("/page/{place}"))),
            (None, Some(path)) => Some(shop.url(path)),
            (None, None) => None,
        };
        let url = url.map(|it| Url::parse(&it).unwrap());
        for fault in judge(id, example, url).await {
            faults.push(format!("{id}, example {at} ({}): {fault}", example.instruction));
        }
    }
    assert!(
        faults.is_empty(),
        "{} examples:\n{}",
        faults.len(),
        faults.join("\n")
    );
}

#[test]
fn every_tool_has_an_example() {
    let registry = Registry::builtin();
    let bare: Vec<&str> = registry
        .iter()
        .filter(|it| it.manifest().examples.is_empty())
        .map(tools::registry::RegisteredTool::id)
        .collect();
    assert!(bare.is_empty(), "without examples: {}", bare.join(", "));
}
