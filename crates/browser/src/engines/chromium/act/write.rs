//! Writing into fields.

use serde_json::{Value, json};

use super::super::keys;
use super::super::tab::ChromiumTab;
use crate::browser::Outcome;
use crate::error::Error;
use crate::keys::{Chord, Key};
use crate::snapshot::Ref;

/// A text up to this many characters is typed key by key; of a longer one only the end is.
const TYPED: usize = 400;

impl ChromiumTab {
    /// Replaces the value of a field.
    pub(super) async fn fill(&mut self, target: Ref, value: &str) -> Result<Outcome, Error> {
        let mark = self.mark()?;
        let told = self
            .ask(target, "fill", &format!(", {}, false", json!(value)))
            .await?;
        if told.set {
            let mut outcome = self.after(&mark).await?;
            if told.value != value {
                outcome
                    .notes
                    .push(format!("the field took the value {:?}", told.value));
            }
            return Ok(outcome);
        }
        let field = self.adopt(told.number, target)?;
        let text = if told.multiline {
            value.to_owned()
        } else {
            value.replace(['\r', '\n'], " ")
        };
        if text.is_empty() {
            if !told.empty {
                let delete = Chord::read("Delete").map(|it| keys::press(&it));
                self.keys(&delete.unwrap_or_default()).await?;
            }
        } else {
            self.write(&text).await?;
        }
        let mut outcome = self.after(&mark).await?;
        if outcome.visit.is_some() {
            return Ok(outcome);
        }
        // Some fields reformat what is typed, and some refuse it; whoever reads on should know.
        if let Ok(now) = self.ask(field, "valueOf", "").await {
            let plain = |text: &str| text.replace('\r', "").trim_end_matches('\n').to_owned();
            let wanted = match told.most.and_then(|most| usize::try_from(most).ok()) {
                Some(most) => text.chars().take(most).collect(),
                None => text.clone(),
            };
            let mut now = now;
            if plain(&now.value) == plain(&told.value)
                && plain(&now.value) != plain(&wanted)
                && told.most.is_some()
            {
                // The page keeps its field from taking keys; it may take the value all the same.
                let set = format!(", {}", json!(text));
                now = self.ask(field, "set", &set).await?;
                let rest = self.after(&mark).await?;
                outcome.visit = rest.visit;
                outcome.notes.extend(rest.notes);
            }
            if plain(&now.value) != plain(&wanted) {
                outcome.notes.push(match told.secret {
                    true => "the field holds something else than what was typed".to_owned(),
                    false => format!("the field now holds {:?}", now.value),
                });
            }
        }
        Ok(outcome)
    }

    /// Types by real keys, after what is there.
    pub(super) async fn type_text(&mut self, target: Ref, text: &str) -> Result<Outcome, Error> {
        let mark = self.mark()?;
        let told = match self
            .ask(target, "fill", &format!(", {}, true", json!(text)))
            .await
        {
            // What is no field may listen to keys all the same.
            Err(Error::NotActionable { why, .. })
                if why.starts_with("it is no field") || why.starts_with("it is a list") =>
            {
                self.ask(target, "focus", "").await?
            }
            told => told?,
        };
        if !told.set {
            self.write(text).await?;
        }
        self.after(&mark).await
    }

    /// Writes where the focus is.
    async fn write(&self, text: &str) -> Result<(), Error> {
        let count = text.chars().count();
        let mut typed = text;
        if count > TYPED {
            let at = text.char_indices().nth(count - 1).map_or(0, |(at, _)| at);
            let (head, tail) = text.split_at(at);
            let session = self.session()?;
            let watch = self.watch()?.clone();
            let reply = watch
                .connection
                .call(&session, "Input.insertText", json!({"text": head}));
            self.answer::<Value>(&session, reply).await?;
            typed = tail;
        }
        let events: Vec<Value> = typed.chars().flat_map(|c| keys::events(&Key::of(c), 0)).collect();
        self.keys(&events).await
    }
}
