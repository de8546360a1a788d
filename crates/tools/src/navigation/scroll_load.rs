//! Scrolling until a list has loaded what it loads by scrolling.

use browser::{Action, Capability, NotCapable};
use extract::rules::{pages, records};
use page::Page;
use serde::{Deserialize, Serialize};

use crate::{Error, Tool, ToolContext, drive};

/// The tool `navigation.scroll_load`.
pub struct ScrollLoad;

/// Its parameters.
#[derive(Deserialize, schemars::JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Params {
    times: u64,
    wait_ms: u64,
    direction: String,
    wait_for_selector: Option<String>,
    until: Option<Until>,
    stop_when_stable: bool,
}

/// When it is enough.
#[derive(Deserialize, schemars::JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Until {
    /// As many as this.
    min_items: usize,
    /// Of the elements that this matches.
    selector: Option<String>,
}

/// What it gives.
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

/// Further than any page: each scroll goes to the end of what is there now.
const FAR: f64 = 1_000_000.0;
/// Scrolls without anything new that make a list stable.
const STABLE: u64 = 2;

impl Tool for ScrollLoad {
    type Params = Params;
    type Output = Output;

    async fn run(&self, params: Params, context: &mut ToolContext) -> Result<Output, Error> {
        let counted = params.until.as_ref().and_then(|it| it.selector.as_deref());
        let selector = counted
            .map(|it| crate::element::selector("until", it))
            .transpose()?;
        let awaited = params
            .wait_for_selector
            .as_deref()
            .map(|it| crate::element::selector("wait_for_selector", it))
            .transpose()?;
        let count = |page: &Page| match &selector {
            Some(selector) => page.dom().select(selector).count(),
            None => records::find(page)
                .iter()
                .map(|it| it.records.len())
                .max()
                .unwrap_or(0),
        };
        let first = context.page().await?;
        let items_before = count(&first);
        if let Err(missing) = context.tab().await?.can(Capability::Scroll) {
            return without_scrolling(context, &first, params, items_before, missing);
        }
        let down = if params.direction == "up" { -FAR } else { FAR };
        let (mut scrolls, mut stable, mut now, mut items) = (0, 0, first, items_before);
        let mut place = None;
        let enough = |items: usize| params.until.as_ref().is_some_and(|it| items >= it.min_items);
        while scrolls < params.times && !enough(items) {
            match context
                .act(&Action::Scroll {
                    target: None,
                    right: 0.0,
                    down,
                })
                .await
            {
                Ok(outcome) => place = place_of(&outcome.notes).or(place),
                Err(Error::Web(browser::Error::NotCapable(missing))) => {
                    return without_scrolling(context, &now, params, items_before, missing);
                }
                Err(error) => return Err(error),
            }
            scrolls += 1;
            drive::settle(
                context,
                if scrolls == 1 {
                    params.wait_ms * 3 / 2
                } else {
                    params.wait_ms
                },
            )
            .await?;
            let page = context.page().await?;
            items = count(&page);
            stable = if page.dom().len() == now.dom().len() {
                stable + 1
            } else {
                0
            };
            now = page;
            if awaited
                .as_ref()
                .is_some_and(|it| now.dom().select(it).next().is_some())
                || (params.stop_when_stable && stable >= STABLE)
            {
                break;
            }
        }
        if let Some(awaited) = awaited
            && now.dom().select(&awaited).next().is_none()
        {
            return Err(Error::NotFound(format!(
                "after {scrolls} scrolls nothing matches wait_for_selector"
            )));
        }
        if params.until.is_some() && !enough(items) {
            context.warn(format!("there are {items} items, fewer than asked for"));
        }
        Ok(Output {
            success: true,
            scrolls_performed: scrolls,
            final_scroll_y: place,
            direction: params.direction,
            items_before,
            items_after: items,
            reached_end: stable > 0,
        })
    }
}

/// Where the engine says that the page stands now, in CSS pixels from its top.
fn place_of(notes: &[String]) -> Option<f64> {
    let told = notes.iter().find_map(|it| it.strip_prefix("scrolled to "))?;
    told.split(' ').next()?.parse().ok()
}

/// A page without scripts shows at once all it will ever show; of one with scripts that cannot be said.
fn without_scrolling(
    context: &mut ToolContext,
    page: &Page,
    params: Params,
    items: usize,
    missing: NotCapable,
) -> Result<Output, Error> {
    if pages::links(page).onward().is_some() {
        let advice = "the list goes on at another address; use navigation.pagination, or the chromium engine";
        return Err(Error::Web(browser::Error::NotCapable(NotCapable {
            advice,
            ..missing
        })));
    }
    if drive::has_own_scripts(page) {
        let advice = "the page has scripts that may load more; use the chromium engine";
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
