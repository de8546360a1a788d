//! Calls written as tags or between tokens.

use serde_json::{Map, Value};

use super::typed::typed;
use crate::assemble::repair::unfenced;
use crate::assemble::scan::trimmed;
use crate::assemble::text_call::{TextCall, TokenSection};
use crate::tool::{ToolSet, ToolSpec};
use crate::turn::Malformed;

/// `<invoke name="x"><parameter name="y">z</parameter></invoke>`, any number of times.
pub(super) fn invokes(text: &str, prefix: &str, tools: &ToolSet) -> Option<Vec<TextCall>> {
    let begin = format!("<{prefix}invoke");
    let end = format!("</{prefix}invoke>");
    let mut calls = Vec::new();
    let mut rest = text;
    while let Some(at) = rest.find(&begin) {
        let (head, after) = rest.get(at + begin.len()..)?.split_once('>')?;
        let name = attribute(head, "name")?;
        let tool = tools.get(name);
        if head.ends_with('/') {
            calls.push(TextCall::whole(name, Map::new(), head));
            rest = after;
            continue;
        }
        let (inner, behind) = after.split_once(&end)?;
        let json: Option<Map<String, Value>> = serde_json::from_str(trimmed(inner)).ok();
        let arguments = match json {
            Some(arguments) => arguments,
            None => elements(
                inner,
                &format!("<{prefix}parameter"),
                &format!("</{prefix}parameter>"),
                tool.map(AsRef::as_ref),
            )?,
        };
        calls.push(TextCall::whole(name, arguments, inner));
        rest = behind;
    }
    Some(calls)
}

/// `<function=x><parameter=y>z</parameter></function>` or JSON within, any number of times.
pub(super) fn functions(text: &str, tools: &ToolSet) -> Option<Vec<TextCall>> {
    let mut calls = Vec::new();
    let mut rest = text;
    while let Some(at) = rest.find("<function=") {
        let (name, after) = rest.get(at + "<function=".len()..)?.split_once('>')?;
        let name = name.trim().trim_matches('"').to_owned();
        let (inner, behind) = after.split_once("</function>")?;
        let tool = tools.get(&name);
        let arguments = match serde_json::from_str(trimmed(inner)) {
            Ok(arguments) => arguments,
            Err(_) => elements(inner, "<parameter=", "</parameter>", tool.map(AsRef::as_ref))?,
        };
        calls.push(TextCall::whole(&name, arguments, inner));
        rest = behind;
    }
    Some(calls)
}

/// The parameters of an element, typed by the tool's schema.
pub(super) fn elements(
    inner: &str,
    begin: &str,
    end: &str,
    tool: Option<&ToolSpec>,
) -> Option<Map<String, Value>> {
    let mut arguments = Map::new();
    let mut rest = inner;
    while let Some(at) = rest.find(begin) {
        let (head, after) = rest.get(at + begin.len()..)?.split_once('>')?;
        let name = if begin.ends_with('=') {
            head.trim().trim_matches('"')
        } else {
            attribute(head, "name")?
        };
        let is_string = attribute(head, "string").filter(|_| !begin.ends_with('='));
        let (value, behind) = after.split_once(end)?;
        let schema = tool.and_then(|tool| tool.parameter(name));
        arguments.insert(name.to_owned(), typed(value, schema, is_string));
        rest = behind;
    }
    Some(arguments)
}

/// `name <arg_key>k</arg_key><arg_value>v</arg_value>`
pub(super) fn key_value_tags(text: &str, tools: &ToolSet) -> Option<TextCall> {
    let end = text.find(['\n', '<']).unwrap_or(text.len());
    let (name, mut rest) = text.split_at(end);
    let name = name.trim().to_owned();
    let tool = tools.get(&name)?;
    let mut arguments = Map::new();
    while let Some(at) = rest.find("<arg_key>") {
        let (key, after) = rest.get(at + "<arg_key>".len()..)?.split_once("</arg_key>")?;
        let (_, after) = after.split_once("<arg_value>")?;
        let (value, behind) = after.split_once("</arg_value>")?;
        let key = key.trim();
        arguments.insert(key.to_owned(), typed(value, tool.parameter(key), None));
        rest = behind;
    }
    rest.trim()
        .is_empty()
        .then(|| TextCall::whole(&name, arguments, text))
}

/// Calls that are a name, a separator and JSON between tokens.
pub(super) fn sections(text: &str, section: &TokenSection) -> Option<Vec<TextCall>> {
    let mut calls = Vec::new();
    let mut rest = text;
    while let Some(at) = rest.find(section.begin) {
        let after = rest.get(at + section.begin.len()..)?;
        let (inner, behind) = after.split_once(section.end)?;
        let (head, tail) = inner.split_once(section.separator)?;
        // DeepSeek's older form puts a type before the separator and the name on the line behind it.
        let (name, json) = match tail.split_once('\n') {
            Some((line, json)) if head.trim() == "function" && !line.trim_start().starts_with('{') => {
                (line, json)
            }
            _ => (head, tail),
        };
        let name = name.trim();
        let name = name.strip_prefix("functions.").unwrap_or(name);
        let name = name
            .rsplit_once(':')
            .filter(|(_, nth)| nth.parse::<u32>().is_ok())
            .map_or(name, |(name, _)| name);
        let json = trimmed(json);
        let arguments =
            serde_json::from_str(unfenced(json).unwrap_or(json)).map_err(|_| Malformed::InvalidJson);
        calls.push(TextCall {
            name: name.to_owned(),
            arguments: arguments.map(|object| (object, None)),
            received: inner.to_owned(),
        });
        rest = behind;
    }
    Some(calls)
}

fn attribute<'a>(head: &'a str, name: &str) -> Option<&'a str> {
    let at = head.find(&format!("{name}="))? + name.len() + 1;
    let rest = head.get(at..)?;
    let quote = rest.chars().next()?;
    if matches!(quote, '"' | '\'') {
        rest.get(1..)?.split_once(quote).map(|(value, _)| value)
    } else {
        rest.split([' ', '/']).next()
    }
}
