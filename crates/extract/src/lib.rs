//! Extraction of clean data from a page: items, records, prices, dates, main text.

pub mod fields;
pub mod item;
pub mod llm_extraction;
pub mod mode;
pub mod modes;
pub mod normalize;
pub mod provenance;
pub mod rules;

/// Former names, for callers that have not moved to [`llm_extraction`] yet.
pub mod asking {
    pub use crate::llm_extraction::{
        CompletionOutcome as Outcome, CompletionState as State, ExtractionInput as Material,
        ExtractionMeta as Meta, FieldCompletion as Course, ItemScore as Score, ModelAttempt as Attempt,
        ModelReply as Heard, NextQuestion as Next, Question, SchemaExtraction as Shaped, SchemaTask as Task,
        ToolFinding as Seen, project,
    };
}
