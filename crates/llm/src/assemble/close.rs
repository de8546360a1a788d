//! What the collected pieces amount to, now that the turn is over.

use serde_json::{Map, Value};

use super::interpret::{Ending, interpret};
use super::slots::Slot;
use super::{Assembler, text};
use crate::tool::Effects;
use crate::turn::{Malformed, MalformedCall, Repair, Times, ToolCall, Turn, Warning};
use crate::unfinished::shorten;

impl Assembler {
    pub(super) fn into_turn(mut self) -> Turn {
        let ending = if self.cut { Ending::Cut } else { Ending::Normal };
        let last = self.chunk.saturating_sub(1);
        let slot_count = self.slots.list().len();
        let ids: Vec<String> = (0..slot_count)
            .map(|at| {
                let phantom = self.slots.list().get(at).is_none_or(Slot::is_phantom);
                if phantom { String::new() } else { self.id_for(at) }
            })
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
        let limit = self.rules.max_calls;
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
        Turn {
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
        ending: Ending,
        last: u32,
        calls: &mut Vec<Result<ToolCall, MalformedCall>>,
    ) {
        if let Some(call) = slot.handed.take() {
            if slot
                .received
                .strict()
                .is_none_or(|object| object != call.arguments())
            {
                self.warnings.push(Warning::ChangedAfterStart { id });
            }
            calls.push(Ok(call));
            return;
        }
        let sealed = slot.sealed_at.is_some();
        let times = Times {
            ready_after: slot.sealed_at.or(Some(last)),
            eager_after: slot.eager_at,
        };
        let tool = slot
            .name
            .as_deref()
            .and_then(|name| self.offer.get(name))
            .cloned();
        let malformed = |why: Malformed, slot: &Slot, received: String| MalformedCall {
            id: id.clone(),
            name: slot.name.clone(),
            received,
            why,
            extras: slot.extras.clone(),
        };
        if slot.name.is_none() {
            calls.push(Err(malformed(
                Malformed::MissingName,
                &slot,
                shorten(slot.received.text()),
            )));
            return;
        }
        let Some(tool) = tool else {
            let why = Malformed::UnknownTool {
                offered: self.offer.names(),
            };
            calls.push(Err(malformed(why, &slot, shorten(slot.received.text()))));
            return;
        };
        let name = tool.name.clone();
        let reading = if slot.awaiting {
            Err(if ending == Ending::Cut {
                Malformed::Truncated
            } else {
                Malformed::InvalidJson
            })
        } else {
            interpret(&mut slot.received, ending, sealed, tool.takes_parameters())
        };
        let reading = reading.and_then(|reading| match reading.repair {
            Some(repair) => self
                .may_use(repair, tool.effects, tool.takes_parameters())
                .map(|()| reading),
            None => Ok(reading),
        });
        match reading {
            Ok(reading) => {
                let repair = reading.repair;
                let times = match repair {
                    Some(_) => Times {
                        ready_after: Some(last),
                        eager_after: None,
                    },
                    None => times,
                };
                for (nth, object) in reading.objects.into_iter().enumerate() {
                    let id = if nth == 0 {
                        id.clone()
                    } else {
                        self.claim_fresh_id()
                    };
                    if let Some(repair) = repair {
                        self.warnings.push(Warning::Repaired {
                            id: id.clone(),
                            repair,
                        });
                    }
                    calls.push(Ok(ToolCall::new(
                        id,
                        name.clone(),
                        object,
                        repair,
                        slot.extras.clone(),
                        times,
                    )));
                }
            }
            Err(why) => calls.push(Err(malformed(why, &slot, shorten(slot.received.text())))),
        }
    }

    /// Is a call with this repair fit to run?
    fn may_use(&self, repair: Repair, effects: Effects, takes_parameters: bool) -> Result<(), Malformed> {
        let nothing_mended = repair == Repair::EmptyArgs && !takes_parameters;
        if !self.rules.repair && !nothing_mended {
            return Err(Malformed::RepairOff(repair));
        }
        if repair.needs_harmless_tool() && effects == Effects::Act {
            return Err(Malformed::UnsafeRepair(repair));
        }
        Ok(())
    }

    fn read_calls_in_text(
        &mut self,
        ending: Ending,
        last: u32,
        calls: &mut Vec<Result<ToolCall, MalformedCall>>,
    ) {
        let found = text::calls_in(&self.text, &self.offer, ending);
        let mut whole = 0;
        for found in found.calls {
            let tool = self.offer.get(&found.name).cloned();
            let id = self.claim_fresh_id();
            let name = tool
                .as_ref()
                .map_or_else(|| found.name.clone(), |tool| tool.name.clone());
            let outcome = match (found.arguments, tool) {
                (Ok((object, repair)), Some(tool)) => match repair {
                    Some(repair) => self
                        .may_use(repair, tool.effects, tool.takes_parameters())
                        .map(|()| (object, Some(repair))),
                    None => Ok((object, None)),
                },
                (Ok(_), None) => Err(Malformed::UnknownTool {
                    offered: self.offer.names(),
                }),
                (Err(why), _) => Err(why),
            };
            calls.push(match outcome {
                Ok((object, repair)) => {
                    whole += 1;
                    let times = Times {
                        ready_after: Some(last),
                        eager_after: None,
                    };
                    Ok(ToolCall::new(id, name, object, repair, None, times))
                }
                Err(why) => Err(MalformedCall {
                    id,
                    name: Some(name),
                    received: shorten(&found.received),
                    why,
                    extras: None,
                }),
            });
        }
        if whole > 0 {
            self.warnings.push(Warning::CallsInText { count: whole });
            self.text = found.text;
        }
    }
}

fn received_object(object: &Map<String, Value>) -> String {
    shorten(&serde_json::to_string(object).unwrap_or_default())
}
