//! Observers of a running plan and the events they receive.

use async_trait::async_trait;
use serde_json::{Map, Value};
use tools::registry::RegisteredTool;

use crate::report::{PlanVerdict, StepReport};

/// An event of a running plan.
pub enum PlanEvent<'a> {
    /// A step begins; its parameters are bound.
    Started {
        /// The step's id.
        id: &'a str,
        /// Its tool.
        entry: &'a RegisteredTool,
        /// Its parameters.
        parameters: &'a Map<String, Value>,
    },
    /// A step ended or was skipped.
    Ended(&'a StepReport),
    /// A fallback is tried.
    Fallback {
        /// Why.
        reason: &'a str,
        /// The fallback's tool.
        tool: &'a str,
    },
    /// The result was judged.
    Judged(&'a PlanVerdict),
}

/// Receives the events of a running plan.
#[async_trait]
pub trait PlanObserver: Send {
    /// Takes one event; `false` ends the plan before the next step.
    async fn tell(&mut self, event: PlanEvent<'_>) -> bool;
}

/// An observer that ignores every event.
pub struct SilentObserver;

#[async_trait]
impl PlanObserver for SilentObserver {
    async fn tell(&mut self, _: PlanEvent<'_>) -> bool {
        true
    }
}
