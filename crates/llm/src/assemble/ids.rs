//! Ids of calls: the provider's, or a new one that is unique in the conversation.

use super::Assembler;

impl Assembler {
    /// The final id of a slot; given once.
    pub(super) fn id_for(&mut self, at: usize) -> String {
        let fresh = self.fresh_id();
        let Some(slot) = self.slots.list_mut().get_mut(at) else {
            return fresh;
        };
        if !slot.needs_fresh_id
            && let Some(id) = slot.id.clone()
            && (slot.final_id || !self.taken_ids.contains(&id))
        {
            slot.final_id = true;
            self.taken_ids.insert(id.clone());
            return id;
        }
        slot.needs_fresh_id = false;
        slot.final_id = true;
        slot.id = Some(fresh.clone());
        self.taken_ids.insert(fresh.clone());
        fresh
    }

    /// An id that no call has. It depends only on what came before, so that a replayed conversation gets the same.
    pub(super) fn fresh_id(&mut self) -> String {
        loop {
            let id = format!("call_{:08}", self.next_id);
            if !self.taken_ids.contains(&id) {
                return id;
            }
            self.next_id += 1;
        }
    }

    /// A fresh id, taken at once.
    pub(super) fn claim_fresh_id(&mut self) -> String {
        let id = self.fresh_id();
        self.taken_ids.insert(id.clone());
        id
    }
}
