//! Diagnostics of model calls: what they carry and what they never carry.

use std::io::{self, Write};
use std::sync::{Arc, Mutex};

use llm::endpoint::ApiKey;
use llm::wires::Wire;
use llm::{Meter, ModelRequest, Models, Role};
use serde_json::json;
use testkit::{ProviderAnswer, ScriptedProvider, ScriptedTurn, SiteReply};
use tracing_subscriber::fmt::MakeWriter;

use crate::asking::{asking, network, tools};

/// Keeps what is logged.
#[derive(Clone, Default)]
struct Log(Arc<Mutex<Vec<u8>>>);

impl Write for Log {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.lock().unwrap().write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl<'a> MakeWriter<'a> for Log {
    type Writer = Log;

    fn make_writer(&'a self) -> Log {
        self.clone()
    }
}

#[tokio::test]
async fn a_model_call_is_logged_with_its_sizes_and_without_texts_or_keys() {
    let log = Log::default();
    // For the whole process: other tests may have registered the call sites in their threads already.
    let subscriber = tracing_subscriber::fmt()
        .with_max_level(tracing_subscriber::filter::LevelFilter::TRACE)
        .with_ansi(false)
        .with_writer(log.clone())
        .finish();
    tracing::subscriber::set_global_default(subscriber).unwrap();
    let failing = SiteReply::bytes("application/json", "{\"error\":\"body-s3cret\"}").status(400);
    let mut called =
        ScriptedTurn::call("nobody__offers", json!({"value": "argument-s3cret"})).costing(4321, 17);
    called.text = "answer-s3cret".into();
    let provider =
        ScriptedProvider::saying([ProviderAnswer::Turn(called, 5), ProviderAnswer::Raw(failing)]).await;
    let mut settings = provider.settings(Wire::OpenAiChat);
    settings.api_key = Some(ApiKey::new("key-s3cret"));
    settings.base_url = settings
        .base_url
        .map(|url| format!("{url}?api-version=query-s3cret"));
    let model = Models::new(settings, network())
        .seat(Role::Writer, Meter::default())
        .unwrap();
    let request = ModelRequest {
        tools: tools(),
        ..asking("prompt-s3cret")
    };
    model.ask(&request).await.unwrap();
    model.ask(&request).await.unwrap_err();
    let text = String::from_utf8(log.0.lock().unwrap().clone()).unwrap();
    for expected in [
        "model_call{role=\"writer\"",
        "answer began",
        "input_tokens=4321 output_tokens=17",
        "finish=\"tool_calls\"",
        "tool call rejected code=\"unknown_tool\"",
        "request failed",
        "error=\"LLM_BAD_REQUEST\"",
    ] {
        assert!(text.contains(expected), "{expected} is missing in {text}");
    }
    assert!(!text.contains("s3cret"), "{text}");
}
