//! The page of the HTTP interface: every endpoint with its parameters, bodies and answers, and every type.

use std::fmt::Write as _;

use serde_json::{Map, Value};

use super::schema::{Field, NamedType, Shape, TypeKind, TypeTable};
use super::text::COMMAND;

/// The page.
///
/// # Errors
/// When the document has no paths.
pub(super) fn page(document: &Value, table: &TypeTable) -> anyhow::Result<String> {
    let paths = document["paths"].as_object();
    let paths = paths.ok_or_else(|| anyhow::anyhow!("the document has no paths"))?;
    let mut text = format!(
        "# API reference\n\n\
         Every endpoint of `huntsman serve` and every type of its requests and answers. This page is written by `{}` from \
         [openapi.json](openapi.json), which a server also gives at `/openapi.json`.\n\n\
         [The server with its clients](guide/server.md) shows requests step by step; [the clients](clients.md) for Python and \
         TypeScript know these types. Failures are `{{\"error\": \"text\"}}` with a code in the header `x-error-code`: \
         [error codes](errors.md). What an operator sets: [settings](config.md).\n\n\
         ## Endpoints\n\n| endpoint | does |\n|---|---|\n",
        COMMAND
    );
    let endpoints: Vec<(String, &Value)> = paths
        .iter()
        .flat_map(|(path, methods)| {
            let methods = methods.as_object().into_iter().flatten();
            methods.map(move |(method, operation)| (format!("{} {path}", method.to_uppercase()), operation))
        })
        .collect();
    for (name, operation) in &endpoints {
        let summary = operation["summary"].as_str().unwrap_or_default();
        writeln!(text, "| [`{name}`](#{}) | {} |", anchor(name), cell(summary))?;
    }
    for (name, operation) in &endpoints {
        endpoint(&mut text, name, operation, table)?;
    }
    text.push_str("\n## Types\n");
    for (name, named) in &table.types {
        type_section(&mut text, name, named)?;
    }
    Ok(text)
}

fn endpoint(text: &mut String, name: &str, operation: &Value, table: &TypeTable) -> std::fmt::Result {
    let summary = operation["summary"].as_str().unwrap_or_default();
    writeln!(text, "\n### `{name}`\n\n{summary}")?;
    let scopes: Vec<String> = strings(&operation["x-any-scope-of"])
        .map(|scope| format!("`{scope}`"))
        .collect();
    if !scopes.is_empty() {
        writeln!(text, "\nKeys with scopes need {}.", scopes.join(" or "))?;
    }
    let parameters = operation["parameters"]
        .as_array()
        .map(Vec::as_slice)
        .unwrap_or_default();
    if !parameters.is_empty() {
        text.push_str("\n| parameter | in | meaning |\n|---|---|---|\n");
    }
    for parameter in parameters {
        let said = parameter["description"].as_str().unwrap_or_default();
        let of = |key: &str| parameter[key].as_str().unwrap_or_default();
        writeln!(text, "| `{}` | {} | {} |", of("name"), of("in"), cell(said))?;
    }
    let referred = |schema: &Value| {
        let key = schema["$ref"].as_str()?.rsplit('/').next()?;
        let name = table.of_schema.get(key)?;
        Some(format!("[`{name}`](#{})", anchor(name)))
    };
    let body = &operation["requestBody"]["content"]["application/json"]["schema"];
    if let Some(body) = referred(body) {
        writeln!(text, "\nBody: {body}.")?;
    }
    let empty = Map::new();
    for (status, response) in operation["responses"].as_object().unwrap_or(&empty) {
        if status == "default" {
            continue;
        }
        let contents = response["content"].as_object().unwrap_or(&empty).iter();
        let contents = contents.map(|(media, content)| {
            let schema = &content["schema"];
            match (referred(schema), schema["description"].as_str()) {
                (Some(named), _) => named,
                (None, Some(said)) => format!("`{media}`: {}", linked(said, table)),
                (None, None) => format!("`{media}`"),
            }
        });
        let contents: Vec<String> = contents.collect();
        let said = match contents.is_empty() {
            true => response["description"]
                .as_str()
                .unwrap_or_default()
                .trim_end_matches('.')
                .to_owned(),
            false => contents.join(" or ").trim_end_matches('.').to_owned(),
        };
        writeln!(text, "\nAnswer {status}: {said}.")?;
    }
    Ok(())
}

