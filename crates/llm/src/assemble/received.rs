//! The arguments of one call as they arrive: pieces in order, parsed at most once on the way.

use serde_json::{Map, Value};

use super::scan::{Scan, trimmed};
use crate::delta::CallArguments;

/// All pieces of one call's arguments.
#[derive(Debug, Default)]
pub(crate) struct ReceivedArguments {
    text: String,
    /// Where each piece ends in `text`.
    ends: Vec<usize>,
    scan: Scan,
    /// Arguments that came decoded.
    object: Option<Map<String, Value>>,
    /// The strict reading of `text`, made when its object closed and dropped when more came.
    parsed: Option<Map<String, Value>>,
    /// True once an explicit decoded object came, even an empty one.
    explicit: bool,
}

impl ReceivedArguments {
    /// Takes the next arguments. `placeholders` says that an empty decoded object means nothing yet.
    pub(crate) fn take(&mut self, arguments: CallArguments, placeholders: bool) {
        match arguments {
            CallArguments::Fragment(piece) => self.append(&piece),
            CallArguments::Whole(text) => {
                let is_new = trimmed(&text) != trimmed(&self.text);
                // What came whole stays, unless the provider's own summary is whole as well and differs.
                let better = || {
                    self.strict().is_none_or(|known| {
                        serde_json::from_str::<Map<String, Value>>(&text).is_ok_and(|object| object != *known)
                    })
                };
                if !trimmed(&text).is_empty() && is_new && better() {
                    self.forget();
                    self.append(&text);
                }
            }
            CallArguments::Object(object) => {
                if object.is_empty() {
                    self.explicit |= !placeholders;
                    return;
                }
                self.forget();
                self.object = Some(*object);
            }
        }
    }

    fn append(&mut self, piece: &str) {
        if piece.is_empty() {
            return;
        }
        self.text.push_str(piece);
        self.ends.push(self.text.len());
        let was_closed = self.scan.is_closed();
        self.scan.feed(piece.as_bytes());
        match (was_closed, self.scan.is_closed()) {
            (false, true) => {
                self.parsed = serde_json::from_str(&self.text).ok();
            }
            (true, false) => self.parsed = None,
            _ => {}
        }
    }

    fn forget(&mut self) {
        *self = Self {
            explicit: self.explicit,
            ..Self::default()
        };
    }

    /// The arguments, if what came so far is a JSON object and nothing else.
    pub(crate) fn strict(&self) -> Option<&Map<String, Value>> {
        if self.text.is_empty() {
            self.object.as_ref()
        } else {
            self.parsed.as_ref()
        }
    }

    /// [`Self::strict`] by value, leaving nothing behind.
    pub(crate) fn take_strict(&mut self) -> Option<Map<String, Value>> {
        if self.text.is_empty() {
            self.object.take()
        } else {
            self.parsed.take()
        }
    }

    /// True when the strict reading comes from text and holds something.
    pub(crate) fn closed_by_text(&self) -> bool {
        !self.text.is_empty() && self.parsed.as_ref().is_some_and(|object| !object.is_empty())
    }

    /// True when a whole object is there that is no mere placeholder.
    pub(crate) fn is_complete(&self) -> bool {
        self.strict().is_some_and(|object| !object.is_empty())
    }

    /// True when the wire gave an empty object on purpose and nothing else.
    pub(crate) fn is_explicitly_empty(&self) -> bool {
        self.explicit && self.text.is_empty() && self.object.is_none()
    }

    /// True when nothing came at all.
    pub(crate) fn is_empty(&self) -> bool {
        self.text.is_empty() && self.object.is_none()
    }

    /// The text so far.
    pub(crate) fn text(&self) -> &str {
        &self.text
    }

    /// The pieces in order.
    pub(crate) fn pieces(&self) -> impl DoubleEndedIterator<Item = &str> + Clone {
        let starts = std::iter::once(0).chain(self.ends.iter().copied());
        starts
            .zip(self.ends.iter().copied())
            .filter_map(|(start, end)| self.text.get(start..end))
            .collect::<Vec<_>>()
            .into_iter()
    }

    /// Would `next` be a second object beside the complete one here?
    pub(crate) fn is_followed_by_another(&self, next: Option<&CallArguments>) -> bool {
        match next {
            Some(CallArguments::Fragment(text) | CallArguments::Whole(text)) => {
                let text = trimmed(text);
                text.starts_with('{')
                    && text != trimmed(&self.text)
                    && serde_json::from_str::<Map<String, Value>>(text)
                        .is_ok_and(|object| !object.is_empty() && Some(&object) != self.strict())
            }
            Some(CallArguments::Object(object)) => !object.is_empty() && Some(&**object) != self.strict(),
            None => false,
        }
    }
}
