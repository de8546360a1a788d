//! Conversion of a server's tool to a tool of the registry, and its calls.

use std::sync::Arc;

use async_trait::async_trait;
use base64::Engine as _;
use serde_json::{Map, Value, json};

use super::config::{ServerConfig, word_of};
use super::connection::McpConnection;
use super::protocol::McpError;
use super::stateless::{HeaderParameter, header_parameters};
use crate::context::ToolContext;
use crate::error::Error;
use crate::input::MAX_TEXT_BYTES;
use crate::json_text::JsonText;
use crate::manifest::{Effects, Manifest, rules};
use crate::registry::{RegisteredTool, ToolExecutor};
use locale::truncate;

/// Longest description of a tool that is shown, in characters.
const MAX_DESCRIPTION: usize = 600;
/// Longest description of a parameter, in characters.
const MAX_PARAMETER_DESCRIPTION: usize = 300;
/// Longest error of a tool that is passed on, in bytes.
const MAX_ERROR: usize = 2_000;

/// The server's name of a tool.
pub(super) fn name_of(tool: &Value) -> String {
    tool.get("name")
        .and_then(Value::as_str)
        .unwrap_or_default()
        .to_owned()
}

/// The tool as an entry; none when the operator does not use it.
///
/// # Errors
/// When it cannot be used, in words.
pub(super) fn entry(
    tool: &Value,
    server: &Arc<ServerConfig>,
    connection: &Arc<McpConnection>,
) -> Result<Option<RegisteredTool>, String> {
    let name = name_of(tool);
    if server
        .allowed_tools
        .as_ref()
        .is_some_and(|it| !it.contains(&name))
    {
        return Ok(None);
    }
    let word = word_of(&name).ok_or("its name cannot be made one of letters, digits and _")?;
    let manifest = manifest(tool, &name, &word, server)?;
    let in_headers = tool
        .get("inputSchema")
        .map_or(Ok(Vec::new()), header_parameters)?;
    let structured = tool.get("outputSchema").is_some_and(Value::is_object);
    let work = RemoteTool {
        name,
        server: server.name.clone(),
        structured,
        in_headers,
        connection: Arc::clone(connection),
    };
    Ok(Some(RegisteredTool::new(manifest, Arc::new(work))))
}

fn manifest(tool: &Value, name: &str, word: &str, server: &ServerConfig) -> Result<Manifest, String> {
    let size = tool.to_string();
    if size.len() > rules::MAX_BYTES || rules::nesting(&size).is_some_and(|it| it > rules::MAX_DEPTH) {
        return Err(format!(
            "its description is larger than {} bytes or nested deeper than {} levels",
            rules::MAX_BYTES,
            rules::MAX_DEPTH
        ));
    }
    let mut parameters = tool
        .get("inputSchema")
        .cloned()
        .unwrap_or_else(|| json!({"type": "object"}));
    if parameters.get("type").and_then(Value::as_str) != Some("object") {
        return Err("its `inputSchema` is no schema of an object".into());
    }
    let properties = parameters.get_mut("properties").and_then(Value::as_object_mut);
    for schema in properties.into_iter().flat_map(Map::values_mut) {
        if let Some(about) = schema.get_mut("description") {
            *about = plain(about.as_str().unwrap_or_default(), MAX_PARAMETER_DESCRIPTION).into();
        }
    }
    let output = match tool.get("outputSchema").filter(|it| it.is_object()) {
        Some(schema) => schema.clone(),
        None => json!({"type": "object", "properties": {
            "text": {"type": "string"}, "json": {}, "other": {"type": "array"}, "empty": {"type": "boolean"}
        }, "required": ["text"]}),
    };
    for (key, schema) in [("inputSchema", &parameters), ("outputSchema", &output)] {
        llm::JsonSchema::new(schema.clone())
            .map_err(|error| format!("its `{key}` cannot be used: {error}"))?;
    }
    let hint = |name: &str| {
        tool.pointer(&format!("/annotations/{name}"))
            .and_then(Value::as_bool)
    };
    let declared = match (
        hint("readOnlyHint"),
        hint("idempotentHint"),
        hint("destructiveHint"),
    ) {
        (Some(true), ..) => Effects::Read,
        (_, Some(true), Some(false)) => Effects::Idempotent,
        _ => Effects::Act,
    };
    let effects = server
        .effects
        .get(name)
        .or_else(|| server.effects.get("*"))
        .copied()
        .unwrap_or(declared);
    let described = tool
        .get("description")
        .or_else(|| tool.get("title"))
        .and_then(Value::as_str)
        .unwrap_or_default();
    let manifest = json!({
        "name": word,
        "version": "1.0.0",
        "description": format!("{} (tool {} of the MCP server {})", plain(described, MAX_DESCRIPTION), plain(name, 100), plain(&server.name, 100)),
        "category": server.word,
        "parameters": parameters,
        "output_schema": output,
        "timeout_ms": server.timeout_ms,
        "effects": effects,
    });
    let mut manifest: Manifest = serde_json::from_value(manifest).map_err(|error| error.to_string())?;
    // By the protocol a tool without the hint is open to the whole world.
    manifest.open_world = hint("openWorldHint") != Some(false);
    Ok(manifest)
}

