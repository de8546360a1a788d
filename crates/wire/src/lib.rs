//! The words of the wire: what clients send, what runs say, and how both are spelled. No IO, no clock, no async.
//!
//! Agents build bare events ([`scrape::ScrapeEvent`], [`automate::AutomateEvent`], [`research::ResearchEvent`]);
//! the recorder stamps each once ([`stamp::Stamped`]) and everything downstream handles the resulting
//! [`stamp::LogEntry`]: the log keeps it, [`sse`] frames it.

pub mod automate;
pub mod error;
pub mod event;
pub mod fetch_options;
pub mod frontier;
pub mod ids;
pub mod input;
mod item_schema;
pub mod masking;
pub mod memory;
pub mod monitors;
pub mod num;
pub mod profile;
pub mod read;
pub mod request_secrets;
pub mod research;
pub mod run;
pub mod run_cursor;
pub mod schema;
pub mod scrape;
pub mod site;
pub mod sse;
pub mod stamp;
pub mod strict;
pub mod tabstack;
pub mod takeover;
pub mod tenancy;
pub mod tenant_policy;
pub mod tooling;
pub mod vault;
pub mod vocabulary;
pub mod webhooks;

pub use error::Code;
pub use event::{Audience, Event, Family};
pub use fetch_options::FetchOptions;
pub use ids::{RequestId, RunId};
pub use num::Num;
pub use stamp::{LogEntry, Stamped};
pub use vocabulary::{BrowserEngine, Vocabulary};
