//! `new-tool`: the manifest and the code of a new tool.

use std::fs;
use std::path::Path;

use anyhow::Context as _;

/// Writes `src/<category>/<name>.{json,rs}` for `category.name`; refuses a name that is taken.
pub(crate) fn run(id: Option<&str>) -> anyhow::Result<()> {
    let (category, name) = id
        .and_then(|id| id.split_once('.'))
        .filter(|(category, name)| is_word(category) && is_word(name))
        .context("say the tool's id, such as forms.date_picker: small letters, digits and _, one dot")?;
    let folder = Path::new("crates/tools/src").join(category);
    let (code, manifest) = (
        folder.join(format!("{name}.rs")),
        folder.join(format!("{name}.json")),
    );
    anyhow::ensure!(
        !code.exists() && !manifest.exists(),
        "{category}.{name} is there already"
    );
    fs::create_dir_all(&folder)?;
    fs::write(&manifest, manifest_of(category, name))?;
    fs::write(&code, code_of(category, name))?;
    println!("{}\n{}", manifest.display(), code.display());
    Ok(())
}

fn is_word(text: &str) -> bool {
    let fits = |sign: char| sign.is_ascii_lowercase() || sign.is_ascii_digit() || sign == '_';
    text.starts_with(|sign: char| sign.is_ascii_lowercase()) && text.chars().all(fits)
}

fn manifest_of(category: &str, name: &str) -> String {
    format!(
        r#"{{
  "name": "{name}",
  "version": "1.0.0",
  "description": "Counts the letters of a text; say here what the tool does and when to use it.",
  "category": "{category}",
  "triggers": [],
  "parameters": {{
    "type": "object",
    "properties": {{
      "text": {{"type": "string", "description": "The text."}}
    }},
    "required": ["text"]
  }},
  "output_schema": {{
    "type": "object",
    "properties": {{"count": {{"type": "integer"}}}},
    "required": ["count"]
  }},
  "examples": [
    {{"instruction": "how long is tea", "parameters": {{"text": "tea"}}, "expected_output": {{"count": 3}}}}
  ],
  "dependencies": [],
  "timeout_ms": 10000,
  "effects": "read"
}}
"#
    )
}

fn code_of(category: &str, name: &str) -> String {
    let kind: String = format!("{category}_{name}")
        .split('_')
        .map(|word| {
            let mut letters = word.chars();
            let first = letters.next().map(|letter| letter.to_ascii_uppercase());
            first.into_iter().chain(letters).collect::<String>()
        })
        .collect();
    format!(
        r#"//! `{category}.{name}`: the number of characters of a text.

use serde::{{Deserialize, Serialize}};

use crate::{{Error, Tool, ToolContext}};

/// The tool `{category}.{name}`.
pub struct {kind};

/// Its parameters.
#[derive(Deserialize, schemars::JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Params {{
    text: String,
}}

/// Its result.
#[derive(Serialize)]
pub struct Output {{
    count: usize,
}}

impl Tool for {kind} {{
    type Params = Params;
    type Output = Output;

    async fn run(&self, params: Params, _: &mut ToolContext) -> Result<Output, Error> {{
        Ok(Output {{ count: params.text.chars().count() }})
    }}
}}
"#
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_tool_is_named_with_one_dot_and_small_letters() {
        for (id, good) in [
            ("forms.date_picker", true),
            ("forms", false),
            ("../x.y", false),
            ("a.b.c", false),
            ("A.b", false),
        ] {
            let parts = id
                .split_once('.')
                .filter(|(category, name)| is_word(category) && is_word(name));
            assert_eq!(parts.is_some(), good, "{id}");
        }
        assert!(code_of("forms", "date_picker").contains("pub struct FormsDatePicker;"));
        assert!(serde_json::from_str::<serde_json::Value>(&manifest_of("forms", "date_picker")).is_ok());
    }
}
