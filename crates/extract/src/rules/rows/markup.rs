//! Products that the markup of a page describes, and rows completed from them.

use std::collections::{HashMap, HashSet};

use locale::price;
use serde_json::{Map, Value};

use super::row::Row;
use crate::normalize;
use crate::rules::entities::{self, StructuredData, TypedEntity};
use crate::rules::product::availability;
use crate::rules::product::markup::written_price;
use crate::rules::visible_page::{VisiblePage, words};

/// Fewest described products that make a list.
pub(super) const LIST: usize = 3;
/// A product of the markup.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct MarkupRow {
    /// The product as a row.
    pub(super) row: Row,
    name: String,
}

fn folded(text: &str) -> String {
    words(text).join(" ")
}

/// The described products whose names the page shows, each once. Data of a list that scripts have filtered since is stale;
/// where no name is shown, nothing is known to be stale.
pub(super) fn products(view: &VisiblePage<'_>) -> Vec<MarkupRow> {
    let described = StructuredData::of(view.page, view.metadata());
    let entities = described.entities();
    let mut seen = HashSet::new();
    let mut found: Vec<MarkupRow> = entities
        .iter()
        .filter(|entity| entity.is_own_product())
        .filter_map(|entity| product(view, entity))
        .filter(|product| {
            let key = product.row.url.clone().unwrap_or_default();
            seen.insert((product.name.clone(), key))
        })
        .collect();
    if !found.is_empty() {
        let visible = folded(view.lines.text());
        let is_shown = |product: &MarkupRow| visible.contains(&product.name);
        if found.iter().any(is_shown) {
            found.retain(is_shown);
        }
    }
    found
}

fn product(view: &VisiblePage<'_>, entity: &TypedEntity<'_>) -> Option<MarkupRow> {
    let title = entity.text(&["name"])?;
    let offer = entity.get("offers").and_then(first_object);
    let rating = entity.get("aggregateRating").and_then(first_object);
    let of = |map: Option<&Map<String, Value>>, key: &str| {
        map.and_then(|map| entities::texts(entities::get(map, key)).into_iter().next())
    };
    let stated = |key: &str| {
        let value = offer.and_then(|offer| entities::get(offer, key));
        let in_words = || written_price(of(offer, key).map(Value::String).as_ref());
        written_price(value).or_else(in_words)
    };
    let price = stated("price").or_else(|| stated("lowPrice"));
    let price = price.and_then(|(amount, iso)| Some((normalize::from_decimal(&amount)?, iso)));
    let code = of(offer, "priceCurrency");
    let code = code.and_then(|code| price::iso(code.trim(), view.country.as_deref()));
    let absolute = |link: String| view.page.absolute(&link).map(|url| url.to_string());
    let number = |field: &str, text: Option<String>| normalize::value(field, Value::String(text?), true);
    let count = of(rating, "reviewCount").or_else(|| of(rating, "ratingCount"));
    Some(MarkupRow {
        name: folded(&title),
        row: Row {
            url: entity
                .text(&["url"])
                .or_else(|| of(offer, "url"))
                .and_then(absolute),
            image: entity.text(&["image"]).and_then(absolute),
            currency: price
                .as_ref()
                .and_then(|price| code.or(price.1))
                .map(str::to_owned),
            price: price.map(|price| price.0),
            rating: number("rating", of(rating, "ratingValue")),
            review_count: number("review_count", count),
            availability: of(offer, "availability")
                .and_then(|text| availability::normalize(&text).map(str::to_owned)),
            title: Some(title),
            ..Row::default()
        },
    })
    .filter(|product| !product.name.is_empty())
}

fn first_object(value: &Value) -> Option<&Map<String, Value>> {
    match value {
        Value::Object(map) => Some(map),
        Value::Array(list) => list.iter().find_map(Value::as_object),
        _ => None,
    }
}

/// Finds described products by the address or title of a row. A name or address that several products share finds none.
struct Index<'m> {
    by_name: HashMap<&'m str, Option<&'m Row>>,
    by_url: HashMap<&'m str, Option<&'m Row>>,
}

impl<'m> Index<'m> {
    fn of(described: &'m [MarkupRow]) -> Index<'m> {
        let mut index = Index {
            by_name: HashMap::new(),
            by_url: HashMap::new(),
        };
        for product in described {
            let row = &product.row;
            let once = |known: &mut Option<&'m Row>| *known = None;
            index
                .by_name
                .entry(&product.name)
                .and_modify(once)
                .or_insert(Some(row));
            if let Some(url) = row.url.as_deref() {
                index.by_url.entry(url).and_modify(once).or_insert(Some(row));
            }
        }
        index
    }

    fn find(&self, row: &Row) -> Option<&'m Row> {
        let by_url = row.url.as_deref().and_then(|url| self.by_url.get(url).copied());
        by_url.flatten().or_else(|| {
            let name = folded(row.title.as_deref()?);
            self.by_name.get(name.as_str()).copied().flatten()
        })
    }
}

/// How many rows the markup describes.
pub(super) fn described(rows: &[Row], described: &[MarkupRow]) -> usize {
    let index = Index::of(described);
    rows.iter().filter(|row| index.find(row).is_some()).count()
}

/// Adds to each row what it does not show and the markup says about the same product.
pub(super) fn complete(rows: &mut [Row], described: &[MarkupRow]) {
    if described.is_empty() {
        return;
    }
    let index = Index::of(described);
    for row in rows {
        let Some(known) = index.find(row) else { continue };
        if row.price.is_none() {
            row.price.clone_from(&known.price);
        }
        let missing = |own: &mut Option<String>, stated: &Option<String>| {
            if own.is_none() {
                own.clone_from(stated);
            }
        };
        if row.price == known.price {
            row.currency = known.currency.clone().or(row.currency.take());
        }
        missing(&mut row.currency, &known.currency);
        missing(&mut row.availability, &known.availability);
        missing(&mut row.image, &known.image);
        if row.rating.is_none() {
            row.rating.clone_from(&known.rating);
        }
        if row.review_count.is_none() {
            row.review_count.clone_from(&known.review_count);
        }
    }
}
