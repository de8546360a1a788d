//! Slots: the calls of an answer, and the one that each piece belongs to.

use std::collections::HashMap;

use serde_json::Value;

use super::names;
use super::received::ReceivedArguments;
use crate::delta::{CallArguments, Fragment, Place};
use crate::tool::ToolSet;
use crate::turn::ToolCall;
use crate::unfinished::{Unfinished, shorten};

/// Most calls of an answer, far beyond what any model makes; more is an attack or a broken provider.
const MAX_SLOTS: usize = 10_000;

/// One call as far as it arrived.
#[derive(Debug, Default)]
pub(crate) struct Slot {
    /// The id the wire gave.
    pub(crate) id: Option<String>,
    /// True when the wire's id already belongs to another call.
    pub(crate) needs_fresh_id: bool,
    /// True once the id was given out and may not change any more.
    pub(crate) final_id: bool,
    index: Option<i64>,
    pub(crate) name: Option<String>,
    pub(crate) received: ReceivedArguments,
    pub(crate) extras: Option<Value>,
    pub(crate) awaiting: bool,
    /// The chunk with which the wire closed the call.
    pub(crate) sealed_at: Option<u32>,
    /// The chunk with which the text first was a whole, filled object.
    pub(crate) eager_at: Option<u32>,
    /// The call, once it was given out to be started.
    pub(crate) started: Option<ToolCall>,
}

impl Slot {
    /// True when nothing about this call ever came: an entry of blanks.
    pub(crate) fn is_phantom(&self) -> bool {
        self.name.is_none()
            && self.id.is_none()
            && self.received.is_empty()
            && !self.awaiting
            && !self.received.is_explicitly_empty()
    }
}

/// The calls of a turn, in the order they were opened.
#[derive(Debug, Default)]
pub(crate) struct Slots {
    list: Vec<Slot>,
    by_id: HashMap<String, Vec<usize>>,
    by_index: HashMap<i64, usize>,
    by_block: HashMap<u32, usize>,
    /// Slot by array position, as of the last chunk that opened a call.
    opening: Vec<Option<usize>>,
    /// Slot by array position in the chunk being read.
    current: Vec<Option<usize>>,
    /// The last index looked up and its slot: most pieces go where the one before went.
    recent: Option<(i64, usize)>,
    opened: bool,
}

impl Slots {
    /// Ends a chunk: if it opened calls, its array positions are the ones later pieces refer to.
    pub(crate) fn end_chunk(&mut self) {
        if self.opened {
            std::mem::swap(&mut self.opening, &mut self.current);
            self.opened = false;
        }
        self.current.clear();
    }

    pub(crate) fn list_mut(&mut self) -> &mut [Slot] {
        &mut self.list
    }

    pub(crate) fn list(&self) -> &[Slot] {
        &self.list
    }

    pub(crate) fn into_list(self) -> Vec<Slot> {
        self.list
    }

    /// The wire closes a block; gives its slot.
    pub(crate) fn seal(&mut self, block: u32, chunk: u32) -> Option<usize> {
        let at = *self.by_block.get(&block)?;
        let slot = self.list.get_mut(at)?;
        slot.sealed_at.get_or_insert(chunk);
        slot.awaiting = false;
        Some(at)
    }

    /// Adds a piece to its slot, which is opened if there is none.
    pub(crate) fn add(&mut self, piece: Fragment, tools: &ToolSet, chunk: u32) -> Result<(), Unfinished> {
        let placeholders = matches!(piece.place, Place::Loose { .. });
        let Some(at) = self.find(&piece, tools)? else {
            return Ok(());
        };
        if self.list.len() > MAX_SLOTS {
            return Err(Unfinished::TooLarge { limit: MAX_SLOTS });
        }
        let Some(slot) = self.list.get_mut(at) else {
            return Ok(());
        };
        if let Some(name) = &piece.name {
            slot.name = Some(names::join_name(slot.name.as_deref(), name, tools));
        }
        if let Some(extras) = piece.extras {
            slot.extras = Some(*extras);
        }
        slot.awaiting = piece.awaiting;
        if slot.sealed_at.is_some() && slot.received.strict().is_some() {
            return Ok(());
        }
        if let Some(arguments) = piece.arguments {
            let from_pieces = matches!(arguments, CallArguments::Fragment(_));
            slot.received.take(arguments, placeholders);
            if from_pieces && slot.eager_at.is_none() && slot.received.closed_by_text() {
                slot.eager_at = Some(chunk);
            }
        }
        Ok(())
    }

