//! The bodies and answers of `/v1/extract/markdown`, `/v1/extract/json` and `/v1/generate/json`.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use strum::{IntoStaticStr, VariantArray};

use super::contract::{self, ContractRequest};
use super::geo::GeoTarget;
use crate::fetch_options::FetchOptions;
use crate::item_schema::ItemSchema;
use crate::profile::ProfileChoice;
use crate::strict::{Fields, RequestRefusal};

/// Which part of a page.
#[derive(
    Debug,
    Clone,
    Copy,
    Default,
    PartialEq,
    Eq,
    IntoStaticStr,
    VariantArray,
    Serialize,
    Deserialize,
    JsonSchema,
)]
#[serde(rename_all = "lowercase")]
#[strum(serialize_all = "lowercase")]
pub enum ContentScope {
    /// What the page is about.
    #[default]
    Main,
    /// All of it.
    Full,
}

/// How hard to try for a page.
#[derive(
    Debug,
    Clone,
    Copy,
    Default,
    PartialEq,
    Eq,
    PartialOrd,
    Ord,
    IntoStaticStr,
    VariantArray,
    Serialize,
    Deserialize,
    JsonSchema,
)]
#[serde(rename_all = "lowercase")]
#[strum(serialize_all = "lowercase")]
pub enum FetchEffort {
    /// One fetch without a browser, for at most 5 seconds.
    Min,
    /// A fetch, and a browser when that is not enough; 15 seconds.
    #[default]
    Standard,
    /// A browser at once, where the server has one and the address is one of a page; 60 seconds.
    Max,
}

/// `POST /v1/extract/markdown`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct MarkdownRequest {
    /// The page.
    #[schemars(
        url,
        length(max = 8192),
        pattern(r"^[Hh][Tt][Tt][Pp][Ss]?://[^/?#@\s\\]+([/?#]|$)")
    )]
    pub url: String,
    /// Which part of it.
    #[serde(default)]
    pub content: ContentScope,
    /// How hard to try.
    #[serde(default)]
    pub effort: FetchEffort,
    /// Whether metadata come apart from the text; otherwise they stand at its head.
    #[serde(default)]
    pub metadata: bool,
    /// Whether to fetch again.
    #[serde(default)]
    pub nocache: bool,
    /// Where to see it from.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub geo_target: Option<GeoTarget>,
    /// The profile that the page is opened with.
    #[serde(flatten)]
    pub profile: ProfileChoice,
    /// How the page is opened. An addition of ours.
    #[serde(default, skip_serializing_if = "FetchOptions::is_empty")]
    #[schemars(with = "Option<FetchOptions>")]
    pub fetch: FetchOptions,
}

/// `POST /v1/extract/json`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ExtractJsonRequest {
    /// The page.
    #[schemars(
        url,
        length(max = 8192),
        pattern(r"^[Hh][Tt][Tt][Pp][Ss]?://[^/?#@\s\\]+([/?#]|$)")
    )]
    pub url: String,
    /// In which shape.
    #[schemars(with = "ItemSchema")]
    pub json_schema: Value,
    /// How hard to try.
    #[serde(default)]
    pub effort: FetchEffort,
    /// Whether to fetch again.
    #[serde(default)]
    pub nocache: bool,
    /// Where to see it from.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub geo_target: Option<GeoTarget>,
    /// The profile that the page is opened with.
    #[serde(flatten)]
    pub profile: ProfileChoice,
    /// How the page is opened. An addition of ours.
    #[serde(default, skip_serializing_if = "FetchOptions::is_empty")]
    #[schemars(with = "Option<FetchOptions>")]
    pub fetch: FetchOptions,
}

/// `POST /v1/generate/json`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct GenerateJsonRequest {
    /// The page.
    #[schemars(
        url,
        length(max = 8192),
        pattern(r"^[Hh][Tt][Tt][Pp][Ss]?://[^/?#@\s\\]+([/?#]|$)")
    )]
    pub url: String,
    /// What to make of it.
    #[schemars(length(min = 1, max = 20_000), pattern(r"[^\s\u0085]"))]
    pub instructions: String,
    /// In which shape.
    #[schemars(with = "ItemSchema")]
    pub json_schema: Value,
    /// How hard to try.
    #[serde(default)]
    pub effort: FetchEffort,
    /// Whether to fetch again.
    #[serde(default)]
    pub nocache: bool,
    /// Where to see it from.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub geo_target: Option<GeoTarget>,
    /// The profile that the page is opened with.
    #[serde(flatten)]
    pub profile: ProfileChoice,
    /// How the page is opened. An addition of ours.
    #[serde(default, skip_serializing_if = "FetchOptions::is_empty")]
    #[schemars(with = "Option<FetchOptions>")]
    pub fetch: FetchOptions,
}

