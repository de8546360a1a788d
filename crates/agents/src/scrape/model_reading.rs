//! Reading a page with a model: each question is a step of the stream.

use extract::llm_extraction::{
    ExtractionInput, FieldCompletion, ModelAttempt, ModelReply, Question, SchemaExtraction, SchemaTask,
};
use extract::modes::ItemMode;
use serde_json::{Map, Value, json};
use tokio::time::Instant;
use wire::scrape::{CallOutcome, Preview, RuntimeCall, ScrapeRequest, ScrapeStep, StepDetail};

use super::rule_reading::{self, PageReading};
use super::step_emitter::StepEmitter;
use crate::cancel::Cancelled;
use crate::error_codes;
use crate::page_model::PageModel;

/// The name of a question in the stream.
const TOOL: &str = "llm.read";

/// Reads a page, asking about what the rules left open.
///
/// # Errors
/// When the run is over.
pub(super) async fn read(
    steps: &mut StepEmitter<'_>,
    model: &PageModel,
    request: &ScrapeRequest,
    (mode, retries): (ItemMode, u32),
    input: ExtractionInput,
) -> Result<PageReading, Cancelled> {
    match &request.schema {
        None => items(steps, model, request, (mode, retries), input).await,
        Some(schema) => shape(steps, model, request, (mode, retries), input, schema).await,
    }
}

async fn items(
    steps: &mut StepEmitter<'_>,
    model: &PageModel,
    request: &ScrapeRequest,
    (mode, retries): (ItemMode, u32),
    input: ExtractionInput,
) -> Result<PageReading, Cancelled> {
    let mut completion = FieldCompletion::new(
        input,
        mode,
        rule_reading::extraction_request(request, mode),
        retries,
    )
    .for_context(model.context_tokens());
    loop {
        completion.set_tokens_left(model.tokens_left());
        let Some(question) = completion.ask() else { break };
        let question_step = QuestionStep::begin(steps, &question).await?;
        let answer = steps.run.until_cancelled(model.ask(&question)).await?;
        completion.hear(&question, &answer);
        question_step
            .end(steps, &answer, completion.attempts().last())
            .await?;
    }
    let outcome = completion.finish();
    let issues: Vec<String> = outcome
        .meta
        .missing
        .iter()
        .map(|field| format!("{field} was not found"))
        .collect();
    let judged = StepDetail::Verify {
        passed: Some(issues.is_empty()),
        issues,
    };
    let text = format!("{} of 100 covered", (outcome.meta.coverage * 100.0).round());
    steps.emit(ScrapeStep::completed(judged, text)).await?;
    let mut reading = PageReading::of(&outcome.item);
    reading.meta = serde_json::to_value(&outcome.meta).ok();
    if !outcome.meta.missing.is_empty() {
        let unread = outcome.meta.page_text.and_then(|coverage| coverage.warning());
        reading.warnings.extend(unread);
    }
    reading.note_failure(outcome.error.as_ref());
    Ok(reading)
}

/// Reads a page into the shape of a schema. What the rules read stays the item where the model gave nothing.
async fn shape(
    steps: &mut StepEmitter<'_>,
    model: &PageModel,
    request: &ScrapeRequest,
    (mode, retries): (ItemMode, u32),
    input: ExtractionInput,
    schema: &Value,
) -> Result<PageReading, Cancelled> {
    let mut reading = PageReading::of(&input.item);
    let page_type = input.item.page_type;
    let mut shaped = match SchemaExtraction::new(
        input,
        schema,
        SchemaTask::Extract,
        &rule_reading::instructions(request),
        retries,
    ) {
        Ok(shaped) => shaped.for_context(model.context_tokens()),
        Err(error) => {
            reading.note_failure(Some(&error));
            return Ok(reading);
        }
    };
    loop {
        shaped.set_tokens_left(model.tokens_left());
        let Some(question) = shaped.ask() else { break };
        let question_step = QuestionStep::begin(steps, &question).await?;
        let answer = steps.run.until_cancelled(model.ask(&question)).await?;
        shaped.hear(&question, &answer);
        question_step
            .end(steps, &answer, shaped.attempts().last())
            .await?;
    }
    let attempts = serde_json::to_value(shaped.attempts()).unwrap_or_default();
    let coverage = shaped.page_coverage();
    reading.meta = Some(
        json!({"mode": mode, "page_type": page_type.name(), "attempts": attempts, "page_text": coverage}),
    );
    reading.warnings.extend(coverage.warning());
    let strangers = shaped.strangers();
    if !strangers.is_empty() {
        let hosts = strangers.join(", ");
        let told = format!(
            "the model wrote addresses that the page does not name ({hosts}); do not open them unseen"
        );
        reading.warnings.push(told);
    }
    match shaped.finish() {
        Ok(Value::Object(map)) => {
            reading.fields = map.keys().cloned().collect();
            reading.item = Value::Object(map);
        }
        Ok(rows) => reading.rows = Some(rows),
        Err(error) => reading.note_failure(Some(&error)),
    }
    Ok(reading)
}

