//! Check that items have their required fields.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::checked_items::{field, list, remaining};
use crate::{Error, Tool, ToolContext};

/// The tool `validation.required_fields`.
pub struct ValidationRequiredFields;

#[derive(Deserialize, schemars::JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Params {
    fields: Vec<String>,
    source: Option<String>,
    min_complete: f64,
    mode: String,
}

#[derive(Serialize)]
pub struct Output {
    valid: bool,
    completeness: f64,
    missing: BTreeMap<String, usize>,
    incomplete_indexes: Vec<usize>,
    items: Vec<Value>,
}

impl Tool for ValidationRequiredFields {
    type Params = Params;
    type Output = Output;

    async fn run(&self, params: Params, context: &mut ToolContext) -> Result<Output, Error> {
        let items = list(context, params.source.as_deref())?;
        let filled = |it: &Value, name: &str| match field(it, name) {
            Some(Value::String(text)) => !text.trim().is_empty(),
            Some(Value::Array(list)) => !list.is_empty(),
            Some(Value::Object(map)) => !map.is_empty(),
            other => other.is_some(),
        };
        let mut missing: BTreeMap<String, usize> = BTreeMap::new();
        let mut passed = Vec::with_capacity(items.len());
        for item in &items {
            let lacking: Vec<&String> = params.fields.iter().filter(|it| !filled(item, it)).collect();
            passed.push(lacking.is_empty());
            for name in lacking {
                *missing.entry(name.clone()).or_default() += 1;
            }
        }
        let complete = passed.iter().filter(|it| **it).count();
        let completeness = if items.is_empty() {
            0.0
        } else {
            complete as f64 / items.len() as f64
        };
        let valid = !items.is_empty() && completeness >= params.min_complete;
        let incomplete_indexes = passed
            .iter()
            .enumerate()
            .filter(|it| !it.1)
            .map(|it| it.0)
            .collect();
        let kept = remaining(&params.mode, items, &passed);
        Ok(Output {
            valid,
            completeness,
            missing,
            incomplete_indexes,
            items: kept,
        })
    }
}