    fn find(&mut self, piece: &Fragment, tools: &ToolSet) -> Result<Option<usize>, Unfinished> {
        let (index, position) = match piece.place {
            Place::Block(block) => {
                if let Some(&at) = self.by_block.get(&block) {
                    if let (Some(id), Some(slot)) = (&piece.id, self.list.get_mut(at)) {
                        slot.id.get_or_insert_with(|| id.clone());
                    }
                    return Ok(Some(at));
                }
                let at = self.open(piece, None);
                self.by_block.insert(block, at);
                return Ok(Some(at));
            }
            Place::Loose { index, position } => (index, position),
        };
        let silent = match &piece.arguments {
            None => true,
            Some(CallArguments::Fragment(text) | CallArguments::Whole(text)) => text.is_empty(),
            Some(CallArguments::Object(object)) => object.is_empty(),
        };
        if piece.id.is_none() && piece.name.is_none() && silent {
            return Ok(None);
        }
        let at = match &piece.id {
            Some(id) => self.find_by_id(id, piece, index, position, tools),
            None => self.find_without_id(piece, index, position, tools)?,
        };
        if self.current.len() <= position {
            self.current.resize(position + 1, None);
        }
        if let Some(place) = self.current.get_mut(position) {
            *place = Some(at);
        }
        Ok(Some(at))
    }

    /// A known id is its slot; a new one opens a slot or arrives late for a slot that still lacks one.
    fn find_by_id(
        &mut self,
        id: &str,
        piece: &Fragment,
        index: Option<i64>,
        position: usize,
        tools: &ToolSet,
    ) -> usize {
        let known = self.by_id.get(id).map(Vec::as_slice).unwrap_or_default();
        if let Some(&latest) = known.last() {
            let same_index = |at: &usize| self.list.get(*at).is_some_and(|slot| slot.index == index);
            let at = known.iter().rev().copied().find(same_index).unwrap_or(latest);
            let slot_index = self.list.get(at).and_then(|slot| slot.index);
            let moved = matches!((slot_index, index), (Some(old), Some(new)) if old != new);
            let another = self
                .list
                .get(at)
                .is_some_and(|slot| is_another_tool(slot, piece, tools));
            if (moved && piece.name.is_some()) || another {
                return self.open(piece, index);
            }
            if let (None, Some(index)) = (slot_index, index) {
                self.bind(index, at);
                if let Some(slot) = self.list.get_mut(at) {
                    slot.index = Some(index);
                }
            }
            return at;
        }
        let candidate = match index {
            Some(index) => self.at_index(index),
            None => self.at_position(position),
        };
        let late = candidate.filter(|at| {
            self.list.get(*at).is_some_and(|slot| {
                slot.id.is_none()
                    && names::agree(slot.name.as_deref(), piece.name.as_deref(), tools)
                    && !is_another(slot, piece, tools)
            })
        });
        match late {
            Some(at) => {
                self.by_id.entry(id.to_owned()).or_default().push(at);
                if let Some(slot) = self.list.get_mut(at) {
                    slot.id = Some(id.to_owned());
                }
                at
            }
            None => self.open(piece, index),
        }
    }

