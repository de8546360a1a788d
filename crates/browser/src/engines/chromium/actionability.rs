//! Actionability: the point at which the pointer reaches an element, hit tests and focus.

use serde::Deserialize;
use serde_json::json;

use super::failure::TabFailure;
use super::tab::ChromiumTab;
use crate::action::Point;
use crate::browser::HitTestResult;
use crate::error::Error;
use crate::snapshot::Ref;

/// How deeply frames are nested at most.
const MAX_FRAME_DEPTH: usize = 16;

/// A point of the viewport at which the pointer reaches an element.
#[derive(Debug, Clone, Deserialize)]
pub(super) struct ActionPoint {
    #[serde(flatten)]
    pub(super) at: Point,
    /// An input's type, or else the element's tag.
    pub(super) kind: String,
    /// Whether the browser itself drags the element, as it does with links and images.
    pub(super) draggable: bool,
}

/// What an element hit by its point, if any.
#[derive(Default, Deserialize)]
#[serde(default)]
struct HitTest {
    /// The ref; 0 for none.
    number: u32,
    x: f64,
    y: f64,
    link: String,
}

impl ChromiumTab {
    /// Registers an element that a script has given a ref between snapshots.
    pub(super) fn register_ref(&mut self, number: u32, near: Ref) -> Result<Ref, Error> {
        if number > self.last_ref {
            let frame = self.frame_of(near)?;
            self.register_refs(number, &frame)
                .map_err(|_| Error::Stale(near))?;
        }
        Ok(Ref(number))
    }

    /// The element that can be acted on at a point of the viewport.
    pub(super) async fn hit_test(&mut self, at: Point) -> Result<Option<HitTestResult>, Error> {
        let frame = self.main_frame()?;
        let call = format!(
            "huntsman.reserve({}), huntsman.hitTest({}, {})",
            self.last_ref,
            finite(at.x),
            finite(at.y)
        );
        let hit: HitTest = self.run(&frame, &call).await?;
        self.register_refs(hit.number, &frame)?;
        Ok((hit.number > 0).then(|| HitTestResult {
            target: Ref(hit.number),
            at: Point { x: hit.x, y: hit.y },
            link: Some(hit.link).filter(|link| !link.is_empty()),
        }))
    }

    /// The focused elements. A frame whose document the page cannot access is asked by itself; which of several such
    /// frames has the focus only the browser knows, so the element of each of them is given.
    pub(super) async fn focused_elements(&mut self) -> Result<Vec<Ref>, Error> {
        let mut focused = Vec::new();
        for frame in self.known_frames()? {
            let call = format!("huntsman.reserve({}), huntsman.focused()", self.last_ref);
            let (number, is_closed_frame): (u32, bool) = match self.run(&frame, &call).await {
                Err(TabFailure::DocumentGone) => continue,
                reply => reply?,
            };
            let is_first = focused.is_empty();
            self.register_refs(number, &frame)?;
            focused.extend((number > 0).then_some(Ref(number)));
            if is_first && !is_closed_frame {
                break;
            }
        }
        Ok(focused)
    }

    /// Waits until the element is in view, at rest and not covered, and gives a point that reaches it, or the given
    /// point within it. `enabled` requires that it is not disabled.
    pub(super) async fn action_point(
        &self,
        target: Ref,
        enabled: bool,
        at: Option<Point>,
    ) -> Result<ActionPoint, Error> {
        let frame = self.frame_of(target)?;
        let arguments = format!(", {enabled}, {}", json!(at));
        let mut point: ActionPoint = self.call_in(&frame, target, "actionPoint", &arguments).await?;
        point.at = point.at.offset(self.frame_offset(&frame).await?);
        Ok(point)
    }

    /// Where a frame's viewport begins on the page.
    pub(super) async fn frame_offset(&self, frame: &str) -> Result<Point, Error> {
        let mut offset = Point { x: 0.0, y: 0.0 };
        let mut frame = frame.to_owned();
        for _ in 0..MAX_FRAME_DEPTH {
            let Some(parent) = self.parent_frame(&frame)? else {
                break;
            };
            let index = self.owner_index(&frame, &parent).await?;
            let origin: BoxOrigin = self
                .run(&parent, &format!("huntsman.frameOrigin({index})"))
                .await?;
            offset.x += origin.x;
            offset.y += origin.y;
            frame = parent;
        }
        Ok(offset)
    }

    /// The nearest ancestor of a frame that has an isolated world.
    pub(super) fn parent_frame(&self, frame: &str) -> Result<Option<String>, TabFailure> {
        let state = self.tracker()?.state();
        let page = state.page().ok_or(TabFailure::DocumentGone)?;
        let mut at = frame;
        for _ in 0..MAX_FRAME_DEPTH {
            let Some(parent) = page.frames.get(at).and_then(|frame| frame.parent.as_deref()) else {
                break;
            };
            if page.frames.get(parent).is_some_and(|frame| frame.world.is_some()) {
                return Ok(Some(parent.to_owned()));
            }
            at = parent;
        }
        Ok(None)
    }
}

/// The origin of a frame's viewport; zero when the frame is gone.
#[derive(Default, Deserialize)]
#[serde(default)]
struct BoxOrigin {
    x: f64,
    y: f64,
}

/// A number that JSON and JavaScript can write.
pub(super) fn finite(number: f64) -> f64 {
    if number.is_finite() { number } else { 0.0 }
}
