//! Agreement of manifests with the Rust types of their parameters.

use std::collections::BTreeSet;

use serde_json::Value;
use tools::Registry;
use tools::manifest::rules::types_of;

#[test]
fn every_manifest_can_be_used() {
    assert_eq!(Registry::faults(), []);
    assert!(!Registry::builtin().is_empty());
}

/// What a Rust type allows, in the words of JSON Schema: `Option` is what may be null or absent.
fn told(schema: &Value) -> BTreeSet<String> {
    let mut types: BTreeSet<String> = types_of(schema).into_iter().map(str::to_owned).collect();
    for part in ["anyOf", "oneOf"] {
        for choice in schema.get(part).and_then(Value::as_array).into_iter().flatten() {
            types.extend(told(choice));
        }
    }
    if types.is_empty() && (schema.get("const").is_some() || schema.get("enum").is_some()) {
        types.insert("string".into());
    }
    types
}

#[test]
fn manifests_and_rust_types_have_the_same_parameters() {
    let mut faults = Vec::new();
    for entry in Registry::builtin().iter() {
        let id = entry.id();
        let Some(code) = entry.code_parameters() else {
            continue;
        };
        let none = serde_json::Map::new();
        let in_code = code["properties"].as_object().unwrap_or(&none);
        let in_manifest = entry.manifest().properties().unwrap_or(&none);
        let names = |of: &serde_json::Map<String, Value>| of.keys().cloned().collect::<BTreeSet<_>>();
        if names(in_code) != names(in_manifest) {
            faults.push(format!(
                "{id}: code has {:?}, the manifest {:?}",
                names(in_code),
                names(in_manifest)
            ));
            continue;
        }
        if code["additionalProperties"] != false {
            faults.push(format!("{id}: Params lacks #[serde(deny_unknown_fields)]"));
        }
        let needed: BTreeSet<&str> = code["required"]
            .as_array()
            .into_iter()
            .flatten()
            .filter_map(Value::as_str)
            .collect();
        let required: BTreeSet<&str> = entry.manifest().required().collect();
        for (name, schema) in in_manifest {
            let has_default = schema.get("default").is_some_and(|it| !it.is_null());
            let sure = required.contains(name.as_str()) || has_default;
            if needed.contains(name.as_str()) && !sure {
                faults.push(format!(
                    "{id}: `{name}` is plain in Rust and neither required nor defaulted in the manifest"
                ));
            }
            let (rust, json) = (told(&in_code[name]), told(schema));
            let rust_core: BTreeSet<_> = rust.iter().filter(|it| *it != "null").collect();
            let json_core: BTreeSet<_> = json.iter().filter(|it| *it != "null").collect();
            // A type without bounds (any JSON) takes what the manifest says.
            if !rust_core.is_empty() && rust_core != json_core {
                faults.push(format!(
                    "{id}: `{name}` is {rust:?} in Rust and {json:?} in the manifest"
                ));
            }
            if json.contains("null") && !rust.is_empty() && !rust.contains("null") {
                faults.push(format!(
                    "{id}: `{name}` may be null in the manifest and not in Rust"
                ));
            }
        }
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}
