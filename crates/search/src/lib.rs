//! Web search: the port `SearchProvider` and its providers, each in a file of its own.

mod cache;
mod error;
mod http_provider;
mod port;
mod providers;
mod settings;
#[cfg(test)]
mod tests;

pub use cache::CachedProvider;
pub use error::Error;
pub use port::{SearchResults, SearchHit, SearchQuery, SearchProvider};
pub use providers::named;
pub use settings::{SearchApiKey, ProviderSettings};
