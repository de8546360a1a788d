//! Switching to and closing of the tabs that pages have opened.

use std::time::Duration;

use tokio::time::Instant;

use super::super::cdp::BROWSER_SESSION;
use super::super::cdp::target::{ActivateTarget, CloseTarget};
use super::super::failure::TabFailure;
use super::super::state::ContextState;
use super::super::tab::ChromiumTab;
use crate::browser::ActionEffect;
use crate::error::Error;

/// The longest wait for a tab to close.
const CLOSE_TIMEOUT: Duration = Duration::from_secs(5);

impl ChromiumTab {
    pub(super) async fn switch_tab(&mut self, number: u32) -> Result<ActionEffect, Error> {
        let tracker = self.tracker()?.clone();
        let target = {
            let mut state = tracker.state();
            let target = target_of(&state, number)?;
            state.current = number;
            target
        };
        let activate = ActivateTarget { target_id: &target };
        tracker.connection.send(BROWSER_SESSION, &activate);
        self.wait_for_load().await?;
        Ok(ActionEffect {
            visit: Some(self.read_visit().await?),
            notes: tracker.state().take_notes(),
        })
    }

    /// Closes a tab; the current one when no number is given.
    pub(super) async fn close_tab(&mut self, number: Option<u32>) -> Result<ActionEffect, Error> {
        let tracker = self.tracker()?.clone();
        let (target, is_current, count) = {
            let state = tracker.state();
            let number = number.unwrap_or(state.current);
            let target = target_of(&state, number)?;
            (target, number == state.current, state.pages.len())
        };
        if count == 1 {
            return Ok(ActionEffect::note("it is the only tab and stays open"));
        }
        let close = CloseTarget { target_id: &target };
        self.execute(BROWSER_SESSION, &close).await?;
        let closed = self.wait_for_state(Instant::now() + CLOSE_TIMEOUT, |state| {
            if state.pages.iter().any(|page| page.target == target) {
                return Ok(None);
            }
            if is_current {
                state.select_last();
            }
            Ok(Some(()))
        });
        closed.await?.ok_or(TabFailure::Unresponsive)?;
        let visit = if is_current {
            Some(self.read_visit().await?)
        } else {
            None
        };
        Ok(ActionEffect {
            visit,
            notes: tracker.state().take_notes(),
        })
    }
}

/// The target of a tab. The error lists the open tabs.
fn target_of(state: &ContextState, number: u32) -> Result<String, Error> {
    let page = state.pages.iter().find(|page| page.number == number);
    page.map(|page| page.target.clone()).ok_or_else(|| {
        let numbers: Vec<String> = state.pages.iter().map(|page| page.number.to_string()).collect();
        Error::Browser(format!(
            "there is no such tab; the open tabs are {}",
            numbers.join(", ")
        ))
    })
}
