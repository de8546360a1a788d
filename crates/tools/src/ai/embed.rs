//! Embeddings of texts.

use serde::Deserialize;
use serde_json::{Value, json};

use crate::input::{MAX_TEXT_BYTES, text};
use crate::{Error, Tool, ToolContext};

/// The tool `ai.embed`.
pub struct AiEmbed;

#[derive(Deserialize, schemars::JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Params {
    text: Option<EmbeddingTexts>,
    model: Option<String>,
}

/// One text or several.
#[derive(Deserialize, schemars::JsonSchema)]
#[serde(untagged)]
pub enum EmbeddingTexts {
    /// One.
    One(String),
    /// Several.
    Several(Vec<String>),
}

impl Tool for AiEmbed {
    type Params = Params;
    type Output = Value;

    async fn run(&self, params: Params, context: &mut ToolContext) -> Result<Value, Error> {
        let texts = match params.text {
            Some(EmbeddingTexts::Several(texts)) => texts,
            Some(EmbeddingTexts::One(one)) => vec![one],
            None => vec![text(context, None).await?],
        };
        let bytes: usize = texts.iter().map(String::len).sum();
        if bytes > MAX_TEXT_BYTES {
            return Err(Error::TooMuch {
                what: format!("{bytes} bytes of text"),
                limit: format!("{MAX_TEXT_BYTES} bytes"),
            });
        }
        if texts.iter().all(|it| it.trim().is_empty()) {
            return Ok(json!({"embeddings": [], "count": 0}));
        }
        if texts.iter().any(|it| it.trim().is_empty()) {
            return Err(Error::param("text", "one of the texts is empty; leave it out"));
        }
        let Some(seat) = context.services.seat.clone() else {
            return Err(Error::Missing {
                what: "a model",
                advice: "set HUNTSMAN_LLM_PROVIDER and HUNTSMAN_LLM_MODEL",
            });
        };
        let embedded = seat.embed(&texts, params.model.as_deref()).await?;
        let dimensions = embedded.vectors.first().map_or(0, Vec::len);
        Ok(json!({
            "count": embedded.vectors.len(),
            "dimensions": dimensions,
            "model": embedded.model,
            "embeddings": embedded.vectors,
        }))
    }
}
