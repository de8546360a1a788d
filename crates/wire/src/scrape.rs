//! The event family of scrape runs, their request, their steps and their result.

mod detail;
mod error;
mod event;
mod message;
mod request;
mod response;
mod reward;
mod step;

pub use detail::{CallOutcome, PlannedCall, Preview, RegistryCall, RuntimeCall, Status, StepDetail};
pub use error::ScrapeError;
pub use event::{Init, ScrapeEvent, UrlComplete, UrlStart};
pub use message::call_message;
/// The earlier name of [`ExtractionMode`].
pub use request::ExtractionMode as Mode;
pub use request::{Complexity, ExtractionMode, OutputFormat, ScrapeRequest};
pub use response::{ScrapeResponse, ScrapeStatus};
pub use reward::Reward;
pub use step::{Step, Tally, UnknownStep};
