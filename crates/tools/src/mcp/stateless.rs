//! The protocol without sessions, version 2026-07-28: each request says its version, its method and its name in headers and in
//! `_meta`. Tools may ask for parameters in headers, too (`x-mcp-header`).

use base64::Engine as _;
use serde_json::{Map, Value, json};

use super::protocol::client_info;

/// The version.
pub(super) const VERSION: &str = "2026-07-28";
/// The key of a property's schema that names the header of a parameter.
const HEADER_KEY: &str = "x-mcp-header";

/// A parameter that goes into a header as well.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct HeaderParameter {
    parameter: String,
    header: String,
}

/// The parameters of a request, with what the version wants beside them.
pub(super) fn with_meta(params: Value) -> Value {
    let mut params = match params {
        Value::Object(map) => map,
        _ => Map::new(),
    };
    params.insert(
        "_meta".to_owned(),
        json!({
            "io.modelcontextprotocol/protocolVersion": VERSION,
            "io.modelcontextprotocol/clientInfo": client_info(),
            "io.modelcontextprotocol/clientCapabilities": {},
        }),
    );
    Value::Object(params)
}

/// The headers of a request, beside the version's own.
pub(super) fn headers(method: &str, params: &Value, in_headers: &[HeaderParameter]) -> Vec<(String, String)> {
    let mut headers = vec![("mcp-method".to_owned(), method.to_owned())];
    let name = ["name", "uri"].iter().find_map(|key| params.get(key)?.as_str());
    headers.extend(name.map(|name| ("mcp-name".to_owned(), header_value(name))));
    for HeaderParameter { parameter, header } in in_headers {
        let value = match params.pointer("/arguments").and_then(|it| it.get(parameter)) {
            Some(Value::String(text)) => header_value(text),
            Some(Value::Bool(flag)) => flag.to_string(),
            Some(Value::Number(number)) => number.to_string(),
            _ => continue,
        };
        headers.push((format!("mcp-param-{header}"), value));
    }
    headers
}

/// A text as the value of a header: in base64 where it is not plain, or would be read as base64.
fn header_value(text: &str) -> String {
    let is_plain = text.bytes().all(|byte| matches!(byte, b' '..=b'~'))
        && text.trim() == text
        && !(text.starts_with("=?base64?") && text.ends_with("?="));
    if is_plain {
        return text.to_owned();
    }
    let encoded = base64::engine::general_purpose::STANDARD.encode(text);
    format!("=?base64?{encoded}?=")
}

/// The parameters of a tool that go into headers.
///
/// # Errors
/// When a header's name is none, is there twice, or is wanted for a parameter that is no text, whole number or truth value: such
/// a tool may not be called.
pub(super) fn header_parameters(schema: &Value) -> Result<Vec<HeaderParameter>, String> {
    let mut found: Vec<HeaderParameter> = Vec::new();
    let properties = schema.get("properties").and_then(Value::as_object);
    for (parameter, schema) in properties.into_iter().flatten() {
        let Some(header) = schema.get(HEADER_KEY) else {
            continue;
        };
        let wrong = |why: &str| format!("its parameter {parameter:?} wants a header, but {why}");
        let is_token = |text: &&str| {
            !text.is_empty()
                && text
                    .bytes()
                    .all(|byte| byte.is_ascii_alphanumeric() || b"!#$%&'*+-.^_`|~".contains(&byte))
        };
        let header = header
            .as_str()
            .filter(is_token)
            .ok_or_else(|| wrong("its name is none"))?;
        let kind = schema.get("type").and_then(Value::as_str);
        if !matches!(kind, Some("string" | "integer" | "boolean")) {
            return Err(wrong("it is no text, whole number or truth value"));
        }
        if found
            .iter()
            .any(|other| other.header.eq_ignore_ascii_case(header))
        {
            return Err(wrong("another parameter wants the same"));
        }
        found.push(HeaderParameter {
            parameter: parameter.clone(),
            header: header.to_owned(),
        });
    }
    Ok(found)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parameters_go_into_headers_as_they_are_or_in_base64() {
        let schema = json!({"properties": {
            "region": {"type": "string", "x-mcp-header": "Region"}, "count": {"type": "integer", "x-mcp-header": "Count"},
            "live": {"type": "boolean", "x-mcp-header": "Live"}, "name": {"type": "string", "x-mcp-header": "Name"},
            "gone": {"type": "string", "x-mcp-header": "Gone"}, "other": {"type": "number"}
        }});
        let parameters = header_parameters(&schema).unwrap();
        let params = json!({"name": "a tool", "arguments": {"region": "eu", "count": 42, "live": false, "name": " zł", "gone": null}});
        let mut sent = headers("tools/call", &params, &parameters);
        sent.sort();
        let pair = |name: &str, value: &str| (name.to_owned(), value.to_owned());
        assert_eq!(
            sent,
            [
                pair("mcp-method", "tools/call"),
                pair("mcp-name", "a tool"),
                pair("mcp-param-Count", "42"),
                pair("mcp-param-Live", "false"),
                pair("mcp-param-Name", "=?base64?IHrFgg==?="),
                pair("mcp-param-Region", "eu"),
            ]
        );
        assert_eq!(header_value("=?base64?eA==?="), "=?base64?PT9iYXNlNjQ/ZUE9PT89?=");
    }

    #[test]
    fn a_tool_with_a_wrong_header_is_not_used() {
        for (name, kind) in [
            ("", "string"),
            ("a b", "string"),
            ("ä", "string"),
            ("Size", "number"),
            ("Size", "object"),
        ] {
            let schema = json!({"properties": {"a": {"type": kind, "x-mcp-header": name}}});
            assert!(header_parameters(&schema).is_err(), "{name} {kind}");
        }
        let twice = json!({"properties": {"a": {"type": "string", "x-mcp-header": "Size"}, "b": {"type": "string", "x-mcp-header": "SIZE"}}});
        assert!(header_parameters(&twice).is_err());
    }
}
