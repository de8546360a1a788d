//! Products of a page: the rows of its list, or the product that the page is about.

pub(crate) mod block_price;
pub(crate) mod card_details;

use std::collections::{BTreeMap, HashSet};

use extract::rules::rows::{self, Row};
use extract::rules::visible_page::VisiblePage;
use extract::rules::{entities, product};
use locale::price::{self, PriceHints};
use page::Page;
use page::dom::{Node, NodeId};
use serde::Serialize;
use serde_json::Value;

use crate::controls::element::{parse_selector, select_all};
use crate::controls::ui_words::fold;
use crate::error::Error;
use crate::rows::table_headings;
use crate::words::signs;
use card_details::CardDetails;

/// Most characters of a product's name.
const MAX_NAME: usize = 300;
/// Least log-odds of a product (see `extract::rules::product::ProductFacts`) where the page lists nothing: 2 % of other pages
/// have more.
const MIN_EVIDENCE: f32 = -1.5;
/// The same for a page that lists other products too.
const MIN_EVIDENCE_WITH_LIST: f32 = 0.0;

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
    /// The whole text of the card, which the tool keeps beside its output.
    #[serde(skip)]
    pub(crate) text: String,
    /// The elements of the card.
    #[serde(skip)]
    pub(crate) elements: Vec<NodeId>,
    /// What the card says further; nothing where the product is known from structured data alone.
    #[serde(flatten)]
    pub(crate) details: CardDetails,
}

impl ListedProduct {
    /// The price as a number.
    pub(crate) fn amount(&self) -> Option<f64> {
        self.price.as_ref().and_then(Value::as_f64)
    }

    /// A row of a list, with what its card says beside.
    fn of(page: &Page, row: Row) -> Option<ListedProduct> {
        let name = product_name(row.title.as_deref()?);
        let (details, stock) = details_of(page, &row);
        let text = whole_text(page, &row);
        let mut labelled = details.labelled.clone();
        for (name, value) in [
            ("salary", row.salary),
            ("company", row.company),
            ("location", row.location),
            ("date", row.date),
            ("author", row.author),
        ] {
            if let Some(value) = value.filter(|_| !labelled.contains_key(name)) {
                labelled.insert(name.to_owned(), value.into());
            }
        }
        let availability = row.availability.or(stock);
        // "7 200 zł / mies." is what is paid, and no part of it.
        let first_amount = |text: &String| {
            let amounts = price::find_all(text, &PriceHints::default());
            amounts.first()?.amount.parse::<f64>().ok()
        };
        let of_row = row.price.as_ref().and_then(Value::as_f64);
        let is_part = |text: &String| !labelled.contains_key("salary") && first_amount(text) != of_row;
        let instalment = details.instalment.filter(is_part);
        // "Stock: 12" says more than nothing.
        let of_stock =
            card_details::own_fields(&row.facts).filter(|(name, _)| !card_details::is_own_field(name));
        for (name, value) in of_stock.filter(|_| availability.is_none()) {
            labelled.entry(name).or_insert(value);
        }
        let reviews = row.review_count.as_ref().and_then(Value::as_u64);
        let product = ListedProduct {
            name,
            price: row.price,
            currency: row.currency,
            url: row.url,
            image: row.image,
            availability,
            text,
            elements: row.elements,
            details: CardDetails {
                old_price: row.old_price.or(details.old_price),
                rating: row.rating.or(details.rating),
                reviews: reviews.or(details.reviews),
                instalment,
                labelled,
                ..details
            },
        };
        Some(product.with_discount())
    }

    fn with_discount(mut self) -> ListedProduct {
        let old_price = self.details.old_price.as_ref().and_then(Value::as_f64);
        self.details.discount = discount(self.amount(), old_price);
        self
    }
}

/// What an entry of any list says beside its fields, and about stock.
pub(crate) fn details_of(page: &Page, row: &Row) -> (CardDetails, Option<String>) {
    let name = row.title.as_deref().map(product_name).unwrap_or_default();
    let (mut details, stock) = CardDetails::read(page, &row.elements, &name);
    details.add_facts(&row.facts);
    (details, stock)
}

/// The text of an entry, and what its list labels as lines behind it, so that conditions find values by their labels.
pub(crate) fn whole_text(page: &Page, row: &Row) -> String {
    let mut text = with_numbers_apart(page, row);
    if let Some(element) = row.elements.first() {
        text.push_str(&table_headings::labelled_numbers(page, *element));
    }
    if let Some(section) = &row.section {
        text.push_str(&format!("\n{section}"));
    }
    for (label, value) in &row.facts {
        let value = value.as_str().unwrap_or_default();
        // Conditions read words: "Wifi: ✗" has none.
        text.push_str(&format!("\n{label}: {}", signs::in_words(value)));
    }
    text
}

locale::patterns! {
    /// A number and what may be its thousands.
    static BESIDE = r"\d \d{3}";
}

/// Most texts of an entry that are looked at for numbers beside each other.
const MAX_PIECES: usize = 400;
/// The digits of a group of thousands.
const GROUP: usize = 3;

