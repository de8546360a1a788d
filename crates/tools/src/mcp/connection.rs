//! The connection to one server: opened when it is first needed, opened again after it broke.

use std::sync::Arc;
use std::time::Duration;

use locale::truncate;
use serde_json::{Value, json};
use tokio::sync::Mutex;

use super::config::{ServerConfig, ServerTransport};
use super::http::HttpTransport;
use super::protocol::{MAX_ERROR_TEXT, McpError, SUPPORTED, VERSION, client_info, notification};
use super::stateless::HeaderParameter;
use super::stdio::StdioTransport;

/// Longest wait for a server to start and to shake hands.
const OPEN_TIMEOUT: Duration = Duration::from_secs(15);
/// The part of it that a server is given to say that it speaks the protocol without sessions.
const DISCOVER_TIMEOUT: Duration = Duration::from_secs(8);

/// An open channel to a server.
#[derive(Clone)]
pub(super) enum McpChannel {
    Stdio(Arc<StdioTransport>),
    Http(Arc<HttpTransport>),
}

impl McpChannel {
    /// Opens a channel: one deadline holds for all that is asked on the way.
    async fn open(server: &ServerConfig, client: &net::Client) -> Result<McpChannel, McpError> {
        match tokio::time::timeout(OPEN_TIMEOUT, Self::opened(server, client)).await {
            Ok(opened) => opened,
            Err(_) => {
                let seconds = OPEN_TIMEOUT.as_secs();
                Err(McpError::Unreachable(format!(
                    "it did not answer within {seconds} s"
                )))
            }
        }
    }

    async fn opened(server: &ServerConfig, client: &net::Client) -> Result<McpChannel, McpError> {
        let channel = match &server.transport {
            ServerTransport::Program { .. } => {
                McpChannel::Stdio(Arc::new(StdioTransport::start(&server.transport)?))
            }
            ServerTransport::Address { url, headers } => McpChannel::Http(Arc::new(HttpTransport::new(
                client.clone(),
                url.clone(),
                headers,
                Duration::from_millis(server.timeout_ms).max(OPEN_TIMEOUT),
            )?)),
        };
        if let McpChannel::Http(endpoint) = &channel {
            // A server that is silent to a question it does not know is asked the older one.
            let asked = tokio::time::timeout(DISCOVER_TIMEOUT, endpoint.begin_stateless()).await;
            if asked.unwrap_or_else(|_| {
                endpoint.end_stateless();
                Ok(false)
            })? {
                return Ok(channel);
            }
        }
        let params = json!({
            "protocolVersion": VERSION,
            "capabilities": {},
            "clientInfo": client_info(),
        });
        let answer = channel.ask("initialize", params, &[]).await?;
        let version = answer
            .get("protocolVersion")
            .and_then(Value::as_str)
            .unwrap_or_default();
        if !SUPPORTED.contains(&version) {
            let shown: String = version.chars().take(40).collect();
            return Err(McpError::Protocol(format!(
                "it speaks version {shown:?} of the protocol, which is not understood"
            )));
        }
        if let McpChannel::Http(endpoint) = &channel {
            endpoint.set_version(version);
        }
        channel.notify("notifications/initialized").await?;
        Ok(channel)
    }

    async fn ask(
        &self,
        method: &str,
        params: Value,
        in_headers: &[HeaderParameter],
    ) -> Result<Value, McpError> {
        match self {
            McpChannel::Stdio(process) => process.ask(method, params).await,
            McpChannel::Http(endpoint) => endpoint.ask(method, params, in_headers).await,
        }
    }

    async fn notify(&self, method: &str) -> Result<(), McpError> {
        let message = notification(method);
        match self {
            McpChannel::Stdio(process) => process.send(&message).await,
            McpChannel::Http(endpoint) => endpoint.notify(&message).await,
        }
    }
}

/// Most tools of one server.
const MAX_TOOLS: usize = 500;

/// A server and the channel to it, when one is open.
pub(super) struct McpConnection {
    server: Arc<ServerConfig>,
    client: net::Client,
    channel: Mutex<Option<McpChannel>>,
}

impl McpConnection {
    pub(super) fn new(server: Arc<ServerConfig>, client: net::Client) -> McpConnection {
        McpConnection {
            server,
            client,
            channel: Mutex::new(None),
        }
    }

    /// The open channel, or a new one.
    async fn channel(&self) -> Result<McpChannel, McpError> {
        let mut channel = self.channel.lock().await;
        let is_ended = match &*channel {
            Some(McpChannel::Stdio(process)) => process.is_ended(),
            Some(McpChannel::Http(endpoint)) => endpoint.is_ended(),
            None => true,
        };
        if is_ended {
            *channel = None;
            *channel = Some(McpChannel::open(&self.server, &self.client).await?);
        }
        match &*channel {
            Some(channel) => Ok(channel.clone()),
            None => Err(McpError::Unavailable("it could not be started".into())),
        }
    }

    /// Sends a request once. One that may have reached a server before it ended is not repeated: it may have been done.
    pub(super) async fn ask(
        &self,
        method: &str,
        params: Value,
        in_headers: &[HeaderParameter],
    ) -> Result<Value, McpError> {
        let answer = async { self.channel().await?.ask(method, params, in_headers).await };
        answer
            .await
            .map_err(|error: McpError| error.map(|text| truncate(&self.masked(text), MAX_ERROR_TEXT)))
    }

    /// A text of the server without the values that the operator gave it.
    pub(super) fn masked(&self, text: &str) -> String {
        self.server.masked(text)
    }

    /// Lists the tools of the server.
    pub(super) async fn tools(&self) -> Result<Vec<Value>, McpError> {
        let mut tools = Vec::new();
        let mut cursor: Option<String> = None;
        for _ in 0..MAX_TOOLS {
            let params = cursor
                .take()
                .map_or_else(|| json!({}), |it| json!({"cursor": it}));
            let mut page = self.ask("tools/list", params, &[]).await?;
            match page.get_mut("tools").map(Value::take) {
                Some(Value::Array(listed)) => tools.extend(listed),
                _ => return Err(McpError::Protocol("its list of tools is none".into())),
            }
            if tools.len() > MAX_TOOLS {
                return Err(McpError::Protocol(format!(
                    "it offers more than {MAX_TOOLS} tools"
                )));
            }
            cursor = page.get("nextCursor").and_then(Value::as_str).map(str::to_owned);
            if cursor.is_none() {
                break;
            }
        }
        Ok(tools)
    }
}
