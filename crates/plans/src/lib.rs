//! Plans: tool calls in order as JSON, checked as a whole before anything runs, and then run.
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
//! A parameter can refer to the output of an earlier step: `{"$ref": "steps.open.scrolls_performed"}`,
//! `"{{products[0].url}}"` or `"${steps.0.data.url}"` (steps count from 0), alone or within a text. References are read
//! once, in the plan; the values they stand for are data and are never read as references. `{"$literal": ...}` keeps a
//! text from being read at all. There is no other expression, and no code.

mod check;
mod checked_plan;
mod coerce;
mod condition;
mod conditions;
mod execute;
mod issue;
pub mod model_planning;
mod observer;
mod parse;
mod plan;
mod reference;
mod reference_types;
mod report;
mod tool_output;
pub mod triggers;
pub mod user;
mod verdict;

pub use check::check;
pub use checked_plan::{CheckedPlan, CheckedStep};
pub use coerce::coerce;
pub use conditions::Conditions;
pub use execute::execute;
pub use issue::{Issue, IssueCode, Issues};
pub use observer::{PlanEvent, PlanObserver, SilentObserver};
pub use plan::{MAX_BYTES, MAX_DEPTH, MAX_STEPS, OnError, PlanStep, ToolPlan};
pub use report::{
    ConditionReport, ConditionState, NoPlanReason, PlanReport, PlanStepStatus, PlanVerdict, StepReport,
    VerdictStatus, unread_part,
};

#[cfg(test)]
mod tests;
