//! JetStream's request interface over a NATS connection: publish, read, purge, stream and consumer requests.
//!
//! The requests are those of the server's `$JS.API` subjects (NATS ADR 31 for direct reads). They are written here, and
//! not taken from the client library, because the engine has to tell every refusal of a write apart.

use std::collections::HashMap;
use std::time::Duration;

use async_nats::client::RequestErrorKind;
use async_nats::{Client, HeaderMap, Request};
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use bytes::Bytes;
use futures_util::StreamExt as _;
use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};

use crate::Error;

/// How long one request may take before its outcome is unknown.
pub(super) const REQUEST: Duration = Duration::from_secs(3);
/// The body of a request without one.
pub(super) static NO_BODY: Value = Value::Null;
/// Messages of one batch of direct reads.
const BATCH: usize = 32;
/// Bytes of one batch of direct reads.
const BATCH_BYTES: usize = 4 << 20;

/// JetStream's codes of errors that are told apart.
/// Codes of JetStream's errors that are looked at (`server/errors.json` of nats-server).
pub(super) mod code {
    pub(in crate::engines::nats) const NO_PEERS: u64 = 10005;
    pub(in crate::engines::nats) const REPLICAS_NOT_SUPPORTED: u64 = 10074;
    pub(in crate::engines::nats) const SUBJECTS_OVERLAP: u64 = 10065;
    pub(in crate::engines::nats) const STREAM_NAME_IN_USE: u64 = 10058;
    pub(in crate::engines::nats) const NOT_ENABLED: u64 = 10076;
    pub(in crate::engines::nats) const NOT_ENABLED_FOR_ACCOUNT: u64 = 10039;
    pub(super) const SEQUENCE_NOT_FOUND: u64 = 10043;
    pub(super) const MESSAGE_DELETE_FAILED: u64 = 10057;
    pub(super) const NOT_FOUND: u64 = 10037;
    pub(super) const STREAM_NOT_FOUND: u64 = 10059;
    pub(super) const WRONG_LAST_SEQUENCE: [u64; 2] = [10071, 10164];
    pub(super) const FULL: [u64; 4] = [10023, 10028, 10047, 10077];
}

/// Why JetStream did not do what was requested.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Refusal {
    /// The subject's last message is another one, or another write is under way.
    Stale,
    /// There is no room.
    Full,
    /// There is no such message or stream.
    Missing,
    /// Nobody answered, or the cluster has no leader: the outcome is unknown.
    Unavailable(String),
    /// Refused otherwise, with the server's code.
    Other(u64, String),
}

impl From<Refusal> for Error {
    fn from(refusal: Refusal) -> Self {
        let reason = match refusal {
            Refusal::Full => return Self::DiskFull,
            Refusal::Stale => "another process wrote at the same time".to_owned(),
            Refusal::Missing => "NATS has no such message".to_owned(),
            Refusal::Unavailable(reason) => format!("NATS does not answer: {reason}"),
            Refusal::Other(code, reason) => format!("NATS refused: {reason} ({code})"),
        };
        Self::Engine { reason }
    }
}

/// A stored message.
#[derive(Debug, Clone)]
pub(super) struct StoredMessage {
    pub(super) subject: String,
    pub(super) seq: u64,
    pub(super) headers: HashMap<String, String>,
    pub(super) body: Bytes,
}

#[derive(Deserialize)]
struct ApiError {
    #[serde(default)]
    code: u64,
    #[serde(default)]
    err_code: u64,
    #[serde(default)]
    description: String,
}

impl From<ApiError> for Refusal {
    fn from(error: ApiError) -> Self {
        match error.err_code {
            code::NOT_FOUND | code::STREAM_NOT_FOUND => Self::Missing,
            number if code::WRONG_LAST_SEQUENCE.contains(&number) => Self::Stale,
            number if code::FULL.contains(&number) => Self::Full,
            _ if error.code == 503 => Self::Unavailable(error.description),
            number => Self::Other(number, error.description),
        }
    }
}

#[derive(Deserialize)]
struct Reply {
    error: Option<ApiError>,
    #[serde(flatten)]
    rest: Value,
}

/// The connection.
#[derive(Debug, Clone)]
pub(super) struct JetStream(pub(super) Client);

