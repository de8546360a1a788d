//! Pictures of the steps of a run, and what those who watch its tab may see.
//!
//! A run that holds values of a person, of the caller or of the vault shows nothing that was not checked: its screencast is
//! guarded, and a picture is taken only between two snapshots that show no value and none of the fields that were filled with one.

use browser::{Area, Capability, PagePicture, Ref};
use wire::automate::{PictureArea, StepPicture};

use super::Driver;
use crate::automate::tool_invocation::ToolInvocation;
use crate::cancel::Cancelled;

/// The tool that fills fields with values of the caller and of the vault.
const FILLS_VALUES: &str = "fill_user_data";

/// What came of taking a picture.
enum PictureOutcome {
    Taken(PagePicture),
    /// The page shows a value, or nobody can say that it does not.
    Withheld,
    /// There is nothing to take a picture of.
    Nothing,
}

impl Driver<'_> {
    /// Guards the view of the tab, before a value is put into its page. What was watched so far is withheld.
    pub(super) fn guard_view(&mut self) {
        self.holds_values = true;
        if let Some(view) = self.input.run.view() {
            view.screencast.guard();
        }
    }

    /// Notes the field that an action is to fill with a value.
    pub(super) fn note_filled(&mut self, action: &ToolInvocation) {
        if action.call.tool == FILLS_VALUES {
            self.filled.extend(action.call.summary.target);
        }
    }

    /// Takes the picture of a step, with the element that it is about, and shows it to those who watch a guarded run. None
    /// when no pictures are kept, there is nothing to see, or it may not be seen.
    pub(super) async fn step_picture(
        &mut self,
        target: Option<Ref>,
    ) -> Result<Option<StepPicture>, Cancelled> {
        let run = self.input.run;
        let Some(view) = run.view() else {
            return Ok(None);
        };
        let is_shown = self.holds_values && view.screencast.is_watched();
        if view.pictures.is_none() && !is_shown {
            return Ok(None);
        }
        let picture = match run.until_cancelled(self.checked_picture(target)).await? {
            PictureOutcome::Taken(picture) => picture,
            PictureOutcome::Nothing => return Ok(None),
            PictureOutcome::Withheld => {
                view.screencast.withhold();
                return Ok(None);
            }
        };
        if self.holds_values {
            view.screencast.show(picture.jpeg.clone());
        }
        let Some(pictures) = &view.pictures else {
            return Ok(None);
        };
        let bytes = picture.jpeg.len() as u64;
        let (size, area) = (picture.size, picture.target);
        let name = pictures.keep(picture.jpeg).await;
        Ok(name.map(|name| StepPicture {
            name,
            bytes,
            width: size.0,
            height: size.1,
            target: area.map(|area| area_of(area, size)),
        }))
    }

    /// Shows the page of a guarded run to those who watch, where it may be seen; a run that is not guarded is cast.
    pub(super) async fn show_checked_page(&mut self) -> Result<(), Cancelled> {
        let run = self.input.run;
        let watched = run.view().filter(|view| view.screencast.is_watched());
        let (Some(view), true) = (watched, self.holds_values) else {
            return Ok(());
        };
        match run.until_cancelled(self.checked_picture(None)).await? {
            PictureOutcome::Taken(picture) => view.screencast.show(picture.jpeg),
            PictureOutcome::Withheld => view.screencast.withhold(),
            PictureOutcome::Nothing => {}
        }
        Ok(())
    }

    async fn checked_picture(&mut self, target: Option<Ref>) -> PictureOutcome {
        let has_page = self.tab.url().is_some() && self.tab.dialog().is_none();
        if !has_page || self.tab.can(Capability::Screenshot).is_err() {
            return PictureOutcome::Nothing;
        }
        if !self.may_be_seen().await {
            return PictureOutcome::Withheld;
        }
        let picture = match self.tab.picture(target).await {
            Ok(picture) => picture,
            Err(error) => {
                tracing::debug!(code = error.code(), "no picture of a step");
                return PictureOutcome::Nothing;
            }
        };
        // The page may have changed meanwhile.
        if !self.may_be_seen().await {
            return PictureOutcome::Withheld;
        }
        PictureOutcome::Taken(picture)
    }

    /// Whether a picture of the page may be shown to people and models: the run holds no values, or the page certainly shows none,
    /// and no field that was filled with one. A page may change while its picture is taken: this is asked before and after.
    pub(super) async fn may_be_seen(&mut self) -> bool {
        if !self.holds_values {
            return true;
        }
        match self.tab.snapshot().await {
            Ok(now) => {
                let has_filled = self.filled.iter().any(|target| now.find(*target).is_some());
                !has_filled && !self.secrets.shown_in_any_form(&now)
            }
            Err(_) => false,
        }
    }
}

/// An area in whole pixels, cut at the edges of its picture.
fn area_of(area: Area, (width, height): (u32, u32)) -> PictureArea {
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "within the picture, and the cast saturates"
    )]
    let pixels = |at: f64, most: u32| at.round().clamp(0.0, f64::from(most)) as u32;
    let (x, y) = (pixels(area.x, width), pixels(area.y, height));
    PictureArea {
        x,
        y,
        width: pixels(area.x + area.width, width) - x,
        height: pixels(area.y + area.height, height) - y,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_area_is_cut_at_the_edges_of_the_picture() {
        let of = |x, y, width, height| {
            let area = area_of(Area { x, y, width, height }, (100, 80));
            (area.x, area.y, area.width, area.height)
        };
        assert_eq!(of(10.4, 20.6, 5.0, 5.0), (10, 21, 5, 5));
        assert_eq!(of(-10.0, -10.0, 200.0, 15.0), (0, 0, 100, 5));
        assert_eq!(of(300.0, 300.0, 5.0, 5.0), (100, 80, 0, 0));
        assert_eq!(of(f64::NAN, 0.0, 5.0, 5.0), (0, 0, 0, 5));
    }
}
