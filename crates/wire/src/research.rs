//! The event family of research runs: 23 events, their payloads and the report.

mod event;
mod phases;
mod report;

pub use event::ResearchEvent;
pub use phases::*;
pub use report::*;