/// A sentence with links in place of the schemas that it names.
fn linked(said: &str, table: &TypeTable) -> String {
    table.of_schema.iter().fold(said.to_owned(), |said, (key, name)| {
        said.replace(&format!("`{key}`"), &format!("[`{name}`](#{})", anchor(name)))
    })
}

fn type_section(text: &mut String, name: &str, named: &NamedType) -> std::fmt::Result {
    writeln!(text, "\n### {name}")?;
    if !named.doc.is_empty() {
        writeln!(text, "\n{}", named.doc)?;
    }
    match &named.kind {
        TypeKind::Alias(shape) => writeln!(text, "\n{}", capital(&words(shape))),
        TypeKind::Fields { bases, fields } => {
            if !bases.is_empty() {
                let bases: Vec<String> = bases
                    .iter()
                    .map(|base| format!("[{base}](#{})", anchor(base)))
                    .collect();
                writeln!(text, "\nThe fields of {}, and:", bases.join(" and "))?;
            }
            text.push_str("\n| field | takes | meaning |\n|---|---|---|\n");
            for field in fields {
                field_row(text, field)?;
            }
            Ok(())
        }
    }
}

fn field_row(text: &mut String, field: &Field) -> std::fmt::Result {
    let mut takes = vec![words(&field.shape)];
    takes.extend(field.bounds.iter().cloned());
    takes.extend(
        field
            .default
            .as_ref()
            .map(|default| format!("`{default}` when absent")),
    );
    let mark = if field.required { " (required)" } else { "" };
    writeln!(
        text,
        "| `{}`{mark} | {} | {} |",
        field.name,
        cell(&takes.join("; ")),
        cell(&field.doc)
    )
}

/// What a value may be, in words.
fn words(shape: &Shape) -> String {
    match shape {
        Shape::Any => "anything".to_owned(),
        Shape::Null => "null".to_owned(),
        Shape::Boolean => "true or false".to_owned(),
        Shape::Integer => "integer".to_owned(),
        Shape::Number => "number".to_owned(),
        Shape::Text => "text".to_owned(),
        Shape::Literal(value) => format!("`{}`", value.trim_matches('"')),
        Shape::List(item) => format!("list of {}", words(item)),
        Shape::Map(value) if **value == Shape::Any => "object".to_owned(),
        Shape::Map(value) => format!("object with values: {}", words(value)),
        Shape::Union(shapes) => {
            let mut parts: Vec<String> = shapes.iter().map(words).collect();
            let last = parts.pop().unwrap_or_default();
            format!("{} or {last}", parts.join(", "))
        }
        Shape::Named(name) => format!("[{name}](#{})", anchor(name)),
    }
}

fn strings(value: &Value) -> impl Iterator<Item = &str> {
    value.as_array().into_iter().flatten().filter_map(Value::as_str)
}

fn cell(text: &str) -> String {
    text.split_whitespace()
        .collect::<Vec<_>>()
        .join(" ")
        .replace('|', "\\|")
}

fn capital(text: &str) -> String {
    let mut letters = text.chars();
    let first = letters.next().map(|letter| letter.to_uppercase().to_string());
    format!("{}{}.", first.unwrap_or_default(), letters.as_str())
}

/// The anchor of a heading: small letters, digits, `-` and `_`, with `-` for each blank.
fn anchor(heading: &str) -> String {
    let kept = heading
        .chars()
        .filter(|letter| letter.is_alphanumeric() || matches!(letter, ' ' | '-' | '_'));
    kept.collect::<String>().to_lowercase().replace(' ', "-")
}
