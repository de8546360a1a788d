//! Forms made from JSON Schemas, and the JSON that a filled form stands for.

use serde::Serialize;
use serde_json::{Map, Value, json};

use super::form_body::FormBody;

/// What begins the names of a form's fields.
const PREFIX: &str = "f:";
/// Texts that usually take several lines.
const LONG_TEXTS: &[&str] = &[
    "task",
    "instructions",
    "query",
    "guardrails",
    "output_instructions",
    "html",
    "text",
];

/// How a field is filled in.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum FieldKind {
    Line,
    Text,
    /// One text a line.
    List,
    Number,
    Switch,
    Choice,
    Json,
}

/// A field of a form.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub(super) struct SchemaField {
    /// The name of the property.
    pub(super) name: String,
    /// The name of the field in the form.
    pub(super) input: String,
    pub(super) help: String,
    pub(super) kind: FieldKind,
    pub(super) required: bool,
    pub(super) choices: Vec<String>,
    /// What holds when nothing is given.
    pub(super) default: String,
    pub(super) minimum: Option<i64>,
    pub(super) maximum: Option<i64>,
    /// What the field holds.
    pub(super) value: String,
}

/// A text in the form that is none of what its field takes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct FieldError {
    pub(super) name: String,
    pub(super) text: String,
}

/// The fields of a schema's properties, those that are required first.
pub(super) fn fields(schema: &Value) -> Vec<SchemaField> {
    let empty = Map::new();
    let properties = schema["properties"].as_object().unwrap_or(&empty);
    let is_required = |name: &str| {
        schema["required"]
            .as_array()
            .is_some_and(|it| it.iter().any(|it| it == name))
    };
    let field = |(name, property): (&String, &Value)| {
        let (kind, choices) = kind_of(schema, name, property);
        let default = shown(&property["default"], kind);
        // A switch always has a value, so the form begins with the usual one.
        let value = if kind == FieldKind::Switch {
            default.clone()
        } else {
            String::new()
        };
        SchemaField {
            name: name.clone(),
            input: format!("{PREFIX}{name}"),
            help: property["description"]
                .as_str()
                .unwrap_or_default()
                .replace(" An addition of ours.", "")
                .replace('`', ""),
            kind,
            required: is_required(name),
            choices,
            default,
            minimum: property["minimum"].as_i64(),
            maximum: property["maximum"].as_i64(),
            value,
        }
    };
    let mut fields: Vec<SchemaField> = properties.iter().map(field).collect();
    fields.sort_by_key(|it| !it.required);
    fields
}

/// The property without null and references.
fn resolved<'a>(schema: &'a Value, property: &'a Value) -> &'a Value {
    let mut at = property;
    // A schema of ours is two references deep at most.
    for _ in 0..8 {
        let choices = at["anyOf"].as_array();
        let only = choices.and_then(|it| it.iter().find(|it| it["type"] != "null"));
        let target = at["$ref"]
            .as_str()
            .and_then(|it| schema.pointer(it.strip_prefix('#')?));
        match only.or(target) {
            Some(next) => at = next,
            None => break,
        }
    }
    at
}

fn kind_of(schema: &Value, name: &str, property: &Value) -> (FieldKind, Vec<String>) {
    let property = resolved(schema, property);
    let listed = property["enum"]
        .as_array()
        .map(|it| it.iter().collect::<Vec<_>>());
    let consts = property["oneOf"]
        .as_array()
        .map(|it| it.iter().map(|it| &it["const"]).collect::<Vec<_>>());
    let choices: Vec<String> = listed
        .or(consts)
        .into_iter()
        .flatten()
        .filter_map(Value::as_str)
        .map(str::to_owned)
        .collect();
    if !choices.is_empty() {
        return (FieldKind::Choice, choices);
    }
    let kinds: Vec<&str> = match &property["type"] {
        Value::String(one) => vec![one],
        Value::Array(all) => all
            .iter()
            .filter_map(Value::as_str)
            .filter(|it| *it != "null")
            .collect(),
        _ => Vec::new(),
    };
    let kind = match kinds.as_slice() {
        ["string"] if LONG_TEXTS.contains(&name) => FieldKind::Text,
        ["string"] => FieldKind::Line,
        ["integer" | "number"] => FieldKind::Number,
        ["boolean"] => FieldKind::Switch,
        ["array"] if property["items"]["type"] == "string" => FieldKind::List,
        _ => FieldKind::Json,
    };
    (kind, Vec::new())
}

