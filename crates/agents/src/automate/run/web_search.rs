//! Web search by the configured provider.

use page::quote::Quoted;
use search::SearchQuery;
use tools::agent_tool::ActionOutcome;
use url::Url;
use wire::Code;

use super::Driver;
use crate::run_error::{RunError, RunFailure};

/// Most hits that a model is shown.
const HITS: usize = 8;

impl Driver<'_> {
    pub(super) async fn web_search(&mut self, text: &str) -> Result<ActionOutcome, RunError> {
        let Some(engine) = &self.input.services.search else {
            let failure = RunFailure::new(
                Code::SearchNotConfigured,
                "no search provider is configured: set HUNTSMAN_SEARCH_PROVIDER (see docs/config.md)",
            );
            return Err(RunError::Recoverable(failure.with_model_text(
                "refused: nobody searches the web here; go to a page that the task names, or use the search of a site",
            )));
        };
        if self.secrets.within(text) {
            return Err(RunError::recoverable(
                Code::PolicyDenied,
                "refused: values of the person may not stand in a search; values are put into fields only",
            ));
        }
        let query = SearchQuery {
            cancel: self.input.run.cancel_signal().token().clone(),
            ..SearchQuery::new(text, HITS)
        };
        let found = self.input.run.until_cancelled(engine.search(&query)).await?;
        let found =
            found.map_err(|error| RunError::recoverable(Code::SearchFailed, format!("failed: {error}")))?;
        if found.hits.is_empty() {
            return Ok(ActionOutcome::told("nothing was found; try other words"));
        }
        self.grant.see_links(found.hits.iter().map(|it| it.url.clone()));
        let lines = found.hits.iter().map(|hit| {
            // A page of a site that this run may not visit is told, so that the model need not try it.
            let reached = self.grant.open(&hit.url).is_ok();
            line(&hit.url, &hit.title, &hit.snippet, reached)
        });
        let text = self.secrets.mask(&lines.collect::<Vec<_>>().join("\n"));
        self.evidence.read(&text);
        let label = self.label();
        let quoted = Quoted::new(&label, &text, 12_000);
        Ok(ActionOutcome::told(format!("Found on the web:\n{quoted}")))
    }
}

fn line(url: &Url, title: &str, snippet: &str, reached: bool) -> String {
    let note = if reached { "" } else { " (may not be visited)" };
    format!("- {url}{note}\n  {title}\n  {snippet}")
}
