//! One page of a scrape run, read with a model: each question is a step of the stream.

use extract::asking::{Attempt, Course, Heard, Material, Question, Shaped, Task};
use extract::mode::Mode;
use serde_json::{Map, Value, json};
use tokio::time::Instant;
use wire::scrape::{CallOutcome, Preview, RuntimeCall, ScrapeRequest, Step, StepDetail};

use super::page::Teller;
use super::read::{self, Reading};
use crate::asking::Asker;
use crate::cancel::Cancelled;
use crate::error_codes;

/// The name of a question in the stream.
const TOOL: &str = "llm.read";

/// Reads a page, asking about what the rules left open.
///
/// # Errors
/// When the run is over.
pub(super) async fn read(
    teller: &mut Teller<'_>,
    asker: &Asker,
    request: &ScrapeRequest,
    (mode, retries): (Mode, u32),
    material: Material,
) -> Result<Reading, Cancelled> {
    match &request.schema {
        None => items(teller, asker, request, (mode, retries), material).await,
        Some(schema) => shape(teller, asker, request, (mode, retries), material, schema).await,
    }
}

async fn items(
    teller: &mut Teller<'_>,
    asker: &Asker,
    request: &ScrapeRequest,
    (mode, retries): (Mode, u32),
    material: Material,
) -> Result<Reading, Cancelled> {
    let mut course = Course::new(material, mode, read::wants(request, mode), retries);
    while let Some(question) = course.ask() {
        let asking = Asking::begin(teller, &question).await?;
        let heard = teller.run.until_cancelled(asker.put(&question)).await?;
        course.hear(&question, &heard);
        asking.end(teller, &heard, course.attempts().last()).await?;
    }
    let outcome = course.finish();
    let issues: Vec<String> = outcome
        .meta
        .missing
        .iter()
        .map(|it| format!("{it} was not found"))
        .collect();
    let judged = StepDetail::Verify {
        passed: Some(issues.is_empty()),
        issues,
    };
    let text = format!("{} of 100 covered", (outcome.meta.coverage * 100.0).round());
    teller.say(Step::completed(judged, text)).await?;
    let mut reading = Reading::of(&outcome.item);
    reading.meta = serde_json::to_value(&outcome.meta).ok();
    reading.blame(outcome.error.as_ref());
    Ok(reading)
}

/// Reads a page into the shape of a schema. What the rules read stays the item where the model gave nothing.
async fn shape(
    teller: &mut Teller<'_>,
    asker: &Asker,
    request: &ScrapeRequest,
    (mode, retries): (Mode, u32),
    material: Material,
    schema: &Value,
) -> Result<Reading, Cancelled> {
    let mut reading = Reading::of(&material.item);
    let page_type = material.item.page_type;
    let mut shaped = match Shaped::new(material, schema, Task::Extract, &request.instructions, retries) {
        Ok(shaped) => shaped,
        Err(error) => {
            reading.blame(Some(&error));
            return Ok(reading);
        }
    };
    while let Some(question) = shaped.ask() {
        let asking = Asking::begin(teller, &question).await?;
        let heard = teller.run.until_cancelled(asker.put(&question)).await?;
        shaped.hear(&question, &heard);
        asking.end(teller, &heard, shaped.attempts().last()).await?;
    }
    let attempts = serde_json::to_value(shaped.attempts()).unwrap_or_default();
    reading.meta = Some(json!({"mode": mode, "page_type": page_type.name(), "attempts": attempts}));
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
        Err(error) => reading.blame(Some(&error)),
    }
    Ok(reading)
}

impl Reading {
    /// What the model's failure means: a run whose budget is spent ends with what it has, and says so.
    fn blame(&mut self, error: Option<&llm::Error>) {
        match error {
            Some(spent @ llm::Error::BudgetExceeded { .. }) => {
                self.warnings.push(format!("read by rules alone, for {spent}"));
            }
            other => self.failure = other.map(error_codes::model_error),
        }
    }
}

/// A question on its way: the running step is said, the closing one is owed.
struct Asking {
    id: String,
    params: Map<String, Value>,
    began: Instant,
}

impl Asking {
    async fn begin(teller: &mut Teller<'_>, question: &Question) -> Result<Self, Cancelled> {
        let params = json!({"attempt": question.number, "fields": question.fields, "bytes": question.shown});
        let asking = Self {
            id: format!("{TOOL}-{}-{}", teller.index, question.number),
            params: params.as_object().cloned().unwrap_or_default(),
            began: Instant::now(),
        };
        let text = match question.fields.as_slice() {
            [] => format!("asking the model, attempt {}", question.number),
            fields => format!(
                "asking the model for {}, attempt {}",
                fields.join(", "),
                question.number
            ),
        };
        teller.say(asking.step(None, text)).await?;
        Ok(asking)
    }

    fn step(&self, outcome: Option<CallOutcome>, text: String) -> Step {
        let ended = outcome.is_some();
        let call = RuntimeCall {
            tool: TOOL.to_owned(),
            params: self.params.clone(),
            outcome,
        };
        let detail = StepDetail::RuntimeCall(call);
        let step = if ended {
            Step::completed(detail, text).took(self.began.elapsed())
        } else {
            Step::running(detail, text)
        };
        step.of_call(self.id.clone())
    }

    async fn end(
        self,
        teller: &mut Teller<'_>,
        heard: &Heard,
        attempt: Option<&Attempt>,
    ) -> Result<(), Cancelled> {
        let duration_ms = u64::try_from(self.began.elapsed().as_millis()).unwrap_or(u64::MAX);
        let (outcome, text) = match (&heard.value, &heard.error) {
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
                    "input_tokens": heard.usage.input,
                    "output_tokens": heard.usage.output,
                    "turns": heard.turns,
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
        teller.say(step).await
    }
}
