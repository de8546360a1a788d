//! The types as a TypeScript module of interfaces.

use super::schema::{Field, NamedType, Shape, TypeKind, TypeTable};
use super::text::{COMMAND, wrapped};

/// The module.
pub(super) fn module(table: &TypeTable) -> String {
    let mut text = format!(
        "// The types of requests and answers. Written by `{}` from docs/openapi.json; not to be edited.\n",
        COMMAND
    );
    for (name, named) in &table.types {
        text.push_str(&definition(name, named));
    }
    text
}

fn definition(name: &str, named: &NamedType) -> String {
    let doc = comment(&named.doc, "");
    match &named.kind {
        TypeKind::Alias(shape) => format!("\n{doc}export type {name} = {};\n", expression(shape)),
        TypeKind::Fields { bases, fields } => {
            let bases = match bases.as_slice() {
                [] => String::new(),
                bases => format!(" extends {}", bases.join(", ")),
            };
            let fields: String = fields.iter().map(field).collect();
            format!("\n{doc}export interface {name}{bases} {{\n{fields}}}\n")
        }
    }
}

fn field(field: &Field) -> String {
    let is_name = field
        .name
        .chars()
        .all(|letter| letter.is_ascii_alphanumeric() || letter == '_');
    let name = match is_name {
        true => field.name.clone(),
        false => format!("{:?}", field.name),
    };
    let mark = if field.required { "" } else { "?" };
    let doc = comment(&field.doc, "  ");
    format!("{doc}  {name}{mark}: {};\n", expression(&field.shape))
}

fn comment(doc: &str, indent: &str) -> String {
    if doc.is_empty() {
        return String::new();
    }
    let lines = wrapped(&doc.replace("*/", "* /"), &format!("{indent} * "), 108);
    match lines.lines().count() {
        1 => format!("{indent}/** {} */\n", lines.trim().trim_start_matches("* ")),
        _ => format!("{indent}/**\n{lines}{indent} */\n"),
    }
}

fn expression(shape: &Shape) -> String {
    match shape {
        Shape::Any => "unknown".to_owned(),
        Shape::Null => "null".to_owned(),
        Shape::Boolean => "boolean".to_owned(),
        Shape::Integer | Shape::Number => "number".to_owned(),
        Shape::Text => "string".to_owned(),
        Shape::Literal(value) => value.clone(),
        Shape::List(item) => match **item {
            Shape::Union(_) => format!("({})[]", expression(item)),
            _ => format!("{}[]", expression(item)),
        },
        Shape::Map(value) => format!("Record<string, {}>", expression(value)),
        Shape::Union(shapes) => shapes.iter().map(expression).collect::<Vec<_>>().join(" | "),
        Shape::Named(name) => name.clone(),
    }
}
