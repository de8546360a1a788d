//! Recording of exchanges with providers, and transports that record and replay them.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use async_trait::async_trait;
use base64::Engine;
use bytes::Bytes;
use data_encoding::HEXLOWER;
use http::{HeaderMap, HeaderName, HeaderValue};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use sha2::{Digest, Sha256};

use crate::endpoint::ApiKey;
use crate::error::Error;
use crate::transport::{ResponseBody, Transport, TransportError, TransportRequest, TransportResponse};

/// One exchange as a file holds it. Headers that could carry a secret are never written.
#[derive(Debug, Clone, Serialize, Deserialize)]
struct RecordedExchange {
    /// Path of the URL, without host and query.
    path: String,
    /// The request's body.
    request: Value,
    status: u16,
    headers: Vec<(String, String)>,
    /// The answer's parts as they were read.
    parts: Vec<RecordedChunk>,
    /// True when the connection broke.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    broke: bool,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(untagged)]
enum RecordedChunk {
    Text(String),
    Bytes { base64: String },
}

/// Response headers that are recorded.
const RECORDED_HEADERS: [&str; 3] = ["content-type", "retry-after", "retry-after-ms"];

/// The key of a request: a hash of path and body with sorted fields. Host, query and headers do not count, so that a
/// recording is independent of the provider's address.
fn key(path: &str, body: &Value) -> String {
    let mut hash = Sha256::new();
    hash.update(path.as_bytes());
    hash.update([0]);
    hash.update(sorted(body).to_string().as_bytes());
    HEXLOWER.encode(hash.finalize().get(..8).unwrap_or_default())
}

/// The same value with the fields of all objects in order. Request bodies are our own and shallow.
fn sorted(value: &Value) -> Value {
    match value {
        Value::Object(fields) => {
            let mut list: Vec<_> = fields.iter().collect();
            list.sort_by_key(|(name, _)| name.as_str());
            Value::Object(
                list.into_iter()
                    .map(|(name, value)| (name.clone(), sorted(value)))
                    .collect(),
            )
        }
        Value::Array(items) => Value::Array(items.iter().map(sorted).collect()),
        other => other.clone(),
    }
}

/// How often each request was made: the second time it may have been answered differently.
#[derive(Debug, Default)]
struct RequestCounts(Mutex<HashMap<String, u32>>);

impl RequestCounts {
    fn next(&self, key: &str) -> u32 {
        let mut counts = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let count = counts.entry(key.to_owned()).or_default();
        *count += 1;
        *count
    }
}

fn file(folder: &Path, key: &str, nth: u32) -> PathBuf {
    folder.join(format!("{key}-{nth}.json"))
}

fn unusable(path: &Path, reason: impl ToString) -> TransportError {
    let error = Error::Recording {
        path: path
            .file_name()
            .unwrap_or_default()
            .to_string_lossy()
            .into_owned(),
        reason: reason.to_string(),
    };
    TransportError::Recording(Box::new(error))
}

fn parsed(body: &Bytes) -> Value {
    serde_json::from_slice(body).unwrap_or(Value::Null)
}

/// A transport that records the exchanges of another one.
pub struct RecordingTransport {
    inner: Arc<dyn Transport>,
    folder: PathBuf,
    secrets: Vec<ApiKey>,
    counts: RequestCounts,
}

impl RecordingTransport {
    /// Records into `folder`; the keys' text is replaced wherever it occurs.
    pub fn new(inner: Arc<dyn Transport>, folder: PathBuf, secrets: Vec<ApiKey>) -> Self {
        Self {
            inner,
            folder,
            secrets,
            counts: RequestCounts::default(),
        }
    }
}

#[async_trait]
impl Transport for RecordingTransport {
    async fn open(&self, request: TransportRequest) -> Result<TransportResponse, TransportError> {
        std::fs::create_dir_all(&self.folder).map_err(|error| unusable(&self.folder, error))?;
        let path = request.url.path().to_owned();
        let body = parsed(&request.body);
        let key = key(&path, &body);
        let incoming = self.inner.open(request).await?;
        let headers = RECORDED_HEADERS.iter().filter_map(|name| {
            let value = incoming.headers.get(*name)?.to_str().ok()?;
            Some(((*name).to_owned(), value.to_owned()))
        });
        let exchange = RecordedExchange {
            path,
            request: body,
            status: incoming.status,
            headers: headers.collect(),
            parts: Vec::new(),
            broke: false,
        };
        let body_recorder = RecordingBody {
            inner: incoming.body,
            exchange: Some(exchange),
            file: file(&self.folder, &key, self.counts.next(&key)),
            secrets: self.secrets.clone(),
        };
        Ok(TransportResponse {
            status: incoming.status,
            headers: incoming.headers,
            body: Box::new(body_recorder),
        })
    }
}

/// A body that is recorded as it is read; the file is written when it ends or is dropped.
struct RecordingBody {
    inner: Box<dyn ResponseBody>,
    exchange: Option<RecordedExchange>,
    file: PathBuf,
    secrets: Vec<ApiKey>,
}

#[async_trait]
impl ResponseBody for RecordingBody {
    async fn chunk(&mut self) -> Result<Option<Bytes>, TransportError> {
        let part = self.inner.chunk().await;
        let Some(exchange) = &mut self.exchange else {
            return part;
        };
        match &part {
            Ok(Some(bytes)) => exchange.parts.push(match std::str::from_utf8(bytes) {
                Ok(text) => RecordedChunk::Text(text.to_owned()),
                Err(_) => RecordedChunk::Bytes {
                    base64: base64::engine::general_purpose::STANDARD.encode(bytes),
                },
            }),
            Ok(None) => self.write()?,
            Err(_) => {
                exchange.broke = true;
                self.write()?;
            }
        }
        part
    }
}

impl RecordingBody {
    fn write(&mut self) -> Result<(), TransportError> {
        let Some(exchange) = self.exchange.take() else {
            return Ok(());
        };
        let mut text =
            serde_json::to_string_pretty(&exchange).map_err(|error| unusable(&self.file, error))?;
        for secret in self
            .secrets
            .iter()
            .map(ApiKey::reveal)
            .filter(|secret| secret.len() > 3)
        {
            text = text.replace(secret, "[key]");
        }
        std::fs::write(&self.file, text).map_err(|error| unusable(&self.file, error))
    }
}

impl Drop for RecordingBody {
    fn drop(&mut self) {
        // A reader that stopped at the wire's end mark never asks for the end of the body.
        let _ = self.write();
    }
}

/// A transport that answers from recordings and never touches the network.
#[derive(Debug)]
pub struct ReplayTransport {
    folder: PathBuf,
    counts: RequestCounts,
}

impl ReplayTransport {
    /// Answers from `folder`.
    pub fn new(folder: PathBuf) -> Self {
        Self {
            folder,
            counts: RequestCounts::default(),
        }
    }
}

#[async_trait]
impl Transport for ReplayTransport {
    async fn open(&self, request: TransportRequest) -> Result<TransportResponse, TransportError> {
        let key = key(request.url.path(), &parsed(&request.body));
        let nth = self.counts.next(&key);
        // A request repeated more often than it was recorded gets the last recorded answer.
        let recorded = (1..=nth)
            .rev()
            .map(|nth| file(&self.folder, &key, nth))
            .find(|path| path.exists());
        let Some(path) = recorded else {
            return Err(TransportError::Recording(Box::new(Error::NotRecorded { key })));
        };
        let text = std::fs::read_to_string(&path).map_err(|error| unusable(&path, error))?;
        let exchange: RecordedExchange =
            serde_json::from_str(&text).map_err(|error| unusable(&path, error))?;
        let mut headers = HeaderMap::new();
        for (name, value) in &exchange.headers {
            if let (Ok(name), Ok(value)) = (name.parse::<HeaderName>(), value.parse::<HeaderValue>()) {
                headers.insert(name, value);
            }
        }
        let mut parts = Vec::with_capacity(exchange.parts.len());
        for part in exchange.parts.into_iter().rev() {
            parts.push(match part {
                RecordedChunk::Text(text) => Bytes::from(text),
                RecordedChunk::Bytes { base64 } => base64::engine::general_purpose::STANDARD
                    .decode(base64)
                    .map(Bytes::from)
                    .map_err(|error| unusable(&path, error))?,
            });
        }
        Ok(TransportResponse {
            status: exchange.status,
            headers,
            body: Box::new(ReplayedBody {
                parts,
                broke: exchange.broke,
            }),
        })
    }
}

/// Recorded parts, the next one last.
struct ReplayedBody {
    parts: Vec<Bytes>,
    broke: bool,
}

#[async_trait]
impl ResponseBody for ReplayedBody {
    async fn chunk(&mut self) -> Result<Option<Bytes>, TransportError> {
        match self.parts.pop() {
            Some(part) => Ok(Some(part)),
            None if self.broke => Err(TransportError::Cut),
            None => Ok(None),
        }
    }
}
