//! Vocabularies: closed sets of words that JSON, flags, variables and the configuration file spell alike.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use strum::{IntoStaticStr, VariantArray};

/// An enum of words. The spelling of each variant comes from `#[strum(serialize_all = ..)]`, which has to name the same
/// rule as `#[serde(rename_all = ..)]`.
pub trait Vocabulary: Copy + Into<&'static str> + VariantArray {
    /// Reads a spelling. Underscores stand for hyphens.
    ///
    /// # Errors
    /// When the text is none of the words.
    fn read(text: &str) -> Result<Self, UnknownWord> {
        let text = text.replace('_', "-");
        let is_meant = |word: &&Self| spelling(**word).replace('_', "-") == text;
        Self::VARIANTS
            .iter()
            .find(is_meant)
            .copied()
            .ok_or_else(|| UnknownWord {
                expected: Self::spellings().collect(),
            })
    }

    /// Every spelling, in the order of the variants.
    fn spellings() -> impl Iterator<Item = &'static str> {
        Self::VARIANTS.iter().map(|word| spelling(*word))
    }
}

impl<T: Copy + Into<&'static str> + VariantArray> Vocabulary for T {}

fn spelling(word: impl Into<&'static str>) -> &'static str {
    word.into()
}

/// A text that is no word of a vocabulary.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("must be one of {}", expected.join(", "))]
pub struct UnknownWord {
    /// The words of the vocabulary.
    pub expected: Vec<&'static str>,
}

/// Gives vocabularies `as_str`, `Display` and `FromStr`.
macro_rules! vocabulary {
    ($($name:ty),+ $(,)?) => {$(
        impl $name {
            /// The spelling in JSON, flags and settings.
            #[must_use]
            pub fn as_str(self) -> &'static str {
                self.into()
            }
        }

        impl std::fmt::Display for $name {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.pad(self.as_str())
            }
        }

        impl std::str::FromStr for $name {
            type Err = $crate::vocabulary::UnknownWord;

            fn from_str(text: &str) -> Result<Self, Self::Err> {
                $crate::vocabulary::Vocabulary::read(text)
            }
        }
    )+};
}
pub(crate) use vocabulary;

/// Which engine opens pages.
#[derive(
    Debug,
    Clone,
    Copy,
    Default,
    PartialEq,
    Eq,
    Hash,
    IntoStaticStr,
    VariantArray,
    Serialize,
    Deserialize,
    JsonSchema,
)]
#[serde(rename_all = "kebab-case")]
#[strum(serialize_all = "kebab-case")]
pub enum BrowserEngine {
    /// Chromium where a page needs it, plain HTTP elsewhere.
    #[default]
    Auto,
    /// Plain HTTP: links and forms, no scripts.
    Http,
    /// Chromium.
    Chromium,
}

vocabulary!(BrowserEngine);

#[cfg(test)]
mod tests {
    use serde::Serialize;

    use super::*;
    use crate::research::ResearchMode;
    use crate::run::{RunKind, RunStatus};
    use crate::scrape::{Complexity, ExtractionMode, OutputFormat};
    use crate::tabstack::{Content, Effort};
    use crate::{Audience, Family};

    fn check<T: Vocabulary + Serialize + PartialEq + std::fmt::Debug>() {
        for word in T::VARIANTS {
            let spelled = spelling(*word);
            assert_eq!(serde_json::to_value(word).unwrap(), spelled);
            assert_eq!(T::read(spelled).as_ref(), Ok(word));
            assert_eq!(T::read(&spelled.replace('-', "_")).as_ref(), Ok(word));
        }
    }

    #[test]
    fn json_and_flags_spell_a_word_alike_and_underscores_are_read() {
        check::<BrowserEngine>();
        check::<Audience>();
        check::<Family>();
        check::<RunKind>();
        check::<RunStatus>();
        check::<OutputFormat>();
        check::<Complexity>();
        check::<ExtractionMode>();
        check::<ResearchMode>();
        check::<Content>();
        check::<Effort>();
    }

    #[test]
    fn an_unknown_word_is_answered_with_the_known_ones() {
        let error = "magic".parse::<ExtractionMode>().unwrap_err();
        assert_eq!(
            error.to_string(),
            "must be one of rule-based, llm-fixed, llm-dynamic, llm-dynamic-adaptive"
        );
    }
}
