//! Recording and replaying exchanges, and model settings.

use std::collections::HashMap;

use llm::wires::Wire;
use llm::{Error, Meter, ModelSettings, Models, Role};
use testkit::{ProviderAnswer, ScriptedProvider, ScriptedTurn};

use crate::asking::{asking, network};

#[tokio::test]
async fn a_recorded_exchange_is_answered_again_without_the_provider_and_holds_no_key() {
    for wire in Wire::ALL {
        let folder = tempfile::tempdir().expect("a folder");
        let provider = ScriptedProvider::saying([
            ProviderAnswer::Turn(ScriptedTurn::text("first zażółć scripted-key-1234"), 3),
            ProviderAnswer::Turn(ScriptedTurn::text("second"), 0),
        ])
        .await;
        let mut settings = provider.settings(wire);
        settings.record = Some(folder.path().to_owned());
        let seat = Models::new(settings.clone(), network())
            .seat(Role::Planner, Meter::default())
            .expect("a seat");
        for text in ["first zażółć scripted-key-1234", "second"] {
            assert_eq!(
                seat.ask(&asking("same question")).await.expect("a turn").text,
                text
            );
        }
        drop(provider);
        let written: String = std::fs::read_dir(folder.path())
            .expect("the folder")
            .map(|file| std::fs::read_to_string(file.expect("a file").path()).expect("text"))
            .collect();
        assert!(
            !written.contains("scripted-key"),
            "{}: a key was written",
            wire.name()
        );
        settings.record = None;
        settings.replay = Some(folder.path().to_owned());
        settings.base_url = Some("http://198.51.100.7/v1".into());
        settings.api_key = None;
        let seat = Models::new(settings, network())
            .seat(Role::Planner, Meter::default())
            .expect("a seat");
        let mut texts = Vec::new();
        for _ in 0..3 {
            texts.push(
                seat.ask(&asking("same question"))
                    .await
                    .expect("a recorded turn")
                    .text,
            );
        }
        assert!(
            texts[0].starts_with("first zażółć") && texts[1..] == ["second", "second"],
            "{}: {texts:?}",
            wire.name()
        );
        let error = seat
            .ask(&asking("another question"))
            .await
            .expect_err("nothing recorded");
        assert!(matches!(error, Error::NotRecorded { .. }), "{error}");
    }
}

fn settings(pairs: &[(&str, &str)]) -> Result<ModelSettings, Error> {
    let pairs: HashMap<String, String> = pairs
        .iter()
        .map(|(name, value)| ((*name).into(), (*value).into()))
        .collect();
    ModelSettings::read(|name| pairs.get(name).cloned())
}

#[test]
fn settings_find_the_provider_its_address_and_its_key() {
    for (pairs, url, wire) in [
        (
            vec![("OPENAI_API_KEY", "k"), ("HUNTSMAN_LLM_MODEL", "m")],
            "https://api.openai.com/v1",
            Wire::OpenAiChat,
        ),
        (
            vec![
                ("OPENAI_BASE_URL", "http://127.0.0.1:9/v1"),
                ("HUNTSMAN_LLM_MODEL", "m"),
            ],
            "http://127.0.0.1:9/v1",
            Wire::OpenAiChat,
        ),
        (
            vec![("ANTHROPIC_API_KEY", "k"), ("HUNTSMAN_LLM_MODEL", "m")],
            "https://api.anthropic.com/v1",
            Wire::Anthropic,
        ),
        (
            vec![
                ("HUNTSMAN_LLM_PROVIDER", "openai_responses"),
                ("OPENAI_API_KEY", "k"),
                ("HUNTSMAN_LLM_MODEL", "m"),
            ],
            "https://api.openai.com/v1",
            Wire::OpenAiResponses,
        ),
        (
            vec![
                ("HUNTSMAN_LLM_PROVIDER", "groq"),
                ("GROQ_API_KEY", "k"),
                ("HUNTSMAN_LLM_MODEL", "m"),
            ],
            "https://api.groq.com/openai/v1",
            Wire::OpenAiChat,
        ),
        (
            vec![
                ("HUNTSMAN_LLM_PROVIDER", "ollama"),
                ("OLLAMA_HOST", "10.0.0.5:11434"),
                ("HUNTSMAN_LLM_MODEL", "m"),
            ],
            "http://10.0.0.5:11434/",
            Wire::Ollama,
        ),
        (
            vec![
                ("HUNTSMAN_LLM_PROVIDER", "LLama.cpp"),
                ("HUNTSMAN_LLM_MODEL", "m"),
            ],
            "http://127.0.0.1:8080/v1",
            Wire::OpenAiChat,
        ),
    ] {
        let endpoint = settings(&pairs)
            .and_then(|it| it.endpoint(Role::Planner))
            .expect("an endpoint");
        assert_eq!((endpoint.base_url.as_str(), endpoint.wire), (url, wire));
    }
    let roles = settings(&[
        ("OPENAI_API_KEY", "k"),
        ("HUNTSMAN_LLM_MODEL", "big"),
        ("HUNTSMAN_LLM_EXTRACTOR_MODEL", "small"),
    ])
    .expect("settings");
    let model = |role| roles.endpoint(role).expect("an endpoint").model;
    assert_eq!(
        (model(Role::Planner), model(Role::Extractor)),
        ("big".into(), "small".into())
    );
}

