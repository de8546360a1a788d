//! The open dialog of a tab: as an error, as a note, and its answers.

use super::dialogs::{DialogAnswer, describe};
use super::failure::TabFailure;
use super::tab::ChromiumTab;
use crate::browser::{ActionEffect, OpenDialog};
use crate::error::Error;

/// Dialogs, one after the other, that get their default answer before an action.
const MAX_DISMISSED: usize = 5;

impl ChromiumTab {
    /// The open dialog of the current page.
    pub(super) fn open_dialog(&self) -> Option<OpenDialog> {
        let state = self.tracker().ok()?.state();
        let dialog = state.page()?.dialog.as_ref()?;
        Some(dialog.open.clone())
    }

    /// The error of an action that the open dialog blocks.
    pub(super) fn dialog_error(&self) -> Error {
        Error::Asked(self.open_dialog().as_ref().map_or_else(String::new, describe))
    }

    /// Takes the notes for an outcome, with one about the open dialog.
    pub(super) fn take_notes(&self) -> Result<Vec<String>, TabFailure> {
        let tracker = self.tracker()?;
        let mut notes = {
            let mut state = tracker.state();
            if tracker.is_budget_spent() {
                state.report_spent_budget();
            }
            state.take_notes()
        };
        notes.extend(self.open_dialog().map(|open| {
            let asked = describe(&open);
            format!("the page asks {asked} and waits for an answer")
        }));
        Ok(notes)
    }

    /// Gives open dialogs their default answers, before something else is done to the page.
    pub(super) async fn dismiss_dialogs(&mut self) -> Result<(), Error> {
        for _ in 0..MAX_DISMISSED {
            {
                let Ok(tracker) = self.tracker() else {
                    return Ok(());
                };
                let mut state = tracker.state();
                let Some(page) = state.page_mut() else {
                    return Ok(());
                };
                let Some(dialog) = page.dialog.take() else {
                    return Ok(());
                };
                if dialog.open.kind == "beforeunload" {
                    page.expect_navigation();
                }
                tracker.answer_by_default(&mut state, &dialog);
            }
            self.wait_for_load().await?;
        }
        Ok(())
    }

    /// Answers the open dialog, or sets how the next ones are answered.
    pub(super) async fn answer_dialog(
        &mut self,
        accept: bool,
        text: Option<String>,
    ) -> Result<ActionEffect, Error> {
        let tracker = self.tracker()?.clone();
        let baseline = self.baseline()?;
        let answer = DialogAnswer { accept, text };
        let verb = answer.verb();
        let dialog = {
            let mut state = tracker.state();
            let page = state.page_mut().ok_or(TabFailure::DocumentGone)?;
            let dialog = page.dialog.take();
            match &dialog {
                Some(dialog) if dialog.open.kind == "beforeunload" && accept => page.expect_navigation(),
                Some(_) => {}
                None => state.dialog_answer = Some(answer.clone()),
            }
            dialog
        };
        let Some(dialog) = dialog else {
            return Ok(ActionEffect::note(format!("the next dialogs will be {verb}")));
        };
        tracker.answer(&dialog, &answer);
        let mut outcome = self.outcome_since(&baseline).await?;
        outcome.notes.insert(0, format!("the dialog was {verb}"));
        Ok(outcome)
    }
}
