//! Tool calls found in text, and what an envelope around them turned out to be.

use serde_json::{Map, Value};

use super::interpret::AnswerEnding;
use crate::turn::{Malformed, Repair};

/// A call found in text.
#[derive(Debug)]
pub(crate) struct TextCall {
    pub(crate) name: String,
    pub(crate) arguments: Result<(Map<String, Value>, Option<Repair>), Malformed>,
    pub(crate) received: String,
}

impl TextCall {
    /// A call whose arguments are there.
    pub(crate) fn whole(name: &str, arguments: Map<String, Value>, received: &str) -> Self {
        Self {
            name: name.to_owned(),
            arguments: Ok((arguments, None)),
            received: received.to_owned(),
        }
    }

    /// A call whose arguments cannot be read.
    pub(crate) fn unreadable(name: &str, ending: AnswerEnding, received: &str) -> Self {
        Self {
            name: name.to_owned(),
            arguments: Err(ending.unreadable()),
            received: received.to_owned(),
        }
    }
}

/// What an opening mark in a text turned out to begin.
pub(crate) enum ParsedEnvelope {
    /// Whole calls of offered tools.
    Calls { len: usize, calls: Vec<TextCall> },
    /// A call of an offered tool that is not whole.
    Refused { len: usize, call: TextCall },
    /// Nothing to run.
    Prose { len: usize },
}

/// The tokens around a call, and between its name and its arguments.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct TokenSection {
    pub(crate) begin: &'static str,
    pub(crate) separator: &'static str,
    pub(crate) end: &'static str,
}

/// The name of the tool that an unfinished envelope calls, so that the rejection can name it.
pub(crate) fn tool_name_in(text: &str) -> Option<&str> {
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
