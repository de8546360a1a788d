//! Which calls may start while the stream still goes on.

use super::Assembler;
use super::slots::Slot;
use crate::tool::{Effects, Offer};
use crate::turn::{Times, ToolCall};

impl Assembler {
    /// Calls that became safe to start since the last time: the wire closed them and they are strictly whole.
    pub fn take_ready(&mut self) -> Vec<ToolCall> {
        self.hand_out(|slot, _| slot.sealed_at.is_some())
    }

    /// Calls of tools that only read and whose text already is a whole object, before the wire closed them. For
    /// the opt-in mode that runs calls while the stream goes on; each call is given once.
    pub fn take_eager(&mut self) -> Vec<ToolCall> {
        self.hand_out(|slot, offer| {
            slot.sealed_at.is_some()
                || (slot.eager_at.is_some()
                    && slot
                        .name
                        .as_deref()
                        .and_then(|name| offer.get(name))
                        .is_some_and(|tool| tool.effects == Effects::Read))
        })
    }

    fn hand_out(&mut self, may: impl Fn(&Slot, &Offer) -> bool) -> Vec<ToolCall> {
        if self.failed.is_some() {
            return Vec::new();
        }
        let mut out = Vec::new();
        let candidates: Vec<usize> = std::mem::take(&mut self.touched);
        let mut kept = Vec::new();
        for at in candidates {
            let id = self.id_for(at);
            let offer = &self.offer;
            let Some(slot) = self.slots.list_mut().get_mut(at) else {
                continue;
            };
            if slot.handed.is_some() {
                continue;
            }
            let known = slot
                .name
                .as_deref()
                .and_then(|name| offer.get(name))
                .map(|tool| tool.name.clone());
            let object = slot
                .received
                .strict()
                .filter(|it| slot.sealed_at.is_some() || !it.is_empty())
                .cloned();
            match (known, object) {
                (Some(name), Some(object)) if !slot.awaiting && may(slot, offer) => {
                    let times = Times {
                        ready_after: slot.sealed_at,
                        eager_after: slot.eager_at,
                    };
                    let call = ToolCall::new(id, name, object, None, slot.extras.clone(), times);
                    slot.handed = Some(call.clone());
                    out.push(call);
                }
                _ => kept.push(at),
            }
        }
        kept.dedup();
        self.touched = kept;
        out
    }
}
