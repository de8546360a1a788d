//! What each action does to a page, by the pointer and the keys.

mod choose;
mod drag;
mod write;

use std::time::Duration;

use serde_json::{Value, json};
use tokio::time::Instant;

use super::aim::Place;
use super::frames::Slip;
use super::keys;
use super::settle::Mark;
use super::tab::ChromiumTab;
use crate::action::{Action, Point, Until};
use crate::browser::Outcome;
use crate::error::Error;
use crate::keys::Chord;
use crate::snapshot::Ref;

/// Between two looks for something that is waited for.
const LOOK_AGAIN: Duration = Duration::from_millis(100);

impl ChromiumTab {
    /// Does one thing and waits until what it caused has happened.
    pub(super) async fn perform(&mut self, action: &Action) -> Result<Outcome, Error> {
        if !matches!(action, Action::Dialog { .. }) {
            self.settle_questions().await?;
        }
        let done = self.begin(action).await;
        match done {
            // What was done made the page ask something; the rest waits for the answer.
            Err(Error::Asked(_)) => Ok(Outcome {
                visit: None,
                notes: self
                    .watch()?
                    .take_notes()
                    .into_iter()
                    .chain(self.question())
                    .collect(),
            }),
            Err(Error::Crashed(_)) if self.profile.cancel.is_cancelled() => Err(Error::Cancelled),
            done => done,
        }
    }

    async fn begin(&mut self, action: &Action) -> Result<Outcome, Error> {
        match action {
            Action::Click { target, times } => self.click(*target, *times, "left", None).await,
            Action::RightClick { target } => self.click(*target, 1, "right", None).await,
            Action::ClickAt { target, at } => self.click(*target, 1, "left", Some(*at)).await,
            Action::Hover { target, at } => {
                let place = self.aim(*target, false, *at).await?;
                let mark = self.mark()?;
                self.mouse(&[moved(place.at, 0)]).await?;
                self.after(&mark).await
            }
            Action::Focus { target } => {
                let mark = self.mark()?;
                self.ask(*target, "focus", "").await?;
                self.after(&mark).await
            }
            Action::Fill { target, value } => self.fill(*target, value).await,
            Action::Type { target, text } => self.type_text(*target, text).await,
            Action::Press { keys, target } => self.press(keys, *target).await,
            Action::Select { target, options } => self.select(*target, options).await,
            Action::Check { target, on } => self.check(*target, *on).await,
            Action::Upload { target, files } => self.upload(*target, files).await,
            Action::Submit { target } => {
                let mark = self.mark()?;
                self.ask(*target, "submit", "").await?;
                self.after(&mark).await
            }
            Action::Scroll { target, right, down } => self.scroll(*target, *right, *down).await,
            Action::Drag { from, to } => self.drag(*from, None, Some(*to), None).await,
            Action::DragTo {
                from,
                from_at,
                to,
                at,
            } => self.drag(*from, *from_at, *to, *at).await,
            Action::SelectText { target, text } => self.select_text(*target, text.as_deref()).await,
            Action::SwitchTab { tab } => self.switch(*tab).await,
            Action::CloseTab { tab } => self.close_tab(*tab).await,
            Action::Dialog { accept, text } => self.answer_dialog(*accept, text.clone()).await,
            Action::Wait { until, timeout_ms } => self.wait(until, Duration::from_millis(*timeout_ms)).await,
        }
    }

    /// Waits for what an action has caused, and tells it.
    pub(super) async fn after(&mut self, mark: &Mark) -> Result<Outcome, Error> {
        let settled = self.settle(mark).await?;
        let mut outcome = Outcome::default();
        if settled.navigated || settled.moved || settled.switched {
            outcome.visit = Some(self.arrive().await?);
        }
        outcome.notes = self.watch()?.take_notes();
        outcome.notes.extend(self.question());
        Ok(outcome)
    }

    /// Sends pointer events, one after the other, and waits for the last.
    pub(super) async fn mouse(&self, events: &[Value]) -> Result<(), Error> {
        self.input("Input.dispatchMouseEvent", events).await
    }

    /// Sends key events, one after the other, and waits for the last.
    pub(super) async fn keys(&self, events: &[Value]) -> Result<(), Error> {
        self.input("Input.dispatchKeyEvent", events).await
    }

    async fn input(&self, method: &str, events: &[Value]) -> Result<(), Error> {
        let session = self.session()?;
        let watch = self.watch()?.clone();
        let mut last = None;
        for event in events {
            last = Some(watch.connection.call(&session, method, event));
        }
        let Some(last) = last else { return Ok(()) };
        match self.answer::<Value>(&session, last).await {
            Ok(_) => Ok(()),
            // The page went away under the pointer, or asks something: that is what was wanted, most often.
            Err(Slip::Gone | Slip::Asked) => Ok(()),
            Err(Slip::Hung) => {
                drop(
                    watch
                        .connection
                        .call(&session, "Runtime.terminateExecution", json!({})),
                );
                Err(Slip::Hung.into())
            }
            Err(slip) => Err(slip.into()),
        }
    }

