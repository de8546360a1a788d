//! Products of a page: structured data, and repeating blocks where there is none.

pub(crate) mod block_price;
mod card_details;

use std::collections::HashSet;

use extract::rules::visible_page::VisiblePage;
use extract::rules::{entities, product, records};
use page::Page;
use page::dom::Node;
use serde::Serialize;
use serde_json::{Map, Value};

use crate::element::{parse_selector, select_all};
use crate::error::Error;
use crate::ui_words::{fold, has};
use block_price::{BlockPrice, price_of};
use card_details::CardDetails;

/// Most characters of a product's name.
const MAX_NAME: usize = 300;
/// Least evidence for a product page, where the page lists nothing.
const MIN_EVIDENCE: f32 = 2.0;
/// Least evidence for a product page that lists other products too: that of a declared type.
const MIN_EVIDENCE_WITH_LIST: f32 = 3.8;
/// Most elements that are tested as cards.
const MAX_CARDS: usize = 100_000;

/// One product.
#[derive(Debug, Clone, PartialEq, Default, Serialize)]
pub(crate) struct ListedProduct {
    pub(crate) name: String,
    /// The amount as a number.
    pub(crate) price: Option<Value>,
    /// ISO 4217 code.
    pub(crate) currency: Option<String>,
    pub(crate) url: Option<String>,
    pub(crate) image: Option<String>,
    /// The last part of the schema.org address: `InStock`, `OutOfStock` and the like.
    pub(crate) availability: Option<String>,
    /// What the card says further; nothing where the product is known from structured data alone.
    #[serde(flatten)]
    pub(crate) details: CardDetails,
}

impl ListedProduct {
    /// The price as a number.
    pub(crate) fn amount(&self) -> Option<f64> {
        self.price.as_ref().and_then(Value::as_f64)
    }

    fn priced(mut self, money: Option<BlockPrice>) -> ListedProduct {
        if let Some(money) = money {
            self.price = Some(money.amount);
            self.currency = money.currency.or(self.currency);
        }
        self.details.discount = discount(
            self.amount(),
            self.details.old_price.as_ref().and_then(Value::as_f64),
        );
        self
    }
}

/// The reduction in percent, in whole ones.
fn discount(price: Option<f64>, old_price: Option<f64>) -> Option<f64> {
    let (price, old_price) = (price?, old_price?);
    (old_price > price && price >= 0.0).then(|| ((old_price - price) / old_price * 100.0).round())
}

/// Fewest products of a page that lists products.
const MIN_LISTED: usize = 3;

/// Whether a page is a list of products.
pub fn lists_products(page: &Page) -> bool {
    products(page, None).is_ok_and(|products| products.len() >= MIN_LISTED)
}

/// The products of a page. With a selector, each element it matches is one.
///
/// # Errors
/// When the selector is none.
pub(crate) fn products(page: &Page, selector: Option<&str>) -> Result<Vec<ListedProduct>, Error> {
    if let Some(css) = selector {
        let selector = parse_selector("selector", css)?;
        return Ok(unique(
            select_all("selector", page.dom().root(), &selector)?
                .into_iter()
                .filter_map(|it| of_card(page, it))
                .collect(),
        ));
    }
    let mut structured = structured(page);
    if let [product] = structured.as_mut_slice()
        && is_subject(page, &product.name)
    {
        // Of several offers the price that is shown counts; the reader of product pages knows which.
        if let Some(shown) = subject(page, 0.0) {
            (product.price, product.currency) = (shown.price, shown.currency.or(product.currency.take()));
        }
        return Ok(structured);
    }
    // What else a product page lists are other products.
    if structured.len() <= 1
        && let Some(product) = subject(page, MIN_EVIDENCE_WITH_LIST)
    {
        return Ok(vec![product]);
    }
    let blocks = blocks(page);
    if structured.is_empty() && blocks.is_empty() {
        return Ok(subject(page, MIN_EVIDENCE).into_iter().collect());
    }
    // What scripts have added or removed is in the blocks alone.
    if blocks.len() <= structured.len() {
        for product in &mut structured {
            if let Some(block) = blocks.iter().find(|block| is_same(block, product)) {
                product.details = block.details.clone();
            }
        }
        return Ok(structured);
    }
    Ok(enriched(blocks, &structured))
}

/// Whether the heading or title of the page contains a name.
fn is_subject(page: &Page, name: &str) -> bool {
    let name = fold(name);
    let headings = page
        .dom()
        .by_tag("h1")
        .take(5)
        .chain(page.dom().by_tag("title").take(1));
    headings
        .map(|it| fold(&it.text().chars().take(MAX_NAME * 2).collect::<String>()))
        .any(|it| it.contains(name.trim_end()))
}

