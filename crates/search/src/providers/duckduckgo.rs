//! DuckDuckGo's page for browsers without scripts: no key, and a CAPTCHA after few requests.

use std::sync::Arc;

use async_trait::async_trait;
use net::{Client, Request};
use page::Page;
use page::dom::{Node, Selector};
use url::Url;

use crate::error::Error;
use crate::http_provider::{HttpProvider, plain, results};
use crate::port::{SearchHit, SearchProvider, SearchQuery, SearchResults};
use crate::settings::ProviderSettings;

const ENDPOINT: &str = "https://html.duckduckgo.com/html/";

struct DuckDuckGo(HttpProvider);

pub(super) fn build(settings: &ProviderSettings, client: Client) -> Result<Arc<dyn SearchProvider>, Error> {
    let provider = HttpProvider::new("duckduckgo", Some(ENDPOINT), settings, client)?;
    Ok(Arc::new(DuckDuckGo(provider)))
}

#[async_trait]
impl SearchProvider for DuckDuckGo {
    fn name(&self) -> &str {
        self.0.engine
    }

    async fn search(&self, query: &SearchQuery) -> Result<SearchResults, Error> {
        let url = self.0.address(&[("q", &query.text)]);
        let text = self.0.text(query, Request::get(url.clone()), &[]).await?;
        let page = Page::new(text, Some(url));
        let hits = hits(&page);
        let says_none = page.dom().by_tag("div").any(|div| div.has_class("no-results"));
        // Without results and without saying so, it is the CAPTCHA page.
        if hits.is_empty() && !says_none {
            return Err(Error::Limited { engine: "duckduckgo" });
        }
        Ok(results(hits, query.count))
    }
}

fn hits(page: &Page) -> Vec<SearchHit> {
    let Ok(links) = Selector::parse("a.result__a") else {
        return Vec::new();
    };
    page.dom()
        .select(&links)
        .filter_map(|link| hit(page, link))
        .collect()
}

fn hit(page: &Page, link: Node<'_>) -> Option<SearchHit> {
    let block = link
        .ancestors()
        .find(|node| node.has_class("result") || node.has_class("results_links"));
    if block.is_some_and(|block| block.has_class("result--ad")) {
        return None;
    }
    let snippet = block.and_then(|block| block.descendants().find(|node| node.has_class("result__snippet")));
    Some(SearchHit {
        url: target(&page.absolute(link.attr("href")?)?),
        title: plain(&link.text()),
        snippet: snippet.map(|node| plain(&node.text())).unwrap_or_default(),
        text: None,
    })
}

/// The target of a link: results pass through a redirect that names it.
fn target(url: &Url) -> Url {
    let redirect = url.query_pairs().find(|(name, _)| name == "uddg");
    redirect
        .and_then(|(_, target)| Url::parse(&target).ok())
        .unwrap_or_else(|| url.clone())
}
