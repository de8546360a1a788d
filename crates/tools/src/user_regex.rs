//! Regular expressions of users over texts, run in the sandbox.

use sandbox::Sandbox;
use sandbox::regex::{Match, Pattern};
use serde::Deserialize;

use crate::context::ToolContext;
use crate::error::Error;
use crate::input;

/// Parameters of tools that look for one match.
#[derive(Deserialize, schemars::JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct MatchParams {
    pattern: String,
    text: Option<String>,
    flags: String,
}

impl MatchParams {
    /// The first match.
    pub(crate) async fn find(self, context: &mut ToolContext) -> Result<Option<Match>, Error> {
        let search = TextSearch::new(self.pattern, self.text, self.flags, context).await?;
        let found = search.pattern.find(&search.sandbox, &search.text).await;
        found.map_err(pattern_error)
    }
}

/// A pattern, the text to match, and where that is done.
pub(crate) struct TextSearch {
    pub(crate) sandbox: Sandbox,
    pub(crate) pattern: Pattern,
    pub(crate) text: String,
}

impl TextSearch {
    /// Finds the text to match.
    pub(crate) async fn new(
        pattern: String,
        text: Option<String>,
        flags: String,
        context: &mut ToolContext,
    ) -> Result<TextSearch, Error> {
        Ok(TextSearch {
            text: input::text(context, text).await?,
            sandbox: context.sandbox()?.clone(),
            pattern: Pattern { text: pattern, flags },
        })
    }
}

/// The error of a pattern that cannot be used, or that costs too much.
pub(crate) fn pattern_error(error: sandbox::Error) -> Error {
    Error::of_sandbox("pattern", "matching the pattern", error)
}
