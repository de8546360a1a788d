//! Product facts in markup: JSON-LD, microdata, product meta tags.

use page::dom::Dom;
use serde_json::{Map, Value};

use super::super::entities::{AggregateRating, MarkupFormat, TypedEntity, get, object, texts};
use super::super::visible_page::{VisiblePage, covered, meta, words};
use crate::provenance::{FieldSource, Sourced};
use locale::price;

/// Where an offer is written.
#[derive(Debug, Clone, PartialEq)]
enum OfferPlace {
    /// At a path of the markup of an entity.
    Entity { markup: MarkupFormat, path: String },
    /// In tags of the head: each property with the name of its tag, that of the price first.
    Head { tags: Vec<(&'static str, String)> },
}

/// One offer of the markup.
#[derive(Debug, Clone, PartialEq)]
pub struct MarkupOffer {
    /// The amount as an exact decimal, more than nothing.
    pub price: Option<String>,
    /// Whether it says that its price is nothing, as many templates do of what is not free.
    pub is_free: bool,
    /// The currency as the markup writes it.
    pub currency: Option<String>,
    /// The last part of the schema.org address ("InStock").
    pub availability: Option<String>,
    /// Stock keeping unit of the offered variant.
    pub sku: Option<Sourced<String>>,
    /// Address of the offered variant.
    pub url: Option<String>,
    place: OfferPlace,
}

impl MarkupOffer {
    /// Where one of its properties was read.
    pub(crate) fn source(&self, property: &str) -> FieldSource {
        match &self.place {
            OfferPlace::Entity { markup, path } => markup.source(format!("{path}.{property}")),
            OfferPlace::Head { tags } => {
                let own = tags.iter().find(|(of, _)| *of == property);
                let tag = own.or(tags.first());
                FieldSource::meta(tag.map(|(_, name)| name.as_str()).unwrap_or_default())
            }
        }
    }

    /// Whether it is one of a variant of the product.
    pub(super) fn is_of_variant(&self) -> bool {
        matches!(&self.place, OfferPlace::Entity { path, .. } if path.contains(".hasVariant["))
    }

    /// Whether it says more than that something is free.
    fn is_of_goods(&self) -> bool {
        self.price.is_some() || self.availability.is_some() || self.sku.is_some()
    }
}

/// What the markup says about the main product.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct ProductMarkup {
    /// The product's name.
    pub name: Option<Sourced<String>>,
    /// Its offers, in order.
    pub offers: Vec<MarkupOffer>,
    /// The currency of an offer whose price is nothing.
    pub free_currency: Option<Sourced<String>>,
    /// Stock keeping unit.
    pub sku: Option<Sourced<String>>,
    /// Manufacturer's part number.
    pub mpn: Option<Sourced<String>>,
    /// Global trade item number.
    pub gtin: Option<Sourced<String>>,
    /// Brand, else manufacturer.
    pub brand: Option<Sourced<String>>,
    /// Description.
    pub description: Option<Sourced<String>>,
    /// Main picture.
    pub image: Option<Sourced<String>>,
    /// Average rating.
    pub rating: Option<Sourced<String>>,
    /// The best rating that is allowed, where it is not five.
    pub best_rating: Option<Sourced<String>>,
    /// Count of reviews, else of ratings.
    pub review_count: Option<Sourced<String>>,
    /// Whether a product entity was found at all.
    pub found: bool,
    /// Whether the heading or the title names it.
    pub subject: bool,
}

/// Types of entities that are for sale.
#[rustfmt::skip]
const TYPES: &[&str] = &[
    "product", "productmodel", "individualproduct", "productgroup", "someproducts", "vehicle", "car",
    "softwareapplication", "mobileapplication", "book", "event", "musicevent", "theaterevent",
];

/// Properties behind which other products stand.
#[rustfmt::skip]
const ASIDE: &[&str] = &[
    "isrelatedto", "issimilarto", "isaccessoryorsparepartfor", "isconsumablefor", "itemlistelement", "itemoffered",
    "review", "reviews", "hasvariant",
];

/// Properties behind which something is sold that is not what the page is about, such as the newspaper of an article.
const NOT_SOLD_HERE: &[&str] = &["ispartof", "publisher", "author", "sponsor"];

/// Reads the main product of the markup.
pub fn read(view: &VisiblePage<'_>, entities: &[TypedEntity<'_>]) -> ProductMarkup {
    let mut out = ProductMarkup::default();
    if let Some(entity) = main(view, entities) {
        fill(&mut out, entity, entities);
        let own = words(out.name.as_ref().map_or("", |name| name.value.as_str()));
        let heading = view.heading.iter().map(|heading| heading.text.as_str());
        let named = |title: &str| covered(&own, &words(title)) >= 0.6;
        out.subject = heading.chain(view.titles.iter().map(String::as_str)).any(named);
    }
    out.offers.retain(MarkupOffer::is_of_goods);
    let loose: Vec<MarkupOffer> = if out.offers.is_empty() && out.found {
        loose_offers(entities)
    } else {
        Vec::new()
    };
    out.offers.extend(loose);
    from_meta(view.dom(), &mut out);
    out
}

