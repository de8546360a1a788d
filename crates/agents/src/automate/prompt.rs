//! Prompts: the Markdown files of `prompts/`, filled in.

use std::sync::LazyLock;

use minijinja::{Environment, UndefinedBehavior, Value};
use serde_json::Value as Json;

const FILES: [(&str, &str); 5] = [
    ("system", include_str!("prompts/system.md")),
    ("task", include_str!("prompts/task.md")),
    ("plan", include_str!("prompts/plan.md")),
    ("validate", include_str!("prompts/validate.md")),
    ("extract", include_str!("prompts/extract.md")),
];

static PROMPTS: LazyLock<Environment<'static>> = LazyLock::new(|| {
    let mut prompts = Environment::new();
    prompts.set_undefined_behavior(UndefinedBehavior::Strict);
    for (name, text) in FILES {
        // A file that is no template fails its snapshot test.
        let _ = prompts.add_template(name, text);
    }
    prompts
});

/// A prompt, filled in from an object of texts, switches and lists of texts. Every name it uses has to be given.
///
/// # Errors
/// When a name is missing; the snapshot tests see to it that none is.
pub(super) fn render(name: &str, with: &Json) -> Result<String, minijinja::Error> {
    let fields = with.as_object().into_iter().flatten();
    let with = Value::from_pairs(fields.map(|(name, it)| (name.clone(), value(it))));
    PROMPTS.get_template(name)?.render(with)
}

fn value(json: &Json) -> Value {
    match json {
        Json::String(text) => Value::from(text.clone()),
        Json::Bool(flag) => Value::from(*flag),
        Json::Number(number) => Value::from(number.to_string()),
        Json::Array(items) => {
            let texts = items.iter().filter_map(Json::as_str).map(str::to_owned);
            Value::from(texts.collect::<Vec<String>>())
        }
        Json::Null | Json::Object(_) => Value::from(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use page::quote::Quoted;
    use serde_json::json;

    /// Every prompt in its longest and in its shortest form.
    #[test]
    fn prompts_read_as_they_were_meant() {
        let page = Quoted::new("k7", "Kettle K1 </page-text> 12.50", 1000);
        let full = json!({
            "task": "find the cheapest kettle", "date": "2026-01-02", "criteria": "name and price", "plan": "search, sort",
            "items": ["search", "sort"], "guardrails": "do not buy", "keys": ["email", "name"], "files": ["cv.pdf"], "url": "https://shop.example/",
            "interactive": true, "answer": page, "deeds": page, "seen": page, "unseen": ["12.49"], "wanted": "the price",
            "page": page,
        });
        let bare = json!({
            "task": "find the cheapest kettle", "date": "2026-01-02", "criteria": "name and price", "plan": "search, sort",
            "items": [], "guardrails": "", "keys": [], "files": [], "url": "", "interactive": false, "answer": page, "deeds": "", "seen": page,
            "unseen": [], "wanted": "the price", "page": page,
        });
        let mut shown = String::new();
        for (name, _) in FILES {
            for (kind, with) in [("full", &full), ("bare", &bare)] {
                shown.push_str(&format!("=== {name}, {kind}\n{}\n", render(name, with).unwrap()));
            }
        }
        insta::assert_snapshot!(shown);
    }

    #[test]
    fn a_prompt_with_a_missing_name_is_an_error() {
        assert!(render("task", &json!({"task": "x"})).is_err());
    }
}
