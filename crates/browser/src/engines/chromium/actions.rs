//! Actions on a page, done by pointer and keyboard input.

mod drag;
mod fill;
mod page_condition;
mod select;
mod tabs;
mod wait;

use std::time::Duration;

use serde::Deserialize;
use serde::de::IgnoredAny;

use super::actionability::finite;
use super::cdp::input::MouseButton;
use super::input::{click, moved, wheel};
use super::tab::ChromiumTab;
use crate::action::{Action, Point};
use crate::browser::ActionEffect;
use crate::error::Error;
use crate::snapshot::Ref;

/// What scrolling came to, in CSS pixels.
#[derive(Default, Deserialize)]
#[serde(default)]
struct Scrolled {
    moved: bool,
    top: i64,
    left: i64,
}

impl ChromiumTab {
    /// Does an action and waits until what it caused has happened.
    pub(super) async fn perform(&mut self, action: &Action) -> Result<ActionEffect, Error> {
        if !matches!(action, Action::Dialog { .. }) {
            self.dismiss_dialogs().await?;
        }
        match self.dispatch_action(action).await {
            // The action has opened a dialog, which waits for an answer.
            Err(Error::Asked(_)) => Ok(ActionEffect {
                visit: None,
                notes: self.take_notes()?,
            }),
            Err(Error::Crashed(_)) if self.profile.cancel.is_cancelled() => Err(Error::Cancelled),
            outcome => outcome,
        }
    }

    async fn dispatch_action(&mut self, action: &Action) -> Result<ActionEffect, Error> {
        match action {
            Action::Click { target, times } => self.click(*target, *times, MouseButton::Left, None).await,
            Action::RightClick { target } => self.click(*target, 1, MouseButton::Right, None).await,
            Action::ClickAt { target, at } => self.click(*target, 1, MouseButton::Left, Some(*at)).await,
            Action::Hover { target, at } => self.hover(*target, *at).await,
            Action::Focus { target } => self.call_and_wait(*target, "focus").await,
            Action::Fill { target, value } => self.fill(*target, value).await,
            Action::Type { target, text } => self.type_text(*target, text).await,
            Action::Press { keys, target } => self.press(keys, *target).await,
            Action::Select { target, options } => self.select(*target, options).await,
            Action::Check { target, on } => self.check(*target, *on).await,
            Action::Upload { target, files } => self.upload(*target, files).await,
            Action::Submit { target } => self.call_and_wait(*target, "submit").await,
            Action::Scroll { target, right, down } => self.scroll(*target, *right, *down).await,
            Action::Drag { from, to } => self.drag(*from, None, Some(*to), None).await,
            Action::DragTo {
                from,
                from_at,
                to,
                at,
            } => self.drag(*from, *from_at, *to, *at).await,
            Action::SelectText { target, text } => self.select_text(*target, text.as_deref()).await,
            Action::SwitchTab { tab } => self.switch_tab(*tab).await,
            Action::CloseTab { tab } => self.close_tab(*tab).await,
            Action::Dialog { accept, text } => self.answer_dialog(*accept, text.clone()).await,
            Action::Wait { until, timeout_ms } => self.wait(until, Duration::from_millis(*timeout_ms)).await,
        }
    }

    /// Calls an injected function and waits for what it causes.
    async fn call_and_wait(&mut self, target: Ref, function: &str) -> Result<ActionEffect, Error> {
        let baseline = self.baseline()?;
        self.call_on::<IgnoredAny>(target, function, "").await?;
        self.outcome_since(&baseline).await
    }

    async fn hover(&mut self, target: Ref, at: Option<Point>) -> Result<ActionEffect, Error> {
        let point = self.action_point(target, false, at).await?;
        let baseline = self.baseline()?;
        self.dispatch(&[moved(point.at, false)]).await?;
        self.outcome_since(&baseline).await
    }

    async fn click(
        &mut self,
        target: Ref,
        times: u8,
        button: MouseButton,
        at: Option<Point>,
    ) -> Result<ActionEffect, Error> {
        let point = self.action_point(target, true, at).await?;
        let hint = match point.kind.as_str() {
            "select" => Some("its options are chosen by the select action"),
            "date" | "time" | "month" | "week" | "datetime-local" | "color" => {
                Some("its value is set by the fill action")
            }
            _ => None,
        };
        if let (Some(hint), MouseButton::Left) = (hint, button) {
            // A native picker would open outside of the page.
            let mut outcome = self.call_and_wait(target, "focus").await?;
            outcome.notes = vec![format!("it has the focus; {hint}")];
            return Ok(outcome);
        }
        let baseline = self.baseline()?;
        let point = self.move_to(target, point, at).await?;
        let clicks = (1..=times.clamp(1, 3)).flat_map(|count| click(point.at, button, count));
        self.dispatch(&clicks.collect::<Vec<_>>()).await?;
        self.outcome_since(&baseline).await
    }

    async fn scroll(&mut self, target: Option<Ref>, right: f64, down: f64) -> Result<ActionEffect, Error> {
        let baseline = self.baseline()?;
        let arguments = format!(", {}, {}", finite(right), finite(down));
        let scrolled: Scrolled = match target {
            Some(target) => self.call_on(target, "scroll", &arguments).await?,
            None => {
                let call = format!("huntsman.scroll(0{arguments})");
                self.run(&self.main_frame()?, &call).await?
            }
        };
        let wants_scroll = right != 0.0 || down != 0.0;
        if !scrolled.moved && wants_scroll {
            // A page that handles the wheel itself has nothing that could be scrolled.
            let at = match target {
                Some(target) => self.action_point(target, false, None).await?.at,
                None => Point {
                    x: f64::from(self.profile.view.0) / 2.0,
                    y: f64::from(self.profile.view.1) / 2.0,
                },
            };
            self.dispatch(&[moved(at, false), wheel(at, right, down)]).await?;
        }
        let mut outcome = self.outcome_since(&baseline).await?;
        if wants_scroll {
            outcome.notes.push(match scrolled.moved {
                true => format!(
                    "scrolled to {} px; {} px remain below",
                    scrolled.top, scrolled.left
                ),
                false => "nothing can be scrolled any further in this direction".to_owned(),
            });
        }
        Ok(outcome)
    }
}