impl PageReading {
    /// What the model's failure means: a run whose budget is spent ends with what it has, and says so.
    fn note_failure(&mut self, error: Option<&llm::Error>) {
        match error {
            Some(spent @ llm::Error::BudgetExceeded { .. }) => {
                self.warnings.push(format!("read by rules alone, for {spent}"));
            }
            other => self.failure = other.map(error_codes::model_error),
        }
    }
}

/// A question on its way: the running step is said, the closing one is owed.
struct QuestionStep {
    id: String,
    params: Map<String, Value>,
    started: Instant,
}

impl QuestionStep {
    async fn begin(steps: &mut StepEmitter<'_>, question: &Question) -> Result<Self, Cancelled> {
        let params = json!({"attempt": question.number, "fields": question.fields, "bytes": question.shown});
        let question_step = Self {
            id: format!("{TOOL}-{}-{}", steps.index, question.number),
            params: params.as_object().cloned().unwrap_or_default(),
            started: Instant::now(),
        };
        let text = match question.fields.as_slice() {
            [] => format!("asking the model, attempt {}", question.number),
            fields => format!(
                "asking the model for {}, attempt {}",
                fields.join(", "),
                question.number
            ),
        };
        steps.emit(question_step.step(None, text)).await?;
        Ok(question_step)
    }

    fn step(&self, outcome: Option<CallOutcome>, text: String) -> ScrapeStep {
        let ended = outcome.is_some();
        let call = RuntimeCall {
            tool: TOOL.to_owned(),
            params: self.params.clone(),
            outcome,
        };
        let detail = StepDetail::RuntimeCall(call);
        let step = if ended {
            ScrapeStep::completed(detail, text).took(self.started.elapsed())
        } else {
            ScrapeStep::running(detail, text)
        };
        step.of_call(self.id.clone())
    }

    async fn end(
        self,
        steps: &mut StepEmitter<'_>,
        answer: &ModelReply,
        attempt: Option<&ModelAttempt>,
    ) -> Result<(), Cancelled> {
        let duration_ms = u64::try_from(self.started.elapsed().as_millis()).unwrap_or(u64::MAX);
        let (outcome, text) = match (&answer.value, &answer.error) {
            (None, Some(error)) => {
                let failure = CallOutcome::Failure {
                    error: error.to_string(),
                    code: Some(error_codes::model_code(error)),
                    duration_ms,
                };
                (failure, format!("the model gave no answer: {error}"))
            }
            _ => {
                let gained = attempt.map(|attempt| attempt.gained.clone()).unwrap_or_default();
                let told = json!({
                    "input_tokens": answer.usage.input,
                    "output_tokens": answer.usage.output,
                    "turns": answer.turns,
                    "dropped": attempt.map_or(0, |attempt| attempt.dropped),
                    "gained": gained,
                });
                let success = CallOutcome::Success {
                    preview: Preview::of(&told),
                    duration_ms,
                };
                let text = if gained.is_empty() {
                    "the model answered".to_owned()
                } else {
                    format!("the model gave {}", gained.join(", "))
                };
                (success, text)
            }
        };
        let step = self.step(Some(outcome), text);
        steps.emit(step).await
    }
}
