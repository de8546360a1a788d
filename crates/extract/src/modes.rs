//! The ways to read an item: rules alone, or a model on top of them.

pub mod llm_dynamic;
pub mod llm_dynamic_adaptive;
pub mod llm_fixed;
pub mod rule_based;
