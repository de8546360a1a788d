//! Scrolling of lists that load more while scrolling.

use std::time::Duration;

use browser::{Action, Capability, NotCapable};
use extract::rules::{pagination, rows, visible_page::VisiblePage};
use page::Page;
use page::dom::Selector;
use serde::{Deserialize, Serialize};
use tokio::time::Instant;

use crate::controls::element::{parse_selector, select_all, select_first};
use crate::controls::interaction;
use crate::{Error, Tool, ToolContext};

/// The tool `navigation.scroll_load`.
pub struct NavigationScrollLoad;

#[derive(Deserialize, schemars::JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Params {
    times: u64,
    wait_ms: u64,
    direction: String,
    wait_for_selector: Option<String>,
    until: Option<ItemTarget>,
    stop_when_stable: bool,
}

/// The number of items to reach.
#[derive(Deserialize, schemars::JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ItemTarget {
    /// Fewest items.
    min_items: usize,
    /// Selector of the items; the largest list of the page when absent.
    selector: Option<String>,
}

#[derive(Serialize)]
pub struct Output {
    success: bool,
    scrolls_performed: u64,
    final_scroll_y: Option<f64>,
    direction: String,
    items_before: usize,
    items_after: usize,
    reached_end: bool,
}

/// CSS pixels, more than any page has: each scroll goes to the end of what is there now.
const FAR: f64 = 1_000_000.0;
/// The time after which no further scroll is begun. The timeout of the manifest leaves room for the last one.
const MOST_TIME: Duration = Duration::from_secs(120);
/// Scrolls without change after which a list counts as complete.
const STABLE: u64 = 2;

impl Tool for NavigationScrollLoad {
    type Params = Params;
    type Output = Output;

    async fn run(&self, params: Params, context: &mut ToolContext) -> Result<Output, Error> {
        let counter = ItemCounter::new(&params)?;
        let awaited = params.wait_for_selector.as_deref();
        let awaited = awaited
            .map(|css| parse_selector("wait_for_selector", css))
            .transpose()?;
        let is_there = |page: &Page| match &awaited {
            Some(wanted) => {
                let found = select_first("wait_for_selector", page.dom().root(), wanted)?;
                Ok::<_, Error>(found.is_some())
            }
            None => Ok(false),
        };
        let mut page = context.page().await?;
        let items_before = counter.count(&page)?;
        let mut items = items_before;
        if let Err(missing) = context.tab().await?.can(Capability::Scroll) {
            return without_scrolling(context, &page, params, items_before, missing);
        }
        let (mut scrolls, mut unchanged, mut scroll_y) = (0, 0, None);
        let deadline = Instant::now() + MOST_TIME;
        while scrolls < params.times && !params.has_enough(items) && Instant::now() < deadline {
            match context.act(&params.scroll()).await {
                Ok(outcome) => scroll_y = scroll_position(&outcome.notes).or(scroll_y),
                Err(Error::Web(browser::Error::NotCapable(missing))) => {
                    return without_scrolling(context, &page, params, items_before, missing);
                }
                Err(error) => return Err(error),
            }
            scrolls += 1;
            interaction::wait_until_quiet(context, params.wait_after(scrolls)).await?;
            let scrolled = context.page().await?;
            items = counter.count(&scrolled)?;
            let has_grown = scrolled.dom().len() != page.dom().len();
            unchanged = if has_grown { 0 } else { unchanged + 1 };
            page = scrolled;
            if is_there(&page)? || (params.stop_when_stable && unchanged >= STABLE) {
                break;
            }
        }
        if awaited.is_some() && !is_there(&page)? {
            return Err(Error::NotFound(format!(
                "after {scrolls} scrolls nothing matches wait_for_selector"
            )));
        }
        if params.until.is_some() && !params.has_enough(items) {
            context.warn(format!("there are {items} items, fewer than asked for"));
        }
        Ok(Output {
            success: true,
            scrolls_performed: scrolls,
            final_scroll_y: scroll_y,
            direction: params.direction,
            items_before,
            items_after: items,
            reached_end: unchanged > 0,
        })
    }
}

impl Params {
    fn has_enough(&self, items: usize) -> bool {
        self.until
            .as_ref()
            .is_some_and(|target| items >= target.min_items)
    }

    /// A scroll to the end of what is there now.
    fn scroll(&self) -> Action {
        Action::Scroll {
            target: None,
            right: 0.0,
            down: if self.direction == "up" { -FAR } else { FAR },
        }
    }

    /// The wait in milliseconds after the scroll with this number; the first load takes longer.
    fn wait_after(&self, scrolls: u64) -> u64 {
        if scrolls == 1 {
            self.wait_ms * 3 / 2
        } else {
            self.wait_ms
        }
    }
}

/// Counts the items of the list: elements of a selector, else the entries of the page's list.
struct ItemCounter(Option<Selector>);

impl ItemCounter {
    fn new(params: &Params) -> Result<ItemCounter, Error> {
        let css = params
            .until
            .as_ref()
            .and_then(|target| target.selector.as_deref());
        Ok(ItemCounter(
            css.map(|css| parse_selector("until", css)).transpose()?,
        ))
    }

    fn count(&self, page: &Page) -> Result<usize, Error> {
        Ok(match &self.0 {
            Some(selector) => select_all("until", page.dom().root(), selector)?.len(),
            None => rows::read(&VisiblePage::of(page)).len(),
        })
    }
}

/// The scroll position that the engine reports, in CSS pixels from the top of the page.
fn scroll_position(notes: &[String]) -> Option<f64> {
    let position = notes.iter().find_map(|it| it.strip_prefix("scrolled to "))?;
    position.split(' ').next()?.parse().ok()
}

/// The result on an engine that cannot scroll: complete when the page has no scripts and no further page.
fn without_scrolling(
    context: &mut ToolContext,
    page: &Page,
    params: Params,
    items: usize,
    missing: NotCapable,
) -> Result<Output, Error> {
    let advice = if pagination::links(page).onward().is_some() {
        Some("the list goes on at another address; use navigation.pagination, or the chromium engine")
    } else if interaction::has_own_scripts(page) {
        Some("the page has scripts that may load more; use the chromium engine")
    } else {
        None
    };
    if let Some(advice) = advice {
        return Err(Error::Web(browser::Error::NotCapable(NotCapable {
            advice,
            ..missing
        })));
    }
    context
        .warn("the page has no scripts, so that scrolling cannot load anything; it is complete as it came");
    Ok(Output {
        success: true,
        scrolls_performed: 0,
        final_scroll_y: None,
        direction: params.direction,
        items_before: items,
        items_after: items,
        reached_end: true,
    })
}
