//! Dragging: things, sliders and the ends of a selection.

use std::time::Duration;

use serde_json::value::RawValue;
use serde_json::{Value, json};
use tokio::time::Instant;

use super::super::tab::ChromiumTab;
use super::{moved, pressed};
use crate::action::Point;
use crate::browser::Outcome;
use crate::error::Error;
use crate::snapshot::Ref;

/// Steps of a drag, and how long one is in CSS pixels: pages watch the way, not only its ends.
const STEPS: (f64, f64) = (8.0, 60.0);
const STEP: f64 = 6.0;
/// The longest wait for the browser to take up what it drags itself.
const TAKEN: Duration = Duration::from_millis(800);

impl ChromiumTab {
    /// Drags from one place to another.
    pub(super) async fn drag(
        &mut self,
        from: Ref,
        from_at: Option<Point>,
        to: Option<Ref>,
        at: Option<Point>,
    ) -> Result<Outcome, Error> {
        let first = self.aim(from, true, from_at).await?;
        let mut start = first.at;
        let end = match to {
            Some(to) => {
                let end = self.middle(to, at).await?;
                // Looking at the end may have moved the beginning.
                start = self.aim(from, true, from_at).await?.at;
                self.middle(to, at).await.unwrap_or(end)
            }
            None => {
                let by = at.unwrap_or(Point { x: 0.0, y: 0.0 });
                Point {
                    x: start.x + by.x,
                    y: start.y + by.y,
                }
            }
        };
        let mark = self.mark()?;
        let session = self.session()?;
        let watch = self.watch()?.clone();
        watch.state().drag = None;
        let intercept = |on: bool| {
            let asked = json!({"enabled": on});
            drop(watch.connection.call(&session, "Input.setInterceptDrags", asked));
        };
        intercept(true);
        let long = (end.x - start.x).hypot(end.y - start.y);
        // Between 8 and 60.
        #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)]
        let steps = (long / STEP).clamp(STEPS.0, STEPS.1) as u32;
        let way = |step: u32| {
            let part = f64::from(step) / f64::from(steps);
            Point {
                x: start.x + (end.x - start.x) * part,
                y: start.y + (end.y - start.y) * part,
            }
        };
        let mut events = vec![moved(start, 0), pressed("mousePressed", start, "left", 1)];
        events.extend((1..=steps).map(|step| moved(way(step), 1)));
        let done = self.mouse(&events).await;
        let data = match first.draggable {
            true => self.taken().await?,
            false => watch.state().drag.take(),
        };
        let dropped = match (done, data) {
            (Ok(()), Some(data)) => {
                for kind in ["dragEnter", "dragOver", "drop"] {
                    let event = json!({"type": kind, "x": end.x, "y": end.y, "data": data});
                    let reply = watch.connection.call(&session, "Input.dispatchDragEvent", event);
                    self.answer::<Value>(&session, reply).await?;
                }
                Ok(())
            }
            (done, _) => done,
        };
        intercept(false);
        dropped?;
        self.mouse(&[moved(end, 1), pressed("mouseReleased", end, "left", 1)])
            .await?;
        self.after(&mark).await
    }

    /// What the browser has taken up, which it may tell a moment after the pointer has moved.
    async fn taken(&self) -> Result<Option<Box<RawValue>>, Error> {
        let watch = self.watch()?.clone();
        let until = Instant::now() + TAKEN;
        loop {
            let seen = {
                let mut state = watch.state();
                if let Some(data) = state.drag.take() {
                    return Ok(Some(data));
                }
                state.events
            };
            if Instant::now() >= until {
                return Ok(None);
            }
            tokio::select! {
                biased;
                () = self.profile.cancel.cancelled() => return Err(Error::Cancelled),
                () = watch.change(seen, until) => {}
            }
        }
    }

    /// The middle of an element or a place within it, whether or not anything covers it.
    async fn middle(&self, target: Ref, at: Option<Point>) -> Result<Point, Error> {
        match self.aim(target, false, at).await {
            Ok(place) => return Ok(place.at),
            Err(Error::NotActionable { .. }) => {}
            Err(other) => return Err(other),
        }
        let rect = self.ask(target, "rect", "").await?;
        let shift = self.shift(&self.frame_of(target)?).await?;
        let at = at.unwrap_or(Point {
            x: rect.width / 2.0,
            y: rect.height / 2.0,
        });
        Ok(Point {
            x: rect.x + at.x + shift.x,
            y: rect.y + at.y + shift.y,
        })
    }

    /// Selects text within an element, or anywhere in the main document.
    pub(super) async fn select_text(
        &mut self,
        target: Option<Ref>,
        text: Option<&str>,
    ) -> Result<Outcome, Error> {
        let frame = match target {
            Some(target) => self.frame_of(target)?,
            None => self.main_frame()?,
        };
        let target = target.unwrap_or(Ref(0));
        let told = self
            .ask_in(&frame, target, "textPlaces", &format!(", {}", json!(text)))
            .await?;
        let mark = self.mark()?;
        if let (Some(from), Some(to)) = (told.from, told.to) {
            let shift = self.shift(&frame).await?;
            let start = Point {
                x: from.x + shift.x,
                y: from.y + shift.y,
            };
            let end = Point {
                x: to.x + shift.x,
                y: to.y + shift.y,
            };
            let half = Point {
                x: f64::midpoint(start.x, end.x),
                y: f64::midpoint(start.y, end.y),
            };
            self.mouse(&[
                moved(start, 0),
                pressed("mousePressed", start, "left", 1),
                moved(half, 1),
                moved(end, 1),
                pressed("mouseReleased", end, "left", 1),
            ])
            .await?;
        }
        self.after(&mark).await
    }
}
