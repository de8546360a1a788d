//! Whether an action of a run may happen: sites, value sources, grants, guardrail rules and upload names.
//!
//! Everything here decides and nothing here acts: no IO, no clock, no browser. A caller describes what it is about to
//! do with [`ElementFacts`] and [`FormTarget`], and a [`Grant`] answers with `Ok(())` or [`Refused`]. What cannot be
//! decided is refused.

mod effects;
mod element;
mod grant;
mod guardrails;
mod refused;
mod site;
mod task_words;
mod uploads;

pub use effects::Effects;
pub use element::{ElementFacts, FormTarget};
pub use grant::{AgentRules, DragEnd, Grant, ValueSource, without_fragment};
pub use guardrails::Guardrails;
pub use refused::Refused;
pub use site::{Site, addresses_in};
pub use uploads::UploadFiles;
