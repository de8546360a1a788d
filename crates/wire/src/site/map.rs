//! `MapRequest` and its answer: the addresses of a site.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use strum::{IntoStaticStr, VariantArray};

use super::{MAX_PATTERN, MAX_PATTERNS};
use crate::strict::{self, RequestRefusal};
use crate::vocabulary::vocabulary;

/// The body of `POST /v1/map`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[schemars(extend("additionalProperties" = false))]
pub struct MapRequest {
    /// A page of the site.
    #[schemars(
        url,
        length(max = 8192),
        pattern(r"^[Hh][Tt][Tt][Pp][Ss]?://[^/?#@\s\\]+([/?#]|$)")
    )]
    pub url: String,
    /// Most addresses that are given, 1 to 100,000.
    #[serde(default = "MapRequest::default_limit")]
    #[schemars(range(min = 1, max = 100_000))]
    pub limit: u32,
    /// Most links that are followed from the start page, 0 to 5. With 0 only its own links are listed; with more, up to 200
    /// pages are read.
    #[serde(default)]
    #[schemars(range(min = 0, max = 5))]
    pub depth: u32,
    /// Only addresses that match one of these patterns, as in a crawl.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[schemars(length(max = MAX_PATTERNS), inner(length(min = 1, max = MAX_PATTERN), pattern(r"[^\s\u0085]")))]
    pub include: Vec<String>,
    /// Addresses that match one of these are left out.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[schemars(length(max = MAX_PATTERNS), inner(length(min = 1, max = MAX_PATTERN), pattern(r"[^\s\u0085]")))]
    pub exclude: Vec<String>,
    /// Words to look for in addresses and titles; those with the most come first, those without any are left out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(length(min = 1, max = 1_000), pattern(r"[^\s\u0085]"))]
    pub search: Option<String>,
    /// Whether addresses of other hosts of the same registrable domain are given.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub subdomains: bool,
}

impl MapRequest {
    /// Addresses that are given unless the request says otherwise.
    #[must_use]
    pub fn default_limit() -> u32 {
        5_000
    }

    /// Reads a body. Whether the patterns can be used is judged elsewhere.
    ///
    /// # Errors
    /// Naming the first field that is wrong. A field that is not known is refused, since it would change nothing.
    pub fn parse(body: &[u8]) -> Result<Self, RequestRefusal> {
        let mut from = strict::object(body)?;
        from.refuse_operator_keys()?;
        let url = from.address("url")?;
        let search = from.text("search", 1_000)?;
        if search.as_ref().is_some_and(|text| text.trim().is_empty()) {
            return Err(RequestRefusal::field(
                "search",
                "must not be blank; leave the field out",
            ));
        }
        let request = Self {
            url: from.required("url", url)?,
            limit: from
                .whole("limit", 1..=100_000)?
                .unwrap_or_else(Self::default_limit),
            depth: from.whole("depth", 0..=5)?.unwrap_or_default(),
            include: from
                .texts("include", MAX_PATTERNS, MAX_PATTERN)?
                .unwrap_or_default(),
            exclude: from
                .texts("exclude", MAX_PATTERNS, MAX_PATTERN)?
                .unwrap_or_default(),
            search,
            subdomains: from.flag("subdomains")?.unwrap_or_default(),
        };
        from.refuse_others()?;
        Ok(request)
    }
}

/// Where an address was found.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, Hash, IntoStaticStr, VariantArray, Serialize, Deserialize, JsonSchema,
)]
#[serde(rename_all = "snake_case")]
#[strum(serialize_all = "snake_case")]
pub enum AddressSource {
    /// It is the start page.
    Start,
    /// In a site map.
    Sitemap,
    /// In a feed.
    Feed,
    /// On the start page.
    Page,
    /// On a page that the start page leads to.
    Walk,
}

vocabulary!(AddressSource);

/// An address of a site.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct MappedAddress {
    /// The address.
    pub url: String,
    /// Where it was found, the first place first.
    pub sources: Vec<AddressSource>,
    /// The site map, feed or page where it was found first.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub found_in: Option<String>,
    /// When it was last changed, as the site says: a day or a time in ISO 8601.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub last_modified: Option<String>,
    /// Its title, or the text of the link.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub title: Option<String>,
}

/// The answer of `POST /v1/map`.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct SiteMap {
    /// The start page.
    pub url: String,
    /// The addresses.
    pub links: Vec<MappedAddress>,
    /// Addresses that fit, before the limit; a lower bound when `notes` says that reading ended early.
    pub found: u64,
    /// Site maps that were read.
    pub sitemaps: u64,
    /// What could not be read or was left out, and why.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub notes: Vec<String>,
}