/// A server's text in one line without invisible characters, for the tool lists that models read.
fn plain(text: &str, longest: usize) -> String {
    let unseen = |c: &char| {
        c.is_control()
            || matches!(*c, '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{feff}' | '\u{e0000}'..='\u{e007f}')
    };
    let words: Vec<String> = text
        .split_whitespace()
        .map(|word| word.chars().filter(|it| !unseen(it)).collect())
        .collect();
    words.join(" ").chars().take(longest).collect()
}

/// A tool that an MCP server runs.
struct RemoteTool {
    name: String,
    server: String,
    structured: bool,
    in_headers: Vec<HeaderParameter>,
    connection: Arc<McpConnection>,
}

#[async_trait]
impl ToolExecutor for RemoteTool {
    async fn run(
        &self,
        parameters: Map<String, Value>,
        context: &mut ToolContext,
        _registry: &crate::Registry,
    ) -> Result<Value, Error> {
        let params = json!({"name": self.name, "arguments": parameters});
        let mut answer = match self.connection.ask("tools/call", params, &self.in_headers).await {
            Ok(answer)
                if answer
                    .get("resultType")
                    .is_some_and(|kind| kind == "input_required") =>
            {
                let message = format!(
                    "the MCP server {:?} wants further input, which nobody is asked for",
                    self.server
                );
                return Err(Error::Failed(message));
            }
            Ok(answer) => answer,
            Err(error) => {
                let state = match error {
                    McpError::Unavailable(_) | McpError::Unreachable(_) => "is not there",
                    _ => "failed",
                };
                let message = format!("the MCP server {:?} {state}: {error}", self.server);
                return Err(Error::Failed(message));
            }
        };
        let (text, other) = content(&answer);
        if answer.get("isError").and_then(Value::as_bool) == Some(true) {
            let why = if text.is_empty() {
                "it gave no reason"
            } else {
                &text
            };
            return Err(Error::Failed(truncate(&self.connection.masked(why), MAX_ERROR)));
        }
        let structured = answer
            .get_mut("structuredContent")
            .map(Value::take)
            .filter(Value::is_object);
        if self.structured {
            return structured
                .ok_or_else(|| Error::Failed("the tool promises structured content and gave none".into()));
        }
        if text.len() > MAX_TEXT_BYTES {
            context.warn(format!("the text was cut at {MAX_TEXT_BYTES} bytes"));
        }
        let parsed = structured.or_else(|| {
            let read = json_of(text.trim())?;
            if let Some(warning) = read.warning() {
                context.warn(warning);
            }
            Some(read.value)
        });
        let mut output = json!({"text": truncate(&text, MAX_TEXT_BYTES)});
        if let Some(output) = output.as_object_mut() {
            output.extend(parsed.map(|it| ("json".to_owned(), it)));
            if !other.is_empty() {
                output.insert("other".into(), other.into());
            }
        }
        Ok(output)
    }
}

/// The JSON that a text is, where it is one of an object or a list.
fn json_of(text: &str) -> Option<JsonText> {
    let looks = text.starts_with(['{', '[']) && text.len() <= MAX_TEXT_BYTES;
    let is_shallow = looks && rules::nesting(text).is_none_or(|it| it <= rules::MAX_DEPTH);
    is_shallow.then(|| JsonText::read(text).ok()).flatten()
}

/// The texts of an answer joined, and its other content by kind and size.
fn content(answer: &Value) -> (String, Vec<Value>) {
    let mut texts: Vec<&str> = Vec::new();
    let mut other = Vec::new();
    let blocks = answer.get("content").and_then(Value::as_array);
    for block in blocks.into_iter().flatten() {
        let field = |path: &str| block.pointer(path).and_then(Value::as_str);
        match field("/type") {
            Some("text") => texts.extend(field("/text")),
            Some("resource") if field("/resource/text").is_some() => texts.extend(field("/resource/text")),
            Some(kind) => {
                let data = field("/data")
                    .or_else(|| field("/resource/blob"))
                    .unwrap_or_default();
                let bytes = base64::engine::general_purpose::STANDARD
                    .decode(data)
                    .map_or(0, |it| it.len());
                let uri = field("/uri").or_else(|| field("/resource/uri"));
                let mime_type = field("/mimeType").or_else(|| field("/resource/mimeType"));
                other.push(json!({"type": kind, "mime_type": mime_type, "bytes": bytes, "uri": uri}));
            }
            None => {}
        }
    }
    (texts.join("\n"), other)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_server_gives_keeps_its_type_and_its_digits() {
        let answer = json!({"content": [
            {"type": "image", "data": "AAAA", "mimeType": "image/png"},
            {"type": "resource", "resource": {"uri": "file:///a.pdf", "mimeType": "application/pdf", "blob": "AAAA"}},
        ]});
        assert_eq!(
            content(&answer).1,
            [
                json!({"type": "image", "mime_type": "image/png", "bytes": 3, "uri": null}),
                json!({"type": "resource", "mime_type": "application/pdf", "bytes": 3, "uri": "file:///a.pdf"}),
            ]
        );
        let read = json_of("[12345678901234567890123, 5]").unwrap();
        assert_eq!(read.value, json!(["12345678901234567890123", 5]));
        assert!(json_of("5").is_none() && json_of("{no}").is_none());
    }
}
