//! Product facts in scripts and embedded state, for pages where neither markup nor text states them.
//!
//! Embedded state is searched for an object that the heading names and that has a price. As the last resort the price that
//! scripts assign most often is taken.

use std::collections::BTreeMap;

use page::meta;
use serde_json::{Map, Value};

use super::super::json_objects::objects;
use super::super::visible_page::{VisiblePage, covered, squeeze, words};
use super::availability;
use crate::provenance::{FieldSource, Sourced};
use locale::price::{self, PriceHints};

/// Most objects of embedded state that are read.
const MOST_OBJECTS: usize = 60_000;
/// Most bytes of scripts that are searched for an assigned price.
const MOST_BYTES: usize = 4 << 20;

/// What a script knows.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct ScriptProduct {
    /// The price, an exact decimal.
    pub price: Option<Sourced<String>>,
    /// The currency as written.
    pub currency: Option<Sourced<String>>,
    /// The shop's own number.
    pub sku: Option<Sourced<String>>,
    /// Brand.
    pub brand: Option<Sourced<String>>,
    /// "InStock", "OutOfStock" and so on.
    pub availability: Option<Sourced<String>>,
}

/// Reads what scripts know about the product that the heading names.
pub fn read(view: &VisiblePage<'_>) -> ScriptProduct {
    named(view).or_else(|| assigned(view)).unwrap_or_default()
}

/// The object of embedded state whose name is the heading's and that has a price.
pub fn named(view: &VisiblePage<'_>) -> Option<ScriptProduct> {
    let title = words(&view.heading.as_ref()?.text);
    if title.len() < 2 {
        return None;
    }
    let mut best: Option<(f32, ScriptProduct)> = None;
    let states = meta::state(view.page);
    let held = states
        .iter()
        .flat_map(|state| objects(&state.value, state.name.clone(), |key| key));
    for (path, map) in held.take(MOST_OBJECTS) {
        if let Some((score, known)) = product(map, &path, &title)
            && best.as_ref().is_none_or(|(most, _)| score > *most)
        {
            best = Some((score, known));
        }
    }
    best.map(|(_, known)| known)
}

/// An object that is named like the heading and has a price, and how well it fits.
fn product(map: &Map<String, Value>, path: &str, title: &[String]) -> Option<(f32, ScriptProduct)> {
    let text = |keys: &[&'static str]| -> Option<(&'static str, String)> {
        keys.iter().find_map(|key| match map.get(*key)? {
            Value::String(text) if !text.trim().is_empty() => Some((*key, squeeze(text))),
            Value::Number(number) => Some((*key, number.to_string())),
            Value::Object(inner) => Some((*key, inner_text(inner)?)),
            _ => None,
        })
    };
    let found = |entry: Option<(&str, String)>| {
        entry.map(|(key, value)| {
            Sourced::new(
                value,
                FieldSource::State {
                    path: format!("{path}.{key}"),
                },
            )
        })
    };
    let (_, name) = text(&["name", "title", "productName", "displayName", "product_name"])?;
    let own = words(&name);
    let fit = covered(&own, title) * covered(title, &own);
    if fit < 0.6 {
        return None;
    }
    let price = found(text(&[
        "salePrice",
        "currentPrice",
        "finalPrice",
        "sellingPrice",
        "price",
        "sale_price",
        "final_price",
        "current_price",
    ]))?;
    let amount = price::parse(
        &price.value,
        &PriceHints {
            decimal_separator: Some('.'),
            ..PriceHints::default()
        },
    )?
    .amount;
    let known = ScriptProduct {
        price: Some(price.map(|_| amount)),
        currency: found(text(&CURRENCIES).or_else(|| nested_currency(map.get("price")?))),
        sku: found(text(&[
            "sku",
            "productId",
            "product_id",
            "itemNumber",
            "articleNumber",
            "code",
        ])),
        brand: found(text(&["brand", "brandName", "brand_name", "manufacturer"])),
        availability: found(
            text(&["availability", "stockStatus", "stock_status"]).or_else(|| has_stock(map)),
        )
        .and_then(|status| {
            availability::normalize(&status.value).map(|name| status.map(|_| name.to_owned()))
        }),
    };
    Some((fit + known.sku.is_some() as u8 as f32 * 0.2, known))
}

const CURRENCIES: [&str; 4] = ["currency", "priceCurrency", "currencyCode", "currency_code"];