/// The text of an entry with a sign between numbers of two elements that would be one with a blank between its thousands: "Serves 4"
/// and "386 kcal".
fn with_numbers_apart(page: &Page, row: &Row) -> String {
    // Hardly any entry has such numbers.
    if !BESIDE.is_match(&row.text) {
        return row.text.clone();
    }
    let elements = row.elements.iter().map(|element| page.dom().node(*element));
    let pieces = elements.flat_map(Node::descendants).filter_map(|node| {
        let text = node.text_value()?.trim();
        (!text.is_empty()).then(|| text.split_whitespace().collect::<Vec<_>>().join(" "))
    });
    let pieces: Vec<String> = pieces.take(MAX_PIECES).collect();
    let is_digit = |c: char| c.is_ascii_digit();
    let mut text = row.text.clone();
    for pair in pieces.windows(2) {
        let [one, other] = pair else { continue };
        let leading = other.chars().take_while(|c| is_digit(*c)).count();
        if leading != GROUP || !one.ends_with(is_digit) {
            continue;
        }
        let (one, other) = (last_word(one), first_word(other));
        text = text.replacen(&format!("{one} {other}"), &format!("{one} · {other}"), 1);
    }
    text
}

fn last_word(text: &str) -> &str {
    text.split(' ').next_back().unwrap_or_default()
}

fn first_word(text: &str) -> &str {
    text.split(' ').next().unwrap_or_default()
}

/// The reduction in percent, in whole ones.
fn discount(price: Option<f64>, old_price: Option<f64>) -> Option<f64> {
    let (price, old_price) = (price?, old_price?);
    (old_price > price && price >= 0.0).then(|| ((old_price - price) / old_price * 100.0).round())
}

/// The products of a page. With a selector, each element it matches is one.
///
/// # Errors
/// When the selector is none.
pub(crate) fn products(page: &Page, selector: Option<&str>) -> Result<Vec<ListedProduct>, Error> {
    let view = VisiblePage::of(page);
    if let Some(css) = selector {
        let selector = parse_selector("selector", css)?;
        let elements = select_all("selector", page.dom().root(), &selector)?;
        let elements: Vec<NodeId> = elements.into_iter().map(Node::id).collect();
        let mut rows = rows::of_elements(&view, &elements);
        rows.retain(|row| row.price.is_some());
        return Ok(listed(page, rows));
    }
    let declared = declared(&view);
    // What else a product page lists are other products.
    if let Some(product) = subject(&view, &declared) {
        return Ok(vec![product]);
    }
    let found = listed(page, rows::products(&view));
    if found.is_empty() {
        // The one product that the markup declares needs no other sign.
        let enough = if declared.len() == 1 {
            f32::MIN
        } else {
            MIN_EVIDENCE
        };
        return Ok(sold(&view, enough).into_iter().collect());
    }
    Ok(found)
}

/// The products of the list of a page.
pub(crate) fn list(page: &Page) -> Vec<ListedProduct> {
    listed(page, rows::products(&VisiblePage::of(page)))
}

/// What one pays now for the product that an element of the page shows.
pub(crate) fn price_of(view: &VisiblePage<'_>, element: Node<'_>) -> Option<Value> {
    rows::of_elements(view, &[element.id()]).into_iter().next()?.price
}

/// The names of the products that the markup declares, without those it calls related.
fn declared(view: &VisiblePage<'_>) -> Vec<String> {
    let described = entities::StructuredData::read(view.page);
    let entities = described.entities();
    let products = entities.iter().filter(|entity| entity.is_own_product());
    let mut names: Vec<String> = products.filter_map(|entity| entity.text(&["name"])).collect();
    names.dedup();
    names
}

/// The product that a page with a list of others is about: declared as its subject, or with as much evidence as a declared
/// type gives.
fn subject(view: &VisiblePage<'_>, declared: &[String]) -> Option<ListedProduct> {
    match declared {
        [name] if is_subject(view.page, name) => sold(view, f32::MIN),
        [] | [_] => sold(view, MIN_EVIDENCE_WITH_LIST),
        _ => None,
    }
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

/// The product of a product page, when there is enough evidence that the page is one.
fn sold(view: &VisiblePage<'_>, enough: f32) -> Option<ListedProduct> {
    let described = entities::StructuredData::read(view.page);
    let read = product::read(view, &described.entities());
    if read.evidence < enough {
        return None;
    }
    let page = view.page;
    let money = block_price::plain(&read.price?.value)?;
    let stated = read.currency.and_then(|it| block_price::code(&it.value, page));
    let product = ListedProduct {
        name: product_name(&read.name?.value),
        currency: money.currency.or(stated),
        price: Some(money.amount),
        url: page.url().map(ToString::to_string),
        image: read
            .image
            .and_then(|it| page.absolute(&it.value))
            .map(|it| it.to_string()),
        availability: read
            .availability
            .map(|it| product::availability::normalize(&it.value).map_or(it.value.clone(), str::to_owned)),
        text: String::new(),
        elements: Vec::new(),
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
    };
    Some(product.with_discount())
}

/// Fewest entries of different names that lead to one address for an address that says nothing of which entry it is, such as that of
/// all tickets.
const SHARED_ADDRESS: usize = 3;

/// Rows as products, each once: by its address, and without one of its own by its name and price.
fn listed(page: &Page, rows: Vec<Row>) -> Vec<ListedProduct> {
    let mut names: BTreeMap<&str, HashSet<&str>> = BTreeMap::new();
    for row in &rows {
        if let (Some(url), Some(title)) = (&row.url, &row.title) {
            names.entry(url).or_default().insert(title);
        }
    }
    names.retain(|_, names| names.len() >= SHARED_ADDRESS);
    let shared: HashSet<String> = names.into_keys().map(str::to_owned).collect();
    let mut seen = HashSet::new();
    let key = |product: &ListedProduct| {
        let named = || format!("{} {:?}", product.name, product.price);
        let own = product.url.clone().filter(|url| !shared.contains(url));
        own.unwrap_or_else(named)
    };
    let products = rows.into_iter().filter_map(|row| ListedProduct::of(page, row));
    products.filter(|product| seen.insert(key(product))).collect()
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
