//! StepEmitter: the steps of one page, counted as they are emitted.

use browser::Visit;
use tokio::time::Instant;
use wire::scrape::{RewardTotal, ScrapeEvent, ScrapeStep, StepDetail, StepStatus};

use crate::cancel::Cancelled;
use crate::run::Run;
use crate::run_error::RunError;

/// Emits the steps of one page.
pub(crate) struct StepEmitter<'a> {
    pub(crate) run: &'a Run<ScrapeEvent>,
    /// The page's place in the request's list.
    pub(crate) index: usize,
    /// The asset as the client named it.
    pub(crate) url: String,
    pub(crate) tally: RewardTotal,
    /// Whether steps are left out that only say that something begins: of thousands of pages they say little.
    pub(crate) quiet: bool,
}

impl StepEmitter<'_> {
    /// Emits a step of this page.
    ///
    /// # Errors
    /// When the run is over.
    pub(crate) async fn emit(&mut self, step: ScrapeStep) -> Result<(), Cancelled> {
        if self.quiet && step.status == StepStatus::Running {
            return Ok(());
        }
        let step = step.on(self.url.clone());
        self.tally.add(&step);
        self.run.emit(ScrapeEvent::Step { data: step }).await
    }

    /// Emits the steps around a navigation: that it begins, and how it went.
    ///
    /// # Errors
    /// When the run is over, or the page could not be opened.
    pub(crate) async fn navigate<T>(
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
