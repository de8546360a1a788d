//! `RunFile`: a file that a run has written, such as a picture of a page.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// A file of a run. `GET /v1/runs/{id}/files/{name}` gives it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct RunFile {
    /// Its name: letters, digits, hyphens and dots.
    pub name: String,
    /// What it is, such as `image/png`.
    pub media_type: String,
    /// Its size.
    pub bytes: u64,
}

impl RunFile {
    /// The files of a page's result.
    #[must_use]
    pub fn listed(page: &Value) -> Vec<Self> {
        let files = page.get("files").and_then(Value::as_array).into_iter().flatten();
        files
            .filter_map(|file| serde_json::from_value(file.clone()).ok())
            .collect()
    }

    /// The files of all pages of a scrape's result.
    #[must_use]
    pub fn of_result(result: &Value) -> Vec<Self> {
        let pages = result["extracted_data"].as_object().into_iter().flatten();
        pages.flat_map(|(_, page)| Self::listed(page)).collect()
    }
}
