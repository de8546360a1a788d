//! References from a plan's parameters to outputs of earlier steps, and their replacement by values.

use serde_json::{Map, Value};
use tools::manifest::Manifest;

use crate::issue::{pointer, shorten};
use crate::tool_output::output_fields;

/// Longest reference, in bytes.
const MAX_BYTES: usize = 500;

/// A key or an index on the path into a value.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum PathSegment {
    /// A field.
    Key(String),
    /// An index in a list, from 0.
    Index(usize),
}

/// The start of a reference.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum ReferenceRoot {
    /// A step, by id or by number from 0.
    Step(String),
    /// A step's id, its `save_as`, or a field of its output.
    Name(String),
    /// A parameter of the composite tool that the plan is.
    Parameter(String),
}

/// The property of a step that a reference names.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum StepProperty {
    /// Its output.
    Data,
    /// Whether it succeeded.
    Ok,
    /// Whether its output is empty.
    Empty,
    /// The text of its error.
    Error,
    /// Whether it was skipped.
    Skipped,
}

impl StepProperty {
    fn named(name: &str) -> Option<StepProperty> {
        Some(match name {
            "data" | "output" | "result" => StepProperty::Data,
            "ok" => StepProperty::Ok,
            "empty" => StepProperty::Empty,
            "error" => StepProperty::Error,
            "skipped" => StepProperty::Skipped,
            _ => return None,
        })
    }
}

/// A reference to a value, as read from a plan.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct ValueReference {
    pub(crate) root: ReferenceRoot,
    pub(crate) property: StepProperty,
    /// The name of the property, where one is written.
    pub(crate) property_name: Option<String>,
    pub(crate) path: Vec<PathSegment>,
    /// As it was written.
    pub(crate) text: String,
}

impl ValueReference {
    /// Reads `steps.s1.data.products[0].url`, `products[0].url`, `params.max`.
    pub(crate) fn read(text: &str) -> Result<ValueReference, String> {
        let text = text.trim();
        let read = match text.len() {
            1..=MAX_BYTES => read_path(text).and_then(|path| ValueReference::of_path(text, path)),
            _ => Err("it is empty or too long"),
        };
        read.map_err(|reason| {
            format!(
                "`{}` is no reference: {reason}; write steps.<id>.<field>, or the field alone",
                shorten(text)
            )
        })
    }

    fn of_path(text: &str, path: Vec<PathSegment>) -> Result<ValueReference, &'static str> {
        let mut path = path.into_iter().peekable();
        let Some(PathSegment::Key(first)) = path.next() else {
            return Err("it begins with a bracket");
        };
        let mut name = || match path.next() {
            Some(PathSegment::Key(key)) => Ok(key),
            Some(PathSegment::Index(index)) => Ok(index.to_string()),
            None => Err("it names no step"),
        };
        let root = match first.as_str() {
            "steps" => ReferenceRoot::Step(name()?),
            "params" => ReferenceRoot::Parameter(name()?),
            _ => ReferenceRoot::Name(first),
        };
        let named = match (&root, path.peek()) {
            (ReferenceRoot::Step(_), Some(PathSegment::Key(key))) => {
                StepProperty::named(key).map(|property| (property, key.clone()))
            }
            _ => None,
        };
        if named.is_some() {
            path.next();
        }
        let (property, property_name) = named.unzip();
        Ok(ValueReference {
            root,
            property: property.unwrap_or(StepProperty::Data),
            property_name,
            path: path.collect(),
            text: text.to_owned(),
        })
    }
}

impl ValueReference {
    /// The path into a step's output, where the name of its property is that of a field of the tool's output: `error` of a tool that tells
    /// errors.
    pub(crate) fn path_of_field(&self, manifest: &Manifest) -> Option<Vec<PathSegment>> {
        // "Data" is always the whole output.
        let name = self.property_name.as_ref().filter(|name| *name != "data")?;
        output_fields(manifest)?.get(name)?;
        let field = std::iter::once(PathSegment::Key(name.clone()));
        Some(field.chain(self.path.iter().cloned()).collect())
    }
}

/// Reads `a.b[0].c` into its keys and indices.
fn read_path(text: &str) -> Result<Vec<PathSegment>, &'static str> {
    let is_name = |c: char| c.is_alphanumeric() || matches!(c, '_' | '-' | '@' | '$' | ' ' | ':' | '#');
    let mut path = Vec::new();
    for part in text.split('.') {
        let (key, mut rest) = part.split_at(part.find('[').unwrap_or(part.len()));
        if key.is_empty() && (rest.is_empty() || path.is_empty()) {
            return Err("a name is missing");
        }
        if !key.chars().all(is_name) {
            return Err("it has a sign that no name has; there are no expressions in plans");
        }
        if !key.is_empty() {
            path.push(PathSegment::Key(key.to_owned()));
        }
        while let Some(inner) = rest.strip_prefix('[') {
            let (index, behind) = inner.split_once(']').ok_or("a bracket is not closed")?;
            let index = index
                .trim()
                .parse()
                .map_err(|_| "between brackets stands a number")?;
            path.push(PathSegment::Index(index));
            rest = behind;
        }
        if !rest.is_empty() {
            return Err("something stands behind a bracket");
        }
    }
    Ok(path)
}

