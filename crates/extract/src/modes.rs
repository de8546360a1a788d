//! The ways to read an item: rules alone, or a model on top of them.

pub mod rule_based;