    async fn click(
        &mut self,
        target: Ref,
        times: u8,
        button: &str,
        at: Option<Point>,
    ) -> Result<Outcome, Error> {
        let place = self.aim(target, true, at).await?;
        let mark = self.mark()?;
        let instead = match place.kind.as_str() {
            "select" => Some("its options are chosen by the select action"),
            "date" | "time" | "month" | "week" | "datetime-local" | "color" => {
                Some("its value is set by the fill action")
            }
            _ => None,
        };
        if let (Some(hint), "left") = (instead, button) {
            // A native picker would open outside of the page, where nobody sees it.
            self.ask(target, "focus", "").await?;
            let mut outcome = self.after(&mark).await?;
            outcome.notes = vec![format!("it has the focus; {hint}")];
            return Ok(outcome);
        }
        let place = self.approach(target, place, at).await?;
        let mut events = Vec::new();
        for count in 1..=times.clamp(1, 3) {
            events.push(pressed("mousePressed", place.at, button, count));
            events.push(pressed("mouseReleased", place.at, button, count));
        }
        self.mouse(&events).await?;
        self.after(&mark).await
    }

    /// Moves the pointer to a place and looks whether the element is still there: some draw themselves anew
    /// under the pointer.
    pub(super) async fn approach(
        &self,
        target: Ref,
        place: Place,
        at: Option<Point>,
    ) -> Result<Place, Error> {
        self.mouse(&[moved(place.at, 0)]).await?;
        let again = match self.aim(target, true, at).await {
            Err(Error::NotActionable { .. }) => {
                let _: Value = self.run(&self.main_frame()?, "huntsman.calm(300)").await?;
                self.aim(target, true, at).await?
            }
            again => again?,
        };
        if again.at != place.at {
            self.mouse(&[moved(again.at, 0)]).await?;
        }
        Ok(again)
    }

    async fn press(&mut self, text: &str, target: Option<Ref>) -> Result<Outcome, Error> {
        let chord = Chord::read(text).map_err(|why| Error::NotActionable {
            target: target.unwrap_or(Ref(0)),
            why,
        })?;
        if let Some(target) = target {
            self.ask(target, "focus", "").await?;
        }
        let mark = self.mark()?;
        self.keys(&keys::press(&chord)).await?;
        self.after(&mark).await
    }

    async fn scroll(&mut self, target: Option<Ref>, right: f64, down: f64) -> Result<Outcome, Error> {
        let mark = self.mark()?;
        let arguments = format!(", {}, {}", finite(right), finite(down));
        let told = match target {
            Some(target) => self.ask(target, "scroll", &arguments).await?,
            None => {
                let asked = format!("huntsman.scroll(0{arguments})");
                self.run(&self.main_frame()?, &asked).await?
            }
        };
        if !told.moved && (right != 0.0 || down != 0.0) {
            // What listens to the wheel itself shows nothing that could be scrolled.
            let at = match target {
                Some(target) => self.aim(target, false, None).await?.at,
                None => Point {
                    x: f64::from(self.profile.view.0) / 2.0,
                    y: f64::from(self.profile.view.1) / 2.0,
                },
            };
            let wheel = json!({
                "type": "mouseWheel",
                "x": at.x,
                "y": at.y,
                "deltaX": finite(right),
                "deltaY": finite(down),
            });
            self.mouse(&[moved(at, 0), wheel]).await?;
        }
        let mut outcome = self.after(&mark).await?;
        if right != 0.0 || down != 0.0 {
            outcome.notes.push(match told.moved {
                true => format!("scrolled to {} px; {} px remain below", told.top, told.left),
                false => "nothing can be scrolled any further in this direction".to_owned(),
            });
        }
        Ok(outcome)
    }

    async fn switch(&mut self, tab: u32) -> Result<Outcome, Error> {
        let watch = self.watch()?.clone();
        let target = {
            let mut state = watch.state();
            let found = state.pages.iter().find(|page| page.number == tab);
            let target = found.map(|page| page.target.clone());
            if target.is_some() {
                state.current = tab;
            }
            target.ok_or_else(|| no_tab(&state.pages.iter().map(|it| it.number).collect::<Vec<_>>()))?
        };
        let activate = json!({"targetId": target});
        drop(watch.connection.call("", "Target.activateTarget", activate));
        self.rest().await?;
        Ok(Outcome {
            visit: Some(self.arrive().await?),
            notes: watch.take_notes(),
        })
    }

