//! Typed entities (schema.org) in the markup of a page.
//!
//! JSON-LD and microdata are brought into one form, a map of properties with its types, so that the rules above read both
//! the same way.

use std::borrow::Cow;

use page::meta::Metadata;
use page::{Page, meta};
use serde_json::{Map, Value};

use super::json_objects::objects;
use super::visible_page::squeeze;
use crate::provenance::FieldSource;

/// A page has no more entities than this; the rest is not read.
const MAX_ENTITIES: usize = 2_000;

/// The markup in which an entity is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum MarkupFormat {
    /// A JSON-LD block.
    JsonLd,
    /// Microdata attributes.
    Microdata,
    /// RDFa attributes.
    Rdfa,
}

impl MarkupFormat {
    /// The place at a path of the markup.
    pub(crate) fn source(self, path: String) -> FieldSource {
        match self {
            MarkupFormat::JsonLd => FieldSource::JsonLd { path },
            MarkupFormat::Microdata => FieldSource::Microdata { path },
            MarkupFormat::Rdfa => FieldSource::Rdfa { path },
        }
    }
}

/// A typed entity.
#[derive(Debug, Clone, PartialEq)]
pub struct TypedEntity<'m> {
    /// Its types in lower case without the vocabulary ("product").
    pub types: Vec<String>,
    /// Its properties.
    pub value: &'m Map<String, Value>,
    /// Its path (`json-ld[0].offers`).
    pub path: String,
    /// The markup in which it is written.
    pub markup: MarkupFormat,
}

/// Properties (lower case) behind which other products stand than those that a page sells or lists.
const OTHER_PRODUCTS: &[&str] = &[
    "isrelatedto",
    "issimilarto",
    "isaccessoryorsparepartfor",
    "review",
    "reviews",
    "hasvariant",
];

impl<'m> TypedEntity<'m> {
    /// Whether it is of one of the types (lower case).
    pub fn is(&self, types: &[&str]) -> bool {
        self.types.iter().any(|name| types.contains(&name.as_str()))
    }

    /// A property by name, whatever its case or prefix.
    pub fn get(&self, key: &str) -> Option<&'m Value> {
        get(self.value, key)
    }

    /// Whether it stands behind one of the properties (lower case).
    pub fn within(&self, properties: &[&str]) -> bool {
        self.path
            .to_ascii_lowercase()
            .split(['.', '['])
            .any(|part| properties.contains(&part))
    }

    /// Whether it is a product that the page sells or lists, and none that stands behind a property for others, such as
    /// `isRelatedTo`, or for opinions.
    pub fn is_own_product(&self) -> bool {
        self.is(&["product", "productgroup", "individualproduct"]) && !self.within(OTHER_PRODUCTS)
    }

    /// Where one of its properties was read.
    pub fn source(&self, key: &str) -> FieldSource {
        self.markup.source(format!("{}.{key}", self.path))
    }

    /// The first text of the first property that has one.
    pub fn text(&self, keys: &[&str]) -> Option<String> {
        keys.iter()
            .find_map(|key| texts(self.get(key)).into_iter().find(|it| !it.is_empty()))
    }
}

/// A property by name; `schema:` and addresses in front of it do not matter. Microdata keeps its properties one step deeper.
pub fn get<'v>(map: &'v Map<String, Value>, key: &str) -> Option<&'v Value> {
    let direct = map
        .get(key)
        .or_else(|| map.get("properties")?.as_object()?.get(key));
    direct.or_else(|| {
        let named = |map: &'v Map<String, Value>| {
            map.iter()
                .find(|(name, _)| local_name(name).eq_ignore_ascii_case(key))
                .map(|(_, value)| value)
        };
        named(map).or_else(|| map.get("properties")?.as_object().and_then(named))
    })
}

fn local_name(name: &str) -> &str {
    name.rsplit(['/', '#', ':']).next().unwrap_or(name)
}

/// Most entries of a list that are read.
const MAX_TEXTS: usize = 100;

/// The texts of a value: itself, or the names of the entities it refers to.
pub fn texts(value: Option<&Value>) -> Vec<String> {
    let mut out = Vec::new();
    let mut open: Vec<(&Value, u8)> = value.map(|inner| (inner, 0)).into_iter().collect();
    while let Some((value, depth)) = open.pop() {
        match value {
            Value::String(text) => out.push(clean(text)),
            Value::Number(number) => out.push(number.to_string()),
            Value::Array(list) if depth < 4 => {
                let first = list.iter().take(MAX_TEXTS).rev();
                open.extend(first.map(|inner| (inner, depth + 1)));
            }
            Value::Object(map) if depth < 4 => {
                let inner = ["name", "@value", "value", "text", "@id"]
                    .iter()
                    .find_map(|key| get(map, key));
                open.extend(inner.map(|inner| (inner, depth + 1)));
            }
            _ => {}
        }
    }
    out.retain(|it| !it.is_empty());
    out
}

/// White space collapsed, character references resolved once: many systems escape the texts of their JSON-LD as those of HTML.
fn clean(text: &str) -> String {
    if text.contains('&') && text.contains(';') {
        squeeze(&page::meta::decode_entities(text))
    } else {
        squeeze(text)
    }
}

