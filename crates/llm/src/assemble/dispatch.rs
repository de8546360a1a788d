//! Tool calls that may start while the stream still goes on.

use super::Assembler;
use crate::turn::{CallTimes, ToolCall};

impl Assembler {
    /// Calls that became safe to start since the last time: the wire closed them and they are whole without repair.
    pub fn take_ready(&mut self) -> Vec<ToolCall> {
        let mut ready = Vec::new();
        for at in std::mem::take(&mut self.sealed) {
            if self.failed.is_some() || self.started == self.rules.max_calls {
                break;
            }
            let Some(slot) = self.slots.list().get(at) else {
                continue;
            };
            let tool = slot
                .name
                .as_deref()
                .and_then(|name| self.tools.get(name))
                .cloned();
            let (Some(tool), Some(object)) = (tool, slot.received.strict().cloned()) else {
                continue;
            };
            if slot.awaiting || slot.started.is_some() {
                continue;
            }
            let times = CallTimes {
                ready_after: slot.sealed_at,
                eager_after: slot.eager_at,
            };
            let extras = slot.extras.clone();
            let call = ToolCall::new(self.id_for(at), tool.name.clone(), object, None, extras, times);
            if let Some(slot) = self.slots.list_mut().get_mut(at) {
                slot.started = Some(call.clone());
            }
            self.started += 1;
            ready.push(call);
        }
        ready
    }
}
