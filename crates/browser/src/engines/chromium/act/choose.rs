//! Choosing: options, checks and files.

use std::path::{Path, PathBuf};
use std::time::Duration;

use serde::Deserialize;
use serde_json::{Value, json};
use tokio::time::Instant;

use super::super::aim::Told;
use super::super::tab::ChromiumTab;
use super::pressed;
use crate::browser::Outcome;
use crate::error::Error;
use crate::snapshot::Ref;

/// The longest wait for the options of a list that the page has made itself.
const OPTIONS: Duration = Duration::from_secs(3);

impl ChromiumTab {
    /// Chooses options of a list, native or made by the page.
    pub(super) async fn select(&mut self, target: Ref, options: &[String]) -> Result<Outcome, Error> {
        if options.is_empty() {
            return Err(Error::NotActionable {
                target,
                why: "no option is named".into(),
            });
        }
        let mark = self.mark()?;
        let told = self
            .ask(target, "select", &format!(", {}", json!(options)))
            .await?;
        if told.set {
            return self.after(&mark).await;
        }
        for (at, option) in options.iter().enumerate() {
            if !(told.expanded || at > 0) {
                self.tap(target).await?;
            }
            let found = self.appearing(target, option).await?;
            let found = self.adopt(found.number, target)?;
            self.tap(found).await?;
        }
        self.after(&mark).await
    }

    /// The option of a list that the page has made itself, as soon as it is there.
    async fn appearing(&self, target: Ref, option: &str) -> Result<Told, Error> {
        let end = Instant::now() + OPTIONS;
        loop {
            let asked = format!(", {}", json!(option));
            match self.ask(target, "option", &asked).await {
                Err(Error::NotActionable { .. }) if Instant::now() < end => {
                    let main = self.main_frame()?;
                    let _: Value = self.run(&main, "huntsman.calm(150)").await?;
                }
                found => return found,
            }
        }
    }

    /// A click without looking what comes of it.
    async fn tap(&self, target: Ref) -> Result<(), Error> {
        let place = self.aim(target, true, None).await?;
        let place = self.approach(target, place, None).await?;
        self.mouse(&[
            pressed("mousePressed", place.at, "left", 1),
            pressed("mouseReleased", place.at, "left", 1),
        ])
        .await
    }

    /// Sets a checkbox, a radio button or a switch.
    pub(super) async fn check(&mut self, target: Ref, on: bool) -> Result<Outcome, Error> {
        let told = self.ask(target, "isChecked", "").await?;
        if told.on == on {
            let word = if on { "on" } else { "off" };
            return Ok(Outcome::note(format!("it was {word} already")));
        }
        if told.radio && !on {
            return Err(Error::NotActionable {
                target,
                why: "a radio button goes off only when another one is chosen".into(),
            });
        }
        let mark = self.mark()?;
        self.tap(target).await?;
        let outcome = self.after(&mark).await?;
        if outcome.visit.is_some() {
            return Ok(outcome);
        }
        match self.ask(target, "isChecked", "").await {
            Ok(told) if told.on != on => Err(Error::NotActionable {
                target,
                why: "a click did not change it; the page may want something else first".into(),
            }),
            // A page may replace what was clicked by its new self.
            _ => Ok(outcome),
        }
    }

    /// Gives files to a file field.
    pub(super) async fn upload(&mut self, target: Ref, files: &[PathBuf]) -> Result<Outcome, Error> {
        #[derive(Deserialize)]
        struct Held {
            result: Object,
        }
        #[derive(Deserialize)]
        #[serde(rename_all = "camelCase")]
        struct Object {
            #[serde(default)]
            object_id: Option<String>,
        }
        let refuse = |why: String| Error::NotActionable { target, why };
        let mut real = Vec::new();
        for file in files {
            real.push(self.profile.uploadable(file).map_err(refuse)?);
        }
        let several = real.len() > 1;
        let told = self.ask(target, "fileField", &format!(", {several}")).await?;
        let field = self.adopt(told.number, target)?;
        let frame = self.frame_of(field)?;
        let world = self.known_world(&frame).ok_or(Error::Stale(target))?;
        let session = {
            let state = self.watch()?.state();
            let found = state.page().and_then(|page| page.frames.get(&frame));
            found.map(|frame| frame.session.clone()).unwrap_or_default()
        };
        let watch = self.watch()?.clone();
        let asked = json!({"expression": format!("huntsman.element({})", field.0), "contextId": world});
        let reply = watch.connection.call(&session, "Runtime.evaluate", asked);
        let held: Held = self.answer(&session, reply).await?;
        let object = held.result.object_id.ok_or(Error::Stale(target))?;
        let mark = self.mark()?;
        let paths: Vec<&Path> = real.iter().map(PathBuf::as_path).collect();
        let asked = json!({"files": paths, "objectId": object});
        let reply = watch.connection.call(&session, "DOM.setFileInputFiles", asked);
        self.answer::<Value>(&session, reply).await?;
        self.after(&mark).await
    }
}
