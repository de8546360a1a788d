//! Closing an answer: from the collected pieces to whole or rejected tool calls.

use std::sync::Arc;

use serde_json::{Map, Value};
use tracing::debug;

use super::interpret::{AnswerEnding, ParsedArguments, interpret};
use super::slots::Slot;
use super::{Assembler, text};
use crate::tool::{ToolEffects, ToolSpec};
use crate::turn::{AnswerWarning, CallTimes, Malformed, MalformedCall, ModelAnswer, Repair, ToolCall};
use crate::unfinished::shorten;

/// A call that may run, or one that is given back to the model.
type AssembledCall = Result<ToolCall, MalformedCall>;

impl Assembler {
    pub(super) fn into_turn(mut self) -> ModelAnswer {
        let ending = match self.cut {
            true => AnswerEnding::Cut,
            false => AnswerEnding::Normal,
        };
        let last = self.chunk.saturating_sub(1);
        let ids: Vec<String> = (0..self.slots.list().len())
            .map(
                |at| match self.slots.list().get(at).is_none_or(Slot::is_phantom) {
                    true => String::new(),
                    false => self.id_for(at),
                },
            )
            .collect();
        let slots = std::mem::take(&mut self.slots).into_list();
        let mut calls = Vec::with_capacity(slots.len());
        for (slot, id) in slots.into_iter().zip(ids) {
            if !slot.is_phantom() {
                self.close(slot, id, ending, last, &mut calls);
            }
        }
        if self.rules.text_calls && calls.is_empty() {
            self.read_calls_in_text(ending, last, &mut calls);
        }
        reject_beyond(self.rules.max_calls, &mut calls);
        for rejected in calls.iter().filter_map(|call| call.as_ref().err()) {
            debug!(code = rejected.why.code(), "tool call rejected");
        }
        ModelAnswer {
            text: self.text,
            reasoning: self.reasoning,
            calls,
            finish: self.finish,
            usage: self.usage,
            warnings: self.warnings,
            extras: self.extras,
        }
    }

    /// Reads one slot, once.
    fn close(
        &mut self,
        mut slot: Slot,
        id: String,
        ending: AnswerEnding,
        last: u32,
        calls: &mut Vec<AssembledCall>,
    ) {
        if let Some(call) = slot.started.take() {
            calls.push(Ok(call));
            return;
        }
        let outcome = self
            .tool_of(&slot)
            .and_then(|tool| Ok((tool.name.clone(), self.arguments_of(&mut slot, &tool, ending)?)));
        match outcome {
            Ok((name, arguments)) => self.push_whole(&slot, id, &name, arguments, last, calls),
            Err(why) => calls.push(Err(MalformedCall {
                id,
                name: slot.name,
                received: shorten(slot.received.text()),
                why,
                extras: slot.extras,
            })),
        }
    }

    fn tool_of(&self, slot: &Slot) -> Result<Arc<ToolSpec>, Malformed> {
        let name = slot.name.as_deref().ok_or(Malformed::MissingName)?;
        let tool = self.tools.get(name).cloned();
        tool.ok_or_else(|| Malformed::UnknownTool {
            offered: self.tools.names(),
        })
    }

    fn arguments_of(
        &self,
        slot: &mut Slot,
        tool: &ToolSpec,
        ending: AnswerEnding,
    ) -> Result<ParsedArguments, Malformed> {
        if slot.awaiting {
            return Err(ending.unreadable());
        }
        let sealed = slot.sealed_at.is_some();
        let arguments = interpret(&mut slot.received, ending, sealed, tool.takes_parameters())?;
        self.check_repair(arguments.repair, tool)?;
        Ok(arguments)
    }

    /// Adds the call, or one call for each object where several were run together.
    fn push_whole(
        &mut self,
        slot: &Slot,
        id: String,
        name: &str,
        arguments: ParsedArguments,
        last: u32,
        calls: &mut Vec<AssembledCall>,
    ) {
        let repair = arguments.repair;
        let times = match repair {
            Some(_) => CallTimes {
                ready_after: Some(last),
                eager_after: None,
            },
            None => CallTimes {
                ready_after: slot.sealed_at.or(Some(last)),
                eager_after: slot.eager_at,
            },
        };
        let mut first_id = Some(id);
        for object in arguments.objects {
            let id = first_id.take().unwrap_or_else(|| self.claim_fresh_id());
            self.warnings.extend(repair.map(|repair| AnswerWarning::Repaired {
                id: id.clone(),
                repair,
            }));
            let extras = slot.extras.clone();
            calls.push(Ok(ToolCall::new(
                id,
                name.to_owned(),
                object,
                repair,
                extras,
                times,
            )));
        }
    }

    /// Checks whether a repaired call may run.
    fn check_repair(&self, repair: Option<Repair>, tool: &ToolSpec) -> Result<(), Malformed> {
        let Some(repair) = repair else { return Ok(()) };
        let changes_nothing = repair == Repair::EmptyArgs && !tool.takes_parameters();
        if !self.rules.repair && !changes_nothing {
            return Err(Malformed::RepairOff(repair));
        }
        if repair.needs_harmless_tool() && tool.effects == ToolEffects::Act {
            return Err(Malformed::UnsafeRepair(repair));
        }
        Ok(())
    }

    fn read_calls_in_text(&mut self, ending: AnswerEnding, last: u32, calls: &mut Vec<AssembledCall>) {
        let in_text = text::calls_in(&self.text, &self.tools, ending);
        let mut whole = 0;
        for call in in_text.calls {
            let tool = self.tools.get(&call.name).cloned();
            let id = self.claim_fresh_id();
            let name = tool.as_ref().map_or(&call.name, |tool| &tool.name).clone();
            let outcome = match (call.arguments, tool) {
                (Ok((object, repair)), Some(tool)) => {
                    self.check_repair(repair, &tool).map(|()| (object, repair))
                }
                (Ok(_), None) => Err(Malformed::UnknownTool {
                    offered: self.tools.names(),
                }),
                (Err(why), _) => Err(why),
            };
            calls.push(match outcome {
                Ok((object, repair)) => {
                    whole += 1;
                    let times = CallTimes {
                        ready_after: Some(last),
                        eager_after: None,
                    };
                    Ok(ToolCall::new(id, name, object, repair, None, times))
                }
                Err(why) => Err(MalformedCall {
                    id,
                    name: Some(name),
                    received: shorten(&call.received),
                    why,
                    extras: None,
                }),
            });
        }
        if whole > 0 {
            self.warnings.push(AnswerWarning::CallsInText { count: whole });
            self.text = in_text.text;
        }
    }
}

/// Rejects the whole calls beyond the limit.
fn reject_beyond(limit: usize, calls: &mut [AssembledCall]) {
    for call in calls.iter_mut().skip(limit) {
        if let Ok(whole) = call {
            *call = Err(MalformedCall {
                id: whole.id().to_owned(),
                name: Some(whole.name().to_owned()),
                received: received_object(whole.arguments()),
                why: Malformed::TooManyCalls { limit },
                extras: whole.extras().cloned(),
            });
        }
    }
}

fn received_object(object: &Map<String, Value>) -> String {
    shorten(&serde_json::to_string(object).unwrap_or_default())
}
