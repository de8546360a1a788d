//! Web search: the port `Search` and its providers, each in a file of its own.

mod cache;
mod error;
mod http_provider;
mod port;
mod providers;
mod settings;
#[cfg(test)]
mod tests;

pub use cache::Shelf;
pub use error::Error;
pub use port::{Found, Hit, Query, Search};
pub use providers::named;
pub use settings::{Key, Settings};
