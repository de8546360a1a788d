//! Memory: what scrapes learned about the pages of a site, kept for the next scrape of it.

use std::collections::BTreeMap;

use jiff::Timestamp;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::stamp::iso_millis;

/// What scrapes learned about a site: names of fields and where they stand, never a text or a value of a page.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct SiteMemory {
    /// The site: a registrable domain, or one server, with its port where that is unusual.
    pub site: String,
    /// When it was last added to.
    #[serde(with = "iso_millis")]
    #[schemars(with = "String")]
    pub learned_at: Timestamp,
    /// How many pages were read.
    pub pages: u64,
    /// What the pages were taken for, the latest first.
    pub page_types: Vec<String>,
    /// Where each field was read last: a path in the page's own data, a selector, or `model`.
    pub fields: BTreeMap<String, String>,
    /// Fields that were wanted and that the page read last did not have.
    pub missing: Vec<String>,
}

/// What is kept of all sites.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct MemoryList {
    /// By site.
    pub sites: Vec<SiteMemory>,
}
