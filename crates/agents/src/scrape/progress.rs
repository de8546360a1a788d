//! ScrapeProgress: what a scrape run has so far, and the response made of it.

use std::collections::HashSet;

use serde_json::{Map, Value};
use wire::RunId;
use wire::num::Num;
use wire::scrape::{
    RewardTotal, ScrapeError, ScrapeEvent, ScrapeRequest, ScrapeResponse, ScrapeStatus, ScrapeStep,
    StepDetail,
};

use super::output::{self, RenderedOutput};
use super::page_result::PageResult;
use crate::cancel::Cancelled;
use crate::error_codes;
use crate::run::Run;

/// What a run has so far.
pub(super) struct ScrapeProgress {
    /// The results of finished pages, by their place in the request's list.
    pub(super) results: Vec<Option<PageResult>>,
    pub(super) tally: RewardTotal,
    /// Why no page was read at all.
    pub(super) error: Option<ScrapeError>,
    /// The plugins of the request that stand for any tool.
    pub(super) plugins: Vec<String>,
    /// Whether the run has a memory of sites.
    pub(super) memory: bool,
    /// The result as text, once all pages are finished.
    output: Option<RenderedOutput>,
}

impl ScrapeProgress {
    /// A run of which nothing is done yet.
    pub(super) fn new(pages: usize) -> Self {
        Self {
            results: vec![None; pages],
            tally: RewardTotal::default(),
            error: None,
            plugins: Vec::new(),
            memory: false,
            output: None,
        }
    }

    /// The places of the pages that are not finished.
    pub(super) fn unfinished(&self) -> Vec<usize> {
        let open = self
            .results
            .iter()
            .enumerate()
            .filter(|(_, result)| result.is_none());
        open.map(|(index, _)| index).collect()
    }

    /// Takes in the result of a page and what was counted on the way.
    pub(super) fn finish_page(&mut self, result: PageResult, tally: &RewardTotal) {
        self.tally.join(tally);
        if let Some(place) = self.results.get_mut(result.index) {
            *place = Some(result);
        }
    }

    /// Emits a step of the run as a whole.
    ///
    /// # Errors
    /// When the run is over.
    pub(super) async fn emit(&mut self, run: &Run<ScrapeEvent>, step: ScrapeStep) -> Result<(), Cancelled> {
        self.tally.add(&step);
        run.emit(ScrapeEvent::Step { data: step }).await
    }

    /// Writes the result and emits the step that says so.
    ///
    /// # Errors
    /// When the run is over.
    pub(super) async fn write_output(
        &mut self,
        run: &Run<ScrapeEvent>,
        request: &ScrapeRequest,
    ) -> Result<(), Cancelled> {
        let output = output::render(request, &self.results);
        let detail = StepDetail::Output {
            format: output::name(request.output_format).to_owned(),
            rows: Some(u32::try_from(self.succeeded()).unwrap_or(u32::MAX)),
            bytes: Some(output.text.len() as u64),
        };
        self.output = Some(output);
        self.emit(run, ScrapeStep::completed(detail, "the result is written"))
            .await
    }

    /// The number of pages that gave something.
    fn succeeded(&self) -> usize {
        let results = self.results.iter().flatten();
        results.filter(|result| result.error.is_none()).count()
    }

    /// The response of a run that ends now. `cancelled` is why it ends early.
    pub(super) fn respond(
        self,
        id: &RunId,
        request: &ScrapeRequest,
        cancelled: Option<&Cancelled>,
        seconds: f64,
    ) -> ScrapeResponse {
        let stop = cancelled.map(|cancelled| {
            ScrapeError::new(
                error_codes::cancelled_code(cancelled),
                cancelled.to_string(),
                None,
            )
        });
        let of_pages = self
            .results
            .iter()
            .flatten()
            .filter_map(|result| result.error.clone());
        let errors: Vec<ScrapeError> = stop
            .into_iter()
            .chain(of_pages)
            .chain(self.error.clone())
            .collect();
        let status = match cancelled {
            Some(Cancelled::Requested | Cancelled::ClientGone) => ScrapeStatus::Cancelled,
            _ if self.succeeded() == 0 => ScrapeStatus::Failed,
            _ if errors.is_empty() => ScrapeStatus::Completed,
            _ => ScrapeStatus::Partial,
        };
        let files = self.results.iter().flatten().flat_map(|result| &result.files);
        let files: Vec<String> = files.map(|file| file.name.clone()).collect();
        // Of an address that was read twice the reading that gave something stays.
        let results = || self.results.iter().flatten();
        let read = results().filter(|result| result.error.is_none());
        let read: HashSet<&String> = read.map(|result| &result.url).collect();
        let data: Map<String, Value> = results()
            .filter(|result| result.error.is_none() || !read.contains(&result.url))
            .map(|result| (result.url.clone(), result.json()))
            .collect();
        let output = self
            .output
            .unwrap_or_else(|| output::render(request, &self.results));
        let unknown = unknown_plugins(&request.enable_plugins, &self.plugins);
        let warnings = output.warnings.into_iter().chain(unknown).collect();
        ScrapeResponse {
            session_id: id.clone(),
            status,
            total_steps: self.tally.steps(),
            total_reward: self.tally.reward(),
            extracted_data: data,
            duration_seconds: Num::new((seconds * 1000.0).round() / 1000.0),
            urls_processed: u32::try_from(self.results.iter().flatten().count()).unwrap_or(u32::MAX),
            errors,
            warnings,
            output: output.text,
            output_format: request.output_format,
            enabled_plugins: self.plugins,
            requested_plugins: request.enable_plugins.clone(),
            selected_agents: request.selected_agents.clone(),
            memory_enabled: self.memory,
            sandbox_artifacts: files,
            crawl: None,
        }
    }
}

/// Names the plugins of a request that stand for no tool.
fn unknown_plugins(requested: &[String], enabled: &[String]) -> Option<String> {
    let unknown = requested.iter().filter(|id| !enabled.contains(id));
    let unknown: Vec<String> = unknown.map(|id| format!("{id:?}")).collect();
    (!unknown.is_empty()).then(|| format!("enable_plugins: there is no plugin {}", unknown.join(" or ")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn of_an_address_that_is_read_twice_the_reading_that_gave_something_stays() {
        let url = "http://shop.test/".to_owned();
        let result = |index, item: Option<Value>| PageResult {
            index,
            url: url.clone(),
            error: item
                .is_none()
                .then(|| ScrapeError::new(wire::Code::Timeout, "too late", None)),
            item,
            ..PageResult::default()
        };
        let request = ScrapeRequest::new(vec![url.clone(), url.clone()], "");
        let mut progress = ScrapeProgress::new(2);
        progress.finish_page(
            result(0, Some(serde_json::json!({"title": "Tea"}))),
            &RewardTotal::default(),
        );
        progress.finish_page(result(1, None), &RewardTotal::default());
        let response = progress.respond(&RunId::parse("run-00000001").unwrap(), &request, None, 1.0);
        assert_eq!(response.extracted_data[&url]["item"]["title"], "Tea");
        assert_eq!(response.errors.len(), 1);
    }

    #[test]
    fn a_plugin_that_there_is_not_is_told() {
        let mut request = ScrapeRequest::new(vec!["http://shop.test/".into()], "");
        request.enable_plugins = vec!["extract".into(), "nope".into()];
        let mut progress = ScrapeProgress::new(1);
        progress.plugins = vec!["extract".into()];
        let response = progress.respond(&RunId::parse("run-00000001").unwrap(), &request, None, 1.0);
        assert_eq!(response.warnings, ["enable_plugins: there is no plugin \"nope\""]);
    }
}
