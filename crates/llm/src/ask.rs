//! One question to a model, answered by a whole turn.

use std::sync::Arc;

use futures_util::StreamExt;

use crate::assemble::{Assembler, AssemblerOptions};
use crate::budget::{Meter, Role};
use crate::delta::Delta;
use crate::error::Error;
use crate::history::call_ids;
use crate::message::{Content, Message};
use crate::model::{Embedded, Model, Request};
use crate::turn::{ToolCall, Turn};
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
}

/// What happens while a turn is on its way.
pub enum AnswerProgress<'a> {
    /// The next delta.
    Delta(&'a Delta),
    /// Calls that may start already: they are whole, and the wire closed them.
    Ready(Vec<ToolCall>),
    /// The answer failed and the question is put again; what was shown of it is void.
    Retrying(&'a Error),
}

/// How often a whole question is put again when its answer broke off and nothing of it was handed out.
const AGAIN: u32 = 1;

impl RoleModel {
    /// A seat with a fresh meter.
    pub fn new(model: Arc<dyn Model>, role: Role) -> Self {
        Self {
            model,
            role,
            meter: Meter::default(),
            rules: AssemblerOptions::default(),
        }
    }

    /// Puts the question and waits for the whole turn.
    ///
    /// # Errors
    /// When the model cannot be asked, its answer is no turn, or the budget is spent.
    pub async fn ask(&self, request: &Request) -> Result<Turn, Error> {
        self.ask_with_progress(request, |_| {}).await
    }

    /// As [`RoleModel::ask`], telling what happens on the way. An answer that breaks off is asked for once more, but only
    /// while no call of it was handed out.
    ///
    /// # Errors
    /// As [`RoleModel::ask`].
    pub async fn ask_with_progress(
        &self,
        request: &Request,
        mut on_progress: impl FnMut(AnswerProgress<'_>) + Send,
    ) -> Result<Turn, Error> {
        let mut request = request.clone();
        let mut again = 0;
        loop {
            self.meter.check()?;
            request.max_tokens = self.meter.bound(request.max_tokens);
            let mut handed_out = false;
            let error = match self.attempt(&request, &mut on_progress, &mut handed_out).await {
                Ok(turn) => {
                    self.meter.charge(self.role, self.model.name(), turn.usage);
                    return Ok(turn);
                }
                Err(error) => error,
            };
            // What the failed answer cost is not known; the question at least was read.
            let broke_off = matches!(error, Error::Unfinished(_));
            if broke_off {
                let read = Usage {
                    output: 0,
                    ..estimate(&request, None)
                };
                self.meter.charge(self.role, self.model.name(), read);
            }
            if handed_out || again == AGAIN || !(broke_off && error.is_passing()) {
                return Err(error);
            }
            again += 1;
            on_progress(AnswerProgress::Retrying(&error));
        }
    }

    /// Turns texts into vectors, one each, in their order. `model` names another model of the same provider.
    ///
    /// # Errors
    /// When the provider has no embeddings, refuses, or the budget is spent.
    pub async fn embed(&self, texts: &[String], model: Option<&str>) -> Result<Embedded, Error> {
        self.meter.check()?;
        let embedded = self.model.embed(texts, model).await?;
        self.meter.charge(self.role, &embedded.model, embedded.usage);
        Ok(embedded)
    }

    async fn attempt(
        &self,
        request: &Request,
        on_progress: &mut (impl FnMut(AnswerProgress<'_>) + Send),
        handed_out: &mut bool,
    ) -> Result<Turn, Error> {
        let mut assembler = Assembler::new(request.tools.clone(), self.rules.clone())
            .with_taken_ids(call_ids(&request.messages));
        let mut stream = self.model.stream(request);
        while let Some(delta) = stream.next().await {
            match delta {
                Ok(delta) => {
                    on_progress(AnswerProgress::Delta(&delta));
                    assembler.push(delta);
                    let ready = assembler.take_ready();
                    if !ready.is_empty() {
                        *handed_out = true;
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
        if turn.usage.total() == 0 {
            turn.usage = estimate(request, Some(&turn));
        }
        Ok(turn)
    }
}

/// Tokens by rule of thumb, four bytes each, for providers that do not count.
fn estimate(request: &Request, turn: Option<&Turn>) -> Usage {
    const IMAGE: usize = 4 * 800;
    let text = |message: &Message| match message {
        Message::System(text) => text.len(),
        Message::User(content) => content
            .iter()
            .map(|it| match it {
                Content::Text(text) => text.len(),
                Content::Image { .. } => IMAGE,
            })
            .sum(),
        Message::Assistant(assistant) => assistant.text.len() + assistant.calls.len() * 100,
        Message::Observation(seen) => seen.text.len(),
    };
    let tools: usize = request
        .tools
        .iter()
        .map(|it| it.description.len() + it.parameters.to_string().len())
        .sum();
    let input: usize = request.messages.iter().map(text).sum::<usize>() + tools;
    let output = turn.map_or(0, |turn| {
        let calls: usize = turn
            .whole_calls()
            .map(|it| it.name().len() + serde_json::to_string(it.arguments()).map_or(0, |it| it.len()))
            .sum();
        turn.text.len() + turn.reasoning.len() + calls
    });
    let tokens = |bytes: usize| u64::try_from(bytes.div_ceil(4)).unwrap_or(u64::MAX);
    Usage {
        input: tokens(input),
        output: tokens(output),
        cached: 0,
        estimated: true,
    }
}
