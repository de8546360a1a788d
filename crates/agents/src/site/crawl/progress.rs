//! `CrawlProgress`: what a crawl has done so far, kept with its frontier for a successor.

use serde::{Deserialize, Serialize};
use wire::Code;
use wire::frontier::FrontierReply;
use wire::scrape::{RewardTotal, ScrapeError};
use wire::site::CrawlSummary;

use crate::scrape::PageResult;

/// Most notes that are kept.
const MAX_NOTES: usize = 50;

/// What a crawl has done so far.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
#[serde(default)]
pub(super) struct CrawlProgress {
    pub(super) summary: CrawlSummary,
    pub(super) tally: RewardTotal,
    /// Whether all addresses that are known before the first page have been taken in.
    pub(super) is_seeded: bool,
    /// Addresses left out because they look endless.
    pub(super) endless: u64,
    /// Links left out because they are named as pictures, archives, programs and the like; one on each page that has it.
    pub(super) files: u64,
    /// Links of the site that its patterns leave out; one on each page that has it.
    pub(super) unwanted: u64,
    /// Addresses left out of series such as calendars.
    pub(super) over_series: u64,
    /// Addresses left out because there are too many in all.
    pub(super) over_addresses: u64,
    /// The last failure of a page.
    #[serde(skip)]
    pub(super) last_error: Option<ScrapeError>,
}

impl CrawlProgress {
    /// What a worker before has left.
    pub(super) fn restored(state: Option<&str>) -> Self {
        state
            .and_then(|state| serde_json::from_str(state).ok())
            .unwrap_or_default()
    }

    /// The progress as it is kept.
    pub(super) fn state(&self) -> Option<String> {
        serde_json::to_string(self).ok()
    }

    /// Counts the result of a page.
    pub(super) fn count(&mut self, result: &PageResult) {
        let summary = &mut self.summary;
        summary.fetched += 1;
        match (&result.error, &result.duplicate_of) {
            (Some(error), _) => match error.code {
                Code::RobotsDenied => summary.forbidden += 1,
                Code::UrlBlocked => summary.outside += 1,
                _ => summary.failed += 1,
            },
            (None, Some(_)) => summary.duplicates += 1,
            (None, None) => summary.read += 1,
        }
        summary.similar += u64::from(result.similar_to.is_some());
        if result.error.is_some() {
            self.last_error.clone_from(&result.error);
        }
    }

    /// Counts what the frontier left out.
    pub(super) fn take(&mut self, reply: &FrontierReply) {
        self.summary.known = reply.known;
        self.over_series += reply.over_group;
        self.over_addresses += reply.over_addresses;
    }

    /// Keeps a note.
    pub(super) fn note(&mut self, note: String) {
        let notes = &mut self.summary.notes;
        if notes.len() < MAX_NOTES && !notes.contains(&note) {
            notes.push(note);
        }
    }

    /// The summary of a run that ends now.
    pub(super) fn ended(&mut self) -> CrawlSummary {
        let counted = [
            (
                self.endless,
                "links were not followed, since their addresses look endless (too long, too deep, repeated)",
            ),
            (
                self.files,
                "links to pictures, archives, programs and the like were not followed, by the ending of their names",
            ),
            (
                self.over_series,
                "links into calendars and filters were not followed, since each had hundreds already",
            ),
            (
                self.over_addresses,
                "links were not followed, since the crawl knows as many addresses as it may",
            ),
        ];
        // Of a crawl that went on, it is known what the patterns are good for.
        if self.unwanted > 0 && self.summary.known <= 1 {
            let count = self.unwanted;
            self.note(format!(
                "none of the {count} links is one of those that `include` and `exclude` let through"
            ));
        }
        for (count, what) in counted {
            if count > 0 {
                self.note(format!("{count} {what}"));
            }
        }
        self.summary.clone()
    }
}
