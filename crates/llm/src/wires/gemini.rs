//! Gemini `streamGenerateContent`: candidates whose parts are text or whole calls.

use serde_json::{Map, Value};

use super::decoder::WireDecoder;
use super::dialect::Dialect;
use super::read;
use crate::delta::{CallArguments, Delta, FinishReason, Fragment, Part, Place};
use crate::sse::Framing;
use crate::unfinished::Unfinished;

mod path;
mod render;

pub(super) static DIALECT: Dialect = Dialect {
    name: "gemini",
    aliases: &[],
    provider: "gemini",
    path: |endpoint| {
        let model = endpoint.model.strip_prefix("models/").unwrap_or(&endpoint.model);
        format!("/models/{model}:streamGenerateContent").into()
    },
    query: Some("alt=sse"),
    embeddings: None,
    key_header: Some("x-goog-api-key"),
    version_header: None,
    framing: Framing::Events,
    has_json_schema: true,
    body: render::body,
    decoder: || Box::<GeminiDecoder>::default(),
};

/// Reads the chunks of a stream. A call normally comes whole; where arguments are streamed they come as values at
/// JSON paths, and the call closes with a part that promises no more.
#[derive(Debug, Default)]
pub struct GeminiDecoder {
    calls: Vec<StreamedCall>,
    chunk: u32,
    /// The call whose arguments are being streamed.
    growing: Option<usize>,
    /// True once a reason for stopping came: Gemini ends an answer by closing.
    finished: bool,
}

#[derive(Debug)]
struct StreamedCall {
    name: Option<String>,
    id: Option<String>,
    arguments: Map<String, Value>,
    signed: bool,
    chunk: u32,
    /// The string value that continues with the next piece.
    open_path: Option<String>,
}

impl WireDecoder for GeminiDecoder {
    fn value(&mut self, value: &Value) -> Result<Delta, Unfinished> {
        if let Some(error) = read::error_in(value) {
            return Err(error);
        }
        let mut delta = Delta::default();
        if let Some(reason) = value
            .pointer("/promptFeedback/blockReason")
            .and_then(Value::as_str)
            && !matches!(
                reason,
                "" | "BLOCK_REASON_UNSPECIFIED" | "BLOCKED_REASON_UNSPECIFIED"
            )
        {
            delta.push(Part::Finish(FinishReason::ContentFilter(reason.to_owned())));
            delta.push(Part::End);
            return Ok(delta);
        }
        let candidates = value.get("candidates").and_then(Value::as_array);
        let first = candidates.and_then(|list| {
            list.iter()
                .find(|candidate| read::index(candidate.get("index")).unwrap_or(0) == 0)
        });
        let mut reason = None;
        if let Some(candidate) = first {
            for part in read::items(candidate.pointer("/content/parts")) {
                self.part(part, &mut delta);
            }
            reason = candidate
                .get("finishReason")
                .and_then(Value::as_str)
                .and_then(FinishReason::read);
        }
        delta.add_usage(value.get("usageMetadata"));
        self.finished |= reason.is_some();
        delta.parts.extend(reason.map(Part::Finish));
        self.chunk += 1;
        Ok(delta)
    }

    fn ends_by_closing(&self) -> bool {
        self.finished
    }
}

impl GeminiDecoder {
    fn part(&mut self, part: &Value, delta: &mut Delta) {
        let signature = part
            .get("thoughtSignature")
            .or_else(|| part.get("thought_signature"))
            .filter(|signature| !signature.is_null());
        let call = part
            .get("functionCall")
            .or_else(|| part.get("function_call"))
            .filter(|call| call.is_object());
        if let Some(call) = call {
            self.call(call, signature, delta);
            return;
        }
        if let Some(text) = read::text(part.get("text")) {
            let thought = part.get("thought") == Some(&Value::Bool(true));
            delta.push(if thought {
                Part::Reasoning(text)
            } else {
                Part::Text(text)
            });
        }
        if let Some(signature) = signature {
            delta.push(Part::Extra(Box::new(signature.clone())));
        }
    }

