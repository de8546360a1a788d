//! `Assembler`: from deltas to one whole answer.

mod close;
mod dispatch;
mod envelope;
mod ids;
mod interpret;
mod names;
mod received;
mod repair;
mod scan;
mod slots;
mod text;
mod text_call;

use std::collections::HashSet;

use serde_json::Value;

use crate::delta::{CallArguments, Delta, FinishReason, Part};
use crate::tool::ToolSet;
use crate::turn::{AnswerWarning, ModelAnswer};
use crate::unfinished::{Unfinished, shorten};
use crate::usage::Usage;
use slots::{Slot, Slots};

/// How an assembler treats what arrives.
#[derive(Debug, Clone)]
pub struct AssemblerOptions {
    /// Read calls that the model wrote as text.
    pub text_calls: bool,
    /// Accept repaired calls. Without, only an empty argument list of a tool without parameters is repaired.
    pub repair: bool,
    /// Most calls in one turn; the rest is refused.
    pub max_calls: usize,
    /// Most bytes of text, reasoning and arguments together.
    pub max_bytes: usize,
}

impl Default for AssemblerOptions {
    fn default() -> Self {
        Self {
            text_calls: false,
            repair: true,
            max_calls: 64,
            max_bytes: 32 << 20,
        }
    }
}

/// Collects the deltas of one answer. Pieces of calls are kept and read once, when their call is over; the work is
/// linear in what arrived.
#[derive(Debug)]
pub struct Assembler {
    tools: ToolSet,
    rules: AssemblerOptions,
    taken_ids: HashSet<String>,
    chunk: u32,
    bytes: usize,
    slots: Slots,
    /// Slots that the wire closed since the last call of [`Assembler::take_ready`].
    sealed: Vec<usize>,
    /// How many calls were given out by [`Assembler::take_ready`].
    started: usize,
    text: String,
    reasoning: String,
    refusal: String,
    extras: Vec<Value>,
    usage: Usage,
    finish: Option<FinishReason>,
    cut: bool,
    ended: bool,
    broken_off: bool,
    failed: Option<Unfinished>,
    warnings: Vec<AnswerWarning>,
    next_id: usize,
}

impl Assembler {
    /// An empty assembler for an answer to a request that offered these tools.
    pub fn new(tools: ToolSet, rules: AssemblerOptions) -> Self {
        Self {
            tools,
            rules,
            taken_ids: HashSet::new(),
            chunk: 0,
            bytes: 0,
            slots: Slots::default(),
            sealed: Vec::new(),
            started: 0,
            text: String::new(),
            reasoning: String::new(),
            refusal: String::new(),
            extras: Vec::new(),
            usage: Usage::default(),
            finish: None,
            cut: false,
            ended: false,
            broken_off: false,
            failed: None,
            warnings: Vec::new(),
            next_id: 0,
        }
    }

    /// Names the call ids the conversation already holds, so that no call of this turn gets one of them.
    pub fn with_taken_ids(mut self, ids: impl IntoIterator<Item = String>) -> Self {
        self.taken_ids.extend(ids);
        self.next_id = self.taken_ids.len();
        self
    }

    /// Adds the next delta.
    pub fn push(&mut self, delta: Delta) {
        let chunk = self.chunk;
        self.chunk = self.chunk.saturating_add(1);
        for part in delta.parts {
            if self.ended || self.failed.is_some() {
                return;
            }
            self.add(part, chunk);
        }
        self.slots.end_chunk();
    }

    fn add(&mut self, part: Part, chunk: u32) {
        match part {
            Part::Text(text) => {
                self.count_bytes(text.len());
                self.text.push_str(&text);
            }
            Part::Reasoning(text) => {
                self.count_bytes(text.len());
                self.reasoning.push_str(&text);
            }
            Part::Refusal(text) => {
                self.count_bytes(text.len());
                self.refusal.push_str(&text);
            }
            Part::Call(fragment) => {
                self.count_bytes(match &fragment.arguments {
                    Some(CallArguments::Fragment(text) | CallArguments::Whole(text)) => text.len(),
                    _ => 0,
                });
                if let Err(error) = self.slots.add(fragment, &self.tools, chunk) {
                    self.failed = Some(error);
                }
            }
            Part::Seal(block) => self.sealed.extend(self.slots.seal(block, chunk)),
            Part::Extra(value) => self.extras.push(*value),
            Part::Usage(usage) => self.usage = self.usage.latest(usage),
            Part::Finish(reason) => {
                self.cut |= reason == FinishReason::Length;
                // An answer once withheld stays so, whatever a gateway says after it.
                if !self.finish.as_ref().is_some_and(FinishReason::voids_turn) {
                    self.finish = Some(reason);
                }
            }
            Part::End => self.ended = true,
        }
    }

