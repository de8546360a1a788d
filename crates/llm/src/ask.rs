//! `RoleModel`: asking a model in a role for one whole answer.

use std::sync::Arc;
use std::time::Duration;

use futures_util::StreamExt;
use tokio::time::Instant;
use tracing::field::Empty;
use tracing::{Instrument, Span, debug, debug_span};

use crate::assemble::{Assembler, AssemblerOptions};
use crate::budget::{Meter, Role};
use crate::delta::{Delta, FinishReason};
use crate::error::Error;
use crate::history::call_ids;
use crate::message::{Message, MessageContent};
use crate::model::{Embedded, Model, ModelRequest};
use crate::output_mode::KnownModes;
use crate::turn::{ModelAnswer, ToolCall};
use crate::unfinished::Unfinished;
use crate::usage::Usage;

/// A model in a role, with the meter of the run it works for.
#[derive(Clone)]
pub struct RoleModel {
    /// The model.
    pub model: Arc<dyn Model>,
    /// The role whose account is charged.
    pub role: Role,
    /// The run's meter.
    pub meter: Meter,
    /// How answers are assembled.
    pub rules: AssemblerOptions,
    /// How models are held to schemas, as far as that is known.
    pub modes: KnownModes,
}

/// Progress of an answer.
pub enum AnswerProgress<'a> {
    /// The next delta.
    Delta(&'a Delta),
    /// Calls that may start already: they are whole, and the wire closed them.
    Ready(Vec<ToolCall>),
    /// The answer failed and is requested again; what came of it so far is void.
    Retrying(&'a Error),
}

/// How often an answer that broke off is requested again while none of its calls was given out.
const RETRIES: u32 = 1;

impl RoleModel {
    /// A model in a role, with a new meter.
    pub fn new(model: Arc<dyn Model>, role: Role) -> Self {
        Self {
            model,
            role,
            meter: Meter::default(),
            rules: AssemblerOptions::default(),
            modes: KnownModes::default(),
        }
    }

    /// Sends a request and waits for the whole answer.
    ///
    /// # Errors
    /// When the model cannot be asked, its answer is no turn, or the budget is spent.
    pub async fn ask(&self, request: &ModelRequest) -> Result<ModelAnswer, Error> {
        self.ask_with_progress(request, |_| {}).await
    }

    /// As [`RoleModel::ask`], reporting the progress. An answer that breaks off is requested once more, but only while
    /// no call of it was given out.
    ///
    /// # Errors
    /// As [`RoleModel::ask`].
    pub async fn ask_with_progress(
        &self,
        request: &ModelRequest,
        mut on_progress: impl FnMut(AnswerProgress<'_>) + Send,
    ) -> Result<ModelAnswer, Error> {
        let mut request = request.clone();
        let mut retries = 0;
        loop {
            self.meter.check()?;
            request.max_tokens = self.meter.bound(request.max_tokens);
            let mut given_out = false;
            let began = Instant::now();
            let span = debug_span!(
                "model_call",
                role = self.role.name(),
                model = self.model.name(),
                input_tokens = Empty,
                output_tokens = Empty,
                error = Empty
            );
            let mut pending = PendingCharge::new(self, &request);
            let outcome = self
                .attempt(&request, &mut on_progress, &mut given_out, &mut pending)
                .instrument(span.clone())
                .await;
            record_outcome(&span, &outcome);
            span.in_scope(|| log_outcome(&outcome, began.elapsed(), retries));
            let error = match outcome {
                Ok(turn) => {
                    pending.settle(Some(turn.usage));
                    return Ok(turn);
                }
                Err(error) => error,
            };
            let broke_off = matches!(error, Error::Unfinished(_));
            if error.was_read() {
                drop(pending);
            } else {
                pending.settle(None);
            }
            if given_out || retries == RETRIES || !(broke_off && error.is_passing()) {
                return Err(error);
            }
            retries += 1;
            on_progress(AnswerProgress::Retrying(&error));
        }
    }

    /// Turns texts into vectors, one each, in their order. `model` names another model of the same provider.
    ///
    /// # Errors
    /// When the provider has no embeddings, refuses, or the budget is spent.
    pub async fn embed(&self, texts: &[String], model: Option<&str>) -> Result<Embedded, Error> {
        self.meter.check()?;
        let name = model.unwrap_or(self.model.name());
        let span = debug_span!("embedding", role = self.role.name(), model = name, error = Empty);
        let embedded = self.model.embed(texts, model).instrument(span.clone()).await;
        let embedded = embedded.inspect_err(|error| {
            span.record("error", error.code());
        })?;
        self.meter.charge(self.role, &embedded.model, embedded.usage);
        Ok(embedded)
    }

    async fn attempt(
        &self,
        request: &ModelRequest,
        on_progress: &mut (impl FnMut(AnswerProgress<'_>) + Send),
        given_out: &mut bool,
        pending: &mut PendingCharge<'_>,
    ) -> Result<ModelAnswer, Error> {
        let mut assembler = Assembler::new(request.tools.clone(), self.rules.clone())
            .with_taken_ids(call_ids(&request.messages));
        let mut stream = self.model.stream(request);
        while let Some(delta) = stream.next().await {
            match delta {
                Ok(delta) => {
                    on_progress(AnswerProgress::Delta(&delta));
                    assembler.push(delta);
                    pending.received(&assembler);
                    let ready = assembler.take_ready();
                    if !ready.is_empty() {
                        *given_out = true;
                        on_progress(AnswerProgress::Ready(ready));
                    }
                }
                Err(Error::Unfinished(Unfinished::StreamTruncated)) => {
                    assembler.break_off();
                    break;
                }
                Err(error) => return Err(error),
            }
            if assembler.is_over() {
                break;
            }
        }
        let mut turn = assembler.finish()?;
        turn.usage = turn
            .usage
            .completed_by(|| Usage::estimated(request_bytes(request), answer_bytes(&turn)));
        Ok(turn)
    }
}

/// The cost of an answer that is being written. Dropped unsettled, when the answer broke off or nobody waits for it any
/// more, it is charged as far as the answer came: with the numbers that the provider gave, else with estimates.
struct PendingCharge<'a> {
    seat: &'a RoleModel,
    request: &'a ModelRequest,
    usage: Usage,
    /// Bytes of the answer so far.
    bytes: usize,
    is_settled: bool,
}

impl<'a> PendingCharge<'a> {
    fn new(seat: &'a RoleModel, request: &'a ModelRequest) -> Self {
        Self {
            seat,
            request,
            usage: Usage::default(),
            bytes: 0,
            is_settled: false,
        }
    }

    /// Takes in how far the answer has come.
    fn received(&mut self, assembler: &Assembler) {
        self.usage = assembler.usage();
        self.bytes = assembler.bytes();
    }

    /// Charges the cost, or nothing where the request was not read.
    fn settle(mut self, usage: Option<Usage>) {
        self.is_settled = true;
        if let Some(usage) = usage {
            self.charge(usage);
        }
    }

    fn charge(&self, usage: Usage) {
        let seat = self.seat;
        seat.meter.charge(seat.role, seat.model.name(), usage);
    }
}

impl Drop for PendingCharge<'_> {
    fn drop(&mut self) {
        if !self.is_settled {
            let estimate = Usage::estimated(request_bytes(self.request), self.bytes);
            let usage = self.usage.completed_by(|| estimate);
            // Some providers count what is written at the end only.
            self.charge(Usage {
                output: usage.output.max(estimate.output),
                estimated: true,
                ..usage
            });
        }
    }
}

/// Completes the span of a call with the tokens of its answer or the code of its failure.
fn record_outcome(span: &Span, outcome: &Result<ModelAnswer, Error>) {
    match outcome {
        Ok(answer) => {
            span.record("input_tokens", answer.usage.input)
                .record("output_tokens", answer.usage.output);
        }
        Err(error) => {
            span.record("error", error.code());
        }
    }
}

/// Logs the sizes of an answer or the code of its failure, never a text.
fn log_outcome(outcome: &Result<ModelAnswer, Error>, took: Duration, retries: u32) {
    let millis = took.as_millis();
    match outcome {
        Ok(answer) => debug!(
            input_tokens = answer.usage.input,
            output_tokens = answer.usage.output,
            cached_tokens = answer.usage.cached,
            calls = answer.calls.len(),
            finish = answer.finish.as_ref().map(finish_word),
            millis,
            retries,
            "model answered"
        ),
        Err(error) => debug!(error = error.code(), millis, retries, "model call failed"),
    }
}

/// The word for a reason, without the provider's own text.
fn finish_word(reason: &FinishReason) -> &str {
    match reason {
        FinishReason::Other(_) => "other",
        known => known.word(),
    }
}

/// Bytes of an answer: its text, its reasoning and its calls.
fn answer_bytes(answer: &ModelAnswer) -> usize {
    let calls: usize = answer
        .whole_calls()
        .map(|call| call.name().len() + serde_json::to_string(call.arguments()).map_or(0, |text| text.len()))
        .sum();
    answer.text.len() + answer.reasoning.len() + calls
}

/// Bytes of a request's messages and tools, for providers that count no tokens.
fn request_bytes(request: &ModelRequest) -> usize {
    const IMAGE: usize = 4 * 800;
    let text = |message: &Message| match message {
        Message::System(text) => text.len(),
        Message::User(content) => content
            .iter()
            .map(|piece| match piece {
                MessageContent::Text(text) => text.len(),
                MessageContent::Image { .. } => IMAGE,
            })
            .sum(),
        Message::Assistant(assistant) => assistant.text.len() + assistant.calls.len() * 100,
        Message::Observation(seen) => seen.text.len(),
    };
    let tools: usize = request
        .tools
        .iter()
        .map(|tool| tool.description.len() + tool.parameters.to_string().len())
        .sum();
    request.messages.iter().map(text).sum::<usize>() + tools
}
