//! What every manifest must be, told in sentences; asked by the build for our tools and at start for the user's.

use locale::nesting::{self, Grammar};
use serde_json::{Map, Value};

/// Largest manifest, in bytes.
pub const MAX_BYTES: usize = 256 * 1024;
/// Deepest nesting of a manifest.
pub const MAX_DEPTH: usize = 64;
/// Longest time a tool may ask for, in milliseconds.
pub const MAX_TIMEOUT_MS: u64 = 600_000;

/// Keys that a manifest may have.
const KEYS: [&str; 17] = [
    "name",
    "version",
    "description",
    "category",
    "triggers",
    "parameters",
    "output_schema",
    "examples",
    "dependencies",
    "timeout_ms",
    "effects",
    "notes",
    "needs_grant",
    "plan",
    "http",
    "page",
    "agent",
];
/// Keys that a manifest must have.
const REQUIRED: [&str; 6] = [
    "name",
    "version",
    "description",
    "category",
    "timeout_ms",
    "effects",
];
/// Keys that it must have besides, unless it is for agents only: then its parameters stand in `agent`.
const REQUIRED_OF_PLANNED: [&str; 2] = ["parameters", "output_schema"];
/// What a tool may depend on.
const DEPENDENCIES: [&str; 4] = ["page", "tab", "model", "network"];
const TYPES: [&str; 7] = [
    "string", "number", "integer", "boolean", "array", "object", "null",
];

/// Everything that is wrong with the text of a manifest that lies at `<category>/<name>.json`.
pub fn of_text(text: &str, category: &str, name: &str) -> Vec<String> {
    if text.len() > MAX_BYTES {
        return vec![format!(
            "it has {} bytes; a manifest has at most {MAX_BYTES}",
            text.len()
        )];
    }
    if let Some(depth) = nesting(text).filter(|it| *it > MAX_DEPTH) {
        return vec![format!(
            "it is nested {depth} levels deep; a manifest has at most {MAX_DEPTH}"
        )];
    }
    let manifest = match serde_json::from_str::<Value>(text) {
        Ok(Value::Object(manifest)) => manifest,
        Ok(_) => return vec!["a manifest is a JSON object".to_owned()],
        Err(error) => return vec![format!("it is not JSON: {error}")],
    };
    of_object(&manifest, category, name)
}

/// Whether only an agent that drives a browser can use the tool.
pub fn is_for_agents_only(manifest: &Map<String, Value>) -> bool {
    let view = manifest.get("agent");
    view.and_then(|view| view.get("only")) == Some(&Value::Bool(true))
}

fn of_object(manifest: &Map<String, Value>, category: &str, name: &str) -> Vec<String> {
    let mut issues = Vec::new();
    let required = REQUIRED.iter().chain(match is_for_agents_only(manifest) {
        true => &[],
        false => REQUIRED_OF_PLANNED.as_slice(),
    });
    for key in required.filter(|key| !manifest.contains_key(**key)) {
        issues.push(format!("`{key}` is missing"));
    }
    for key in manifest.keys().filter(|key| !KEYS.contains(&key.as_str())) {
        issues.push(format!(
            "`{key}` is no key of a manifest; the keys are {}",
            KEYS.join(", ")
        ));
    }
    for (key, wanted) in [("name", name), ("category", category)] {
        let told = manifest.get(key).and_then(Value::as_str);
        if told.is_some_and(|it| it != wanted) {
            issues.push(format!(
                "`{key}` is {:?} and the file's place says {wanted:?}",
                told.unwrap_or_default()
            ));
        }
        if !is_word(wanted) {
            issues.push(format!(
                "{wanted:?} is no {key}: use small letters, digits and _, a letter first"
            ));
        }
    }
    let text = |key: &str| manifest.get(key).map(|it| it.as_str().unwrap_or_default());
    if text("version").is_some_and(|it| !is_version(it)) {
        issues.push("`version` is three numbers joined by dots, such as 1.0.0".to_owned());
    }
    if text("description").is_some_and(|it| it.trim().len() < 10 || it.len() > 1000) {
        issues.push(
            "`description` says in 10 to 1000 characters what the tool does and when to use it".to_owned(),
        );
    }
    if text("effects").is_some_and(|it| !["read", "idempotent", "act"].contains(&it)) {
        issues.push("`effects` is read, idempotent or act".to_owned());
    }
    if manifest
        .get("timeout_ms")
        .is_some_and(|it| !it.as_u64().is_some_and(|it| (1..=MAX_TIMEOUT_MS).contains(&it)))
    {
        issues.push(format!(
            "`timeout_ms` is a whole number from 1 to {MAX_TIMEOUT_MS}"
        ));
    }
    if manifest.get("needs_grant").is_some_and(|it| !it.is_boolean()) {
        issues.push("`needs_grant` is true or false".to_owned());
    }
    texts(manifest, "triggers", &mut issues);
    texts(manifest, "notes", &mut issues);
    for word in texts(manifest, "dependencies", &mut issues) {
        if !DEPENDENCIES.contains(&word) {
            issues.push(format!(
                "{word:?} is no dependency; a tool may need {}",
                DEPENDENCIES.join(", ")
            ));
        }
    }
    if let Some(parameters) = manifest.get("parameters") {
        issues.extend(of_parameters(parameters));
    }
    if manifest
        .get("output_schema")
        .is_some_and(|it| it.get("type").and_then(Value::as_str) != Some("object"))
    {
        issues.push("`output_schema` is a JSON Schema of type object".to_owned());
    }
    issues.extend(of_examples(manifest));
    issues
}

