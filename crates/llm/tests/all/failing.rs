//! Providers that refuse, break off or stay silent.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use llm::retry::Retry;
use llm::transport::ModelTimeouts;
use llm::wires::Wire;
use llm::{AnswerProgress, Error, Meter, ModelRequest, ModelSettings, Models, Role, Unfinished};
use serde_json::json;
use testkit::{ProviderAnswer, ScriptedProvider, ScriptedTurn, SiteReply, TestSite};

use crate::asking::{asking, network, seat, tools};

fn refusal(status: u16, body: &str) -> ProviderAnswer {
    ProviderAnswer::Raw(SiteReply::bytes("application/json", body.to_owned()).status(status))
}

/// Quick retries: the first waits a millisecond.
fn patient(provider: &ScriptedProvider, wire: Wire) -> llm::RoleModel {
    let mut settings = provider.settings(wire);
    settings.retry = Retry {
        attempts: 3,
        base: Duration::from_millis(1),
        longest: Duration::from_millis(50),
    };
    Models::new(settings, network())
        .seat(Role::Planner, Meter::default())
        .expect("a seat")
}

#[tokio::test]
async fn what_no_retry_can_mend_ends_after_one_request_and_says_what_to_set() {
    for (status, body, code, remedy) in [
        (
            401,
            r#"{"error":{"message":"bad key scripted-key-1234"}}"#,
            "LLM_UNAUTHORIZED",
            "HUNTSMAN_LLM_API_KEY",
        ),
        (403, "forbidden", "LLM_UNAUTHORIZED", "HUNTSMAN_LLM_API_KEY"),
        (
            404,
            r#"{"error":{"message":"The model `x` does not exist","code":"model_not_found"}}"#,
            "LLM_UNKNOWN_MODEL",
            "HUNTSMAN_LLM_MODEL",
        ),
        (
            400,
            r#"{"error":{"message":"scripted is not a valid model ID"}}"#,
            "LLM_UNKNOWN_MODEL",
            "HUNTSMAN_LLM_MODEL",
        ),
        (
            404,
            r#"{"error":{"message":"File Not Found","type":"not_found_error"}}"#,
            "LLM_ENDPOINT_NOT_FOUND",
            "HUNTSMAN_LLM_BASE_URL",
        ),
        (
            402,
            r#"{"error":{"message":"insufficient credits"}}"#,
            "LLM_NO_CREDIT",
            "credit",
        ),
        (
            400,
            r#"{"error":{"message":"request (12057 tokens) exceeds","type":"exceed_context_size_error"}}"#,
            "LLM_CONTEXT_TOO_LONG",
            "12057",
        ),
    ] {
        for wire in Wire::ALL {
            let provider = ScriptedProvider::start(move |_, _| refusal(status, body)).await;
            let error = patient(&provider, wire)
                .ask(&asking("go"))
                .await
                .expect_err("a refusal");
            assert_eq!(error.code(), code, "{status} {}", wire.name());
            assert_eq!(provider.seen().len(), 1, "{status} is asked again");
            let text = error.to_string();
            assert!(text.contains(remedy), "{text}");
            assert!(!text.contains("scripted-key"), "{text}");
        }
    }
}

