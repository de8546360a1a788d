//! The OpenAPI 3.1 document, generated from the table of routes and the schemas of `wire`.

use http::StatusCode;
use serde_json::{Map, Value, json};
use wire::profile::NAME;
use wire::run::RunStatus;
use wire::webhooks::DeliveryState;
use wire::{Audience, Vocabulary as _};

use crate::query::MAX_LIMIT;
use crate::routes::AUDIT_PAGE;
use crate::routes::route::{ResponseKind, Route};
use crate::scopes;
use crate::submit::MAX_KEY;

/// The name of the schema of messages to `/mcp`.
pub(crate) const MCP_MESSAGE: &str = "mcp-message";

/// The document.
pub(crate) fn document(routes: &[Route]) -> Value {
    let mut paths = Map::new();
    for route in routes {
        let path = paths.entry(route.path).or_insert_with(|| json!({}));
        if let Some(methods) = path.as_object_mut() {
            methods.insert(route.method.to_owned(), operation(route));
        }
    }
    json!({
        "openapi": "3.1.0",
        "info": {
            "title": "Huntsman",
            "version": env!("CARGO_PKG_VERSION"),
            "license": {"name": "Apache-2.0", "identifier": "Apache-2.0"},
        },
        "paths": paths,
        "components": {
            "schemas": schemas(),
            "securitySchemes": {"key": {"type": "http", "scheme": "bearer"}},
        },
        "security": [{"key": []}, {}],
    })
}

fn operation(route: &Route) -> Value {
    let mut operation = json!({
        "summary": route.summary,
        "parameters": parameters(route),
        "responses": responses(route.responds, route.takes == Some(MCP_MESSAGE)),
    });
    let scopes = scopes::needed(route.method, route.path);
    if let (false, Some(fields)) = (scopes.is_empty(), operation.as_object_mut()) {
        fields.insert("x-any-scope-of".to_owned(), json!(scopes));
    }
    let text = json!({"schema": {"type": "string"}});
    if route.takes == Some(MCP_MESSAGE) {
        operation["responses"]["200"]["content"]["text/event-stream"] = json!({"schema": {}});
        operation["responses"]["202"] = json!({"description": "A notification, which has no answer."});
        operation["responses"]["default"]["content"]["text/plain"] = text;
    } else if route.query.iter().any(|(name, _)| *name == "format") {
        operation["responses"]["200"]["content"]["text/csv"] = text;
    }
    if let Some(schema) = route.takes {
        operation["requestBody"] = json!({
            "required": true,
            "content": {"application/json": {"schema": reference(schema)}},
        });
    }
    operation
}

fn parameters(route: &Route) -> Vec<Value> {
    let in_path = route
        .path
        .split('/')
        .filter_map(|it| it.strip_prefix('{')?.strip_suffix('}'));
    let in_path = in_path
        .map(|name| json!({"name": name, "in": "path", "required": true, "schema": path_schema(route.path)}));
    let in_query = route.query.iter().map(|(name, meaning)| {
        json!({"name": name, "in": "query", "description": meaning, "schema": query_schema(route.path, name)})
    });
    let in_header = [
        json!({"name": "idempotency-key", "in": "header", "schema": {"type": "string", "minLength": 1, "maxLength": MAX_KEY},
               "description": "your own name for this request: sent again with the same body, it gives the run that it began"}),
        json!({"name": "prefer", "in": "header", "schema": {"type": "string"},
               "description": "`respond-async` lets the run go on when its client is gone"}),
    ];
    let in_header = in_header.into_iter().filter(|_| route.starts_run);
    in_path.chain(in_query).chain(in_header).collect()
}

/// What a parameter of a path takes.
fn path_schema(path: &str) -> Value {
    if path.starts_with("/v1/vault/") || path.starts_with("/v1/profiles/") {
        return json!({"type": "string", "pattern": NAME});
    }
    json!({"type": "string"})
}

/// What a query parameter takes.
fn query_schema(path: &str, name: &str) -> Value {
    if path == "/v1/admin/audit" {
        return match name {
            "limit" => {
                json!({"anyOf": [{"type": "integer", "minimum": 1, "maximum": AUDIT_PAGE}, {"const": ""}]})
            }
            _ => json!({"type": "string"}),
        };
    }
    match name {
        "limit" => json!({"anyOf": [{"type": "integer", "minimum": 1, "maximum": MAX_LIMIT}, {"const": ""}]}),
        "after" => json!({"anyOf": [{"type": "integer", "minimum": 0, "maximum": i64::MAX}, {"const": ""}]}),
        "status" => json!({"enum": RunStatus::spellings().chain([""]).collect::<Vec<_>>()}),
        "audience" => {
            json!({"enum": Audience::READERS.iter().map(|it| it.as_str()).chain([""]).collect::<Vec<_>>()})
        }
        "state" => json!({"enum": DeliveryState::spellings().chain([""]).collect::<Vec<_>>()}),
        // An empty text stands for none.
        "cursor" => json!({"type": "string", "pattern": format!("^({ID}([.][0-9]{{1,17}})?)?$")}),
        "from" | "to" => json!({"type": "string", "pattern": format!("^({DAY})?$")}),
        "format" => json!({"enum": ["json", "csv", ""]}),
        _ => json!({"type": "string"}),
    }
}

