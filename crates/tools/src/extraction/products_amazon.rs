//! Products of Amazon's search results.

use locale::price;
use page::Page;
use page::dom::Node;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use url::Url;

use crate::controls::element::{first_within, fixed_selector, parse_selector, select_all};
use crate::controls::interaction;
use crate::lists::articles::number;
use crate::lists::listing_output::{PriceLimits, ProductListOutput};
use crate::lists::product_listing::block_price;
use crate::{Error, Tool, ToolContext};

/// The tool `extraction.products_amazon`.
pub struct ExtractionProductsAmazon;

#[derive(Deserialize, schemars::JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Params {
    max_price: Option<f64>,
    min_price: f64,
    max_results: Option<usize>,
    exclusive: bool,
    min_rating: Option<f64>,
    sponsored: bool,
    domain: Option<String>,
    selector: Option<String>,
    fields: Option<Vec<String>>,
}

#[derive(Serialize)]
struct AmazonProduct {
    asin: String,
    name: String,
    price: Option<Value>,
    currency: Option<String>,
    url: String,
    rating: Option<f64>,
    reviews: Option<u64>,
    prime: bool,
    sponsored: bool,
    image: Option<String>,
}

const CARDS: &str = "[data-component-type=\"s-search-result\"][data-asin], .s-result-item[data-asin]";
const SPONSORED: &str =
    ".puis-sponsored-label-text, .s-sponsored-label-text, [data-component-type=\"sp-sponsored-result\"]";

impl Tool for ExtractionProductsAmazon {
    type Params = Params;
    type Output = ProductListOutput;

    async fn run(&self, params: Params, context: &mut ToolContext) -> Result<ProductListOutput, Error> {
        let limits = PriceLimits::new(
            params.min_price,
            params.max_price,
            params.exclusive,
            params.max_results,
        )?;
        let mut found: Vec<AmazonProduct> = Vec::new();
        let css = params.selector.as_deref().unwrap_or(CARDS);
        let selector = parse_selector("selector", css)?;
        let mut known = false;
        for page in context.pages().await? {
            let country = country(&page, params.domain.as_deref());
            let cards: Vec<Node<'_>> = select_all("selector", page.dom().root(), &selector)?
                .into_iter()
                .filter(|it| it.attr("data-asin").is_some_and(|it| !it.is_empty()))
                .collect();
            known |= !cards.is_empty();
            found.extend(
                cards
                    .into_iter()
                    .filter_map(|it| card(&page, it, country.as_deref())),
            );
        }
        if !known {
            let page = context.page().await?;
            interaction::check_empty(context, &page)?;
            return Err(Error::NotFound(
                "this is no page of Amazon's search results: no element carries an ASIN; use extraction.products_generic".into(),
            ));
        }
        let mut seen = std::collections::HashSet::new();
        let fits = |product: &AmazonProduct| {
            limits.contain(product.price.as_ref().and_then(Value::as_f64))
                && (params.sponsored || !product.sponsored)
                && params
                    .min_rating
                    .is_none_or(|least| product.rating.is_some_and(|it| it >= least))
        };
        let kept = found
            .into_iter()
            .filter(|it| seen.insert(it.asin.clone()))
            .filter(fits)
            .take(limits.results);
        ProductListOutput::new(kept, params.fields.as_deref())
    }
}

