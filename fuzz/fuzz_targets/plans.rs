//! Plans of any text: what is read is read again from its source, and what passes the check keeps to the conditions.

#![no_main]

use std::sync::LazyLock;

use libfuzzer_sys::fuzz_target;
use plans::{Conditions, MAX_BYTES, MAX_STEPS, ToolPlan, check};
use tools::{Grant, Registry};

static REGISTRY: LazyLock<Registry> = LazyLock::new(Registry::builtin);

fuzz_target!(|text: &str| {
    let plan = match ToolPlan::read(text) {
        Ok(plan) => plan,
        Err(issues) => {
            assert!(!issues.0.is_empty() && issues.0.iter().all(|issue| !issue.message.is_empty()), "{text:?}");
            return;
        }
    };
    assert!(text.len() <= MAX_BYTES && plan.steps.len() <= MAX_STEPS);
    assert_eq!(ToolPlan::read(&plan.source.to_string()).as_ref(), Ok(&plan), "{text:?}");
    let reading = Grant::reading([]);
    for grant in [Grant::default(), reading] {
        let conditions = Conditions { grant, ..Conditions::all() };
        let Ok(checked) = check(&plan, &REGISTRY, &conditions) else { continue };
        assert!(checked.steps().len() <= plan.steps.len(), "{text:?}");
        assert!(checked.steps().len() == plan.steps.len() || !checked.notes.is_empty(), "{text:?}");
        for id in checked.steps().iter().map(|step| step.tool()).chain(checked.fallbacks()) {
            let tool = REGISTRY.find(id).expect("a tool of the registry");
            assert!(REGISTRY.permits(&conditions.grant, tool.manifest()).is_ok(), "{id} in {text:?}");
        }
        // Where no step can be done, the fallback alone is left.
        if checked.steps().is_empty() {
            assert!(checked.fallbacks().next().is_some(), "{text:?}");
            continue;
        }
        let again = ToolPlan::from_value(&checked.json()).expect("a checked plan is a plan");
        let again = check(&again, &REGISTRY, &conditions).expect("a checked plan passes its check");
        assert_eq!(again.json(), checked.json(), "{text:?}");
    }
});
