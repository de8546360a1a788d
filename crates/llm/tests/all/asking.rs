//! Conversations with tools over every wire.

use std::sync::Arc;

use llm::transport::Network;
use llm::wires::Wire;
use llm::{
    Error, History, MessageContent, Meter, ModelRequest, Models, Role, RoleModel, TokenBudget, ToolEffects,
    ToolSet, ToolSpec,
};
use serde_json::{Value, json};
use testkit::{ProviderAnswer, ScriptedModel, ScriptedProvider, ScriptedTurn};

pub(crate) fn network() -> Arc<Network> {
    Arc::new(Network::new(
        net::Client::new(net::ClientConfig::default()).expect("a client"),
    ))
}

pub(crate) fn seat(provider: &ScriptedProvider, wire: Wire) -> RoleModel {
    let models = Models::new(provider.settings(wire), network());
    models.seat(Role::Planner, Meter::default()).expect("a seat")
}

pub(crate) fn tools() -> ToolSet {
    let select =
        json!({"type": "object", "properties": {"selector": {"type": "string"}}, "required": ["selector"]});
    ToolSet::new([
        ToolSpec::new("html.select", "Selects elements", select, ToolEffects::Read),
        ToolSpec::new(
            "page.reload",
            "Loads the page again",
            json!({"type": "object"}),
            ToolEffects::Idempotent,
        ),
    ])
}

pub(crate) fn asking(text: &str) -> ModelRequest {
    let mut history = History::new("You look at pages.");
    history.say(vec![MessageContent::Text(text.into())]);
    ModelRequest::new(history.messages().to_vec())
}

#[tokio::test]
async fn a_conversation_with_tools_works_over_every_wire() {
    for wire in Wire::ALL {
        let mut first = ScriptedTurn::call("html__select", json!({"selector": "a > b \"ü\""}))
            .and_call("page__reload", json!({}));
        first.text = "Let me see.".into();
        first.reasoning = "hm".into();
        let provider = ScriptedProvider::saying([
            ProviderAnswer::Turn(first, 5),
            ProviderAnswer::Turn(ScriptedTurn::text("Done: 北京.").costing(30, 4), 3),
        ])
        .await;
        let seat = seat(&provider, wire);
        let mut history = History::new("You look at pages.");
        history.say(vec![
            MessageContent::Text("Look".into()),
            MessageContent::image("image/png", b"png"),
        ]);
        let mut request = ModelRequest {
            tools: tools(),
            ..ModelRequest::new(history.messages().to_vec())
        };
        let turn = seat.ask(&request).await.expect("a turn");
        assert_eq!(turn.text, "Let me see.", "{}", wire.name());
        let calls: Vec<(&str, Value)> = turn
            .whole_calls()
            .map(|it| (it.name(), Value::Object(it.arguments().clone())))
            .collect();
        assert_eq!(
            calls,
            [
                ("html.select", json!({"selector": "a > b \"ü\""})),
                ("page.reload", json!({}))
            ],
            "{}: {:?}",
            wire.name(),
            turn.calls
        );
        history.take(&turn);
        let ids: Vec<String> = history.open_calls().map(str::to_owned).collect();
        history
            .answer(&ids[0], "two elements", false)
            .expect("an open call");
        request.messages = history.messages().to_vec();
        let turn = seat.ask(&request).await.expect("a turn");
        assert_eq!(turn.text, "Done: 北京.", "{}", wire.name());
        assert_eq!((turn.usage.input, turn.usage.output), (30, 4), "{}", wire.name());
        assert_eq!(provider.faults(), Vec::<String>::new(), "{}", wire.name());
        let sent = provider.seen()[1].body.to_string();
        for part in ["two elements", "cancelled", "cG5n", "You look at pages."] {
            assert!(
                sent.contains(part),
                "{} does not send {part}: {sent}",
                wire.name()
            );
        }
        let replayed = match wire {
            Wire::Anthropic | Wire::Gemini => sent.contains("\"signed\""),
            _ => true,
        };
        assert!(
            replayed,
            "{} does not send the signature back: {sent}",
            wire.name()
        );
        assert_eq!(seat.meter.total().usage.total(), 15 + 34);
    }
}

#[tokio::test]
async fn a_demanded_tool_is_demanded_in_the_words_of_each_wire() {
    for (wire, pointer, expected) in [
        (
            Wire::OpenAiChat,
            "/tool_choice/function/name",
            json!("html__select"),
        ),
        (Wire::OpenAiResponses, "/tool_choice/name", json!("html__select")),
        (Wire::Anthropic, "/tool_choice/name", json!("html__select")),
        (
            Wire::Gemini,
            "/toolConfig/functionCallingConfig/allowedFunctionNames/0",
            json!("html__select"),
        ),
        (Wire::Ollama, "/tools/0/function/name", json!("html__select")),
    ] {
        let provider =
            ScriptedProvider::saying([ScriptedTurn::call("html__select", json!({"selector": "a"}))]).await;
        let request = ModelRequest {
            tools: tools(),
            choice: llm::Choice::Only("html.select".into()),
            max_tokens: Some(99),
            ..asking("go")
        };
        seat(&provider, wire).ask(&request).await.expect("a turn");
        let body = &provider.seen()[0].body;
        assert_eq!(body.pointer(pointer), Some(&expected), "{}: {body}", wire.name());
        assert!(body.to_string().contains("99"), "{}: {body}", wire.name());
    }
}

