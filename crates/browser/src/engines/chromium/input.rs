//! Input: pointer and keyboard events sent to the current page.

use super::actionability::{ActionPoint, finite};
use super::cdp::CdpCommand;
use super::cdp::input::{MouseButton, MouseEvent, MouseEventType};
use super::failure::TabFailure;
use super::tab::ChromiumTab;
use crate::action::Point;
use crate::error::Error;
use crate::snapshot::Ref;

/// How long a page may take to come to rest under the pointer, in milliseconds.
const HOVER_STABLE_TIMEOUT: u64 = 300;

impl ChromiumTab {
    /// Sends input events, one after the other, and waits for the last.
    pub(super) async fn dispatch<C: CdpCommand>(&self, events: &[C]) -> Result<(), Error> {
        let session = self.session()?;
        let connection = self.tracker()?.connection.clone();
        let Some((last, before)) = events.split_last() else {
            return Ok(());
        };
        for event in before {
            connection.send(&session, event);
        }
        match self.execute_or_terminate(&session, last).await {
            // The page went away under the pointer, or opened a dialog: most often what was wanted.
            Ok(_) | Err(TabFailure::DocumentGone | TabFailure::DialogOpen) => Ok(()),
            Err(failure) => Err(failure.into()),
        }
    }

    /// Moves the pointer to an element, whose place may change under the pointer, and gives its point then.
    pub(super) async fn move_to(
        &self,
        target: Ref,
        point: ActionPoint,
        at: Option<Point>,
    ) -> Result<ActionPoint, Error> {
        self.dispatch(&[moved(point.at, false)]).await?;
        let now = match self.action_point(target, true, at).await {
            Err(Error::NotActionable { .. }) => {
                self.wait_for_stable(HOVER_STABLE_TIMEOUT).await?;
                self.action_point(target, true, at).await?
            }
            now => now?,
        };
        if now.at != point.at {
            self.dispatch(&[moved(now.at, false)]).await?;
        }
        Ok(now)
    }

    /// Clicks an element without waiting for what comes of it.
    pub(super) async fn click_once(&self, target: Ref) -> Result<(), Error> {
        let point = self.action_point(target, true, None).await?;
        let point = self.move_to(target, point, None).await?;
        self.dispatch(&click(point.at, MouseButton::Left, 1)).await
    }
}

/// The pointer moves, with the left button held or none.
pub(super) fn moved(at: Point, is_held: bool) -> MouseEvent {
    MouseEvent {
        r#type: MouseEventType::Moved,
        x: at.x,
        y: at.y,
        button: if is_held {
            MouseButton::Left
        } else {
            MouseButton::None
        },
        buttons: u8::from(is_held),
        click_count: 0,
        delta_x: None,
        delta_y: None,
    }
}

/// A button is pressed.
pub(super) fn pressed(at: Point, button: MouseButton, click_count: u8) -> MouseEvent {
    MouseEvent {
        r#type: MouseEventType::Pressed,
        button,
        buttons: if button == MouseButton::Right { 2 } else { 1 },
        click_count,
        ..moved(at, false)
    }
}

/// A button is released.
pub(super) fn released(at: Point, button: MouseButton, click_count: u8) -> MouseEvent {
    MouseEvent {
        r#type: MouseEventType::Released,
        button,
        click_count,
        ..moved(at, false)
    }
}

/// The events of the n-th click of a multiple click.
pub(super) fn click(at: Point, button: MouseButton, count: u8) -> [MouseEvent; 2] {
    [pressed(at, button, count), released(at, button, count)]
}

/// The wheel turns, by CSS pixels.
pub(super) fn wheel(at: Point, right: f64, down: f64) -> MouseEvent {
    MouseEvent {
        r#type: MouseEventType::Wheel,
        delta_x: Some(finite(right)),
        delta_y: Some(finite(down)),
        ..moved(at, false)
    }
}
