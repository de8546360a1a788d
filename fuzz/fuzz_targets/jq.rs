//! The check of jq queries before their parser sees them: what it accepts is within its limits of length and depth.
//!
//! What an accepted query does is bounded by the child that runs it, and tested there.

#![no_main]

use libfuzzer_sys::fuzz_target;
use sandbox::jq::{MAX_QUERY_BYTES, MAX_QUERY_DEPTH, check};

fuzz_target!(|query: &str| {
    let is_accepted = check(query).is_ok();
    if is_accepted {
        assert!(query.len() <= MAX_QUERY_BYTES, "{} bytes", query.len());
    }
    // More brackets in front never make a refused query acceptable, and too many are always refused.
    let deeper = format!("[{query}");
    assert!(is_accepted || check(&deeper).is_err(), "{query:?}");
    let too_deep = format!("{}{query}", "[".repeat(MAX_QUERY_DEPTH + 1));
    assert!(check(&too_deep).is_err(), "{query:?}");
});
