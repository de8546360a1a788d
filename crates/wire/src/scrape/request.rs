//! What a scrape run is asked for.

use std::collections::HashSet;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use strum::{IntoStaticStr, VariantArray};

use crate::fetch_options::FetchOptions;
use crate::ids::RunId;
use crate::item_schema::ItemSchema;
use crate::profile::ProfileChoice;
use crate::strict::{self, Fields, RequestRefusal};
use crate::vocabulary::{Vocabulary as _, vocabulary};

/// In which format `output` is written.
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
pub enum OutputFormat {
    /// Indented JSON.
    #[default]
    Json,
    /// Comma-separated rows.
    Csv,
    /// Headings and bullets.
    Markdown,
    /// Plain text.
    Text,
}

/// How much of a page is looked at.
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
pub enum Complexity {
    /// Title, text and links.
    Low,
    /// Also metadata, images and data.
    #[default]
    Medium,
    /// Also forms, tables and scripts.
    High,
}

/// How items are extracted. Underscores are accepted on input.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, IntoStaticStr, VariantArray, Serialize, Deserialize, JsonSchema,
)]
#[serde(rename_all = "kebab-case")]
#[strum(serialize_all = "kebab-case")]
pub enum ExtractionMode {
    /// By rules, without a model.
    RuleBased,
    /// By a model, into a fixed shape.
    LlmFixed,
    /// By a model that chooses the shape.
    LlmDynamic,
    /// By a model that chooses the shape and is asked again for what is missing.
    LlmDynamicAdaptive,
}

/// Who plans the calls of tools for a page.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, IntoStaticStr, VariantArray, Serialize, Deserialize, JsonSchema,
)]
#[serde(rename_all = "kebab-case")]
#[strum(serialize_all = "kebab-case")]
pub enum PlanAuthor {
    /// A model; the triggers of the tools when its plan cannot be used.
    Model,
    /// The triggers of the tools alone.
    Triggers,
}

/// A form in which a page's content is given.
#[derive(
    Debug,
    Clone,
    Copy,
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
pub enum PageFormat {
    /// The item: what the page is about, by fields.
    Item,
    /// Main content as Markdown.
    Markdown,
    /// Main content as text.
    Text,
    /// The page's HTML.
    Html,
    /// All links, absolute, with their texts.
    Links,
    /// A picture; its name among the files of the run.
    Screenshot,
    /// All data tables.
    Tables,
    /// Repeated records, best group first, and the rows of the list that a reader came for.
    Records,
}

vocabulary!(OutputFormat, Complexity, ExtractionMode, PageFormat, PlanAuthor);

