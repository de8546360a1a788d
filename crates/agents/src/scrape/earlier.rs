//! What an earlier worker has done: read off its log, so that a successor does not do it again.

use wire::scrape::{ScrapeEvent, StepDetail, Tally};
use wire::{Entry, Stamped};

use super::Progress;
use super::page::PageResult;

/// The progress that a log tells of: all steps counted, and the results of the pages that were finished.
pub(super) fn progress(log: &[Entry], pages: usize) -> Progress {
    let mut progress = Progress {
        results: vec![None; pages],
        tally: Tally::default(),
        fault: None,
        plugins: Vec::new(),
    };
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
