//! Streamable HTTP transport: each request is a POST, its response JSON or an event stream that holds it.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{PoisonError, RwLock};
use std::time::Duration;

use http::header::{ACCEPT, CONTENT_TYPE};
use http::{HeaderValue, Method};
use serde_json::Value;
use url::Url;

use super::protocol::{MAX_MESSAGE_BYTES, McpError, reply, request, result, shown};
use super::response_stream::{Reopen, ResponseStream};
use super::stateless::{self, HeaderParameter};

/// The header with the session's id, where the server gives one.
const SESSION_HEADER: &str = "mcp-session-id";

/// What a stream that is resumed may be.
const EVENTS: HeaderValue = HeaderValue::from_static("text/event-stream");
/// Longest refusal that is read, in bytes.
const MAX_REFUSAL_BYTES: usize = 64 << 10;
/// The code of an error that says that the server speaks other versions.
const UNSUPPORTED_VERSION: i64 = -32022;

/// An HTTP address with what goes with each request.
pub(super) struct HttpTransport {
    client: net::Client,
    /// The request that all others are made from.
    plain: net::Request,
    session: RwLock<Option<String>>,
    version: RwLock<Option<String>>,
    next: AtomicU64,
    is_ended: AtomicBool,
}

impl HttpTransport {
    /// The operator wrote the address, so that it may be one of this machine; redirects to others are not followed. `patience`
    /// is how long a call may take.
    pub(super) fn new(
        client: net::Client,
        url: Url,
        headers: &BTreeMap<String, String>,
        patience: Duration,
    ) -> Result<HttpTransport, McpError> {
        let protocol_error = |error: net::Error| McpError::Protocol(error.to_string());
        let mut plain = net::Request::post(url, "application/json", Vec::new());
        plain = plain
            .header("accept", "application/json, text/event-stream")
            .map_err(protocol_error)?;
        for (name, value) in headers {
            plain = plain
                .header(name, value)
                .map_err(|_| McpError::Protocol(format!("the header {name:?} cannot be sent")))?;
        }
        plain.granted = true;
        plain.is_own_service = true;
        plain.limits = Some(net::Limits {
            body_bytes: MAX_MESSAGE_BYTES,
            first_byte: patience,
            idle: patience,
            total: patience,
            redirects: 0,
            attempts: 1,
            ..client.limits().clone()
        });
        Ok(HttpTransport {
            client,
            plain,
            session: RwLock::new(None),
            version: RwLock::new(None),
            next: AtomicU64::new(1),
            is_ended: AtomicBool::new(false),
        })
    }

    /// Sets the protocol version that both sides agreed on.
    pub(super) fn set_version(&self, version: &str) {
        *self.version.write().unwrap_or_else(PoisonError::into_inner) = Some(version.to_owned());
    }

    fn version(&self) -> Option<String> {
        self.version
            .read()
            .unwrap_or_else(PoisonError::into_inner)
            .clone()
    }

    fn is_stateless(&self) -> bool {
        self.version().as_deref() == Some(stateless::VERSION)
    }

    /// Asks for the protocol without sessions, and says whether the server speaks it. If so, all further requests do.
    ///
    /// # Errors
    /// When the server cannot be reached at all.
    pub(super) async fn begin_stateless(&self) -> Result<bool, McpError> {
        self.set_version(stateless::VERSION);
        let mut found = self.ask("server/discover", Value::Null, &[]).await;
        if matches!(&found, Err(McpError::OtherVersions(all)) if all.iter().any(|it| it == stateless::VERSION))
        {
            found = self.ask("server/discover", Value::Null, &[]).await;
        }
        if let Err(error @ McpError::Unreachable(_)) = found {
            return Err(error);
        }
        let speaks = found.is_ok_and(|found| {
            let versions = found.get("supportedVersions").and_then(Value::as_array);
            versions.is_some_and(|all| all.iter().any(|version| version == stateless::VERSION))
        });
        if !speaks {
            self.end_stateless();
        }
        Ok(speaks)
    }

    /// Goes back to the state before anything was asked.
    pub(super) fn end_stateless(&self) {
        *self.version.write().unwrap_or_else(PoisonError::into_inner) = None;
        self.is_ended.store(false, Ordering::Release);
    }

    pub(super) fn is_ended(&self) -> bool {
        self.is_ended.load(Ordering::Acquire)
    }

    async fn post(&self, message: &Value, more: &[(String, String)]) -> Result<net::Streaming, McpError> {
        let mut request = self.plain.clone();
        for (name, value) in more {
            request = with_header(request, name, value)?;
        }
        request.body = message.to_string().into();
        self.send(request).await
    }

