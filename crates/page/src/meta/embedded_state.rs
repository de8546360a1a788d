//! Data that a page embeds for its own scripts.
//!
//! Only JSON is read; nothing is run. State that is written as a JavaScript expression is left out.

use std::sync::LazyLock;

use regex::Regex;
use serde_json::Value;

use super::jsonld::has_content;
use super::lenient_json;
use crate::page::Page;

/// The longest script that is read, in bytes.
const MAX_BYTES: usize = 8 << 20;
/// The most states that are read from one page.
const MAX_STATES: usize = 40;

/// The most assignments that are tried in one script.
const MAX_TRIES: usize = 200;

/// One embedded value.
#[derive(Debug, Clone, PartialEq)]
pub struct State {
    /// The id of the script or the variable, such as `__NEXT_DATA__`; `script` and its number when it has none.
    pub name: String,
    /// The value.
    pub value: Value,
}

/// An assignment of a literal: `window.__X__ = {`, `window["__X__"] = {`, `var __X__ = JSON.parse("`.
const ASSIGNMENT: &str = concat!(
    r"(?:(?:window|self|globalThis)(?:\.|\[.)([A-Za-z_$][\w$]*)(?:.\])?|(?:var|let|const)\s+(__[\w$]+))",
    r#"\s*=\s*(JSON\.parse\(\s*["']|[{\[])"#
);
#[expect(
    clippy::expect_used,
    reason = "the pattern is fixed, and the tests of this file compile it"
)]
static ASSIGNMENT_REGEX: LazyLock<Regex> =
    LazyLock::new(|| Regex::new(ASSIGNMENT).expect("the pattern of assignments compiles"));

/// Data of `application/json` scripts and of assignments such as `window.__INITIAL_STATE__ = {...}`, in order.
pub fn state(page: &Page) -> Vec<State> {
    let mut out = Vec::new();
    for (at, script) in page.dom().by_tag("script").enumerate() {
        if out.len() >= MAX_STATES {
            break;
        }
        let kind = script.attr("type").unwrap_or("").trim().to_ascii_lowercase();
        let is_json =
            kind.starts_with("application/json") || kind.ends_with("+json") && kind != "application/ld+json";
        let is_script = matches!(
            kind.as_str(),
            "" | "text/javascript" | "application/javascript" | "module"
        );
        if (!is_json && !is_script) || script.attr("src").is_some_and(|_| !is_json) {
            continue;
        }
        let text = script.raw_text();
        if text.len() > MAX_BYTES {
            continue;
        }
        if is_json {
            let name = [script.id_attr(), script.attr("data-hypernova-key").unwrap_or("")];
            let name = name.into_iter().find(|name| !name.is_empty());
            let name = name.map_or_else(|| format!("script{at}"), str::to_owned);
            out.extend(lenient_json::values(&text).into_iter().map(|value| State {
                name: name.clone(),
                value,
            }));
        } else if text.contains('=') {
            assignments(&text, &mut out);
        }
    }
    out.truncate(MAX_STATES);
    out
}

fn assignments(text: &str, out: &mut Vec<State>) {
    let mut from = 0;
    for _ in 0..MAX_TRIES {
        let Some(found) = text.get(from..).and_then(|rest| ASSIGNMENT_REGEX.captures(rest)) else {
            return;
        };
        let (Some(whole), Some(opening)) = (found.get(0), found.get(3)) else {
            return;
        };
        let name = found.get(1).or(found.get(2)).map_or("", |name| name.as_str());
        let start = from + opening.start();
        from += whole.end();
        let read = if opening.as_str().starts_with("JSON") {
            // The argument is a JavaScript string that holds JSON.
            text.get(from - 1..)
                .and_then(quoted)
                .and_then(|inner| lenient_json::values(&inner).into_iter().next())
        } else {
            text.get(start..)
                .and_then(lenient_json::first)
                .map(|(value, taken)| {
                    from = from.max(start + taken);
                    value
                })
        };
        if let Some(value) = read.filter(has_content) {
            out.push(State {
                name: name.to_owned(),
                value,
            });
        }
    }
}

/// The content of a JavaScript string literal at the start of the text.
fn quoted(text: &str) -> Option<String> {
    let quote = text.chars().next().filter(|quote| matches!(quote, '"' | '\''))?;
    let mut end = None;
    let mut escaped = false;
    for (at, c) in text.char_indices().skip(1) {
        match c {
            _ if escaped => escaped = false,
            '\\' => escaped = true,
            c if c == quote => {
                end = Some(at);
                break;
            }
            _ => {}
        }
    }
    let inner = text.get(1..end?)?;
    let inner = if quote == '\'' {
        with_escaped_quotes(inner)
    } else {
        inner.to_owned()
    };
    match lenient_json::first(&format!("\"{inner}\""))? {
        (Value::String(text), _) => Some(text),
        _ => None,
    }
}

/// The content of a literal in single quotes as that of one in double quotes: a double quote that no backslash escapes gets one.
fn with_escaped_quotes(inner: &str) -> String {
    let mut out = String::with_capacity(inner.len());
    let mut escaped = false;
    for c in inner.chars() {
        if c == '"' && !escaped {
            out.push('\\');
        }
        escaped = c == '\\' && !escaped;
        out.push(c);
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn state_is_read_where_it_is_json() {
        let html = r#"<script id="__NEXT_DATA__" type="application/json">{"props":{"a":1}}</script>
            <script>window.__INITIAL_STATE__ = {"b": [2]}; window["__C__"]={"c":3}</script>
            <script>window.__D__ = JSON.parse("{\"d\":\"x\\\"y\"}")</script>
            <script>window.__G__ = JSON.parse('{\"g\":"it\\"s"}')</script>
            <script>window.__E__ = {run: function() {}}; window.__F__={"f":</script>"#;
        let got: Vec<_> = state(&Page::new(html, None))
            .into_iter()
            .map(|it| (it.name, it.value))
            .collect();
        let expected = [
            ("__NEXT_DATA__".to_owned(), json!({"props": {"a": 1}})),
            ("__INITIAL_STATE__".to_owned(), json!({"b": [2]})),
            ("__C__".to_owned(), json!({"c": 3})),
            ("__D__".to_owned(), json!({"d": "x\"y"})),
            ("__G__".to_owned(), json!({"g": "it\"s"})),
        ];
        assert_eq!(got, expected);
    }
}