/// What the three have in common.
struct PageFields {
    url: String,
    effort: FetchEffort,
    nocache: bool,
    geo_target: Option<GeoTarget>,
    profile: ProfileChoice,
    fetch: FetchOptions,
}

fn page(from: &mut Fields) -> Result<PageFields, RequestRefusal> {
    from.refuse_operator_keys()?;
    let url = from.address("url")?;
    let url = from.required("url", url)?;
    let effort = from.choice("effort")?.unwrap_or_default();
    let nocache = from.flag("nocache")?.unwrap_or(false);
    let geo_target = GeoTarget::take_of_contract(from)?;
    let profile = ProfileChoice::take(from)?;
    Ok(PageFields {
        url,
        effort,
        nocache,
        geo_target,
        profile,
        fetch: FetchOptions::take(from)?,
    })
}

fn schema(from: &mut Fields) -> Result<Value, RequestRefusal> {
    let schema = from.schema("json_schema")?;
    from.required("json_schema", schema)
}

impl MarkdownRequest {
    /// Reads a body.
    ///
    /// # Errors
    /// Naming the first field that is wrong.
    pub fn parse(body: &[u8]) -> Result<Self, RequestRefusal> {
        contract::parse(body).map(|parsed| parsed.request)
    }
}

impl ContractRequest for MarkdownRequest {
    fn take(from: &mut Fields) -> Result<Self, RequestRefusal> {
        let PageFields {
            url,
            effort,
            nocache,
            geo_target,
            profile,
            fetch,
        } = page(from)?;
        let content = from.choice("content")?.unwrap_or_default();
        let metadata = from.flag("metadata")?.unwrap_or(false);
        Ok(Self {
            url,
            content,
            effort,
            metadata,
            nocache,
            geo_target,
            profile,
            fetch,
        })
    }
}

impl ExtractJsonRequest {
    /// Reads a body.
    ///
    /// # Errors
    /// Naming the first field that is wrong.
    pub fn parse(body: &[u8]) -> Result<Self, RequestRefusal> {
        contract::parse(body).map(|parsed| parsed.request)
    }
}

impl ContractRequest for ExtractJsonRequest {
    fn take(from: &mut Fields) -> Result<Self, RequestRefusal> {
        let PageFields {
            url,
            effort,
            nocache,
            geo_target,
            profile,
            fetch,
        } = page(from)?;
        let json_schema = schema(from)?;
        Ok(Self {
            url,
            json_schema,
            effort,
            nocache,
            geo_target,
            profile,
            fetch,
        })
    }
}

impl GenerateJsonRequest {
    /// Reads a body.
    ///
    /// # Errors
    /// Naming the first field that is wrong.
    pub fn parse(body: &[u8]) -> Result<Self, RequestRefusal> {
        contract::parse(body).map(|parsed| parsed.request)
    }
}

impl ContractRequest for GenerateJsonRequest {
    fn take(from: &mut Fields) -> Result<Self, RequestRefusal> {
        let PageFields {
            url,
            effort,
            nocache,
            geo_target,
            profile,
            fetch,
        } = page(from)?;
        let instructions = from.words("instructions", 20_000)?;
        let json_schema = schema(from)?;
        Ok(Self {
            url,
            instructions,
            json_schema,
            effort,
            nocache,
            geo_target,
            profile,
            fetch,
        })
    }
}

/// The answer of `/v1/extract/markdown`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct MarkdownResponse {
    /// Markdown; begins with the metadata as YAML unless they were asked for apart.
    pub content: String,
    /// Where the page was found, after redirects.
    pub url: String,
    /// What the page says about itself.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub metadata: Option<PageMetadata>,
}

macro_rules! metadata {
    ($($(#[doc = $doc:literal])? $field:ident: $type:ty $(= $name:literal)?),+ $(,)?) => {
        /// What a page or document says about itself.
        #[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
        #[expect(missing_docs, reason = "the names are those of the page's own fields")]
        pub struct PageMetadata {
            $(#[serde(default, skip_serializing_if = "Option::is_none" $(, rename = $name)?)] pub $field: Option<$type>,)+
        }
    };
}

metadata! {
    author: String,
    created_at: String,
    creator: String,
    description: String,
    favicon: String,
    image: String,
    keywords: Vec<String>,
    modified_at: String,
    page_count: u32,
    pdf_version: String,
    producer: String,
    publisher: String,
    site_name: String,
    subject: String,
    title: String,
    type_: String = "type",
    url: String,
}