    /// Sends a request of the session, and waits for the head of its answer.
    async fn send(&self, mut request: net::Request) -> Result<net::Streaming, McpError> {
        let version = self.version();
        let session = self
            .session
            .read()
            .unwrap_or_else(PoisonError::into_inner)
            .clone();
        let session_headers = [
            (SESSION_HEADER, session.as_deref()),
            ("mcp-protocol-version", version.as_deref()),
        ];
        for (name, value) in session_headers {
            if let Some(value) = value {
                request = with_header(request, name, value)?;
            }
        }
        let host = self.plain.url.host_str().unwrap_or_default();
        let answer = self
            .client
            .open(request)
            .await
            .map_err(|error| McpError::Unreachable(format!("{host} does not answer: {error}")))?;
        match answer.status.as_u16() {
            200..=299 => {}
            401 | 403 => {
                return Err(McpError::Unavailable(format!(
                    "{host} refused us (status {}); set its key in `headers`",
                    answer.status.as_u16()
                )));
            }
            404 if session.is_some() => {
                // The server ended the session; the next request begins a new one.
                self.is_ended.store(true, Ordering::Release);
                return Err(McpError::Unavailable(format!("{host} ended the conversation")));
            }
            400 if self.is_stateless() => return Err(refusal(answer, host).await),
            other => {
                return Err(McpError::Unavailable(format!(
                    "{host} answered with status {other}"
                )));
            }
        }
        if let Some(session) = answer.headers.get(SESSION_HEADER).and_then(|it| it.to_str().ok()) {
            *self.session.write().unwrap_or_else(PoisonError::into_inner) = Some(session.to_owned());
        }
        Ok(answer)
    }

    pub(super) async fn notify(&self, message: &Value) -> Result<(), McpError> {
        self.post(message, &[]).await.map(drop)
    }

    /// Sends a request and waits for its result. `in_headers` are the parameters of a tool that go into headers as well.
    pub(super) async fn ask(
        &self,
        method: &str,
        params: Value,
        in_headers: &[HeaderParameter],
    ) -> Result<Value, McpError> {
        let id = self.next.fetch_add(1, Ordering::Relaxed);
        let (params, headers) = match self.is_stateless() {
            true => {
                let headers = stateless::headers(method, &params, in_headers);
                (stateless::with_meta(params), headers)
            }
            false => (params, Vec::new()),
        };
        let message = request(id, method, &params);
        let answer = self.post(&message, &headers).await?;
        let mut answer = ResponseStream::new(self, method, answer);
        loop {
            let message = answer.message().await?;
            if let Some(reply) = reply(&message) {
                self.notify(&reply).await?;
            } else if message.get("id").and_then(Value::as_u64) == Some(id) {
                return result(method, message);
            }
        }
    }
}

impl Reopen for HttpTransport {
    /// Versions with sessions only have that.
    fn keeps_streams(&self) -> bool {
        !self.is_stateless()
    }

    async fn reopen(&self, last_event_id: &str) -> Result<net::Streaming, McpError> {
        let mut request = self.plain.clone();
        request.method = Method::GET;
        request.headers.remove(CONTENT_TYPE);
        request.headers.insert(ACCEPT, EVENTS);
        let request = with_header(request, "last-event-id", last_event_id)?;
        self.send(request).await
    }
}

fn with_header(request: net::Request, name: &str, value: &str) -> Result<net::Request, McpError> {
    request
        .header(name, value)
        .map_err(|error| McpError::Protocol(error.to_string()))
}

/// Why a request was refused with status 400: most often because the server speaks other versions, which it lists.
async fn refusal(mut answer: net::Streaming, host: &str) -> McpError {
    let mut body = Vec::new();
    while let Ok(Some(part)) = answer.chunk().await {
        body.extend_from_slice(&part);
        if body.len() > MAX_REFUSAL_BYTES {
            break;
        }
    }
    let told: Value = serde_json::from_slice(&body).unwrap_or_default();
    if told.pointer("/error/code").and_then(Value::as_i64) == Some(UNSUPPORTED_VERSION) {
        let versions = told.pointer("/error/data/supported").and_then(Value::as_array);
        let versions = versions.into_iter().flatten().filter_map(Value::as_str);
        return McpError::OtherVersions(versions.map(str::to_owned).collect());
    }
    let told = told.pointer("/error/message").and_then(Value::as_str);
    let told = told.map_or_else(String::new, |text| format!(": {}", shown(text)));
    McpError::Unavailable(format!("{host} answered with status 400{told}"))
}
