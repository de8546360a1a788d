//! Looking for pages, by whoever searches the web for this house.

use page::quote::Quoted;
use search::Query;
use url::Url;

use super::Driver;
use crate::automate::act::{Done, Fault};
use crate::cancel::Cancelled;

/// Most hits that a model is shown.
const HITS: usize = 8;

impl Driver<'_> {
    pub(super) async fn web_search(&mut self, text: &str) -> Result<Result<Done, Fault>, Cancelled> {
        let Some(engine) = &self.brief.services.search else {
            let mut fault = Fault::plain(
                "refused: nobody searches the web here; go to a page that the task names, or use the search of a site",
            );
            fault.shown =
                "no search provider is configured: set HUNTSMAN_SEARCH_PROVIDER (see docs/config.md)"
                    .to_owned();
            return Ok(Err(fault));
        };
        if self.secrets.within(text) {
            return Ok(Err(Fault::plain(
                "refused: values of the person may not stand in a search; values are put into fields only",
            )));
        }
        let query = Query {
            cancel: self.brief.run.cancel_signal().token().clone(),
            ..Query::new(text, HITS)
        };
        let found = match self.brief.run.until_cancelled(engine.search(&query)).await? {
            Ok(found) => found,
            Err(it) => return Ok(Err(Fault::plain(format!("failed: {it}")))),
        };
        if found.hits.is_empty() {
            return Ok(Ok(Done {
                text: "nothing was found; try other words".to_owned(),
                ..Done::default()
            }));
        }
        self.grant.see(found.hits.iter().map(|it| it.url.clone()));
        let lines = found.hits.iter().map(|it| {
            // A page of a site that this run may not visit is told, so that the model need not try it.
            let reached = self.grant.reaches(&it.url).is_ok();
            line(&it.url, &it.title, &it.snippet, reached)
        });
        let text = self.secrets.mask(&lines.collect::<Vec<_>>().join("\n"));
        self.evidence.read(&text);
        let label = self.label();
        Ok(Ok(Done {
            text: format!("Found on the web:\n{}", Quoted::new(&label, &text, 12_000)),
            ..Done::default()
        }))
    }
}

fn line(url: &Url, title: &str, snippet: &str, reached: bool) -> String {
    let note = if reached { "" } else { " (may not be visited)" };
    format!("- {url}{note}\n  {title}\n  {snippet}")
}
