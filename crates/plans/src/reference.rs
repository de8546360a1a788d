//! How a plan names what an earlier step gave, and what such a name stands for.

use serde_json::{Map, Value};

/// Longest reference, in bytes.
const LONGEST: usize = 500;

/// One step on the way into a value.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Part {
    /// A field.
    Key(String),
    /// A place in a list, from 0.
    Index(usize),
}

/// Where a reference begins.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Root {
    /// A step, by id or by number from 0.
    Step(String),
    /// A name: a step's id, what it was saved as, or a field that it gave.
    Name(String),
    /// A parameter of the composite tool that the plan is.
    Parameter(String),
}

/// What is asked of a step beside its output.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum About {
    /// Its output.
    Data,
    /// Whether it ended well.
    Ok,
    /// Whether it found nothing.
    Empty,
    /// Its error text.
    Error,
    /// Whether it was left out.
    Skipped,
}

/// A reference, read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Reference {
    pub(crate) root: Root,
    pub(crate) about: About,
    pub(crate) path: Vec<Part>,
    /// As it was written.
    pub(crate) text: String,
}

impl Reference {
    /// Reads `steps.s1.data.products[0].url`, `products[0].url`, `params.max`.
    pub(crate) fn read(text: &str) -> Result<Reference, String> {
        let text = text.trim();
        let wrong = |why: &str| {
            Err(format!(
                "`{}` is no reference: {why}; write steps.<id>.<field>, or the field alone",
                super::dsl::cut(text)
            ))
        };
        if text.is_empty() || text.len() > LONGEST {
            return wrong("it is empty or too long");
        }
        let mut parts = Vec::new();
        for piece in text.split('.') {
            let (key, places) = piece.split_at(piece.find('[').unwrap_or(piece.len()));
            let fits =
                |it: char| it.is_alphanumeric() || matches!(it, '_' | '-' | '@' | '$' | ' ' | ':' | '#');
            if key.is_empty() && (places.is_empty() || parts.is_empty()) {
                return wrong("a name is missing");
            }
            if !key.chars().all(fits) {
                return wrong("it has a sign that no name has; there are no expressions in plans");
            }
            if !key.is_empty() {
                parts.push(Part::Key(key.to_owned()));
            }
            let mut rest = places;
            while let Some(inner) = rest.strip_prefix('[') {
                let Some((index, behind)) = inner.split_once(']') else {
                    return wrong("a bracket is not closed");
                };
                match index.trim().parse() {
                    Ok(index) => parts.push(Part::Index(index)),
                    Err(_) => return wrong("between brackets stands a number"),
                }
                rest = behind;
            }
            if !rest.is_empty() {
                return wrong("something stands behind a bracket");
            }
        }
        let mut parts = parts.into_iter().peekable();
        let first = parts.next();
        let Some(Part::Key(first)) = first else {
            return wrong("it begins with a bracket");
        };
        let second = |it: Option<Part>| match it {
            Some(Part::Key(key)) => Some(key),
            Some(Part::Index(index)) => Some(index.to_string()),
            None => None,
        };
        let root = match first.as_str() {
            "steps" => second(parts.next()).map(Root::Step),
            "params" => second(parts.next()).map(Root::Parameter),
            _ => Some(Root::Name(first.clone())),
        };
        let Some(root) = root else {
            return wrong("it names no step");
        };
        let mut about = About::Data;
        if matches!(root, Root::Step(_))
            && let Some(Part::Key(key)) = parts.peek()
        {
            let asked = match key.as_str() {
                "data" | "output" | "result" => Some(About::Data),
                "ok" => Some(About::Ok),
                "empty" => Some(About::Empty),
                "error" => Some(About::Error),
                "skipped" => Some(About::Skipped),
                _ => None,
            };
            if let Some(asked) = asked {
                about = asked;
                parts.next();
            }
        }
        Ok(Reference {
            root,
            about,
            path: parts.collect(),
            text: text.to_owned(),
        })
    }
}

/// A piece of a text with references in it.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Piece {
    Text(String),
    Reference(Reference),
}

/// Reads the references in a text. No piece is a reference when there is none.
pub(crate) fn pieces(text: &str) -> Result<Vec<Piece>, String> {
    let mut pieces = Vec::new();
    let mut plain = String::new();
    let mut rest = text;
    while let Some(at) = rest.find("{{").into_iter().chain(rest.find("${")).min() {
        let (before, from) = rest.split_at(at);
        plain.push_str(before);
        let (open, close) = if from.starts_with("{{") {
            ("{{", "}}")
        } else {
            ("${", "}")
        };
        let inner = from.get(open.len()..).unwrap_or_default();
        match inner.split_once(close) {
            Some((inside, behind)) => {
                if !plain.is_empty() {
                    pieces.push(Piece::Text(std::mem::take(&mut plain)));
                }
                pieces.push(Piece::Reference(Reference::read(inside)?));
                rest = behind;
            }
            None => {
                // An opening sign without an end is text.
                plain.push_str(open);
                rest = inner;
            }
        }
    }
    plain.push_str(rest);
    if !plain.is_empty() || pieces.is_empty() {
        pieces.push(Piece::Text(plain));
    }
    Ok(pieces)
}

/// What a value in a plan is.
pub(crate) enum Written {
    /// Itself, apart from what lies in it.
    Plain,
    /// `{"$literal": value}`: that value, unread.
    Literal(Value),
    /// One reference: whatever it stands for.
    Whole(Reference),
    /// A text with references in it.
    Mixed(Vec<Piece>),
}

