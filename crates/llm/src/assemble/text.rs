//! Tool calls that a model wrote into its text, and the text without them.
//!
//! Only whole envelopes that name offered tools count. What stands in a Markdown fence, in inline code or in a block of
//! reasoning is prose: a page that the model quotes must never become a call. The one exception is a message that is
//! nothing but a JSON call, bare or fenced, because that is how several local models call tools.

use std::collections::HashSet;

use serde_json::Value;

use super::envelope;
use super::interpret::AnswerEnding;
use super::repair::unfenced;
use super::scan::trimmed;
use super::text_call::{ParsedEnvelope, TextCall};
use crate::tool::ToolSet;

/// All calls of a text and the text without them.
#[derive(Debug, Default)]
pub(crate) struct TextCalls {
    pub(crate) text: String,
    pub(crate) calls: Vec<TextCall>,
}

/// Finds the calls in the text of a finished turn.
pub(crate) fn calls_in(text: &str, tools: &ToolSet, ending: AnswerEnding) -> TextCalls {
    let reasoning_end =
        reasoning_len(text.trim_start()).map_or(0, |len| text.len() - text.trim_start().len() + len);
    let (reasoning, answer) = text.split_at_checked(reasoning_end).unwrap_or(("", text));
    if let Some(calls) = whole_message(answer, tools) {
        return TextCalls {
            text: reasoning.trim().to_owned(),
            calls,
        };
    }
    let mut in_text = TextCalls::default();
    let mut copied_to = 0;
    let mut at = 0;
    let mut scan = envelope::EnvelopeScan::default();
    let mut unpaired_ticks = HashSet::new();
    while let Some(step) = text.get(at..).and_then(|rest| rest.find(['<', '[', '`', '~'])) {
        at += step;
        let rest = text.get(at..).unwrap_or_default();
        if let Some(end) =
            fence_end(text, at).or_else(|| inline_code_end(rest, &mut unpaired_ticks).map(|len| at + len))
        {
            at = end;
            continue;
        }
        if let Some(len) = reasoning_len(rest) {
            at += len;
            continue;
        }
        match envelope::parse(rest, tools, ending, &mut scan) {
            ParsedEnvelope::Calls { len, calls } => {
                in_text.text.push_str(text.get(copied_to..at).unwrap_or_default());
                in_text.calls.extend(calls);
                at += len;
                copied_to = at;
            }
            ParsedEnvelope::Refused { len, call } => {
                in_text.calls.push(call);
                at += len;
            }
            ParsedEnvelope::Prose { len } => at += len.max(1),
        }
        while !text.is_char_boundary(at) {
            at += 1;
        }
    }
    in_text.text.push_str(text.get(copied_to..).unwrap_or_default());
    in_text.text = in_text.text.trim().to_owned();
    in_text
}

/// The length of a block of reasoning at the start of `rest`: what a model only considers is no call. A block that never
/// ends reaches to the end.
fn reasoning_len(rest: &str) -> Option<usize> {
    [("<think>", "</think>"), ("<thinking>", "</thinking>")]
        .iter()
        .find_map(|(begin, end)| {
            let inside = rest.strip_prefix(begin)?;
            Some(
                inside
                    .find(end)
                    .map_or(rest.len(), |at| begin.len() + at + end.len()),
            )
        })
}

/// The calls, where the whole message is one JSON call or a list of them.
fn whole_message(text: &str, tools: &ToolSet) -> Option<Vec<TextCall>> {
    let text = trimmed(text);
    let inner = unfenced(text).unwrap_or(text);
    if !inner.starts_with(['{', '[']) {
        return None;
    }
    let value: Value = serde_json::from_str(inner).ok()?;
    let calls = envelope::calls_of_json(&value, inner, true)?;
    calls.iter().all(|call| tools.has(&call.name)).then_some(calls)
}

/// Where the fence that opens at `at` ends; the end of the text if it never does.
fn fence_end(text: &str, at: usize) -> Option<usize> {
    // At most three blanks may stand before it (CommonMark, 4.5).
    let before = text.get(..at)?.trim_end_matches(' ');
    if at - before.len() > 3 || !(before.is_empty() || before.ends_with('\n')) {
        return None;
    }
    let rest = text.get(at..)?;
    let mark = rest.chars().next().filter(|mark| matches!(mark, '`' | '~'))?;
    let run = rest.chars().take_while(|letter| *letter == mark).count();
    if run < 3 {
        return None;
    }
    let mut line_at = at + rest.find('\n').map_or(rest.len(), |newline| newline + 1);
    while let Some(line) = text.get(line_at..).filter(|line| !line.is_empty()) {
        let end = line.find('\n').map_or(line.len(), |newline| newline + 1);
        let words = line.get(..end).unwrap_or_default().trim();
        if words.len() >= run && words.chars().all(|letter| letter == mark) {
            return Some(line_at + end);
        }
        line_at += end;
    }
    Some(text.len())
}

/// The longest run of backticks that is taken for the mark of inline code.
const LONGEST_TICKS: usize = 8;

/// The length of inline code at the start of `rest`. Runs of backticks known to have no partner are remembered.
fn inline_code_end(rest: &str, unpaired: &mut HashSet<usize>) -> Option<usize> {
    let run = rest.bytes().take_while(|byte| *byte == b'`').count();
    if run == 0 {
        return None;
    }
    if run > LONGEST_TICKS {
        return Some(run);
    }
    if unpaired.contains(&run) {
        return Some(run);
    }
    let bytes = rest.as_bytes();
    let mut at = run;
    while let Some(step) = bytes.get(at..).and_then(|rest| memchr::memchr(b'`', rest)) {
        at += step;
        let length = bytes
            .get(at..)
            .unwrap_or_default()
            .iter()
            .take_while(|byte| **byte == b'`')
            .count();
        at += length;
        if length == run {
            return Some(at);
        }
    }
    unpaired.insert(run);
    Some(run)
}