/// Products of structured data: JSON-LD, microdata, RDFa.
fn structured(page: &Page) -> Vec<ListedProduct> {
    const ASIDE: &[&str] = &[
        "isrelatedto",
        "issimilarto",
        "isaccessoryorsparepartfor",
        "review",
        "reviews",
        "hasvariant",
    ];
    let described = entities::StructuredData::read(page);
    let items = described.entities();
    let mut found: Vec<ListedProduct> = Vec::new();
    for item in items
        .iter()
        .filter(|it| it.is(&["product", "productgroup", "individualproduct"]) && !it.within(ASIDE))
    {
        let Some(name) = item.text(&["name"]) else {
            continue;
        };
        let offer = item.get("offers").and_then(first_object);
        let of_offer =
            |key: &str| offer.and_then(|it| entities::texts(entities::get(it, key)).into_iter().next());
        let money = of_offer("price")
            .or_else(|| of_offer("lowPrice"))
            .and_then(|it| block_price::plain(&it));
        let link = item.text(&["url"]).or_else(|| of_offer("url"));
        let absolute = |link: String| page.absolute(&link).map(|it| it.to_string());
        let product = ListedProduct {
            name: product_name(&name),
            currency: of_offer("priceCurrency").and_then(|it| block_price::code(&it, page)),
            url: link.and_then(absolute),
            image: item.text(&["image"]).and_then(absolute),
            availability: of_offer("availability").and_then(|it| availability(&it)),
            ..ListedProduct::default()
        };
        found.push(product.priced(money));
    }
    let visible = page.dom().body().map(|it| fold(&it.text())).unwrap_or_default();
    let is_shown = |product: &ListedProduct| visible.contains(fold(&product.name).trim_end());
    // Data of a list that scripts have filtered since is stale; data of products under other names is not.
    if found.iter().any(is_shown) {
        found.retain(is_shown);
    }
    unique(found)
}

fn first_object(value: &Value) -> Option<&Map<String, Value>> {
    match value {
        Value::Object(map) => Some(map),
        Value::Array(list) => list.iter().find_map(Value::as_object),
        _ => None,
    }
}

fn availability(text: &str) -> Option<String> {
    product::availability::normalize(text).map(str::to_owned)
}

/// The product that a page is about, when there is enough evidence.
fn subject(page: &Page, enough: f32) -> Option<ListedProduct> {
    let described = entities::StructuredData::read(page);
    let read = product::read(&VisiblePage::of(page), &described.entities());
    if read.evidence < enough {
        return None;
    }
    let name = read.name?.value;
    let money = block_price::plain(&read.price?.value)?;
    let product = ListedProduct {
        name: product_name(&name),
        currency: read.currency.and_then(|it| block_price::code(&it.value, page)),
        url: page.url().map(|it| it.to_string()),
        image: read
            .image
            .and_then(|it| page.absolute(&it.value))
            .map(|it| it.to_string()),
        availability: read
            .availability
            .and_then(|it| availability(&it.value).or(Some(it.value))),
        details: CardDetails {
            old_price: read
                .old_price
                .and_then(|it| Some(block_price::plain(&it.value)?.amount)),
            rating: read
                .rating
                .and_then(|it| extract::normalize::from_decimal(&it.value)),
            reviews: read.review_count.and_then(|it| it.value.parse().ok()),
            ..CardDetails::default()
        },
        price: None,
    };
    Some(product.priced(Some(money)))
}

/// Products of repeating blocks: each has a name and a price.
pub(crate) fn blocks(page: &Page) -> Vec<ListedProduct> {
    let groups = records::find(page);
    let of_group = |group: &records::RecordGroup| -> Vec<ListedProduct> {
        let products = group.records.iter().filter_map(|record| {
            let nodes: Vec<Node<'_>> = record.roots.iter().map(|it| page.dom().node(*it)).collect();
            let field = |key: &str| record.fields.get(key).and_then(Value::as_str).map(str::to_owned);
            let first = nodes.first().copied()?;
            let mut product =
                of_card(page, first).or_else(|| nodes.iter().find_map(|it| of_card(page, *it)))?;
            if product.name.is_empty() {
                product.name = product_name(&field("title")?);
            }
            Some(product)
        });
        unique(products.collect())
    };
    let of_groups = groups
        .iter()
        .map(of_group)
        .max_by_key(Vec::len)
        .unwrap_or_default();
    let of_cards = cards(page);
    if of_cards.len() > of_groups.len() {
        of_cards
    } else {
        of_groups
    }
}

/// Elements that call themselves products and have a link and a price: found also where there is only one.
fn cards(page: &Page) -> Vec<ListedProduct> {
    let is_card = |node: &Node<'_>| {
        node.is_element()
            && !matches!(
                node.tag(),
                "a" | "span" | "img" | "body" | "html" | "form" | "script"
            )
            && (node
                .attr("data-product-id")
                .or(node.attr("data-pid"))
                .or(node.attr("data-asin"))
                .is_some_and(|it| !it.is_empty())
                || node.classes().any(|class| {
                    let name = fold(class);
                    has(&name, &["product", "offer", "card", "tile", "item"])
                        && !has(
                            &name,
                            &[
                                "products", "list", "grid", "row", "title", "name", "price", "image", "link",
                                "info", "body",
                            ],
                        )
                }))
    };
    let mut found = Vec::new();
    let mut inside = page.dom().root().id();
    for node in page.dom().nodes().filter(is_card).take(MAX_CARDS) {
        if node.id() < inside {
            continue;
        }
        // A card within a card is a part of it, unless there are several: then the outer one is a list.
        let within: Vec<Node<'_>> = node
            .descendants()
            .filter(|it| is_card(it))
            .filter(|it| price_of(*it, page).is_some())
            .take(2)
            .collect();
        if within.len() > 1 {
            continue;
        }
        if let Some(product) = of_card(page, node) {
            found.push(product);
            inside = node.end();
        }
    }
    unique(found)
}

