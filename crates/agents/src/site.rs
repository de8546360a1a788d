//! Whole sites: the map of their addresses, crawls, and batches of pages.

mod address;
pub mod crawl;
mod fetch;
pub mod frontier;
pub mod map;
mod scope;
mod sitemaps;