/// A segment of a text with references in it.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum TextSegment {
    Text(String),
    Reference(ValueReference),
}

/// The signs around a reference in a text.
const SIGNS: [(&str, &str); 2] = [("{{", "}}"), ("${", "}")];

/// The place of the first opening sign in a text, and which of [`SIGNS`] it is.
fn opening(text: &str) -> Option<(usize, usize)> {
    text.match_indices(['{', '$']).find_map(|(at, _)| {
        let from = text.get(at..)?;
        let sign = SIGNS.iter().position(|(open, _)| from.starts_with(open))?;
        Some((at, sign))
    })
}

/// Splits a text at its references, in time linear in its length.
fn segments(text: &str) -> Result<Vec<TextSegment>, String> {
    let mut segments = Vec::new();
    let mut plain = String::new();
    let mut rest = text;
    // Whether a closing sign may still come: it is searched for to the end of the text once.
    let mut may_close = [true; SIGNS.len()];
    while let Some((at, sign)) = opening(rest) {
        let (before, from) = rest.split_at(at);
        plain.push_str(before);
        let (open, close) = SIGNS[sign];
        let inner = from.get(open.len()..).unwrap_or_default();
        let closed = may_close[sign].then(|| inner.split_once(close)).flatten();
        match closed {
            Some((inside, behind)) => {
                if !plain.is_empty() {
                    segments.push(TextSegment::Text(std::mem::take(&mut plain)));
                }
                segments.push(TextSegment::Reference(ValueReference::read(inside)?));
                rest = behind;
            }
            None => {
                // An opening sign without an end is text.
                may_close[sign] = false;
                plain.push_str(open);
                rest = inner;
            }
        }
    }
    plain.push_str(rest);
    if !plain.is_empty() || segments.is_empty() {
        segments.push(TextSegment::Text(plain));
    }
    Ok(segments)
}

/// How a value of a plan is to be read.
pub(crate) enum ParameterValue {
    /// A plain value; values within it are read on their own.
    Plain,
    /// `{"$literal": value}`: that value, with nothing in it read.
    Literal(Value),
    /// One reference, of any type.
    Reference(ValueReference),
    /// A text with references in it.
    Template(Vec<TextSegment>),
}

/// Reads one value of a plan, without the values within it.
fn read_value(value: &Value) -> Result<ParameterValue, String> {
    match value {
        Value::String(text) => match segments(text)?.as_slice() {
            [TextSegment::Reference(reference)] => Ok(ParameterValue::Reference(reference.clone())),
            segments if segments.iter().any(|it| matches!(it, TextSegment::Reference(_))) => {
                Ok(ParameterValue::Template(segments.to_vec()))
            }
            _ => Ok(ParameterValue::Plain),
        },
        Value::Object(fields) => match (fields.get("$ref"), fields.get("$literal"), fields.len()) {
            (Some(Value::String(text)), None, 1) => ValueReference::read(text).map(ParameterValue::Reference),
            (Some(_), ..) => {
                Err("`$ref` stands alone and is a text, such as {\"$ref\": \"steps.s1.products\"}".into())
            }
            (None, Some(value), 1) => Ok(ParameterValue::Literal(value.clone())),
            (None, Some(_), _) => Err("`$literal` stands alone".into()),
            _ => Ok(ParameterValue::Plain),
        },
        _ => Ok(ParameterValue::Plain),
    }
}

/// An item with its place in a plan, as a JSON pointer.
pub(crate) type Located<T> = (String, T);

/// Finds every reference in a value at any depth, and what is wrong with others.
pub(crate) fn references(value: &Value, path: &str) -> (Vec<Located<ParameterValue>>, Vec<Located<String>>) {
    let (mut found, mut wrong) = (Vec::new(), Vec::new());
    let mut open = vec![(path.to_owned(), value)];
    while let Some((path, value)) = open.pop() {
        match read_value(value) {
            Err(why) => wrong.push((path, why)),
            Ok(ParameterValue::Plain) => match value {
                Value::Array(items) => open.extend(
                    items
                        .iter()
                        .enumerate()
                        .map(|(at, it)| (format!("{path}/{at}"), it)),
                ),
                Value::Object(fields) => {
                    open.extend(
                        fields
                            .iter()
                            .map(|(key, it)| (format!("{path}/{}", pointer(key)), it)),
                    );
                }
                _ => {}
            },
            Ok(ParameterValue::Literal(_)) => {}
            Ok(reference) => found.push((path, reference)),
        }
    }
    (found, wrong)
}

