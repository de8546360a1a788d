//! The event family of automate runs: 35 events and their payloads.

mod agent;
mod browser;
mod event;
mod form;
mod model;
mod outcome;
mod takeover;
mod task;

pub use agent::*;
pub use browser::*;
pub use event::{AutomateEvent, PLANNING};
pub use form::*;
pub use model::*;
pub use outcome::*;
pub use takeover::*;
pub use task::*;
