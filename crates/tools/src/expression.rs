//! A user's regular expression with its flags, in the linear engine and within bounds.

use regex::{Captures, Regex, RegexBuilder};
use serde::Deserialize;

use crate::context::ToolContext;
use crate::error::Error;
use crate::given;
use crate::manifest::format::{PATTERN_BYTES, pattern};

/// What the tools that look for one match take.
#[derive(Deserialize, schemars::JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Params {
    pattern: String,
    text: Option<String>,
    flags: String,
}

impl Params {
    /// The expression, and the text to look in.
    pub(crate) async fn read(self, context: &mut ToolContext) -> Result<(Regex, String), Error> {
        let wanted = compile(&self.pattern, &self.flags)?;
        Ok((wanted, given::text(context, self.text).await?))
    }
}

/// What the groups of a match hold; none without a match.
pub(crate) fn groups<'t>(found: Option<&Captures<'t>>) -> Vec<Option<&'t str>> {
    let groups = found.iter().flat_map(|it| it.iter().skip(1));
    groups.map(|it| it.map(|it| it.as_str())).collect()
}

/// Compiles a pattern under flags such as `im`.
pub(crate) fn compile(text: &str, flags: &str) -> Result<Regex, Error> {
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
    // What is wrong with a pattern is worded in one place.
    builder
        .build()
        .or_else(|_| pattern(text, false).map_err(|why| Error::param("pattern", why)))
}

/// A pattern of our own, which may be larger than a user's.
pub(crate) fn known(text: &str) -> Result<Regex, Error> {
    let built = RegexBuilder::new(text).size_limit(32 << 20).build();
    built.map_err(|error| Error::Failed(format!("a pattern of ours is broken: {error}")))
}
