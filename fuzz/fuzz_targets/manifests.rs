//! Manifests of any text at `demo/fuzz.json`: what is accepted obeys the rules, and is accepted again as it is written.

#![no_main]

use libfuzzer_sys::fuzz_target;
use serde_json::{Map, Value};
use tools::manifest::{Manifest, filled, rules};

fuzz_target!(|text: &str| {
    let manifest = match Manifest::read(text, "demo", "fuzz") {
        Ok(manifest) => manifest,
        Err(bad) => {
            assert!(!bad.issues.is_empty(), "{text:?}");
            return;
        }
    };
    assert!(text.len() <= rules::MAX_BYTES && manifest.timeout_ms <= rules::MAX_TIMEOUT_MS);
    assert_eq!(manifest.id(), "demo.fuzz");
    assert_eq!(manifest.trigger_patterns().len(), manifest.triggers.len(), "{text:?}");
    for pattern in manifest.trigger_patterns() {
        let _ = pattern.is_match("Filter the products by price, then open the cheapest one.");
    }
    let defaults = filled(&manifest.parameters, &Map::new());
    assert_eq!(filled(&manifest.parameters, &defaults), defaults, "{text:?}");
    let _ = manifest.parameter_violations(&Value::Object(defaults));
    // A name that the manifest does not have is refused, unless the schema says that any is taken.
    if manifest.parameters.get("additionalProperties").is_none() && manifest.parameters.get("$ref").is_none() {
        let unknown = serde_json::json!({"\u{1}": 1});
        let is_named = manifest.parameter("\u{1}").is_some() || manifest.parameters.get("patternProperties").is_some();
        assert!(is_named || !manifest.parameter_violations(&unknown).is_empty(), "{text:?}");
    }
    if manifest.agent.is_none() {
        let written = serde_json::to_string(&manifest).expect("a manifest is JSON");
        let again = Manifest::read(&written, "demo", "fuzz").unwrap_or_else(|bad| panic!("{bad}: {text:?}"));
        assert_eq!(serde_json::to_string(&again).expect("a manifest is JSON"), written);
    }
});
