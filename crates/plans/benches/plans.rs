//! Duration of the check of a plan of 50 steps, and of the dispatch of a tool that does nothing.

use std::hint::black_box;
use std::time::{Duration, Instant};

use plans::{Conditions, ToolPlan, check};
use serde_json::{Map, Value, json};
use tools::{Grant, Registry, ToolContext, ToolServices};

/// The median of repeated runs.
fn median(mut once: impl FnMut()) -> Duration {
    for _ in 0..20 {
        once();
    }
    let mut times: Vec<Duration> = (0..200)
        .map(|_| {
            let began = Instant::now();
            once();
            began.elapsed()
        })
        .collect();
    times.sort();
    times.get(times.len() / 2).copied().unwrap_or_default()
}

fn main() {
    let registry = Registry::builtin();
    let step = |at: usize| match at % 4 {
        0 => json!({"tool": "html.select", "parameters": {"selector": "article h2", "limit": "20"}}),
        1 => json!({"tool": "extraction.products_generic", "parameters": {"max_price": 150}}),
        2 => json!({"tool": "validation.price_range_check", "parameters": {"max": 150}, "when": "products"}),
        _ => {
            json!({"tool": "data.rank_rows", "parameters": {"rows": {"$ref": "products"}, "sort_field": "price"}})
        }
    };
    let plan = Value::Array((0..50).map(step).collect());
    let conditions = Conditions::all();
    let whole = median(|| {
        let read = ToolPlan::from_value(&plan).map(|it| check(&it, &registry, &conditions).is_ok());
        assert!(matches!(black_box(read), Ok(true)), "the plan passes");
    });
    println!("plan check, 50 steps: {whole:?}");

    // A tool whose own work is one lookup: what is measured is what stands around it.
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_time()
        .build();
    let Ok(runtime) = runtime else { return };
    let mut context = ToolContext::new(ToolServices::default(), Grant::default());
    let mut parameters = Map::new();
    parameters.insert("key".into(), "a".into());
    let call = median(|| {
        let outcome = runtime.block_on(registry.run("cache.get", &parameters, &mut context));
        assert!(black_box(outcome).is_ok(), "the tool runs");
    });
    println!("dispatch of a tool that does nothing: {call:?}");
}
