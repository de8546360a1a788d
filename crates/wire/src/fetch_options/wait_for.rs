//! `WaitFor`: what to wait for after a page has loaded.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::strict::{Fields, RequestRefusal};

/// The longest selector or text, in characters.
const MAX_TEXT: usize = 1_000;
/// The longest plain wait, in milliseconds.
const MAX_MILLISECONDS: u32 = 120_000;

/// What to wait for after a page has loaded; exactly one condition.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum WaitFor {
    /// A visible element that this CSS selector matches.
    Selector(#[schemars(length(min = 1, max = 1000), pattern(r"[^\s\u0085]"))] String),
    /// A text that the page shows.
    Text(#[schemars(length(min = 1, max = 1000), pattern(r"[^\s\u0085]"))] String),
    /// So many milliseconds, at most 120,000.
    Milliseconds(#[schemars(range(max = 120_000))] u32),
    /// No request under way for half a second; `true`.
    NetworkIdle(#[schemars(extend("const" = true))] bool),
}

impl WaitFor {
    pub(super) fn take(from: &mut Fields) -> Result<Option<Self>, RequestRefusal> {
        let Some(mut fields) = from.object("wait_for")? else {
            return Ok(None);
        };
        let condition = Self::read(&mut fields)?;
        fields.refuse_others()?;
        match <[Self; 1]>::try_from(condition) {
            Ok([only]) => Ok(Some(only)),
            Err(_) => Err(from.refusal(
                "wait_for",
                "must have exactly one of selector, text, milliseconds and network_idle",
            )),
        }
    }

    /// Every condition that is given.
    fn read(fields: &mut Fields) -> Result<Vec<Self>, RequestRefusal> {
        let mut given = Vec::new();
        for (key, make) in [
            ("selector", Self::Selector as fn(String) -> Self),
            ("text", Self::Text),
        ] {
            match fields.text(key, MAX_TEXT)? {
                Some(text) if text.trim().is_empty() => {
                    return Err(fields.refusal(key, "must not be blank"));
                }
                text => given.extend(text.map(make)),
            }
        }
        let milliseconds = fields.whole("milliseconds", 0..=MAX_MILLISECONDS)?;
        given.extend(milliseconds.map(Self::Milliseconds));
        match fields.flag("network_idle")? {
            Some(false) => {
                let advice = "must be true; leave wait_for out to wait for nothing";
                return Err(fields.refusal("network_idle", advice));
            }
            idle => given.extend(idle.map(Self::NetworkIdle)),
        }
        Ok(given)
    }
}
