//! A server at an address: each request is a POST, its answer JSON or a stream of events that holds it.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{OnceLock, PoisonError, RwLock};

use llm::sse::{Decoder, Framing};
use serde_json::{Value, json};
use url::Url;

use super::link::{LONGEST, Trouble, reply, result};

/// Names the conversation, where the server gives it a name.
const SESSION: &str = "mcp-session-id";

/// The address and what goes with each request.
pub(super) struct Endpoint {
    client: net::Client,
    /// The request that all others are made from.
    plain: net::Request,
    session: RwLock<Option<String>>,
    version: OnceLock<String>,
    next: AtomicU64,
    over: AtomicBool,
}

impl Endpoint {
    /// The operator wrote the address, so that it may be one of this machine; redirects to others are not followed.
    pub(super) fn new(
        client: net::Client,
        url: Url,
        headers: &BTreeMap<String, String>,
    ) -> Result<Endpoint, Trouble> {
        let odd = |error: net::Error| Trouble::Odd(error.to_string());
        let mut plain = net::Request::post(url, "application/json", Vec::new());
        plain = plain
            .header("accept", "application/json, text/event-stream")
            .map_err(odd)?;
        for (name, value) in headers {
            plain = plain
                .header(name, value)
                .map_err(|_| Trouble::Odd(format!("the header {name:?} cannot be sent")))?;
        }
        plain.granted = true;
        plain.limits = Some(net::Limits {
            body_bytes: LONGEST,
            redirects: 0,
            attempts: 1,
            ..client.limits().clone()
        });
        Ok(Endpoint {
            client,
            plain,
            session: RwLock::new(None),
            version: OnceLock::new(),
            next: AtomicU64::new(1),
            over: AtomicBool::new(false),
        })
    }

    /// Takes down the version that both speak.
    pub(super) fn agree(&self, version: &str) {
        let _ = self.version.set(version.to_owned());
    }

    pub(super) fn is_over(&self) -> bool {
        self.over.load(Ordering::Acquire)
    }

    async fn post(&self, message: &Value) -> Result<net::Streaming, Trouble> {
        let mut request = self.plain.clone();
        request.body = message.to_string().into();
        let session = self
            .session
            .read()
            .unwrap_or_else(PoisonError::into_inner)
            .clone();
        let more = [
            (SESSION, session.as_deref()),
            ("mcp-protocol-version", self.version.get().map(String::as_str)),
        ];
        for (name, value) in more {
            if let Some(value) = value {
                request = request
                    .header(name, value)
                    .map_err(|error| Trouble::Odd(error.to_string()))?;
            }
        }
        let host = self.plain.url.host_str().unwrap_or_default();
        let answer = self
            .client
            .open(request)
            .await
            .map_err(|error| Trouble::Dead(format!("{host} does not answer: {error}")))?;
        match answer.status.as_u16() {
            200..=299 => {}
            401 | 403 => {
                return Err(Trouble::Dead(format!(
                    "{host} refused us (status {}); set its key in `headers`",
                    answer.status.as_u16()
                )));
            }
            404 if session.is_some() => {
                // The server forgot the conversation; the next request begins a new one.
                self.over.store(true, Ordering::Release);
                return Err(Trouble::Dead(format!("{host} ended the conversation")));
            }
            other => return Err(Trouble::Dead(format!("{host} answered with status {other}"))),
        }
        if let Some(told) = answer.headers.get(SESSION).and_then(|it| it.to_str().ok()) {
            *self.session.write().unwrap_or_else(PoisonError::into_inner) = Some(told.to_owned());
        }
        Ok(answer)
    }

    pub(super) async fn tell(&self, message: &Value) -> Result<(), Trouble> {
        self.post(message).await.map(drop)
    }

    pub(super) async fn ask(&self, method: &str, params: Value) -> Result<Value, Trouble> {
        let id = self.next.fetch_add(1, Ordering::Relaxed);
        let message = json!({"jsonrpc": "2.0", "id": id, "method": method, "params": params});
        let mut answer = self.post(&message).await?;
        let odd = |why: &str| Trouble::Odd(format!("its answer to {method} {why}"));
        // A plain document is one payload of the decoder too.
        let mut decoder = Decoder::new(Framing::Events);
        let mut size = 0;
        loop {
            let part = answer
                .chunk()
                .await
                .map_err(|error| Trouble::Dead(format!("its answer broke off: {error}")))?;
            let over = part.is_none();
            let payloads = match part {
                Some(part) => {
                    size += part.len();
                    decoder.push(&part)
                }
                None => decoder.finish(),
            };
            for payload in payloads.map_err(|_| odd("cannot be read"))? {
                let Ok(message) = serde_json::from_str::<Value>(&payload.data) else {
                    continue;
                };
                if let Some(reply) = reply(&message) {
                    self.tell(&reply).await?;
                } else if message.get("id").and_then(Value::as_u64) == Some(id) {
                    return result(method, message);
                }
            }
            if size > LONGEST {
                return Err(odd("is too long"));
            }
            if over {
                return Err(odd("did not come"));
            }
        }
    }
}
