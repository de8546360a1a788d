//! `WireDecoder`: from the payloads of one answer to deltas.

use serde_json::Value;

use super::read;
use crate::delta::{Delta, Part};
use crate::sse::StreamPayload;
use crate::unfinished::Unfinished;

/// Decodes the payloads of one answer into deltas. Holds the state that later payloads refer to.
pub trait WireDecoder: Send {
    /// Reads the next payload, already parsed.
    ///
    /// # Errors
    /// When the payload is an error report or not what the wire promises.
    fn value(&mut self, value: &Value) -> Result<Delta, Unfinished>;

    /// True when closing the connection now is how this wire ends an answer.
    fn ends_by_closing(&self) -> bool {
        false
    }

    /// Reads the next payload as it came.
    ///
    /// # Errors
    /// As [`WireDecoder::value`], and when the payload is no JSON.
    fn payload(&mut self, payload: &StreamPayload) -> Result<Delta, Unfinished> {
        let data = payload.data.trim();
        if data == "[DONE]" {
            return Ok(Delta::of(Part::End));
        }
        let parsed: Result<Value, _> = serde_json::from_str(data);
        if payload.event.as_deref() == Some("error") {
            return Err(Unfinished::upstream(&read::error_text(
                parsed.ok().as_ref(),
                data,
            )));
        }
        let value = parsed.map_err(|_| Unfinished::malformed(data))?;
        if !value.is_object() {
            return Err(Unfinished::malformed(data));
        }
        self.value(&value)
    }
}
