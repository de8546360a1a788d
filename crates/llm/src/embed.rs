//! Texts as vectors: OpenAI's `/embeddings` and Ollama's `/api/embed`.

use bytes::Bytes;
use http::HeaderValue;
use http::header::ACCEPT;
use serde_json::{Value, json};
use tokio::time::{Instant, timeout_at};

use crate::error::{Error, Wait};
use crate::provider::Provider;
use crate::transport::Outgoing;
use crate::unfinished::Unfinished;
use crate::usage::Usage;
use crate::wires::Wire;

/// Most bytes of an answer that are read.
const ANSWER_BYTES: usize = 32 << 20;

/// What became of texts.
#[derive(Debug, Clone, PartialEq)]
pub struct Embedded {
    /// One vector for each text, in the order of the texts, all of one length.
    pub vectors: Vec<Vec<f32>>,
    /// The model that made them, as the provider calls it.
    pub model: String,
    /// What it cost.
    pub usage: Usage,
}

/// Says that a provider has no embeddings, and which ones have.
pub(crate) fn cannot(who: &str) -> Error {
    Error::BadSetting {
        variable: "HUNTSMAN_LLM_PROVIDER".into(),
        reason: format!(
            "{who} has no embeddings that can be asked for; use a provider that speaks OpenAI's dialect (openai_chat) or ollama, \
             and name its embedding model"
        ),
    }
}

/// Asks a provider.
pub(crate) async fn ask(
    provider: Provider,
    texts: Vec<String>,
    model: Option<String>,
) -> Result<Embedded, Error> {
    let endpoint = provider.endpoint();
    let path = match endpoint.wire {
        Wire::OpenAiChat | Wire::OpenAiResponses => "/embeddings",
        Wire::Ollama => "/api/embed",
        Wire::Anthropic | Wire::Gemini => return Err(cannot(endpoint.wire.name())),
    };
    let model = model.unwrap_or_else(|| endpoint.model.clone());
    let mut headers = endpoint.wire.headers(endpoint);
    headers.insert(ACCEPT, HeaderValue::from_static("application/json"));
    let outgoing = Outgoing {
        url: endpoint.url(path, None),
        headers,
        body: Bytes::from(json!({"model": model, "input": texts}).to_string()),
        limits: provider.limits,
    };
    let by = Instant::now() + provider.limits.first_token.min(provider.limits.total);
    let late = |wait| provider.too_slow(wait, by);
    let opening = provider.transport.open(outgoing);
    let mut incoming = match timeout_at(by, opening).await {
        Err(_) => return Err(late(Wait::FirstToken)),
        Ok(opened) => opened.map_err(|broken| provider.broken(broken))?,
    };
    if !(200..300).contains(&incoming.status) {
        return Err(provider.refusal(incoming, path, by).await);
    }
    let mut body = Vec::new();
    loop {
        match timeout_at(by, incoming.body.chunk()).await {
            Err(_) => return Err(late(Wait::Total)),
            Ok(Err(broken)) => return Err(provider.broken(broken)),
            Ok(Ok(None)) => break,
            Ok(Ok(Some(part))) => body.extend_from_slice(&part),
        }
        if body.len() > ANSWER_BYTES {
            return Err(bad("its vectors are more than can be taken in; give fewer texts"));
        }
    }
    let value: Value = serde_json::from_slice(&body).map_err(|_| bad("the answer is no JSON"))?;
    read(&value, texts.len(), &model)
}

fn bad(why: &str) -> Error {
    Error::Unfinished(Unfinished::upstream(&format!("embeddings: {why}")))
}

/// Reads an answer of either dialect.
fn read(answer: &Value, wanted: usize, model: &str) -> Result<Embedded, Error> {
    let mut vectors: Vec<(u64, Vec<f32>)> = Vec::new();
    let data = answer.get("data").and_then(Value::as_array);
    let entries = data.or_else(|| answer.get("embeddings").and_then(Value::as_array));
    for (at, entry) in (0_u64..).zip(entries.into_iter().flatten()) {
        let place = entry.get("index").and_then(Value::as_u64).unwrap_or(at);
        let numbers = entry.get("embedding").unwrap_or(entry).as_array();
        // A vector is told with fewer digits than a double has.
        #[allow(clippy::cast_possible_truncation)]
        let vector: Option<Vec<f32>> = numbers
            .into_iter()
            .flatten()
            .map(|it| it.as_f64().map(|it| it as f32).filter(|it| it.is_finite()))
            .collect();
        let vector = vector.filter(|it| !it.is_empty());
        vectors.push((
            place,
            vector.ok_or_else(|| bad("a vector is no list of numbers"))?,
        ));
    }
    vectors.sort_by_key(|(place, _)| *place);
    let dense = (0_u64..).zip(&vectors).all(|(at, (place, _))| at == *place);
    if vectors.len() != wanted || !dense {
        let told = format!("{} vectors came for {wanted} texts", vectors.len());
        return Err(bad(&told));
    }
    let vectors: Vec<Vec<f32>> = vectors.into_iter().map(|(_, it)| it).collect();
    if vectors
        .windows(2)
        .any(|it| it.first().map(Vec::len) != it.last().map(Vec::len))
    {
        return Err(bad("the vectors differ in length"));
    }
    let count = |place: &str| answer.pointer(place).and_then(Value::as_u64);
    Ok(Embedded {
        vectors,
        model: answer
            .get("model")
            .and_then(Value::as_str)
            .unwrap_or(model)
            .to_owned(),
        usage: Usage {
            input: count("/usage/prompt_tokens")
                .or_else(|| count("/prompt_eval_count"))
                .unwrap_or_default(),
            ..Usage::default()
        },
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn vectors_stand_in_the_order_of_their_texts_in_either_dialect() {
        let openai = json!({"data": [{"index": 1, "embedding": [0.5, 1]}, {"index": 0, "embedding": [0, 2]}],
            "model": "m", "usage": {"prompt_tokens": 7}});
        let read_it = read(&openai, 2, "asked").unwrap();
        assert_eq!(read_it.vectors, [[0.0, 2.0], [0.5, 1.0]]);
        assert_eq!((read_it.model.as_str(), read_it.usage.input), ("m", 7));
        let ollama = json!({"embeddings": [[1, 2, 3]], "prompt_eval_count": 4});
        let read_it = read(&ollama, 1, "asked").unwrap();
        assert_eq!(
            (read_it.vectors, read_it.usage.input),
            (vec![vec![1.0, 2.0, 3.0]], 4)
        );
        assert_eq!(read_it.model, "asked");
    }

    #[test]
    fn what_is_no_vector_for_each_text_is_an_error() {
        for answer in [
            json!({}),
            json!({"data": []}),
            json!({"data": [{"embedding": [1]}, {"embedding": [1, 2]}]}),
            json!({"data": [{"embedding": [1]}, {"embedding": "QUJD"}]}),
            json!({"data": [{"index": 5, "embedding": [1]}, {"index": 0, "embedding": [2]}]}),
            json!({"embeddings": [[1], []]}),
            json!({"embeddings": [[1], [null]]}),
        ] {
            assert!(read(&answer, 2, "m").is_err(), "{answer}");
        }
    }
}
