//! Price filters of listings: fields, sliders, URL parameters.

use browser::{Action, Ref};
use page::Page;
use serde::{Deserialize, Serialize};
use url::Url;

use crate::controls::form_actions::{best, fill, press};
use crate::controls::form_fields::{PageField, button_near, fields};
use crate::controls::interaction;
use crate::controls::snapshot_search::{is_usable, take_snapshot};
use crate::controls::ui_words::{APPLY, MAX, MIN, PRICE, fold, has, hits};
use crate::lists::listing_output::PriceLimits;
use crate::lists::product_listing;
use crate::{Error, Tool, ToolContext};

/// The tool `forms.price_filter`.
pub struct FormsPriceFilter;

#[derive(Deserialize, schemars::JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Params {
    max: f64,
    min: Option<f64>,
    submit: bool,
    wait_after_submit_ms: u64,
}

#[derive(Serialize)]
pub struct Output {
    success: bool,
    filled_fields: Vec<String>,
    submitted: bool,
    url_changed: bool,
    new_url: String,
    strategy: &'static str,
}

/// Most keys pressed on one slider.
const MOST_KEYS: usize = 250;

impl Tool for FormsPriceFilter {
    type Params = Params;
    type Output = Output;

    async fn run(&self, params: Params, context: &mut ToolContext) -> Result<Output, Error> {
        if params.min.is_some_and(|min| min > params.max) {
            return Err(Error::param("min", "it is more than max"));
        }
        let before = context.url();
        let page = context.page().await?;
        let done = match by_fields(context, &page, &params).await? {
            Some(done) => Some(done),
            None => match by_sliders(context, &params).await? {
                Some(done) => Some(done),
                None => by_address(context, &page, &params).await?,
            },
        };
        let Some((filled_fields, submitted, strategy)) = done else {
            return Err(interaction::not_found(context, "the page has no price filter that can be found: no field, slider or address speaks of a highest price; \
                 filter the products when they are extracted (max_price)".to_owned()).await);
        };
        interaction::wait_until_quiet(context, params.wait_after_submit_ms).await?;
        if submitted {
            warn_of_rest(context, &params).await?;
        }
        let (url_changed, new_url) = interaction::address_change(context, before.as_ref());
        let success = !filled_fields.is_empty() && (submitted || !params.submit);
        Ok(Output {
            success,
            filled_fields,
            submitted,
            url_changed,
            new_url,
            strategy,
        })
    }
}

