//! The event family of research runs: 23 events, their payloads and the report.

mod event;
mod phases;
mod report;

pub use event::ResearchEvent;
pub use phases::*;
pub use report::*;

/// The earlier name of [`ResearchErrorDetail`].
pub use phases::ResearchErrorDetail as ErrorDetail;
/// The earlier name of [`ResearchMemo`].
pub use phases::ResearchMemo as Kept;
/// The earlier name of [`ResearchStart`].
pub use phases::ResearchStart as Start;
/// The earlier name of [`CitationCounts`].
pub use report::CitationCounts as Citations;
/// The earlier name of [`ReportMetadata`].
pub use report::ReportMetadata as Metadata;
/// The earlier name of [`ReportOutline`].
pub use report::ReportOutline as Outline;
/// The earlier name of [`ResearchComplete`].
pub use report::ResearchComplete as Complete;
/// The earlier name of [`ResearchMetrics`].
pub use report::ResearchMetrics as Metrics;
/// The earlier name of [`ResearchMode`].
pub use report::ResearchMode as Mode;
