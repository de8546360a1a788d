//! Items of JSON-LD, microdata and RDFa, read in one way.

use serde_json::Value;

use super::entities::decode_entities;
use super::metadata::Metadata;

/// Deepest nesting that is searched for items.
const MAX_DEPTH: usize = 40;
/// Most items that are read.
const MAX_ITEMS: usize = 20_000;

/// The format of an item.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum ItemFormat {
    /// JSON-LD.
    JsonLd,
    /// Microdata.
    Microdata,
    /// RDFa.
    Rdfa,
}

/// An item with its types and properties.
#[derive(Debug, Clone)]
pub struct StructuredItem<'a> {
    /// Its format.
    pub format: ItemFormat,
    /// Its path from the list of the format: `json-ld[0].offers`.
    pub path: String,
    value: &'a Value,
}

/// One value of a property, with its path.
#[derive(Debug, Clone)]
pub struct ItemProperty<'a> {
    /// Its path, such as `microdata[0].properties.offers.properties.price`.
    pub path: String,
    format: ItemFormat,
    value: &'a Value,
}

/// Every item of a page, outer ones before inner ones: JSON-LD first, then microdata, then RDFa.
#[derive(Debug)]
pub struct StructuredItems<'a> {
    all: Vec<StructuredItem<'a>>,
}

impl Metadata {
    /// Every item with properties.
    pub fn things(&self) -> StructuredItems<'_> {
        let mut all = Vec::new();
        for (format, name, list) in [
            (ItemFormat::JsonLd, "json-ld", &self.jsonld),
            (ItemFormat::Microdata, "microdata", &self.microdata),
            (ItemFormat::Rdfa, "rdfa", &self.rdfa),
        ] {
            for (at, value) in list.iter().enumerate() {
                gather(format, format!("{name}[{at}]"), value, &mut all);
            }
        }
        StructuredItems { all }
    }
}

fn gather<'a>(format: ItemFormat, path: String, value: &'a Value, out: &mut Vec<StructuredItem<'a>>) {
    // Last in, first out, so children are pushed backwards to come in order.
    let mut todo = vec![(path, value, 0usize)];
    while let Some((path, value, depth)) = todo.pop() {
        if depth > MAX_DEPTH || out.len() >= MAX_ITEMS {
            continue;
        }
        match value {
            Value::Object(map) => {
                out.push(StructuredItem {
                    format,
                    path: path.clone(),
                    value,
                });
                for (key, inner) in map
                    .iter()
                    .rev()
                    .filter(|(_, inner)| inner.is_object() || inner.is_array())
                {
                    let is_properties =
                        format == ItemFormat::Microdata && key == "properties" && inner.is_object();
                    if is_properties {
                        for (key, inner) in inner.as_object().into_iter().flatten().rev() {
                            if inner.is_object() || inner.is_array() {
                                todo.push((format!("{path}.properties.{key}"), inner, depth + 1));
                            }
                        }
                    } else {
                        todo.push((format!("{path}.{key}"), inner, depth + 1));
                    }
                }
            }
            Value::Array(list) => {
                for (at, inner) in list.iter().enumerate().rev() {
                    todo.push((format!("{path}[{at}]"), inner, depth + 1));
                }
            }
            Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
        }
    }
}

impl<'a> StructuredItems<'a> {
    /// Every item, in order.
    pub fn iter(&self) -> impl Iterator<Item = &StructuredItem<'a>> {
        self.all.iter()
    }

    /// Every item of one of these types, such as `Product`; vocabulary and case do not matter.
    pub fn of_type(&self, types: &[&str]) -> impl Iterator<Item = &StructuredItem<'a>> {
        self.all.iter().filter(move |thing| thing.is_any(types))
    }

    /// The item with this `@id`, which a property may only point to. Of several the one with the most properties.
    pub fn by_id(&self, id: &str) -> Option<&StructuredItem<'a>> {
        let same = |thing: &&StructuredItem<'a>| thing.id() == Some(id);
        self.all.iter().filter(same).max_by_key(|thing| thing.size())
    }
}

impl<'a> StructuredItem<'a> {
    /// The item as written.
    pub fn value(&self) -> &'a Value {
        self.value
    }

    /// The last part of each type: `Product` for `https://schema.org/Product`.
    pub fn types(&self) -> impl Iterator<Item = &'a str> {
        let key = if self.format == ItemFormat::Microdata {
            "type"
        } else {
            "@type"
        };
        each(self.value.get(key)).filter_map(Value::as_str).map(last_part)
    }

    /// Whether it is of this type, by its name without the vocabulary.
    pub fn is(&self, kind: &str) -> bool {
        self.types().any(|own| own.eq_ignore_ascii_case(kind))
    }

    /// Whether it is of one of these types.
    pub fn is_any(&self, kinds: &[&str]) -> bool {
        self.types()
            .any(|own| kinds.iter().any(|kind| own.eq_ignore_ascii_case(kind)))
    }

    /// Its `@id` or `itemid`.
    pub fn id(&self) -> Option<&'a str> {
        let key = if self.format == ItemFormat::Microdata {
            "id"
        } else {
            "@id"
        };
        self.value.get(key)?.as_str()
    }

    fn size(&self) -> usize {
        self.value.as_object().map_or(0, serde_json::Map::len)
    }

    /// Every value of a property, lists taken apart.
    pub fn get(&self, property: &str) -> Vec<ItemProperty<'a>> {
        let (map, inner) = match self.format {
            ItemFormat::JsonLd | ItemFormat::Rdfa => (self.value, ""),
            ItemFormat::Microdata => (
                self.value.get("properties").unwrap_or(&Value::Null),
                ".properties",
            ),
        };
        let Some(map) = map.as_object() else {
            return Vec::new();
        };
        // `schema:name` and `http://schema.org/name` are `name` too.
        let qualified = || {
            map.iter()
                .find(|(key, _)| key.contains(':') && last_part(key) == property)
        };
        let Some((key, value)) = map.get_key_value(property).or_else(qualified) else {
            return Vec::new();
        };
        values(self.format, format!("{}{inner}.{key}", self.path), value)
    }

    /// The first value of a property that has text.
    pub fn text(&self, property: &str) -> Option<(String, String)> {
        self.get(property)
            .iter()
            .find_map(|prop| Some((prop.text()?, prop.path.clone())))
    }
}

