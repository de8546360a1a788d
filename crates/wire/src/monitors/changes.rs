//! What has changed between two versions of what is watched, and the history of versions.

use jiff::Timestamp;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::stamp::iso_millis;

/// Values before and after. One that was not there is absent.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct FieldChange {
    /// The field.
    pub field: String,
    /// The value before.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub before: Option<Value>,
    /// The value after.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub after: Option<Value>,
}

/// A block of the text that was replaced by another one.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct BlockChange {
    /// The block before.
    pub before: String,
    /// The block after.
    pub after: String,
}

/// An entry of a list whose fields have changed.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct RecordChange {
    /// Its key.
    pub key: String,
    /// What has changed.
    pub fields: Vec<FieldChange>,
}

/// What has changed between two versions.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "part", rename_all = "lowercase")]
pub enum ContentChange {
    /// Blocks of the main text.
    Text {
        /// Blocks that are new.
        added: Vec<String>,
        /// Blocks that are gone.
        removed: Vec<String>,
        /// Blocks that were replaced.
        changed: Vec<BlockChange>,
    },
    /// Fields of the item.
    Item {
        /// Those that have changed.
        fields: Vec<FieldChange>,
    },
    /// Entries of the list.
    Records {
        /// Entries that are new.
        added: Vec<Value>,
        /// Entries that are gone.
        removed: Vec<Value>,
        /// Entries whose fields have changed.
        changed: Vec<RecordChange>,
    },
    /// The answer to a question.
    Research {
        /// What it says that the answer before did not, or no longer says, in sentences of a model.
        changes: Vec<String>,
    },
}

/// A version of what is watched.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct MonitorVersion {
    /// Its number, from 1.
    pub version: u64,
    /// When it was seen first.
    #[serde(with = "iso_millis")]
    #[schemars(with = "String")]
    pub at: Timestamp,
    /// What has changed since the version before; absent in the first one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub change: Option<ContentChange>,
    /// Whether the conditions hold.
    pub matched: bool,
    /// Whether the content was cut because it is too long.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub truncated: bool,
}

/// Versions of what is watched, the newest first.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct MonitorHistory {
    /// The versions.
    pub versions: Vec<MonitorVersion>,
}
