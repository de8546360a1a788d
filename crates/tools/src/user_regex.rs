//! Regular expressions of users with flags, compiled within bounds.

use regex::{Captures, Regex, RegexBuilder};
use serde::Deserialize;

use crate::context::ToolContext;
use crate::error::Error;
use crate::input;
use crate::manifest::format::{PATTERN_BYTES, pattern};

/// Parameters of tools that look for one match.
#[derive(Deserialize, schemars::JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct MatchParams {
    pattern: String,
    text: Option<String>,
    flags: String,
}

impl MatchParams {
    /// The compiled pattern and the text to match.
    pub(crate) async fn read(self, context: &mut ToolContext) -> Result<(Regex, String), Error> {
        read(self.pattern, self.text, &self.flags, context).await
    }
}

/// The groups of a match; empty without a match.
pub(crate) fn groups<'t>(found: Option<&Captures<'t>>) -> Vec<Option<&'t str>> {
    let groups = found.iter().flat_map(|it| it.iter().skip(1));
    groups.map(|it| it.map(|it| it.as_str())).collect()
}

/// Compiles a pattern and finds the text to match.
pub(crate) async fn read(
    pattern: String,
    text: Option<String>,
    flags: &str,
    context: &mut ToolContext,
) -> Result<(Regex, String), Error> {
    Ok((compile(&pattern, flags)?, input::text(context, text).await?))
}

/// Compiles a pattern with flags such as `im`.
fn compile(text: &str, flags: &str) -> Result<Regex, Error> {
    let mut builder = RegexBuilder::new(text);
    builder
        .size_limit(PATTERN_BYTES)
        .dfa_size_limit(PATTERN_BYTES)
        .nest_limit(50);
    for flag in flags.chars() {
        match flag {
            'i' => builder.case_insensitive(true),
            'm' => builder.multi_line(true),
            's' => builder.dot_matches_new_line(true),
            'x' => builder.ignore_whitespace(true),
            'g' | 'u' => &mut builder,
            other => {
                return Err(Error::param(
                    "flags",
                    format!("{other:?} is no flag; there are i, m, s, x"),
                ));
            }
        };
    }
    // `pattern` words the error.
    builder
        .build()
        .or_else(|_| pattern(text, false).map_err(|why| Error::param("pattern", why)))
}