/// The body of `POST /api/scrape/stream` and `POST /api/scrape`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[schemars(extend("additionalProperties" = false))]
pub struct ScrapeRequest {
    /// Addresses, bare domains or search terms.
    #[schemars(
        length(min = 1, max = 1_000),
        inner(length(min = 1, max = 8192), pattern(r"[^\s\u0085]"))
    )]
    pub assets: Vec<String>,
    /// The task in words; left out to have each page read as it is.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    #[schemars(with = "Option<String>", length(max = 20_000), pattern(r"[^\s\u0085]"))]
    pub instructions: String,
    /// How the result should look; may name columns.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(length(max = 20_000))]
    pub output_instructions: Option<String>,
    /// Format of `output`.
    #[serde(default)]
    pub output_format: OutputFormat,
    /// What else is told of each page, under `page` of its result; nothing when absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub complexity: Option<Complexity>,
    /// The run's id, when the client wants to choose it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub session_id: Option<RunId>,
    /// The model to use, where the operator lets clients choose.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(length(min = 1, max = 200))]
    pub model: Option<String>,
    /// Its provider.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(length(min = 1, max = 200))]
    pub provider: Option<String>,
    /// Plugins to use.
    #[serde(default)]
    #[schemars(length(max = 100), inner(length(min = 1, max = 200), pattern(r"[^\s\u0085]")))]
    pub enable_plugins: Vec<String>,
    /// Roles to use; the tools of those left out are not used. All when there is none.
    #[serde(default)]
    #[schemars(
        length(max = 100),
        inner(pattern(r"^(planner|navigator|extractor|verifier)$"))
    )]
    pub selected_agents: Vec<String>,
    /// Most steps per page.
    #[serde(default = "ScrapeRequest::default_max_steps")]
    #[schemars(range(min = 1, max = 1_000))]
    pub max_steps: u32,
    /// How items are extracted; the server's own setting when absent. An addition of ours.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub mode: Option<ExtractionMode>,
    /// Who plans the calls of tools: `model` also where a mode is named, `triggers` without any model. When absent, the
    /// model, unless there is none, a mode is named, or `selected_agents` leaves the planner out. An addition of ours.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub planner: Option<PlanAuthor>,
    /// JSON Schema of an item. An addition of ours.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Option<ItemSchema>")]
    pub schema: Option<Value>,
    /// Columns of a row. An addition of ours.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(length(max = 100), inner(length(min = 1, max = 200), pattern(r"[^\s\u0085]")))]
    pub columns: Option<Vec<String>>,
    /// Whether a picture of each page is kept; its path in the data folder becomes the item's `screenshot_path`. Needs a
    /// browser. An addition of ours.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub screenshot: bool,
    /// The profile that pages are opened with.
    #[serde(flatten)]
    pub profile: ProfileChoice,
    /// Forms in which each page is given, under `formats` of its result. Without `item`, no item is made. An addition of
    /// ours.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[schemars(length(max = 20))]
    pub formats: Vec<PageFormat>,
    /// Whether what the run learns about its sites is kept for your next run on them, and what is known is used. Off when absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub enable_memory: Option<bool>,
    /// How pages are opened. An addition of ours.
    #[serde(default, skip_serializing_if = "FetchOptions::is_empty")]
    #[schemars(with = "Option<FetchOptions>")]
    pub fetch: FetchOptions,
}

impl ScrapeRequest {
    /// Whether an item is to be made of each page: always, unless other forms alone are named.
    #[must_use]
    pub fn wants_item(&self) -> bool {
        self.formats.is_empty() || self.formats.contains(&PageFormat::Item)
    }

    /// Steps per page unless the request says otherwise.
    #[must_use]
    pub fn default_max_steps() -> u32 {
        50
    }

    /// A request with nothing but the required fields.
    #[must_use]
    pub fn new(assets: Vec<String>, instructions: impl Into<String>) -> Self {
        Self {
            assets,
            instructions: instructions.into(),
            output_instructions: None,
            output_format: OutputFormat::default(),
            complexity: None,
            session_id: None,
            model: None,
            provider: None,
            enable_plugins: Vec::new(),
            selected_agents: Vec::new(),
            max_steps: Self::default_max_steps(),
            mode: None,
            planner: None,
            schema: None,
            columns: None,
            screenshot: false,
            profile: ProfileChoice::default(),
            formats: Vec::new(),
            enable_memory: None,
            fetch: FetchOptions::default(),
        }
    }
}

/// Most pages of one request.
const MAX_ASSETS: usize = 1_000;

impl ScrapeRequest {
    /// Reads a body.
    ///
    /// # Errors
    /// Naming the first field that is wrong. A field that is not known is refused, since it would change nothing.
    pub fn parse(body: &[u8]) -> Result<Self, RequestRefusal> {
        let mut from = strict::object(body)?;
        from.refuse_operator_keys()?;
        let assets = from.texts("assets", MAX_ASSETS, 8192)?;
        let mut assets = from.required("assets", assets)?;
        // A page that is named twice is read once.
        let mut seen = HashSet::new();
        assets.retain(|asset| seen.insert(asset.clone()));
        if assets.is_empty() {
            return Err(RequestRefusal::field("assets", "must name at least one address"));
        }
        let instructions = from.text("instructions", 20_000)?;
        if instructions.as_ref().is_some_and(|text| text.trim().is_empty()) {
            let advice = "must not be blank; leave the field out to have the page read as it is";
            return Err(RequestRefusal::field("instructions", advice));
        }
        let session_id = match from.text("session_id", 64)? {
            Some(text) => Some(
                RunId::parse(&text)
                    .map_err(|error| RequestRefusal::field("session_id", error.to_string()))?,
            ),
            None => None,
        };
        let request = Self {
            assets,
            instructions: instructions.unwrap_or_default(),
            output_instructions: from.text("output_instructions", 20_000)?,
            output_format: from.choice("output_format")?.unwrap_or_default(),
            complexity: from.choice("complexity")?,
            session_id,
            model: from.text("model", 200)?,
            provider: from.text("provider", 200)?,
            enable_plugins: from.texts("enable_plugins", 100, 200)?.unwrap_or_default(),
            selected_agents: from.texts("selected_agents", 100, 200)?.unwrap_or_default(),
            max_steps: from
                .whole("max_steps", 1..=1_000)?
                .unwrap_or_else(Self::default_max_steps),
            mode: from.choice("mode")?,
            planner: from.choice("planner")?,
            schema: from.schema("schema")?,
            columns: from.texts("columns", 100, 200)?,
            screenshot: from.flag("screenshot")?.unwrap_or_default(),
            profile: ProfileChoice::take(&mut from)?,
            formats: formats(&mut from)?,
            enable_memory: from.flag("enable_memory")?,
            fetch: FetchOptions::take(&mut from)?,
        };
        from.refuse_others()?;
        Ok(request)
    }
}

