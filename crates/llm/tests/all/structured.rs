//! Structured answers, whatever the model can do.

use std::sync::Arc;

use llm::schema::SchemaError;
use llm::structured::{OutputMode, StructuredRequest, bounded};
use llm::wires::Wire;
use llm::{Capabilities, Error, JsonSchema, Role, RoleModel};
use serde_json::{Value, json};
use testkit::{ProviderAnswer, ScriptedModel, ScriptedProvider, ScriptedTurn, SiteReply};

use crate::asking::{asking, seat};

fn product() -> StructuredRequest {
    let schema = json!({
        "type": "object",
        "properties": {"title": {"type": "string"}, "price": {"type": ["number", "null"]}},
        "required": ["title", "price"],
        "additionalProperties": false,
    });
    StructuredRequest::new("product", JsonSchema::new(schema).expect("a schema"))
}

fn able(json_schema: bool, tools: bool) -> Capabilities {
    Capabilities {
        json_schema,
        tools,
        ..Capabilities::default()
    }
}

const GOOD: &str = r#"{"title":"L'Isle d'Or","price":12.5}"#;

#[tokio::test]
async fn each_means_gives_the_same_checked_answer() {
    let good: Value = serde_json::from_str(GOOD).expect("JSON");
    for (capabilities, said, mode) in [
        (able(true, true), ScriptedTurn::text(GOOD), OutputMode::Native),
        (
            able(false, true),
            ScriptedTurn::call("product", good.clone()),
            OutputMode::Tool,
        ),
        (
            able(false, true),
            ScriptedTurn::text(format!("```json\n{GOOD}\n```")),
            OutputMode::Tool,
        ),
        (
            able(false, false),
            ScriptedTurn::text(format!("Here you are:\n```json\n{GOOD}\n```")),
            OutputMode::Prompt,
        ),
        (
            able(false, false),
            ScriptedTurn::text(format!("[{GOOD}]")),
            OutputMode::Prompt,
        ),
    ] {
        let model = ScriptedModel::saying([said]).able(capabilities);
        let got = RoleModel::new(Arc::new(model), Role::Extractor)
            .ask_for(&asking("go"), &product())
            .await
            .expect("an answer");
        assert_eq!(
            (&got.value, got.attempts.len(), got.attempts[0].mode),
            (&good, 1, mode)
        );
    }
}

#[tokio::test]
async fn a_wrong_answer_goes_back_with_everything_that_is_wrong_with_it() {
    let wrong = json!({"price": "12,50", "colour": "red"});
    let model = ScriptedModel::saying([ScriptedTurn::json(&wrong), ScriptedTurn::text(GOOD)]);
    let got = RoleModel::new(Arc::new(model.clone()), Role::Extractor)
        .ask_for(&asking("go"), &product())
        .await
        .expect("an answer");
    assert_eq!(got.attempts.len(), 2);
    let paths: Vec<&str> = got.attempts[0]
        .violations
        .iter()
        .map(|it| it.path.as_str())
        .collect();
    assert!(paths.contains(&"/price") && paths.contains(&"/"), "{paths:?}");
    let told = format!("{:?}", model.asked()[1].messages.last());
    for part in ["/price", "colour", "title"] {
        assert!(told.contains(part), "{told}");
    }
}

#[tokio::test]
async fn after_the_last_try_the_best_candidate_and_its_faults_are_there() {
    let better = json!({"title": "A", "price": "x"});
    let model = ScriptedModel::saying([
        ScriptedTurn::text("no idea"),
        ScriptedTurn::json(&better),
        ScriptedTurn::json(&json!({"a": 1})),
    ]);
    let error = RoleModel::new(Arc::new(model.clone()), Role::Extractor)
        .ask_for(&asking("go"), &product())
        .await
        .expect_err("wrong thrice");
    assert_eq!(error.code(), "SCHEMA_MISMATCH");
    let Error::SchemaMismatch {
        attempts,
        best,
        violations,
    } = error
    else {
        panic!("{error}")
    };
    assert_eq!((attempts, best, violations.len()), (3, Some(better), 1));
    let once = ScriptedModel::saying([ScriptedTurn::text("no idea")]);
    let wanted = StructuredRequest {
        retries: 0,
        ..product()
    };
    let error = RoleModel::new(Arc::new(once.clone()), Role::Extractor)
        .ask_for(&asking("go"), &wanted)
        .await
        .expect_err("wrong once");
    assert_eq!((error.code(), once.asked().len()), ("SCHEMA_MISMATCH", 1));
}