    fn count_bytes(&mut self, by: usize) {
        self.bytes = self.bytes.saturating_add(by);
        if self.bytes > self.rules.max_bytes {
            self.failed = Some(Unfinished::TooLarge {
                limit: self.rules.max_bytes,
            });
        }
    }

    /// The stream reported an error instead of a delta.
    pub fn fail(&mut self, error: Unfinished) {
        self.failed.get_or_insert(error);
    }

    /// The connection closed in the middle of a chunk, and what followed is lost.
    pub fn break_off(&mut self) {
        self.broken_off = true;
    }

    /// The answer is over by the wire's rules although no chunk said so.
    pub fn end(&mut self) {
        self.ended |= !self.broken_off;
    }

    /// True when nothing that still comes can matter.
    pub fn is_over(&self) -> bool {
        self.ended || self.failed.is_some()
    }

    /// Number of the next chunk.
    pub fn chunk(&self) -> u32 {
        self.chunk
    }

    /// The text so far, calls written as text included.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Tokens spent so far, as the provider says.
    pub(crate) fn usage(&self) -> Usage {
        self.usage
    }

    /// Bytes of text, reasoning and arguments so far.
    pub(crate) fn bytes(&self) -> usize {
        self.bytes
    }

    /// Closes the turn. A cut turn keeps its whole calls and refuses the rest; a stream that broke off is no turn.
    ///
    /// # Errors
    /// When the provider reported an error, withheld the answer, or the stream ended before it was whole.
    pub fn finish(mut self) -> Result<ModelAnswer, Unfinished> {
        if let Some(error) = self.failed.take() {
            return Err(error);
        }
        match &self.finish {
            Some(FinishReason::ContentFilter(reason)) => {
                let refused = reason.eq_ignore_ascii_case("refusal");
                let reason = if self.refusal.is_empty() {
                    reason.clone()
                } else {
                    shorten(&self.refusal)
                };
                return Err(Unfinished::ContentFilter { reason, refused });
            }
            Some(FinishReason::MalformedCall(reason)) => {
                return Err(Unfinished::MalformedFunctionCall {
                    reason: reason.clone(),
                });
            }
            Some(FinishReason::Error(reason)) => return Err(Unfinished::upstream(reason)),
            _ => {}
        }
        if !self.refusal.is_empty() && self.text.is_empty() && self.slots.list().is_empty() {
            return Err(Unfinished::ContentFilter {
                reason: shorten(&self.refusal),
                refused: true,
            });
        }
        if !self.ended {
            if !self.is_whole_without_end_mark() {
                return Err(Unfinished::StreamTruncated);
            }
            self.warnings.push(AnswerWarning::NoEndMark);
        }
        Ok(self.into_turn())
    }

    /// Whether everything that came is complete in itself, although the stream closed without its end mark.
    fn is_whole_without_end_mark(&self) -> bool {
        let calls: Vec<&Slot> = self
            .slots
            .list()
            .iter()
            .filter(|slot| !slot.is_phantom())
            .collect();
        let has_reason = self.finish.is_some();
        if self.broken_off && !has_reason {
            return false;
        }
        if calls.is_empty() || self.cut {
            return has_reason;
        }
        calls.iter().all(|slot| {
            let needs_no_arguments = || {
                has_reason
                    && slot.received.is_empty()
                    && slot
                        .name
                        .as_deref()
                        .and_then(|name| self.tools.get(name))
                        .is_some_and(|tool| !tool.takes_parameters())
            };
            !slot.awaiting
                && (slot.received.strict().is_some()
                    || slot.received.is_explicitly_empty()
                    || needs_no_arguments())
        })
    }
}
