//! The types of an OpenAPI document: its JSON Schemas as named types with fields, unions and literals.

use std::collections::BTreeMap;

use serde_json::{Map, Value};

/// Every named type, by its name.
pub(super) struct TypeTable {
    pub(super) types: BTreeMap<String, NamedType>,
    /// The name of the type that each schema of the document became.
    pub(super) of_schema: BTreeMap<String, String>,
}

#[derive(Debug, PartialEq)]
pub(super) struct NamedType {
    pub(super) doc: String,
    pub(super) kind: TypeKind,
}

#[derive(Debug, PartialEq)]
pub(super) enum TypeKind {
    /// An object: the types whose fields it has too, and its own.
    Fields { bases: Vec<String>, fields: Vec<Field> },
    /// Another name for a shape.
    Alias(Shape),
}

#[derive(Debug, PartialEq)]
pub(super) struct Field {
    pub(super) name: String,
    pub(super) doc: String,
    pub(super) required: bool,
    pub(super) shape: Shape,
    /// Its default, as JSON.
    pub(super) default: Option<String>,
    /// Its bounds in words.
    pub(super) bounds: Vec<String>,
}

/// What a value may be.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Shape {
    Any,
    Null,
    Boolean,
    Integer,
    Number,
    Text,
    /// One value, as JSON.
    Literal(String),
    List(Box<Shape>),
    /// An object with values of one shape.
    Map(Box<Shape>),
    Union(Vec<Shape>),
    Named(String),
}

impl TypeTable {
    /// Reads the schemas of a document but those that are left out.
    ///
    /// # Errors
    /// When two schemas of one name differ.
    pub(super) fn read(document: &Value, left_out: &[&str]) -> anyhow::Result<Self> {
        let schemas = document["components"]["schemas"].as_object();
        let schemas = schemas.ok_or_else(|| anyhow::anyhow!("the document has no schemas"))?;
        let of_schema = schemas
            .iter()
            .map(|(key, schema)| (key.clone(), name_of(key, schema)));
        let table = TypeTable {
            types: BTreeMap::new(),
            of_schema: of_schema.collect(),
        };
        let mut reader = Reader {
            table,
            renamed: BTreeMap::new(),
        };
        for (key, schema) in schemas
            .iter()
            .filter(|(key, _)| !left_out.contains(&key.as_str()))
        {
            reader.schema(key, schema)?;
        }
        Ok(reader.table)
    }
}

/// The name of a schema of the document: its title, else its key.
fn name_of(key: &str, schema: &Value) -> String {
    let title = schema["title"].as_str().unwrap_or_default();
    match !title.is_empty() && title.chars().all(char::is_alphanumeric) {
        true => title.to_owned(),
        false => pascal(key),
    }
}

/// Words in one, each with a capital.
fn pascal(text: &str) -> String {
    let words = text.split(|letter: char| !letter.is_alphanumeric());
    let capital = |word: &str| {
        let mut letters = word.chars();
        letters
            .next()
            .map(|first| first.to_uppercase().chain(letters).collect::<String>())
    };
    words.filter_map(capital).collect()
}

struct Reader {
    table: TypeTable,
    /// Definitions of the schema that is being read whose name another schema has given to something else.
    renamed: BTreeMap<String, String>,
}

impl Reader {
    /// Reads a schema with its definitions.
    fn schema(&mut self, key: &str, schema: &Value) -> anyhow::Result<()> {
        let name = self.table.of_schema[key].clone();
        self.renamed.clear();
        let definitions = schema["$defs"].as_object().cloned().unwrap_or_default();
        // A new name changes what refers to it, so that all is read again.
        loop {
            let taken: Vec<String> = definitions
                .iter()
                .filter(|(own, definition)| !self.renamed.contains_key(*own) && !self.define(own, definition))
                .map(|(own, _)| own.clone())
                .collect();
            let known = |own: &String| Some((own.clone(), self.known_as(own, &definitions[own])?));
            let Some((own, new)) = taken.iter().find_map(known).or_else(|| {
                let own = taken.first()?;
                Some((own.clone(), format!("{name}{own}")))
            }) else {
                break;
            };
            self.renamed.insert(own, new);
        }
        for (own, definition) in &definitions {
            let own = self.renamed.get(own).unwrap_or(own).clone();
            anyhow::ensure!(
                self.define(&own, definition),
                "two schemas are called {own} and differ"
            );
        }
        anyhow::ensure!(
            self.define(&name, schema),
            "two schemas are called {name} and differ"
        );
        Ok(())
    }

