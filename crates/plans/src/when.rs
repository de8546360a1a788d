//! The conditions of steps: a name, or a comparison with a fixed value; never an expression.

use serde_json::Value;

use super::reference::Reference;

/// Under which condition a step runs.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct When {
    pub(crate) reference: Reference,
    pub(crate) test: Test,
    negated: bool,
}

/// What is asked of a value.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Test {
    /// There is something: not null, false, 0, or empty.
    Something,
    Equals(Value),
    Above(f64),
    Below(f64),
}

impl When {
    /// Reads `"products"`, `"not products"`, `"{{products}}"`, or `{"ref": "...", "equals" | "above" | "below" | "empty": ...}`.
    pub(crate) fn read(value: &Value) -> Result<When, String> {
        match value {
            Value::String(text) => {
                let text = text.trim();
                let (text, negated) = match text.strip_prefix("not ").or_else(|| text.strip_prefix('!')) {
                    Some(rest) => (rest.trim(), true),
                    None => (text, false),
                };
                let bare = text.strip_prefix("{{").and_then(|it| it.strip_suffix("}}"));
                let bare = bare.or_else(|| text.strip_prefix("${").and_then(|it| it.strip_suffix('}')));
                let reference = Reference::read(bare.unwrap_or(text))?;
                Ok(When {
                    reference,
                    test: Test::Something,
                    negated,
                })
            }
            Value::Object(fields) => {
                let name = fields
                    .get("ref")
                    .or_else(|| fields.get("$ref"))
                    .and_then(Value::as_str);
                let name = name
                    .ok_or("a condition names what it looks at: {\"ref\": \"products\", \"empty\": false}")?;
                let reference = Reference::read(name)?;
                let mut tests = fields
                    .iter()
                    .filter(|(key, _)| !matches!(key.as_str(), "ref" | "$ref"));
                let number = |value: &Value| value.as_f64().ok_or("`above` and `below` take a number");
                let (test, negated) = match tests.next().map(|(key, value)| (key.as_str(), value)) {
                    None => (Test::Something, false),
                    Some(("empty", Value::Bool(empty))) => (Test::Something, *empty),
                    Some(("equals", value)) => (Test::Equals(value.clone()), false),
                    Some(("above", value)) => (Test::Above(number(value)?), false),
                    Some(("below", value)) => (Test::Below(number(value)?), false),
                    Some((other, _)) => {
                        return Err(format!(
                            "`{}` is no test; there are empty, equals, above, below",
                            super::dsl::cut(other)
                        ));
                    }
                };
                if tests.next().is_some() {
                    return Err("a condition has one test".into());
                }
                Ok(When {
                    reference,
                    test,
                    negated,
                })
            }
            _ => Err(
                "a condition is the name of something (\"products\"), or {\"ref\": ..., \"equals\": ...}"
                    .into(),
            ),
        }
    }

    /// Whether it holds. What is not there is nothing, and equals nothing but null.
    pub(crate) fn holds(&self, value: &Value) -> bool {
        let holds = match &self.test {
            Test::Something => is_something(value),
            Test::Equals(wanted) => {
                value == wanted || value.as_f64().is_some_and(|it| Some(it) == wanted.as_f64())
            }
            Test::Above(bound) => value.as_f64().is_some_and(|it| it > *bound),
            Test::Below(bound) => value.as_f64().is_some_and(|it| it < *bound),
        };
        holds != self.negated
    }
}

/// Whether a value is more than nothing.
pub(crate) fn is_something(value: &Value) -> bool {
    match value {
        Value::Null => false,
        Value::Bool(it) => *it,
        Value::Number(it) => it.as_f64() != Some(0.0),
        Value::String(it) => !it.trim().is_empty(),
        Value::Array(it) => !it.is_empty(),
        Value::Object(it) => !it.is_empty(),
    }
}