/// The values of a property: a list is taken apart, a list in a list stays one value.
fn values<'a>(format: ItemFormat, path: String, value: &'a Value) -> Vec<ItemProperty<'a>> {
    let values: Vec<(String, &Value)> = match value {
        Value::Array(list) => {
            let members = list.iter().enumerate();
            members
                .map(|(at, value)| (format!("{path}[{at}]"), value))
                .collect()
        }
        value => vec![(path, value)],
    };
    let written = values.into_iter().filter(|(_, value)| !value.is_null());
    written
        .map(|(path, value)| ItemProperty { path, format, value })
        .collect()
}

impl<'a> ItemProperty<'a> {
    /// The value as written.
    pub fn value(&self) -> &'a Value {
        self.value
    }

    /// The value as text, trimmed, with character references decoded: strings, numbers, `@value`, or the `@id` that
    /// is pointed to. `None` for items and for empty text.
    pub fn text(&self) -> Option<String> {
        let text = match self.value {
            Value::String(text) => text.clone(),
            Value::Number(number) => number.to_string(),
            Value::Object(map) => match (map.get("@value"), map.get("@id")) {
                (Some(Value::String(text)), _) => text.clone(),
                (Some(Value::Number(number)), _) => number.to_string(),
                (_, Some(Value::String(id))) if map.len() == 1 => id.clone(),
                _ => return None,
            },
            Value::Null | Value::Bool(_) | Value::Array(_) => return None,
        };
        let text = decode_entities(text.trim());
        Some(text.trim().to_owned()).filter(|text| !text.is_empty())
    }

    /// The value as an item, when it is written in place.
    pub fn thing(&self) -> Option<StructuredItem<'a>> {
        let map = self.value.as_object().filter(|map| !map.contains_key("@value"))?;
        (map.len() > 1 || !map.contains_key("@id")).then(|| StructuredItem {
            format: self.format,
            path: self.path.clone(),
            value: self.value,
        })
    }

    /// The `@id` of the item that is written or pointed to.
    pub fn id(&self) -> Option<&'a str> {
        self.value.get("@id")?.as_str()
    }
}

fn each(value: Option<&Value>) -> impl Iterator<Item = &Value> {
    let (one, several) = match value {
        Some(Value::Array(list)) => (None, list.as_slice()),
        other => (other, [].as_slice()),
    };
    one.into_iter().chain(several)
}

/// What follows the last `/`, `#` or `:`.
fn last_part(iri: &str) -> &str {
    let iri = iri.trim().trim_end_matches('/');
    iri.rsplit(['/', '#', ':']).next().unwrap_or(iri)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Page;

    #[test]
    fn a_product_is_found_in_every_format() {
        let html = r##"<script type="application/ld+json">{"@graph":[{"@type":["Thing","http://schema.org/Product"],
            "name":"Tea &amp; pot","offers":[{"@type":"Offer","price":12.5}],"brand":{"@id":"#b"}},
            {"@id":"#b","@type":"Brand","name":"B"}]}</script>
            <div itemscope itemtype="https://schema.org/Product"><b itemprop="name">M</b></div>
            <p vocab="http://schema.org/" typeof="Product"><b property="name">R</b></p>"##;
        let metadata = Metadata::read(&Page::new(html, None));
        let things = metadata.things();
        let names: Vec<_> = things
            .of_type(&["product"])
            .filter_map(|it| it.text("name"))
            .collect();
        let expected = [
            ("Tea & pot", "json-ld[0].@graph[0].name"),
            ("M", "microdata[0].properties.name"),
            ("R", "rdfa[1].http://schema.org/name[0]"),
        ];
        assert_eq!(
            names,
            expected.map(|(name, path)| (name.to_owned(), path.to_owned()))
        );
        let product = things.of_type(&["Product"]).next().unwrap();
        let offer = product
            .get("offers")
            .first()
            .and_then(ItemProperty::thing)
            .unwrap();
        assert_eq!(
            offer.text("price").unwrap().1,
            "json-ld[0].@graph[0].offers[0].price"
        );
        let brand = product
            .get("brand")
            .first()
            .and_then(ItemProperty::id)
            .and_then(|id| things.by_id(id))
            .unwrap();
        assert_eq!(brand.text("name").unwrap().0, "B");
    }
}
