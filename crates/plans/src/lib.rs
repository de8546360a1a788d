//! Plans: tools put in order as JSON, checked as a whole before anything runs, and then run.
//!
//! ```json
//! {"plan": [
//!    {"id": "open", "tool": "navigation.scroll_load", "parameters": {"times": 6}, "on_error": "continue"},
//!    {"tool": "extraction.products_generic", "parameters": {"max_price": 150}, "save_as": "cheap"},
//!    {"tool": "validation.price_range_check", "parameters": {"max": 150}, "when": "cheap"}
//!  ],
//!  "expected_output": "products",
//!  "fallback": "extraction.products_generic"}
//! ```
//!
//! A parameter may refer to what an earlier step gave: `{"$ref": "steps.open.scrolls_performed"}`, `"{{products[0].url}}"`
//! or `"${steps.0.data.url}"` (steps count from 0), alone or within a text. A reference is read once, in the plan; what
//! it stands for is data and is never read again. `{"$literal": ...}` keeps a text from being read at all. There is no
//! other expression, and no code.

mod check;
mod coerce;
mod dsl;
mod execute;
pub mod make;
mod reference;
pub mod triggers;
pub mod user;
mod verdict;
mod when;

pub use check::{CheckedPlan, CheckedStep, Conditions, check};
pub use coerce::coerce;
pub use dsl::{Issue, Issues, MAX_BYTES, MAX_DEPTH, MAX_STEPS, OnError, Plan, Step};
pub use execute::{Event, Quiet, Report, StepReport, StepStatus, Watch, execute};
pub use verdict::{Standing, Verdict};

pub(crate) use execute::{execute_within, failure};
pub(crate) use reference::bind_parameters;

#[cfg(test)]
mod tests;
