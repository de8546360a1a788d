//! Frames between parent and child: a tag of one byte, the length in four bytes (little endian), the payload.

use std::io::{self, Read, Write};

use serde::{Deserialize, Serialize};

use crate::error::Error;

/// The first argument of a program that is started as a child. The program calls [`crate::child::run`] before anything
/// else then.
pub(crate) const ARGUMENT: &str = "sandbox-child";
/// Longest payload of a frame in both directions, in bytes.
pub(crate) const MAX_FRAME_BYTES: usize = 64 << 20;
/// Length of what precedes a payload.
pub(crate) const HEAD_BYTES: usize = 5;

/// Kinds of tasks; the tag of a request.
#[derive(Debug, Clone, Copy, PartialEq, Eq, strum::FromRepr)]
#[repr(u8)]
pub(crate) enum TaskKind {
    /// [`crate::jq`].
    Jq = 1,
    /// [`crate::regex`].
    Regex = 2,
    /// [`crate::pdf`].
    Pdf = 3,
    /// Answers at once with what protects the child.
    Check = 4,
    /// [`crate::document`].
    Document = 5,
}

/// The tag of a response.
#[derive(Debug, Clone, Copy, PartialEq, Eq, strum::FromRepr)]
#[repr(u8)]
pub(crate) enum ResponseTag {
    /// Sent once, when the limits are set, before a request is read. The payload is [`crate::Protections`] as JSON.
    Ready = 1,
    /// A part of the result; more follows.
    Part = 2,
    /// The result, or the rest of it.
    Done = 3,
    /// An [`Error`] as JSON.
    Failed = 4,
}

/// The bytes that precede a payload.
pub(crate) fn head(tag: u8, length: usize) -> Result<[u8; HEAD_BYTES], Error> {
    let length = u32::try_from(length)
        .ok()
        .filter(|_| length <= MAX_FRAME_BYTES)
        .ok_or_else(|| Error::too_large(format!("a message of {length} bytes"), MAX_FRAME_BYTES))?;
    let [a, b, c, d] = length.to_le_bytes();
    Ok([tag, a, b, c, d])
}

/// Tag and length of the payload; none when the length is above [`MAX_FRAME_BYTES`].
pub(crate) fn parse_head([tag, a, b, c, d]: [u8; HEAD_BYTES]) -> Option<(u8, usize)> {
    let length = usize::try_from(u32::from_le_bytes([a, b, c, d])).ok()?;
    (length <= MAX_FRAME_BYTES).then_some((tag, length))
}

/// Reads a frame; none at the end of the stream.
pub(crate) fn read_frame(from: &mut impl Read) -> io::Result<Option<(u8, Vec<u8>)>> {
    let mut bytes = [0; HEAD_BYTES];
    match from.read_exact(&mut bytes) {
        Err(error) if error.kind() == io::ErrorKind::UnexpectedEof => return Ok(None),
        outcome => outcome?,
    }
    let (tag, length) = parse_head(bytes).ok_or(io::ErrorKind::InvalidData)?;
    let mut payload = vec![0; length];
    from.read_exact(&mut payload)?;
    Ok(Some((tag, payload)))
}

/// Writes a frame. A payload that is too long becomes an error for the parent.
pub(crate) fn write_frame(to: &mut impl Write, tag: ResponseTag, payload: &[u8]) -> io::Result<()> {
    match head(tag as u8, payload.len()) {
        Ok(head) => {
            to.write_all(&head)?;
            to.write_all(payload)?;
            to.flush()
        }
        Err(error) => write_frame(to, ResponseTag::Failed, &encode(&error).unwrap_or_default()),
    }
}

/// A value as a payload.
pub(crate) fn encode(value: &impl Serialize) -> Result<Vec<u8>, Error> {
    serde_json::to_vec(value).map_err(|error| Error::Failed(format!("it is no JSON: {error}")))
}

/// The value of a payload.
pub(crate) fn decode<'p, T: Deserialize<'p>>(payload: &'p [u8]) -> Result<T, Error> {
    serde_json::from_slice(payload)
        .map_err(|error| Error::Failed(format!("the result cannot be read: {error}")))
}
