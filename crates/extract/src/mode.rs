//! ExtractionMode: how an item is read, and ExtractionRequest: what is asked of a page.

use std::fmt;
use std::str::FromStr;

use crate::fields::PageType;

/// How an item is read.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum ExtractionMode {
    /// Rules alone, no model.
    #[default]
    #[serde(alias = "rule_based")]
    RuleBased,
    /// A model fills a fixed list of fields.
    #[serde(alias = "llm_fixed")]
    LlmFixed,
    /// A model chooses the fields.
    #[serde(alias = "llm_dynamic")]
    LlmDynamic,
    /// A model chooses the fields and is asked again for what is missing.
    #[serde(alias = "llm_dynamic_adaptive")]
    LlmDynamicAdaptive,
}

impl ExtractionMode {
    /// Every mode.
    pub const ALL: [ExtractionMode; 4] = [
        ExtractionMode::RuleBased,
        ExtractionMode::LlmFixed,
        ExtractionMode::LlmDynamic,
        ExtractionMode::LlmDynamicAdaptive,
    ];

    /// The name with hyphens.
    pub fn name(self) -> &'static str {
        match self {
            ExtractionMode::RuleBased => "rule-based",
            ExtractionMode::LlmFixed => "llm-fixed",
            ExtractionMode::LlmDynamic => "llm-dynamic",
            ExtractionMode::LlmDynamicAdaptive => "llm-dynamic-adaptive",
        }
    }

    /// Whether it needs a model.
    pub fn needs_model(self) -> bool {
        self != ExtractionMode::RuleBased
    }
}

impl fmt::Display for ExtractionMode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// A mode that nobody knows.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("no mode is called {0:?}; the modes are rule-based, llm-fixed, llm-dynamic and llm-dynamic-adaptive")]
pub struct UnknownMode(String);

impl FromStr for ExtractionMode {
    type Err = UnknownMode;

    fn from_str(text: &str) -> Result<ExtractionMode, UnknownMode> {
        let name = text.trim().to_lowercase().replace('_', "-");
        ExtractionMode::ALL
            .into_iter()
            .find(|mode| mode.name() == name)
            .ok_or_else(|| UnknownMode(text.to_owned()))
    }
}

/// What is asked of a page.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct ExtractionRequest {
    /// What the user wants, in words; empty for everything.
    pub instructions: String,
    /// The type of page when the user knows it; otherwise it is found out.
    pub page_type: Option<PageType>,
    /// The fields that are wanted, under any of their names; empty for all.
    pub fields: Vec<String>,
    /// The moment that bounds dates and anchors "two hours ago"; without it, the clock.
    pub now: Option<jiff::civil::DateTime>,
}

/// Why no item could be read.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Error {
    /// The page has neither text nor markup.
    #[error(
        "the page is empty: there is no text and no structured data to read; if it is built by scripts, open it with the chromium engine"
    )]
    Nothing,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_mode_is_read_with_hyphens_and_with_underscores() {
        for mode in ExtractionMode::ALL {
            assert_eq!(mode.name().parse(), Ok(mode));
            assert_eq!(mode.name().replace('-', "_").parse(), Ok(mode));
        }
        assert!("magic".parse::<ExtractionMode>().is_err());
    }
}
