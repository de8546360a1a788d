//! Addresses as people type them on the command line.

use std::collections::BTreeSet;

use serde_json::Value;
use url::Url;

/// With a scheme: where none was typed, `http` for this machine itself and `https` for every other host.
pub(crate) fn with_scheme(typed: &str) -> String {
    let has_scheme = |scheme: &str| {
        let head = typed.get(..scheme.len());
        head.is_some_and(|head| head.eq_ignore_ascii_case(scheme))
    };
    if typed.contains("://") || has_scheme("http:") || has_scheme("https:") {
        typed.to_owned()
    } else {
        format!("{}://{typed}", net::usual_scheme(typed))
    }
}

/// Its host, which runs of this command may reach even when it is not public.
pub(crate) fn host(typed: &str) -> Option<String> {
    Url::parse(&with_scheme(typed))
        .ok()?
        .host_str()
        .map(str::to_owned)
}

/// The hosts of all web addresses within a text, as of a task or a question.
pub(crate) fn hosts_in_text(text: &str) -> Vec<String> {
    let address = |word: &str| {
        let from = word.find("http://").or_else(|| word.find("https://"))?;
        Url::parse(word.get(from..)?).ok()?.host_str().map(str::to_owned)
    };
    let hosts: BTreeSet<String> = text.split_whitespace().filter_map(address).collect();
    hosts.into_iter().collect()
}

/// The hosts of all texts of a JSON value that are web addresses.
pub(crate) fn hosts_in_json(value: &Value) -> Vec<String> {
    match value {
        Value::String(text) if text.starts_with("http://") || text.starts_with("https://") => {
            host(text).into_iter().collect()
        }
        Value::Array(items) => items.iter().flat_map(hosts_in_json).collect(),
        Value::Object(fields) => fields.values().flat_map(hosts_in_json).collect(),
        Value::String(_) | Value::Number(_) | Value::Bool(_) | Value::Null => Vec::new(),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn this_machine_is_asked_by_http_and_every_other_host_by_https() {
        for (typed, whole) in [
            ("shop.example/a", "https://shop.example/a"),
            ("localhost:8800", "http://localhost:8800"),
            ("127.0.0.9/x", "http://127.0.0.9/x"),
            ("[::1]:80/x", "http://[::1]:80/x"),
            ("localhost.example", "https://localhost.example"),
            ("https://localhost", "https://localhost"),
            ("http:/127.0.0.1:8800/x", "http:/127.0.0.1:8800/x"),
        ] {
            assert_eq!(with_scheme(typed), whole);
        }
    }

    #[test]
    fn hosts_are_found_in_what_was_typed() {
        assert_eq!(
            hosts_in_text("read (http://a.test/x and https://b.test:1"),
            ["a.test", "b.test"]
        );
        let params =
            json!({"url": "http://127.0.0.1:9/x", "list": ["https://c.test"], "text": "see http://d.test"});
        assert_eq!(hosts_in_json(&params), ["127.0.0.1", "c.test"]);
    }
}
