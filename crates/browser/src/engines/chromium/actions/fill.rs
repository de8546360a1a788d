//! Filling of fields and typing of text.

use serde::Deserialize;
use serde::de::IgnoredAny;
use serde_json::json;

use super::super::cdp::input::{InsertText, KeyEvent};
use super::super::key_events::press;
use super::super::tab::ChromiumTab;
use crate::browser::ActionEffect;
use crate::error::Error;
use crate::keys::KeyboardKey;
use crate::snapshot::Ref;

/// A text up to this many characters is typed key by key; of a longer one only the last character is.
const MAX_TYPED: usize = 400;

/// A field that is ready for its value, or has it already.
#[derive(Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
struct ReadyField {
    /// Whether the value is set already; else it is to be typed.
    set: bool,
    value: String,
    empty: bool,
    multiline: bool,
    secret: bool,
    /// Most characters; absent or negative for no limit.
    max_length: Option<i64>,
    number: u32,
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct FieldContent {
    value: String,
}

impl ChromiumTab {
    /// Replaces the value of a field.
    pub(super) async fn fill(&mut self, target: Ref, value: &str) -> Result<ActionEffect, Error> {
        let baseline = self.baseline()?;
        let arguments = format!(", {}, false", json!(value));
        let field: ReadyField = self.call_on(target, "prepareFill", &arguments).await?;
        if field.set {
            let mut outcome = self.outcome_since(&baseline).await?;
            if field.value != value {
                let note = format!("the field took the value {:?}", field.value);
                outcome.notes.push(note);
            }
            return Ok(outcome);
        }
        let target = self.register_ref(field.number, target)?;
        let text = match field.multiline {
            true => value.to_owned(),
            false => value.replace(['\r', '\n'], " "),
        };
        if !text.is_empty() {
            self.write(&text).await?;
        } else if !field.empty {
            self.dispatch(&press(&KeyboardKey::delete(), 0)).await?;
        }
        let mut outcome = self.outcome_since(&baseline).await?;
        if outcome.visit.is_some() {
            return Ok(outcome);
        }
        // Some fields reformat what is typed, and some refuse it.
        let Ok(mut now) = self.call_on::<FieldContent>(target, "fieldValue", "").await else {
            return Ok(outcome);
        };
        let expected: String = match field.max_length.and_then(|length| usize::try_from(length).ok()) {
            Some(length) => text.chars().take(length).collect(),
            None => text.clone(),
        };
        let is_unchanged = is_same(&now.value, &field.value) && !is_same(&now.value, &expected);
        if is_unchanged && field.max_length.is_some() {
            // The page ignores keys in its field; it may still take the value.
            let arguments = format!(", {}", json!(text));
            now = self.call_on(target, "setValue", &arguments).await?;
            let later = self.outcome_since(&baseline).await?;
            outcome.visit = later.visit;
            outcome.notes.extend(later.notes);
        }
        if !is_same(&now.value, &expected) {
            outcome.notes.push(match field.secret {
                true => "the field holds something else than what was typed".to_owned(),
                false => format!("the field now holds {:?}", now.value),
            });
        }
        Ok(outcome)
    }

    /// Types by key events, after what is there.
    pub(super) async fn type_text(&mut self, target: Ref, text: &str) -> Result<ActionEffect, Error> {
        let baseline = self.baseline()?;
        let arguments = format!(", {}, true", json!(text));
        let is_set = match self
            .call_on::<ReadyField>(target, "prepareFill", &arguments)
            .await
        {
            // An element that is no field may still listen to keys.
            Err(Error::NotActionable { why, .. })
                if why.starts_with("it is no field") || why.starts_with("it is a list") =>
            {
                self.call_on::<IgnoredAny>(target, "focus", "").await?;
                false
            }
            field => field?.set,
        };
        if !is_set {
            self.write(text).await?;
        }
        self.outcome_since(&baseline).await
    }

    /// Writes where the focus is.
    async fn write(&self, text: &str) -> Result<(), Error> {
        let count = text.chars().count();
        let mut typed = text;
        if count > MAX_TYPED {
            let last = text.char_indices().next_back().map_or(0, |(at, _)| at);
            let (inserted, rest) = text.split_at(last);
            let session = self.session()?;
            self.execute(&session, &InsertText { text: inserted }).await?;
            typed = rest;
        }
        let events: Vec<KeyEvent> = typed
            .chars()
            .flat_map(|c| press(&KeyboardKey::of(c), 0))
            .collect();
        self.dispatch(&events).await
    }
}

/// Whether two values are the same, but for the spelling of line breaks and those at the end.
fn is_same(a: &str, b: &str) -> bool {
    let normalize = |text: &str| text.replace('\r', "").trim_end_matches('\n').to_owned();
    normalize(a) == normalize(b)
}
