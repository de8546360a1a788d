//! Pagination: next links, page numbers, URL parameters, load-more buttons, scrolling.

use std::collections::HashSet;
use std::sync::Arc;
use std::time::Duration;

use browser::Action;
use page::Page;
use serde::{Deserialize, Serialize};
use tokio::time::Instant;
use url::Url;

use crate::controls::interaction;
use crate::controls::next_page::{NextPage, NextPageSearch, next_page};
use crate::{Error, Tool, ToolContext};

/// The tool `navigation.pagination`.
pub struct NavigationPagination;

#[derive(Deserialize, schemars::JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Params {
    max_pages: usize,
    next_selector: Option<String>,
    strategy: String,
    wait_ms: u64,
}

#[derive(Serialize)]
pub struct Output {
    pages_visited: usize,
    urls: Vec<String>,
    stopped_reason: String,
    strategy: Option<&'static str>,
    /// Where the list goes on with what was not read, in words that follow "the list goes on".
    goes_on: Option<String>,
}

/// The time after which no further page is begun. The timeout of the manifest leaves room for the page that is being read then.
const MOST_TIME: Duration = Duration::from_secs(240);
/// Most bytes of HTML that the pages of a walk hold together.
const MOST_BYTES: usize = 64 << 20;
/// CSS pixels, more than any page has.
const FAR: f64 = 1_000_000.0;
/// Scrolls without anything new after which a list has ended.
const STABLE: usize = 2;

/// Why a walk ended, and where the list goes on when that is known.
struct WalkEnd {
    reason: String,
    goes_on: Option<String>,
}

impl WalkEnd {
    /// The list has no further page.
    fn complete(reason: &str) -> WalkEnd {
        WalkEnd {
            reason: reason.to_owned(),
            goes_on: None,
        }
    }

    /// The list goes on with a page that was not read.
    fn early(reason: impl Into<String>, next: &NextPage) -> WalkEnd {
        WalkEnd {
            reason: reason.into(),
            goes_on: Some(next.place()),
        }
    }
}

/// The walk through the pages of a list.
struct Walk<'p> {
    params: &'p Params,
    /// The pages that were read, the present one last.
    pages: Vec<Arc<Page>>,
    urls: Vec<String>,
    seen: HashSet<String>,
    used: Option<&'static str>,
}

impl Tool for NavigationPagination {
    type Params = Params;
    type Output = Output;

    async fn run(&self, params: Params, context: &mut ToolContext) -> Result<Output, Error> {
        let urls: Vec<String> = context.url().iter().map(Url::to_string).collect();
        let mut walk = Walk {
            params: &params,
            pages: vec![context.page().await?],
            seen: context.url().iter().map(|url| address_of(url, context)).collect(),
            urls,
            used: None,
        };
        let end = walk.walk_on(context).await?;
        let output = Output {
            pages_visited: walk.urls.len(),
            urls: walk.urls,
            stopped_reason: end.reason,
            strategy: walk.used,
            goes_on: end.goes_on,
        };
        context.keep_walk(walk.pages);
        Ok(output)
    }
}

