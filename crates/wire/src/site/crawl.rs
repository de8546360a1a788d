//! `CrawlRequest`, `BatchRequest`, and what such a run has done.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::page_options::PageOptions;
use super::{MAX_PATTERN, MAX_PATTERNS};
use crate::strict::{self, RequestRefusal};

/// The body of `POST /v1/crawl`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[schemars(extend("additionalProperties" = false))]
pub struct CrawlRequest {
    /// Where the crawl starts: an `http` or `https` address. Its host is crawled.
    #[schemars(
        url,
        length(max = 8192),
        pattern(r"^[Hh][Tt][Tt][Pp][Ss]?://[^/?#@\s\\]+([/?#]|$)")
    )]
    pub url: String,
    /// Most pages that are fetched, 1 to 1,000,000.
    #[serde(default = "CrawlRequest::default_limit")]
    #[schemars(range(min = 1, max = 1_000_000))]
    pub limit: u32,
    /// Most links between the start and a page, 0 to 1,000. Addresses of site maps are one link away.
    #[serde(default = "CrawlRequest::default_depth")]
    #[schemars(range(min = 0, max = 1_000))]
    pub depth: u32,
    /// Only addresses that match one of these patterns are read; the start page always is. A pattern is matched against
    /// path and query, with `*` for any characters; one that begins with `re:` is a regular expression.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[schemars(length(max = MAX_PATTERNS), inner(length(min = 1, max = MAX_PATTERN), pattern(r"[^\s\u0085]")))]
    pub include: Vec<String>,
    /// Addresses that match one of these are left out.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[schemars(length(max = MAX_PATTERNS), inner(length(min = 1, max = MAX_PATTERN), pattern(r"[^\s\u0085]")))]
    pub exclude: Vec<String>,
    /// Whether other hosts of the same registrable domain are crawled too.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub subdomains: bool,
    /// Whether the site maps are read.
    #[serde(default = "CrawlRequest::default_sitemap")]
    pub sitemap: bool,
    /// Pause between the starts of two requests to one host, in milliseconds, 0 to 600,000. When absent it follows from how
    /// fast the host answers. A longer `Crawl-delay` of the site's robots.txt is kept in any case.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 0, max = 600_000))]
    pub delay_ms: Option<u32>,
    /// Most megabytes of pages, 1 to 1,000,000.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 1, max = 1_000_000))]
    pub max_megabytes: Option<u32>,
    /// Most seconds, 1 to 86,400. The server's own limit for a run holds beside it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 1, max = 86_400))]
    pub max_seconds: Option<u32>,
    /// How each page is read.
    #[serde(flatten)]
    pub page: PageOptions,
}

impl CrawlRequest {
    /// Pages that are fetched unless the request says otherwise.
    #[must_use]
    pub fn default_limit() -> u32 {
        1_000
    }

    /// Links that are followed unless the request says otherwise.
    #[must_use]
    pub fn default_depth() -> u32 {
        20
    }

    /// Site maps are read unless the request says otherwise.
    #[must_use]
    pub fn default_sitemap() -> bool {
        true
    }

    /// Reads a body. Whether the patterns can be used is judged elsewhere.
    ///
    /// # Errors
    /// Naming the first field that is wrong. A field that is not known is refused, since it would change nothing.
    pub fn parse(body: &[u8]) -> Result<Self, RequestRefusal> {
        let mut from = strict::object(body)?;
        from.refuse_operator_keys()?;
        let url = from.address("url")?;
        let request = Self {
            url: from.required("url", url)?,
            limit: from
                .whole("limit", 1..=1_000_000)?
                .unwrap_or_else(Self::default_limit),
            depth: from
                .whole("depth", 0..=1_000)?
                .unwrap_or_else(Self::default_depth),
            include: from
                .texts("include", MAX_PATTERNS, MAX_PATTERN)?
                .unwrap_or_default(),
            exclude: from
                .texts("exclude", MAX_PATTERNS, MAX_PATTERN)?
                .unwrap_or_default(),
            subdomains: from.flag("subdomains")?.unwrap_or_default(),
            sitemap: from.flag("sitemap")?.unwrap_or_else(Self::default_sitemap),
            delay_ms: from.whole("delay_ms", 0..=600_000)?,
            max_megabytes: from.whole("max_megabytes", 1..=1_000_000)?,
            max_seconds: from.whole("max_seconds", 1..=86_400)?,
            page: PageOptions::take(&mut from)?,
        };
        from.refuse_others()?;
        Ok(request)
    }
}