/// A value as a field of this kind shows it.
fn shown(value: &Value, kind: FieldKind) -> String {
    match (value, kind) {
        (Value::Null, _) => String::new(),
        (Value::String(text), FieldKind::Json) => Value::from(text.as_str()).to_string(),
        (Value::String(text), _) => text.clone(),
        (Value::Array(list), FieldKind::List) => list
            .iter()
            .filter_map(Value::as_str)
            .collect::<Vec<_>>()
            .join("\n"),
        (other, FieldKind::Json) => format!("{other:#}"),
        (other, _) => other.to_string(),
    }
}

/// Fills the fields with the properties of a value.
pub(super) fn fill(fields: &mut [SchemaField], value: &Value) {
    for field in fields {
        if let Some(given) = value.get(&field.name).filter(|it| !it.is_null()) {
            field.value = shown(given, field.kind);
        }
    }
}

/// Fills the fields with what a form held.
pub(super) fn fill_from_form(fields: &mut [SchemaField], form: &FormBody) {
    for field in fields {
        field.value = form.get(&field.input).unwrap_or_default().to_owned();
    }
}

/// What the fields hold, as JSON. What is empty, and what is the default, is left out.
///
/// # Errors
/// For the first field whose text is none of what it takes.
pub(super) fn value(fields: &[SchemaField]) -> Result<Map<String, Value>, FieldError> {
    let mut object = Map::new();
    for field in fields {
        let text = field.value.trim();
        let refuse = |text: String| FieldError {
            name: field.name.clone(),
            text,
        };
        let value = match field.kind {
            FieldKind::Switch => json!(matches!(text, "on" | "true")),
            _ if text.is_empty() => continue,
            FieldKind::Line | FieldKind::Text | FieldKind::Choice => json!(text),
            FieldKind::List => {
                let lines = text.lines().map(str::trim).filter(|it| !it.is_empty());
                Value::from(lines.collect::<Vec<_>>())
            }
            FieldKind::Number => serde_json::from_str::<serde_json::Number>(text)
                .map(Value::Number)
                .map_err(|_| refuse("must be a number".into()))?,
            FieldKind::Json => {
                serde_json::from_str(text).map_err(|error| refuse(format!("is no JSON: {error}")))?
            }
        };
        let default = match field.kind {
            FieldKind::Switch if field.default.is_empty() => "false".to_owned(),
            _ => field.default.clone(),
        };
        if field.required || shown(&value, field.kind) != default {
            object.insert(field.name.clone(), value);
        }
    }
    Ok(object)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn schema(name: &str) -> Value {
        let all = wire::schema::all();
        all.into_iter()
            .find(|(known, _)| *known == name)
            .map(|(_, schema)| schema)
            .unwrap()
    }

    #[test]
    fn every_kind_of_request_has_a_form_that_gives_it_back() {
        let requests = [
            (
                "scrape-request",
                json!({"assets": ["a.example", "b.example"], "instructions": "kettles", "mode": "llm-fixed",
                "max_steps": 7, "schema": {"type": "object"}, "screenshot": true, "columns": ["name"]}),
            ),
            (
                "automate-request",
                json!({"task": "order it", "interactive": true, "data": {"mail": "x"}, "maxIterations": 3}),
            ),
            (
                "research-request",
                json!({"query": "what", "mode": "deep", "sources": ["https://a.example/"]}),
            ),
        ];
        for (name, request) in requests {
            let mut fields = fields(&schema(name));
            fill(&mut fields, &request);
            assert_eq!(Value::Object(super::value(&fields).unwrap()), request, "{name}");
        }
    }

    #[test]
    fn choices_come_from_the_schema_and_what_is_required_comes_first() {
        let fields = fields(&schema("scrape-request"));
        assert_eq!(fields[0].name, "assets");
        let mode = fields.iter().find(|it| it.name == "mode").unwrap();
        assert_eq!((mode.kind, mode.choices.len()), (FieldKind::Choice, 4));
        let steps = fields.iter().find(|it| it.name == "max_steps").unwrap();
        assert_eq!((steps.kind, steps.default.as_str()), (FieldKind::Number, "50"));
    }

    #[test]
    fn a_wrong_text_names_its_field() {
        let mut fields = fields(&schema("scrape-request"));
        fill(&mut fields, &json!({"assets": ["a"]}));
        let steps = fields.iter_mut().find(|it| it.name == "max_steps").unwrap();
        steps.value = "many".into();
        assert_eq!(value(&fields).unwrap_err().name, "max_steps");
    }
}