fn card(page: &Page, card: Node<'_>, country: Option<&str>) -> Option<AmazonProduct> {
    let asin = card.attr("data-asin")?.to_owned();
    let heading = card.descendants().find(|it| it.is("h2"));
    let title =
        heading.or_else(|| first_within(card, "[data-cy=\"title-recipe\"], .s-title-instructions-style"))?;
    let name = title.text();
    let own_link = title
        .descendants()
        .find(|it| it.is("a"))
        .or_else(|| title.closest("a"));
    let any_link = || first_within(card, "a[href*=\"/dp/\"], a[href*=\"/gp/product/\"]");
    let link = own_link
        .or_else(any_link)
        .and_then(|it| it.attr("href"))
        .and_then(|it| page.absolute(it));
    let link = link.or_else(|| page.absolute(&format!("/dp/{asin}")))?;
    let price = fixed_selector(".a-price").and_then(|all| {
        let prices = card
            .descendants()
            .filter(|it| it.is_element() && all.matches(*it));
        let now = prices
            .filter(|it| !block_price::is_struck(*it))
            .filter_map(|price| {
                let text = first_within(price, ".a-offscreen")
                    .map(|it| it.text())
                    .filter(|it| !it.is_empty());
                let text = text.or_else(|| Some(price.text()))?;
                let read = price::parse(&text, &price::PriceHints::default())?;
                let currency = read
                    .currency
                    .and_then(|it| price::iso(it, country))
                    .or(read.iso)
                    .map(str::to_owned);
                Some((extract::normalize::from_decimal(&read.amount)?, currency))
            });
        now.into_iter().next()
    });
    let stars = first_within(card, ".a-icon-alt").and_then(|it| rating(&it.text()));
    let reviews = first_within(
        card,
        "a[href*=\"customerReviews\"], [data-csa-c-slot-id=\"alf-reviews\"], .s-underline-text",
    );
    let sponsored = first_within(card, SPONSORED).is_some() || link.path().starts_with("/sspa/");
    let prime = first_within(card, ".a-icon-prime, [aria-label*=\"Prime\"]").is_some();
    let image = first_within(card, "img.s-image, img").and_then(|it| page.absolute(it.attr("src")?));
    let (price, currency) = price.map_or((None, None), |it| (Some(it.0), it.1));
    (!name.is_empty()).then(|| AmazonProduct {
        url: canonical(page, link, &asin),
        asin,
        name,
        price,
        currency,
        rating: stars,
        reviews: reviews.and_then(|it| number(&it.text()).or_else(|| number(it.attr("aria-label")?))),
        prime,
        sponsored,
        image: image.map(|it| it.to_string()),
    })
}

/// The address of the product without what counts clicks.
fn canonical(page: &Page, link: Url, asin: &str) -> String {
    let target = link
        .query_pairs()
        .find(|it| it.0 == "url")
        .and_then(|it| page.absolute(&it.1));
    let mut url = target
        .filter(|_| link.path().starts_with("/sspa/"))
        .unwrap_or(link);
    url.set_query(None);
    url.set_fragment(None);
    let path = url.path().to_owned();
    if let Some(at) = path.find(asin) {
        url.set_path(path.get(..at + asin.len()).unwrap_or(&path));
    }
    url.to_string()
}

/// `4.5 out of 5 stars`, `4,5 von 5 Sternen`: the first number, at most 5. Japanese names the scale first: `5つ星のうち4.3`.
fn rating(text: &str) -> Option<f64> {
    let text = text.split_once("つ星のうち").map_or(text, |(_, rating)| rating);
    let digits: String = text
        .trim()
        .chars()
        .take_while(|it| it.is_ascii_digit() || matches!(it, '.' | ','))
        .collect();
    digits
        .replace(',', ".")
        .parse()
        .ok()
        .filter(|it: &f64| (0.0..=5.0).contains(it))
}

/// The country whose dollar a dollar is.
fn country(page: &Page, domain: Option<&str>) -> Option<String> {
    let ending = domain
        .and_then(|it| it.rsplit('.').next())
        .map(str::to_ascii_uppercase);
    match ending.as_deref() {
        Some("COM") => Some("US".to_owned()),
        Some(other) if other.len() == 2 => Some(other.to_owned()),
        _ => block_price::country(page),
    }
}

#[cfg(test)]
mod tests {
    use super::rating;

    #[test]
    fn the_scale_of_a_rating_is_not_the_rating() {
        for (text, stars) in [
            ("4.5 out of 5 stars", 4.5),
            ("4,5 von 5 Sternen", 4.5),
            ("5つ星のうち4.3", 4.3),
        ] {
            assert_eq!(rating(text), Some(stars), "{text}");
        }
    }
}
