//! Embeddings: OpenAI's `/embeddings` and Ollama's `/api/embed`.

use bytes::Bytes;
use http::HeaderValue;
use http::header::ACCEPT;
use serde_json::{Value, json};
use tokio::time::{Instant, timeout_at};

use crate::client::ProviderClient;
use crate::error::{Error, TimeoutStage};
use crate::model::{Embedded, no_embeddings};
use crate::retry::Retry;
use crate::transport::TransportRequest;
use crate::unfinished::Unfinished;
use crate::usage::Usage;

/// Most bytes of an answer that are read.
const ANSWER_BYTES: usize = 32 << 20;

/// Requests vectors from a provider, again where a failure may pass.
pub(crate) async fn request(
    provider: ProviderClient,
    retry: Retry,
    texts: Vec<String>,
    model: Option<String>,
) -> Result<Embedded, Error> {
    let endpoint = &provider.endpoint;
    let path = endpoint.wire.dialect().embeddings;
    let path = path.ok_or_else(|| no_embeddings(endpoint.wire.name()))?;
    let model = model.unwrap_or_else(|| endpoint.model.clone());
    let mut headers = endpoint.wire.headers(endpoint);
    headers.insert(ACCEPT, HeaderValue::from_static("application/json"));
    let outgoing = TransportRequest {
        url: endpoint.url(path, None),
        headers,
        body: Bytes::from(json!({"model": model, "input": texts}).to_string()),
        limits: provider.limits,
    };
    let deadline = Instant::now() + provider.limits.total;
    let body = provider
        .retrying(retry, deadline, || attempt(&provider, outgoing.clone(), deadline))
        .await?;
    if body.len() > ANSWER_BYTES {
        return Err(unusable(
            "its vectors are more than can be taken in; give fewer texts",
        ));
    }
    let value: Value = serde_json::from_slice(&body).map_err(|_| unusable("the answer is no JSON"))?;
    read(&value, &texts, &model)
}

/// One try: the body of the answer, up to the first part beyond [`ANSWER_BYTES`].
async fn attempt(
    provider: &ProviderClient,
    outgoing: TransportRequest,
    deadline: Instant,
) -> Result<Vec<u8>, Error> {
    let limits = provider.limits;
    let path = outgoing.url.path().to_owned();
    let first_by = (Instant::now() + limits.first_token).min(deadline);
    let mut incoming = match timeout_at(first_by, provider.transport.open(outgoing)).await {
        Err(_) => return Err(provider.timeout_error(TimeoutStage::FirstToken, deadline)),
        Ok(opened) => opened.map_err(|transport_error| provider.transport_error(transport_error))?,
    };
    if !(200..300).contains(&incoming.status) {
        return Err(provider.refusal(incoming, &path, first_by).await);
    }
    let mut body = Vec::new();
    while body.len() <= ANSWER_BYTES {
        let (until, stage) = match body.is_empty() {
            true => (first_by, TimeoutStage::FirstToken),
            false => (Instant::now() + limits.silence, TimeoutStage::Silence),
        };
        match timeout_at(until.min(deadline), incoming.body.chunk()).await {
            Err(_) => return Err(provider.timeout_error(stage, deadline)),
            Ok(Err(transport_error)) => return Err(provider.transport_error(transport_error)),
            Ok(Ok(None)) => break,
            Ok(Ok(Some(part))) => body.extend_from_slice(&part),
        }
    }
    Ok(body)
}

fn unusable(why: &str) -> Error {
    Error::Unfinished(Unfinished::upstream(&format!("embeddings: {why}")))
}

/// Reads an answer to these texts in either dialect.
fn read(answer: &Value, texts: &[String], model: &str) -> Result<Embedded, Error> {
    let mut vectors: Vec<(u64, Vec<f32>)> = Vec::new();
    let data = answer.get("data").and_then(Value::as_array);
    let entries = data.or_else(|| answer.get("embeddings").and_then(Value::as_array));
    for (at, entry) in (0_u64..).zip(entries.into_iter().flatten()) {
        let index = entry.get("index").and_then(Value::as_u64).unwrap_or(at);
        let numbers = entry.get("embedding").unwrap_or(entry).as_array();
        #[expect(
            clippy::cast_possible_truncation,
            reason = "vectors are written with fewer digits than a double has"
        )]
        let vector: Option<Vec<f32>> = numbers
            .into_iter()
            .flatten()
            .map(|number| {
                number
                    .as_f64()
                    .map(|number| number as f32)
                    .filter(|number| number.is_finite())
            })
            .collect();
        let vector = vector.filter(|numbers| !numbers.is_empty());
        vectors.push((
            index,
            vector.ok_or_else(|| unusable("a vector is no list of numbers"))?,
        ));
    }
    vectors.sort_by_key(|(index, _)| *index);
    let dense = (0_u64..).zip(&vectors).all(|(at, (index, _))| at == *index);
    if vectors.len() != texts.len() || !dense {
        return Err(unusable(&format!(
            "{} vectors came for {} texts",
            vectors.len(),
            texts.len()
        )));
    }
    let vectors: Vec<Vec<f32>> = vectors.into_iter().map(|(_, vector)| vector).collect();
    if vectors
        .windows(2)
        .any(|pair| pair.first().map(Vec::len) != pair.last().map(Vec::len))
    {
        return Err(unusable("the vectors differ in length"));
    }
    let count = |index: &str| answer.pointer(index).and_then(Value::as_u64);
    let input = count("/usage/prompt_tokens").or_else(|| count("/prompt_eval_count"));
    let given = Usage {
        input: input.unwrap_or_default(),
        ..Usage::default()
    };
    Ok(Embedded {
        vectors,
        model: answer
            .get("model")
            .and_then(Value::as_str)
            .unwrap_or(model)
            .to_owned(),
        usage: given.completed_by(|| Usage::estimated(texts.iter().map(String::len).sum(), 0)),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn vectors_stand_in_the_order_of_their_texts_in_either_dialect() {
        let openai = json!({"data": [{"index": 1, "embedding": [0.5, 1]}, {"index": 0, "embedding": [0, 2]}],
            "model": "m", "usage": {"prompt_tokens": 7}});
        let texts = |count: usize| vec!["four words of text".to_owned(); count];
        let embedded = read(&openai, &texts(2), "asked").unwrap();
        assert_eq!(embedded.vectors, [[0.0, 2.0], [0.5, 1.0]]);
        assert_eq!((embedded.model.as_str(), embedded.usage.input), ("m", 7));
        let ollama = json!({"embeddings": [[1, 2, 3]], "prompt_eval_count": 4});
        let embedded = read(&ollama, &texts(1), "asked").unwrap();
        assert_eq!(
            (embedded.vectors, embedded.usage.input),
            (vec![vec![1.0, 2.0, 3.0]], 4)
        );
        assert_eq!(embedded.model, "asked");
        let uncounted = json!({"embeddings": [[1, 2, 3]]});
        let usage = read(&uncounted, &texts(1), "asked").unwrap().usage;
        assert_eq!((usage.input, usage.output, usage.estimated), (5, 0, true));
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
            let texts = ["one".to_owned(), "two".to_owned()];
            assert!(read(&answer, &texts, "m").is_err(), "{answer}");
        }
    }
}
