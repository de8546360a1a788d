//! Where are pages about this? Several queries at once, each page once.

use futures_util::future::BoxFuture;
use search::Hit;
use wire::Code;
use wire::research::{Activity, ResearchEvent, SearchingEnd, SearchingStart, UrlSource};

use super::{in_order, number};
use crate::research::desk::{Desk, Halt, failed};
use crate::research::notebook::{Candidate, Notebook};

/// How much the first places of a list count over the others (reciprocal rank fusion).
const FUSION: f64 = 20.0;

pub(crate) async fn run(
    desk: &Desk<'_>,
    book: &mut Notebook,
    iteration: u32,
    queries: &[String],
) -> Result<(), Halt> {
    let start = ResearchEvent::SearchingStart(SearchingStart {
        message: format!("Searching for {}", queries.join("; ")),
        iteration,
        queries: queries.to_vec(),
    });
    let part = search(desk, book, queries);
    let (_, _, failure) = desk
        .phase(Activity::Searching, start, part, |done| {
            let (found, fresh, failure) = done.cloned().unwrap_or_default();
            let why = failure.map(|failure| format!("; {failure}")).unwrap_or_default();
            ResearchEvent::SearchingEnd(SearchingEnd {
                message: format!("{found} page(s) found, {fresh} of them new{why}"),
                iteration,
                urls_found: number(found),
                urls_new: number(fresh),
            })
        })
        .await?;
    // A search that failed is no end while there is something to write from.
    match failure {
        Some(why)
            if book.candidates.is_empty() && !book.progress.sources && desk.services.search.is_some() =>
        {
            Err(failed(Code::SearchFailed, why))
        }
        Some(why) => {
            let note = format!("Not every search worked: {why}.");
            if desk.services.search.is_some() && !book.notes.contains(&note) {
                book.notes.push(note);
            }
            Ok(())
        }
        None => Ok(()),
    }
}

type Outcome = (usize, usize, Option<String>);

async fn search(desk: &Desk<'_>, book: &mut Notebook, queries: &[String]) -> Result<Outcome, Halt> {
    let mut work: Vec<BoxFuture<'_, _>> = Vec::new();
    for query in queries {
        work.push(Box::pin(desk.search(query)));
    }
    let outcomes = in_order(desk.effort.at_once, work).await;
    let (mut found, mut fresh, mut failure) = (0, 0, None);
    for (query, outcome) in queries.iter().zip(outcomes) {
        match outcome? {
            Ok(hits) => {
                for (rank, hit) in hits.into_iter().enumerate() {
                    found += 1;
                    fresh += usize::from(note(book, hit, query, rank));
                }
            }
            Err(why) => failure = Some(why),
        }
    }
    book.candidates.sort_by(|a, b| b.score.total_cmp(&a.score));
    Ok((found, fresh, failure))
}

/// Adds a hit to what may be read; says whether it was not known before.
fn note(book: &mut Notebook, hit: Hit, query: &str, rank: usize) -> bool {
    let address = net::canonical(&hit.url);
    let score = 1.0 / (FUSION + f64::from(super::number(rank)));
    if let Some(known) = book
        .candidates
        .iter_mut()
        .find(|candidate| net::canonical(&candidate.url) == address)
    {
        known.score += score;
        if !known.queries.iter().any(|it| it == query) {
            known.queries.push(query.to_owned());
        }
        return false;
    }
    if !book.known.insert(address) {
        let source = book.sources.iter_mut().find(|source| source.url == hit.url.as_str());
        if let Some(source) = source.filter(|it| !it.queries.iter().any(|it| it == query)) {
            source.queries.push(query.to_owned());
        }
        return false;
    }
    book.candidates.push(Candidate {
        url: hit.url,
        title: hit.title,
        found: UrlSource::SearchResult,
        queries: vec![query.to_owned()],
        text: hit.text,
        score,
        depth: 0,
        parent: None,
    });
    true
}
