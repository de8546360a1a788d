//! The protocol with a real model, whose base URL (OpenAI's dialect) `HUNTSMAN_TEST_LLM` holds. Its wording is not judged.

use std::time::Duration;

use llm::structured::StructuredRequest;
use llm::transport::ModelTimeouts;
use llm::{
    Choice, History, JsonSchema, MessageContent, Meter, ModelRequest, ModelSettings, Models, Role,
    ToolEffects, ToolSet, ToolSpec,
};
use serde_json::json;

use crate::asking::network;

#[tokio::test]
#[ignore = "needs a model server at HUNTSMAN_TEST_LLM"]
async fn a_real_model_answers_calls_a_tool_and_follows_a_schema() {
    let base_url = std::env::var("HUNTSMAN_TEST_LLM").expect("HUNTSMAN_TEST_LLM");
    let slow = Duration::from_secs(240);
    let settings = ModelSettings {
        provider: Some("llama.cpp".into()),
        model: Some("local".into()),
        base_url: Some(base_url),
        limits: ModelTimeouts {
            first_token: slow,
            silence: slow,
            ..ModelTimeouts::default()
        },
        ..ModelSettings::default()
    };
    let seat = Models::new(settings, network())
        .seat(Role::Planner, Meter::default())
        .expect("a seat");
    let mut history = History::new("You are terse.");
    history.say(vec![MessageContent::Text("Say hello in one word.".into())]);
    let request = ModelRequest {
        max_tokens: Some(20),
        ..ModelRequest::new(history.messages().to_vec())
    };
    let turn = seat.ask(&request).await.expect("a turn");
    println!("text: {:?} {:?}", turn.text, turn.usage);
    assert!(!turn.text.is_empty() && turn.usage.input > 0 && !turn.usage.estimated);

    let schema = json!({"type": "object", "properties": {"city": {"type": "string"}}, "required": ["city"]});
    let tool = ToolSpec::new(
        "weather.now",
        "The weather of one city right now",
        schema.clone(),
        ToolEffects::Read,
    );
    let mut history = History::new("");
    history.say(vec![MessageContent::Text(
        "What is the weather in Paris right now?".into(),
    )]);
    let mut request = ModelRequest {
        tools: ToolSet::new([tool]),
        choice: Choice::Required,
        max_tokens: Some(120),
        ..ModelRequest::new(history.messages().to_vec())
    };
    let turn = seat.ask(&request).await.expect("a turn");
    println!("calls: {:?}", turn.calls);
    history.take(&turn);
    let open: Vec<String> = history.open_calls().map(str::to_owned).collect();
    for id in open {
        history
            .answer(&id, "18 degrees, clear", false)
            .expect("an open call");
    }
    request.choice = Choice::Auto;
    request.messages = history.messages().to_vec();
    let turn = seat.ask(&request).await.expect("a turn after the result");
    println!("after: {:?} {:?}", turn.text, turn.calls);

    let product = json!({"type": "object", "required": ["title", "price"], "additionalProperties": false,
        "properties": {"title": {"type": "string", "maxLength": 80}, "price": {"type": "number"}}});
    let wanted = StructuredRequest::new("product", JsonSchema::new(product).expect("a schema"));
    let request = ModelRequest {
        max_tokens: Some(150),
        ..ModelRequest::new(vec![llm::Message::user(
            "Extract title and price: Red kettle, only 24.50 EUR today.",
        )])
    };
    let got = seat
        .ask_for(&request, &wanted)
        .await
        .expect("an answer of the schema");
    println!("structured: {} in {:?}", got.value, got.attempts);
}
