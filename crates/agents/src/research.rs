//! The research agent: a question in, a report out, and no citation that its source does not support.

mod answer_passages;
mod bm25;
mod citations;
mod context;
mod drafted_lines;
mod effort;
mod extractive;
mod injection_filter;
mod limits;
mod memo_store;
mod near_duplicates;
mod page_reader;
mod phases;
mod planner;
mod prompts;
mod relevance;
mod report;
mod run;
mod state;
mod table_rows;
mod text;
mod verify_draft;

pub use effort::ResearchEffort;
pub use limits::ResearchLimits;
pub use page_reader::page_text;
pub use planner::{ResearchProgress, ResearchStep, next};
pub use run::{check, run};
