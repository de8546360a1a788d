//! Queries of any text through the tool `data.query`: a result within its limits or an error, the same twice, and no way
//! around the words that are refused.

#![no_main]

use std::sync::LazyLock;

use libfuzzer_sys::fuzz_target;
use serde_json::{Map, Value, json};
use tokio::runtime::{Builder, Runtime};
use tools::{Error, Grant, Registry, ToolContext, ToolServices};

/// Most results that a query asks for.
const LIMIT: usize = 20;
/// Longest result of a query, as JSON, with room for what stands around the results.
const MAX_RESULT_BYTES: usize = (4 << 20) + 1024;

static REGISTRY: LazyLock<Registry> = LazyLock::new(Registry::builtin);
static RUNTIME: LazyLock<Runtime> =
    LazyLock::new(|| Builder::new_current_thread().enable_all().max_blocking_threads(2).build().expect("a runtime"));

fn ask(query: &str) -> Result<Value, Error> {
    let data = json!({"a": [{"n": "x", "p": 3.5}, {"n": "y", "p": -2}, null], "t": "zażółć", "b": true, "k": {"l": [[1], []]}});
    let parameters: Map<String, Value> =
        [("query".to_owned(), query.into()), ("data".to_owned(), data), ("limit".to_owned(), LIMIT.into())].into_iter().collect();
    let mut context = ToolContext::new(ToolServices::default(), Grant::default());
    RUNTIME.block_on(REGISTRY.run("data.query", &parameters, &mut context)).map(|outcome| outcome.output)
}

fuzz_target!(|query: &str| {
    let Ok(output) = ask(query) else { return };
    let results = output["results"].as_array().expect("a list of results");
    assert!(results.len() <= LIMIT, "{query:?}");
    assert!(output.to_string().len() <= MAX_RESULT_BYTES, "{query:?}");
    // What the clock says changes from one query to the next.
    if !query.contains("now") && !query.contains("local") {
        assert_eq!(ask(query).ok().as_ref(), Some(&output), "{query:?}");
    }
    // Whatever stands before them, these are refused: they end with an error, and do not run.
    for endless in ["repeat(1)", "[range(1e12)]", "input", "env"] {
        assert!(ask(&format!("{query}\n| {endless}")).is_err(), "{query:?} | {endless}");
    }
});
