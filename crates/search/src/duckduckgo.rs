//! DuckDuckGo's page for browsers without scripts: no key, and few requests before it asks for proof of being human.

use std::sync::Arc;

use async_trait::async_trait;
use net::{Client, Request};
use page::Page;
use page::dom::{Node, Selector};
use url::Url;

use super::ask::{Provider, plain};
use super::{Error, Found, Hit, Query, Search, Settings, tidy};

const ADDRESS: &str = "https://html.duckduckgo.com/html/";

struct DuckDuckGo(Provider);

pub(super) fn build(settings: &Settings, client: Client) -> Result<Arc<dyn Search>, Error> {
    let provider = Provider::new("duckduckgo", Some(ADDRESS), settings, client)?;
    Ok(Arc::new(DuckDuckGo(provider)))
}

#[async_trait]
impl Search for DuckDuckGo {
    fn name(&self) -> &str {
        self.0.engine
    }

    async fn search(&self, query: &Query) -> Result<Found, Error> {
        let url = self.0.address(&[("q", &query.text)]);
        let text = self.0.text(query, Request::get(url.clone()), &[]).await?;
        let page = Page::new(text, Some(url));
        let hits = hits(&page);
        let says_none = page.dom().by_tag("div").any(|it| it.has_class("no-results"));
        // Without results and without saying so, it is the page that asks for proof of being human.
        if hits.is_empty() && !says_none {
            return Err(Error::Limited { engine: "duckduckgo" });
        }
        Ok(tidy(hits, query.count))
    }
}

fn hits(page: &Page) -> Vec<Hit> {
    let Ok(links) = Selector::parse("a.result__a") else {
        return Vec::new();
    };
    page.dom()
        .select(&links)
        .filter_map(|link| hit(page, link))
        .collect()
}

fn hit(page: &Page, link: Node<'_>) -> Option<Hit> {
    let block = link
        .ancestors()
        .find(|it| it.has_class("result") || it.has_class("results_links"));
    if block.is_some_and(|it| it.has_class("result--ad")) {
        return None;
    }
    let snippet = block.and_then(|it| it.descendants().find(|it| it.has_class("result__snippet")));
    Some(Hit {
        url: target(&page.absolute(link.attr("href")?)?),
        title: plain(&link.text()),
        snippet: snippet.map(|it| plain(&it.text())).unwrap_or_default(),
        text: None,
    })
}

/// Where a link leads in the end: results pass through a redirect that names its target.
fn target(url: &Url) -> Url {
    let named = url.query_pairs().find(|(name, _)| name == "uddg");
    named
        .and_then(|(_, target)| Url::parse(&target).ok())
        .unwrap_or_else(|| url.clone())
}
