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
pub use port::{SearchHit, SearchProvider, SearchQuery, SearchResults};
pub use providers::named;
pub use settings::{ProviderSettings, SearchApiKey};
