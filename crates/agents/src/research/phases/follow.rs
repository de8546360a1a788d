//! The following phase: reads pages that relevant sources link to.

use std::collections::HashSet;

use url::Url;
use wire::research::{Activity, FollowingEnd, FollowingStart, Rating, ResearchEvent, UrlSource};

use super::{analyze, number, read_all, samples, take};
use crate::research::context::ResearchContext;
use crate::research::near_duplicates;
use crate::research::state::{PageCandidate, ResearchState};
use crate::research::text::terms;
use crate::run_error::RunError;

/// How far from a search result links are followed.
const DEPTH: u32 = 2;

pub(crate) async fn run(
    context: &ResearchContext<'_>,
    state: &mut ResearchState,
    iteration: u32,
) -> Result<(), RunError> {
    let links = relevant_sources(state, context.effort.follows);
    if links.is_empty() || context.spent().is_some() {
        return Ok(());
    }
    let start = ResearchEvent::FollowingStart(FollowingStart {
        message: format!("Following {} link(s)", links.len()),
        iteration,
        link_count: number(links.len()),
    });
    let part = async {
        state
            .known
            .extend(links.iter().map(|link| net::canonical(&link.url)));
        let reads = read_all(context, &links).await?;
        let (fresh, failures) = take(state, &links, reads);
        let unread = analyze::judge(context, state, &fresh).await?;
        (state.copies, state.conflicts) = near_duplicates::find(&state.sources);
        let told = samples(state, &fresh);
        Ok((fresh.len(), failures + unread, told))
    };
    context
        .phase(Activity::Following, start, part, |done| {
            let (followed, failures, samples) = done.cloned().unwrap_or_default();
            ResearchEvent::FollowingEnd(FollowingEnd {
                message: format!("{followed} link(s) read, {failures} could not be"),
                iteration,
                followed: number(followed),
                failed: number(failures),
                samples,
            })
        })
        .await?;
    Ok(())
}

/// Links of relevant pages whose words speak of what is asked, best first.
fn relevant_sources(state: &ResearchState, most: usize) -> Vec<PageCandidate> {
    let mut wanted: HashSet<String> = terms(&state.full_question()).into_iter().collect();
    if let Some(last) = state.evaluations.last() {
        wanted.extend(terms(&last.gap_description));
    }
    let supporting = |source: &&crate::research::state::ResearchSource| {
        source.depth < DEPTH
            && source
                .reading
                .as_ref()
                .is_some_and(|reading| reading.relevance >= Rating::Medium)
    };
    let mut found: Vec<PageCandidate> = Vec::new();
    let mut seen: HashSet<String> = HashSet::new();
    for source in state.sources.iter().filter(supporting) {
        for link in &source.links {
            let Ok(url) = link.url.parse::<Url>() else {
                continue;
            };
            let address = net::canonical(&url);
            let words: HashSet<String> = terms(&link.words).into_iter().collect();
            let shared = words.intersection(&wanted).count();
            if shared < 2 && !(shared == 1 && words.len() <= 2) {
                continue;
            }
            if state.known.contains(&address) || !seen.insert(address) {
                continue;
            }
            found.push(PageCandidate {
                url,
                title: link.words.clone(),
                found: UrlSource::ExtractedLink,
                queries: source.queries.clone(),
                text: None,
                score: f64::from(number(shared)),
                depth: source.depth + 1,
                parent: Some(source.url.clone()),
            });
        }
    }
    found.sort_by(|a, b| b.score.total_cmp(&a.score));
    found.truncate(most);
    found
}
