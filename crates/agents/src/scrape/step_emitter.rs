//! StepEmitter: the steps of one page, counted as they are emitted.

use browser::Visit;
use tokio::time::Instant;
use wire::scrape::{RewardTotal, ScrapeEvent, ScrapeStep, StepDetail};

use crate::cancel::Cancelled;
use crate::run::Run;
use crate::run_error::RunError;

/// Emits the steps of one page.
pub(super) struct StepEmitter<'a> {
    pub(super) run: &'a Run<ScrapeEvent>,
    /// The page's place in the request's list.
    pub(super) index: usize,
    /// The asset as the client named it.
    pub(super) url: String,
    pub(super) tally: RewardTotal,
}

impl StepEmitter<'_> {
    /// Emits a step of this page.
    ///
    /// # Errors
    /// When the run is over.
    pub(super) async fn emit(&mut self, step: ScrapeStep) -> Result<(), Cancelled> {
        let step = step.on(self.url.clone());
        self.tally.add(&step);
        self.run.emit(ScrapeEvent::Step { data: step }).await
    }

    /// Emits the steps around a navigation: that it begins, and how it went.
    ///
    /// # Errors
    /// When the run is over, or the page could not be opened.
    pub(super) async fn navigate<T>(
        &mut self,
        engine: &str,
        navigation: impl Future<Output = Result<(Visit, T), browser::Error>>,
    ) -> Result<(Visit, T), RunError> {
        let detail = |visit: Option<&Visit>| StepDetail::Navigate {
            final_url: visit.map(|visit| visit.url.to_string()),
            http_status: visit.and_then(|visit| visit.status),
            title: visit.map(|visit| visit.title.clone()),
            engine: engine.to_owned(),
        };
        let opening = format!("opening {}", self.url);
        self.emit(ScrapeStep::running(detail(None), opening)).await?;
        let started = Instant::now();
        match self.run.until_cancelled(navigation).await? {
            Ok((visit, opened)) => {
                let step = ScrapeStep::completed(detail(Some(&visit)), format!("opened {}", visit.url));
                self.emit(step.took(started.elapsed())).await?;
                Ok((visit, opened))
            }
            Err(error) => {
                let step = ScrapeStep::failed(detail(None), error.to_string());
                self.emit(step.took(started.elapsed())).await?;
                Err(error.into())
            }
        }
    }
}
