//! Tools and plans for clients that wait: told, run once, checked; no run and no log.

use std::sync::Arc;
use std::time::Duration;

use agents::services::AgentServices;
use plans::triggers;
use serde_json::{Value, json};
use tokio::sync::Semaphore;
use tools::registry::Entry;
use wire::Code;
use wire::run::PlanRequest;
use wire::tooling::ToolRequest;

use crate::refused::Refused;

/// Tools run at once.
const AT_ONCE: usize = 16;
/// How long a request waits for its turn before it is refused.
const TURN: Duration = Duration::from_secs(5);

/// The house's tools. Cheap to clone; clones share the turns.
#[derive(Clone)]
pub struct Tools {
    services: AgentServices,
    turns: Arc<Semaphore>,
}

impl Tools {
    pub(crate) fn new(services: AgentServices) -> Self {
        Self {
            services,
            turns: Arc::new(Semaphore::new(AT_ONCE)),
        }
    }

    /// Every tool: its id and its manifest.
    pub fn list(&self, category: Option<&str>) -> Value {
        let of = |it: &&Entry| category.is_none_or(|category| it.manifest().category == category);
        let tools: Vec<Value> = self.services.tools.iter().filter(of).map(told).collect();
        json!({"tools": tools, "count": tools.len()})
    }

    /// One tool.
    ///
    /// # Errors
    /// When there is none of that name, naming the nearest.
    pub fn show(&self, name: &str) -> Result<Value, Refused> {
        let entry = self.services.tools.find(name);
        entry
            .map(told)
            .map_err(|error| Refused::new(Code::UnknownTool, error.to_string()))
    }

    /// Runs one tool once and gives its envelope.
    ///
    /// # Errors
    /// When too many are running, or this one fails.
    pub async fn run(&self, name: &str, request: &ToolRequest) -> Result<Value, Refused> {
        let Ok(Ok(_turn)) = tokio::time::timeout(TURN, self.turns.acquire()).await else {
            let text = format!("{AT_ONCE} tools are running already");
            return Err(Refused::new(Code::RateLimited, text).again_after(Duration::from_secs(2)));
        };
        let outcome = agents::tooling::single::run(&self.services, name, request).await;
        outcome
            .map(|it| it.json())
            .map_err(|error| Refused::new(error.code, error.message))
    }

    /// Says whether a plan can run: `{"ok": true, "plan", "notes"}`, or `{"ok": false, "code", "issues"}`.
    pub fn check(&self, request: &PlanRequest) -> Value {
        match agents::plan::checked(request, &self.services) {
            Ok(plan) => json!({"ok": true, "plan": plan.json(), "notes": plan.notes}),
            Err(issues) => json!({"ok": false, "code": issues.code(), "issues": issues.0}),
        }
    }

    /// Makes a plan from an instruction: by the model when one is configured, else by the tools' triggers.
    ///
    /// # Errors
    /// When neither gives a plan that can run.
    pub async fn make(&self, instruction: &str, url: Option<&str>) -> Result<Value, Refused> {
        let url = url
            .map(url::Url::parse)
            .transpose()
            .map_err(|error| Refused::new(Code::InvalidRequest, format!("url: {error}")))?;
        agents::plan::make(&self.services, instruction, url.as_ref())
            .await
            .map_err(|error| Refused::new(error.code, error.message))
    }

    /// What the words of an instruction were understood to say.
    pub fn facts(&self, instruction: &str) -> Value {
        serde_json::to_value(triggers::Facts::read(instruction, triggers::Place::default()))
            .unwrap_or_default()
    }
}

fn told(entry: &Entry) -> Value {
    let mut told = serde_json::Map::new();
    told.insert("id".into(), entry.id().into());
    if let Ok(Value::Object(manifest)) = serde_json::to_value(entry.manifest()) {
        told.extend(manifest);
    }
    Value::Object(told)
}
