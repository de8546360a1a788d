//! From a ref to a place that the pointer reaches.

use serde::Deserialize;
use serde_json::json;

use super::act::finite;
use super::frames::Slip;
use super::tab::{ChromiumTab, Doc};
use crate::action::Point;
use crate::browser::Hit;
use crate::error::Error;
use crate::snapshot::Ref;

/// What a script of ours says about an element. Which fields are there depends on what was asked.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub(super) struct Told {
    pub(super) stale: bool,
    pub(super) no: Option<String>,
    pub(super) x: f64,
    pub(super) y: f64,
    pub(super) width: f64,
    pub(super) height: f64,
    pub(super) kind: String,
    pub(super) set: bool,
    pub(super) keys: bool,
    pub(super) empty: bool,
    pub(super) multiline: bool,
    pub(super) secret: bool,
    pub(super) most: Option<i64>,
    pub(super) number: u32,
    pub(super) custom: bool,
    pub(super) expanded: bool,
    pub(super) on: bool,
    pub(super) draggable: bool,
    pub(super) radio: bool,
    pub(super) moved: bool,
    pub(super) top: i64,
    pub(super) left: i64,
    pub(super) page: i64,
    pub(super) shown: bool,
    pub(super) value: String,
    pub(super) link: String,
    pub(super) from: Option<Spot>,
    pub(super) to: Option<Spot>,
}

/// A place in the window of a document.
#[derive(Debug, Clone, Copy, Deserialize)]
pub(super) struct Spot {
    pub(super) x: f64,
    pub(super) y: f64,
}

/// A place on the page that reaches an element.
#[derive(Debug, Clone)]
pub(super) struct Place {
    pub(super) at: Point,
    /// The kind of the element: an input's type, else its tag.
    pub(super) kind: String,
    /// Whether the browser itself drags it, as it does with links and pictures.
    pub(super) draggable: bool,
}

impl ChromiumTab {
    /// Asks a script of ours about an element: `call` is a function's name with its further arguments.
    pub(super) async fn ask(&self, target: Ref, function: &str, arguments: &str) -> Result<Told, Error> {
        let frame = self.frame_of(target)?;
        self.ask_in(&frame, target, function, arguments).await
    }

    pub(super) async fn ask_in(
        &self,
        frame: &str,
        target: Ref,
        function: &str,
        arguments: &str,
    ) -> Result<Told, Error> {
        let asked = format!(
            "huntsman.from({}), huntsman.{function}({}{arguments})",
            self.last, target.0
        );
        let told: Told = match self.run(frame, &asked).await {
            Err(Slip::Gone) => return Err(Error::Stale(target)),
            told => told?,
        };
        if told.stale {
            return Err(Error::Stale(target));
        }
        match told.no {
            Some(why) => Err(Error::NotActionable { target, why }),
            None => Ok(told),
        }
    }

    /// Takes note of an element that a script has given a number between snapshots.
    pub(super) fn adopt(&mut self, number: u32, near: Ref) -> Result<Ref, Error> {
        if number > self.last {
            let frame = self.frame_of(near)?;
            let world = self.known_world(&frame).ok_or(Error::Stale(near))?;
            self.note_number(number, frame, world);
        }
        Ok(Ref(number))
    }

    fn note_number(&mut self, number: u32, frame: String, world: i64) {
        self.docs.push(Doc {
            from: self.last + 1,
            to: number,
            frame,
            world,
        });
        self.last = number;
    }

    /// What can be acted on at a place of the view.
    pub(super) async fn hit_at(&mut self, at: Point) -> Result<Option<Hit>, Error> {
        let frame = self.main_frame()?;
        let asked = format!(
            "huntsman.from({}), huntsman.hit({}, {})",
            self.last,
            finite(at.x),
            finite(at.y)
        );
        let told: Told = self.run(&frame, &asked).await?;
        let Some(target) = self.found(told.number, &frame)? else {
            return Ok(None);
        };
        Ok(Some(Hit {
            target,
            at: Point { x: told.x, y: told.y },
            link: Some(told.link).filter(|it| !it.is_empty()),
        }))
    }

    /// The element that a script has named by its number, if any.
    fn found(&mut self, number: u32, frame: &str) -> Result<Option<Ref>, Error> {
        if number > self.last {
            let world = self.known_world(frame).ok_or(Slip::Gone)?;
            self.note_number(number, frame.to_owned(), world);
        }
        Ok((number > 0).then_some(Ref(number)))
    }

    /// What has the focus. A frame whose document is closed to the page's is asked by itself; which of several such
    /// frames is meant only the browser knows, so what would have the focus in each of them is told.
    pub(super) async fn having_focus(&mut self) -> Result<Vec<Ref>, Error> {
        let mut found = Vec::new();
        for frame in self.frames_seen()? {
            let asked = format!("huntsman.from({}), huntsman.focused()", self.last);
            let (number, closed): (u32, bool) = match self.run(&frame, &asked).await {
                Err(Slip::Gone) => continue,
                told => told?,
            };
            let main = found.is_empty();
            found.extend(self.found(number, &frame)?);
            if main && !closed {
                break;
            }
        }
        Ok(found)
    }

    /// Finds a place where the pointer reaches the element, or a given place within it.
    pub(super) async fn aim(&self, target: Ref, enabled: bool, at: Option<Point>) -> Result<Place, Error> {
        let frame = self.frame_of(target)?;
        let at = at.map_or("null".to_owned(), |at| json!({"x": at.x, "y": at.y}).to_string());
        let told = self
            .ask_in(&frame, target, "aim", &format!(", {enabled}, {at}"))
            .await?;
        let shift = self.shift(&frame).await?;
        Ok(Place {
            at: Point {
                x: told.x + shift.x,
                y: told.y + shift.y,
            },
            kind: told.kind,
            draggable: told.draggable,
        })
    }

    /// Where a frame's window begins on the page.
    pub(super) async fn shift(&self, frame: &str) -> Result<Point, Error> {
        let mut shift = Point { x: 0.0, y: 0.0 };
        let mut at = frame.to_owned();
        for _ in 0..16 {
            let Some(above) = self.above(&at)? else {
                return Ok(shift);
            };
            let index = self.owner(&at, &above).await?;
            let told: Told = self.run(&above, &format!("huntsman.frameBox({index})")).await?;
            shift.x += told.x;
            shift.y += told.y;
            at = above;
        }
        Ok(shift)
    }

    /// The nearest document above a frame that is looked at on its own.
    fn above(&self, frame: &str) -> Result<Option<String>, Slip> {
        let watch = self.watch()?;
        let state = watch.state();
        let page = state.page().ok_or(Slip::Gone)?;
        let mut at = frame.to_owned();
        for _ in 0..16 {
            match page.frames.get(&at).and_then(|it| it.parent.clone()) {
                None => return Ok(None),
                Some(above) => {
                    if page.frames.get(&above).is_some_and(|it| it.world.is_some()) {
                        return Ok(Some(above));
                    }
                    at = above;
                }
            }
        }
        Ok(None)
    }
}
