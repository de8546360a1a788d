//! Calls written as JSON: alone, in lists, in sequence, or behind a mark.

use serde_json::{Deserializer, Map, Value};

use crate::assemble::interpret::AnswerEnding;
use crate::assemble::text_call::{ParsedEnvelope, TextCall, tool_name_in};
use crate::tool::ToolSet;
use crate::turn::{Malformed, Repair};

/// JSON calls one behind the other, with blanks, commas or semicolons between.
pub(super) fn json_sequence(text: &str) -> Option<Vec<TextCall>> {
    let mut calls = Vec::new();
    let mut rest = text;
    loop {
        rest = rest.trim_start_matches([' ', '\n', '\r', '\t', ',', ';']);
        if rest.is_empty() {
            return Some(calls);
        }
        if !rest.starts_with(['{', '[']) {
            return None;
        }
        let mut values = Deserializer::from_str(rest).into_iter::<Value>();
        let value = values.next()?.ok()?;
        let (received, after) = rest.split_at_checked(values.byte_offset())?;
        calls.extend(calls_of_json(&value, received, false)?);
        rest = after;
    }
}

/// The calls a JSON value describes. `strict` wants the arguments spelled out, for places where a JSON answer that
/// merely has a name must not be mistaken for a call.
pub(in crate::assemble) fn calls_of_json(
    value: &Value,
    received: &str,
    strict: bool,
) -> Option<Vec<TextCall>> {
    match value {
        Value::Array(items) => {
            let calls: Option<Vec<_>> = items
                .iter()
                .map(|item| call_of_json(item, received, strict))
                .collect();
            calls.filter(|calls| !calls.is_empty())
        }
        other => call_of_json(other, received, strict).map(|call| vec![call]),
    }
}

pub(super) fn call_of_json(value: &Value, received: &str, strict: bool) -> Option<TextCall> {
    let outer = value.as_object()?;
    let object = match outer.get("function") {
        Some(Value::Object(inner)) => inner,
        _ => outer,
    };
    let name = ["name", "function", "tool", "tool_name"]
        .iter()
        .find_map(|key| object.get(*key).and_then(Value::as_str))?
        .trim();
    let given = ["arguments", "parameters", "args", "input"]
        .iter()
        .find_map(|key| object.get(*key));
    let arguments = match given {
        Some(Value::Object(arguments)) => Ok((arguments.clone(), None)),
        _ if strict => return None,
        None | Some(Value::Null) => Ok((Map::new(), None)),
        Some(Value::String(text)) => match serde_json::from_str(text) {
            Ok(arguments) => Ok((arguments, Some(Repair::DoubleEncoded))),
            Err(_) => Err(Malformed::InvalidJson),
        },
        Some(Value::Array(_) | Value::Bool(_) | Value::Number(_)) => Err(Malformed::NotAnObject),
    };
    Some(TextCall {
        name: name.to_owned(),
        arguments,
        received: received.to_owned(),
    })
}

/// `[TOOL_CALLS]name[ARGS]{..}`, `[TOOL_CALLS]name{..}`, `[TOOL_CALLS][{..}]` and the like: the JSON says where it ends.
pub(super) fn marked(body: &str, mark: &str, tools: &ToolSet, ending: AnswerEnding) -> ParsedEnvelope {
    let mut calls = Vec::new();
    let mut at = 0;
    loop {
        let rest = body.get(at..).unwrap_or_default();
        let start = rest.trim_start();
        let skipped = rest.len() - start.len();
        if let Some(again) = start.strip_prefix(mark) {
            at = body.len() - again.len();
            continue;
        }
        let Some((named, json)) = split_name(start) else {
            break;
        };
        let mut values = Deserializer::from_str(json).into_iter::<Value>();
        let Some(Ok(value)) = values.next() else {
            let name = named
                .or_else(|| tool_name_in(json))
                .filter(|name| tools.has(name));
            if let (Some(name), true) = (name, calls.is_empty()) {
                return ParsedEnvelope::Refused {
                    len: mark.len() + body.len(),
                    call: TextCall::unreadable(name, ending, json),
                };
            }
            break;
        };
        let used = values.byte_offset();
        let received = json.get(..used).unwrap_or_default();
        let described = match (named, value) {
            (Some(name), Value::Object(arguments)) => Some(vec![TextCall::whole(name, arguments, received)]),
            (None, value) => calls_of_json(&value, received, false),
            (Some(_), _) => None,
        };
        let Some(described) = described.filter(|calls| calls.iter().all(|call| tools.has(&call.name))) else {
            break;
        };
        calls.extend(described);
        at += skipped + (start.len() - json.len()) + used;
        let next = body.get(at..).unwrap_or_default().trim_start();
        let next = next.strip_prefix([',', ';']).unwrap_or(next).trim_start();
        if next.starts_with('{') || next.starts_with(mark) {
            at = body.len() - next.len();
            continue;
        }
        break;
    }
    if calls.is_empty() {
        ParsedEnvelope::Prose { len: mark.len() + at }
    } else {
        ParsedEnvelope::Calls {
            len: mark.len() + at,
            calls,
        }
    }
}

/// The tool's name before the JSON, if there is one, and the rest from the JSON on.
fn split_name(text: &str) -> Option<(Option<&str>, &str)> {
    if text.starts_with(['{', '[']) {
        return Some((None, text));
    }
    let (head, json) = text.split_at_checked(text.find('{')?)?;
    let name = head.split('[').next().unwrap_or_default().trim();
    let is_name = |letter: char| letter.is_alphanumeric() || matches!(letter, '_' | '-' | '.' | ':');
    (!name.is_empty() && name.chars().all(is_name)).then_some((Some(name), json))
}
