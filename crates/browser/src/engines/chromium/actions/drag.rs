//! Dragging of elements and sliders, and selection of text by the pointer.

use std::time::Duration;

use serde::Deserialize;
use serde_json::json;
use serde_json::value::RawValue;
use tokio::time::Instant;

use super::super::actionability::finite;
use super::super::cdp::input::{DragEvent, DragEventType, MouseButton, MouseEvent, SetInterceptDrags};
use super::super::input::{moved, pressed, released};
use super::super::tab::ChromiumTab;
use crate::action::Point;
use crate::browser::ActionEffect;
use crate::error::Error;
use crate::snapshot::Ref;

/// Fewest and most steps of a drag: pages watch the path, not only its ends.
const MIN_STEPS: f64 = 8.0;
const MAX_STEPS: f64 = 60.0;
/// Length of one step in CSS pixels.
const STEP_LENGTH: f64 = 6.0;
/// The longest wait for the browser to begin a drag of its own.
const DRAG_START_TIMEOUT: Duration = Duration::from_millis(800);

#[derive(Deserialize)]
struct Rect {
    x: f64,
    y: f64,
    width: f64,
    height: f64,
}

/// The ends of a text on the page; none where a field selects its text itself.
#[derive(Default, Deserialize)]
#[serde(default)]
struct TextRange {
    from: Option<Point>,
    to: Option<Point>,
}

impl ChromiumTab {
    /// Drags from an element, or a point within it, to another one, or by a distance.
    pub(super) async fn drag(
        &mut self,
        from: Ref,
        from_at: Option<Point>,
        to: Option<Ref>,
        at: Option<Point>,
    ) -> Result<ActionEffect, Error> {
        let grip = self.action_point(from, true, from_at).await?;
        let (start, end) = match to {
            Some(to) => {
                let end = self.center(to, at).await?;
                // Scrolling to the end may have moved the start.
                let start = self.action_point(from, true, from_at).await?.at;
                (start, self.center(to, at).await.unwrap_or(end))
            }
            None => {
                let distance = at.unwrap_or(Point { x: 0.0, y: 0.0 });
                (grip.at, grip.at.offset(distance))
            }
        };
        let baseline = self.baseline()?;
        let session = self.session()?;
        let tracker = self.tracker()?.clone();
        tracker.state().drag_data = None;
        let intercept = |enabled| tracker.connection.send(&session, &SetInterceptDrags { enabled });
        intercept(true);
        let pulled = self.dispatch(&path(start, end)).await;
        // What moved the pointer may have moved the page: where the drop lands is known only now.
        let lands = match &pulled {
            Ok(()) => self.lands_in_frame_of(to.unwrap_or(from), end).await,
            Err(_) => Ok(false),
        };
        if !matches!(lands, Ok(true)) {
            intercept(false);
            // The pointer lets go where it has taken hold: nothing is dropped.
            self.dispatch(&[moved(start, true), released(start, MouseButton::Left, 1)])
                .await?;
            pulled?;
            lands?;
            return Err(Error::NotActionable {
                target: to.unwrap_or(from),
                why: "the drag would end in another frame of the page; name an element there as `to`".into(),
            });
        }
        let data = match grip.draggable {
            true => self.wait_for_drag().await?,
            false => tracker.state().drag_data.take(),
        };
        let dropped = match (pulled, data) {
            (Ok(()), Some(data)) => self.drop_at(&session, end, &data).await,
            (pulled, _) => pulled,
        };
        intercept(false);
        dropped?;
        self.dispatch(&[moved(end, true), released(end, MouseButton::Left, 1)])
            .await?;
        self.outcome_since(&baseline).await
    }

