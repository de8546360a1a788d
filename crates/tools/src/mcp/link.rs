//! The conversation with one server: begun when it is first needed, begun anew when it broke.

use std::sync::Arc;

use serde_json::{Value, json};
use tokio::sync::Mutex;

use super::MOST_TOOLS;
use super::http::Endpoint;
use super::servers::{Server, Way};
use super::stdio::Process;

/// The version of the protocol that is asked for, and those that are understood.
pub(super) const VERSION: &str = "2025-06-18";
const UNDERSTOOD: [&str; 4] = ["2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05"];
/// Longest message of a server, in bytes.
pub(super) const LONGEST: usize = 16 << 20;

/// What went wrong with a server. No text holds a key.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub(super) enum Trouble {
    /// It does not run, or runs no more.
    #[error("{0}")]
    Dead(String),
    /// It refused a request.
    #[error("it refused {method}: {message}")]
    Refused {
        /// The method.
        method: String,
        /// Its words, shortened.
        message: String,
    },
    /// It speaks otherwise than the protocol says.
    #[error("{0}")]
    Odd(String),
}

/// An open conversation.
#[derive(Clone)]
pub(super) enum Talk {
    Process(Arc<Process>),
    Endpoint(Arc<Endpoint>),
}

impl Talk {
    async fn open(server: &Server, client: &net::Client) -> Result<Talk, Trouble> {
        let talk = match &server.way {
            Way::Program { .. } => Talk::Process(Arc::new(Process::start(&server.way)?)),
            Way::Address { url, headers } => {
                Talk::Endpoint(Arc::new(Endpoint::new(client.clone(), url.clone(), headers)?))
            }
        };
        let hello = json!({
            "protocolVersion": VERSION,
            "capabilities": {},
            "clientInfo": {"name": "huntsman", "version": env!("CARGO_PKG_VERSION")},
        });
        let answer = talk.ask("initialize", hello).await?;
        let version = answer
            .get("protocolVersion")
            .and_then(Value::as_str)
            .unwrap_or_default();
        if !UNDERSTOOD.contains(&version) {
            let told: String = version.chars().take(40).collect();
            return Err(Trouble::Odd(format!(
                "it speaks version {told:?} of the protocol, which is not understood"
            )));
        }
        if let Talk::Endpoint(endpoint) = &talk {
            endpoint.agree(version);
        }
        talk.tell("notifications/initialized").await?;
        Ok(talk)
    }

    pub(super) async fn ask(&self, method: &str, params: Value) -> Result<Value, Trouble> {
        match self {
            Talk::Process(process) => process.ask(method, params).await,
            Talk::Endpoint(endpoint) => endpoint.ask(method, params).await,
        }
    }

    async fn tell(&self, method: &str) -> Result<(), Trouble> {
        let message = json!({"jsonrpc": "2.0", "method": method});
        match self {
            Talk::Process(process) => process.send(&message).await,
            Talk::Endpoint(endpoint) => endpoint.tell(&message).await,
        }
    }
}

/// A server and the conversation with it, when there is one.
pub(super) struct Link {
    server: Arc<Server>,
    client: net::Client,
    talk: Mutex<Option<Talk>>,
}

impl Link {
    pub(super) fn new(server: Arc<Server>, client: net::Client) -> Link {
        Link {
            server,
            client,
            talk: Mutex::new(None),
        }
    }

    /// The open conversation, or a new one.
    async fn talk(&self) -> Result<Talk, Trouble> {
        let mut talk = self.talk.lock().await;
        let dead = match &*talk {
            Some(Talk::Process(process)) => process.is_over(),
            Some(Talk::Endpoint(endpoint)) => endpoint.is_over(),
            None => true,
        };
        if dead {
            *talk = None;
            *talk = Some(Talk::open(&self.server, &self.client).await?);
        }
        match &*talk {
            Some(talk) => Ok(talk.clone()),
            None => Err(Trouble::Dead("it could not be started".into())),
        }
    }

    /// Asks once. A request that may have reached a server which then died is not sent again: it may have been done.
    pub(super) async fn ask(&self, method: &str, params: Value) -> Result<Value, Trouble> {
        self.talk().await?.ask(method, params).await
    }

    /// All tools that it offers.
    pub(super) async fn tools(&self) -> Result<Vec<Value>, Trouble> {
        let mut tools = Vec::new();
        let mut cursor: Option<String> = None;
        for _ in 0..MOST_TOOLS {
            let params = cursor
                .take()
                .map_or_else(|| json!({}), |it| json!({"cursor": it}));
            let mut page = self.ask("tools/list", params).await?;
            match page.get_mut("tools").map(Value::take) {
                Some(Value::Array(listed)) => tools.extend(listed),
                _ => return Err(Trouble::Odd("its list of tools is none".into())),
            }
            if tools.len() > MOST_TOOLS {
                return Err(Trouble::Odd(format!("it offers more than {MOST_TOOLS} tools")));
            }
            cursor = page.get("nextCursor").and_then(Value::as_str).map(str::to_owned);
            if cursor.is_none() {
                break;
            }
        }
        Ok(tools)
    }
}

/// The result in an answer of JSON-RPC.
pub(super) fn result(method: &str, mut answer: Value) -> Result<Value, Trouble> {
    if let Some(error) = answer.get("error").filter(|it| !it.is_null()) {
        let message = error
            .get("message")
            .and_then(Value::as_str)
            .unwrap_or("it gave no reason");
        return Err(Trouble::Refused {
            method: method.to_owned(),
            message: message.chars().filter(|it| !it.is_control()).take(500).collect(),
        });
    }
    match answer.get_mut("result").map(Value::take) {
        Some(result @ Value::Object(_)) => Ok(result),
        _ => Err(Trouble::Odd(format!("its answer to {method} holds no result"))),
    }
}

/// What is answered to a request of a server: it may ask whether we live, and nothing else.
pub(super) fn reply(message: &Value) -> Option<Value> {
    let method = message.get("method").and_then(Value::as_str)?;
    let id = message.get("id").filter(|it| !it.is_null())?;
    Some(match method {
        "ping" => json!({"jsonrpc": "2.0", "id": id, "result": {}}),
        _ => {
            json!({"jsonrpc": "2.0", "id": id, "error": {"code": -32601, "message": "this client offers nothing"}})
        }
    })
}