    fn find_without_id(
        &mut self,
        piece: &Fragment,
        index: Option<i64>,
        position: usize,
        tools: &ToolSet,
    ) -> Result<usize, Unfinished> {
        if let Some(index) = index {
            if piece.name.is_none()
                && self.at_index(index).is_none()
                && let Some(at) = self.at_position(position)
                && let Some(slot) = self.list.get_mut(at).filter(|slot| slot.index.is_none())
            {
                // The call was opened without the index that its further pieces carry.
                slot.index = Some(index);
                self.bind(index, at);
                return Ok(at);
            }
            return Ok(match self.at_index(index) {
                Some(at)
                    if !self
                        .list
                        .get(at)
                        .is_some_and(|slot| is_another(slot, piece, tools)) =>
                {
                    at
                }
                _ => self.open(piece, Some(index)),
            });
        }
        let candidate = self.at_position(position);
        let Some(name) = &piece.name else {
            return candidate
                .or_else(|| self.list.len().checked_sub(1))
                .ok_or_else(|| Unfinished::OrphanDelta {
                    received: match &piece.arguments {
                        Some(CallArguments::Fragment(text) | CallArguments::Whole(text)) => shorten(text),
                        Some(CallArguments::Object(_)) | None => "an object".to_owned(),
                    },
                });
        };
        let repeats = |at: &usize| {
            self.list.get(*at).is_some_and(|slot| {
                (slot.name.as_deref() == Some(name)
                    || slot.name.is_none()
                    || continues_name(slot, name, tools))
                    && !is_another(slot, piece, tools)
            })
        };
        Ok(match candidate.filter(repeats) {
            Some(at) => at,
            None => self.open(piece, None),
        })
    }

    fn bind(&mut self, index: i64, at: usize) {
        self.by_index.insert(index, at);
        self.recent = Some((index, at));
    }

    fn at_index(&mut self, index: i64) -> Option<usize> {
        match self.recent {
            Some((recent, at)) if recent == index => Some(at),
            _ => {
                let at = *self.by_index.get(&index)?;
                self.recent = Some((index, at));
                Some(at)
            }
        }
    }

    /// The slot at the same place of the last chunk that opened calls, else the newest one; within a chunk
    /// that itself opens calls, a place not yet seen has no slot.
    fn at_position(&self, position: usize) -> Option<usize> {
        match self.opening.get(position).copied().flatten() {
            Some(at) => Some(at),
            None if self.current.is_empty() => self.list.len().checked_sub(1),
            None => None,
        }
    }

    fn open(&mut self, piece: &Fragment, index: Option<i64>) -> usize {
        let at = self.list.len();
        let taken = piece.id.as_ref().is_some_and(|id| self.by_id.contains_key(id));
        self.list.push(Slot {
            id: piece.id.clone(),
            needs_fresh_id: taken,
            index,
            ..Slot::default()
        });
        if let Some(id) = &piece.id {
            self.by_id.entry(id.clone()).or_default().push(at);
        }
        if let Some(index) = index {
            self.bind(index, at);
        }
        self.opened = true;
        at
    }
}

/// True when `piece` names a tool and brings a whole object beside the whole one that is there.
fn is_another(slot: &Slot, piece: &Fragment, tools: &ToolSet) -> bool {
    piece.name.is_some()
        && slot.received.is_complete()
        && (slot.received.is_followed_by_another(piece.arguments.as_ref())
            || is_another_tool(slot, piece, tools))
}

/// True when `piece` names a different tool although the slot's arguments are already whole.
fn is_another_tool(slot: &Slot, piece: &Fragment, tools: &ToolSet) -> bool {
    slot.received.is_complete()
        && !names::agree(slot.name.as_deref(), piece.name.as_deref(), tools)
        && piece.name.as_deref().is_some_and(|name| tools.begins(name))
}

/// True when `name` is the next piece of an unfinished name of a slot without arguments.
fn continues_name(slot: &Slot, name: &str, tools: &ToolSet) -> bool {
    slot.received.is_empty()
        && slot
            .name
            .as_deref()
            .is_some_and(|old| !tools.has(old) && names::agree(Some(old), Some(name), tools))
}
