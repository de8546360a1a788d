//! Which links of good pages are worth reading?

use std::collections::HashSet;

use url::Url;
use wire::research::{Activity, FollowingEnd, FollowingStart, Rating, ResearchEvent, UrlSource};

use super::{analyze, number, read_all, samples, take};
use crate::research::desk::{Desk, Halt};
use crate::research::notebook::{Candidate, Notebook};
use crate::research::twins;
use crate::research::words::terms;

/// How far from a search result links are followed.
const DEPTH: u32 = 2;

pub(crate) async fn run(desk: &Desk<'_>, book: &mut Notebook, iteration: u32) -> Result<(), Halt> {
    let links = worth(book, desk.effort.follows);
    if links.is_empty() || desk.spent().is_some() {
        return Ok(());
    }
    let start = ResearchEvent::FollowingStart(FollowingStart {
        message: format!("Following {} link(s)", links.len()),
        iteration,
        link_count: number(links.len()),
    });
    let part = async {
        book.known.extend(links.iter().map(|link| net::canonical(&link.url)));
        let reads = read_all(desk, &links).await?;
        let (fresh, failures) = take(book, &links, reads);
        let unread = analyze::judge(desk, book, &fresh).await?;
        (book.copies, book.disputes) = twins::find(&book.sources);
        let told = samples(book, &fresh);
        Ok((fresh.len(), failures + unread, told))
    };
    desk.phase(Activity::Following, start, part, |done| {
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
fn worth(book: &Notebook, most: usize) -> Vec<Candidate> {
    let mut wanted: HashSet<String> = terms(&book.whole_question()).into_iter().collect();
    if let Some(last) = book.evaluations.last() {
        wanted.extend(terms(&last.gap_description));
    }
    let good = |it: &&crate::research::notebook::Source| {
        it.depth < DEPTH
            && it
                .reading
                .as_ref()
                .is_some_and(|reading| reading.relevance >= Rating::Medium)
    };
    let mut found: Vec<Candidate> = Vec::new();
    let mut seen: HashSet<String> = HashSet::new();
    for source in book.sources.iter().filter(good) {
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
            if book.known.contains(&address) || !seen.insert(address) {
                continue;
            }
            found.push(Candidate {
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
