//! Conditions of steps: a reference, or its comparison with a fixed value; never an expression.

use serde_json::Value;

use crate::issue::shorten;
use crate::reference::ValueReference;

/// The condition under which a step runs.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct StepCondition {
    pub(crate) reference: ValueReference,
    test: ConditionTest,
    negated: bool,
}

/// A test of a value.
#[derive(Debug, Clone, PartialEq)]
enum ConditionTest {
    /// It is not null, false, 0 or empty.
    Present,
    Equals(Value),
    Above(f64),
    Below(f64),
}

impl StepCondition {
    /// Reads `"products"`, `"not products"`, `"{{products}}"`, or `{"ref": "...", "equals" | "above" | "below" | "empty": ...}`.
    pub(crate) fn read(value: &Value) -> Result<StepCondition, String> {
        match value {
            Value::String(text) => {
                let text = text.trim();
                let (text, negated) = match text.strip_prefix("not ").or_else(|| text.strip_prefix('!')) {
                    Some(rest) => (rest.trim(), true),
                    None => (text, false),
                };
                let bare = text.strip_prefix("{{").and_then(|it| it.strip_suffix("}}"));
                let bare = bare.or_else(|| text.strip_prefix("${").and_then(|it| it.strip_suffix('}')));
                let reference = ValueReference::read(bare.unwrap_or(text))?;
                Ok(StepCondition {
                    reference,
                    test: ConditionTest::Present,
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
                let reference = ValueReference::read(name)?;
                let mut tests = fields
                    .iter()
                    .filter(|(key, _)| !matches!(key.as_str(), "ref" | "$ref"));
                let number = |value: &Value| value.as_f64().ok_or("`above` and `below` take a number");
                let (test, negated) = match tests.next().map(|(key, value)| (key.as_str(), value)) {
                    None => (ConditionTest::Present, false),
                    Some(("empty", Value::Bool(empty))) => (ConditionTest::Present, *empty),
                    Some(("equals", value)) => (ConditionTest::Equals(value.clone()), false),
                    Some(("above", value)) => (ConditionTest::Above(number(value)?), false),
                    Some(("below", value)) => (ConditionTest::Below(number(value)?), false),
                    Some((other, _)) => {
                        return Err(format!(
                            "`{}` is no test; there are empty, equals, above, below",
                            shorten(other)
                        ));
                    }
                };
                if tests.next().is_some() {
                    return Err("a condition has one test".into());
                }
                Ok(StepCondition {
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

    /// Whether the condition holds for the value of its reference; `Null` when there is none.
    pub(crate) fn holds(&self, value: &Value) -> bool {
        let holds = match &self.test {
            ConditionTest::Present => is_present(value),
            ConditionTest::Equals(wanted) => {
                value == wanted || value.as_f64().is_some_and(|it| Some(it) == wanted.as_f64())
            }
            ConditionTest::Above(bound) => value.as_f64().is_some_and(|it| it > *bound),
            ConditionTest::Below(bound) => value.as_f64().is_some_and(|it| it < *bound),
        };
        holds != self.negated
    }
}

/// Whether a value is not null, false, 0 or empty.
pub(crate) fn is_present(value: &Value) -> bool {
    match value {
        Value::Null => false,
        Value::Bool(it) => *it,
        Value::Number(it) => it.as_f64() != Some(0.0),
        Value::String(it) => !it.trim().is_empty(),
        Value::Array(it) => !it.is_empty(),
        Value::Object(it) => !it.is_empty(),
    }
}