    /// Whether a point of the viewport lies in the frame of an element, and in no frame within or above it that shows
    /// another document.
    async fn lands_in_frame_of(&self, target: Ref, at: Point) -> Result<bool, Error> {
        let mut frames = vec![self.frame_of(target)?];
        while let Some(parent) = frames.last().map(|frame| self.parent_frame(frame)) {
            let Some(parent) = parent? else { break };
            frames.push(parent);
        }
        let mut at = at;
        while let Some(frame) = frames.pop() {
            let call = format!("huntsman.frameAt({}, {})", finite(at.x), finite(at.y));
            let inner: u32 = self.run(&frame, &call).await?;
            let wanted = match frames.last() {
                Some(child) => self.owner_index(child, &frame).await?,
                None => 0,
            };
            if inner != wanted {
                return Ok(false);
            }
            if wanted > 0 {
                let origin: Point = self
                    .run(&frame, &format!("huntsman.frameOrigin({wanted})"))
                    .await?;
                at = Point {
                    x: at.x - origin.x,
                    y: at.y - origin.y,
                };
            }
        }
        Ok(true)
    }

    /// What the browser drags itself, which it may report a moment after the pointer has moved.
    async fn wait_for_drag(&self) -> Result<Option<Box<RawValue>>, Error> {
        let deadline = Instant::now() + DRAG_START_TIMEOUT;
        let data = self.wait_for_state(deadline, |state| Ok(state.drag_data.take()));
        Ok(data.await?)
    }

    /// Drops what the browser drags itself.
    async fn drop_at(&self, session: &str, at: Point, data: &RawValue) -> Result<(), Error> {
        for r#type in [
            DragEventType::DragEnter,
            DragEventType::DragOver,
            DragEventType::Drop,
        ] {
            let (x, y) = (at.x, at.y);
            let event = DragEvent { r#type, x, y, data };
            self.execute(session, &event).await?;
        }
        Ok(())
    }

    /// The center of an element or a point within it, whether or not something covers it.
    async fn center(&self, target: Ref, at: Option<Point>) -> Result<Point, Error> {
        match self.action_point(target, false, at).await {
            Err(Error::NotActionable { .. }) => {}
            point => return Ok(point?.at),
        }
        let rect: Rect = self.call_on(target, "rect", "").await?;
        let at = at.unwrap_or(Point {
            x: rect.width / 2.0,
            y: rect.height / 2.0,
        });
        let offset = self.frame_offset(&self.frame_of(target)?).await?;
        let corner = Point { x: rect.x, y: rect.y };
        Ok(corner.offset(at).offset(offset))
    }

    /// Selects text within an element, or anywhere in the main document.
    pub(super) async fn select_text(
        &mut self,
        target: Option<Ref>,
        text: Option<&str>,
    ) -> Result<ActionEffect, Error> {
        let frame = match target {
            Some(target) => self.frame_of(target)?,
            None => self.main_frame()?,
        };
        let target = target.unwrap_or(Ref(0));
        let arguments = format!(", {}", json!(text));
        let range: TextRange = self.call_in(&frame, target, "textRange", &arguments).await?;
        let baseline = self.baseline()?;
        if let (Some(from), Some(to)) = (range.from, range.to) {
            let offset = self.frame_offset(&frame).await?;
            let (start, end) = (from.offset(offset), to.offset(offset));
            let middle = Point {
                x: f64::midpoint(start.x, end.x),
                y: f64::midpoint(start.y, end.y),
            };
            self.dispatch(&[
                moved(start, false),
                pressed(start, MouseButton::Left, 1),
                moved(middle, true),
                moved(end, true),
                released(end, MouseButton::Left, 1),
            ])
            .await?;
        }
        self.outcome_since(&baseline).await
    }
}

/// The pointer is pressed at the start and moves to the end in steps.
fn path(start: Point, end: Point) -> Vec<MouseEvent> {
    let length = (end.x - start.x).hypot(end.y - start.y);
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "the number is clamped to 8 to 60"
    )]
    let steps = (length / STEP_LENGTH).clamp(MIN_STEPS, MAX_STEPS) as u32;
    let mut events = vec![moved(start, false), pressed(start, MouseButton::Left, 1)];
    events.extend((1..=steps).map(|step| {
        let part = f64::from(step) / f64::from(steps);
        let point = Point {
            x: start.x + (end.x - start.x) * part,
            y: start.y + (end.y - start.y) * part,
        };
        moved(point, true)
    }));
    events
}
