//! Regular expressions of users over texts.
//!
//! The engine is linear for one match, yet the time of all matches grows with the square of the text, and its constant
//! with the size of the pattern. A size that is harmless by construction is below the texts that are usual (a few kilobytes
//! for patterns with Unicode classes), so that every such pattern runs in the child.

use std::time::Duration;

use ::regex::{Captures, Regex, RegexBuilder};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use crate::error::Error;
use crate::pool::Sandbox;
use crate::protocol::{TaskKind, decode, encode};

/// Largest compiled pattern, in bytes. Patterns run in the linear engine only: no look-around, no back-references.
pub const MAX_PATTERN_BYTES: usize = 1 << 20;
/// Deepest nesting of a pattern.
const MAX_PATTERN_DEPTH: u32 = 50;
/// Longest result, in bytes.
pub const MAX_RESULT_BYTES: usize = 4 << 20;
/// How long an operation may take.
pub const TIMEOUT: Duration = Duration::from_secs(5);

/// A pattern with its flags.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub struct Pattern {
    /// The regular expression.
    pub text: String,
    /// Any of `i`, `m`, `s` and `x`; `g` and `u` change nothing.
    pub flags: String,
}

/// A match: the text of the whole and of each group that took part.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Match {
    /// Where it begins, in characters.
    pub position: usize,
    /// The whole.
    pub text: String,
    /// The groups from 1.
    pub groups: Vec<Option<String>>,
}

#[derive(Serialize, Deserialize)]
struct Task<P, T> {
    pattern: P,
    texts: T,
    operation: Operation,
}

#[derive(Debug, Clone, Serialize, Deserialize)]
enum Operation {
    Find,
    FindAll { most: usize },
    Split { most: usize },
    Replace { replacement: String },
    Test,
}

impl Pattern {
    /// The first match.
    ///
    /// # Errors
    /// As all operations: when the pattern is wrong, or the work costs more than it may.
    pub async fn find(&self, sandbox: &Sandbox, text: &str) -> Result<Option<Match>, Error> {
        self.run(sandbox, &[text], Operation::Find).await
    }

    /// All matches, `most` at most.
    ///
    /// # Errors
    /// As for [`Pattern::find`].
    pub async fn find_all(&self, sandbox: &Sandbox, text: &str, most: usize) -> Result<Vec<Match>, Error> {
        self.run(sandbox, &[text], Operation::FindAll { most }).await
    }

    /// The parts between the matches, `most` at most.
    ///
    /// # Errors
    /// As for [`Pattern::find`].
    pub async fn split(&self, sandbox: &Sandbox, text: &str, most: usize) -> Result<Vec<String>, Error> {
        self.run(sandbox, &[text], Operation::Split { most }).await
    }

    /// The text with every match replaced, where `$1` and `$name` stand for groups, and how many matches there were.
    ///
    /// # Errors
    /// As for [`Pattern::find`].
    pub async fn replace(
        &self,
        sandbox: &Sandbox,
        text: &str,
        replacement: String,
    ) -> Result<(String, usize), Error> {
        self.run(sandbox, &[text], Operation::Replace { replacement })
            .await
    }

    /// For each text whether it has a match.
    ///
    /// # Errors
    /// As for [`Pattern::find`].
    pub async fn test(&self, sandbox: &Sandbox, texts: &[&str]) -> Result<Vec<bool>, Error> {
        self.run(sandbox, texts, Operation::Test).await
    }

    async fn run<T: DeserializeOwned>(
        &self,
        sandbox: &Sandbox,
        texts: &[&str],
        operation: Operation,
    ) -> Result<T, Error> {
        let task = encode(&Task {
            pattern: self,
            texts,
            operation,
        })?;
        decode(&sandbox.run(TaskKind::Regex, task.into(), TIMEOUT, |_| {}).await?)
    }

    /// Compiles the pattern within bounds.
    ///
    /// # Errors
    /// When a flag is unknown, or the pattern is wrong, too large, or needs what the linear engine has not.
    pub fn compile(&self) -> Result<Regex, Error> {
        let mut builder = RegexBuilder::new(&self.text);
        builder
            .size_limit(MAX_PATTERN_BYTES)
            .dfa_size_limit(MAX_PATTERN_BYTES)
            .nest_limit(MAX_PATTERN_DEPTH);
        for flag in self.flags.chars() {
            match flag {
                'i' => builder.case_insensitive(true),
                'm' => builder.multi_line(true),
                's' => builder.dot_matches_new_line(true),
                'x' => builder.ignore_whitespace(true),
                'g' | 'u' => &mut builder,
                other => {
                    let why = format!("{other:?} is no flag; there are i, m, s, x");
                    return Err(Error::Rejected(why));
                }
            };
        }
        builder.build().map_err(|error| {
            Error::Rejected(match error {
                ::regex::Error::CompiledTooBig(_) => "the pattern becomes too large; repeat less".to_owned(),
                other => {
                    let text = other.to_string();
                    let last = text.lines().last().unwrap_or_default();
                    let last = last.trim_start_matches("error: ");
                    format!("it is no regular expression: {last} (patterns have no look-around and no back-references)")
                }
            })
        })
    }
}

/// Runs a task in the child.
pub(crate) fn execute(payload: &[u8]) -> Result<Vec<u8>, Error> {
    let task: Task<Pattern, Vec<String>> = decode(payload)?;
    let pattern = task.pattern.compile()?;
    let text = task.texts.first().map(String::as_str).unwrap_or_default();
    match task.operation {
        Operation::Find => encode(&pattern.captures(text).map(|captures| found(text, &captures))),
        Operation::FindAll { most } => {
            let (mut matches, mut size) = (Vec::new(), 0);
            for captures in pattern.captures_iter(text).take(most) {
                let groups = captures.iter().flatten().map(|group| group.len());
                size += captures.len() + groups.sum::<usize>();
                check_size(size)?;
                // The position of the first match alone is of use, and counting characters is linear.
                matches.push(found("", &captures));
            }
            encode(&matches)
        }
        Operation::Split { most } => encode(&pattern.splitn(text, most).collect::<Vec<_>>()),
        Operation::Replace { replacement } => {
            let (mut result, mut end, mut count) = (String::new(), 0, 0_usize);
            for captures in pattern.captures_iter(text) {
                let whole = captures.get(0).map_or(end..end, |whole| whole.range());
                result.push_str(text.get(end..whole.start).unwrap_or_default());
                captures.expand(&replacement, &mut result);
                check_size(result.len())?;
                (end, count) = (whole.end, count + 1);
            }
            result.push_str(text.get(end..).unwrap_or_default());
            check_size(result.len())?;
            encode(&(result, count))
        }
        Operation::Test => encode(
            &task
                .texts
                .iter()
                .map(|text| pattern.is_match(text))
                .collect::<Vec<_>>(),
        ),
    }
}

/// Holds the bound of a result.
fn check_size(size: usize) -> Result<(), Error> {
    if size > MAX_RESULT_BYTES {
        return Err(Error::too_large("the result", MAX_RESULT_BYTES));
    }
    Ok(())
}

fn found(text: &str, captures: &Captures<'_>) -> Match {
    let whole = captures.get(0);
    let before = whole.and_then(|whole| text.get(..whole.start()));
    Match {
        position: before.unwrap_or_default().chars().count(),
        text: whole.map(|whole| whole.as_str().to_owned()).unwrap_or_default(),
        groups: captures
            .iter()
            .skip(1)
            .map(|group| group.map(|group| group.as_str().to_owned()))
            .collect(),
    }
}
