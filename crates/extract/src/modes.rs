//! The extraction modes, one file each.

pub mod llm_dynamic;
pub mod llm_dynamic_adaptive;
pub mod llm_fixed;
pub mod rule_based;

use std::fmt;

use crate::llm_extraction::decision::{CompletionState, NextQuestion};

/// How an item is read.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum ItemMode {
    /// Rules alone, no model.
    #[default]
    RuleBased,
    /// A model fills a fixed list of fields.
    LlmFixed,
    /// A model chooses the fields.
    LlmDynamic,
    /// A model chooses the fields and is asked again for what is missing.
    LlmDynamicAdaptive,
}

impl ItemMode {
    /// The name with hyphens.
    pub fn name(self) -> &'static str {
        match self {
            ItemMode::RuleBased => "rule-based",
            ItemMode::LlmFixed => "llm-fixed",
            ItemMode::LlmDynamic => "llm-dynamic",
            ItemMode::LlmDynamicAdaptive => "llm-dynamic-adaptive",
        }
    }

    /// Whether it needs a model.
    pub fn needs_model(self) -> bool {
        self != ItemMode::RuleBased
    }

    /// Whether the fields of an item are always the same ones, unless the request names others.
    pub fn has_fixed_fields(self) -> bool {
        match self {
            ItemMode::LlmFixed => true,
            ItemMode::RuleBased | ItemMode::LlmDynamic | ItemMode::LlmDynamicAdaptive => false,
        }
    }

    /// What to ask a model next.
    pub fn next(self, state: &CompletionState) -> NextQuestion {
        match self {
            ItemMode::RuleBased => NextQuestion::Done,
            ItemMode::LlmFixed => llm_fixed::next(state),
            ItemMode::LlmDynamic => llm_dynamic::next(state),
            ItemMode::LlmDynamicAdaptive => llm_dynamic_adaptive::next(state),
        }
    }
}

impl fmt::Display for ItemMode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}
