//! Arguments of a call, checked against the schema of their tool: every issue at once, each with what to do.

use rmcp::model::JsonObject;
use runtime::pages::nearest;
use serde_json::Value;
use wire::strict::check_address;

/// Most issues of one refusal.
const MAX_ISSUES: usize = 20;

/// Arguments of which is known that they fit their tool's schema.
#[derive(Debug)]
pub(super) struct Arguments(JsonObject);

impl Arguments {
    /// Checks arguments. A null stands for an absent one.
    ///
    /// # Errors
    /// Everything that is wrong, in one text.
    pub(super) fn check(schema: &JsonObject, given: Option<JsonObject>) -> Result<Self, String> {
        let mut given = given.unwrap_or_default();
        given.retain(|_, value| !value.is_null());
        let empty = JsonObject::new();
        let known = schema
            .get("properties")
            .and_then(Value::as_object)
            .unwrap_or(&empty);
        let mut issues = Vec::new();
        for (name, value) in &given {
            match known.get(name) {
                Some(rules) => check(name, value, rules, &mut issues),
                None => issues.push(unknown(name, known)),
            }
        }
        let required = schema.get("required").and_then(Value::as_array);
        let missing = required.into_iter().flatten().filter_map(Value::as_str);
        issues.extend(
            missing
                .filter(|name| !given.contains_key(*name))
                .map(|name| format!("{name}: is required")),
        );
        if issues.is_empty() {
            return Ok(Self(given));
        }
        issues.truncate(MAX_ISSUES);
        Err(format!("the arguments do not fit: {}", issues.join("; ")))
    }

    pub(super) fn text(&self, name: &str) -> Option<&str> {
        self.0.get(name).and_then(Value::as_str)
    }

    pub(super) fn flag(&self, name: &str) -> bool {
        self.0.get(name).and_then(Value::as_bool).unwrap_or_default()
    }

    pub(super) fn number(&self, name: &str) -> Option<usize> {
        let number = self.0.get(name).and_then(Value::as_u64);
        number.and_then(|number| usize::try_from(number).ok())
    }

    pub(super) fn object(&self, name: &str) -> JsonObject {
        self.0
            .get(name)
            .and_then(Value::as_object)
            .cloned()
            .unwrap_or_default()
    }

    /// The arguments under other names, those of a request; what has no other name there is left out.
    pub(super) fn renamed(&self, names: &[(&str, &str)]) -> Value {
        let named = names.iter().filter_map(|(ours, theirs)| {
            let value = self.0.get(*ours)?;
            Some(((*theirs).to_owned(), value.clone()))
        });
        Value::Object(named.collect())
    }
}

fn unknown(name: &str, known: &JsonObject) -> String {
    let shown: String = name.chars().filter(|it| !it.is_control()).take(60).collect();
    match nearest(name, known.keys().map(String::as_str)) {
        Some(near) => format!("{shown}: there is no such argument; did you mean {near}?"),
        None => {
            let names: Vec<&str> = known.keys().map(String::as_str).collect();
            format!(
                "{shown}: there is no such argument; there are {}",
                names.join(", ")
            )
        }
    }
}

/// Checks one value against the keywords that the catalog uses.
fn check(name: &str, value: &Value, rules: &Value, issues: &mut Vec<String>) {
    let bound = |keyword: &str| rules[keyword].as_u64();
    match (rules["type"].as_str().unwrap_or_default(), value) {
        ("string", Value::String(text)) => check_text(name, text, rules, issues),
        ("boolean", Value::Bool(_)) | ("object", Value::Object(_)) => {}
        ("integer", Value::Number(number)) => {
            let (low, high) = (
                bound("minimum").unwrap_or(0),
                bound("maximum").unwrap_or(u64::MAX),
            );
            if !number
                .as_u64()
                .is_some_and(|number| (low..=high).contains(&number))
            {
                let range = match bound("maximum") {
                    Some(high) => format!("from {low} to {high}"),
                    None => format!("of at least {low}"),
                };
                issues.push(format!("{name}: must be a whole number {range}"));
            }
        }
        ("array", Value::Array(list)) => {
            let (low, high) = (
                bound("minItems").unwrap_or(0),
                bound("maxItems").unwrap_or(u64::MAX),
            );
            if !(low..=high).contains(&(list.len() as u64)) {
                issues.push(format!(
                    "{name}: must have {low} to {high} items, not {}",
                    list.len()
                ));
            }
            for (index, item) in list.iter().enumerate() {
                check(&format!("{name}[{index}]"), item, &rules["items"], issues);
                if issues.len() >= MAX_ISSUES {
                    return;
                }
            }
        }
        (kind, _) => {
            let article = if matches!(kind, "integer" | "object" | "array") {
                "an"
            } else {
                "a"
            };
            issues.push(format!("{name}: must be {article} {kind}"));
        }
    }
}

fn check_text(name: &str, text: &str, rules: &Value, issues: &mut Vec<String>) {
    let length = text.chars().count() as u64;
    if rules["format"] == "uri" {
        if let Err(refusal) = check_address(name, text) {
            let advice = if text.contains("://") {
                ""
            } else {
                "; give one such as https://example.org/page"
            };
            issues.push(format!("{}{advice}", refusal.text()));
        }
    } else if rules["minLength"].as_u64().is_some() && text.trim().is_empty() {
        issues.push(format!("{name}: must not be empty"));
    } else if rules["minLength"].as_u64().is_some_and(|low| length < low) {
        issues.push(format!(
            "{name}: must have at least {} characters",
            rules["minLength"]
        ));
    } else if rules["maxLength"].as_u64().is_some_and(|high| length > high) {
        issues.push(format!(
            "{name}: must have at most {} characters, not {length}",
            rules["maxLength"]
        ));
    }
    if let Some(words) = rules["enum"].as_array() {
        let words: Vec<&str> = words.iter().filter_map(Value::as_str).collect();
        if !words.contains(&text) {
            issues.push(format!("{name}: must be one of {}", words.join(", ")));
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn every_issue_is_told_at_once_with_the_nearest_name() {
        let schema = json!({
            "properties": {
                "url": {"type": "string", "format": "uri"}, "part": {"type": "integer", "minimum": 1},
                "as": {"type": "string", "enum": ["markdown", "text"]},
                "urls": {"type": "array", "items": {"type": "string", "format": "uri"}, "maxItems": 2},
            },
            "required": ["url"],
        });
        let schema = schema.as_object().unwrap();
        let check = |given: Value| Arguments::check(schema, given.as_object().cloned());
        let given = json!({"ur": "x", "part": 0, "as": "pdf", "urls": ["file:///etc/passwd", 1]});
        assert_eq!(
            check(given).unwrap_err(),
            "the arguments do not fit: ur: there is no such argument; did you mean url?; part: must be a whole number \
             of at least 1; as: must be one of markdown, text; urls[0]: must begin with http:// or https://; \
             urls[1]: must be a string; url: is required"
        );
        assert!(check(json!({"url": "https://a.example/", "part": null})).is_ok());
    }
}
