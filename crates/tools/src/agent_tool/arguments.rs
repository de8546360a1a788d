//! Arguments of an agent's call, read leniently from what a model wrote.

use browser::Ref;
use serde_json::{Map, Number, Value};

use crate::manifest::{AgentParameter, AgentView, ArgumentKind};

/// The arguments that a tool takes, each of its kind. One of no value counts as absent.
///
/// # Errors
/// A sentence for the model when one is missing, unknown or cannot be used. A model that gives an unknown one believes
/// that it has an effect, so nothing is done.
pub fn read_arguments(view: &AgentView, given: &Map<String, Value>) -> Result<Map<String, Value>, String> {
    let is_known = |name: &str| view.parameters.iter().any(|parameter| parameter.name == name);
    let mut values = given.iter().filter(|(_, value)| !value.is_null());
    if let Some((name, _)) = values.find(|(name, _)| !is_known(name)) {
        return Err(unknown(view, name));
    }
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

/// Most characters of an unknown argument's name that the sentence about it repeats.
const SHOWN_NAME: usize = 60;

/// The sentence about an argument that the tool does not take.
fn unknown(view: &AgentView, name: &str) -> String {
    let tool = &view.name;
    let name: String = name.chars().take(SHOWN_NAME).collect();
    let names: Vec<String> = view
        .parameters
        .iter()
        .map(|parameter| format!("`{}`", parameter.name))
        .collect();
    match names.is_empty() {
        true => format!("/{name}: `{tool}` takes no arguments; nothing was done"),
        false => format!(
            "/{name}: `{tool}` takes only {}; nothing was done",
            names.join(", ")
        ),
    }
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
