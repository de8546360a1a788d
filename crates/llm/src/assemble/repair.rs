//! Repairs of damaged JSON objects that need no guessing.

use serde_json::{Deserializer, Map, Value};

use super::scan::trimmed;
use crate::turn::Repair;

/// Marks that chat templates leave behind a call's arguments.
const TEMPLATE_MARKS: [&str; 24] = [
    "</tool_call>",
    "</tool_calls>",
    "</tools>",
    "</function>",
    "</function_call>",
    "</function_calls>",
    "</parameter>",
    "</parameters>",
    "</arguments>",
    "</args>",
    "</invoke>",
    "</tool_use>",
    "</json>",
    "</s>",
    "<|im_end|>",
    "<|end|>",
    "<|eot_id|>",
    "<|eom_id|>",
    "<|endoftext|>",
    "<|end_of_text|>",
    "<|tool_call_end|>",
    "<|tool_calls_section_end|>",
    "<｜tool▁call▁end｜>",
    "<｜tool▁calls▁end｜>",
];

/// The object that `text` holds once its damage is undone, and which damage it was.
///
/// Raw control characters in strings are escaped first, which loses nothing; then exactly one of: a fence taken
/// off, known junk cut off, missing brackets closed.
pub(crate) fn repair(text: &str) -> Option<(Map<String, Value>, Repair)> {
    let escaped = escape_controls(text);
    let text = escaped.as_deref().unwrap_or(text);
    if escaped.is_some()
        && let Ok(object) = serde_json::from_str(text)
    {
        return Some((object, Repair::ControlChars));
    }
    if let Some(object) = unfenced(text).and_then(|inner| serde_json::from_str(inner).ok()) {
        return Some((object, Repair::CodeFence));
    }
    if let Some(object) = without_junk(text) {
        return Some((object, Repair::TrailingGarbage));
    }
    closed(text).map(|object| (object, Repair::ClosedBraces))
}

/// The inside of a Markdown fence around the whole text.
pub(crate) fn unfenced(text: &str) -> Option<&str> {
    let inside = trimmed(text).strip_prefix("```")?.strip_suffix("```")?;
    let inside = inside.trim_start_matches(|letter: char| letter.is_ascii_alphanumeric() || letter == '_');
    (!inside.contains("```")).then(|| trimmed(inside))
}

/// A whole object followed by nothing but template marks and stray closing brackets.
fn without_junk(text: &str) -> Option<Map<String, Value>> {
    let mut values = Deserializer::from_str(text).into_iter::<Map<String, Value>>();
    let object = values.next()?.ok()?;
    let mut rest = text.get(values.byte_offset()..)?;
    loop {
        rest = rest.trim_start();
        if rest.is_empty() {
            return Some(object);
        }
        rest = TEMPLATE_MARKS
            .iter()
            .find_map(|mark| rest.strip_prefix(mark))
            .or_else(|| rest.strip_prefix(['}', ']']))
            .or_else(|| rest.strip_prefix("```"))?;
    }
}

/// The object with the closing brackets that the end of the text leaves open. An open string stays open:
/// nobody knows how it would have gone on.
fn closed(text: &str) -> Option<Map<String, Value>> {
    let mut open = Vec::new();
    let mut in_string = false;
    let mut escaped = false;
    for byte in text.bytes() {
        match byte {
            _ if escaped => escaped = false,
            b'\\' if in_string => escaped = true,
            b'"' => in_string = !in_string,
            _ if in_string => {}
            b'{' => open.push('}'),
            b'[' => open.push(']'),
            b'}' | b']' if open.pop() != Some(char::from(byte)) => return None,
            _ => {}
        }
    }
    if in_string || open.is_empty() {
        return None;
    }
    let mut whole = String::with_capacity(text.len() + open.len());
    whole.push_str(text);
    whole.extend(open.into_iter().rev());
    serde_json::from_str(&whole).ok()
}

/// The text with raw control characters inside strings written as escapes; `None` when there are none.
fn escape_controls(text: &str) -> Option<String> {
    if !text.bytes().any(|byte| byte < 0x20) {
        return None;
    }
    let mut escaped_text = String::with_capacity(text.len() + 16);
    let (mut in_string, mut escaped, mut changed) = (false, false, false);
    for letter in text.chars() {
        if in_string && letter < ' ' && !escaped {
            changed = true;
            match letter {
                '\n' => escaped_text.push_str("\\n"),
                '\r' => escaped_text.push_str("\\r"),
                '\t' => escaped_text.push_str("\\t"),
                other => escaped_text.push_str(&format!("\\u{:04x}", u32::from(other))),
            }
            continue;
        }
        match letter {
            _ if escaped => escaped = false,
            '\\' if in_string => escaped = true,
            '"' => in_string = !in_string,
            _ => {}
        }
        escaped_text.push(letter);
    }
    changed.then_some(escaped_text)
}
