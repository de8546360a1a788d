//! Input that is too large, too deep, or makes no sense: a clear error, and nothing is run.

use std::fs;
use std::time::{Duration, Instant};

use plans::{Conditions, IssueCode, ToolPlan, check};
use serde_json::{Map, Value, json};
use tools::{Grant, Registry, ToolContext, ToolServices};

/// The codes of everything that is wrong with a plan, or nothing.
fn codes(plan: &str) -> Vec<IssueCode> {
    let judged =
        ToolPlan::read(plan).and_then(|it| check(&it, &Registry::builtin(), &Conditions::all()).map(drop));
    let mut codes: Vec<IssueCode> = judged
        .err()
        .iter()
        .flat_map(|it| it.0.iter().map(|it| it.code))
        .collect();
    codes.dedup();
    codes
}

fn one(tool: &str, parameters: &str) -> String {
    format!(r#"{{"plan": [{{"tool": {tool}, "parameters": {parameters}}}]}}"#)
}

async fn call(id: &str, given: &Value) -> String {
    let given: Map<String, Value> = serde_json::from_value(given.clone()).unwrap();
    let services = ToolServices {
        sandbox: Some(testkit::sandbox::sandbox()),
        ..ToolServices::default()
    };
    let mut context = ToolContext::new(services, Grant::default());
    match Registry::builtin().run(id, &given, &mut context).await {
        Ok(outcome) => format!("OK {}", outcome.data),
        Err(error) => format!("{} {error}", error.code()),
    }
}

#[test]
fn a_plan_of_five_megabytes_is_refused_unread() {
    let long = one("\"url.join\"", &json!({"path": "x".repeat(5 << 20)}).to_string());
    assert!(long.len() > 5 << 20);
    let began = Instant::now();
    assert_eq!(codes(&long), [IssueCode::TooLarge]);
    assert!(began.elapsed() < Duration::from_secs(1), "it is not even parsed");
}

#[test]
fn ten_thousand_steps_and_a_thousand_levels_are_refused() {
    let step = r#"{"tool": "url.join", "parameters": {"path": "x"}}"#;
    let many = format!(r#"{{"plan": [{}]}}"#, vec![step; 10_000].join(","));
    assert_eq!(codes(&many), [IssueCode::TooManySteps]);
    for (open, close) in [("[", "]"), (r#"{"a":"#, "}")] {
        let deep = format!("{}1{}", open.repeat(1_000), close.repeat(1_000));
        assert_eq!(
            codes(&one("\"json.dumps\"", &format!(r#"{{"data": {deep}}}"#))),
            [IssueCode::TooDeep]
        );
        assert_eq!(codes(&deep), [IssueCode::TooDeep]);
    }
    // Brackets that are never closed are no way around it.
    assert_eq!(codes(&"[".repeat(900_000)), [IssueCode::TooDeep]);
}

#[tokio::test]
async fn a_pattern_that_explodes_elsewhere_is_refused_or_runs_in_linear_time() {
    // Back-tracking engines need more than the age of the world for this one.
    let text = format!("{}!", "a".repeat(50_000));
    let began = Instant::now();
    let found = call("regex.search", &json!({"pattern": "^(a+)+$", "text": text})).await;
    assert!(
        found.starts_with("OK") && found.contains("\"found\":false"),
        "{found}"
    );
    assert!(began.elapsed() < Duration::from_secs(20));
    for pattern in [
        "(((a{200}){200}){200}){200}",
        r"(a)\1",
        "(?=a)b",
        "(",
        "[z-a]",
        "(?P<a",
    ] {
        let told = call("regex.findall", &json!({"pattern": pattern, "text": "aaa"})).await;
        assert!(
            told.starts_with("BAD_TOOL_ARGS") && told.contains("pattern"),
            "{pattern}: {told}"
        );
        let planned = one(
            "\"regex.findall\"",
            &json!({"pattern": pattern, "text": "a"}).to_string(),
        );
        assert_eq!(codes(&planned), [IssueCode::BadParameter], "{pattern}");
    }
}

#[tokio::test]
async fn a_selector_that_is_none_is_refused_before_any_page_is_read() {
    for selector in ["h1[[", "", ":::", "a >", "p:has(", "div{}"] {
        let told = call("html.select", &json!({"selector": selector})).await;
        assert!(
            told.starts_with("BAD_TOOL_ARGS") && told.contains("selector"),
            "{selector:?}: {told}"
        );
        let planned = one("\"html.select\"", &json!({"selector": selector}).to_string());
        assert_eq!(codes(&planned), [IssueCode::BadParameter], "{selector:?}");
    }
}

#[tokio::test]
async fn parameters_written_as_texts_of_json_are_no_parameters() {
    let whole = one("\"html.select\"", r#""{\"selector\": \"p\"}""#);
    assert_eq!(codes(&whole), [IssueCode::BadParameter], "{whole}");
    for (tool, given) in [
        (
            "data.select_columns",
            json!({"rows": "[{\"a\": 1}]", "columns": ["a"]}),
        ),
        ("data.select_columns", json!({"rows": [], "columns": "[\"a\"]"})),
        (
            "validate.schema",
            json!({"data": {}, "schema": "{\"type\": \"object\"}"}),
        ),
    ] {
        let planned = ToolPlan::read(&one(&format!("{tool:?}"), &given.to_string())).unwrap();
        let issues = check(&planned, &Registry::builtin(), &Conditions::all())
            .err()
            .unwrap();
        assert!(
            issues.to_string().contains("not a text that holds JSON"),
            "{given}: {issues}"
        );
        let told = call(tool, &given).await;
        assert!(told.starts_with("BAD_TOOL_ARGS"), "{given}: {told}");
    }
}

#[test]
fn numbers_that_are_none_or_endless_are_refused() {
    for number in [
        "\"NaN\"",
        "\"Infinity\"",
        "\"-inf\"",
        "\"1e999\"",
        "\"0x1f\"",
        "\"\"",
        "true",
        "[5]",
        "-1",
        "1.5",
        "1e300",
    ] {
        let planned = one(
            "\"html.select\"",
            &format!(r#"{{"selector": "p", "limit": {number}}}"#),
        );
        assert_eq!(codes(&planned), [IssueCode::BadParameter], "{number}");
    }
    for text in ["NaN", "Infinity", "1e999", "-1e999"] {
        let planned = one(
            "\"html.select\"",
            &format!(r#"{{"selector": "p", "limit": {text}}}"#),
        );
        assert_eq!(codes(&planned), [IssueCode::NotJson], "{text}");
    }
}

#[tokio::test]
async fn a_name_with_separators_is_no_tool_and_reaches_no_file() {
    for name in [
        "../../etc/passwd",
        "html/select",
        "html\\select",
        "/html.select",
        "html..select",
        "html.select\u{0}",
        "html.select/../json",
    ] {
        let planned = one(&json!(name).to_string(), "{}");
        assert_eq!(codes(&planned), [IssueCode::UnknownTool], "{name}");
        let told = call(name, &json!({})).await;
        assert!(told.starts_with("UNKNOWN_TOOL"), "{name}: {told}");
    }
    let folder = tempfile::tempdir().unwrap();
    for (at, name) in ["../evil", "a/b", "a\\\\b", "A", "a.b", ""].iter().enumerate() {
        let manifest = format!(
            r#"{{"name": "{name}", "version": "1.0.0", "description": "a tool of that name", "category": "mine",
            "parameters": {{"type": "object"}}, "output_schema": {{"type": "object"}}, "timeout_ms": 10, "effects": "read",
            "plan": [{{"tool": "url.join", "parameters": {{"path": "x", "base": "https://a.example/"}}}}]}}"#
        );
        fs::write(folder.path().join(format!("t{at}.json")), manifest).unwrap();
    }
    let (registry, refused) = plans::user::load(&Registry::builtin(), folder.path());
    assert_eq!(registry.len(), Registry::builtin().len());
    assert_eq!(refused.len(), 6, "{refused:?}");
}

#[test]
fn a_manifest_that_is_too_large_or_too_deep_is_refused_and_the_rest_is_loaded() {
    let folder = tempfile::tempdir().unwrap();
    let large = format!(r#"{{"name": "large", "notes": ["{}"]}}"#, "x".repeat(5 << 20));
    let deep = format!(
        r#"{{"name": "deep", "parameters": {}1{}}}"#,
        "[".repeat(1_000),
        "]".repeat(1_000)
    );
    fs::write(folder.path().join("large.json"), large).unwrap();
    fs::write(folder.path().join("deep.json"), deep).unwrap();
    let steps = vec![json!({"tool": "url.join", "parameters": {"path": "x"}}); 10_000];
    let long = json!({"name": "long", "version": "1.0.0", "description": "a tool of many steps", "category": "mine",
        "parameters": {"type": "object"}, "output_schema": {"type": "object"}, "timeout_ms": 10, "effects": "read", "plan": steps});
    fs::write(folder.path().join("long.json"), long.to_string()).unwrap();
    let (registry, refused) = plans::user::load(&Registry::builtin(), folder.path());
    assert_eq!(registry.len(), Registry::builtin().len());
    let told: Vec<String> = refused.iter().map(ToString::to_string).collect();
    assert_eq!(told.len(), 3, "{told:?}");
    for (name, part) in [("deep", ""), ("large", "bytes"), ("long", "bytes")] {
        let found = told.iter().find(|it| it.starts_with(&format!("{name}.json")));
        assert!(found.is_some_and(|it| it.contains(part)), "{name}: {told:?}");
    }
}
