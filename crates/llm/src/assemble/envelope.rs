//! Envelopes: the formats in which models write tool calls into text.
//!
//! The formats are those of the models' public chat templates: Hermes and Qwen (`<tool_call>` around JSON), Qwen3-Coder
//! (`<function=..>`), GLM (`<arg_key>`), Claude-like and DSML (`<invoke name=..>`), Mistral (`[TOOL_CALLS]`), Llama
//! (`<|python_tag|>`), Kimi and DeepSeek (section tokens), Granite (`<|tool_call|>`).

mod json;
mod tags;
mod typed;

use std::collections::HashSet;

pub(super) use json::calls_of_json;
use json::{json_sequence, marked};
use tags::{functions, invokes, key_value_tags, sections};

use serde_json::Value;

use super::interpret::AnswerEnding;
use super::repair::{repair, unfenced};
use super::scan::trimmed;
use super::text_call::{ParsedEnvelope, TextCall, TokenSection, tool_name_in};
use crate::tool::ToolSet;

/// The beginning of an envelope, how it ends and what is inside.
#[derive(Debug)]
pub(crate) struct EnvelopeOpener {
    pub(crate) mark: &'static str,
    end: &'static str,
    inside: EnvelopeBody,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum EnvelopeBody {
    /// JSON, function tags, invoke tags or key and value tags.
    Any,
    /// One or more invoke elements whose tags carry this prefix.
    Invokes(&'static str),
    /// A single invoke element, without an envelope around it.
    Invoke(&'static str),
    /// A single function element, without an envelope around it.
    Function,
    /// Names and JSON one behind the other up to the end of the JSON.
    Marked,
    /// Sections that open with a token of their own.
    Sections(&'static TokenSection),
}

const KIMI: TokenSection = TokenSection {
    begin: "<|tool_call_begin|>",
    separator: "<|tool_call_argument_begin|>",
    end: "<|tool_call_end|>",
};
const DEEPSEEK: TokenSection = TokenSection {
    begin: "<｜tool▁call▁begin｜>",
    separator: "<｜tool▁sep｜>",
    end: "<｜tool▁call▁end｜>",
};

const fn opener(mark: &'static str, end: &'static str, inside: EnvelopeBody) -> EnvelopeOpener {
    EnvelopeOpener { mark, end, inside }
}

/// Every way to begin an envelope.
pub(crate) const OPENERS: [EnvelopeOpener; 20] = [
    opener("<tool_call>", "</tool_call>", EnvelopeBody::Any),
    opener("<tool_calls>", "</tool_calls>", EnvelopeBody::Any),
    opener("<tools>", "</tools>", EnvelopeBody::Any),
    opener("<toolcall>", "</toolcall>", EnvelopeBody::Any),
    opener("<function_call>", "</function_call>", EnvelopeBody::Any),
    opener("<|tool_call|>", "<|/tool_call|>", EnvelopeBody::Any),
    opener("<function_calls>", "</function_calls>", EnvelopeBody::Invokes("")),
    opener(
        "<antml:function_calls>",
        "</antml:function_calls>",
        EnvelopeBody::Invokes("antml:"),
    ),
    opener(
        "<｜DSML｜tool_calls>",
        "</｜DSML｜tool_calls>",
        EnvelopeBody::Invokes("｜DSML｜"),
    ),
    opener(
        "<｜DSML｜function_calls>",
        "</｜DSML｜function_calls>",
        EnvelopeBody::Invokes("｜DSML｜"),
    ),
    opener(
        "<minimax:tool_call>",
        "</minimax:tool_call>",
        EnvelopeBody::Invokes(""),
    ),
    opener("<invoke name=", "</invoke>", EnvelopeBody::Invoke("")),
    opener(
        "<antml:invoke name=",
        "</antml:invoke>",
        EnvelopeBody::Invoke("antml:"),
    ),
    opener(
        "<｜DSML｜invoke name=",
        "</｜DSML｜invoke>",
        EnvelopeBody::Invoke("｜DSML｜"),
    ),
    opener("<function=", "</function>", EnvelopeBody::Function),
    opener("[TOOL_CALLS]", "", EnvelopeBody::Marked),
    opener("<|python_tag|>", "", EnvelopeBody::Marked),
    opener(
        "<|tool_calls_section_begin|>",
        "<|tool_calls_section_end|>",
        EnvelopeBody::Sections(&KIMI),
    ),
    opener(
        "<|tool_call_begin|>",
        "<|tool_call_end|>",
        EnvelopeBody::Sections(&KIMI),
    ),
    opener(
        "<｜tool▁calls▁begin｜>",
        "<｜tool▁calls▁end｜>",
        EnvelopeBody::Sections(&DEEPSEEK),
    ),
];

/// After so many failed envelopes further opening marks are prose, so that the cost stays proportional to the length of
/// the text.
const MAX_FAILURES: usize = 64;

/// State of the search for envelopes in one text.
#[derive(Debug, Default)]
pub(crate) struct EnvelopeScan {
    /// End marks that do not occur any more.
    missing_ends: HashSet<&'static str>,
    /// Opening marks that opened nothing.
    failures: usize,
}

/// Reads the envelope at the start of `rest`, if one begins there.
pub(crate) fn parse(
    rest: &str,
    tools: &ToolSet,
    ending: AnswerEnding,
    scan: &mut EnvelopeScan,
) -> ParsedEnvelope {
    let Some(opener) = OPENERS.iter().find(|opener| rest.starts_with(opener.mark)) else {
        return ParsedEnvelope::Prose { len: 1 };
    };
    if scan.failures > MAX_FAILURES {
        return ParsedEnvelope::Prose {
            len: opener.mark.len(),
        };
    }
    let body = rest.get(opener.mark.len()..).unwrap_or_default();
    if opener.inside == EnvelopeBody::Marked {
        let parsed = marked(body, opener.mark, tools, ending);
        scan.failures += usize::from(!matches!(parsed, ParsedEnvelope::Calls { .. }));
        return parsed;
    }
    let end = if scan.missing_ends.contains(opener.end) {
        None
    } else {
        body.find(opener.end)
    };
    let Some(end) = end else {
        scan.missing_ends.insert(opener.end);
        scan.failures += 1;
        return unclosed(rest, opener, tools, ending);
    };
    let inner = body.get(..end).unwrap_or_default();
    // An opening mark that is only spoken of does not swallow the envelope behind it.
    if let Some(nested) = inner.rfind(opener.mark) {
        return ParsedEnvelope::Prose {
            len: opener.mark.len() + nested,
        };
    }
    let len = opener.mark.len() + end + opener.end.len();
    let element = rest.get(..len).unwrap_or_default();
    let calls = match opener.inside {
        EnvelopeBody::Any => any(inner, tools).or_else(|| repaired(inner, ending)),
        EnvelopeBody::Invokes(prefix) => invokes(inner, prefix, tools),
        EnvelopeBody::Invoke(prefix) => invokes(element, prefix, tools),
        EnvelopeBody::Function => functions(element, tools),
        EnvelopeBody::Sections(section) if opener.mark == section.begin => sections(element, section),
        EnvelopeBody::Sections(section) => sections(inner, section),
        EnvelopeBody::Marked => None,
    };
    match calls {
        Some(calls) if !calls.is_empty() && calls.iter().all(|call| tools.has(&call.name)) => {
            ParsedEnvelope::Calls { len, calls }
        }
        Some(_) => {
            scan.failures += 1;
            ParsedEnvelope::Prose { len }
        }
        None => {
            scan.failures += 1;
            refused(element, tools, ending).unwrap_or(ParsedEnvelope::Prose { len })
        }
    }
}

/// An envelope without its end. Where the calls inside are whole all the same and the turn ended normally they
/// count; otherwise the call is rejected.
fn unclosed(rest: &str, opener: &EnvelopeOpener, tools: &ToolSet, ending: AnswerEnding) -> ParsedEnvelope {
    let body = rest.get(opener.mark.len()..).unwrap_or_default();
    let calls = match opener.inside {
        _ if ending == AnswerEnding::Cut => None,
        EnvelopeBody::Any => any(body, tools),
        EnvelopeBody::Invokes(prefix) => invokes(body, prefix, tools),
        EnvelopeBody::Sections(section) => sections(body, section),
        EnvelopeBody::Invoke(_) | EnvelopeBody::Function | EnvelopeBody::Marked => None,
    };
    if let Some(calls) =
        calls.filter(|calls| !calls.is_empty() && calls.iter().all(|call| tools.has(&call.name)))
    {
        return ParsedEnvelope::Calls {
            len: rest.len(),
            calls,
        };
    }
    refused(rest, tools, ending).unwrap_or(ParsedEnvelope::Prose {
        len: opener.mark.len(),
    })
}

/// The refusal of a call that names an offered tool and is not whole.
fn refused(element: &str, tools: &ToolSet, ending: AnswerEnding) -> Option<ParsedEnvelope> {
    let name = tool_name_in(element).filter(|name| tools.has(name))?;
    Some(ParsedEnvelope::Refused {
        len: element.len(),
        call: TextCall::unreadable(name, ending, element),
    })
}

/// A JSON call with damage that can be undone without guessing.
fn repaired(inner: &str, ending: AnswerEnding) -> Option<Vec<TextCall>> {
    let text = trimmed(inner);
    if ending == AnswerEnding::Cut || !text.starts_with('{') {
        return None;
    }
    let (object, repair) = repair(text)?;
    let mut calls = calls_of_json(&Value::Object(object), text, false)?;
    for call in &mut calls {
        if let Ok((_, repaired)) = &mut call.arguments {
            *repaired = Some(repair);
        }
    }
    Some(calls)
}

fn any(inner: &str, tools: &ToolSet) -> Option<Vec<TextCall>> {
    let text = trimmed(inner);
    let text = unfenced(text).unwrap_or(text);
    if text.starts_with(['{', '[']) {
        return json_sequence(text);
    }
    if text.starts_with("<function=") {
        return functions(text, tools);
    }
    if text.starts_with("<invoke") {
        return invokes(text, "", tools);
    }
    key_value_tags(text, tools).map(|call| vec![call])
}
