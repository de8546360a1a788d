//! The extraction modes, one file each.

pub mod llm_dynamic;
pub mod llm_dynamic_adaptive;
pub mod llm_fixed;
pub mod rule_based;
