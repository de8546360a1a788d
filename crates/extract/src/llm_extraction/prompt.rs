//! Rendering of the prompts.

use std::sync::LazyLock;

use data_encoding::HEXLOWER;
use minijinja::syntax::SyntaxConfig;
use minijinja::{Environment, UndefinedBehavior, Value};
use page::Quoted;
use sha2::{Digest, Sha256};

/// The prompts by name, as they lie in `prompts/`.
const FILES: &[(&str, &str)] = &[
    ("facts_rules", include_str!("../prompts/facts_rules.md")),
    ("facts", include_str!("../prompts/facts.md")),
    ("shape_rules", include_str!("../prompts/shape_rules.md")),
    ("shape", include_str!("../prompts/shape.md")),
];

static PROMPTS: LazyLock<Environment<'static>> = LazyLock::new(|| {
    let mut prompts = Environment::new();
    prompts.set_undefined_behavior(UndefinedBehavior::Strict);
    // A line that holds a tag alone leaves no line behind.
    let mut syntax = SyntaxConfig::builder();
    if let Ok(syntax) = syntax.trim_blocks(true).lstrip_blocks(true).build() {
        prompts.set_syntax(syntax);
    }
    for (name, text) in FILES {
        // A template that does not parse is missing, and each prompt has a test that renders it.
        let _ = prompts.add_template(name, text);
    }
    prompts
});

/// Renders a prompt.
///
/// # Errors
/// When it is unknown or uses a name that `context` does not have, in words.
pub(super) fn render(name: &str, context: Value) -> Result<String, String> {
    let prompt = PROMPTS.get_template(name).map_err(|error| error.to_string())?;
    prompt.render(context).map_err(|error| error.to_string())
}

/// Quotes text of a page. The label follows from the text, so that a recorded exchange answers the same question again; a
/// text that holds a hash of itself is not to be had.
pub(super) fn quoted(text: &str, budget: usize) -> Quoted {
    let hash = Sha256::digest(text.as_bytes());
    let label = HEXLOWER.encode(hash.get(..6).unwrap_or_default());
    Quoted::new(&label, text, budget)
}
