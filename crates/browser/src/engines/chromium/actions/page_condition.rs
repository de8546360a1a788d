//! Waiting for a condition that a request names, and what the page shows when it never holds.

use std::time::Duration;

use serde_json::json;
use tokio::time::Instant;

use super::super::failure::TabFailure;
use super::super::page_reading::ReadPage;
use super::super::tab::ChromiumTab;
use super::wait::CHECK_INTERVAL;
use crate::browser::PageCondition;
use crate::error::Error;

/// How long no request may be under way.
const NETWORK_QUIET: Duration = Duration::from_millis(500);
/// Requests of any age count.
const ANY_AGE: Duration = Duration::from_secs(3600);
/// Most characters of the page's text in an error.
const SHOWN_TEXT: usize = 160;

impl ChromiumTab {
    /// Waits until a condition holds; afterwards until what it began has ended.
    pub(in super::super) async fn wait_for_condition(
        &mut self,
        condition: &PageCondition,
        within: Duration,
    ) -> Result<(), Error> {
        let deadline = Instant::now() + within;
        if let PageCondition::Passed(time) = condition {
            self.sleep_until((Instant::now() + *time).min(deadline)).await?;
            if *time > within {
                return Err(self.timed_out(condition, within).await);
            }
        } else {
            self.poll(condition, deadline, within).await?;
        }
        // What the page shows now may lead elsewhere, and may be where it leads.
        self.read_visit().await.map(drop)
    }

    async fn poll(
        &mut self,
        condition: &PageCondition,
        deadline: Instant,
        within: Duration,
    ) -> Result<(), Error> {
        let mut quiet_since = None;
        loop {
            let now = Instant::now();
            let holds = match condition {
                PageCondition::Selector(css) => self.shows_match(css).await?,
                PageCondition::Text(text) => self.contains_text(text).await?,
                PageCondition::Passed(_) => true,
                PageCondition::NetworkIdle => {
                    let is_idle = self.is_network_idle(now)?;
                    quiet_since = is_idle.then(|| quiet_since.unwrap_or(now));
                    quiet_since.is_some_and(|since| now - since >= NETWORK_QUIET)
                }
            };
            if holds {
                return Ok(());
            }
            if now >= deadline {
                return Err(self.timed_out(condition, within).await);
            }
            self.sleep_until(deadline.min(now + CHECK_INTERVAL)).await?;
        }
    }

    /// The error that a condition did not hold in time.
    async fn timed_out(&mut self, condition: &PageCondition, within: Duration) -> Error {
        Error::WaitTimeout {
            what: describe(condition),
            seconds: within.as_millis().div_ceil(1000).try_into().unwrap_or(u64::MAX),
            instead: self.shown_instead().await,
        }
    }

    /// Whether any known document of the tab shows an element that a selector matches.
    async fn shows_match(&self, css: &str) -> Result<bool, Error> {
        let call = format!("huntsman.showsMatch({})", json!(css));
        for frame in self.known_frames()? {
            match self.run::<Option<bool>>(&frame, &call).await {
                Ok(Some(true)) => return Ok(true),
                Ok(Some(false)) | Err(TabFailure::DocumentGone) => {}
                Ok(None) => return Err(Error::Selector(format!("{css:?} is no selector"))),
                Err(failure) => return Err(failure.into()),
            }
        }
        Ok(false)
    }

    fn is_network_idle(&self, now: Instant) -> Result<bool, Error> {
        let state = self.tracker()?.state();
        let page = state.page().ok_or(TabFailure::DocumentGone)?;
        Ok(!page.is_navigating(now) && page.pending_requests(now, ANY_AGE) == 0)
    }

    /// The title and the beginning of the text of the page.
    async fn shown_instead(&mut self) -> String {
        let Ok(ReadPage { page, .. }) = self.read_page().await else {
            return "nothing that can be read".to_owned();
        };
        let words = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
        let title = page
            .dom()
            .by_tag("title")
            .next()
            .map(|title| words(&title.text()));
        let text = page
            .dom()
            .body()
            .map(|body| words(&body.text()))
            .unwrap_or_default();
        let beginning: String = text.chars().take(SHOWN_TEXT).collect();
        let text = match text.chars().count() {
            0 => "no text".to_owned(),
            count if count > SHOWN_TEXT => format!("{count} characters of text, which begin {beginning:?}"),
            _ => format!("the text {beginning:?}"),
        };
        match title.filter(|title| !title.is_empty()) {
            Some(title) => format!("{title:?} with {text}"),
            None => text,
        }
    }
}

fn describe(condition: &PageCondition) -> String {
    match condition {
        PageCondition::Selector(css) => format!("an element for the selector {css:?}"),
        PageCondition::Text(text) => format!("the text {text:?}"),
        PageCondition::Passed(time) => format!("the end of {} ms", time.as_millis()),
        PageCondition::NetworkIdle => "an idle network".to_owned(),
    }
}
