//! StepEmitter: the steps of one page, counted as they are emitted.

use browser::Visit;
use tokio::time::Instant;
use url::Url;
use wire::scrape::{RewardTotal, ScrapeEvent, ScrapeStep, StepDetail, StepStatus};

use crate::cancel::Cancelled;
use crate::run::Run;
use crate::run_error::RunError;
use crate::scrape::address;

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
    /// Where redirects of the address led; none where there were none.
    pub(crate) final_url: Option<String>,
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
        self.final_url = None;
        let opening = format!("opening {}", self.url);
        self.emit(ScrapeStep::running(detail(None), opening)).await?;
        let started = Instant::now();
        match self.run.until_cancelled(navigation).await? {
            Ok((visit, opened)) => {
                self.final_url = final_address(&self.url, &visit.url);
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

/// The address at which a page was read, where it is another one than that which was asked for. Parts behind `#` do not count.
fn final_address(asked: &str, read: &Url) -> Option<String> {
    let without_fragment = |url: &Url| {
        let mut url = url.clone();
        url.set_fragment(None);
        url
    };
    let asked = address::address(asked).ok()?;
    (without_fragment(&asked) != without_fragment(read)).then(|| read.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_another_address_is_a_final_one() {
        let of = |asked: &str, read: &str| final_address(asked, &Url::parse(read).unwrap());
        assert_eq!(of("http://a.example", "http://a.example/"), None);
        assert_eq!(of("http://a.example/x#one", "http://a.example/x"), None);
        assert_eq!(
            of("http://a.example/x", "http://a.example/y?z=1#two").as_deref(),
            Some("http://a.example/y?z=1#two")
        );
    }
}
