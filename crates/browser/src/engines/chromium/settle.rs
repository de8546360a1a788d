//! Waiting for quiet: no navigation under way, no request that matters, no change of the page.

use std::time::Duration;

use serde::de::IgnoredAny;
use tokio::time::Instant;

use super::frames::Slip;
use super::page::PageState;
use super::tab::ChromiumTab;
use crate::error::Error;

/// The longest wait for a page to finish loading once it shows something.
const LOAD: Duration = Duration::from_secs(12);
/// A request older than this is a line kept open, not something the page waits for.
const REQUEST: Duration = Duration::from_millis(1500);
/// The longest wait for requests in all.
const REQUESTS: Duration = Duration::from_secs(4);
/// The longest wait for a page that does not stop changing.
const CALM: u64 = 700;

/// How things stood before something was done.
#[derive(Debug, Clone)]
pub(super) struct Mark {
    page: u32,
    documents: u64,
    moves: u64,
    url: String,
    opened: Vec<u32>,
}

impl Mark {
    /// Whether the page is elsewhere than it was.
    pub(super) fn is_left(&self, page: &PageState) -> bool {
        page.number != self.page || page.documents != self.documents || page.moves != self.moves
    }
}

/// What came of it.
#[derive(Debug, Clone, Default)]
pub(super) struct Settled {
    /// The tab shows another document.
    pub(super) navigated: bool,
    /// The same document has another address.
    pub(super) moved: bool,
    /// Another tab is the present one.
    pub(super) switched: bool,
}

impl ChromiumTab {
    /// How things stand now.
    pub(super) fn mark(&self) -> Result<Mark, Slip> {
        let state = self.watch()?.state();
        let page = state.page().ok_or(Slip::Gone)?;
        Ok(Mark {
            page: page.number,
            documents: page.documents,
            moves: page.moves,
            url: page.url.clone(),
            opened: state.pages.iter().map(|page| page.number).collect(),
        })
    }

    /// Waits until everything that was set in motion since the mark has come to rest.
    pub(super) async fn settle(&mut self, mark: &Mark) -> Result<Settled, Error> {
        let began = Instant::now();
        let watch = self.watch()?.clone();
        let mut settled = Settled::default();
        let mut calmed = 0;
        loop {
            let now = Instant::now();
            self.follow(mark, &mut settled)?;
            let (seen, wait) = {
                let state = watch.state();
                if state.lost {
                    return Err(Slip::Lost.into());
                }
                let page = state.page().ok_or(Slip::Gone)?;
                if page.crashed {
                    return Err(Slip::Crashed.into());
                }
                if page.dialog.is_some() {
                    break;
                }
                let past = now - began;
                let wait = if page.leaving(now) && past < self.profile.patience {
                    Some(Duration::from_millis(500))
                } else if page.loading && !page.loaded && past < LOAD {
                    Some(LOAD - past)
                } else if page.busy(now, REQUEST) > 0 && past < REQUESTS {
                    Some(Duration::from_millis(200))
                } else {
                    None
                };
                (state.events, wait)
            };
            if let Some(wait) = wait {
                calmed = 0;
                tokio::select! {
                    biased;
                    () = self.profile.cancel.cancelled() => return Err(Error::Cancelled),
                    () = watch.change(seen, now + wait) => {}
                }
                continue;
            }
            if calmed > 0 {
                break;
            }
            let main = self.main_frame()?;
            match self
                .run::<IgnoredAny>(&main, &format!("huntsman.calm({CALM})"))
                .await
            {
                Ok(_) => {}
                Err(Slip::Gone | Slip::Asked) => continue,
                Err(slip) => return Err(slip.into()),
            }
            calmed += 1;
        }
        let state = watch.state();
        let page = state.page().ok_or(Slip::Gone)?;
        if page.number == mark.page {
            settled.navigated = page.documents != mark.documents;
            settled.moved =
                page.moves != mark.moves && without_fragment(&page.url) != without_fragment(&mark.url);
        }
        Ok(settled)
    }

    /// Goes on in a tab that the page has opened, and back when the present one has closed itself.
    fn follow(&self, mark: &Mark, settled: &mut Settled) -> Result<(), Slip> {
        let watch = self.watch()?;
        let mut state = watch.state();
        let fresh = state
            .pages
            .iter_mut()
            .rev()
            .find(|page| !page.seen && !mark.opened.contains(&page.number));
        let mut note = None;
        if let Some(page) = fresh {
            page.seen = true;
            let number = page.number;
            let before = state.current;
            state.current = number;
            settled.switched = true;
            note = Some(format!(
                "a new tab was opened and is the current one (tab {number}; the one before is tab {before})"
            ));
        } else if state.page().is_none()
            && let Some(number) = state.pages.last().map(|page| page.number)
        {
            state.current = number;
            settled.switched = true;
            note = Some(format!("the tab was closed; tab {number} is the current one"));
        }
        drop(state);
        if let Some(note) = note {
            watch.note(note);
        }
        Ok(())
    }

    /// Waits for quiet, whatever has happened before.
    pub(super) async fn rest(&mut self) -> Result<(), Error> {
        let mark = self.mark()?;
        self.settle(&mark).await.map(|_| ())
    }
}

fn without_fragment(url: &str) -> &str {
    url.split('#').next().unwrap_or_default()
}
