//! Choosing of options, checkboxes and files.

use std::path::PathBuf;
use std::time::Duration;

use serde::Deserialize;
use serde_json::json;
use tokio::time::Instant;

use super::super::cdp::dom::SetFileInputFiles;
use super::super::cdp::runtime::Evaluate;
use super::super::tab::ChromiumTab;
use crate::browser::ActionEffect;
use crate::error::Error;
use crate::snapshot::Ref;

/// The longest wait for the options of a list that the page builds itself.
const OPTIONS_TIMEOUT: Duration = Duration::from_secs(3);
/// How long a page may take to come to rest between two looks for an option, in milliseconds.
const OPTIONS_STABLE_TIMEOUT: u64 = 150;

/// The answer to a selection.
#[derive(Default, Deserialize)]
#[serde(default)]
struct Selection {
    /// Whether the options are chosen already, as in a native list.
    set: bool,
    /// Whether the options of a list that the page builds itself are shown.
    expanded: bool,
}

/// An element that a script has found.
#[derive(Deserialize)]
struct FoundElement {
    number: u32,
}

#[derive(Deserialize)]
struct CheckedState {
    on: bool,
    radio: bool,
}

impl ChromiumTab {
    /// Chooses options of a list, native or built by the page.
    pub(super) async fn select(&mut self, target: Ref, options: &[String]) -> Result<ActionEffect, Error> {
        if options.is_empty() {
            return Err(Error::NotActionable {
                target,
                why: "no option is named".into(),
            });
        }
        let baseline = self.baseline()?;
        let arguments = format!(", {}", json!(options));
        let selection: Selection = self.call_on(target, "select", &arguments).await?;
        if selection.set {
            return self.outcome_since(&baseline).await;
        }
        for (index, option) in options.iter().enumerate() {
            if !selection.expanded && index == 0 {
                self.click_once(target).await?;
            }
            let option = self.wait_for_option(target, option).await?;
            let option = self.register_ref(option.number, target)?;
            self.click_once(option).await?;
        }
        self.outcome_since(&baseline).await
    }

    /// Waits for an option of a list that the page builds itself.
    async fn wait_for_option(&self, target: Ref, option: &str) -> Result<FoundElement, Error> {
        let deadline = Instant::now() + OPTIONS_TIMEOUT;
        let arguments = format!(", {}", json!(option));
        loop {
            match self.call_on(target, "findOption", &arguments).await {
                Err(Error::NotActionable { .. }) if Instant::now() < deadline => {
                    self.wait_for_stable(OPTIONS_STABLE_TIMEOUT).await?;
                }
                option => return option,
            }
        }
    }

    /// Sets a checkbox, a radio button or a switch.
    pub(super) async fn check(&mut self, target: Ref, on: bool) -> Result<ActionEffect, Error> {
        let before: CheckedState = self.call_on(target, "checkedState", "").await?;
        if before.on == on {
            let word = if on { "on" } else { "off" };
            return Ok(ActionEffect::note(format!("it was {word} already")));
        }
        let refuse = |why: &str| Error::NotActionable {
            target,
            why: why.to_owned(),
        };
        if before.radio && !on {
            return Err(refuse("a radio button goes off only when another one is chosen"));
        }
        let baseline = self.baseline()?;
        self.click_once(target).await?;
        let outcome = self.outcome_since(&baseline).await?;
        if outcome.visit.is_some() {
            return Ok(outcome);
        }
        match self.call_on::<CheckedState>(target, "checkedState", "").await {
            Ok(after) if after.on != on => Err(refuse(
                "a click did not change it; the page may want something else first",
            )),
            // A page may replace the clicked element by another one.
            _ => Ok(outcome),
        }
    }

    /// Sets the files of a file field.
    pub(super) async fn upload(&mut self, target: Ref, files: &[PathBuf]) -> Result<ActionEffect, Error> {
        let refuse = |why: String| Error::NotActionable { target, why };
        let files: Result<Vec<PathBuf>, String> =
            files.iter().map(|file| self.profile.uploadable(file)).collect();
        let files = files.map_err(refuse)?;
        let is_multiple = files.len() > 1;
        let field: FoundElement = self
            .call_on(target, "fileField", &format!(", {is_multiple}"))
            .await?;
        let field = self.register_ref(field.number, target)?;
        let frame = self.frame_of(field)?;
        let world = self.known_world(&frame).ok_or(Error::Stale(target))?;
        let session = {
            let state = self.tracker()?.state();
            let frame = state.page().and_then(|page| page.frames.get(&frame));
            frame.map(|frame| frame.session.clone()).unwrap_or_default()
        };
        let element = Evaluate {
            expression: &format!("huntsman.element({})", field.0),
            context_id: Some(world),
            ..Evaluate::default()
        };
        let element = self.execute(&session, &element).await?.result.object_id;
        let baseline = self.baseline()?;
        let set_files = SetFileInputFiles {
            files: &files,
            object_id: &element.ok_or(Error::Stale(target))?,
        };
        self.execute(&session, &set_files).await?;
        self.outcome_since(&baseline).await
    }
}