/// Takes the forms that are asked for, each once.
pub(crate) fn formats(from: &mut Fields) -> Result<Vec<PageFormat>, RequestRefusal> {
    let mut formats = Vec::new();
    for (index, name) in from.texts("formats", 20, 40)?.into_iter().flatten().enumerate() {
        let format = PageFormat::read(&name)
            .map_err(|error| RequestRefusal::field(format!("formats[{index}]"), error.to_string()))?;
        if !formats.contains(&format) {
            formats.push(format);
        }
    }
    Ok(formats)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn assets_and_instructions_are_enough() {
        let body = json!({"assets": ["shop.example"], "instructions": "kettles", "enable_memory": true});
        let request = ScrapeRequest::parse(body.to_string().as_bytes()).unwrap();
        let wanted = ScrapeRequest {
            enable_memory: Some(true),
            ..ScrapeRequest::new(vec!["shop.example".into()], "kettles")
        };
        assert_eq!(request, wanted);
    }

    #[test]
    fn a_page_that_is_named_twice_is_one() {
        let request =
            ScrapeRequest::parse(br#"{"assets": ["a.example", "b.example", "a.example"]}"#).unwrap();
        assert_eq!(request.assets, ["a.example", "b.example"]);
    }

    #[test]
    fn without_instructions_the_page_is_read() {
        let request = ScrapeRequest::parse(br#"{"assets": ["shop.example"]}"#).unwrap();
        assert_eq!(request, ScrapeRequest::new(vec!["shop.example".into()], ""));
    }

    #[test]
    fn a_wrong_field_is_named() {
        let cases = [
            ("assets", json!({"instructions": "x"})),
            ("assets", json!({"assets": [], "instructions": "x"})),
            ("assets[0]", json!({"assets": [""], "instructions": "x"})),
            ("instructions", json!({"assets": ["a"], "instructions": " "})),
            (
                "session_id",
                json!({"assets": ["a"], "instructions": "x", "session_id": "../../etc"}),
            ),
            (
                "output_format",
                json!({"assets": ["a"], "instructions": "x", "output_format": "xml"}),
            ),
            (
                "max_steps",
                json!({"assets": ["a"], "instructions": "x", "max_steps": -1}),
            ),
            (
                "mode",
                json!({"assets": ["a"], "instructions": "x", "mode": "magic"}),
            ),
            (
                "python_code",
                json!({"assets": ["a"], "instructions": "x", "python_code": "import os"}),
            ),
        ];
        for (field, body) in cases {
            let refusal = ScrapeRequest::parse(body.to_string().as_bytes()).unwrap_err();
            assert_eq!(refusal.field.as_deref(), Some(field), "{body}");
        }
        let body = json!({"assets": ["a"], "instruction": "under 20"});
        assert_eq!(
            ScrapeRequest::parse(body.to_string().as_bytes())
                .unwrap_err()
                .text(),
            "instruction: is not known; did you mean instructions?"
        );
        let body = json!({"assets": ["a"], "instructions": "x", "mode": "llm_dynamic"});
        assert_eq!(
            ScrapeRequest::parse(body.to_string().as_bytes()).unwrap().mode,
            Some(ExtractionMode::LlmDynamic)
        );
    }
}
