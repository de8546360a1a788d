//! A model provider on loopback that speaks all five wires and answers from a script.

mod automation;
mod check;
mod exchange;
mod turn;
mod wires;

use std::sync::{Arc, Mutex};

use llm::config::ModelSettings;
use llm::endpoint::ApiKey;
use llm::retry::Retry;
use llm::wires::Wire;
use serde_json::Value;

pub use automation::play_automation;
pub use exchange::ProviderRequest;
pub use turn::ScriptedTurn;

use crate::site::{SiteReply, TestSite};

/// What the provider answers to one request.
#[derive(Debug, Clone)]
pub enum ProviderAnswer {
    /// A turn in the wire of the request, in pieces of that many bytes (0: unbroken).
    Turn(ScriptedTurn, usize),
    /// A turn whose body is changed before it is sent: cut, broken, silent, slow.
    Bent(ScriptedTurn, fn(SiteReply) -> SiteReply),
    /// Any bytes and status.
    Raw(SiteReply),
}

impl From<ScriptedTurn> for ProviderAnswer {
    fn from(turn: ScriptedTurn) -> Self {
        Self::Turn(turn, 0)
    }
}

/// The provider; it goes away when this is dropped.
#[derive(Debug)]
pub struct ScriptedProvider {
    site: TestSite,
    seen: Arc<Mutex<Vec<ProviderRequest>>>,
    faults: Arc<Mutex<Vec<String>>>,
}

impl ScriptedProvider {
    /// Answers as `answer` decides from the request and its number, from 0. A request that breaks the rules every
    /// provider has (a call without a result, a name with a dot) is answered with 400 and kept as a fault.
    pub async fn start(
        answer: impl Fn(&ProviderRequest, usize) -> ProviderAnswer + Send + Sync + 'static,
    ) -> Self {
        let seen: Arc<Mutex<Vec<ProviderRequest>>> = Arc::default();
        let faults: Arc<Mutex<Vec<String>>> = Arc::default();
        let (log, violations) = (Arc::clone(&seen), Arc::clone(&faults));
        let site = TestSite::start(move |asked| {
            let Some(wire) = wires::at_path(&asked.path) else {
                return SiteReply::bytes(
                    "application/json",
                    r#"{"error":{"message":"no such path","type":"not_found_error"}}"#,
                )
                .status(404);
            };
            let body: Value = serde_json::from_slice(&asked.body).unwrap_or(Value::Null);
            let exchange = ProviderRequest {
                wire: wire.wire,
                path: asked.path.clone(),
                headers: asked.headers.clone(),
                body,
            };
            let broken = check::violations(wire, &exchange.body);
            let number = {
                let mut log = log.lock().expect("the log");
                log.push(exchange.clone());
                log.len() - 1
            };
            if !broken.is_empty() {
                let text = broken.join("; ");
                violations.lock().expect("the faults").extend(broken);
                let body = serde_json::json!({"error": {"message": text, "type": "invalid_request_error"}});
                return SiteReply::bytes("application/json", body.to_string()).status(400);
            }
            let reply = |turn: &ScriptedTurn| SiteReply::bytes(wire.content_type, (wire.body)(turn));
            match answer(&exchange, number) {
                ProviderAnswer::Turn(turn, 0) => reply(&turn),
                ProviderAnswer::Turn(turn, piece) => reply(&turn).dripping(piece, std::time::Duration::ZERO),
                ProviderAnswer::Bent(turn, bend) => bend(reply(&turn)),
                ProviderAnswer::Raw(reply) => reply,
            }
        })
        .await;
        Self { site, seen, faults }
    }

    /// Gives these answers one after the other; a further request gets status 500.
    pub async fn saying(answers: impl IntoIterator<Item = impl Into<ProviderAnswer>>) -> Self {
        let answers: Vec<ProviderAnswer> = answers.into_iter().map(Into::into).collect();
        Self::start(move |_, number| match answers.get(number) {
            Some(answer) => answer.clone(),
            None => ProviderAnswer::Raw(SiteReply::bytes("text/plain", "the script is over").status(500)),
        })
        .await
    }

    /// What to set as the base URL, for every wire.
    pub fn base_url(&self) -> String {
        self.site.url("/v1")
    }

    /// Settings for asking it in a wire, with one try a request.
    pub fn settings(&self, wire: Wire) -> ModelSettings {
        ModelSettings {
            provider: Some(wire.name().to_owned()),
            model: Some("scripted".to_owned()),
            base_url: Some(self.base_url()),
            api_key: Some(ApiKey::new("scripted-key-1234")),
            retry: Retry::NEVER,
            ..ModelSettings::default()
        }
    }

    /// Every request so far.
    pub fn seen(&self) -> Vec<ProviderRequest> {
        self.seen.lock().expect("the log").clone()
    }

    /// Every broken rule so far; tests want it empty.
    pub fn faults(&self) -> Vec<String> {
        self.faults.lock().expect("the faults").clone()
    }
}