/// The product that the page is about: the one its heading names, not one of a list.
fn main<'t>(view: &VisiblePage<'_>, entities: &'t [TypedEntity<'t>]) -> Option<&'t TypedEntity<'t>> {
    let heading: Vec<Vec<String>> = view
        .heading
        .iter()
        .map(|heading| heading.text.as_str())
        .chain(view.titles.iter().map(String::as_str))
        .map(words)
        .collect();
    let mut best: Option<(f32, &TypedEntity<'_>)> = None;
    let products: Vec<&TypedEntity<'_>> = entities
        .iter()
        .filter(|entity| entity.is(TYPES) && !entity.within(NOT_SOLD_HERE))
        .collect();
    let many = products.len();
    for (order, entity) in products.into_iter().enumerate() {
        let name = texts(entity.get("name")).into_iter().next().unwrap_or_default();
        let own = words(&name);
        let named = heading
            .iter()
            .map(|title| covered(&own, title))
            .fold(0.0, f32::max);
        let mut score = named * 3.0 - 0.01 * order as f32;
        if entity.get("offers").is_some() {
            score += 1.0;
        }
        if !entity.is(&["product", "productgroup", "individualproduct", "productmodel"]) {
            score -= 0.8;
        }
        if entity.within(ASIDE) {
            score -= if many > 1 { 2.0 } else { 0.5 };
        }
        score += (entity.value.len() as f32 * 0.03).min(0.4);
        if best.is_none_or(|(most, _)| score > most) {
            best = Some((score, entity));
        }
    }
    // One of many that the heading does not name is not the page's subject.
    best.filter(|(score, _)| many < 4 || *score > 1.2)
        .map(|(_, entity)| entity)
}

fn fill(out: &mut ProductMarkup, entity: &TypedEntity<'_>, entities: &[TypedEntity<'_>]) {
    out.found = true;
    let text = |keys: &[&str]| {
        keys.iter().find_map(|key| {
            let value = texts(entity.get(key)).into_iter().find(|it| !it.is_empty())?;
            Some(Sourced::new(value, entity.source(key)))
        })
    };
    out.name = text(&["name"]);
    out.sku =
        text(&["sku", "productID", "productId"]).map(|sku| sku.map(|sku| without_scheme(&sku).to_owned()));
    out.mpn = text(&["mpn"]);
    // The older number of a book, of ten digits, is no trade item number.
    let is_trade_number =
        |isbn: &Sourced<String>| isbn.value.chars().filter(char::is_ascii_digit).count() == 13;
    out.gtin = text(&["gtin13", "gtin", "gtin14", "gtin12", "gtin8", "ean"])
        .or_else(|| text(&["isbn"]).filter(is_trade_number));
    // Behind a bar stands what a shop says of itself.
    out.brand = named(entity, &["brand", "manufacturer"], entities)
        .map(|brand| brand.map(|name| name.split(" | ").next().unwrap_or(&name).trim().to_owned()));
    out.description = text(&["description"]);
    out.image = image(entity);
    if let Some(rating) = AggregateRating::of(entity.get("aggregateRating")) {
        let sourced = |value: Option<String>| Some(Sourced::new(value?, entity.source("aggregateRating")));
        out.rating = sourced(rating.average);
        out.best_rating = sourced(rating.best);
        out.review_count = sourced(rating.count);
    }
    out.free_currency = free_currency(entity);
    out.offers.extend(entity_offers(entity));
    if out.offers.iter().all(|offer| offer.price.is_none())
        && let Some(Value::Array(variants)) = entity.get("hasVariant")
    {
        for (at, variant) in variants.iter().enumerate().take(50) {
            if let Some(map) = variant.as_object() {
                let path = format!("{}.hasVariant[{at}]", entity.path);
                let from = out.offers.len();
                let place = format!("{path}.offers");
                offers(get(map, "offers"), entity.markup, place, &mut out.offers);
                let sku = sku_of(map, entity.markup, &path);
                for offer in out
                    .offers
                    .iter_mut()
                    .skip(from)
                    .filter(|offer| offer.sku.is_none())
                {
                    offer.sku.clone_from(&sku);
                }
            }
        }
    }
}