    async fn close_tab(&mut self, tab: Option<u32>) -> Result<Outcome, Error> {
        let watch = self.watch()?.clone();
        let (target, current, count) = {
            let state = watch.state();
            let tab = tab.unwrap_or(state.current);
            let found = state.pages.iter().find(|page| page.number == tab);
            let target = found.map(|page| page.target.clone());
            let numbers: Vec<u32> = state.pages.iter().map(|it| it.number).collect();
            (
                target.ok_or_else(|| no_tab(&numbers))?,
                tab == state.current,
                numbers.len(),
            )
        };
        if count == 1 {
            return Ok(Outcome::note("it is the only tab and stays open"));
        }
        let reply = watch
            .connection
            .call("", "Target.closeTarget", json!({"targetId": target}));
        self.answer::<Value>("", reply).await?;
        let until = Instant::now() + Duration::from_secs(5);
        loop {
            let seen = {
                let mut state = watch.state();
                if !state.pages.iter().any(|page| page.target == target) {
                    if let (true, Some(last)) = (current, state.pages.last().map(|page| page.number)) {
                        state.current = last;
                    }
                    break;
                }
                state.events
            };
            tokio::select! {
                () = self.profile.cancel.cancelled() => return Err(Error::Cancelled),
                () = watch.change(seen, until) => {}
            }
            if Instant::now() >= until {
                return Err(Slip::Hung.into());
            }
        }
        let visit = if current { Some(self.arrive().await?) } else { None };
        Ok(Outcome {
            visit,
            notes: watch.take_notes(),
        })
    }

    async fn wait(&mut self, until: &Until, patience: Duration) -> Result<Outcome, Error> {
        let mark = self.mark()?;
        let end = Instant::now() + patience;
        let what = match until {
            Until::Passed => {
                tokio::select! {
                    biased;
                    () = self.profile.cancel.cancelled() => return Err(Error::Cancelled),
                    () = tokio::time::sleep_until(end) => {}
                }
                return self.after(&mark).await;
            }
            Until::Quiet => return self.after(&mark).await,
            Until::Text(text) => format!("the text {text:?}"),
            Until::Gone(text) => format!("the end of the text {text:?}"),
            Until::Shown(target) => format!("the sight of {target}"),
            Until::Vanished(target) => format!("the end of {target}"),
        };
        loop {
            if self.holds(until).await? {
                return self.after(&mark).await;
            }
            if Instant::now() >= end {
                return Err(Error::Timeout {
                    what,
                    seconds: patience.as_secs(),
                });
            }
            tokio::select! {
                biased;
                () = self.profile.cancel.cancelled() => return Err(Error::Cancelled),
                () = tokio::time::sleep(LOOK_AGAIN.min(end - Instant::now())) => {}
            }
        }
    }

    /// Whether what is waited for has come.
    async fn holds(&self, until: &Until) -> Result<bool, Error> {
        let shows = |text: &str| format!("huntsman.shows({})", json!(text));
        match until {
            Until::Passed | Until::Quiet => Ok(true),
            Until::Text(text) => self.anywhere(&shows(text)).await,
            Until::Gone(text) => Ok(!self.anywhere(&shows(text)).await?),
            Until::Shown(target) => Ok(self.ask(*target, "isShown", "").await?.shown),
            Until::Vanished(target) => match self.ask(*target, "isShown", "").await {
                Err(Error::Stale(_)) => Ok(true),
                told => Ok(!told?.shown),
            },
        }
    }

    /// The documents of the tab that have been looked at, the page's own first.
    pub(super) fn frames_seen(&self) -> Result<Vec<String>, Error> {
        let main = self.main_frame()?;
        let mut frames = vec![main.clone()];
        if let Some(page) = self.watch()?.state().page() {
            let others = page
                .frames
                .iter()
                .filter(|(id, it)| it.world.is_some() && **id != main);
            frames.extend(others.map(|(id, _)| id.clone()));
        }
        Ok(frames)
    }

    /// Whether an expression is true in any document of the tab that has been looked at.
    async fn anywhere(&self, expression: &str) -> Result<bool, Error> {
        for frame in self.frames_seen()? {
            match self.run::<bool>(&frame, expression).await {
                Ok(true) => return Ok(true),
                Ok(false) | Err(Slip::Gone) => {}
                Err(slip) => return Err(slip.into()),
            }
        }
        Ok(false)
    }
}

fn no_tab(numbers: &[u32]) -> Error {
    let list: Vec<String> = numbers.iter().map(u32::to_string).collect();
    Error::Browser(format!(
        "there is no such tab; the open tabs are {}",
        list.join(", ")
    ))
}

/// A number that JSON and JavaScript can write.
pub(super) fn finite(number: f64) -> f64 {
    if number.is_finite() { number } else { 0.0 }
}

/// The pointer moves, with these buttons held.
pub(super) fn moved(at: Point, buttons: u8) -> Value {
    let button = if buttons == 0 { "none" } else { "left" };
    json!({"type": "mouseMoved", "x": at.x, "y": at.y, "button": button, "buttons": buttons})
}

/// A button goes down or up.
pub(super) fn pressed(kind: &str, at: Point, button: &str, count: u8) -> Value {
    let bit = if button == "right" { 2 } else { 1 };
    let buttons = if kind == "mousePressed" { bit } else { 0 };
    json!({
        "type": kind,
        "x": at.x,
        "y": at.y,
        "button": button,
        "buttons": buttons,
        "clickCount": count,
    })
}
