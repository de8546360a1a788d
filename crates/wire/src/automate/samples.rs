//! One full value per automate event.

use std::collections::BTreeMap;

use serde_json::json;

use super::*;
use crate::ids::RequestId;
use crate::num::Num;

fn some(text: &str) -> Option<String> {
    Some(text.to_owned())
}

fn counters() -> TaskMetrics {
    TaskMetrics {
        ai_generation_count: 4,
        ai_generation_error_count: 1,
        event_counts: BTreeMap::from([("agent:step".to_owned(), 3)]),
        step_count: 3,
        total_input_tokens: 5120,
        total_output_tokens: 384,
    }
}

fn action() -> AgentAction {
    AgentAction {
        action: "fill".into(),
        ref_: some("E42"),
        value: some("weißer Tee\n2 Zeilen"),
    }
}

fn field() -> FormField {
    FormField {
        ref_: "E7".into(),
        label: "Country".into(),
        field_type: FieldType::Select,
        required: true,
        options: Some(vec!["Norway".into(), "Peru".into()]),
        current_value: some("Peru"),
        description: some("where you live"),
    }
}

fn asked() -> FormDataRequest {
    FormDataRequest {
        request_id: RequestId::from_random([0x5a; 16]),
        page_url: "https://shop.example/checkout".into(),
        page_title: "Checkout".into(),
        form_description: "delivery address".into(),
        fields: vec![field()],
    }
}

pub(super) fn all() -> Vec<AutomateEvent> {
    use AutomateEvent as E;
    let FormDataRequest {
        request_id,
        page_url,
        page_title,
        form_description,
        fields,
    } = asked();
    vec![
        E::TaskTraceContext(TaskTraceContext {
            trace_id: "0af7651916cd43dd8448eb211c80319c".into(),
        }),
        E::TaskSetup(TaskSetup {
            task: "find the cheapest kettle".into(),
            browser_name: "chromium".into(),
            url: some("https://shop.example/"),
            guardrails: some("do not buy anything"),
            data: Some(json!({"email": "{{email}}"})),
            has_api_key: Some(true),
            key_source: Some(KeySource::Env),
            model: some("small-model"),
            provider: some("openai"),
            proxy: some("proxy.example"),
            pw_endpoint: some("withheld"),
            pw_cdp_endpoint: some("withheld"),
            pw_cdp_endpoints: Some(vec!["withheld".into()]),
            pw_cdp_endpoint_count: Some(1),
            vision: Some(false),
        }),
        E::TaskStarted(TaskStarted {
            task: "find the cheapest kettle".into(),
            success_criteria: "name and price of one kettle".into(),
            plan: "1. search\n2. sort by price".into(),
            url: "https://shop.example/".into(),
            action_items: Some(vec!["search".into(), "sort by price".into()]),
            title: some("Shop"),
        }),
        E::TaskValidated(TaskValidated {
            observation: "the answer names a price that the page shows".into(),
            completion_quality: CompletionQuality::Complete,
            final_answer: "Kettle K1, 12.50 EUR".into(),
            feedback: some("say which page"),
        }),
        E::TaskValidationError(TaskValidationError {
            errors: vec!["no price given".into()],
            retry_count: 1,
            raw_response: json!({"completionQuality": "partial"}),
            feedback: some("give the price"),
        }),
        E::TaskAborted(TaskAborted {
            reason: "the shop is closed".into(),
            final_answer: "nothing found".into(),
        }),
        E::TaskCompleted(TaskCompleted {
            success: Some(true),
            final_answer: some("Kettle K1, 12.50 EUR"),
        }),
        E::TaskMetrics(counters()),
        E::TaskMetricsIncremental(counters()),
        E::AgentProcessing(AgentProcessing {
            operation: "choosing the next action".into(),
            has_screenshot: false,
        }),
        E::AgentStatus(AgentStatus {
            message: "plan made".into(),
        }),
        E::AgentStep(AgentStep { current_iteration: 0 }),
        E::AgentReasoned(AgentReasoned {
            reasoning: "the search box is E42".into(),
        }),
        E::AgentAction(action()),
        E::AgentWaiting(AgentWaiting {
            seconds: Num::new(1.5),
        }),
        E::AgentExtracted(AgentExtracted {
            extracted_data: "| kettle | price |\n|---|---|".into(),
        }),
        E::BrowserNavigated(BrowserNavigated {
            title: "Shop".into(),
            url: "https://shop.example/".into(),
        }),
        E::BrowserActionStarted(action()),
        E::BrowserActionCompleted(BrowserActionCompleted {
            success: false,
            error: some("E42 is covered by a dialog; close it first"),
            action: some("click"),
            is_recoverable: Some(true),
        }),
        E::BrowserScreenshotCaptured(BrowserScreenshotCaptured {
            format: ImageFormat::Jpeg,
            size: 48_213,
        }),
        E::BrowserScreenshotCapturedImage(BrowserScreenshotCapturedImage {
            image: "/9j/4AAQ".into(),
            media_type: ImageMediaType::Jpeg,
        }),
        E::BrowserReconnected(BrowserReconnected {
            starting_url: "https://shop.example/".into(),
            endpoint_index: 1,
            total: 2,
        }),
        E::CdpEndpointConnected(CdpEndpointConnected {
            endpoint_index: 0,
            total: 2,
        }),
        E::CdpEndpointCycle(CdpEndpointCycle {
            attempt: 1,
            total: 2,
            error: "TimeoutError".into(),
        }),
        E::FormDataRequest(asked()),
        E::FormDataError(FormDataError {
            request_id,
            page_url,
            page_title,
            form_description,
            fields,
            field_errors: BTreeMap::from([("E7".to_owned(), "we do not deliver there".to_owned())]),
        }),
        E::AiGeneration(AiGeneration {
            prompt: "choose the next action".into(),
            schema: json!({"type": "object"}),
            usage: TokenUsage {
                input_tokens: Some(900),
                output_tokens: Some(40),
                total_tokens: Some(940),
            },
            finish_reason: FinishReason::ToolCalls,
            messages: Some(vec![ModelMessage {
                role: Role::System,
                content: "you act in a browser".into(),
                provider_options: Some(BTreeMap::from([("openai".to_owned(), json!({"seed": 7}))])),
            }]),
            object: Some(json!({"action": "click"})),
            provider_metadata: Some(BTreeMap::from([("openai".to_owned(), json!({"cached": 512}))])),
            temperature: Some(Num::new(0.2)),
            warnings: Some(vec![json!({"type": "unsupported-setting"})]),
        }),
        E::AiGenerationError(AiGenerationError {
            error: "the provider answered 500".into(),
            prompt: "choose the next action".into(),
            schema: json!({"type": "object"}),
            messages: Some(vec![json!({"role": "user"})]),
        }),
        E::DebugCompression(DebugCompression {
            original_size: 18_000,
            compressed_size: 12_600,
            compression_percent: Num::new(30.0),
        }),
        E::DebugMessage(DebugMessage {
            messages: vec![json!({"role": "user", "content": "hello"})],
        }),
        E::Complete(Complete {
            success: false,
            final_answer: None,
            stats: Stats {
                iterations: 12,
                actions: 9,
                start_time: 1_764_000_000_000,
                end_time: 1_764_000_009_000,
                duration_ms: 9_000,
            },
            error: Some(Failure {
                code: FailureCode::MaxErrors,
                message: "five errors in a row".into(),
            }),
            validation_outcome: Some(ValidationOutcome::ForceAccepted),
        }),
        E::Done(Done {}),
        E::Error(RunError::new(
            crate::Code::BrowserUnavailable,
            "no browser could be started",
        )),
    ]
}
