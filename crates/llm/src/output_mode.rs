//! Modes in which models are held to a schema, and which of them worked.

use std::collections::HashMap;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::{Arc, Mutex, PoisonError};

use crate::model::{Capabilities, Model};
use crate::schema::JsonSchema;

/// How a model was held to the schema.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum OutputMode {
    /// By the provider.
    Native,
    /// By a tool it had to call.
    Tool,
    /// By words alone.
    Prompt,
}

impl OutputMode {
    /// The strictest mode of a model.
    pub(crate) fn first(able: Capabilities) -> Self {
        match (able.json_schema, able.tools) {
            (true, _) => Self::Native,
            (false, true) => Self::Tool,
            (false, false) => Self::Prompt,
        }
    }

    /// The next mode after one that the provider refused.
    pub(crate) fn next(self, able: Capabilities) -> Self {
        match self {
            Self::Native if able.tools => Self::Tool,
            _ => Self::Prompt,
        }
    }
}

/// Most schemas whose modes are kept.
const MAX_SCHEMAS: usize = 256;

/// The mode in which a model answered to a schema, where its provider refused a stricter one, so that a repeated question is
/// not refused each time. It is kept by schema: a provider may refuse one for its size and take others. Clones share it.
#[derive(Debug, Clone, Default)]
pub struct KnownModes(Arc<Mutex<HashMap<u64, OutputMode>>>);

impl KnownModes {
    pub(crate) fn of(&self, model: &dyn Model, schema: &JsonSchema) -> Option<OutputMode> {
        let modes = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        modes.get(&key(model, schema)).copied()
    }

    pub(crate) fn insert(&self, model: &dyn Model, schema: &JsonSchema, mode: OutputMode) {
        let mut modes = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if modes.len() >= MAX_SCHEMAS {
            modes.clear();
        }
        modes.insert(key(model, schema), mode);
    }
}

fn key(model: &dyn Model, schema: &JsonSchema) -> u64 {
    let mut hasher = DefaultHasher::new();
    (model.provider(), model.name(), schema.source().to_string()).hash(&mut hasher);
    hasher.finish()
}
