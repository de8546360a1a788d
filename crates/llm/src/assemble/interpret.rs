//! Parsing the collected arguments of a call once it is over.

use serde_json::{Deserializer, Map, Value};

use super::received::ReceivedArguments;
use super::repair;
use super::scan::trimmed;
use crate::turn::{Malformed, Repair};

/// The arguments of one call: one object, or several where calls were run together.
#[derive(Debug, PartialEq)]
pub(crate) struct ParsedArguments {
    pub(crate) objects: Vec<Map<String, Value>>,
    pub(crate) repair: Option<Repair>,
}

impl ParsedArguments {
    fn one(object: Map<String, Value>, repair: Option<Repair>) -> Self {
        Self {
            objects: vec![object],
            repair,
        }
    }
}

/// How the turn ended, as far as arguments care.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum AnswerEnding {
    /// By the wire's mark, and the model was not out of tokens.
    Normal,
    /// Out of tokens: what is not whole stays unknown.
    Cut,
}

impl AnswerEnding {
    /// What is wrong with arguments that cannot be read.
    pub(crate) fn unreadable(self) -> Malformed {
        match self {
            Self::Normal => Malformed::InvalidJson,
            Self::Cut => Malformed::Truncated,
        }
    }
}

/// Reads the arguments. A partial text is never taken for a whole one: brackets are closed only at a normal
/// end and only outside of strings.
pub(crate) fn interpret(
    received: &mut ReceivedArguments,
    ending: AnswerEnding,
    sealed: bool,
    takes_parameters: bool,
) -> Result<ParsedArguments, Malformed> {
    // A bare `{}` may be a provider's placeholder; in a cut turn the real arguments may be what is missing.
    let nothing_counts = ending == AnswerEnding::Normal || !takes_parameters;
    if received.is_explicitly_empty() {
        return Ok(ParsedArguments::one(Map::new(), None));
    }
    if let Some(object) = received.take_strict() {
        return if object.is_empty() && !sealed && !nothing_counts {
            Err(Malformed::Truncated)
        } else {
            Ok(ParsedArguments::one(object, None))
        };
    }
    let text = trimmed(received.text());
    match plain(text) {
        Plain::Nothing if nothing_counts => {
            return Ok(ParsedArguments::one(Map::new(), Some(Repair::EmptyArgs)));
        }
        Plain::Nothing => return Err(Malformed::Truncated),
        Plain::Object(object) => return Ok(ParsedArguments::one(object, None)),
        Plain::Wrapped(object) => return Ok(ParsedArguments::one(object, Some(Repair::DoubleEncoded))),
        Plain::NoObject => return Err(Malformed::NotAnObject),
        Plain::Unreadable => {}
    }
    let rest = without_placeholders(text);
    if rest.len() < text.len() {
        match plain(rest) {
            Plain::Object(object) | Plain::Wrapped(object) => {
                return Ok(ParsedArguments::one(object, Some(Repair::Placeholder)));
            }
            Plain::Nothing if nothing_counts => {
                return Ok(ParsedArguments::one(Map::new(), Some(Repair::Duplicate)));
            }
            Plain::Nothing => return Err(Malformed::Truncated),
            Plain::NoObject => return Err(Malformed::NotAnObject),
            Plain::Unreadable => {}
        }
    }
    if let Some(object) = repeated(received) {
        return Ok(ParsedArguments::one(object, Some(Repair::Snapshot)));
    }
    if let Some(reading) = concatenated(rest) {
        return Ok(reading);
    }
    if ending == AnswerEnding::Normal
        && let Some((object, repair)) = repair::repair(rest)
    {
        return Ok(ParsedArguments::one(object, Some(repair)));
    }
    Err(ending.unreadable())
}

enum Plain {
    Nothing,
    Object(Map<String, Value>),
    /// An object within a JSON string.
    Wrapped(Map<String, Value>),
    /// JSON, but no object.
    NoObject,
    Unreadable,
}

fn plain(text: &str) -> Plain {
    if text.is_empty() {
        return Plain::Nothing;
    }
    match serde_json::from_str(text) {
        Ok(Value::Object(object)) => Plain::Object(object),
        Ok(Value::Null) => Plain::Nothing,
        Ok(Value::String(inner)) => match trimmed(&inner) {
            "" | "null" => Plain::Nothing,
            inner => serde_json::from_str(inner).map_or(Plain::NoObject, Plain::Wrapped),
        },
        Ok(Value::Array(_) | Value::Bool(_) | Value::Number(_)) => Plain::NoObject,
        Err(_) => Plain::Unreadable,
    }
}

/// The text behind any leading `{}`.
fn without_placeholders(text: &str) -> &str {
    let mut rest = text;
    while let Some(after) = rest
        .strip_prefix('{')
        .map(trimmed)
        .and_then(|rest| rest.strip_prefix('}'))
    {
        rest = trimmed(after);
    }
    rest
}

/// The last piece, where each piece repeats all before it, or where the last one repeats all others.
fn repeated(received: &ReceivedArguments) -> Option<Map<String, Value>> {
    let mut pieces: Vec<&str> = received.pieces().collect();
    let first_real = pieces
        .iter()
        .position(|piece| !without_placeholders(trimmed(piece)).is_empty())?;
    pieces.drain(..first_real);
    let (last, earlier) = pieces.split_last()?;
    if earlier.is_empty() {
        return None;
    }
    let is_chain = pieces.is_sorted_by(|one, next| next.starts_with(one));
    let is_sum = || {
        let mut left = *last;
        earlier
            .iter()
            .all(|piece| left.strip_prefix(piece).map(|rest| left = rest).is_some())
            && left.is_empty()
    };
    if is_chain || is_sum() {
        serde_json::from_str(last).ok()
    } else {
        None
    }
}

/// Whole objects one behind the other. Empty ones beside filled ones are placeholders.
fn concatenated(text: &str) -> Option<ParsedArguments> {
    let mut objects: Vec<Map<String, Value>> = Vec::new();
    for value in Deserializer::from_str(text).into_iter::<Map<String, Value>>() {
        objects.push(value.ok()?);
    }
    let came = objects.len();
    objects.retain(|object| !object.is_empty());
    let first = objects.first()?;
    if objects.iter().all(|object| object == first) {
        let repair = if objects.len() == 1 && came > 1 {
            Repair::Placeholder
        } else {
            Repair::Duplicate
        };
        objects.truncate(1);
        return Some(ParsedArguments {
            objects,
            repair: Some(repair),
        });
    }
    Some(ParsedArguments {
        objects,
        repair: Some(Repair::Split),
    })
}
