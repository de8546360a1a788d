//! The prefetching phase: reads the pages that the question names.

use wire::research::{Activity, PrefetchingEnd, PrefetchingStart, ResearchEvent, UrlSource};

use super::{number, read_all, take};
use crate::research::context::ResearchContext;
use crate::research::state::{PageCandidate, ResearchState};
use crate::run_error::RunError;

/// Most pages that a question may name.
const MOST: usize = 50;

pub(crate) async fn run(context: &ResearchContext<'_>, state: &mut ResearchState) -> Result<(), RunError> {
    let candidates: Vec<PageCandidate> = state
        .named
        .iter()
        .take(MOST)
        .map(|url| PageCandidate {
            url: url.clone(),
            title: String::new(),
            found: UrlSource::UserInput,
            queries: Vec::new(),
            text: None,
            score: 0.0,
            depth: 0,
            parent: None,
        })
        .collect();
    let urls: Vec<String> = candidates
        .iter()
        .map(|candidate| candidate.url.to_string())
        .collect();
    let start = ResearchEvent::PrefetchingStart(PrefetchingStart {
        message: format!("Reading {} page(s) that the question names", urls.len()),
        url_count: number(urls.len()),
        urls,
    });
    let part = async {
        state
            .known
            .extend(candidates.iter().map(|candidate| net::canonical(&candidate.url)));
        let reads = read_all(context, &candidates).await?;
        for (candidate, read) in candidates.iter().zip(&reads) {
            if let Some((_, why)) = &read.error {
                state
                    .notes
                    .push(format!("{} could not be read: {why}.", candidate.url));
            }
        }
        let (fresh, failures) = take(state, &candidates, reads);
        Ok((fresh.len(), failures))
    };
    context
        .phase(Activity::Prefetching, start, part, |done| {
            let (fetched, failures) = done.copied().unwrap_or_default();
            ResearchEvent::PrefetchingEnd(PrefetchingEnd {
                message: format!("{fetched} page(s) read, {failures} could not be"),
                fetched: number(fetched),
                failed: number(failures),
            })
        })
        .await?;
    state.progress.unread = false;
    Ok(())
}
