//! Crawls a host into the local index, as its robots.txt allows.

use std::collections::{HashSet, VecDeque};
use std::sync::Arc;

use anyhow::Context as _;
use browser::fetch::{Fetched, FetchedBody, fetch, read_file};
use net::{Request, RobotsMode};
use page::Page;
use runtime::config::Config;
use sandbox::Sandbox;
use store::index::Index;
use url::Url;

use super::document::document;
use crate::composition;
use crate::failure::Failure;

/// Addresses remembered while a host is crawled, as a multiple of the pages read.
const AHEAD: usize = 20;

/// Reads up to `most` pages of the host of an address.
pub(super) async fn add(
    config: &Config,
    index: &Index,
    start: &Url,
    most: usize,
) -> Result<(usize, usize), Failure> {
    let client = composition::client(config, Vec::new())?;
    let origin = start.as_str();
    index
        .remove(origin)
        .context("the local index cannot be written")?;
    let mut known = HashSet::from([net::canonical(start)]);
    let mut open = VecDeque::from([start.clone()]);
    let sandbox = Sandbox::of_this_program();
    let (mut read, mut skipped) = (0, 0);
    while let Some(url) = open.pop_front() {
        if read >= most {
            break;
        }
        let mut request = Request::get(url.clone());
        // The host on the command line may be reached even when it is not public; robots.txt still holds.
        request.granted = url.host_str() == start.host_str();
        request.robots = RobotsMode::Obey;
        let page = match fetch(&client, request).await {
            Ok(fetched) => page_of(&fetched, start, sandbox.as_ref())
                .await
                .map(|page| (fetched, page)),
            Err(error) => Err(error.to_string()),
        };
        let (fetched, page) = match page {
            Ok(read) => read,
            Err(reason) => {
                note!("{url} was left out: {reason}");
                skipped += 1;
                continue;
            }
        };
        let (name, address) = (origin.to_owned(), fetched.visit.url.to_string());
        let limit = most * AHEAD;
        let reading = tokio::task::spawn_blocking(move || (document(address, &name, &page), links(&page)));
        let (document, links) = reading.await.context("reading a page failed")?;
        match document {
            Some(document) => {
                index
                    .put(&[document])
                    .map_err(|error| Failure::Work(error.into()))?;
                read += 1;
            }
            None => {
                note!("{url} was left out: it has no text");
                skipped += 1;
            }
        }
        for link in links {
            if link.host_str() == start.host_str()
                && known.len() < limit
                && known.insert(net::canonical(&link))
            {
                open.push_back(link);
            }
        }
    }
    Ok((read, skipped))
}

/// The page of what was fetched: of text, values and documents, too.
///
/// # Errors
/// Why there is none, in words.
async fn page_of(fetched: &Fetched, start: &Url, sandbox: Option<&Sandbox>) -> Result<Arc<Page>, String> {
    if fetched.visit.url.host_str() != start.host_str() {
        return Err("it redirects to another host".to_owned());
    }
    if !fetched.visit.is_ok() {
        let status = fetched.visit.status.map(|status| status.to_string());
        return Err(format!(
            "the site answered with an error {}",
            status.unwrap_or_default()
        ));
    }
    let no_text = || "it leads to a file that is no text".to_owned();
    match &fetched.body {
        FetchedBody::Page(_) | FetchedBody::Xml(_) | FetchedBody::Text(_) | FetchedBody::Json(_) => {
            Ok(fetched.page())
        }
        FetchedBody::Pdf(_) | FetchedBody::Document(_) => {
            let sandbox = sandbox.ok_or_else(|| "this program reads no documents here".to_owned())?;
            let read = read_file(sandbox, fetched)
                .await
                .map_err(|error| error.to_string())?;
            read.map(|file| file.page).ok_or_else(no_text)
        }
        FetchedBody::Binary(_) | FetchedBody::Empty => Err(no_text()),
    }
}

fn links(page: &Page) -> Vec<Url> {
    let links = page::links::links(page).into_iter().map(|link| link.url);
    links
        .filter(|url| matches!(url.scheme(), "http" | "https"))
        .collect()
}
