//! Outputs of tools as their manifests declare them: fields, main list, validation.

use serde_json::{Map, Value};
use tools::manifest::{Manifest, rules};
use tools::registry::RegisteredTool;

/// The names in `expected_output`: one, or several separated by commas.
pub(crate) fn expected_names(written: &str) -> impl Iterator<Item = &str> {
    written.split(',').map(str::trim)
}

/// The declared fields of a tool's output.
pub(crate) fn output_fields(manifest: &Manifest) -> Option<&Map<String, Value>> {
    manifest.output_schema.get("properties")?.as_object()
}

/// The names of the declared fields, in order.
pub(crate) fn output_names(manifest: &Manifest) -> impl Iterator<Item = &String> {
    output_fields(manifest).into_iter().flat_map(Map::keys)
}

/// Whether a tool's output can have a field of this name.
pub(crate) fn has_output(manifest: &Manifest, name: &str) -> bool {
    let further = manifest.output_schema.get("additionalProperties");
    output_fields(manifest).is_some_and(|fields| fields.contains_key(name))
        || further.is_some_and(|schema| *schema != Value::Bool(false))
}

/// Whether a tool validates the output of others instead of producing its own.
pub(crate) fn is_check(entry: &RegisteredTool) -> bool {
    entry.manifest().category == "validation"
}

/// The name of the only list in a tool's output.
pub(crate) fn main_field(manifest: &Manifest) -> Option<&str> {
    let fields = output_fields(manifest)?.iter();
    let mut lists = fields.filter(|(_, schema)| rules::types_of(schema) == ["array"]);
    match (lists.next(), lists.next()) {
        (Some((name, _)), None) => Some(name),
        _ => None,
    }
}

/// The schema of a tool's only list; that of its whole output when it has none or several.
pub(crate) fn main_schema(manifest: &Manifest) -> &Value {
    let of_field = |name| output_fields(manifest)?.get(name);
    main_field(manifest)
        .and_then(of_field)
        .unwrap_or(&manifest.output_schema)
}
