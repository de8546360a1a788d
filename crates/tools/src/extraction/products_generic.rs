//! Products of the pages of any shop.

use serde::Deserialize;

use crate::controls::interaction;
use crate::lists::listing_output::{PriceLimits, ProductListOutput};
use crate::lists::product_listing::{self, ListedProduct};
use crate::{Error, Tool, ToolContext};

/// The tool `extraction.products_generic`.
pub struct ExtractionProductsGeneric;

#[derive(Deserialize, schemars::JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Params {
    max_price: Option<f64>,
    min_price: f64,
    max_results: Option<usize>,
    exclusive: bool,
    currency: Option<String>,
    selector: Option<String>,
    fields: Option<Vec<String>>,
}

impl Tool for ExtractionProductsGeneric {
    type Params = Params;
    type Output = ProductListOutput;

    async fn run(&self, params: Params, context: &mut ToolContext) -> Result<ProductListOutput, Error> {
        let limits = PriceLimits::new(
            params.min_price,
            params.max_price,
            params.exclusive,
            params.max_results,
        )?;
        let mut found: Vec<ListedProduct> = Vec::new();
        for page in context.pages().await? {
            for product in product_listing::products(&page, params.selector.as_deref())? {
                // Entries of several names may lead to one page, such as that of all tickets.
                let same =
                    |it: &ListedProduct| it.url.is_some() && it.url == product.url && it.name == product.name;
                if !found.iter().any(same) {
                    let (name, url) = (Some(product.name.as_str()), product.url.as_deref());
                    context.row_texts.keep(name, url, &product.text);
                    context.row_pieces.keep(name, url, &page, &product.elements);
                    found.push(product);
                }
            }
        }
        if found.is_empty() {
            let page = context.page().await?;
            interaction::check_empty(context, &page)?;
        }
        if let Some(currency) = &params.currency {
            let before = found.len();
            let is_wanted = |product: &ListedProduct| {
                product
                    .currency
                    .as_deref()
                    .is_none_or(|it| it.eq_ignore_ascii_case(currency))
            };
            found.retain(is_wanted);
            if found.len() < before {
                context.warn(format!(
                    "{} products in another currency than {currency} were left out",
                    before - found.len()
                ));
            }
        }
        let unpriced = found.iter().filter(|it| it.price.is_none()).count();
        if unpriced > 0 && !limits.contain(None) {
            context.warn(format!("{unpriced} products without a price were left out"));
        }
        let kept = found
            .into_iter()
            .filter(|it| limits.contain(it.amount()))
            .take(limits.results);
        ProductListOutput::new(kept, params.fields.as_deref())
    }
}
