//! Classification of a text by a model.

use serde::Deserialize;
use serde_json::{Value, json};

use crate::input::text;
use crate::model::ask;
use crate::{Error, Tool, ToolContext};

/// The tool `ai.classify`.
pub struct AiClassify;

#[derive(Deserialize, schemars::JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Params {
    text: Option<String>,
    labels: Vec<String>,
}

impl Tool for AiClassify {
    type Params = Params;
    type Output = Value;

    async fn run(&self, params: Params, context: &mut ToolContext) -> Result<Value, Error> {
        let text = text(context, params.text).await?;
        if text.trim().is_empty() {
            return Ok(json!({"label": null, "labels": params.labels, "empty": true}));
        }
        let order = format!(
            "Which of these labels fits the quoted text best? Answer with the label alone.\n{}",
            params.labels.join("\n")
        );
        let answer = ask(context, &order, Some(&text), 100).await?;
        let answered = answer.trim().trim_matches(['"', '.', '`']).to_lowercase();
        let label = params
            .labels
            .iter()
            .find(|it| it.to_lowercase() == answered)
            .or_else(|| {
                params
                    .labels
                    .iter()
                    .find(|it| answered.contains(&it.to_lowercase()))
            });
        match label {
            Some(label) => Ok(json!({"label": label, "labels": params.labels})),
            None => Err(Error::Model(format!(
                "it answered with none of the labels: {}",
                locale::truncate(&answer, 100)
            ))),
        }
    }
}