fn texts<'m>(manifest: &'m Map<String, Value>, key: &str, issues: &mut Vec<String>) -> Vec<&'m str> {
    let Some(value) = manifest.get(key) else {
        return Vec::new();
    };
    let list: Option<Vec<&str>> = value
        .as_array()
        .and_then(|it| it.iter().map(Value::as_str).collect());
    if list.is_none() {
        issues.push(format!("`{key}` is a list of texts"));
    }
    list.unwrap_or_default()
}

fn of_parameters(parameters: &Value) -> Vec<String> {
    let mut issues = Vec::new();
    if parameters.get("type").and_then(Value::as_str) != Some("object") {
        issues.push("`parameters` is a JSON Schema of type object".to_owned());
        return issues;
    }
    let none = Map::new();
    let properties = match parameters.get("properties") {
        None => &none,
        Some(Value::Object(properties)) => properties,
        Some(_) => {
            issues.push("`parameters.properties` is an object".to_owned());
            return issues;
        }
    };
    for name in parameters
        .get("required")
        .and_then(Value::as_array)
        .into_iter()
        .flatten()
    {
        if !name.as_str().is_some_and(|it| properties.contains_key(it)) {
            issues.push(format!(
                "`parameters.required` names {name}, which is no property"
            ));
        }
    }
    for (name, schema) in properties {
        let types = types_of(schema);
        if types.is_empty() || types.iter().any(|it| !TYPES.contains(it)) {
            issues.push(format!(
                "parameter `{name}` has no `type`; it is one or several of {}",
                TYPES.join(", ")
            ));
        }
        if schema
            .get("description")
            .and_then(Value::as_str)
            .is_none_or(str::is_empty)
        {
            issues.push(format!("parameter `{name}` has no `description`"));
        }
        let choices = schema.get("enum").and_then(Value::as_array);
        if let Some(default) = schema.get("default") {
            if !types.iter().any(|it| is_of(default, it)) {
                issues.push(format!(
                    "the default {default} of parameter `{name}` is no {}",
                    types.join(" or ")
                ));
            }
            if choices.is_some_and(|it| !it.contains(default)) {
                issues.push(format!(
                    "the default {default} of parameter `{name}` is none of its choices"
                ));
            }
            let outside = |key: &str, beyond: fn(f64, f64) -> bool| {
                let bound = schema.get(key).and_then(Value::as_f64);
                bound
                    .zip(default.as_f64())
                    .is_some_and(|(bound, it)| beyond(it, bound))
            };
            if outside("minimum", |it, bound| it < bound) || outside("maximum", |it, bound| it > bound) {
                issues.push(format!(
                    "the default {default} of parameter `{name}` is outside of its bounds"
                ));
            }
        }
    }
    issues
}

fn of_examples(manifest: &Map<String, Value>) -> Vec<String> {
    let mut issues = Vec::new();
    let properties = manifest.get("parameters").and_then(|it| it.get("properties"));
    let Some(examples) = manifest.get("examples") else {
        return issues;
    };
    let Some(examples) = examples.as_array() else {
        return vec!["`examples` is a list".to_owned()];
    };
    for (at, example) in examples.iter().enumerate() {
        let Some(parameters) = example.get("parameters").and_then(Value::as_object) else {
            issues.push(format!("example {at} has no `parameters` object"));
            continue;
        };
        if example
            .get("instruction")
            .and_then(Value::as_str)
            .is_none_or(str::is_empty)
        {
            issues.push(format!("example {at} has no `instruction`"));
        }
        for (name, value) in parameters {
            match properties.and_then(|it| it.get(name)) {
                None => issues.push(format!("example {at} gives `{name}`, which is no parameter")),
                Some(schema) if !types_of(schema).iter().any(|it| is_of(value, it)) => {
                    issues.push(format!(
                        "example {at} gives {value} for `{name}`, which is no {}",
                        types_of(schema).join(" or ")
                    ));
                }
                Some(_) => {}
            }
        }
    }
    issues
}

/// The types a property's schema allows.
pub fn types_of(schema: &Value) -> Vec<&str> {
    match schema.get("type") {
        Some(Value::String(one)) => vec![one],
        Some(Value::Array(several)) => several.iter().filter_map(Value::as_str).collect(),
        _ => Vec::new(),
    }
}

/// Whether a value is of a JSON Schema type.
pub fn is_of(value: &Value, kind: &str) -> bool {
    match kind {
        "string" => value.is_string(),
        "number" => value.is_number(),
        "integer" => value.as_f64().is_some_and(|it| it.fract() == 0.0),
        "boolean" => value.is_boolean(),
        "array" => value.is_array(),
        "object" => value.is_object(),
        "null" => value.is_null(),
        _ => false,
    }
}

/// Small letters, digits and `_`, a letter first: what is both a file name and a Rust name everywhere.
pub fn is_word(text: &str) -> bool {
    text.len() <= 64
        && text.starts_with(|it: char| it.is_ascii_lowercase())
        && text
            .chars()
            .all(|it| it.is_ascii_lowercase() || it.is_ascii_digit() || it == '_')
}

fn is_version(text: &str) -> bool {
    let numbers: Vec<&str> = text.split('.').collect();
    let number = |it: &&str| !it.is_empty() && it.len() <= 6 && it.bytes().all(|it| it.is_ascii_digit());
    numbers.len() == 3 && numbers.iter().all(number)
}

/// How deeply brackets are nested outside of strings, so that nothing recursive meets a tower of them; none without any.
pub fn nesting(text: &str) -> Option<usize> {
    Some(nesting::depth(text, &Grammar::JSON)).filter(|depth| *depth > 0)
}
