//! Projection of an item and the page it was read from onto a JSON schema, without a model.

mod entries;
mod formats;
mod hotel_class;
mod labelled_values;
mod numbers;
mod schema_shape;
mod values;

use page::Page;
use serde_json::{Map, Value};

use self::entries::entries;
pub use self::entries::{PutRows, put_rows};
use self::labelled_values::LabelledValues;
use self::schema_shape::{is_list_of_objects, kinds, properties};
pub use self::schema_shape::{names_properties, resolved_schema};
use self::values::{field_value, keep, written, written_of_field, written_parts};
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
    let schema = &resolved_schema(schema);
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
        let of_field = || match field.as_str() {
            "url" => Some(Value::String(item.url.clone())),
            "page_type" => Some(Value::String(item.page_type.name().to_owned())),
            _ => field_value(item.fields(), name, item.page_type, property, &labelled.numbers),
        };
        let stated = || {
            labelled.beside(name).find_map(|pair| {
                let parts = || written_parts(&labelled.parts(pair)?, property, &labelled.numbers);
                parts().or_else(|| written_of_field(&pair.value, &field, property, &labelled.numbers))
            })
        };
        let mut list = || {
            let list = entries(item, &labelled, property, &format!("{name}."));
            list.data.as_array().filter(|rows| !rows.is_empty())?;
            unfilled.extend(list.unfilled);
            withheld.extend(list.withheld);
            Some(list.data)
        };
        let value = match is_list_of_objects(property) {
            true => of_field().filter(is_of_objects).or_else(&mut list),
            false
                if hotel_class::is_asked(name, properties(schema).map(|(name, _)| name), item.page_type) =>
            {
                let stars = hotel_class::stars(page);
                stars
                    .and_then(|stars| written(&stars, property, &labelled.numbers))
                    .or_else(stated)
            }
            // Where a page has both "Score" and "Rating", one is not the other.
            false if labelled.tells_apart(name, &field, item.page_type) => stated(),
            false => of_field().or_else(stated),
        };
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

/// Whether a value is a list of objects, as a place for one asks: the texts and numbers of a field of the same name are none.
fn is_of_objects(value: &Value) -> bool {
    let entries = value.as_array();
    entries.is_some_and(|entries| entries.iter().all(Value::is_object))
}

#[cfg(test)]
mod tests;
