//! `ToolService`: lists tools, runs one, checks and makes plans while the client waits, without a run or a log.

use std::sync::Arc;

use agents::services::{AgentServices, Ledger};
use plans::triggers;
use serde_json::{Value, json};
use tools::registry::RegisteredTool;
use wire::Code;
use wire::run::PlanRequest;
use wire::tooling::ToolRequest;

use crate::error::ServiceError;
use crate::turns::Turns;

/// Tools run at once; further ones wait.
const MAX_CONCURRENT: usize = 16;

/// The tools of this process. Cheap to clone; clones share the limit.
#[derive(Clone)]
pub struct ToolService {
    services: AgentServices,
    turns: Arc<Turns>,
}

impl ToolService {
    pub(crate) fn new(services: AgentServices) -> Self {
        Self {
            services,
            turns: Arc::new(Turns::new(MAX_CONCURRENT, "tools are running")),
        }
    }

    /// The same service, whose models enter what they cost in a ledger.
    #[must_use]
    pub fn entering(&self, ledger: &Ledger) -> Self {
        Self {
            services: self.services.entering(ledger),
            ..self.clone()
        }
    }

    /// Every tool: its id and its manifest.
    pub fn list(&self, category: Option<&str>) -> Value {
        let is_listed =
            |tool: &&RegisteredTool| category.is_none_or(|category| tool.manifest().category == category);
        let tools: Vec<Value> = self
            .services
            .tools
            .iter()
            .filter(is_listed)
            .map(manifest_json)
            .collect();
        json!({"tools": tools, "count": tools.len()})
    }

    /// Every plugin that a scrape can enable, with its tools.
    pub fn plugins(&self) -> Value {
        json!({"plugins": agents::tooling::plugins::all(&self.services.tools)})
    }

    /// One tool.
    ///
    /// # Errors
    /// When there is none of that name, naming the nearest.
    pub fn show(&self, name: &str) -> Result<Value, ServiceError> {
        let entry = self.services.tools.find(name);
        entry
            .map(manifest_json)
            .map_err(|error| ServiceError::new(Code::UnknownTool, error.to_string()))
    }

    /// Runs one tool once and gives its envelope.
    ///
    /// # Errors
    /// When too many are running, or this one fails.
    pub async fn run(&self, name: &str, request: &ToolRequest) -> Result<Value, ServiceError> {
        let _turn = self.turns.take().await?;
        let outcome = agents::tooling::single::run(&self.services, name, request).await;
        outcome
            .map(|it| it.json())
            .map_err(|error| ServiceError::new(error.code, error.message))
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
    pub async fn make(&self, instruction: &str, url: Option<&str>) -> Result<Value, ServiceError> {
        let url = url
            .map(url::Url::parse)
            .transpose()
            .map_err(|error| ServiceError::new(Code::InvalidRequest, format!("url: {error}")))?;
        agents::plan::make_plan(&self.services, instruction, url.as_ref())
            .await
            .map_err(|error| ServiceError::new(error.code, error.message))
    }

    /// What the words of an instruction were understood to say.
    pub fn facts(&self, instruction: &str) -> Value {
        serde_json::to_value(triggers::InstructionFacts::read(
            instruction,
            triggers::PlanTarget::default(),
        ))
        .unwrap_or_default()
    }
}

/// A manifest as callers see it. The plan or endpoint behind a tool of the operator is the operator's: it may hold
/// addresses and headers that are not for them.
fn manifest_json(entry: &RegisteredTool) -> Value {
    let mut json = serde_json::Map::new();
    json.insert("id".into(), entry.id().into());
    if let Ok(Value::Object(manifest)) = serde_json::to_value(entry.manifest()) {
        let inner = |name: &str| matches!(name, "plan" | "http");
        json.extend(manifest.into_iter().filter(|(name, _)| !inner(name)));
    }
    Value::Object(json)
}
