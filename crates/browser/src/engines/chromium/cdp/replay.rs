//! `replay`: recorded messages of a browser, read as the engine reads them. For the fuzz target.

use std::sync::{Arc, Mutex, PoisonError};

use net::CancellationToken;
use serde_json::value::RawValue;
use tokio::io::AsyncRead;

use super::browser::GetVersion;
use super::page::{GetLayoutMetrics, GetNavigationHistory};
use super::storage::GetBrowserCookies;
use super::{BROWSER_SESSION, CdpError, CdpEvent, Connection, EventHandler, PendingResponse};

/// What was read from the messages of a browser.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Replay {
    /// Session and method of every event, and whether its parameters could be decoded.
    pub events: Vec<(String, String, bool)>,
    /// How the commands with the ids 1 to 4 ended, in this order.
    pub outcomes: Vec<&'static str>,
}

#[derive(Default)]
struct Recording {
    events: Mutex<Vec<(String, String, bool)>>,
    ended: CancellationToken,
}

impl EventHandler for Recording {
    fn event(&self, session: &str, method: &str, params: &RawValue) {
        let is_decoded = CdpEvent::decode(method, params).is_some();
        let mut events = self.events.lock().unwrap_or_else(PoisonError::into_inner);
        events.push((session.to_owned(), method.to_owned(), is_decoded));
    }

    fn disconnected(&self) {
        self.ended.cancel();
    }
}

async fn outcome<T: serde::de::DeserializeOwned>(response: PendingResponse<T>) -> &'static str {
    match response.receive().await {
        Ok(_) => "decoded",
        Err(CdpError::Refused(_)) => "refused",
        Err(CdpError::Unreadable) => "unreadable",
        Err(CdpError::Disconnected) => "disconnected",
    }
}

/// Sends four commands, reads messages until the stream ends, and returns every event and how the commands ended.
pub async fn replay(messages: impl AsyncRead + Send + Unpin + 'static) -> Replay {
    let connection = Connection::over_pipes(messages, tokio::io::sink());
    let recording = Arc::new(Recording::default());
    let handler: Arc<dyn EventHandler> = recording.clone();
    connection.set_handler(Arc::downgrade(&handler));
    let version = connection.call(BROWSER_SESSION, &GetVersion {});
    let browser_context_id = "context";
    let cookies = connection.call(BROWSER_SESSION, &GetBrowserCookies { browser_context_id });
    let history = connection.call("session", &GetNavigationHistory {});
    let metrics = connection.call("session", &GetLayoutMetrics {});
    recording.ended.cancelled().await;
    let outcomes = vec![
        outcome(version).await,
        outcome(cookies).await,
        outcome(history).await,
        outcome(metrics).await,
    ];
    let events = std::mem::take(&mut *recording.events.lock().unwrap_or_else(PoisonError::into_inner));
    Replay { events, outcomes }
}
