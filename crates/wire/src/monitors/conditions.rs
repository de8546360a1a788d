//! What of a page is watched, and conditions over its fields.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use strum::{IntoStaticStr, VariantArray};

use crate::vocabulary::vocabulary;

/// What of a page is watched.
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
#[serde(rename_all = "lowercase")]
#[strum(serialize_all = "lowercase")]
pub enum WatchedPart {
    /// The main text, block by block.
    #[default]
    Text,
    /// The fields of the page's subject, such as price and availability.
    Item,
    /// The entries of a list, by their key.
    Records,
}

/// How a field is compared.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, Hash, IntoStaticStr, VariantArray, Serialize, Deserialize, JsonSchema,
)]
#[serde(rename_all = "snake_case")]
#[strum(serialize_all = "snake_case")]
pub enum ConditionOperator {
    /// A number less than the value.
    Below,
    /// A number greater than the value.
    Above,
    /// The same number or text, whatever its case.
    Equals,
    /// A text that has the value in it, whatever its case.
    Contains,
    /// It has changed.
    Changed,
}

vocabulary!(WatchedPart, ConditionOperator);

/// A condition over a field.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[schemars(extend("additionalProperties" = false))]
pub struct Condition {
    /// The field of the item or of an entry; `text` for the main text.
    pub field: String,
    /// How it is compared.
    pub operator: ConditionOperator,
    /// What it is compared with; not given with `changed`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(extend("type" = ["number", "string"]))]
    pub value: Option<Value>,
}