/// A number of a product without the scheme before it: "isbn:9780306406157". Other words with a colon are part of the number.
fn without_scheme(id: &str) -> &str {
    const SCHEMES: [&str; 7] = ["isbn", "sku", "mpn", "gtin", "ean", "upc", "asin"];
    let is_scheme = |scheme: &str| {
        let name = scheme.trim().trim_end_matches(|c: char| c.is_ascii_digit());
        SCHEMES.contains(&name.to_ascii_lowercase().as_str())
    };
    match id.split_once(':') {
        Some((scheme, number)) if is_scheme(scheme) => number.trim(),
        _ => id,
    }
}

/// The name that a property states, in place or in another entity that it refers to.
fn named(entity: &TypedEntity<'_>, keys: &[&str], entities: &[TypedEntity<'_>]) -> Option<Sourced<String>> {
    keys.iter().find_map(|key| {
        let value = entity.get(key)?;
        let names = match reference(value) {
            Some(id) => {
                let is_meant = |other: &&TypedEntity<'_>| {
                    other.value.get("@id").and_then(Value::as_str) == Some(id) && other.get("name").is_some()
                };
                texts(entities.iter().find(is_meant)?.get("name"))
            }
            None => texts(Some(value)),
        };
        let name = names
            .into_iter()
            .find(|it| !it.is_empty() && !it.starts_with("http"))?;
        Some(Sourced::new(name, entity.source(key)))
    })
}

/// The `@id` of a value that says nothing else of the thing it means.
fn reference(value: &Value) -> Option<&str> {
    let map = object(Some(value))?;
    let is_named = ["name", "@value", "value", "text"]
        .iter()
        .any(|key| get(map, key).is_some());
    map.get("@id").filter(|_| !is_named)?.as_str()
}

/// The currency of an offer that is free of charge: a price of nothing stands in many templates, and only with a page that says so
/// is it one.
fn free_currency(entity: &TypedEntity<'_>) -> Option<Sourced<String>> {
    let offer = object(entity.get("offers"))?;
    let price = texts(get(offer, "price")).into_iter().next()?;
    let digits = || price.chars().filter(char::is_ascii_digit);
    let is_nothing = digits().count() > 0 && digits().all(|digit| digit == '0');
    let currency = texts(get(offer, "priceCurrency")).into_iter().next();
    let currency = currency.filter(|_| is_nothing)?;
    Some(Sourced::new(currency, entity.source("offers.priceCurrency")))
}

/// The stock keeping unit of a variant or an offer that stands at `path`.
fn sku_of(map: &Map<String, Value>, markup: MarkupFormat, path: &str) -> Option<Sourced<String>> {
    let sku = texts(get(map, "sku")).into_iter().find(|it| !it.is_empty())?;
    Some(Sourced::new(sku, markup.source(format!("{path}.sku"))))
}

fn image(entity: &TypedEntity<'_>) -> Option<Sourced<String>> {
    let mut value = entity.get("image")?;
    for _ in 0..4 {
        value = match value {
            Value::Array(list) => list.first()?,
            // An `@id` names a thing of the markup, and is no address of a picture.
            Value::Object(map) => ["contentUrl", "url", "thumbnail"]
                .iter()
                .find_map(|key| map.get(*key))?,
            Value::String(text) => {
                let text = text.trim();
                return (!text.is_empty()).then(|| Sourced::new(text.to_owned(), entity.source("image")));
            }
            _ => return None,
        };
    }
    None
}

