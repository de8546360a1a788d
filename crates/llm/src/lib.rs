//! Language models: requests, providers, answers, tool calls and budgets.
//!
//! A [`ModelRequest`] goes to a [`Model`]; the provider's bytes become payloads ([`sse`]), payloads become deltas
//! ([`wires`]), deltas become one whole [`ModelAnswer`] ([`assemble`]). A tool call that did not arrive whole is never a
//! [`ToolCall`]. A [`RoleModel`] is a model in a role whose tokens are counted for a run.

pub mod ask;
pub mod assemble;
pub mod assembly_report;
pub mod budget;
pub mod catalog;
mod client;
pub mod config;
pub mod context;
pub mod delta;
mod embed;
pub mod endpoint;
pub mod error;
pub mod history;
pub mod message;
pub mod model;
mod output_mode;
pub mod provider;
pub mod record;
pub mod retry;
pub mod schema;
pub mod sse;
mod status;
pub mod structured;
pub mod tool;
pub mod transport;
pub mod turn;
pub mod unfinished;
pub mod usage;
pub mod wires;

pub use ask::{AnswerProgress, RoleModel};
pub use assemble::Assembler;
pub use budget::{Ledger, Meter, Role, TokenBudget};
pub use config::{ModelSettings, Models};
pub use context::ContextWindows;
pub use delta::{Delta, FinishReason, Part};
pub use error::Error;
pub use history::History;
pub use message::{Message, MessageContent};
pub use model::{Capabilities, Choice, Embedded, Model, ModelRequest};
pub use schema::{JsonSchema, SchemaError, Violation};
pub use tool::{ToolEffects, ToolSet, ToolSpec};
pub use turn::{AnswerWarning, Malformed, MalformedCall, ModelAnswer, Repair, ToolCall};
pub use unfinished::Unfinished;
pub use usage::Usage;