#[tokio::test]
async fn a_provider_that_refuses_one_means_is_asked_by_the_next() {
    let good: Value = serde_json::from_str(GOOD).expect("JSON");
    let provider = ScriptedProvider::start(move |exchange, _| {
        if exchange.body.get("response_format").is_some() {
            let body = r#"{"error":{"message":"Invalid parameter: 'response_format' of type 'json_schema' is not supported with this model.","type":"invalid_request_error","param":"response_format"}}"#;
            return ProviderAnswer::Raw(SiteReply::bytes("application/json", body).status(400));
        }
        ScriptedTurn::call("product", good.clone()).into()
    })
    .await;
    let wanted = StructuredRequest {
        retries: 0,
        ..product()
    };
    let seat = seat(&provider, Wire::OpenAiChat);
    let got = seat.ask_for(&asking("go"), &wanted).await.expect("an answer");
    assert_eq!(
        (got.attempts[0].mode, provider.seen().len()),
        (OutputMode::Tool, 2)
    );
    let again = seat.ask_for(&asking("go on"), &wanted).await.expect("an answer");
    assert_eq!(
        (again.attempts[0].mode, provider.seen().len()),
        (OutputMode::Tool, 3),
        "what was refused for a schema is not asked again"
    );
    assert_eq!(provider.faults(), Vec::<String>::new());
}

#[tokio::test]
async fn every_wire_carries_the_schema() {
    for wire in Wire::ALL {
        let provider = ScriptedProvider::start(|exchange, _| match exchange.wire {
            Wire::Anthropic => {
                ScriptedTurn::call("product", serde_json::from_str(GOOD).expect("JSON")).into()
            }
            _ => ScriptedTurn::text(GOOD).into(),
        })
        .await;
        seat(&provider, wire)
            .ask_for(&asking("go"), &product())
            .await
            .expect("an answer");
        let sent = provider.seen()[0].body.to_string();
        assert!(sent.contains("\"maxLength\":2000"), "{}: {sent}", wire.name());
        assert_eq!(provider.faults(), Vec::<String>::new(), "{}", wire.name());
    }
}

#[test]
fn a_schema_that_reaches_outside_or_too_deep_is_refused() {
    let mut deep = json!({"type": "string"});
    for _ in 0..40 {
        deep = json!({"type": "object", "properties": {"a": deep}});
    }
    assert_eq!(JsonSchema::new(deep).err(), Some(SchemaError::TooDeep));
    for target in ["https://example.org/x.json", "other.json", "file:///etc/passwd"] {
        let schema = json!({"type": "object", "properties": {"a": {"$ref": target}}});
        assert!(
            matches!(JsonSchema::new(schema), Err(SchemaError::RemoteReference(_))),
            "{target}"
        );
    }
    for schema in [
        json!({"type": "no such type"}),
        json!([1]),
        json!("text"),
        json!({"$ref": "#/nowhere"}),
    ] {
        assert!(
            matches!(JsonSchema::new(schema.clone()), Err(SchemaError::Invalid(_))),
            "{schema}"
        );
    }
    let inner = json!({"$defs": {"a": {"type": "integer"}}, "properties": {"b": {"$ref": "#/$defs/a"}}});
    assert!(JsonSchema::new(inner).is_ok());
}

#[test]
fn arguments_are_refused_with_the_path_and_the_reason() {
    let tool = llm::ToolSpec::new(
        "top_n",
        "",
        json!({"type": "object", "properties": {"n": {"type": "integer", "minimum": 1, "maximum": 1000}, "by": {"enum": ["price", "name"]}}, "required": ["n"], "additionalProperties": false}),
        llm::ToolEffects::Read,
    );
    let check = |value: Value| {
        tool.check(value.as_object().expect("an object"))
            .expect("a schema")
    };
    assert_eq!(check(json!({"n": 3, "by": "price"})), []);
    for (arguments, path) in [
        (json!({}), "/"),
        (json!({"n": 3, "zz": 1}), "/"),
        (json!({"n": "3"}), "/n"),
        (json!({"n": -1}), "/n"),
        (json!({"n": 1e12}), "/n"),
        (json!({"n": 9_223_372_036_854_775_808_u64}), "/n"),
        (json!({"n": 1, "by": "size"}), "/by"),
    ] {
        let violations = check(arguments.clone());
        assert!(
            violations.iter().any(|it| it.path == path),
            "{arguments}: {violations:?}"
        );
    }
}

#[test]
fn strings_and_lists_without_a_bound_get_one() {
    let schema = json!({"type": "object", "properties": {
        "a": {"type": "string"},
        "b": {"type": "string", "maxLength": 5},
        "c": {"enum": ["x"]},
        "d": {"type": "array", "items": {"type": ["string", "null"]}},
        "type": {"anyOf": [{"type": "string"}, {"type": "null"}]},
    }});
    let got = bounded(&schema, 100);
    let at = |pointer: &str| got.pointer(pointer).and_then(Value::as_u64);
    assert_eq!(at("/properties/a/maxLength"), Some(100));
    assert_eq!(at("/properties/b/maxLength"), Some(5));
    assert_eq!(got["properties"]["c"], json!({"enum": ["x"]}));
    assert_eq!(at("/properties/d/items/maxLength"), Some(100));
    assert_eq!(at("/properties/type/anyOf/0/maxLength"), Some(100));
    assert!(at("/properties/d/maxItems").is_some());
}
