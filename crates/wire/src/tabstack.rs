//! The request bodies and answers of `/v1`, spelled and limited as the contract says.
//!
//! Spelling is mixed and kept exactly: bodies are snake_case, except `maxIterations` and `maxValidationAttempts`.

mod automate;
mod contract;
mod extract;
mod geo;
mod input;
mod research;
#[cfg(test)]
mod tests;

pub use automate::AutomateRequest;
pub use contract::{ContractRequest, ParsedRequest, parse};
pub use extract::{
    ContentScope, ExtractJsonRequest, FetchEffort, GenerateJsonRequest, MarkdownRequest, MarkdownResponse,
    PageMetadata,
};
pub use geo::GeoTarget;
pub use input::{Accepted, parse_answer};
pub use research::ResearchRequest;
