//! The event family of scrape runs, their request, their steps and their result.

mod detail;
mod error;
mod event;
mod message;
mod request;
mod response;
mod reward;
mod step;

pub use detail::{CallOutcome, PlannedCall, Preview, RegistryCall, RuntimeCall, StepDetail, StepStatus};
pub use error::ScrapeError;
pub use event::{ScrapeEvent, ScrapeInit, UrlComplete, UrlStart};
pub use message::call_message;
pub use request::{Complexity, ExtractionMode, OutputFormat, ScrapeRequest};
pub use response::{ScrapeResponse, ScrapeStatus};
pub use reward::Reward;
pub use step::{RewardTotal, ScrapeStep, UnknownStep};

/// The earlier name of [`StepStatus`].
pub use detail::StepStatus as Status;
/// The earlier name of [`ScrapeInit`].
pub use event::ScrapeInit as Init;
/// The earlier name of [`ExtractionMode`].
pub use request::ExtractionMode as Mode;
/// The earlier name of [`RewardTotal`].
pub use step::RewardTotal as Tally;
/// The earlier name of [`ScrapeStep`].
pub use step::ScrapeStep as Step;
