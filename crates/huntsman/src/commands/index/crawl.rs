//! Crawls a host into the local index, as its robots.txt allows.

use std::collections::{HashSet, VecDeque};

use anyhow::Context as _;
use browser::fetch::{FetchedBody, fetch};
use net::{Request, RobotsMode};
use page::Page;
use runtime::config::Config;
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
    let (mut read, mut skipped) = (0, 0);
    while let Some(url) = open.pop_front() {
        if read >= most {
            break;
        }
        let mut request = Request::get(url.clone());
        // The host on the command line may be reached even when it is not public; robots.txt still holds.
        request.granted = url.host_str() == start.host_str();
        request.robots = RobotsMode::Obey;
        let Ok(fetched) = fetch(&client, request).await else {
            skipped += 1;
            continue;
        };
        let same_host = fetched.visit.url.host_str() == start.host_str();
        let FetchedBody::Page(page) = fetched.body else {
            skipped += 1;
            continue;
        };
        if !fetched.visit.is_ok() || !same_host {
            skipped += 1;
            continue;
        }
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
            None => skipped += 1,
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

fn links(page: &Page) -> Vec<Url> {
    let links = page::links::links(page).into_iter().map(|link| link.url);
    links
        .filter(|url| matches!(url.scheme(), "http" | "https"))
        .collect()
}
