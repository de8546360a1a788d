//! The types as a Python module of `TypedDict`s.

use super::schema::{Field, NamedType, Shape, TypeKind, TypeTable};
use super::text::{COMMAND, wrapped};

/// Words that cannot be the name of a field of a class.
const KEYWORDS: [&str; 35] = [
    "False", "None", "True", "and", "as", "assert", "async", "await", "break", "class", "continue", "def",
    "del", "elif", "else", "except", "finally", "for", "from", "global", "if", "import", "in", "is",
    "lambda", "nonlocal", "not", "or", "pass", "raise", "return", "try", "while", "with", "yield",
];

/// The module.
pub(super) fn module(table: &TypeTable) -> String {
    let mut text = format!(
        "\"\"\"The types of requests and answers. Written by `{}` from docs/openapi.json; not to be edited.\"\"\"\n\n\
         from __future__ import annotations\n\n\
         from typing import Any, Literal, Required, TypeAlias, TypedDict\n",
        COMMAND
    );
    // A class stands after those whose fields it has too.
    let mut written: Vec<&str> = Vec::new();
    while written.len() < table.types.len() {
        let before = written.len();
        for (name, named) in &table.types {
            let ready = match &named.kind {
                TypeKind::Fields { bases, .. } => bases.iter().all(|base| written.contains(&base.as_str())),
                TypeKind::Alias(_) => true,
            };
            if ready && !written.contains(&name.as_str()) {
                text.push_str(&definition(name, named));
                written.push(name);
            }
        }
        if written.len() == before {
            break;
        }
    }
    text
}

fn definition(name: &str, named: &NamedType) -> String {
    match &named.kind {
        TypeKind::Alias(shape) => {
            let doc = comment(&named.doc, "");
            format!(
                "\n{doc}{name}: TypeAlias = \"{}\"\n",
                annotation(shape).replace('"', "'")
            )
        }
        TypeKind::Fields { fields, .. } if fields.iter().any(|field| !is_name(&field.name)) => {
            let entry =
                |field: &Field| format!("    {:?}: {:?},\n", field.name, required(field).replace('"', "'"));
            let entries: String = fields.iter().map(entry).collect();
            let doc = comment(&named.doc, "");
            format!("\n\n{doc}{name} = TypedDict({name:?}, {{\n{entries}}}, total=False)\n")
        }
        TypeKind::Fields { bases, fields } => {
            let bases = match bases.as_slice() {
                [] => "TypedDict".to_owned(),
                bases => bases.join(", "),
            };
            let doc = match named.doc.is_empty() {
                true => String::new(),
                false => {
                    let lines = wrapped(&named.doc, "    ", 108);
                    format!(
                        "    \"\"\"{}\"\"\"\n",
                        lines.trim().replace('\\', "\\\\").replace("\"\"\"", "'''")
                    )
                }
            };
            let field = |field: &Field| {
                let doc = comment(&field.doc, "    ");
                format!("\n{doc}    {}: {}\n", field.name, required(field))
            };
            let fields: String = fields.iter().map(field).collect();
            format!("\n\nclass {name}({bases}, total=False):\n{doc}{fields}")
        }
    }
}

fn required(field: &Field) -> String {
    match field.required {
        true => format!("Required[{}]", annotation(&field.shape)),
        false => annotation(&field.shape),
    }
}

fn comment(doc: &str, indent: &str) -> String {
    match doc.is_empty() {
        true => String::new(),
        false => wrapped(doc, &format!("{indent}# "), 108),
    }
}

fn annotation(shape: &Shape) -> String {
    match shape {
        Shape::Any => "Any".to_owned(),
        Shape::Null => "None".to_owned(),
        Shape::Boolean => "bool".to_owned(),
        Shape::Integer => "int".to_owned(),
        Shape::Number => "float".to_owned(),
        Shape::Text => "str".to_owned(),
        Shape::Literal(value) => format!("Literal[{}]", literal(value)),
        Shape::List(item) => format!("list[{}]", annotation(item)),
        Shape::Map(value) => format!("dict[str, {}]", annotation(value)),
        Shape::Union(shapes) => {
            let literals: Vec<String> = shapes
                .iter()
                .filter_map(|shape| match shape {
                    Shape::Literal(value) => Some(literal(value)),
                    _ => None,
                })
                .collect();
            let mut parts: Vec<String> = Vec::new();
            if !literals.is_empty() {
                parts.push(format!("Literal[{}]", literals.join(", ")));
            }
            let others = shapes.iter().filter(|shape| !matches!(shape, Shape::Literal(_)));
            parts.extend(others.map(annotation));
            parts.join(" | ")
        }
        Shape::Named(name) => name.clone(),
    }
}

fn literal(json: &str) -> String {
    match json {
        "true" => "True".to_owned(),
        "false" => "False".to_owned(),
        "null" => "None".to_owned(),
        other => other.to_owned(),
    }
}

fn is_name(text: &str) -> bool {
    let mut letters = text.chars();
    let first = letters
        .next()
        .is_some_and(|letter| letter.is_ascii_alphabetic() || letter == '_');
    first
        && letters.all(|letter| letter.is_ascii_alphanumeric() || letter == '_')
        && !KEYWORDS.contains(&text)
}