    fn call(&mut self, call: &Value, signature: Option<&Value>, delta: &mut Delta) {
        let continues = call.get("willContinue") == Some(&Value::Bool(true));
        let name = read::word(call.get("name"));
        let pieces = call.get("partialArgs").and_then(Value::as_array);
        if let Some(at) = self.growing
            && name.is_none()
        {
            self.grow(at, pieces, continues, delta);
            return;
        }
        let id = read::word(call.get("id"));
        let arguments = call
            .get("args")
            .and_then(Value::as_object)
            .cloned()
            .unwrap_or_default();
        if name.is_none() && id.is_none() && arguments.is_empty() && pieces.is_none() {
            return;
        }
        if let Some((at, known)) =
            self.redelivered(name.as_deref(), id.as_deref(), &arguments, signature.is_some())
        {
            known.signed |= signature.is_some();
            let place = Place::Block(u32::try_from(at).unwrap_or(u32::MAX));
            delta.push(Part::Call(Fragment {
                extras: signature.cloned().map(Box::new),
                ..Fragment::at(place)
            }));
            return;
        }
        let at = self.calls.len();
        let place = Place::Block(u32::try_from(at).unwrap_or(u32::MAX));
        self.calls.push(StreamedCall {
            name: name.clone(),
            id: id.clone(),
            arguments: arguments.clone(),
            signed: signature.is_some(),
            chunk: self.chunk,
            open_path: None,
        });
        let mut opening = Fragment {
            id,
            name,
            extras: signature.cloned().map(Box::new),
            ..Fragment::at(place)
        };
        if continues || pieces.is_some() {
            opening.awaiting = true;
            delta.push(Part::Call(opening));
            self.growing = Some(at);
            self.grow(at, pieces, continues, delta);
            return;
        }
        opening.arguments = read::arguments(call.get("args"));
        delta.push(Part::Call(opening));
        delta.push(Part::Seal(u32::try_from(at).unwrap_or(u32::MAX)));
    }

    /// A call that came before, now with its signature or under the same id.
    fn redelivered(
        &mut self,
        name: Option<&str>,
        id: Option<&str>,
        arguments: &Map<String, Value>,
        signed: bool,
    ) -> Option<(usize, &mut StreamedCall)> {
        let chunk = self.chunk;
        self.calls.iter_mut().enumerate().rev().find(|(_, known)| {
            let same = known.name.as_deref() == name && known.arguments == *arguments;
            let same_id = id.is_some() && known.id.as_deref() == id;
            let now_signed = known.id.as_deref() == id && known.chunk < chunk && signed && !known.signed;
            same && (same_id || now_signed)
        })
    }

    fn grow(&mut self, at: usize, pieces: Option<&Vec<Value>>, continues: bool, delta: &mut Delta) {
        let block = u32::try_from(at).unwrap_or(u32::MAX);
        let Some(call) = self.calls.get_mut(at) else {
            return;
        };
        for piece in pieces.into_iter().flatten() {
            let more = piece.get("willContinue") == Some(&Value::Bool(true));
            let Some(target) = read::text(piece.get("jsonPath")).or_else(|| call.open_path.clone()) else {
                continue;
            };
            let appends = call.open_path.as_deref() == Some(target.as_str());
            path::put(&mut call.arguments, &target, piece, appends);
            call.open_path = more.then_some(target);
        }
        if continues {
            let waiting = Fragment {
                awaiting: true,
                ..Fragment::at(Place::Block(block))
            };
            delta.push(Part::Call(waiting));
            return;
        }
        self.growing = None;
        if call.open_path.is_some() {
            // The call closed within a string: it stays open, and is refused when the turn ends.
            return;
        }
        let arguments = Some(CallArguments::Object(Box::new(call.arguments.clone())));
        delta.add_arguments(block, arguments);
        delta.push(Part::Seal(block));
    }
}
