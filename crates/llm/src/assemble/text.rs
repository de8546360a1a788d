//! Tool calls that a model wrote into its text, and the text without them.
//!
//! Only whole envelopes that name offered tools count. What stands in a Markdown fence, in inline code or in a block of
//! reasoning is prose: a
//! page the model quotes must never become a call. The one exception is a message that is nothing but a JSON call,
//! bare or fenced, because that is how several local models call tools.

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
    let thought = thought_len(text.trim_start()).map_or(0, |len| text.len() - text.trim_start().len() + len);
    let (thoughts, answer) = text.split_at_checked(thought).unwrap_or(("", text));
    if let Some(calls) = whole_message(answer, tools) {
        return TextCalls {
            text: thoughts.trim().to_owned(),
            calls,
        };
    }
    let mut found = TextCalls::default();
    let mut kept_from = 0;
    let mut at = 0;
    let mut memory = envelope::ScanMemory::default();
    let mut lone_ticks = HashSet::new();
    while let Some(step) = text.get(at..).and_then(|rest| rest.find(['<', '[', '`', '~'])) {
        at += step;
        let rest = text.get(at..).unwrap_or_default();
        if let Some(end) =
            fence_end(text, at).or_else(|| inline_code_end(rest, &mut lone_ticks).map(|it| at + it))
        {
            at = end;
            continue;
        }
        if let Some(len) = thought_len(rest) {
            at += len;
            continue;
        }
        match envelope::parse(rest, tools, ending, &mut memory) {
            ParsedEnvelope::Calls { len, calls } => {
                found.text.push_str(text.get(kept_from..at).unwrap_or_default());
                found.calls.extend(calls);
                at += len;
                kept_from = at;
            }
            ParsedEnvelope::Refused { len, call } => {
                found.calls.push(call);
                at += len;
            }
            ParsedEnvelope::Prose { len } => at += len.max(1),
        }
        while !text.is_char_boundary(at) {
            at += 1;
        }
    }
    found.text.push_str(text.get(kept_from..).unwrap_or_default());
    found.text = found.text.trim().to_owned();
    found
}

/// The length of a block of reasoning at the start of `rest`: what a model only considers is no call. A block that never
/// ends reaches to the end.
fn thought_len(rest: &str) -> Option<usize> {
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
    let mark = rest.chars().next().filter(|it| matches!(it, '`' | '~'))?;
    let run = rest.chars().take_while(|it| *it == mark).count();
    if run < 3 {
        return None;
    }
    let mut line_at = at + rest.find('\n').map_or(rest.len(), |it| it + 1);
    while let Some(line) = text.get(line_at..).filter(|it| !it.is_empty()) {
        let end = line.find('\n').map_or(line.len(), |it| it + 1);
        let words = line.get(..end).unwrap_or_default().trim();
        if words.len() >= run && words.chars().all(|it| it == mark) {
            return Some(line_at + end);
        }
        line_at += end;
    }
    Some(text.len())
}

/// The longest run of backticks that is taken for the mark of inline code.
const LONGEST_TICKS: usize = 8;

/// The length of inline code at the start of `rest`. Runs of backticks known to have no partner are remembered.
fn inline_code_end(rest: &str, lone: &mut HashSet<usize>) -> Option<usize> {
    let run = rest.bytes().take_while(|it| *it == b'`').count();
    if run == 0 {
        return None;
    }
    if run > LONGEST_TICKS {
        return Some(run);
    }
    if lone.contains(&run) {
        return Some(run);
    }
    let bytes = rest.as_bytes();
    let mut at = run;
    while let Some(step) = bytes.get(at..).and_then(|it| memchr::memchr(b'`', it)) {
        at += step;
        let length = bytes
            .get(at..)
            .unwrap_or_default()
            .iter()
            .take_while(|it| **it == b'`')
            .count();
        at += length;
        if length == run {
            return Some(at);
        }
    }
    lone.insert(run);
    Some(run)
}