/// What an id of a run may be.
const ID: &str = "[A-Za-z0-9][A-Za-z0-9_-]{7,63}";

/// A day: of each month those that every year has.
const DAY: &str = "(19|20)[0-9]{2}-(0[1-9]|1[0-2])-(0[1-9]|1[0-9]|2[0-8])|(19|20)[0-9]{2}-(0[13-9]|1[0-2])-(29|30)|(19|20)[0-9]{2}-(0[13578]|1[02])-31|(19([02468][48]|[2468]0|[13579][26])|20([02468][048]|[13579][26]))-02-29";

/// The body of an answer to a question: values or a refusal to give any.
fn form_answer() -> Value {
    let field = json!({
        "type": "object",
        "properties": {
            "ref": {"type": "string", "minLength": 1, "maxLength": 200, "pattern": "[^\\s\\u0085]"},
            "value": {"type": "string", "maxLength": 20_000},
        },
        "required": ["ref"],
    });
    json!({
        "anyOf": [
            {
                "type": "object",
                "properties": {"cancelled": {"const": true}, "fields": {"type": "array", "maxItems": 0}},
                "required": ["cancelled"],
            },
            {
                "type": "object",
                "properties": {
                    "cancelled": {"const": false},
                    "fields": {"type": "array", "maxItems": 200, "items": field},
                },
                "required": ["fields"],
            },
        ],
    })
}

/// A message of the Model Context Protocol: a request, a notification or an answer of JSON-RPC.
fn mcp_message() -> Value {
    json!({
        "type": "object",
        "properties": {
            "jsonrpc": {"const": "2.0"},
            "id": {"type": ["string", "integer"]},
            "method": {"type": "string"},
            "params": {"type": "object"},
        },
        "required": ["jsonrpc"],
    })
}

fn responses(responds: ResponseKind, is_mcp: bool) -> Value {
    let (status, content) = match responds {
        ResponseKind::Json(status, Some(schema)) => {
            (status, json!({"application/json": {"schema": reference(schema)}}))
        }
        ResponseKind::Json(status, None) => (
            status,
            json!({"application/json": {"schema": {"type": "object"}}}),
        ),
        ResponseKind::Events(schema) => {
            let text = format!("Server-sent events; the data of each fits `{schema}`.");
            // Without a type: some readers apply it to the stream, others to each event.
            let schema = json!({"description": text});
            (StatusCode::OK, json!({"text/event-stream": {"schema": schema}}))
        }
        ResponseKind::Bytes => (
            StatusCode::OK,
            json!({"*/*": {"schema": {"type": "string", "contentMediaType": "application/octet-stream"}}}),
        ),
        ResponseKind::Text => (
            StatusCode::OK,
            json!({"text/plain": {"schema": {"type": "string"}}}),
        ),
    };
    let error_schema = if is_mcp { "mcp-error" } else { "error" };
    let error = json!({
        "description": "The request was not done; `x-error-code` names the error.",
        "content": {"application/json": {"schema": reference(error_schema)}},
    });
    let mut responses = Map::new();
    let success = json!({"description": "Done.", "content": content});
    responses.insert(status.as_str().to_owned(), success);
    responses.insert("default".to_owned(), error);
    Value::Object(responses)
}

fn reference(schema: &str) -> Value {
    json!({"$ref": format!("#/components/schemas/{schema}")})
}

/// The schemas of the wire. Definitions that several share stay inside each, so their references lead there.
fn schemas() -> Map<String, Value> {
    let mut schemas: Map<String, Value> = Map::new();
    for (name, mut schema) in wire::schema::all() {
        relocate(&mut schema, name);
        schemas.insert(name.to_owned(), schema);
    }
    let error = json!({
        "type": "object",
        "properties": {"error": {"type": "string"}},
        "required": ["error"],
        "additionalProperties": false,
    });
    // What is no message of the protocol is answered in its own form.
    let in_protocol = json!({"type": "object", "properties": {"jsonrpc": {"const": "2.0"}, "error": {"type": "object"}},
        "required": ["jsonrpc", "error"]});
    let mcp_error = json!({"anyOf": [error, in_protocol]});
    schemas.insert("mcp-error".to_owned(), mcp_error);
    schemas.insert(MCP_MESSAGE.to_owned(), mcp_message());
    schemas.insert("error".to_owned(), error);
    schemas.insert("form-answer".to_owned(), form_answer());
    schemas
}

/// Makes references to a schema's own definitions lead to where the schema lies in the document.
fn relocate(schema: &mut Value, name: &str) {
    let mut stack = vec![schema];
    while let Some(next) = stack.pop() {
        match next {
            Value::Array(list) => stack.extend(list),
            Value::Object(map) => {
                map.remove("$schema");
                if let Some(Value::String(to)) = map.get_mut("$ref")
                    && let Some(inner) = to.strip_prefix("#/")
                {
                    *to = format!("#/components/schemas/{name}/{inner}");
                }
                stack.extend(map.values_mut());
            }
            Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
        }
    }
}
