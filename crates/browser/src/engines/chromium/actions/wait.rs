//! Waiting for a time, a load state, a text or an element.

use std::time::Duration;

use serde::Deserialize;
use serde_json::json;
use tokio::time::Instant;

use super::super::failure::TabFailure;
use super::super::tab::ChromiumTab;
use crate::action::WaitCondition;
use crate::browser::ActionEffect;
use crate::error::Error;
use crate::snapshot::Ref;

/// Time between two checks of a condition.
pub(super) const CHECK_INTERVAL: Duration = Duration::from_millis(100);

#[derive(Deserialize)]
struct Visibility {
    visible: bool,
}

impl ChromiumTab {
    /// Waits until a condition holds.
    pub(super) async fn wait(
        &mut self,
        until: &WaitCondition,
        timeout: Duration,
    ) -> Result<ActionEffect, Error> {
        let baseline = self.baseline()?;
        let deadline = Instant::now() + timeout;
        let what = match until {
            WaitCondition::Passed => {
                self.sleep_until(deadline).await?;
                return self.outcome_since(&baseline).await;
            }
            WaitCondition::Quiet => return self.outcome_since(&baseline).await,
            WaitCondition::Text(text) => format!("the text {text:?}"),
            WaitCondition::Gone(text) => format!("the end of the text {text:?}"),
            WaitCondition::Shown(target) => format!("the sight of {target}"),
            WaitCondition::Vanished(target) => format!("the end of {target}"),
        };
        while !self.holds(until).await? {
            let now = Instant::now();
            if now >= deadline {
                let seconds = timeout.as_secs();
                return Err(Error::Timeout { what, seconds });
            }
            self.sleep_until(deadline.min(now + CHECK_INTERVAL)).await?;
        }
        self.outcome_since(&baseline).await
    }

    pub(super) async fn sleep_until(&self, time: Instant) -> Result<(), Error> {
        tokio::select! {
            biased;
            () = self.profile.cancel.cancelled() => Err(Error::Cancelled),
            () = tokio::time::sleep_until(time) => Ok(()),
        }
    }

    /// Whether a condition holds now.
    async fn holds(&self, until: &WaitCondition) -> Result<bool, Error> {
        match until {
            WaitCondition::Passed | WaitCondition::Quiet => Ok(true),
            WaitCondition::Text(text) => self.contains_text(text).await,
            WaitCondition::Gone(text) => Ok(!self.contains_text(text).await?),
            WaitCondition::Shown(target) => self.is_visible(*target).await,
            WaitCondition::Vanished(target) => match self.is_visible(*target).await {
                Err(Error::Stale(_)) => Ok(true),
                visible => Ok(!visible?),
            },
        }
    }

    async fn is_visible(&self, target: Ref) -> Result<bool, Error> {
        let visibility: Visibility = self.call_on(target, "isVisible", "").await?;
        Ok(visibility.visible)
    }

    /// Whether any known document of the tab shows a text.
    pub(super) async fn contains_text(&self, text: &str) -> Result<bool, Error> {
        let call = format!("huntsman.containsText({})", json!(text));
        for frame in self.known_frames()? {
            match self.run::<bool>(&frame, &call).await {
                Ok(true) => return Ok(true),
                Ok(false) | Err(TabFailure::DocumentGone) => {}
                Err(failure) => return Err(failure.into()),
            }
        }
        Ok(false)
    }
}