#[tokio::test]
async fn ollama_is_asked_for_the_window_that_is_reckoned_with_and_cuts_nothing_off() {
    for (set, window) in [(None, 16_384), (Some("32768"), 32_768)] {
        let provider = ScriptedProvider::saying([ScriptedTurn::text("ok")]).await;
        let mut settings = provider.settings(Wire::Ollama);
        if let Some(set) = set {
            settings.context = llm::ContextWindows::parse(set).expect("a number");
        }
        let seat = Models::new(settings, network())
            .seat(Role::Planner, Meter::default())
            .expect("a seat");
        assert_eq!(seat.model.capabilities().context_tokens, window);
        seat.ask(&asking("go")).await.expect("a turn");
        let body = &provider.seen()[0].body;
        assert_eq!(body["options"]["num_ctx"], window, "{body}");
        assert_eq!(body["truncate"], false, "{body}");
    }
}

#[tokio::test]
async fn a_spent_budget_ends_the_work_and_says_so() {
    let model = ScriptedModel::new(|_, _| ScriptedTurn::text("ok").costing(60, 10));
    let budget = TokenBudget {
        tokens: Some(100),
        micro_dollars: None,
    };
    let seat = RoleModel {
        meter: Meter::new(budget, Default::default()),
        ..RoleModel::new(Arc::new(model.clone()), Role::Writer)
    };
    seat.ask(&asking("one")).await.expect("within the budget");
    seat.ask(&asking("two")).await.expect("within the budget");
    let error = seat.ask(&asking("three")).await.expect_err("nothing is left");
    assert_eq!(
        error,
        Error::BudgetExceeded {
            used: 140,
            limit: 100,
            unit: "tokens"
        }
    );
    assert_eq!(
        model.asked()[1].max_tokens,
        Some(30),
        "the answer is bound to what is left"
    );
    assert_eq!(seat.meter.by_role()[&Role::Writer].answers, 2);
}

#[tokio::test]
async fn a_provider_that_does_not_count_is_counted_for() {
    // Tokens read and written, as the provider says.
    for (input, output) in [(0, 0), (7, 0), (0, 7), (7, 7)] {
        let model =
            ScriptedModel::new(move |_, _| ScriptedTurn::text("x".repeat(400)).costing(input, output));
        let seat = RoleModel::new(Arc::new(model), Role::Judge);
        let usage = seat.ask(&asking(&"y".repeat(800))).await.expect("a turn").usage;
        assert_eq!(usage.estimated, input == 0 || output == 0, "{usage:?}");
        assert_eq!(usage.output, if output == 0 { 100 } else { output }, "{usage:?}");
        match input {
            0 => assert!(usage.input >= 200, "{usage:?}"),
            given => assert_eq!(usage.input, given),
        }
    }
}

#[test]
fn every_call_gets_exactly_one_result_whatever_becomes_of_it() {
    let wire = json!([
        {"choices": [{"delta": {"tool_calls": [
            {"index": 0, "id": "a", "function": {"name": "html.select", "arguments": "{\"selector\":\"p\"}"}},
            {"index": 1, "id": "b", "function": {"name": "nobody", "arguments": "{}"}},
            {"index": 2, "id": "c", "function": {"name": "page.reload", "arguments": "{}"}}]}}]},
        "[DONE]"]);
    let mut decode = Wire::OpenAiChat.decoder();
    let mut assembler = llm::Assembler::new(tools(), Default::default());
    for chunk in wire.as_array().expect("chunks") {
        let data = chunk.as_str().map_or_else(|| chunk.to_string(), str::to_owned);
        assembler.push(
            decode
                .payload(&llm::sse::StreamPayload { event: None, data })
                .expect("a delta"),
        );
    }
    let turn = assembler.finish().expect("a turn");
    let mut history = History::new("");
    history.take(&turn);
    history.answer("c", "loaded", false).expect("open");
    assert!(history.answer("c", "again", false).is_err(), "a second result");
    assert!(
        history.answer("b", "it ran", false).is_err(),
        "a refused call has its result"
    );
    history.say(vec![MessageContent::Text("stop".into())]);
    let results: Vec<(String, bool)> = history
        .messages()
        .iter()
        .filter_map(|it| match it {
            llm::Message::Observation(seen) => Some((seen.call_id.clone(), seen.is_error)),
            _ => None,
        })
        .collect();
    assert_eq!(
        results,
        [
            ("b".to_owned(), true),
            ("c".to_owned(), false),
            ("a".to_owned(), true)
        ]
    );
}
