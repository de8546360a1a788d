//! Arguments of an agent's call, read leniently from what a model wrote.

use browser::Ref;
use serde_json::{Map, Number, Value};

use crate::manifest::{AgentParameter, AgentView, ArgumentKind};

/// The arguments that a tool takes, each of its kind; what it does not take is left out.
///
/// # Errors
/// A sentence for the model when one is missing or cannot be used.
pub fn read_arguments(view: &AgentView, given: &Map<String, Value>) -> Result<Map<String, Value>, String> {
    let mut arguments = Map::new();
    for parameter in &view.parameters {
        match read(&view.name, parameter, given.get(&parameter.name))? {
            Some(value) => drop(arguments.insert(parameter.name.clone(), value)),
            None if parameter.required && parameter.kind != ArgumentKind::Number => {
                return Err(missing(&view.name, &parameter.name));
            }
            None => {}
        }
    }
    Ok(arguments)
}

/// The sentence about an argument that is not there.
pub(crate) fn missing(tool: &str, name: &str) -> String {
    format!("`{tool}` needs `{name}`; nothing was done")
}

fn read(tool: &str, parameter: &AgentParameter, given: Option<&Value>) -> Result<Option<Value>, String> {
    let AgentParameter {
        name, kind, required, ..
    } = parameter;
    let Some(given) = given else {
        return Ok(None);
    };
    Ok(match kind {
        ArgumentKind::Text => text(given).map(Value::String),
        ArgumentKind::Words => match text(given) {
            Some(words) if words.trim().is_empty() => {
                return Err(format!("`{name}` of `{tool}` is empty; nothing was done"));
            }
            words => words.map(Value::String),
        },
        ArgumentKind::Ref => match text(given).filter(|text| *required || !text.trim().is_empty()) {
            Some(text) => Some(Value::String(text.parse::<Ref>()?.to_string())),
            None => None,
        },
        ArgumentKind::Number => number(given).map(Value::Number),
        ArgumentKind::List => list(tool, name, given)?.map(Value::from_iter),
        ArgumentKind::Refs => match list(tool, name, given)? {
            Some(items) => {
                let refs: Result<Vec<Ref>, String> = items.iter().map(|item| item.parse()).collect();
                Some(refs?.iter().map(ToString::to_string).collect())
            }
            None => None,
        },
    })
}

fn text(given: &Value) -> Option<String> {
    match given {
        Value::String(text) => Some(text.clone()),
        Value::Number(number) => Some(number.to_string()),
        Value::Bool(flag) => Some(flag.to_string()),
        Value::Null | Value::Array(_) | Value::Object(_) => None,
    }
}

fn number(given: &Value) -> Option<Number> {
    let number = match given {
        Value::Number(number) => number.as_f64()?,
        Value::String(text) => text.trim().parse().ok()?,
        _ => return None,
    };
    Number::from_f64(number)
}

/// The texts of a list, or one text by itself.
fn list(tool: &str, name: &str, given: &Value) -> Result<Option<Vec<String>>, String> {
    let item = |item: &Value| match item {
        Value::Bool(_) => None,
        item => text(item),
    };
    match given {
        Value::Array(items) => {
            let texts: Option<Vec<String>> = items.iter().map(item).collect();
            let wrong = || format!("`{name}` of `{tool}` is a list of texts");
            texts.ok_or_else(wrong).map(Some)
        }
        one => Ok(item(one).map(|text| vec![text])),
    }
}