/// Replaces references by values, at any depth. Inserted values are not read again.
pub(crate) fn bind(
    value: &mut Value,
    mut resolve: impl FnMut(&ValueReference) -> Result<Value, String>,
) -> Result<(), String> {
    let mut open = vec![value];
    while let Some(value) = open.pop() {
        match read_value(value)? {
            ParameterValue::Plain => match value {
                Value::Array(items) => open.extend(items.iter_mut()),
                Value::Object(fields) => open.extend(fields.values_mut()),
                _ => {}
            },
            ParameterValue::Literal(inner) => *value = inner,
            ParameterValue::Reference(reference) => *value = resolve(&reference)?,
            ParameterValue::Template(segments) => {
                let mut text = String::new();
                for segment in segments {
                    match segment {
                        TextSegment::Text(plain) => text.push_str(&plain),
                        TextSegment::Reference(reference) => {
                            text.push_str(&rendered(&reference, resolve(&reference)?)?);
                        }
                    }
                }
                *value = Value::String(text);
            }
        }
    }
    Ok(())
}

/// The text of a value within another text.
fn rendered(reference: &ValueReference, value: Value) -> Result<String, String> {
    match value {
        Value::String(text) => Ok(text),
        Value::Null => Ok(String::new()),
        Value::Number(_) | Value::Bool(_) => Ok(value.to_string()),
        Value::Array(_) | Value::Object(_) => Err(format!(
            "`{}` is a list or an object and cannot stand within a text",
            reference.text
        )),
    }
}

/// As [`bind`], for values whose references name parameters only.
pub(crate) fn bind_parameters(
    value: &mut Value,
    parameter: &dyn Fn(&str) -> Option<Value>,
) -> Result<(), String> {
    bind(value, |reference| match &reference.root {
        ReferenceRoot::Parameter(name) => {
            let value = parameter(name)
                .ok_or_else(|| format!("`{}`: there is no parameter `{name}`", reference.text))?;
            Ok(follow(&value, &reference.path).cloned().unwrap_or_default())
        }
        _ => Err(format!(
            "`{}` is no parameter; write params.<name>",
            reference.text
        )),
    })
}

/// Follows a path into a value.
pub(crate) fn follow<'v>(value: &'v Value, path: &[PathSegment]) -> Option<&'v Value> {
    path.iter().try_fold(value, |value, part| match part {
        PathSegment::Key(key) => value.get(key),
        PathSegment::Index(at) => value.get(at),
    })
}

/// Follows a path into a schema; `Ok(None)` where the schema leaves the rest open.
///
/// # Errors
/// When no value of the schema has the path.
pub(crate) fn schema_at<'s>(schema: &'s Value, path: &[PathSegment]) -> Result<Option<&'s Value>, String> {
    let mut current = schema;
    for part in path {
        let types = tools::manifest::rules::types_of(current);
        let is_open =
            current.get("$ref").is_some() || current.get("anyOf").is_some() || current.get("oneOf").is_some();
        if types.is_empty() || is_open {
            return Ok(None);
        }
        let next = match part {
            PathSegment::Key(key) if types.contains(&"object") => {
                let fields = current.get("properties").and_then(Value::as_object);
                let further = current.get("additionalProperties");
                match (fields.and_then(|it| it.get(key)), further) {
                    (Some(field), _) => Some(field),
                    (None, Some(Value::Bool(false))) | (None, None) if fields.is_some() => {
                        return Err(unknown_field(key, fields));
                    }
                    (None, Some(schema @ Value::Object(_))) => Some(schema),
                    (None, _) => None,
                }
            }
            PathSegment::Index(_) if types.contains(&"array") => current.get("items"),
            PathSegment::Key(key) => {
                return Err(format!(
                    "`{key}` is asked of a {}; only objects have fields",
                    types.join(" or ")
                ));
            }
            PathSegment::Index(at) => {
                return Err(format!(
                    "[{at}] is asked of a {}; only lists have places",
                    types.join(" or ")
                ));
            }
        };
        match next {
            Some(next) => current = next,
            None => return Ok(None),
        }
    }
    Ok(Some(current))
}

fn unknown_field(key: &str, fields: Option<&Map<String, Value>>) -> String {
    let names: Vec<&str> = fields
        .into_iter()
        .flat_map(Map::keys)
        .map(String::as_str)
        .collect();
    match locale::nearest(key, names.iter().copied()) {
        Some(near) => format!("there is no field `{key}`; did you mean `{near}`?"),
        None => format!("there is no field `{key}`; there are {}", names.join(", ")),
    }
}