impl JetStream {
    /// Publishes a message and returns its sequence. With `expected`, only where the subject's last message has that
    /// sequence (0: has none).
    pub(super) async fn publish(
        &self,
        subject: &str,
        expected: Option<u64>,
        headers: &[(&'static str, String)],
        body: Bytes,
    ) -> Result<u64, Refusal> {
        #[derive(Deserialize)]
        struct Stored {
            seq: u64,
        }
        let mut map = HeaderMap::new();
        for (name, value) in headers {
            map.insert(*name, value.as_str());
        }
        if let Some(expected) = expected {
            map.insert("Nats-Expected-Last-Subject-Sequence", expected.to_string());
        }
        let request = Request::new().headers(map).payload(body).timeout(Some(REQUEST));
        Ok(self.send::<Stored>(subject, request).await?.seq)
    }

    /// A request to `$JS.API`.
    pub(super) async fn request<T: DeserializeOwned>(&self, name: &str, body: &Value) -> Result<T, Refusal> {
        let payload = if body.is_null() {
            Bytes::new()
        } else {
            Bytes::from(body.to_string())
        };
        let request = Request::new().payload(payload).timeout(Some(REQUEST));
        self.send(&format!("$JS.API.{name}"), request).await
    }

    async fn send<T: DeserializeOwned>(&self, subject: &str, request: Request) -> Result<T, Refusal> {
        let answered = self.0.send_request(subject.to_owned(), request).await;
        let answer = answered.map_err(|error| match error.kind() {
            RequestErrorKind::TimedOut => Refusal::Unavailable("no answer in time".into()),
            RequestErrorKind::NoResponders => Refusal::Unavailable("no stream takes the request".into()),
            _ => Refusal::Unavailable(error.to_string()),
        })?;
        let unreadable = |error: serde_json::Error| Refusal::Other(0, error.to_string());
        let reply: Reply = serde_json::from_slice(&answer.payload).map_err(unreadable)?;
        match reply.error {
            Some(error) => Err(error.into()),
            None => serde_json::from_value(reply.rest).map_err(unreadable),
        }
    }

    /// The last message of a subject, as the stream's leader has it.
    pub(super) async fn last(&self, stream: &str, subject: &str) -> Result<Option<StoredMessage>, Refusal> {
        self.get(stream, &json!({"last_by_subj": subject})).await
    }

    /// The first message of a subject (`*` and `>` allowed) from a sequence on, as the stream's leader has it.
    pub(super) async fn next(
        &self,
        stream: &str,
        subject: &str,
        from: u64,
    ) -> Result<Option<StoredMessage>, Refusal> {
        self.get(stream, &json!({"seq": from.max(1), "next_by_subj": subject}))
            .await
    }

    async fn get(&self, stream: &str, query: &Value) -> Result<Option<StoredMessage>, Refusal> {
        #[derive(Deserialize)]
        struct Found {
            message: Encoded,
        }
        #[derive(Deserialize)]
        struct Encoded {
            subject: String,
            seq: u64,
            #[serde(default)]
            hdrs: String,
            #[serde(default)]
            data: String,
        }
        let found = self
            .request::<Found>(&format!("STREAM.MSG.GET.{stream}"), query)
            .await;
        let Encoded {
            subject,
            seq,
            hdrs,
            data,
        } = match found {
            Ok(found) => found.message,
            Err(Refusal::Missing) => return Ok(None),
            Err(refusal) => return Err(refusal),
        };
        let decode = |text: String| {
            STANDARD
                .decode(text)
                .map_err(|error| Refusal::Other(0, error.to_string()))
        };
        let headers = String::from_utf8_lossy(&decode(hdrs)?)
            .split("\r\n")
            .filter_map(|line| line.split_once(':'))
            .map(|(name, value)| (name.to_owned(), value.trim().to_owned()))
            .collect();
        Ok(Some(StoredMessage {
            subject,
            seq,
            headers,
            body: decode(data)?.into(),
        }))
    }

    /// Messages of a subject from a sequence on, in order, as the nearest replica has them, and whether more follow.
    pub(super) async fn batch(
        &self,
        stream: &str,
        subject: &str,
        from: u64,
    ) -> Result<(Vec<StoredMessage>, bool), Refusal> {
        let unavailable = |reason: String| Refusal::Unavailable(reason);
        let inbox = self.0.new_inbox();
        let mut answers = self
            .0
            .subscribe(inbox.clone())
            .await
            .map_err(|error| unavailable(error.to_string()))?;
        let query = json!({
            "seq": from.max(1), "next_by_subj": subject, "batch": BATCH, "max_bytes": BATCH_BYTES,
        });
        self.0
            .publish_with_reply(
                format!("$JS.API.DIRECT.GET.{stream}"),
                inbox,
                query.to_string().into(),
            )
            .await
            .map_err(|error| unavailable(error.to_string()))?;
        let mut messages: Vec<StoredMessage> = Vec::new();
        loop {
            let answer = tokio::time::timeout(REQUEST, answers.next()).await;
            let Ok(Some(answer)) = answer else {
                return Err(unavailable("no answer in time".into()));
            };
            let headers: HashMap<String, String> = answer
                .headers
                .iter()
                .flat_map(HeaderMap::iter)
                .filter_map(|(name, values)| Some((name.to_string(), values.last()?.to_string())))
                .collect();
            let number = |name: &str| headers.get(name).and_then(|text| text.parse::<u64>().ok());
            match answer.status.map(|status| status.as_u16()) {
                None | Some(200) => {}
                Some(204) => return Ok((messages, number("Nats-Num-Pending").unwrap_or(0) > 0)),
                Some(404) => return Ok((messages, false)),
                Some(other) => {
                    return Err(unavailable(format!("a direct read was answered with {other}")));
                }
            }
            messages.push(StoredMessage {
                seq: number("Nats-Sequence").unwrap_or(0),
                subject: headers.get("Nats-Subject").cloned().unwrap_or_default(),
                headers,
                body: answer.payload,
            });
        }
    }

    /// Subjects of a stream that match a filter.
    pub(super) async fn subjects(&self, stream: &str, filter: &str) -> Result<Vec<String>, Refusal> {
        #[derive(Deserialize)]
        struct Info {
            state: State,
        }
        #[derive(Deserialize)]
        struct State {
            #[serde(default)]
            subjects: Option<HashMap<String, u64>>,
        }
        let mut all = Vec::new();
        loop {
            let query = json!({"subjects_filter": filter, "offset": all.len()});
            let info: Info = self.request(&format!("STREAM.INFO.{stream}"), &query).await?;
            let page = info.state.subjects.unwrap_or_default();
            if page.is_empty() {
                return Ok(all);
            }
            let complete = page.len() < 100_000;
            all.extend(page.into_keys());
            if complete {
                return Ok(all);
            }
        }
    }

    /// Deletes one message and overwrites its bytes.
    pub(super) async fn erase(&self, stream: &str, seq: u64) -> Result<(), Refusal> {
        let request = json!({"seq": seq, "no_erase": false});
        let deleted = self
            .request::<Value>(&format!("STREAM.MSG.DELETE.{stream}"), &request)
            .await;
        match deleted {
            Ok(_) | Err(Refusal::Missing) => Ok(()),
            // The message is gone already.
            Err(Refusal::Other(code::SEQUENCE_NOT_FOUND | code::MESSAGE_DELETE_FAILED, _)) => Ok(()),
            Err(refusal) => Err(refusal),
        }
    }

    /// Deletes the messages of a subject whose sequence is below `seq`.
    pub(super) async fn purge_before(&self, stream: &str, subject: &str, seq: u64) -> Result<(), Refusal> {
        let request = json!({"filter": subject, "seq": seq});
        self.request::<Value>(&format!("STREAM.PURGE.{stream}"), &request)
            .await
            .map(drop)
    }

    /// Deletes the messages of a subject, all but the last `keep`.
    pub(super) async fn purge(&self, stream: &str, subject: &str, keep: u64) -> Result<(), Refusal> {
        let request = if keep == 0 {
            json!({"filter": subject})
        } else {
            json!({"filter": subject, "keep": keep})
        };
        self.request::<Value>(&format!("STREAM.PURGE.{stream}"), &request)
            .await
            .map(drop)
    }
}