/// The body of `POST /v1/batch`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[schemars(extend("additionalProperties" = false))]
pub struct BatchRequest {
    /// The pages, at most 100,000. Each result has its `index` in this list.
    #[schemars(
        length(min = 1, max = 100_000),
        inner(length(min = 1, max = 8192), pattern(r"[^\s\u0085]"))
    )]
    pub urls: Vec<String>,
    /// How often a page that failed in a way that may pass is tried again, 0 to 5.
    #[serde(default = "BatchRequest::default_retries")]
    #[schemars(range(min = 0, max = 5))]
    pub retries: u32,
    /// How each page is read.
    #[serde(flatten)]
    pub page: PageOptions,
}

impl BatchRequest {
    /// Most pages of one batch.
    pub const MAX_URLS: usize = 100_000;

    /// Retries unless the request says otherwise.
    #[must_use]
    pub fn default_retries() -> u32 {
        2
    }

    /// Reads a body.
    ///
    /// # Errors
    /// Naming the first field that is wrong. A field that is not known is refused, since it would change nothing.
    pub fn parse(body: &[u8]) -> Result<Self, RequestRefusal> {
        let mut from = strict::object(body)?;
        from.refuse_operator_keys()?;
        let urls = from.texts("urls", Self::MAX_URLS, 8192)?;
        let urls = from.required("urls", urls)?;
        if urls.is_empty() {
            return Err(RequestRefusal::field("urls", "must name at least one address"));
        }
        let request = Self {
            urls,
            retries: from
                .whole("retries", 0..=5)?
                .unwrap_or_else(Self::default_retries),
            page: PageOptions::take(&mut from)?,
        };
        from.refuse_others()?;
        Ok(request)
    }
}

/// What a crawl or a batch has done, over all workers that had it.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct CrawlSummary {
    /// Addresses that were fetched, with whatever outcome.
    pub fetched: u64,
    /// Pages that gave a result.
    pub read: u64,
    /// Pages that gave none.
    pub failed: u64,
    /// Pages left out because they were read under another address.
    pub duplicates: u64,
    /// Pages that were read although another one is nearly the same.
    pub similar: u64,
    /// Addresses that led outside of the crawl.
    pub outside: u64,
    /// Addresses that robots.txt forbids.
    pub forbidden: u64,
    /// Addresses known in all.
    pub known: u64,
    /// Bytes of the pages.
    pub bytes: u64,
    /// Milliseconds of work.
    pub milliseconds: u64,
    /// What ended a crawl that was not done: `pages`, `bytes` or `time`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub stopped_by: Option<String>,
    /// What a reader of the result should know: addresses that were left out and why, site maps that could not be read.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub notes: Vec<String>,
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn an_address_is_enough_and_a_wrong_field_is_named() {
        let parse = |body: serde_json::Value| CrawlRequest::parse(body.to_string().as_bytes());
        let read = parse(json!({"url": "https://a.example/"})).unwrap();
        assert_eq!((read.limit, read.depth, read.sitemap), (1_000, 20, true));
        let stored: CrawlRequest = serde_json::from_value(serde_json::to_value(&read).unwrap()).unwrap();
        assert_eq!(stored, read);
        for (field, value) in [
            ("url", json!("file:///etc/passwd")),
            ("limit", json!(0)),
            ("depth", json!(-1)),
            ("delay_ms", json!(1.5)),
            ("max_seconds", json!(0)),
            ("max_megabytes", json!(0)),
            ("include", json!("/a*")),
            ("mode", json!("magic")),
            ("instructions", json!(" ")),
            ("formats", json!("links")),
            ("enable_memory", json!(true)),
            ("fetch.engine", json!("steam")),
        ] {
            let mut body = json!({"url": "https://a.example/"});
            match field.split_once('.') {
                Some((outer, inner)) => body[outer] = json!({inner: value}),
                None => body[field] = value,
            }
            assert_eq!(parse(body).unwrap_err().field.as_deref(), Some(field));
        }
        let picture =
            parse(json!({"url": "https://a.example/", "formats": ["html", "screenshot"]})).unwrap_err();
        assert_eq!(picture.field.as_deref(), Some("formats[1]"));
        let empty = BatchRequest::parse(br#"{"urls": []}"#).unwrap_err();
        assert_eq!(empty.field.as_deref(), Some("urls"));
    }
}
