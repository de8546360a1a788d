//! The event family of scrape runs, their request, their steps and their result.

mod detail;
mod error;
mod event;
mod file;
mod message;
mod request;
mod response;
mod reward;
mod step;

pub use detail::{CallOutcome, PlannedCall, Preview, RegistryCall, RuntimeCall, StepDetail, StepStatus};
pub use error::ScrapeError;
pub use event::{ScrapeEvent, ScrapeInit, UrlComplete, UrlStart};
pub use file::RunFile;
pub use message::call_message;
pub(crate) use request::formats;
pub use request::{Complexity, ExtractionMode, OutputFormat, PageFormat, PlanAuthor, ScrapeRequest};
pub use response::{ScrapeResponse, ScrapeStatus};
pub use reward::Reward;
pub use step::{RewardTotal, ScrapeStep, UnknownStep};
