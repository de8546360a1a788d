//! Products of Ceneo listings within price limits.

use std::cell::LazyCell;

use extract::rules::visible_page::VisiblePage;
use page::Page;
use page::dom::Node;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use url::Url;

use crate::controls::element::{first_within, parse_selector, select_all};
use crate::controls::interaction;
use crate::lists::articles::number;
use crate::lists::listing_output::{PriceLimits, ProductListOutput};
use crate::lists::product_listing::{self, ListedProduct, block_price};
use crate::{Error, Tool, ToolContext};

/// The tool `extraction.products_ceneo`.
pub struct ExtractionProductsCeneo;

#[derive(Deserialize, schemars::JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Params {
    max_price: f64,
    min_price: f64,
    max_results: Option<usize>,
    exclusive: bool,
    category: Option<String>,
    selector: Option<String>,
    fields: Option<Vec<String>>,
}

#[derive(Serialize)]
struct CeneoOffer {
    name: String,
    price: Value,
    currency: String,
    url: String,
    image: Option<String>,
    shop_count: Option<u64>,
}

/// The three ways in which the site shows a list.
const CARDS: &str =
    ".cat-prod-row, .cat-prod-box, .grid-item, .js_category-list-item[data-pid], [data-productid]";
const NAME: &str = ".cat-prod-row__name, .cat-prod-box__name, .grid-item__name";
const PRICE: &str = ".price-format .price, .cat-prod-row__price .price, .cat-prod-box__price .price, .grid-item__offer .price";

impl Tool for ExtractionProductsCeneo {
    type Params = Params;
    type Output = ProductListOutput;

    async fn run(&self, params: Params, context: &mut ToolContext) -> Result<ProductListOutput, Error> {
        let limits = PriceLimits::new(
            params.min_price,
            Some(params.max_price),
            params.exclusive,
            params.max_results,
        )?;
        let mut found: Vec<CeneoOffer> = Vec::new();
        let mut known = false;
        for page in context.pages().await? {
            let css = params.selector.as_deref().unwrap_or(CARDS);
            let selector = parse_selector("selector", css)?;
            let cards = select_all("selector", page.dom().root(), &selector)?;
            let wanted = |node: &Node<'_>| {
                params
                    .category
                    .as_deref()
                    .is_none_or(|category| is_of(&page, *node, category))
            };
            known |= cards.iter().any(|it| first_within(*it, NAME).is_some());
            // Read once for all cards, and only when one has no price of its own.
            let view = LazyCell::new(|| VisiblePage::of(&page));
            let offers = cards
                .iter()
                .filter(|it| wanted(it))
                .filter_map(|it| offer(&page, *it, || product_listing::price_of(&view, *it)));
            found.extend(offers);
        }
        if !known {
            if params.selector.is_some() {
                return Err(Error::param("selector", "it matches no product of Ceneo"));
            }
            found = elsewhere(context).await?;
            if found.is_empty() {
                let page = context.page().await?;
                interaction::check_empty(context, &page)?;
            }
        }
        let mut seen = std::collections::HashSet::new();
        let fits = |it: &CeneoOffer| limits.contain(it.price.as_f64());
        let kept = found
            .into_iter()
            .filter(|it| seen.insert(it.url.clone()))
            .filter(fits)
            .take(limits.results);
        ProductListOutput::new(kept, params.fields.as_deref())
    }
}

/// A card as an offer; advertisements and links that only count clicks are none.
fn offer(page: &Page, card: Node<'_>, shown_price: impl FnOnce() -> Option<Value>) -> Option<CeneoOffer> {
    if card
        .classes()
        .any(|it| it.contains("sponsored") || it.contains("advert"))
    {
        return None;
    }
    let named = first_within(card, NAME)?;
    let link = named
        .descendants()
        .chain(card.descendants())
        .filter(|it| it.is("a"));
    let url = link
        .filter_map(|it| page.absolute(it.attr("href")?))
        .find_map(address)?;
    let name = named.text();
    let price = first_within(card, PRICE).and_then(|it| block_price::plain(&block_price::without_struck(it)));
    let price = price.map(|it| it.amount).or_else(shown_price)?;
    let picture = card.descendants().find(|it| it.is("img"));
    let image = picture.and_then(|it| page.absolute(it.attr("data-original").or(it.attr("src"))?));
    let shops = first_within(card, ".shop-numb, .product-count, .cat-prod-row__shop-numb")
        .and_then(|it| number(&it.text()));
    (name.chars().count() >= 3).then_some(CeneoOffer {
        name,
        price,
        currency: "PLN".to_owned(),
        url,
        image: image.map(|it| it.to_string()),
        shop_count: shops,
    })
}

/// The address of a product: its path is its number; everything else on the site is no product.
fn address(mut url: Url) -> Option<String> {
    let first = url.path_segments()?.next()?.to_owned();
    let number = first.split(';').next().unwrap_or_default();
    if number.len() < 4 || !number.bytes().all(|it| it.is_ascii_digit()) {
        return None;
    }
    url.set_fragment(None);
    url.set_query(None);
    Some(url.to_string())
}

fn is_of(page: &Page, card: Node<'_>, category: &str) -> bool {
    let fold = |text: &str| crate::controls::ui_words::fold(text);
    let wanted = fold(category);
    match card.attr("data-gacategoryname") {
        Some(name) => fold(name).contains(wanted.trim_end()),
        None => page
            .url()
            .is_some_and(|it| fold(it.path()).contains(wanted.trim_end())),
    }
}

/// The products of a page that has not the markup of Ceneo, as far as their prices are in złoty.
async fn elsewhere(context: &mut ToolContext) -> Result<Vec<CeneoOffer>, Error> {
    let mut all: Vec<ListedProduct> = Vec::new();
    for page in context.pages().await? {
        all.extend(product_listing::products(&page, None)?);
    }
    let foreign = all
        .iter()
        .find_map(|it| it.currency.as_deref().filter(|it| *it != "PLN"));
    if let Some(currency) = foreign {
        return Err(Error::NotFound(format!(
            "this is no list of Ceneo: its prices are in {currency}, and the limits of this tool are in zł; use extraction.products_generic"
        )));
    }
    let priced = all.into_iter().filter(|it| it.currency.is_some());
    let offers: Vec<CeneoOffer> = priced
        .filter_map(|product| {
            Some(CeneoOffer {
                name: product.name,
                price: product.price?,
                currency: product.currency?,
                url: product.url?,
                image: product.image,
                shop_count: None,
            })
        })
        .collect();
    if !offers.is_empty() {
        context.warn("the page has not the markup of Ceneo; its products were read from structured data and repeating blocks");
    }
    Ok(offers)
}