/// The offers of an entity, in their order, with those that are free of charge.
pub(crate) fn entity_offers(entity: &TypedEntity<'_>) -> Vec<MarkupOffer> {
    let mut out = Vec::new();
    let path = format!("{}.offers", entity.path);
    offers(entity.get("offers"), entity.markup, path, &mut out);
    out
}

/// Offers in the order of the markup; an offer of offers is opened.
fn offers(value: Option<&Value>, markup: MarkupFormat, path: String, out: &mut Vec<MarkupOffer>) {
    let mut open: Vec<(String, &Value)> = value.map(|value| (path, value)).into_iter().collect();
    let mut seen = 0;
    while let Some((path, value)) = open.pop() {
        seen += 1;
        if seen > 300 {
            break;
        }
        match value {
            Value::Array(list) => {
                open.extend(
                    list.iter()
                        .enumerate()
                        .rev()
                        .map(|(at, entry)| (format!("{path}[{at}]"), entry)),
                );
            }
            Value::Object(map) => {
                let offer = offer(map, markup, &path);
                let nested = get(map, "offers").filter(|_| offer.price.is_none());
                if offer.is_of_goods() || offer.is_free {
                    out.push(offer);
                }
                open.extend(nested.map(|inner| (format!("{path}.offers"), inner)));
            }
            _ => {}
        }
    }
}

/// Properties of offers that state what they cost.
const PRICES: [&str; 3] = ["price", "lowPrice", "salePrice"];

fn offer(map: &Map<String, Value>, markup: MarkupFormat, path: &str) -> MarkupOffer {
    let text = |key: &str| texts(get(map, key)).into_iter().find(|it| !it.is_empty());
    let mut price = PRICES.iter().find_map(|key| amount(get(map, key)));
    let mut currency = text("priceCurrency").or_else(|| text("currency"));
    let mut is_free = price.is_none() && PRICES.iter().any(|key| is_nothing(get(map, key)));
    if price.is_none()
        && let Some(specification) = price_specification(map)
    {
        let prices = || ["price", "minPrice"].iter().map(|key| get(specification, key));
        price = prices().find_map(amount);
        is_free = price.is_none() && (is_free || prices().any(is_nothing));
        currency = currency.or_else(|| texts(get(specification, "priceCurrency")).into_iter().next());
    }
    let availability = text("availability").map(|address| {
        address
            .rsplit(['/', '#', ':'])
            .next()
            .unwrap_or_default()
            .trim()
            .to_owned()
    });
    MarkupOffer {
        price,
        is_free,
        currency,
        availability,
        sku: sku_of(map, markup, path),
        url: text("url"),
        place: OfferPlace::Entity {
            markup,
            path: path.to_owned(),
        },
    }
}

/// The specification of what everybody pays for the whole of an offer. That of the price before a reduction is none; those of a price
/// for a unit of measure, for members and for each month are it only where there is no other.
fn price_specification(map: &Map<String, Value>) -> Option<&Map<String, Value>> {
    const OF_SOMETHING_ELSE: [&str; 4] = [
        "referenceQuantity",
        "unitCode",
        "validForMemberTier",
        "billingDuration",
    ];
    let list: Vec<&Value> = match get(map, "priceSpecification")? {
        Value::Array(list) => list.iter().collect(),
        one => vec![one],
    };
    let is_of_list = |specification: &Map<String, Value>| {
        let kind = texts(get(specification, "priceType")).join(" ").to_lowercase();
        ["list", "strike", "msrp", "srp"]
            .iter()
            .any(|name| kind.contains(name))
    };
    let costs = |specification: &Map<String, Value>| {
        let mut prices = ["price", "minPrice"].iter();
        prices.any(|key| amount(get(specification, key)).is_some())
    };
    let of_all = |specification: &Map<String, Value>| {
        let mut others = OF_SOMETHING_ELSE.iter();
        others.all(|key| get(specification, key).is_none())
    };
    let own: Vec<&Map<String, Value>> = list
        .into_iter()
        .filter_map(Value::as_object)
        .filter(|specification| !is_of_list(specification))
        .collect();
    let mut priced = own.iter().copied().filter(|specification| costs(specification));
    let first = priced.clone().next();
    priced
        .find(|specification| of_all(specification))
        .or(first)
        .or(own.first().copied())
}

