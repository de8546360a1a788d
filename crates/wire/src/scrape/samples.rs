//! Full values of every scrape event, and of every kind of step.

use serde_json::{Map, Value, json};

use super::*;
use crate::num::Num;

const ADDRESS: &str = "https://shop.example/kettles?page=1";

fn object(value: Value) -> Map<String, Value> {
    match value {
        Value::Object(map) => map,
        _ => Map::new(),
    }
}

fn failure() -> ScrapeError {
    ScrapeError::new(
        Code::NavigationTimeout,
        "the page took longer than 30 s",
        Some(ADDRESS.into()),
    )
}

fn runtime(outcome: Option<CallOutcome>) -> StepDetail {
    let params = object(json!({"selector": "article", "limit": 20}));
    StepDetail::RuntimeCall(RuntimeCall {
        tool: "html.select".into(),
        params,
        outcome,
    })
}

fn registry(result: Option<Value>) -> StepDetail {
    StepDetail::RegistryCall(RegistryCall {
        tool_name: "html.parse".into(),
        tool_description: "reads HTML".into(),
        parameters: object(json!({"bytes": 5120})),
        result: result.map(object),
    })
}

fn step(data: Step) -> ScrapeEvent {
    ScrapeEvent::Step {
        data: data.on(ADDRESS),
    }
}

fn steps() -> Vec<ScrapeEvent> {
    let took = std::time::Duration::from_millis(12);
    let tool_calls = vec![PlannedCall {
        tool: "html.select".into(),
        params: object(json!({"selector": "article", "limit": 20})),
        reasoning: "find repeated blocks".into(),
    }];
    let success = CallOutcome::Success {
        preview: Preview::of(&json!({"count": 3})),
        duration_ms: 12,
    };
    let lost = CallOutcome::Failure {
        error: "nothing matches article".into(),
        code: Some(Code::ToolFailed),
        duration_ms: 2,
    };
    vec![
        step(Step::completed(
            StepDetail::Plan {
                urls: vec![ADDRESS.into()],
                columns: vec!["price".into()],
            },
            "1 page",
        )),
        step(Step::completed(
            StepDetail::Navigate {
                final_url: Some(ADDRESS.into()),
                http_status: Some(200),
                title: Some("Kettles".into()),
                engine: "http".into(),
            },
            "opened",
        )),
        step(Step::completed(
            StepDetail::Decision { tool_calls },
            "chose 1 tool",
        )),
        step(Step::running(registry(None), "html.parse(bytes=5120)").of_call("call-1")),
        step(
            Step::completed(registry(Some(json!({"nodes": 40}))), "html.parse() -> nodes=40")
                .of_call("call-1")
                .took(took),
        ),
        step(Step::running(runtime(None), "html.select").of_call("call-2")),
        step(
            Step::completed(runtime(Some(success)), "html.select")
                .of_call("call-2")
                .took(took),
        ),
        step(Step::failed(runtime(Some(lost)), "html.select").of_call("call-3")),
        step(Step::completed(
            StepDetail::Extract {
                mode: "rule-based".into(),
                items: Some(3),
                fields: vec!["title".into(), "price".into()],
                confidence: Some(Num::new(0.8)),
            },
            "3 items",
        )),
        step(Step::completed(
            StepDetail::Recover {
                reason: "no rows".into(),
                attempt: "repeated blocks".into(),
            },
            "trying repeated blocks",
        )),
        step(Step::completed(
            StepDetail::Verify {
                passed: Some(false),
                issues: vec!["row 2 has no price".into()],
            },
            "1 issue",
        )),
        step(Step::completed(
            StepDetail::Output {
                format: "csv".into(),
                rows: Some(3),
                bytes: Some(96),
            },
            "3 rows",
        )),
        step(Step::completed(
            StepDetail::PageDone {
                items: 3,
                page_reward: Num::hundredths(95),
                result: Some(
                    json!({"index": 0, "url": "https://shop.example/kettles", "status": "ok", "item": {"title": "Kettles"}}),
                ),
            },
            "done",
        )),
    ]
}

pub(super) fn all() -> Vec<ScrapeEvent> {
    use ScrapeEvent as E;
    let session_id = RunId::from_random([0x11; 16]);
    let mut all = vec![
        E::Init(Init {
            session_id: session_id.clone(),
        }),
        E::UrlStart(UrlStart {
            url: ADDRESS.into(),
            index: 0,
            total: 1,
        }),
    ];
    all.extend(steps());
    all.extend([
        E::Error { data: failure() },
        E::UrlComplete(UrlComplete {
            url: ADDRESS.into(),
            index: 0,
            status: Status::Failed,
            items: 0,
            error: Some(failure()),
        }),
        E::Complete {
            data: Box::new(ScrapeResponse {
                session_id,
                status: ScrapeStatus::Partial,
                total_steps: 13,
                total_reward: Num::hundredths(95),
                extracted_data: object(json!({ADDRESS: {"rows": [{"title": "K1", "price": 12.5}]}})),
                output: "title,price\nK1,12.5\n".into(),
                output_format: OutputFormat::Csv,
                duration_seconds: Num::new(1.25),
                urls_processed: 1,
                errors: vec![failure()],
                enabled_plugins: vec!["html-parser".into()],
                requested_plugins: vec!["html-parser".into()],
                selected_agents: vec!["extractor".into()],
                memory_enabled: false,
                sandbox_artifacts: vec!["output.csv".into()],
            }),
        },
    ]);
    all
}
