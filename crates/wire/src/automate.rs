//! The event family of automate runs: 33 events and their payloads.

mod agent;
mod browser;
mod event;
mod form;
mod model;
mod outcome;
mod task;

pub use agent::*;
pub use browser::*;
pub use event::{AutomateEvent, PLANNING};
pub use form::*;
pub use model::*;
pub use outcome::*;
pub use task::*;

/// The earlier name of [`GenerationFinishReason`].
pub use model::GenerationFinishReason as FinishReason;
/// The earlier name of [`MessageRole`].
pub use model::MessageRole as Role;
/// The earlier name of [`AutomateComplete`].
pub use outcome::AutomateComplete as Complete;
/// The earlier name of [`AutomateDone`].
pub use outcome::AutomateDone as Done;
/// The earlier name of [`AutomateError`].
pub use outcome::AutomateError as RunError;
/// The earlier name of [`AutomateErrorInfo`].
pub use outcome::AutomateErrorInfo as ErrorInfo;
/// The earlier name of [`TaskFailure`].
pub use outcome::TaskFailure as Failure;
/// The earlier name of [`TaskStats`].
pub use outcome::TaskStats as Stats;
