//! The one-line message of a tool call, for people.

use serde_json::{Map, Value};

/// Longest value shown of an argument, in characters.
const ARGUMENT: usize = 40;
/// Longest value shown of a result, in characters.
const RESULT: usize = 50;

/// `name(k=1, q="tea")` while a call runs, `name() -> count=3` once it has a result.
#[must_use]
pub fn call_message(
    name: &str,
    parameters: &Map<String, Value>,
    result: Option<&Map<String, Value>>,
) -> String {
    match result {
        None => format!("{name}({})", pairs(parameters, ARGUMENT)),
        Some(result) => format!("{name}() -> {}", pairs(result, RESULT)),
    }
}

fn pairs(of: &Map<String, Value>, limit: usize) -> String {
    let shown = of
        .iter()
        .map(|(key, value)| format!("{key}={}", cut(&value.to_string(), limit)));
    shown.collect::<Vec<_>>().join(", ")
}

fn cut(text: &str, limit: usize) -> String {
    match text.char_indices().nth(limit) {
        Some((at, _)) => format!("{}…", text.get(..at).unwrap_or_default()),
        None => text.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_message_names_the_call_and_cuts_what_is_long() {
        let object = |text: &str| serde_json::from_str::<Map<String, Value>>(text).unwrap();
        let parameters = object(r#"{"n":10,"q":"tea"}"#);
        assert_eq!(
            call_message("extract.top_n", &parameters, None),
            r#"extract.top_n(n=10, q="tea")"#
        );
        let long = object(&format!(r#"{{"text":"{}"}}"#, "é".repeat(90)));
        let message = call_message("html.text", &parameters, Some(&long));
        assert_eq!(message, format!("html.text() -> text=\"{}…", "é".repeat(49)));
    }
}