/// Whether a price of markup is nothing.
fn is_nothing(value: Option<&Value>) -> bool {
    written_amount(value).is_some_and(|amount| !is_more_than_nothing(&amount))
}

fn is_more_than_nothing(amount: &str) -> bool {
    amount.bytes().any(|b| !matches!(b, b'0' | b'.'))
}

/// A price of markup that is more than nothing.
fn amount(value: Option<&Value>) -> Option<String> {
    written_amount(value).filter(|amount| is_more_than_nothing(amount))
}

fn written_amount(value: Option<&Value>) -> Option<String> {
    written_price(value).map(|(amount, _)| amount)
}

/// A price of markup: a number, or text whose point is the decimal one when it reads as a plain number. Its amount as an exact decimal,
/// and the ISO 4217 code of a currency beside it.
pub(crate) fn written_price(value: Option<&Value>) -> Option<(String, Option<&'static str>)> {
    let text = match value? {
        Value::Number(number) => number.to_string(),
        Value::String(text) => text.trim().to_owned(),
        Value::Array(list) => match list.first()? {
            Value::Number(number) => number.to_string(),
            Value::String(text) => text.trim().to_owned(),
            _ => return None,
        },
        _ => return None,
    };
    if text.starts_with('-') {
        return None;
    }
    // schema.org wants a plain number with a point: "1.234" is one and a bit there.
    let plain = !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit() || b == b'.');
    let hints = price::PriceHints {
        decimal_separator: plain.then_some('.'),
        ..price::PriceHints::default()
    };
    let scientific = text
        .contains(['e', 'E'])
        .then(|| text.parse::<f64>().ok())
        .flatten();
    let text = scientific.map_or(text, |number| format!("{number}"));
    price::parse(&text, &hints).map(|price| (price.amount, price.iso))
}

fn loose_offers(entities: &[TypedEntity<'_>]) -> Vec<MarkupOffer> {
    let offers = entities
        .iter()
        .filter(|entity| entity.is(&["offer", "aggregateoffer"]) && !entity.within(ASIDE));
    offers
        .map(|entity| offer(entity.value, entity.markup, &entity.path))
        .filter(|offer| offer.price.is_some())
        .take(1)
        .collect()
}

/// What `product:` and `og:` meta tags add.
fn from_meta(dom: &Dom, out: &mut ProductMarkup) {
    let found = |names: &[&str]| {
        names.iter().find_map(|name| {
            meta(dom, name).map(|content| Sourced::new(content.to_owned(), FieldSource::meta(*name)))
        })
    };
    let price = found(&[
        "product:sale_price:amount",
        "product:price:amount",
        "og:price:amount",
        "twitter:data1:price",
    ]);
    if out.offers.iter().all(|offer| offer.price.is_none())
        && let Some(price) = price
        && let Some(amount) = amount(Some(&Value::String(price.value.clone())))
    {
        let currency = found(&[
            "product:sale_price:currency",
            "product:price:currency",
            "og:price:currency",
        ]);
        let availability = found(&["product:availability", "og:availability"]);
        let tags = [
            ("price", Some(&price)),
            ("priceCurrency", currency.as_ref()),
            ("availability", availability.as_ref()),
        ];
        let name = |tag: &Sourced<String>| match &tag.source {
            FieldSource::Meta { name } => Some(name.clone()),
            _ => None,
        };
        let tags = tags
            .into_iter()
            .filter_map(|(property, tag)| Some((property, tag.and_then(name)?)))
            .collect();
        out.offers.push(MarkupOffer {
            price: Some(amount),
            is_free: false,
            currency: currency.map(|tag| tag.value),
            availability: availability.map(|tag| tag.value),
            sku: None,
            url: None,
            place: OfferPlace::Head { tags },
        });
    }
    out.brand = out.brand.take().or_else(|| found(&["product:brand", "og:brand"]));
    out.sku = out
        .sku
        .take()
        .or_else(|| found(&["product:retailer_item_id", "product:sku"]));
    out.gtin = out
        .gtin
        .take()
        .or_else(|| found(&["product:ean", "product:gtin", "product:upc", "product:isbn"]));
    out.mpn = out.mpn.take().or_else(|| found(&["product:mfr_part_no"]));
    out.image = out
        .image
        .take()
        .or_else(|| found(&["og:image:secure_url", "og:image", "twitter:image"]));
}
