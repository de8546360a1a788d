//! Filling of fields, typing of text and pressing of keys.
//!
//! Values are put into the element itself by a script in its document (`fill.js`). Keys go to whatever has the focus, which any
//! frame of the page can take: they are pressed only while the focus is seen to stay where they belong.

use std::time::Duration;

use serde::Deserialize;
use serde::de::IgnoredAny;
use serde_json::json;

use super::super::key_events::{press, press_chord};
use super::super::load_state::Baseline;
use super::super::tab::ChromiumTab;
use crate::browser::ActionEffect;
use crate::error::Error;
use crate::keys::{KeyChord, KeyboardKey};
use crate::snapshot::Ref;

/// How long the focus has to stay before keys are pressed. Frames that keep taking it show within this time.
const FOCUS_HOLD: Duration = Duration::from_millis(60);
/// How often an element is given the focus again that something else has taken.
const FOCUS_ATTEMPTS: usize = 2;

/// A field that was filled.
#[derive(Default, Deserialize)]
#[serde(default)]
struct FilledField {
    /// What it holds now.
    value: String,
    /// What it should hold.
    expected: String,
    /// The text from the first key on that leaves the field.
    rest: String,
    secret: bool,
}

#[derive(Deserialize)]
struct FocusState {
    held: bool,
}

impl ChromiumTab {
    /// Replaces the value of a field.
    pub(super) async fn fill(&mut self, target: Ref, value: &str) -> Result<ActionEffect, Error> {
        let baseline = self.baseline()?;
        let arguments = format!(", {}, false", json!(value));
        let field: FilledField = match self.call_on(target, "fill", &arguments).await {
            Err(stale @ Error::Stale(_)) => return self.left_by(&baseline, stale).await,
            field => field?,
        };
        let mut outcome = self.outcome_since(&baseline).await?;
        // Some fields reformat what is put in, and some refuse it.
        if outcome.visit.is_none() && !is_same(&field.value, &field.expected) {
            outcome.notes.push(match field.secret {
                true => "the field holds something else than what was typed".to_owned(),
                false => format!("the field now holds {:?}", field.value),
            });
        }
        Ok(outcome)
    }

    /// Types after what is there: into the field itself, and by keys where it is no field or a key leaves it.
    pub(super) async fn type_text(&mut self, target: Ref, text: &str) -> Result<ActionEffect, Error> {
        let baseline = self.baseline()?;
        let mut text = text.to_owned();
        while !text.is_empty() {
            let arguments = format!(", {}, true", json!(text));
            let field = match self.call_on::<FilledField>(target, "fill", &arguments).await {
                // An element that is no field may still listen to keys.
                Err(Error::NotActionable { why, .. })
                    if why.starts_with("it is no field") || why.starts_with("it is a list") =>
                {
                    self.type_keys(target, &text).await?;
                    break;
                }
                Err(stale @ Error::Stale(_)) => return self.left_by(&baseline, stale).await,
                field => field?,
            };
            let mut rest = field.rest.chars();
            if let Some(key) = rest.next() {
                self.hold_focus(target).await?;
                self.dispatch(&press(&KeyboardKey::of(key), 0)).await?;
            }
            text = rest.as_str().to_owned();
        }
        self.outcome_since(&baseline).await
    }

    /// Presses a chord, on an element or where the focus is.
    pub(super) async fn press(&mut self, keys: &str, target: Option<Ref>) -> Result<ActionEffect, Error> {
        let chord = KeyChord::read(keys).map_err(|why| Error::NotActionable {
            target: target.unwrap_or(Ref(0)),
            why,
        })?;
        if let Some(target) = target {
            self.hold_focus(target).await?;
        }
        let baseline = self.baseline()?;
        self.dispatch(&press_chord(&chord)).await?;
        self.outcome_since(&baseline).await
    }

    /// What came of an action under which its element went away: another page, or the error that it is gone.
    async fn left_by(&mut self, baseline: &Baseline, stale: Error) -> Result<ActionEffect, Error> {
        let outcome = self.outcome_since(baseline).await?;
        match outcome.visit {
            Some(_) => Ok(outcome),
            None => Err(stale),
        }
    }

    /// Types on an element that is no field, key by key, as long as it has the focus.
    async fn type_keys(&mut self, target: Ref, text: &str) -> Result<(), Error> {
        self.hold_focus(target).await?;
        for c in text.chars() {
            match self.has_focus(target).await {
                // A key can remove its element, or lead to another page.
                Err(Error::Stale(_)) => return Ok(()),
                Ok(true) => self.dispatch(&press(&KeyboardKey::of(c), 0)).await?,
                Ok(false) => return Err(focus_lost(target)),
                Err(error) => return Err(error),
            }
        }
        Ok(())
    }

    /// Gives an element the focus and checks that the focus stays.
    async fn hold_focus(&mut self, target: Ref) -> Result<(), Error> {
        for _ in 0..FOCUS_ATTEMPTS {
            self.call_on::<IgnoredAny>(target, "focus", "").await?;
            tokio::time::sleep(FOCUS_HOLD).await;
            if self.has_focus(target).await? {
                return Ok(());
            }
        }
        Err(focus_lost(target))
    }

    async fn has_focus(&self, target: Ref) -> Result<bool, Error> {
        let state: FocusState = self.call_on(target, "hasFocus", "").await?;
        Ok(state.held)
    }
}

fn focus_lost(target: Ref) -> Error {
    Error::NotActionable {
        target,
        why: "it does not keep the focus, and keys would go elsewhere; fill it or click it instead".into(),
    }
}

/// Whether two values are the same, but for the spelling of line breaks and those at the end.
fn is_same(a: &str, b: &str) -> bool {
    let normalize = |text: &str| text.replace('\r', "").trim_end_matches('\n').to_owned();
    normalize(a) == normalize(b)
}