#[test]
fn what_is_missing_or_wrong_is_named() {
    for (pairs, code, names) in [
        (vec![], "LLM_NOT_CONFIGURED", "HUNTSMAN_LLM_PROVIDER"),
        (
            vec![("OPENAI_API_KEY", "k")],
            "LLM_NOT_CONFIGURED",
            "HUNTSMAN_LLM_MODEL",
        ),
        (
            vec![("HUNTSMAN_LLM_PROVIDER", "acme"), ("HUNTSMAN_LLM_MODEL", "m")],
            "LLM_UNKNOWN_PROVIDER",
            "openrouter",
        ),
        (
            vec![("HUNTSMAN_LLM_PROVIDER", "mistral"), ("HUNTSMAN_LLM_MODEL", "m")],
            "LLM_KEY_MISSING",
            "MISTRAL_API_KEY",
        ),
        (
            vec![
                ("HUNTSMAN_LLM_PROVIDER", "azure"),
                ("AZURE_OPENAI_API_KEY", "k"),
                ("HUNTSMAN_LLM_MODEL", "m"),
            ],
            "LLM_NOT_CONFIGURED",
            "HUNTSMAN_LLM_BASE_URL",
        ),
        (
            vec![
                ("HUNTSMAN_LLM_PROVIDER", "vllm"),
                ("HUNTSMAN_LLM_BASE_URL", "ftp://x"),
                ("HUNTSMAN_LLM_MODEL", "m"),
            ],
            "LLM_BAD_SETTING",
            "HUNTSMAN_LLM_BASE_URL",
        ),
        (
            vec![
                ("OPENAI_API_KEY", "k"),
                ("HUNTSMAN_LLM_MODEL", "m"),
                ("HUNTSMAN_LLM_REPAIR", "maybe"),
            ],
            "LLM_BAD_SETTING",
            "HUNTSMAN_LLM_REPAIR",
        ),
        (
            vec![
                ("OPENAI_API_KEY", "k"),
                ("HUNTSMAN_LLM_MODEL", "m"),
                ("HUNTSMAN_LLM_SILENCE_SECONDS", "-1"),
            ],
            "LLM_BAD_SETTING",
            "HUNTSMAN_LLM_SILENCE_SECONDS",
        ),
    ] {
        let error = settings(&pairs)
            .and_then(|it| it.endpoint(Role::Planner))
            .expect_err("it cannot work");
        assert_eq!(error.code(), code, "{error}");
        assert!(error.to_string().contains(names) && error.ends_run(), "{error}");
    }
    assert_eq!(
        Role::named("cook").expect_err("no role").code(),
        "LLM_UNKNOWN_ROLE"
    );
    assert!(
        !format!(
            "{:?}",
            settings(&[("OPENAI_API_KEY", "sk-secret"), ("HUNTSMAN_LLM_MODEL", "m")])
        )
        .contains("sk-secret")
    );
}

#[test]
fn prices_come_from_the_catalogue_and_the_operator_has_the_last_word() {
    let own =
        r#"{"house-*": {"input": 2, "output": 4, "cached": 1}, "gpt-4o-mini*": {"input": 9, "output": 9}}"#;
    let settings = settings(&[("OPENAI_API_KEY", "k"), ("HUNTSMAN_LLM_PRICES", own)]).expect("settings");
    let prices = settings.prices();
    assert_eq!(prices.of("gpt-4o-mini-2024-07-18").map(|it| it.input), Some(9.0));
    assert_eq!(prices.of("gpt-4o").map(|it| it.input), Some(2.5));
    assert_eq!(prices.of("nobody's"), None);
    let usage = llm::Usage {
        input: 1000,
        output: 100,
        cached: 400,
        estimated: false,
    };
    let meter = Meter::new(
        llm::TokenBudget {
            tokens: None,
            micro_dollars: Some(2000),
        },
        prices,
    );
    meter.charge(Role::Judge, "house-7b", usage);
    assert!(
        (meter.total().micro_dollars - 2000.0).abs() < 1e-6,
        "600 at 2, 400 at 1, 100 at 4"
    );
    assert_eq!(meter.check().expect_err("spent").code(), "BUDGET_EXCEEDED");
}