/// The object that a value is, or the first one of a list.
pub(crate) fn object(value: Option<&Value>) -> Option<&Map<String, Value>> {
    match value? {
        Value::Object(map) => Some(map),
        Value::Array(list) => list.first()?.as_object(),
        _ => None,
    }
}

/// What opinions say on average, as markup states it.
#[derive(Debug, Clone, PartialEq, Default)]
pub(crate) struct AggregateRating {
    /// The average.
    pub(crate) average: Option<String>,
    /// The best rating that is allowed, where it is not five, by which ratings are counted where nothing is said.
    pub(crate) best: Option<String>,
    /// How many opinions there are.
    pub(crate) count: Option<String>,
}

impl AggregateRating {
    /// The value of `aggregateRating`, or the first one of a list. A share in percent is a rating of a hundred.
    pub(crate) fn of(value: Option<&Value>) -> Option<AggregateRating> {
        let map = object(value)?;
        let text = |key: &str| texts(get(map, key)).into_iter().next();
        let average = text("ratingValue");
        let share = average
            .as_deref()
            .and_then(|average| average.strip_suffix('%'))
            .map(|share| share.trim_end().to_owned());
        // Templates say of each rating that the best one is five.
        let of_hundred = share.as_ref().map(|_| "100".to_owned());
        let stated = || text("bestRating").map(|best| best.trim_end_matches(['%', ' ']).to_owned());
        Some(AggregateRating {
            best: of_hundred.or_else(stated).filter(|best| is_other_scale(best)),
            average: share.or(average),
            count: text("reviewCount").or_else(|| text("ratingCount")),
        })
    }
}

/// Whether a best rating is another than five.
fn is_other_scale(best: &str) -> bool {
    best.trim()
        .replace(',', ".")
        .parse::<f64>()
        .is_ok_and(|best| best > 0.0 && best != 5.0)
}

/// Whether RDFa names a type of anything; without one it only lists properties.
fn has_types_of_rdfa(page: &Page) -> bool {
    page.html().contains(" typeof=")
}

/// What the page's markup holds, as read.
#[derive(Debug, Clone, PartialEq)]
pub struct StructuredData<'m>([(MarkupFormat, Cow<'m, [Value]>); 3]);

impl<'m> StructuredData<'m> {
    /// Reads the markup of a page: JSON-LD, microdata, RDFa.
    pub fn read(page: &Page) -> StructuredData<'static> {
        let rdfa = if has_types_of_rdfa(page) {
            meta::rdfa(page)
        } else {
            Vec::new()
        };
        StructuredData([
            (MarkupFormat::JsonLd, Cow::Owned(meta::jsonld(page))),
            (MarkupFormat::Microdata, Cow::Owned(meta::microdata(page))),
            (MarkupFormat::Rdfa, Cow::Owned(rdfa)),
        ])
    }

    /// As [`StructuredData::read`], of a page whose markup was read before.
    pub(crate) fn of(page: &Page, metadata: &'m Metadata) -> StructuredData<'m> {
        let rdfa = if has_types_of_rdfa(page) {
            metadata.rdfa.as_slice()
        } else {
            &[]
        };
        StructuredData([
            (MarkupFormat::JsonLd, Cow::Borrowed(&metadata.jsonld)),
            (MarkupFormat::Microdata, Cow::Borrowed(&metadata.microdata)),
            (MarkupFormat::Rdfa, Cow::Borrowed(rdfa)),
        ])
    }

    /// Every typed entity: JSON-LD first, then microdata, then RDFa, each in document order, outer ones before inner ones.
    pub fn entities(&self) -> Vec<TypedEntity<'_>> {
        let mut entities = Vec::new();
        for (markup, values) in &self.0 {
            let name = match markup {
                MarkupFormat::JsonLd => "json-ld",
                MarkupFormat::Microdata => "microdata",
                MarkupFormat::Rdfa => "rdfa",
            };
            for (at, value) in values.iter().enumerate() {
                collect(value, format!("{name}[{at}]"), *markup, &mut entities);
            }
        }
        entities
    }
}

/// Opens a value and keeps every object that has a type, outermost first.
fn collect<'m>(root: &'m Value, path: String, markup: MarkupFormat, out: &mut Vec<TypedEntity<'m>>) {
    for (path, map) in objects(root, path, local_name) {
        if out.len() >= MAX_ENTITIES {
            return;
        }
        let types = types(map.get("@type").or_else(|| map.get("type")));
        if !types.is_empty() {
            out.push(TypedEntity {
                types,
                value: map,
                path,
                markup,
            });
        }
    }
}

fn types(value: Option<&Value>) -> Vec<String> {
    let list = match value {
        Some(Value::String(text)) => vec![text.as_str()],
        Some(Value::Array(list)) => list.iter().filter_map(Value::as_str).collect(),
        _ => Vec::new(),
    };
    list.iter()
        .flat_map(|name| name.split_whitespace())
        .map(|name| local_name(name).to_ascii_lowercase())
        .collect()
}
