//! Whole texts of the rows of a list, as its readers found them.

use std::collections::HashMap;
use std::sync::Arc;

use serde_json::Value;

/// Most bytes of a row's text that are kept.
const MAX_TEXT: usize = 4_000;
/// Most bytes of the texts of all rows that are kept.
const MAX_BYTES: usize = 4 << 20;

/// The texts of the rows that the readers of lists have given, by name and address.
#[derive(Debug, Default, Clone)]
pub struct RowTexts {
    /// Shared with the tools that read them, which are many for one reader of a list.
    texts: Arc<HashMap<String, Vec<String>>>,
    bytes: usize,
}

impl RowTexts {
    /// Keeps the text of a row.
    pub(crate) fn keep(&mut self, name: Option<&str>, url: Option<&str>, text: &str) {
        let text = locale::truncate_bytes(text, MAX_TEXT);
        if !text.is_empty() && self.bytes + text.len() <= MAX_BYTES {
            let texts = Arc::make_mut(&mut self.texts).entry(key(name, url)).or_default();
            if !texts.iter().any(|kept| kept == text) {
                self.bytes += text.len();
                texts.push(text.to_owned());
            }
        }
    }

    /// The whole text of a row; empty where no reader has told it.
    pub(crate) fn of(&self, row: &Value) -> &str {
        let field = |name: &str| row.get(name).and_then(Value::as_str);
        let texts = self
            .texts
            .get(&key(field("name").or_else(|| field("title")), field("url")));
        match texts.map(Vec::as_slice) {
            None | Some([]) => "",
            Some([text]) => text,
            // Of rows with one name the text that says most of what the row does.
            Some(texts) => {
                let said = row_values(row);
                let shared =
                    |text: &&String| said.iter().filter(|value| text.contains(value.as_str())).count();
                texts.iter().rev().max_by_key(shared).map_or("", String::as_str)
            }
        }
    }
}

/// The texts that a row has in its fields and details.
fn row_values(row: &Value) -> Vec<String> {
    let fields = row.as_object().into_iter().flatten();
    let texts = fields.flat_map(|(_, value)| match value {
        Value::Array(texts) => texts
            .iter()
            .filter_map(Value::as_str)
            .map(str::to_owned)
            .collect(),
        Value::String(text) => vec![text.clone()],
        Value::Number(number) => vec![number.to_string()],
        _ => Vec::new(),
    });
    texts.filter(|text| !text.is_empty()).collect()
}

/// What the text of a row is kept by.
pub(crate) fn key(name: Option<&str>, url: Option<&str>) -> String {
    format!("{}\n{}", name.unwrap_or_default(), url.unwrap_or_default())
}
