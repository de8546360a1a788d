//! Which calls may start while the stream still goes on.

use super::Assembler;
use crate::tool::Effects;
use crate::turn::{Times, ToolCall};

impl Assembler {
    /// Calls that became safe to start since the last time: the wire closed them and they are strictly whole.
    pub fn take_ready(&mut self) -> Vec<ToolCall> {
        let sealed = std::mem::take(&mut self.sealed);
        self.hand_out(sealed)
    }

    /// As [`Assembler::take_ready`], and calls of tools that only read as soon as their text is a whole object, before
    /// the wire closed them. For the opt-in mode that runs calls while the stream goes on; each call is given once.
    pub fn take_eager(&mut self) -> Vec<ToolCall> {
        let mut candidates = std::mem::take(&mut self.closed_by_text);
        candidates.retain(|at| {
            let slot = self.slots.list().get(*at);
            let tool = slot
                .and_then(|slot| slot.name.as_deref())
                .and_then(|name| self.offer.get(name));
            tool.is_some_and(|tool| tool.effects == Effects::Read)
        });
        candidates.append(&mut self.sealed);
        self.hand_out(candidates)
    }

    fn hand_out(&mut self, candidates: Vec<usize>) -> Vec<ToolCall> {
        let mut out = Vec::new();
        for at in candidates {
            if self.failed.is_some() || self.handed == self.rules.max_calls {
                break;
            }
            let Some(slot) = self.slots.list().get(at) else {
                continue;
            };
            let tool = slot
                .name
                .as_deref()
                .and_then(|name| self.offer.get(name))
                .cloned();
            let (Some(tool), Some(object)) = (tool, slot.received.strict().cloned()) else {
                continue;
            };
            if slot.awaiting || slot.handed.is_some() {
                continue;
            }
            let times = Times {
                ready_after: slot.sealed_at,
                eager_after: slot.eager_at,
            };
            let extras = slot.extras.clone();
            let call = ToolCall::new(self.id_for(at), tool.name.clone(), object, None, extras, times);
            if let Some(slot) = self.slots.list_mut().get_mut(at) {
                slot.handed = Some(call.clone());
            }
            self.handed += 1;
            out.push(call);
        }
        out
    }
}
