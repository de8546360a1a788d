//! Formats of text parameters that JSON Schema does not judge: selectors, patterns, addresses, dates.

use sandbox::regex::Pattern;
use serde_json::{Map, Value};

/// What is wrong with a text that should have a format.
fn fault(text: &str, format: &str) -> Option<String> {
    match format {
        "css" => page::dom::Selector::parse(text)
            .err()
            .map(|it| format!("{it}; write a CSS selector such as `article h2`")),
        "regex" => {
            let pattern = Pattern {
                text: text.to_owned(),
                flags: String::new(),
            };
            pattern.compile().err().map(|error| error.to_string())
        }
        "uri" => match url::Url::parse(text) {
            Ok(url) if matches!(url.scheme(), "http" | "https") => None,
            Ok(url) => Some(format!(
                "{}: is no address of the web; write one that begins with https://",
                url.scheme()
            )),
            Err(error) => Some(format!(
                "{error}; write a whole address such as https://shop.example/"
            )),
        },
        "date" => text
            .parse::<jiff::civil::Date>()
            .err()
            .map(|_| "it is no date; write one as 2026-03-05".to_owned()),
        _ => None,
    }
}

/// Every parameter whose text has not the format that its schema names: its name and what is wrong.
pub fn faults(properties: &Map<String, Value>, parameters: &Map<String, Value>) -> Vec<(String, String)> {
    let mut found = Vec::new();
    for (name, value) in parameters {
        let Some(schema) = properties.get(name) else {
            continue;
        };
        let format = |schema: &Value| schema.get("format").and_then(Value::as_str).map(str::to_owned);
        let mut judge = |value: &Value, format: Option<String>| {
            if let (Some(text), Some(format)) = (value.as_str(), format)
                && let Some(fault) = fault(text, &format)
            {
                found.push((name.clone(), fault));
            }
        };
        judge(value, format(schema));
        if let (Some(items), Some(of)) = (value.as_array(), schema.get("items")) {
            items.iter().for_each(|it| judge(it, format(of)));
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_has_its_format_or_is_told_what_it_lacks() {
        for (text, format, good) in [
            ("article > h2", "css", true),
            ("h2[[", "css", false),
            (r"\d+", "regex", true),
            (r"(a+)+$", "regex", true),
            (r"(?=x)", "regex", false),
            (r"(.)\1", "regex", false),
            (r"(((a{100}){100}){100}){100}", "regex", false),
            ("https://a.example/", "uri", true),
            ("/relative", "uri", false),
            ("file:///etc/passwd", "uri", false),
            ("2026-02-29", "date", false),
            ("2026-03-05", "date", true),
        ] {
            assert_eq!(
                fault(text, format).is_none(),
                good,
                "{text} as {format}: {:?}",
                fault(text, format)
            );
        }
    }
}