/// Keys of the value in an object that stands where a value is expected, the plainest first.
#[rustfmt::skip]
const VALUES: [&str; 9] = [
    "name", "value", "amount", "current", "sale", "now", "final", "selling", "regular",
];

/// The value of an object that stands in place of a text: `{"value": 9.5}`, `{"current": {"amount": "9.50"}}`.
fn inner_text(object: &Map<String, Value>) -> Option<String> {
    let plain = |value: &Value| match value {
        Value::String(text) if !text.trim().is_empty() => Some(squeeze(text)),
        Value::Number(number) => Some(number.to_string()),
        _ => None,
    };
    VALUES.iter().find_map(|key| match object.get(*key)? {
        Value::Object(inner) => VALUES.iter().find_map(|key| plain(inner.get(*key)?)),
        value => plain(value),
    })
}

/// Whether the object says with yes or no that there is stock.
fn has_stock(map: &Map<String, Value>) -> Option<(&'static str, String)> {
    ["inStock", "isInStock", "in_stock", "available"]
        .iter()
        .find_map(|key| Some((*key, map.get(*key)?.as_bool()?.to_string())))
}

/// The currency within an object that holds a price.
fn nested_currency(price: &Value) -> Option<(&'static str, String)> {
    let price = price.as_object()?;
    let inner = VALUES.iter().find_map(|key| price.get(*key)?.as_object());
    std::iter::once(price).chain(inner).find_map(|object| {
        CURRENCIES
            .iter()
            .find_map(|key| Some((*key, squeeze(object.get(*key)?.as_str()?))))
    })
}

/// Most bytes between the id of a variant and its number in a script.
const VARIANT_REACH: usize = 1500;

/// The number of the variant that the address names (`?variant=4001`), from the scripts of the page: that of the object with
/// this id.
pub fn variant_sku(view: &VisiblePage<'_>) -> Option<Sourced<String>> {
    let pairs = view.page.url()?.query_pairs();
    let (_, wanted) = pairs.into_iter().find(|(key, _)| key == "variant")?;
    if wanted.len() < 4 || !wanted.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    let id = format!("\"id\":{wanted}");
    view.dom().by_tag("script").find_map(|script| {
        let text = script.raw_text();
        let from = text.find(&id)? + id.len();
        let mut end = (from + VARIANT_REACH).min(text.len());
        while !text.is_char_boundary(end) {
            end -= 1;
        }
        let rest = text.get(from..end)?;
        if rest.starts_with(|c: char| c.is_ascii_digit()) {
            return None;
        }
        // The next object with an id is another variant.
        let own = rest.split("\"id\":").next().unwrap_or(rest);
        let (_, behind) = own.split_once("\"sku\":\"")?;
        let sku = behind.split('"').next()?.trim();
        let source = FieldSource::State {
            path: "script.sku".to_owned(),
        };
        (!sku.is_empty() && !sku.contains('\\')).then(|| Sourced::new(sku.to_owned(), source))
    })
}

locale::patterns! {
    /// A price assigned in a script. Boundaries and classes of ASCII only: with those of Unicode a page that has other
    /// letters is searched many times slower.
    static ASSIGNED = r#"(?i)(?-u:\b)(?:product_?|sale_?|final_?|current_?|[a-z0-9_]{2,12}_product_)?price["']?\s*[:=]\s*["']\s*([$€£]?\s?[0-9][0-9.,]{0,12})["']"#;
}

/// The price that scripts assign most often, at least twice.
fn assigned(view: &VisiblePage<'_>) -> Option<ScriptProduct> {
    let mut counts: BTreeMap<String, usize> = BTreeMap::new();
    let mut bytes = 0;
    for script in view.dom().by_tag("script") {
        let text = script.raw_text();
        bytes += text.len();
        if bytes > MOST_BYTES {
            break;
        }
        for hit in ASSIGNED
            .captures_iter(&text)
            .filter_map(|captures| captures.get(1))
            .take(200)
        {
            let amount = price::parse(hit.as_str(), &PriceHints::default()).map(|price| price.amount);
            if let Some(amount) = amount
                .filter(|amount| amount.contains('.') && amount.bytes().any(|b| !matches!(b, b'0' | b'.')))
            {
                *counts.entry(amount).or_insert(0) += 1;
            }
        }
    }
    let (amount, count) = counts.into_iter().max_by_key(|(_, count)| *count)?;
    let source = FieldSource::State {
        path: "script.price".to_owned(),
    };
    (count >= 2).then(|| ScriptProduct {
        price: Some(Sourced::new(amount, source)),
        ..ScriptProduct::default()
    })
}
