//! The progress of a run that an earlier worker began, read from its log.

use wire::scrape::{ScrapeEvent, StepDetail};
use wire::{LogEntry, Stamped};

use super::page_result::PageResult;
use super::progress::ScrapeProgress;

/// The progress that a log tells of: all steps counted, and the results of the pages that were finished.
pub(super) fn progress(log: &[LogEntry], pages: usize) -> ScrapeProgress {
    let mut progress = ScrapeProgress::new(pages);
    for entry in log {
        let Ok(Stamped {
            event: ScrapeEvent::Step { data: step },
            ..
        }) = Stamped::from_entry(entry)
        else {
            continue;
        };
        progress.tally.add(&step);
        let StepDetail::PageDone {
            result: Some(result), ..
        } = &step.detail
        else {
            continue;
        };
        let Some((index, result)) = PageResult::from_json(result) else {
            continue;
        };
        if let Some(place) = progress.results.get_mut(index) {
            *place = Some(result);
        }
    }
    progress
}