/// Reads one value of a plan, without what lies in it.
pub(crate) fn written(value: &Value) -> Result<Written, String> {
    match value {
        Value::String(text) => match pieces(text)?.as_slice() {
            [Piece::Reference(one)] => Ok(Written::Whole(one.clone())),
            several if several.iter().any(|it| matches!(it, Piece::Reference(_))) => {
                Ok(Written::Mixed(several.to_vec()))
            }
            _ => Ok(Written::Plain),
        },
        Value::Object(fields) => match (fields.get("$ref"), fields.get("$literal"), fields.len()) {
            (Some(Value::String(text)), None, 1) => Reference::read(text).map(Written::Whole),
            (Some(_), ..) => {
                Err("`$ref` stands alone and is a text, such as {\"$ref\": \"steps.s1.products\"}".into())
            }
            (None, Some(value), 1) => Ok(Written::Literal(value.clone())),
            (None, Some(_), _) => Err("`$literal` stands alone".into()),
            _ => Ok(Written::Plain),
        },
        _ => Ok(Written::Plain),
    }
}

/// Something with its place in a plan.
pub(crate) type Placed<T> = (String, T);

/// Every reference in a value, at any depth, with its place; and what is wrong.
pub(crate) fn references(value: &Value, path: &str) -> (Vec<Placed<Written>>, Vec<Placed<String>>) {
    let (mut found, mut wrong) = (Vec::new(), Vec::new());
    let mut open = vec![(path.to_owned(), value)];
    while let Some((path, value)) = open.pop() {
        match written(value) {
            Err(why) => wrong.push((path, why)),
            Ok(Written::Plain) => match value {
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
                            .map(|(key, it)| (format!("{path}/{}", super::dsl::pointer(key)), it)),
                    );
                }
                _ => {}
            },
            Ok(Written::Literal(_)) => {}
            Ok(reference) => found.push((path, reference)),
        }
    }
    (found, wrong)
}

/// Puts values in the place of references, at any depth. What is put in is not read again.
pub(crate) fn bind(
    value: &mut Value,
    mut stands_for: impl FnMut(&Reference) -> Result<Value, String>,
) -> Result<(), String> {
    let mut open = vec![value];
    while let Some(value) = open.pop() {
        match written(value)? {
            Written::Plain => match value {
                Value::Array(items) => open.extend(items.iter_mut()),
                Value::Object(fields) => open.extend(fields.values_mut()),
                _ => {}
            },
            Written::Literal(inner) => *value = inner,
            Written::Whole(reference) => *value = stands_for(&reference)?,
            Written::Mixed(pieces) => {
                let mut text = String::new();
                for piece in pieces {
                    match piece {
                        Piece::Text(plain) => text.push_str(&plain),
                        Piece::Reference(reference) => match stands_for(&reference)? {
                            Value::String(inner) => text.push_str(&inner),
                            Value::Null => {}
                            inner @ (Value::Number(_) | Value::Bool(_)) => text.push_str(&inner.to_string()),
                            _ => {
                                return Err(format!(
                                    "`{}` is a list or an object and cannot stand within a text",
                                    reference.text
                                ));
                            }
                        },
                    }
                }
                *value = Value::String(text);
            }
        }
    }
    Ok(())
}

/// As [`bind`], where nothing but parameters may be named.
pub(crate) fn bind_parameters(
    value: &mut Value,
    parameter: &dyn Fn(&str) -> Option<Value>,
) -> Result<(), String> {
    bind(value, |reference| match &reference.root {
        Root::Parameter(name) => {
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
pub(crate) fn follow<'v>(value: &'v Value, path: &[Part]) -> Option<&'v Value> {
    path.iter().try_fold(value, |value, part| match part {
        Part::Key(key) => value.get(key),
        Part::Index(at) => value.get(at),
    })
}

/// Follows a path into a schema: which schema what lies there has. `Ok(None)` where the schema leaves that open.
pub(crate) fn schema_at<'s>(schema: &'s Value, path: &[Part]) -> Result<Option<&'s Value>, String> {
    let mut here = schema;
    for part in path {
        let types = tools::manifest::rules::types_of(here);
        let open = here.get("$ref").is_some() || here.get("anyOf").is_some() || here.get("oneOf").is_some();
        if types.is_empty() || open {
            return Ok(None);
        }
        let next = match part {
            Part::Key(key) if types.contains(&"object") => {
                let fields = here.get("properties").and_then(Value::as_object);
                let further = here.get("additionalProperties");
                match (fields.and_then(|it| it.get(key)), further) {
                    (Some(field), _) => Some(field),
                    (None, Some(Value::Bool(false))) | (None, None) if fields.is_some() => {
                        return Err(missing(key, fields));
                    }
                    (None, Some(schema @ Value::Object(_))) => Some(schema),
                    (None, _) => None,
                }
            }
            Part::Index(_) if types.contains(&"array") => here.get("items"),
            Part::Key(key) => {
                return Err(format!(
                    "`{key}` is asked of a {}; only objects have fields",
                    types.join(" or ")
                ));
            }
            Part::Index(at) => {
                return Err(format!(
                    "[{at}] is asked of a {}; only lists have places",
                    types.join(" or ")
                ));
            }
        };
        match next {
            Some(next) => here = next,
            None => return Ok(None),
        }
    }
    Ok(Some(here))
}

fn missing(key: &str, fields: Option<&Map<String, Value>>) -> String {
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