impl Walk<'_> {
    /// Goes from page to page until there is none, or a bound is reached.
    async fn walk_on(&mut self, context: &mut ToolContext) -> Result<WalkEnd, Error> {
        let deadline = Instant::now() + MOST_TIME;
        let search = NextPageSearch {
            selector: self.params.next_selector.as_deref(),
            strategy: &self.params.strategy,
        };
        loop {
            let Some(now) = self.pages.last().cloned() else {
                return Ok(WalkEnd::complete("no_page"));
            };
            let Some(next) = next_page(context, &now, &search, self.urls.len(), self.used).await? else {
                return Ok(WalkEnd::complete("last_page"));
            };
            let is_seen = match &next {
                NextPage::Visit(url, _) => !self.seen.insert(address_of(url, context)),
                NextPage::Click(..) | NextPage::Scroll => false,
            };
            if is_seen {
                return Ok(WalkEnd::complete("loop"));
            }
            // A page that may grow by scrolling is known to go on only when it did.
            let goes_on = !matches!(next, NextPage::Scroll) || self.used.is_some();
            if let Some(bound) = self.bound(deadline) {
                return Ok(match goes_on {
                    true => WalkEnd::early(bound, &next),
                    false => WalkEnd::complete(bound),
                });
            }
            let end = match &next {
                NextPage::Visit(url, strategy) => self.visit(context, &now, url, strategy, &next).await?,
                NextPage::Click(target, strategy, _) => {
                    self.click(context, &now, *target, strategy, &next).await?
                }
                NextPage::Scroll => self.scroll(context, &now).await?,
            };
            if let Some(end) = end {
                return Ok(end);
            }
            self.urls
                .push(context.url().map(|url| url.to_string()).unwrap_or_default());
        }
    }

    /// The bound that ends the walk before the next page.
    fn bound(&self, deadline: Instant) -> Option<&'static str> {
        let bytes: usize = self.pages.iter().map(|page| page.html().len()).sum();
        if self.urls.len() >= self.params.max_pages {
            Some("max_pages")
        } else if Instant::now() >= deadline {
            Some("time")
        } else if bytes >= MOST_BYTES {
            Some("size")
        } else {
            None
        }
    }

    /// Goes to the address of the next page; the end of the walk when there is no such page.
    async fn visit(
        &mut self,
        context: &mut ToolContext,
        now: &Page,
        url: &Url,
        strategy: &'static str,
        next: &NextPage,
    ) -> Result<Option<WalkEnd>, Error> {
        let back = context.url();
        let visited = match context.goto(url).await {
            Ok(visit) => context.page().await.map(|page| (visit, page)),
            Err(error) => Err(error),
        };
        let (visit, page) = match visited {
            Ok(visited) => visited,
            // What was read before stays.
            Err(error) if self.urls.len() > 1 => {
                context.warn(format!("the page {url} could not be read: {error}"));
                self.go_back(context, back).await?;
                return Ok(Some(WalkEnd::early("failed", next)));
            }
            Err(error) => return Err(error),
        };
        // The address may lead on to one that was read.
        let address = address_of(&visit.url, context);
        if address != address_of(url, context) && !self.seen.insert(address) {
            self.go_back(context, back).await?;
            return Ok(Some(WalkEnd::complete("loop")));
        }
        // Beyond the last page an address answers with nothing, or with a page that was seen.
        let is_guess = strategy == "url_param";
        let end = match visit.is_ok() {
            true if is_guess && (is_same(now, &page) || is_bare(now, &page)) => {
                Some(WalkEnd::complete("last_page"))
            }
            true => None,
            false => {
                let status = visit.status.unwrap_or_default();
                let reason = format!("status {status}");
                Some(match is_guess && matches!(status, 400 | 404 | 410 | 416) {
                    true => WalkEnd::complete(&reason),
                    false => WalkEnd::early(reason, next),
                })
            }
        };
        if end.is_some() {
            self.go_back(context, back).await?;
            return Ok(end);
        }
        self.pages.push(page);
        self.used = Some(strategy);
        Ok(None)
    }

    async fn go_back(&self, context: &mut ToolContext, back: Option<Url>) -> Result<(), Error> {
        if let Some(back) = back {
            context.goto(&back).await?;
        }
        Ok(())
    }

    /// Clicks on what leads on; the end of the walk when nothing came of it.
    async fn click(
        &mut self,
        context: &mut ToolContext,
        now: &Page,
        target: browser::Ref,
        strategy: &'static str,
        next: &NextPage,
    ) -> Result<Option<WalkEnd>, Error> {
        let back = context.url();
        match interaction::click_ref(context, target).await {
            Ok(()) => {}
            Err(Error::Web(browser::Error::NotCapable(missing))) if self.urls.len() > 1 => {
                context.warn(missing.to_string());
                return Ok(Some(WalkEnd::early("needs_scripts", next)));
            }
            Err(error) if self.urls.len() > 1 => {
                context.warn(error.to_string());
                return Ok(Some(WalkEnd::early("failed", next)));
            }
            Err(error) => return Err(error),
        }
        interaction::wait_until_quiet(context, self.params.wait_ms).await?;
        let page = context.page().await?;
        if is_same(now, &page) {
            // Many a button stays when everything is there; one that never did anything may not have worked.
            return Ok(Some(match self.used.is_some() {
                true => WalkEnd::complete("no_change"),
                false => WalkEnd::early("no_change", next),
            }));
        }
        let came_to = context.url().filter(|url| Some(url) != back.as_ref());
        let is_known_address = came_to
            .as_ref()
            .is_some_and(|url| !self.seen.insert(address_of(url, context)));
        if is_known_address || self.pages.iter().any(|earlier| is_same(earlier, &page)) {
            self.go_back(context, back.filter(|_| came_to.is_some())).await?;
            return Ok(Some(WalkEnd::complete("loop")));
        }
        // What grows in place is one page.
        if strategy == "load_more" && page.dom().len() > now.dom().len() {
            self.pages.pop();
        }
        self.pages.push(page);
        self.used = Some(strategy);
        Ok(None)
    }

    /// Scrolls to the end of the page; the end of the walk when the page stays as it is.
    async fn scroll(&mut self, context: &mut ToolContext, now: &Page) -> Result<Option<WalkEnd>, Error> {
        let scroll = Action::Scroll {
            target: None,
            right: 0.0,
            down: FAR,
        };
        for _ in 0..STABLE {
            context.act(&scroll).await?;
            interaction::wait_until_quiet(context, self.params.wait_ms).await?;
            let page = context.page().await?;
            if page.dom().len() > now.dom().len() {
                self.pages.pop();
                self.pages.push(page);
                self.used = Some("scroll");
                return Ok(None);
            }
        }
        Ok(Some(WalkEnd::complete("last_page")))
    }
}

/// An address as that of a page that was read. A part behind `#` names another page only where scripts may show one.
fn address_of(url: &Url, context: &ToolContext) -> String {
    let mut url = url.clone();
    if context.lacks_scripts() {
        url.set_fragment(None);
    }
    url.to_string()
}

fn is_same(before: &Page, after: &Page) -> bool {
    let text = |page: &Page| page.dom().body().map(|it| it.text()).unwrap_or_default();
    before.dom().len() == after.dom().len() && text(before) == text(after)
}

/// Whether a page has lost nearly all of what the page before had.
fn is_bare(before: &Page, after: &Page) -> bool {
    after.dom().len() * 3 < before.dom().len()
}
