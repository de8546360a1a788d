//! JSON Schema validation of values, with the place and reason of each violation.

mod cost;

use std::sync::Arc;

use jsonschema::Validator;
use serde_json::Value;

use crate::unfinished::shorten;
use cost::{MAX_CHECKS, MAX_PARTS, SchemaCost};

/// A schema that cannot be used to check arguments or answers.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum SchemaError {
    /// It is no JSON Schema.
    #[error("the schema is not a valid JSON Schema: {0}")]
    Invalid(String),
    /// It points outside of itself.
    #[error("the schema refers to {0}; only references within the schema are followed")]
    RemoteReference(String),
    /// It is nested too deeply.
    #[error("the schema is nested deeper than {MAX_SCHEMA_DEPTH} levels")]
    TooDeep,
    /// It has too many parts.
    #[error("the schema has more than {MAX_PARTS} objects")]
    TooLarge,
    /// Its references apply the same parts again and again.
    #[error(
        "the schema makes more than {MAX_CHECKS} checks of one value; its references repeat the same parts too often"
    )]
    TooMuchWork,
}

/// The deepest nesting of a schema that is accepted.
pub const MAX_SCHEMA_DEPTH: usize = 64;

/// Largest compiled `pattern`, in bytes. A text is matched in time that is linear in the text and in this.
const MAX_PATTERN_BYTES: usize = 256 << 10;

/// Most violations reported at once.
const MAX_VIOLATIONS: usize = 12;

/// One place where a value does not follow its schema.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{path}: {reason}")]
pub struct Violation {
    /// JSON pointer to the place; `/` for the whole value.
    pub path: String,
    /// What is wrong there.
    pub reason: String,
}

/// A compiled JSON Schema (draft 2020-12 unless it says otherwise). Never fetches anything.
#[derive(Debug, Clone)]
pub struct JsonSchema {
    source: Value,
    cost: SchemaCost,
    validator: Arc<Validator>,
}

impl JsonSchema {
    /// Compiles a schema.
    ///
    /// # Errors
    /// When it is no schema, points outside of itself, is nested deeper than [`MAX_SCHEMA_DEPTH`], or would take seconds
    /// to check any value.
    pub fn new(source: Value) -> Result<Self, SchemaError> {
        check_structure(&source)?;
        if !source.is_object() && !source.is_boolean() {
            return Err(SchemaError::Invalid("a schema is an object".to_owned()));
        }
        let cost = SchemaCost::of(&source).ok_or(SchemaError::TooLarge)?;
        if cost.exceeds_usually() {
            return Err(SchemaError::TooMuchWork);
        }
        let validator = jsonschema::options()
            .with_retriever(Offline)
            .with_pattern_options(
                jsonschema::PatternOptions::regex()
                    .size_limit(MAX_PATTERN_BYTES)
                    .dfa_size_limit(MAX_PATTERN_BYTES),
            )
            .build(&source)
            .map_err(|error| SchemaError::Invalid(shorten(&error.to_string())))?;
        Ok(Self {
            source,
            cost,
            validator: Arc::new(validator),
        })
    }

    /// The schema as it was given.
    pub fn source(&self) -> &Value {
        &self.source
    }

    /// Everything that is wrong with `value`, at most a dozen violations. A value that would take seconds to check is one.
    pub fn violations(&self, value: &Value) -> Vec<Violation> {
        if self.cost.exceeds(value) {
            return vec![Violation {
                path: "/".to_owned(),
                reason: format!(
                    "checking it against the schema takes more than {MAX_CHECKS} steps, or it is nested too deeply"
                ),
            }];
        }
        let mut found: Vec<Violation> = self
            .validator
            .iter_errors(value)
            .take(MAX_VIOLATIONS)
            .map(|error| Violation {
                path: Some(error.instance_path().to_string())
                    .filter(|text| !text.is_empty())
                    .unwrap_or_else(|| "/".into()),
                reason: shorten(&error.masked_with("the value").to_string()),
            })
            .collect();
        found.extend(huge_integers(value).take(MAX_VIOLATIONS - found.len().min(MAX_VIOLATIONS)));
        found
    }
}

/// Integers that no 64-bit signed number holds: nothing behind us could use them.
fn huge_integers(value: &Value) -> impl Iterator<Item = Violation> {
    let mut found = Vec::new();
    let mut open = vec![(String::new(), value)];
    while let Some((path, value)) = open.pop() {
        match value {
            Value::Number(number) if is_huge(number) => found.push(Violation {
                path,
                reason: format!("{number} is outside the range of a 64-bit integer"),
            }),
            Value::Array(items) => {
                open.extend(
                    items
                        .iter()
                        .enumerate()
                        .map(|(at, item)| (format!("{path}/{at}"), item)),
                );
            }
            Value::Object(fields) => {
                open.extend(fields.iter().map(|(name, item)| (format!("{path}/{name}"), item)));
            }
            _ => {}
        }
    }
    found.into_iter()
}

/// A whole number beyond 64 bits, also one that was too long to be kept exactly.
fn is_huge(number: &serde_json::Number) -> bool {
    const EDGE: f64 = 9_223_372_036_854_775_808.0;
    let beyond = |number: f64| number.fract() == 0.0 && !(-EDGE..EDGE).contains(&number);
    number.as_i64().is_none() && number.as_f64().is_some_and(beyond)
}

struct Offline;

impl jsonschema::Retrieve for Offline {
    fn retrieve(
        &self,
        uri: &jsonschema::Uri<String>,
    ) -> Result<Value, Box<dyn std::error::Error + Send + Sync>> {
        Err(format!("`{uri}` is outside of the schema").into())
    }
}

/// Depth and references, before anything recursive sees the schema.
fn check_structure(schema: &Value) -> Result<(), SchemaError> {
    let mut open = vec![(schema, 1_usize)];
    while let Some((value, depth)) = open.pop() {
        if depth > MAX_SCHEMA_DEPTH {
            return Err(SchemaError::TooDeep);
        }
        match value {
            Value::Array(items) => open.extend(items.iter().map(|item| (item, depth + 1))),
            Value::Object(fields) => {
                for word in ["$ref", "$dynamicRef", "$recursiveRef"] {
                    if let Some(target) = fields.get(word).and_then(Value::as_str)
                        && !target.starts_with('#')
                    {
                        return Err(SchemaError::RemoteReference(shorten(target)));
                    }
                }
                open.extend(fields.values().map(|item| (item, depth + 1)));
            }
            _ => {}
        }
    }
    Ok(())
}