/// A card as a product: it has a name and a price.
fn of_card(page: &Page, node: Node<'_>) -> Option<ListedProduct> {
    let money = price_of(node, page)?;
    let (name, link) = name_and_link(page, node)?;
    let image = node.descendants().filter(|it| it.is("img")).find_map(|image| {
        let source = ["data-original", "data-src", "src"]
            .iter()
            .find_map(|name| image.attr(name))?;
        page.absolute(source).filter(|it| it.scheme() != "data")
    });
    let stock = node.descendants().filter(|it| {
        it.is_element()
            && has(
                &fold(it.class()),
                &[
                    "stock",
                    "availability",
                    "dostepnosc",
                    "inventory",
                    "verfuegbarkeit",
                ],
            )
    });
    let stock = stock.map(|it| it.text()).find(|it| !it.is_empty());
    let name = product_name(&name);
    let product = ListedProduct {
        details: CardDetails::read(page, node, &name),
        name,
        url: link,
        image: image.map(|it| it.to_string()),
        availability: stock.and_then(|it| card_details::availability(&it)),
        ..ListedProduct::default()
    };
    Some(product.priced(Some(money)))
}

/// The name of a card and where it leads: its heading, else what is called name or title, else its longest link.
pub(crate) fn name_and_link(page: &Page, node: Node<'_>) -> Option<(String, Option<String>)> {
    let inside = || node.descendants().filter(|it| it.is_element());
    let name_in = |node: &Node<'_>| {
        let text = node.text();
        (text.chars().count() >= 3 && !block_price::is_money(&text)).then_some(text)
    };
    let heading = inside()
        .find(|it| matches!(it.tag(), "h1" | "h2" | "h3" | "h4" | "h5" | "h6") && name_in(it).is_some());
    let named = || {
        inside().find(|node| {
            let called = fold(&format!(
                "{} {}",
                node.class(),
                node.attr("itemprop").unwrap_or_default()
            ));
            has(&called, &["name", "title", "nazwa"]) && name_in(node).is_some()
        })
    };
    let links = || inside().filter(|it| it.is("a") && it.attr("href").is_some());
    let longest = || {
        links()
            .filter(|it| name_in(it).is_some())
            .max_by_key(|it| it.text().chars().count().min(120))
    };
    let named = heading
        .or_else(named)
        .or_else(longest)
        .or_else(|| node.is("a").then_some(node))?;
    let link = if named.is("a") { Some(named) } else { None };
    let link = link
        .or_else(|| {
            named
                .descendants()
                .find(|it| it.is("a") && it.attr("href").is_some())
        })
        .or_else(|| {
            named
                .closest("a")
                .filter(|it| it.is_inside(node.id()) || it.id() == node.id())
        })
        .or_else(|| links().next())
        .or_else(|| node.closest("a"));
    let url = link
        .and_then(|it| it.attr("href"))
        .and_then(|it| page.absolute(it));
    let url = url
        .filter(|it| matches!(it.scheme(), "http" | "https"))
        .map(|it| it.to_string());
    Some((name_in(&named)?, url))
}

/// Adds availability and currency from structured data about the same products.
fn enriched(mut blocks: Vec<ListedProduct>, structured: &[ListedProduct]) -> Vec<ListedProduct> {
    for block in &mut blocks {
        if let Some(same) = structured.iter().find(|product| is_same(product, block)) {
            block.availability = block.availability.take().or_else(|| same.availability.clone());
            block.currency = block.currency.take().or_else(|| same.currency.clone());
        }
    }
    blocks
}

/// Whether two readings are of one product: by its name or address.
fn is_same(one: &ListedProduct, other: &ListedProduct) -> bool {
    one.name == other.name || (one.url.is_some() && one.url == other.url)
}

/// Each product once: by its address, and without one by its name and price.
fn unique(products: Vec<ListedProduct>) -> Vec<ListedProduct> {
    let mut seen = HashSet::new();
    let key = |product: &ListedProduct| {
        product
            .url
            .clone()
            .unwrap_or_else(|| format!("{} {:?}", product.name, product.price))
    };
    products.into_iter().filter(|it| seen.insert(key(it))).collect()
}

/// A name in one line, shortened.
fn product_name(name: &str) -> String {
    name.split_whitespace()
        .collect::<Vec<_>>()
        .join(" ")
        .chars()
        .take(MAX_NAME)
        .collect()
}

#[cfg(test)]
mod tests;