    /// The name under which another schema's definition of this kind stands already.
    fn known_as(&mut self, own: &str, definition: &Value) -> Option<String> {
        let names = self.table.types.keys().filter(|name| name.ends_with(own));
        let names: Vec<String> = names.cloned().collect();
        names.into_iter().find(|name| self.define(name, definition))
    }

    /// Adds a named type; false when the name stands for another one.
    fn define(&mut self, name: &str, schema: &Value) -> bool {
        let doc = schema["description"].as_str().unwrap_or_default().to_owned();
        let kind = self.kind(name, schema);
        let read = NamedType { doc, kind };
        match self.table.types.get(name) {
            Some(known) => *known == read,
            None => {
                self.table.types.insert(name.to_owned(), read);
                true
            }
        }
    }

    fn kind(&mut self, name: &str, schema: &Value) -> TypeKind {
        if let Some((bases, fields)) = self.object(name, schema) {
            return TypeKind::Fields { bases, fields };
        }
        TypeKind::Alias(self.shape(name, schema))
    }

    /// The bases and fields of an object; none for what is no object with fields.
    fn object(&mut self, name: &str, schema: &Value) -> Option<(Vec<String>, Vec<Field>)> {
        // A JSON Schema may also be true or false; its keywords are more than those that the document lists.
        if schema["type"]
            .as_array()
            .is_some_and(|kinds| kinds.iter().any(|kind| kind == "boolean"))
        {
            return None;
        }
        let own = schema["properties"].as_object().filter(|own| !own.is_empty());
        let parts = schema["allOf"].as_array().map(Vec::as_slice).unwrap_or_default();
        if own.is_none() && !parts.iter().any(|part| part["properties"].is_object()) {
            return None;
        }
        let mut bases: Vec<String> = self.target(schema).into_iter().collect();
        let mut fields: Vec<Field> = Vec::new();
        let required = schema["required"].as_array().cloned().unwrap_or_default();
        for (key, value) in own.into_iter().flatten() {
            fields.push(self.field(name, key, value, required.iter().any(|it| it == key)));
        }
        for part in parts {
            match self.object(name, part) {
                Some((more, others)) => {
                    bases.extend(more);
                    // A part may add to a field that stands already.
                    let others = others
                        .into_iter()
                        .filter(|other| !fields.iter().any(|it| it.name == other.name));
                    fields.extend(others.collect::<Vec<_>>());
                }
                None => bases.extend(self.target(part)),
            }
        }
        Some((bases, fields))
    }

    fn field(&mut self, owner: &str, key: &str, schema: &Value, required: bool) -> Field {
        let default = schema.get("default").filter(|value| !value.is_null());
        Field {
            name: key.to_owned(),
            doc: schema["description"].as_str().unwrap_or_default().to_owned(),
            required,
            shape: self.shape(&format!("{owner}{}", pascal(key)), schema),
            default: default.map(Value::to_string),
            bounds: bounds(schema),
        }
    }

    /// The type that a schema refers to.
    fn target(&self, schema: &Value) -> Option<String> {
        let path = schema["$ref"].as_str()?.strip_prefix("#/components/schemas/")?;
        match path.split_once("/$defs/") {
            Some((_, definition)) => {
                let renamed = self.renamed.get(definition).map(String::as_str);
                Some(renamed.unwrap_or(definition).to_owned())
            }
            None => self.table.of_schema.get(path).cloned(),
        }
    }

