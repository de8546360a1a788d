//! Whole sites: maps, crawls and batches, as they are asked for and as they end.

mod crawl;
mod map;
mod page_options;

pub use crawl::{BatchRequest, CrawlRequest, CrawlSummary};
pub use map::{AddressSource, MapRequest, MappedAddress, SiteMap};
pub use page_options::PageOptions;

/// Most patterns of one kind in a request.
const MAX_PATTERNS: usize = 100;
/// Longest pattern, in characters.
const MAX_PATTERN: usize = 500;
