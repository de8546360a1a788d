//! Completion of items by a language model, and extraction in the shape of a schema.
//!
//! The rules come first; a model is asked for what they leave open. [`ExtractionInput`] is the page as both see it.
//! [`FieldCompletion`] decides what to ask next and does no IO: its driver puts each [`Question`] to a model and returns
//! the [`ModelReply`]. [`SchemaExtraction`] does the same for an answer in the shape of a schema.

mod answer;
pub(crate) mod decision;
mod evidence;
mod extraction_meta;
mod field_completion;
mod input;
mod passages;
mod projection;
mod prompt;
mod question;
mod question_size;
mod schema_extraction;
#[cfg(test)]
mod tests;
mod tool_results;
mod wanted_fields;

pub use decision::{CompletionState, NextQuestion};
pub use extraction_meta::{ExtractionMeta, ItemScore, ModelAttempt};
pub use field_completion::{CompletionOutcome, FieldCompletion};
pub use input::ExtractionInput;
pub use projection::{Projection, PutRows, names_properties, project, put_rows, resolved_schema};
pub use question::{ModelReply, Question};
pub use question_size::PageCoverage;
pub use schema_extraction::{SchemaExtraction, SchemaTask};
pub use tool_results::ToolFinding;
