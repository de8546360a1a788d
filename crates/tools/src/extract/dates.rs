//! Which dates are there?

use locale::dates;
use serde::Deserialize;
use serde_json::{Value, json};

use crate::given::text;
use crate::manifest::format::pattern;
use crate::{Error, Tool, ToolContext};

/// The tool `extract.dates`.
pub struct Dates;

/// Its parameters.
#[derive(Deserialize, schemars::JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Params {
    text: Option<String>,
    limit: usize,
}

impl Tool for Dates {
    type Params = Params;
    type Output = Value;

    async fn run(&self, params: Params, context: &mut ToolContext) -> Result<Value, Error> {
        let text = text(context, params.text).await?;
        let shape = pattern(r"\d{4}-\d{2}-\d{2}(?:T[\d:]+Z?)?|\b\d{1,2}[./]\d{1,2}[./]\d{2,4}\b|\b\d{1,2}(?:st|nd|rd|th)?\.?\s+(?:de\s+)?\p{L}{3,}\.?,?\s+(?:de\s+)?\d{4}\b|\b\p{L}{3,}\.?\s+\d{1,2}(?:st|nd|rd|th)?,?\s+\d{4}\b", false).map_err(Error::Failed)?;
        let now = context.now();
        let read = |raw: &str| dates::parse(raw, now, &dates::Hints::default());
        let found: Vec<Value> = shape
            .find_iter(&text)
            .filter_map(|it| Some(json!({"raw": it.as_str(), "date": read(it.as_str())?.date.to_string()})))
            .take(params.limit)
            .collect();
        Ok(json!({"count": found.len(), "dates": found}))
    }
}
