//! Settling: waiting for content that a page still says is to come, and for the data that its requests ask for.
//!
//! Lists and articles may come some time after the page, by timers and further requests. What the page shows tells whether they
//! are to come: an empty place under its title, words that say that something loads.

use std::time::Duration;

use tokio::time::{Instant, sleep};
use url::Url;

use super::failure::TabFailure;
use super::tab::ChromiumTab;
use crate::browser::{PageWarning, Visit};
use crate::error::Error;
use crate::fetch::script_need::needs_scripts;

/// The longest wait for content of an incomplete page that no request is under way for.
const STILL_TO_COME: Duration = Duration::from_secs(2);
/// The longest wait for data of a page whose content is still to come.
const CONTENT_TIMEOUT: Duration = Duration::from_secs(12);
/// The longest wait for data of a page that shows its content: they may be a further part of it.
const FURTHER_TIMEOUT: Duration = Duration::from_secs(3);
/// The time between two looks at the page.
const BETWEEN_LOOKS: Duration = Duration::from_millis(150);

/// What one look at the page has shown.
struct Look {
    /// Whether the page shows that its content is still to come.
    is_incomplete: bool,
    /// Whether the page waits for data.
    awaits_data: bool,
    unread_frames: Vec<Url>,
}

/// Whether to look once more, at `now`; requests for data have been under way until `quiet_since`.
fn goes_on(look: &Look, began: Instant, quiet_since: Instant, now: Instant) -> bool {
    match (look.is_incomplete, look.awaits_data) {
        (true, true) => now - began < CONTENT_TIMEOUT,
        (true, false) => now - quiet_since < STILL_TO_COME && now - began < CONTENT_TIMEOUT,
        (false, true) => now - began < FURTHER_TIMEOUT,
        (false, false) => false,
    }
}

impl ChromiumTab {
    /// Waits for the content of the page and for its data, at most until the tab's patience from `asked` on has passed, and
    /// brings the visit up to date.
    pub(super) async fn settle_page(&mut self, visit: &mut Visit, asked: Instant) -> Result<(), Error> {
        let (began, deadline) = (Instant::now(), asked + self.profile.patience);
        let mut quiet_since = began;
        let mut address = Some(visit.url.clone());
        let look = loop {
            if self.current_address()? != address {
                self.wait_for_load().await?;
                *visit = self.arrive().await?;
                address = self.current_address()?;
            }
            let look = self.look().await?;
            let now = Instant::now();
            if look.awaits_data {
                quiet_since = now;
            }
            let is_still_there = self.current_address()? == address;
            if now >= deadline || (is_still_there && !goes_on(&look, began, quiet_since, now)) {
                break look;
            }
            tokio::select! {
                biased;
                () = self.profile.cancel.cancelled() => return Err(Error::Cancelled),
                () = sleep(BETWEEN_LOOKS) => {}
            }
        };
        if look.awaits_data {
            visit.warnings.push(PageWarning::StillLoading);
        }
        match self.run(&self.main_frame()?, "huntsman.hasConsentDialog()").await {
            Ok(true) => visit.warnings.push(PageWarning::ConsentDialog),
            Ok(false) | Err(TabFailure::DocumentGone | TabFailure::Refused(_)) => {}
            Err(failure) => return Err(failure.into()),
        }
        if !look.unread_frames.is_empty() {
            visit.warnings.push(PageWarning::UnreadFrames(look.unread_frames));
        }
        Ok(())
    }

    /// The address of the document, as the browser names it.
    fn current_address(&self) -> Result<Option<Url>, Error> {
        let state = self.tracker()?.state();
        Ok(Url::parse(&state.page().ok_or(Error::NoPage)?.url).ok())
    }

    async fn look(&mut self) -> Result<Look, Error> {
        let read = self.read_page().await?;
        let is_incomplete = needs_scripts(&read.page);
        let state = self.tracker()?.state();
        let page = state.page().ok_or(Error::NoPage)?;
        Ok(Look {
            is_incomplete,
            awaits_data: page.awaits_data(Instant::now(), is_incomplete),
            unread_frames: read.unread,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_incomplete_page_is_waited_for_as_long_as_its_data_may_come() {
        let began = Instant::now();
        let goes_on_after = |is_incomplete: bool, awaits_data: bool, quiet_for: f64, seconds: f64| {
            let look = Look {
                is_incomplete,
                awaits_data,
                unread_frames: Vec::new(),
            };
            let now = began + Duration::from_secs_f64(seconds);
            goes_on(&look, began, now - Duration::from_secs_f64(quiet_for), now)
        };
        assert!(goes_on_after(true, true, 0.0, 9.0));
        assert!(!goes_on_after(true, true, 0.0, 12.0));
        assert!(goes_on_after(true, false, 1.0, 6.0));
        assert!(!goes_on_after(true, false, 2.0, 6.0));
        assert!(goes_on_after(false, true, 0.0, 2.0));
        assert!(!goes_on_after(false, true, 0.0, 3.0));
        assert!(!goes_on_after(false, false, 0.0, 0.0));
    }
}
