//! ContextWindows: how many tokens each model reads and writes in one call.

use std::collections::BTreeMap;

/// Tokens of a model of which nobody says more. Models that are served today read at least as much, as long as their
/// operator has not set less.
pub const DEFAULT_CONTEXT_TOKENS: u32 = 16_384;
/// The smallest window that can be set: instructions, a part of a page and an answer have to fit.
pub const SMALLEST_CONTEXT_TOKENS: u32 = 2_048;
/// The largest window that can be set.
pub const LARGEST_CONTEXT_TOKENS: u32 = 100_000_000;

/// Context windows in tokens by model name. A name ending in `*` stands for all that begin so; the longest match counts.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ContextWindows(pub BTreeMap<String, u32>);

impl ContextWindows {
    /// Reads a number, which is meant for every model, or a JSON object of numbers by name.
    ///
    /// # Errors
    /// What is wrong, ready to follow the name of the setting.
    pub fn parse(text: &str) -> Result<ContextWindows, String> {
        let windows = if text.starts_with('{') {
            serde_json::from_str(text).map_err(|error| error.to_string())?
        } else {
            let number: u32 = text.parse().map_err(|_| {
                "it is a number of tokens, or a JSON object of such numbers by model name".to_owned()
            })?;
            BTreeMap::from([("*".to_owned(), number)])
        };
        let allowed = SMALLEST_CONTEXT_TOKENS..=LARGEST_CONTEXT_TOKENS;
        match windows.iter().find(|(_, tokens)| !allowed.contains(tokens)) {
            Some((name, tokens)) => Err(format!(
                "{tokens} for `{name}` is not between {SMALLEST_CONTEXT_TOKENS} and {LARGEST_CONTEXT_TOKENS} tokens"
            )),
            None => Ok(ContextWindows(windows)),
        }
    }

    /// The window of a model, if it is known.
    pub fn of(&self, model: &str) -> Option<u32> {
        longest_match(&self.0, model).copied()
    }
}

/// The value of the longest name that is the model's, or that ends in `*` and that the model's name begins with.
pub(crate) fn longest_match<'m, T>(by_name: &'m BTreeMap<String, T>, model: &str) -> Option<&'m T> {
    let fits = |name: &str| match name.strip_suffix('*') {
        Some(prefix) => model.starts_with(prefix),
        None => name == model,
    };
    by_name
        .iter()
        .filter(|(name, _)| fits(name))
        .max_by_key(|(name, _)| name.len())
        .map(|(_, value)| value)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_number_is_for_all_models_and_the_longest_name_counts() {
        assert_eq!(ContextWindows::parse("8192").unwrap().of("any"), Some(8192));
        let windows = ContextWindows::parse(r#"{"big*": 200000, "big-small": 4096}"#).unwrap();
        assert_eq!(
            ["big", "big-small", "other"].map(|name| windows.of(name)),
            [Some(200_000), Some(4096), None]
        );
        for wrong in [
            "",
            "much",
            "-1",
            "100",
            "{",
            r#"{"a": 1}"#,
            r#"{"a": "8192"}"#,
            "[]",
        ] {
            assert!(ContextWindows::parse(wrong).is_err(), "{wrong}");
        }
    }
}
