//! How the envelopes look in which models write calls into text.
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

use super::interpret::Ending;
use super::mend::{mend, unfenced};
use super::scan::trimmed;
use super::text::TextCall;
use crate::tool::ToolSet;
use crate::turn::Malformed;

/// The beginning of an envelope, how it ends and what is inside.
#[derive(Debug)]
pub(crate) struct Opener {
    pub(crate) mark: &'static str,
    end: &'static str,
    inside: Inside,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Inside {
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
    Sections(&'static Section),
}

#[derive(Debug, PartialEq, Eq)]
struct Section {
    begin: &'static str,
    separator: &'static str,
    end: &'static str,
}

const KIMI: Section = Section {
    begin: "<|tool_call_begin|>",
    separator: "<|tool_call_argument_begin|>",
    end: "<|tool_call_end|>",
};
const DEEPSEEK: Section = Section {
    begin: "<｜tool▁call▁begin｜>",
    separator: "<｜tool▁sep｜>",
    end: "<｜tool▁call▁end｜>",
};

const fn opener(mark: &'static str, end: &'static str, inside: Inside) -> Opener {
    Opener { mark, end, inside }
}

/// Every way to begin an envelope.
pub(crate) const OPENERS: [Opener; 20] = [
    opener("<tool_call>", "</tool_call>", Inside::Any),
    opener("<tool_calls>", "</tool_calls>", Inside::Any),
    opener("<tools>", "</tools>", Inside::Any),
    opener("<toolcall>", "</toolcall>", Inside::Any),
    opener("<function_call>", "</function_call>", Inside::Any),
    opener("<|tool_call|>", "<|/tool_call|>", Inside::Any),
    opener("<function_calls>", "</function_calls>", Inside::Invokes("")),
    opener(
        "<antml:function_calls>",
        "</antml:function_calls>",
        Inside::Invokes("antml:"),
    ),
    opener(
        "<｜DSML｜tool_calls>",
        "</｜DSML｜tool_calls>",
        Inside::Invokes("｜DSML｜"),
    ),
    opener(
        "<｜DSML｜function_calls>",
        "</｜DSML｜function_calls>",
        Inside::Invokes("｜DSML｜"),
    ),
    opener("<minimax:tool_call>", "</minimax:tool_call>", Inside::Invokes("")),
    opener("<invoke name=", "</invoke>", Inside::Invoke("")),
    opener("<antml:invoke name=", "</antml:invoke>", Inside::Invoke("antml:")),
    opener(
        "<｜DSML｜invoke name=",
        "</｜DSML｜invoke>",
        Inside::Invoke("｜DSML｜"),
    ),
    opener("<function=", "</function>", Inside::Function),
    opener("[TOOL_CALLS]", "", Inside::Marked),
    opener("<|python_tag|>", "", Inside::Marked),
    opener(
        "<|tool_calls_section_begin|>",
        "<|tool_calls_section_end|>",
        Inside::Sections(&KIMI),
    ),
    opener(
        "<|tool_call_begin|>",
        "<|tool_call_end|>",
        Inside::Sections(&KIMI),
    ),
    opener(
        "<｜tool▁calls▁begin｜>",
        "<｜tool▁calls▁end｜>",
        Inside::Sections(&DEEPSEEK),
    ),
];

/// What stands at a place of the text.
pub(crate) enum Parsed {
    /// Whole calls of offered tools.
    Calls { len: usize, calls: Vec<TextCall> },
    /// A call of an offered tool that is not whole.
    Refused { len: usize, call: TextCall },
    /// Nothing to run.
    Prose { len: usize },
}

/// After so many envelopes that were none, further opening marks are prose: what a text costs stays proportional to its
/// length, whatever it is made of.
const MOST_FAILURES: usize = 64;

/// What was found out about a text on the way.
#[derive(Debug, Default)]
pub(crate) struct Memory {
    /// End marks that do not occur any more.
    dead_ends: HashSet<&'static str>,
    /// Opening marks that opened nothing.
    failures: usize,
}

/// Reads the envelope at the start of `rest`, if one begins there.
pub(crate) fn parse(rest: &str, offer: &ToolSet, ending: Ending, memory: &mut Memory) -> Parsed {
    let Some(opener) = OPENERS.iter().find(|it| rest.starts_with(it.mark)) else {
        return Parsed::Prose { len: 1 };
    };
    if memory.failures > MOST_FAILURES {
        return Parsed::Prose {
            len: opener.mark.len(),
        };
    }
    let body = rest.get(opener.mark.len()..).unwrap_or_default();
    if opener.inside == Inside::Marked {
        let parsed = marked(body, opener.mark, offer, ending);
        memory.failures += usize::from(!matches!(parsed, Parsed::Calls { .. }));
        return parsed;
    }
    let end = if memory.dead_ends.contains(opener.end) {
        None
    } else {
        body.find(opener.end)
    };
    let Some(end) = end else {
        memory.dead_ends.insert(opener.end);
        memory.failures += 1;
        return unclosed(rest, opener, offer, ending);
    };
    let inner = body.get(..end).unwrap_or_default();
    // An opening mark that is only spoken of does not swallow the envelope behind it.
    if let Some(nested) = inner.rfind(opener.mark) {
        return Parsed::Prose {
            len: opener.mark.len() + nested,
        };
    }
    let len = opener.mark.len() + end + opener.end.len();
    let element = rest.get(..len).unwrap_or_default();
    let calls = match opener.inside {
        Inside::Any => any(inner, offer).or_else(|| mended(inner, ending)),
        Inside::Invokes(prefix) => invokes(inner, prefix, offer),
        Inside::Invoke(prefix) => invokes(element, prefix, offer),
        Inside::Function => functions(element, offer),
        Inside::Sections(section) if opener.mark == section.begin => sections(element, section),
        Inside::Sections(section) => sections(inner, section),
        Inside::Marked => None,
    };
    match calls {
        Some(calls) if !calls.is_empty() && calls.iter().all(|call| offer.has(&call.name)) => {
            Parsed::Calls { len, calls }
        }
        Some(_) => {
            memory.failures += 1;
            Parsed::Prose { len }
        }
        None => {
            memory.failures += 1;
            refused(element, offer, ending).unwrap_or(Parsed::Prose { len })
        }
    }
}

/// An envelope without its end. Where the calls inside are whole all the same and the turn ended normally they
/// count; otherwise the model is told that its call was not.
fn unclosed(rest: &str, opener: &Opener, offer: &ToolSet, ending: Ending) -> Parsed {
    let body = rest.get(opener.mark.len()..).unwrap_or_default();
    let calls = match opener.inside {
        _ if ending == Ending::Cut => None,
        Inside::Any => any(body, offer),
        Inside::Invokes(prefix) => invokes(body, prefix, offer),
        Inside::Sections(section) => sections(body, section),
        Inside::Invoke(_) | Inside::Function | Inside::Marked => None,
    };
    if let Some(calls) = calls.filter(|it| !it.is_empty() && it.iter().all(|call| offer.has(&call.name))) {
        return Parsed::Calls {
            len: rest.len(),
            calls,
        };
    }
    refused(rest, offer, ending).unwrap_or(Parsed::Prose {
        len: opener.mark.len(),
    })
}

/// The refusal of a call that names an offered tool and is not whole.
fn refused(element: &str, offer: &ToolSet, ending: Ending) -> Option<Parsed> {
    let name = name_within(element).filter(|name| offer.has(name))?;
    let why = match ending {
        Ending::Cut => Malformed::Truncated,
        Ending::Normal => Malformed::InvalidJson,
    };
    let call = TextCall {
        name: name.to_owned(),
        arguments: Err(why),
        received: element.to_owned(),
    };
    Some(Parsed::Refused {
        len: element.len(),
        call,
    })
}

/// A JSON call with damage that can be undone without guessing.
fn mended(inner: &str, ending: Ending) -> Option<Vec<TextCall>> {
    let text = trimmed(inner);
    if ending == Ending::Cut || !text.starts_with('{') {
        return None;
    }
    let (object, repair) = mend(text)?;
    let mut calls = calls_of_json(&Value::Object(object), text, false)?;
    for call in &mut calls {
        if let Ok((_, mended)) = &mut call.arguments {
            *mended = Some(repair);
        }
    }
    Some(calls)
}

/// The tool an unfinished envelope was for: only to address the refusal.
fn name_within(text: &str) -> Option<&str> {
    const HEAD: usize = 400;
    let end = text
        .char_indices()
        .map(|(at, _)| at)
        .nth(HEAD)
        .unwrap_or(text.len());
    let text = text.get(..end)?;
    let after = ["invoke name=\"", "<function=", "\"name\""]
        .iter()
        .find_map(|mark| {
            let at = text.find(mark)? + mark.len();
            text.get(at..)
        })?;
    let after = after.trim_start_matches([' ', ':', '"', '\n', '\t']);
    let end = after.find(['"', '>', '\n', ' '])?;
    after.get(..end)
}

fn any(inner: &str, offer: &ToolSet) -> Option<Vec<TextCall>> {
    let text = trimmed(inner);
    let text = unfenced(text).unwrap_or(text);
    if text.starts_with(['{', '[']) {
        return json_sequence(text);
    }
    if text.starts_with("<function=") {
        return functions(text, offer);
    }
    if text.starts_with("<invoke") {
        return invokes(text, "", offer);
    }
    key_value_tags(text, offer).map(|call| vec![call])
}