    /// What a value may be. `name` is for types that have no name of their own.
    fn shape(&mut self, name: &str, schema: &Value) -> Shape {
        if let Some(named) = self.target(schema) {
            return Shape::Named(named);
        }
        if let Some(value) = schema.get("const") {
            return Shape::Literal(value.to_string());
        }
        if let Some(values) = schema["enum"].as_array() {
            return union(
                values
                    .iter()
                    .map(|value| Shape::Literal(value.to_string()))
                    .collect(),
            );
        }
        if let Some(fields) = self.inline(name, schema) {
            return fields;
        }
        for key in ["oneOf", "anyOf"] {
            if let Some(variants) = schema[key].as_array() {
                let variants = variants.iter().map(|variant| self.variant(name, variant));
                return union(variants.collect());
            }
        }
        if let Some([part]) = schema["allOf"].as_array().map(Vec::as_slice) {
            return self.shape(name, part);
        }
        match &schema["type"] {
            Value::String(kind) => self.simple(name, kind, schema),
            Value::Array(kinds) => {
                let kinds = kinds.iter().filter_map(Value::as_str);
                union(kinds.map(|kind| self.simple(name, kind, schema)).collect())
            }
            _ => Shape::Any,
        }
    }

    /// An object without a name gets one.
    fn inline(&mut self, name: &str, schema: &Value) -> Option<Shape> {
        let (bases, fields) = self.object(name, schema)?;
        let doc = schema["description"].as_str().unwrap_or_default().to_owned();
        let kind = TypeKind::Fields { bases, fields };
        self.table.types.insert(name.to_owned(), NamedType { doc, kind });
        Some(Shape::Named(name.to_owned()))
    }

    /// One of several shapes; an object is named after what tells it from the others.
    fn variant(&mut self, name: &str, schema: &Value) -> Shape {
        let empty = Map::new();
        let fields = schema["properties"].as_object().unwrap_or(&empty);
        let mark = ["type", "event"]
            .iter()
            .find_map(|key| fields.get(*key)?["const"].as_str());
        let mark = mark.or_else(|| fields.keys().next().map(String::as_str));
        self.shape(&format!("{name}{}", pascal(mark.unwrap_or_default())), schema)
    }

    fn simple(&mut self, name: &str, kind: &str, schema: &Value) -> Shape {
        match kind {
            "null" => Shape::Null,
            "boolean" => Shape::Boolean,
            "integer" => Shape::Integer,
            "number" => Shape::Number,
            "string" => Shape::Text,
            "array" => {
                let item = schema
                    .get("items")
                    .map_or(Shape::Any, |items| self.shape(&format!("{name}Item"), items));
                Shape::List(Box::new(item))
            }
            "object" => {
                let values = schema
                    .get("additionalProperties")
                    .filter(|values| values.is_object());
                let values = values.map_or(Shape::Any, |values| self.shape(&format!("{name}Value"), values));
                Shape::Map(Box::new(values))
            }
            _ => Shape::Any,
        }
    }
}

/// Several shapes as one, each once.
fn union(shapes: Vec<Shape>) -> Shape {
    let mut each: Vec<Shape> = Vec::new();
    for shape in shapes {
        let parts = match shape {
            Shape::Union(parts) => parts,
            other => vec![other],
        };
        for part in parts {
            if part == Shape::Any {
                return Shape::Any;
            }
            if !each.contains(&part) {
                each.push(part);
            }
        }
    }
    match each.len() {
        0 => Shape::Any,
        1 => each.remove(0),
        _ => Shape::Union(each),
    }
}

/// The bounds of a value in words.
fn bounds(schema: &Value) -> Vec<String> {
    let number = |key: &str| schema.get(key).filter(|value| value.is_number());
    let range = |low: &str, high: &str, unit: &str| match (number(low), number(high)) {
        (Some(low), Some(high)) => Some(format!("{low} to {high}{unit}")),
        (Some(low), None) if low.as_f64() != Some(0.0) => Some(format!("at least {low}{unit}")),
        (None, Some(high)) => Some(format!("at most {high}{unit}")),
        _ => None,
    };
    [
        range("minimum", "maximum", ""),
        range("minLength", "maxLength", " characters"),
        range("minItems", "maxItems", " entries"),
    ]
    .into_iter()
    .flatten()
    .collect()
}