type AppliedFilter = (Vec<String>, bool, &'static str);

/// The field that bounds prices; of equally good ones the first.
fn bound(fields: &[PageField], upper: bool) -> Option<&PageField> {
    let (words, others): (&[&str], &[&str]) = if upper { (&MAX, &MIN) } else { (&MIN, &MAX) };
    let takes = |field: &&PageField| {
        matches!(
            field.kind.as_str(),
            "text" | "number" | "tel" | "search" | "range" | "decimal"
        ) && !field.readonly
    };
    let score = |field: &PageField| {
        let matching = 3 * hits(&field.own, words).min(2);
        let opposite = 2 * hits(&field.own, others).min(2);
        let price = 3 * usize::from(has(&field.own, &PRICE)) + 2 * usize::from(has(&field.context, &PRICE));
        (matching > opposite && price > 0).then(|| matching - opposite + price)
    };
    let scored = fields
        .iter()
        .filter(takes)
        .filter_map(|it| Some((score(it)?, it)));
    best(scored)
}

async fn by_fields(
    context: &mut ToolContext,
    page: &Page,
    params: &Params,
) -> Result<Option<AppliedFilter>, Error> {
    let all = fields(page);
    let Some(upper) = bound(&all, true) else {
        return Ok(None);
    };
    // The lower bound stands where the upper one does.
    let beside: Vec<PageField> = all
        .iter()
        .filter(|it| it.form == upper.form && it.node != upper.node)
        .cloned()
        .collect();
    let lower = bound(&beside, false);
    let strategy = if upper.kind == "range" { "slider" } else { "input" };
    let mut filled = Vec::new();
    let wishes = [("min", params.min, lower), ("max", Some(params.max), Some(upper))];
    for (name, value, field) in wishes {
        let Some(value) = value else { continue };
        let Some(field) = field else {
            context.warn(format!("the page has no field for {name}={value}"));
            continue;
        };
        let target = interaction::find(context, &field.css).await?;
        fill(context, target, plain(value)).await?;
        filled.push(format!("{name}={}", plain(value)));
    }
    if !params.submit {
        return Ok(Some((filled, false, strategy)));
    }
    if let Some(button) = button_near(page, upper.node, &APPLY) {
        interaction::click(context, &button).await?;
        return Ok(Some((filled, true, strategy)));
    }
    let target = interaction::find(context, &upper.css).await?;
    match upper.form {
        Some(_) => drop(context.act(&Action::Submit { target }).await?),
        None => press(context, target, "Enter").await?,
    }
    Ok(Some((filled, true, strategy)))
}

/// Sliders that are no fields are moved by keys.
async fn by_sliders(context: &mut ToolContext, params: &Params) -> Result<Option<AppliedFilter>, Error> {
    let snapshot = take_snapshot(context).await?;
    let sliders: Vec<(String, Ref)> = snapshot
        .nodes
        .iter()
        .filter(|it| it.role == "slider" && is_usable(it))
        .filter_map(|it| Some((fold(&it.name), it.target?)))
        .collect();
    let speaks = |name: &str| has(name, &PRICE) || sliders.len() <= 2;
    let find = |words: &[&str]| {
        sliders
            .iter()
            .find(|it| has(&it.0, words) && speaks(&it.0))
            .map(|it| it.1)
    };
    let Some(upper) = find(&MAX).or_else(|| {
        (sliders.len() == 2)
            .then(|| sliders.last().map(|it| it.1))
            .flatten()
    }) else {
        return Ok(None);
    };
    if context.lacks_scripts() {
        let advice = "the price is set by a slider that needs scripts; use the chromium engine";
        return Err(interaction::needs_scripts(advice));
    }
    let lower = find(&MIN).or_else(|| {
        (sliders.len() == 2)
            .then(|| sliders.first().map(|it| it.1))
            .flatten()
    });
    let mut filled = Vec::new();
    for (name, wanted, slider) in [("max", Some(params.max), Some(upper)), ("min", params.min, lower)] {
        let (Some(wanted), Some(slider)) = (wanted, slider) else {
            continue;
        };
        let reached = slide(context, slider, wanted, name == "max").await?;
        filled.push(format!("{name}={}", plain(reached)));
        if (reached - wanted).abs() > f64::EPSILON {
            context.warn(format!(
                "the slider for {name} goes to {} and not to {}",
                plain(reached),
                plain(wanted)
            ));
        }
    }
    Ok(Some((filled, true, "slider")))
}

/// Moves a slider to a value by keys, in large steps and then in small ones, and returns the value it has then. It never
/// stays above an upper bound.
async fn slide(context: &mut ToolContext, slider: Ref, wanted: f64, upper: bool) -> Result<f64, Error> {
    let mut now = value(context, slider).await?;
    for (less, more) in [("PageDown", "PageUp"), ("ArrowLeft", "ArrowRight")] {
        for _ in 0..MOST_KEYS {
            if now == wanted {
                return Ok(now);
            }
            let before = now;
            let key = if now > wanted { less } else { more };
            press(context, slider, key).await?;
            now = value(context, slider).await?;
            if now == before || (before > wanted) != (now > wanted) {
                break;
            }
        }
    }
    if upper && now > wanted {
        press(context, slider, "ArrowLeft").await?;
        now = value(context, slider).await?;
    }
    Ok(now)
}

async fn value(context: &mut ToolContext, slider: Ref) -> Result<f64, Error> {
    let snapshot = take_snapshot(context).await?;
    let element = snapshot
        .find(slider)
        .ok_or(Error::Web(browser::Error::Stale(slider)))?;
    let value = element.value.as_deref().and_then(|it| it.trim().parse().ok());
    value.ok_or_else(|| Error::NotFound("the price slider does not tell its value".into()))
}

/// Filters by the parameters of the address, which its links or the present address show.
async fn by_address(
    context: &mut ToolContext,
    page: &Page,
    params: &Params,
) -> Result<Option<AppliedFilter>, Error> {
    let Some(here) = page.url().cloned() else {
        return Ok(None);
    };
    let known = page::links::links(page)
        .into_iter()
        .map(|it| it.url)
        .filter(|it| it.path() == here.path());
    let urls: Vec<Url> = std::iter::once(here.clone()).chain(known).collect();
    let key = |words: &[&str], others: &[&str]| {
        let keys = urls
            .iter()
            .flat_map(|it| it.query_pairs().map(|it| it.0.into_owned()).collect::<Vec<_>>());
        keys.into_iter().find(|key| {
            let name = fold(key);
            has(&name, &PRICE) && has(&name, words) && hits(&name, words) >= hits(&name, others)
        })
    };
    let Some(upper) = key(&MAX, &MIN) else {
        return Ok(None);
    };
    let lower = key(&MIN, &MAX);
    let mut wanted: Vec<(String, String)> = vec![(upper, plain(params.max))];
    let mut filled = vec![format!("max={}", plain(params.max))];
    if let Some(min) = params.min {
        match lower.clone() {
            Some(key) => {
                wanted.push((key, plain(min)));
                filled.insert(0, format!("min={}", plain(min)));
            }
            None => context.warn(format!("the address has no place for min={min}")),
        }
    }
    if !params.submit {
        return Err(Error::param(
            "submit",
            "this page filters by its address alone, which is a visit; set it to true",
        ));
    }
    let mut url = here.clone();
    let kept: Vec<(String, String)> = here
        .query_pairs()
        .map(|it| (it.0.into_owned(), it.1.into_owned()))
        .filter(|it| Some(&it.0) != lower.as_ref() && wanted.iter().all(|new| new.0 != it.0))
        .collect();
    url.query_pairs_mut()
        .clear()
        .extend_pairs(kept)
        .extend_pairs(wanted);
    let visit = context.goto(&url).await?;
    if !visit.is_ok() {
        return Err(Error::Failed(format!(
            "the filtered address answered {}",
            visit.status.unwrap_or_default()
        )));
    }
    Ok(Some((filled, true, "url_param")))
}

/// Warns when the page still shows prices outside of the limits.
async fn warn_of_rest(context: &mut ToolContext, params: &Params) -> Result<(), Error> {
    let page = context.page().await?;
    let shown = product_listing::list(&page);
    if shown.is_empty() {
        interaction::check_empty(context, &page)?;
    }
    let prices: Vec<f64> = shown
        .iter()
        .filter_map(product_listing::ListedProduct::amount)
        .collect();
    let limits = PriceLimits {
        min: params.min.unwrap_or(0.0),
        max: Some(params.max),
        is_exclusive: false,
        results: 0,
    };
    let outside = prices.iter().filter(|it| !limits.contain(Some(**it))).count();
    if outside > 0 {
        context.warn(format!(
            "{outside} of {} prices on the page are still outside of the limits",
            prices.len()
        ));
    }
    Ok(())
}

/// A number as people type it: whole where it is whole, else with two decimals.
fn plain(value: f64) -> String {
    if value.fract() == 0.0 {
        format!("{value:.0}")
    } else {
        format!("{value:.2}")
    }
}
