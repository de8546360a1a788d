//! Projection of an item and the page it was read from onto a JSON schema, without a model.

mod entries;
mod formats;
mod labelled_values;
mod schema_shape;
mod values;

use page::Page;
use serde_json::{Map, Value};

use self::entries::entries;
pub use self::entries::{PutRows, put_rows};
use self::labelled_values::LabelledValues;
use self::schema_shape::{kinds, properties};
use self::values::{field_value, keep, written};
use crate::fields::named;
use crate::item::Item;

/// What a schema is filled with.
#[derive(Debug, Clone, PartialEq)]
pub struct Projection {
    /// The item in the shape of the schema: an object, or a list where the schema is one.
    pub data: Value,
    /// The properties that nothing fills, by their names; those of the entries of a list behind that of the list (`rows.price`),
    /// where no entry has them.
    pub unfilled: Vec<String>,
    /// The properties that some entries of a list do not have though they state something for them: in another unit than most, in
    /// words that are no one value of the type, or as an amount of another role; named as those of `unfilled`.
    pub withheld: Vec<String>,
}

/// The item in the shape of a schema, by the names of its properties: those of fields, else the labels and the headings of tables as
/// the page writes them. What is not stated is `null` where the schema allows it, and left out elsewhere.
pub fn project(page: &Page, item: &Item, schema: &Value) -> Projection {
    let labelled = LabelledValues::of(page);
    let (mut unfilled, mut withheld) = (Vec::new(), Vec::new());
    if kinds(schema).contains(&"array") {
        let list = entries(item, &labelled, schema, "");
        let mut data = list.data;
        unfilled.extend(list.unfilled);
        withheld.extend(list.withheld);
        formats::apply(page, &mut data, schema, &mut unfilled, &mut withheld);
        return Projection {
            data,
            unfilled,
            withheld,
        };
    }
    let mut out = Map::new();
    for (name, property) in properties(schema) {
        let field = named(name, item.page_type);
        let value = match field.as_str() {
            "url" => Some(Value::String(item.url.clone())),
            "page_type" => Some(Value::String(item.page_type.name().to_owned())),
            _ => field_value(item.fields(), name, item.page_type, property),
        };
        let stated = || {
            labelled
                .beside(name)
                .find_map(|text| written(&text, property, &labelled.numbers))
        };
        let mut list = || {
            let of_objects = properties(property.get("items").unwrap_or(&Value::Null))
                .next()
                .is_some();
            let list = of_objects.then(|| entries(item, &labelled, property, &format!("{name}.")))?;
            list.data.as_array().filter(|rows| !rows.is_empty())?;
            unfilled.extend(list.unfilled);
            withheld.extend(list.withheld);
            Some(list.data)
        };
        let value = value.or_else(stated).or_else(&mut list);
        if value.is_none() {
            unfilled.push(name.to_owned());
        }
        keep(&mut out, name, value, property);
    }
    let mut data = Value::Object(out);
    formats::apply(page, &mut data, schema, &mut unfilled, &mut withheld);
    Projection {
        data,
        unfilled,
        withheld,
    }
}

#[cfg(test)]
mod tests;