#[tokio::test]
async fn a_passing_failure_is_asked_again_before_the_first_byte() {
    let provider = ScriptedProvider::saying([
        ProviderAnswer::Raw(
            SiteReply::bytes("application/json", "{}")
                .status(429)
                .header("retry-after-ms", "3"),
        ),
        refusal(503, r#"{"error":{"message":"Loading model","code":503}}"#),
        ScriptedTurn::text("here").into(),
    ])
    .await;
    let turn = patient(&provider, Wire::OpenAiChat)
        .ask(&asking("go"))
        .await
        .expect("a turn at last");
    assert_eq!((turn.text.as_str(), provider.seen().len()), ("here", 3));
    let provider = ScriptedProvider::start(|_, _| {
        ProviderAnswer::Raw(
            SiteReply::bytes("application/json", "{}")
                .status(429)
                .header("retry-after", "3600"),
        )
    })
    .await;
    let error = patient(&provider, Wire::OpenAiChat)
        .ask(&asking("go"))
        .await
        .expect_err("too long a wait");
    assert_eq!((error.code(), provider.seen().len()), ("LLM_RATE_LIMITED", 1));
}

#[tokio::test]
async fn an_answer_that_breaks_off_is_asked_for_once_more() {
    for wire in Wire::ALL {
        let long = ScriptedTurn::text("a long answer that will not arrive as a whole");
        let breaks: fn(SiteReply) -> SiteReply = |reply| reply.broken_after(260);
        let provider = ScriptedProvider::saying([
            ProviderAnswer::Bent(long, breaks),
            ScriptedTurn::text("whole").into(),
        ])
        .await;
        let mut again = 0;
        let turn = seat(&provider, wire)
            .ask_with_progress(&asking("go"), |progress| {
                again += u32::from(matches!(progress, AnswerProgress::Retrying(_)))
            })
            .await
            .expect("the second answer");
        assert_eq!(
            (turn.text.as_str(), again, provider.seen().len()),
            ("whole", 1, 2),
            "{}",
            wire.name()
        );
    }
}

#[tokio::test]
async fn an_answer_whose_call_was_handed_out_is_never_asked_for_again() {
    let said =
        ScriptedTurn::call("html__select", json!({"selector": "a"})).and_call("page__reload", json!({}));
    // The first block is whole, the second is not.
    let breaks: fn(SiteReply) -> SiteReply = |reply| reply.broken_after(1000);
    let provider = ScriptedProvider::saying([
        ProviderAnswer::Bent(said, breaks),
        ScriptedTurn::text("second").into(),
    ])
    .await;
    let request = ModelRequest {
        tools: tools(),
        ..asking("go")
    };
    let mut ready = Vec::new();
    let outcome = seat(&provider, Wire::Anthropic)
        .ask_with_progress(&request, |progress| {
            if let AnswerProgress::Ready(calls) = progress {
                ready.extend(calls);
            }
        })
        .await;
    assert_eq!(ready.len(), 1);
    assert_eq!(outcome.expect_err("broken off").code(), "LLM_STREAM_TRUNCATED");
    assert_eq!(provider.seen().len(), 1);
}

#[tokio::test]
async fn a_silent_provider_is_not_waited_for_longer_than_the_limits_say() {
    let quick = Duration::from_millis(150);
    let long = Duration::from_secs(60);
    // The first words are within it.
    let begun: fn(SiteReply) -> SiteReply = |reply| reply.cut_after(500).never_ending();
    let nothing: fn(SiteReply) -> SiteReply = |reply| reply.cut_after(0).never_ending();
    for (limits, bend, wait) in [
        (
            ModelTimeouts {
                silence: quick,
                first_token: long,
                ..ModelTimeouts::default()
            },
            begun,
            llm::error::TimeoutStage::Silence,
        ),
        (
            ModelTimeouts {
                silence: long,
                first_token: quick,
                ..ModelTimeouts::default()
            },
            nothing,
            llm::error::TimeoutStage::FirstToken,
        ),
        (
            ModelTimeouts {
                silence: long,
                first_token: long,
                total: quick,
                ..ModelTimeouts::default()
            },
            begun,
            llm::error::TimeoutStage::Total,
        ),
    ] {
        let provider = ScriptedProvider::start(move |_, _| {
            ProviderAnswer::Bent(ScriptedTurn::text("a long answer of many words"), bend)
        })
        .await;
        let mut settings = provider.settings(Wire::OpenAiChat);
        settings.limits = limits;
        let seat = Models::new(settings, network())
            .seat(Role::Planner, Meter::default())
            .expect("a seat");
        let error = seat.ask(&asking("go")).await.expect_err("silence");
        assert_eq!(error, Error::Timeout { wait, limit: quick });
        let usage = seat.meter.total().usage;
        let has_written = wait != llm::error::TimeoutStage::FirstToken;
        assert!(
            usage.input > 0 && (usage.output > 0) == has_written && usage.estimated,
            "what was read and written is charged: {usage:?}"
        );
    }
}

/// The head of a stream, before the first word.
const ROLE: &str =
    "data: {\"choices\":[{\"index\":0,\"delta\":{\"role\":\"assistant\",\"content\":\"\"}}]}\n\n";

fn events(body: String) -> SiteReply {
    SiteReply::bytes("text/event-stream", body)
}

#[tokio::test]
async fn an_answer_has_not_begun_before_its_first_word() {
    let overloaded = format!("{ROLE}data: {{\"error\":{{\"message\":\"overloaded\"}}}}\n\n");
    let provider = ScriptedProvider::saying([
        ProviderAnswer::Raw(events(overloaded)),
        ScriptedTurn::text("here").into(),
    ])
    .await;
    let mut void = 0;
    let turn = patient(&provider, Wire::OpenAiChat)
        .ask_with_progress(&asking("go"), |progress| {
            void += u32::from(matches!(progress, AnswerProgress::Retrying(_)));
        })
        .await
        .expect("the second answer");
    assert_eq!(
        (turn.text.as_str(), void),
        ("here", 0),
        "nothing was given that is void"
    );
    let provider =
        ScriptedProvider::start(|_, _| ProviderAnswer::Raw(events(ROLE.to_owned()).never_ending())).await;
    let mut settings = provider.settings(Wire::OpenAiChat);
    settings.limits = ModelTimeouts {
        silence: Duration::from_millis(50),
        first_token: Duration::from_millis(300),
        ..ModelTimeouts::default()
    };
    let seat = Models::new(settings, network())
        .seat(Role::Planner, Meter::default())
        .expect("a seat");
    let error = seat.ask(&asking("go")).await.expect_err("no word came");
    let first = Error::Timeout {
        wait: llm::error::TimeoutStage::FirstToken,
        limit: Duration::from_millis(300),
    };
    assert_eq!(error, first);
}

#[tokio::test]
async fn an_answer_that_nobody_waits_for_any_more_is_charged_as_far_as_it_came() {
    for wire in Wire::ALL {
        let provider = ScriptedProvider::start(|_, _| {
            let bend: fn(SiteReply) -> SiteReply = |reply| reply.cut_after(3000).never_ending();
            ProviderAnswer::Bent(ScriptedTurn::text("many words ".repeat(200)), bend)
        })
        .await;
        let seat = seat(&provider, wire);
        let written = tokio::sync::Notify::new();
        let request = asking("go");
        let answer = seat.ask_with_progress(&request, |progress| {
            if let AnswerProgress::Delta(delta) = progress
                && delta.parts.iter().any(|part| matches!(part, llm::Part::Text(_)))
            {
                written.notify_one();
            }
        });
        tokio::select! {
            _ = answer => panic!("the answer never ends"),
            () = written.notified() => {}
        }
        let spent = seat.meter.total();
        assert!(
            spent.usage.input > 0 && spent.usage.output > 0 && spent.answers == 1,
            "{}: {spent:?}",
            wire.name()
        );
    }
}

#[tokio::test]
async fn embeddings_are_asked_for_again_after_a_passing_failure() {
    let json = |status: u16, body: &str| SiteReply::bytes("application/json", body.to_owned()).status(status);
    let replies = [
        json(429, "{}"),
        json(503, "{}"),
        json(200, r#"{"data":[{"index":0,"embedding":[0.5,1]}],"model":"m"}"#),
        json(200, "{").never_ending(),
    ];
    let number = AtomicUsize::new(0);
    let site = TestSite::start(move |_| replies[number.fetch_add(1, Ordering::Relaxed)].clone()).await;
    let settings = ModelSettings {
        provider: Some("openai_chat".into()),
        model: Some("m".into()),
        base_url: Some(site.url("/v1")),
        limits: ModelTimeouts {
            silence: Duration::from_millis(150),
            ..ModelTimeouts::default()
        },
        retry: Retry {
            attempts: 3,
            base: Duration::from_millis(1),
            longest: Duration::from_millis(50),
        },
        ..ModelSettings::default()
    };
    let seat = Models::new(settings, network())
        .seat(Role::Planner, Meter::default())
        .expect("a seat");
    let texts = ["a text of words".to_owned()];
    let embedded = seat.embed(&texts, None).await.expect("vectors at last");
    assert_eq!(embedded.vectors, [[0.5, 1.0]]);
    assert_eq!((embedded.usage.input, embedded.usage.estimated), (4, true));
    let error = seat.embed(&texts, None).await.expect_err("silence");
    let silence = Error::Timeout {
        wait: llm::error::TimeoutStage::Silence,
        limit: Duration::from_millis(150),
    };
    assert_eq!(error, silence);
}

#[tokio::test]
async fn an_error_inside_the_stream_a_filter_and_a_refusal_have_names() {
    let stream = |body: &str| ProviderAnswer::Raw(SiteReply::bytes("text/event-stream", body.to_owned()));
    for (body, code, times) in [
        (
            "data: {\"error\":{\"message\":\"overloaded\"}}\n\n",
            "LLM_UPSTREAM_ERROR",
            2,
        ),
        (
            "data: {\"choices\":[{\"delta\":{},\"finish_reason\":\"content_filter\"}]}\n\ndata: [DONE]\n\n",
            "LLM_CONTENT_FILTER",
            1,
        ),
        (
            "data: {\"choices\":[{\"delta\":{\"refusal\":\"I will not.\"},\"finish_reason\":\"stop\"}]}\n\ndata: [DONE]\n\n",
            "LLM_REFUSAL",
            1,
        ),
        ("data: {oops}\n\n", "LLM_MALFORMED_CHUNK", 2),
        ("", "LLM_STREAM_TRUNCATED", 2),
    ] {
        let body = body.to_owned();
        let provider = ScriptedProvider::start(move |_, _| stream(&body)).await;
        let error = seat(&provider, Wire::OpenAiChat)
            .ask(&asking("go"))
            .await
            .expect_err("no turn");
        assert_eq!((error.code(), provider.seen().len()), (code, times));
        assert!(
            matches!(error, Error::Unfinished(Unfinished::ContentFilter { .. })) == code.contains("FIL")
                || code.contains("REF")
                || times == 2
        );
    }
}

#[tokio::test]
async fn a_provider_that_is_not_there_is_named() {
    let provider = ScriptedProvider::saying([ScriptedTurn::text("never")]).await;
    let mut settings = provider.settings(Wire::OpenAiChat);
    drop(provider);
    settings.base_url = Some("http://127.0.0.1:9/v1".into());
    let seat = Models::new(settings, network())
        .seat(Role::Planner, Meter::default())
        .expect("a seat");
    let error = seat.ask(&asking("go")).await.expect_err("nobody there");
    assert_eq!(error.code(), "LLM_UNREACHABLE");
    assert!(error.to_string().contains("HUNTSMAN_LLM_BASE_URL"));
}
