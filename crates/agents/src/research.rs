//! The research agent: a question in, a report out, and no citation that its source does not support.

mod agenda;
mod citations;
mod desk;
mod effort;
mod extractive;
mod kept;
mod notebook;
mod orders;
mod phases;
mod prompts;
mod rank;
mod reader;
mod report;
mod run;
mod settle;
mod twins;
mod words;

pub use agenda::{Progress, Step, next};
pub use desk::Limits;
pub use effort::Effort;
pub use reader::page_text;
pub use run::{check, run};
