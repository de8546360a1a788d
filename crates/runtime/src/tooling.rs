//! `ToolService`: lists tools, runs one, checks and makes plans while the client waits, without a run or a log.

use std::collections::HashSet;
use std::sync::Arc;

use agents::services::{AgentServices, Ledger};
use plans::triggers;
use serde_json::{Value, json};
use tools::registry::RegisteredTool;
use wire::Code;
use wire::run::PlanRequest;
use wire::tooling::{SiteMatchRequest, ToolRequest};

use crate::error::ServiceError;
use crate::turns::Turns;

/// Tools run at once; further ones wait.
const MAX_CONCURRENT: usize = 16;

/// The tools of this process. Cheap to clone; clones share the limit.
#[derive(Clone)]
pub struct ToolService {
    services: AgentServices,
    turns: Arc<Turns>,
    /// Ids of the tools that are compiled in.
    builtin: Arc<HashSet<String>>,
}

impl ToolService {
    pub(crate) fn new(services: AgentServices) -> Self {
        Self {
            services,
            turns: Arc::new(Turns::new(MAX_CONCURRENT, "tools are running")),
            builtin: Arc::new(
                tools::Registry::builtin()
                    .iter()
                    .map(|tool| tool.id().to_owned())
                    .collect(),
            ),
        }
    }

    /// The same service with other services, such as those of one tenant.
    pub(crate) fn with_services(&self, services: AgentServices) -> Self {
        Self {
            services,
            ..self.clone()
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

    /// The sites that have tools of their own: `{"sites": [{"id", "names", "host", "tools"}], "count"}`.
    pub fn sites(&self) -> Value {
        let sites: Vec<Value> = triggers::known_sites()
            .map(|site| site.json(&self.services.tools))
            .collect();
        let count = sites.len();
        json!({"sites": sites, "count": count})
    }

    /// One of these sites.
    ///
    /// # Errors
    /// When there is none of that id, naming all.
    pub fn site(&self, id: &str) -> Result<Value, ServiceError> {
        let site = triggers::known_sites().find(|site| site.id == id);
        let site = site.map(|site| site.json(&self.services.tools));
        site.ok_or_else(|| {
            let known: Vec<&str> = triggers::known_sites().map(|site| site.id).collect();
            let message = format!("there is no such site; there are {}", known.join(", "));
            ServiceError::new(Code::NotFound, message)
        })
    }

    /// The site that a task is about: `{"matched": true, "site": {...}}`, or `{"matched": false, "site": null}`.
    pub fn match_site(&self, request: &SiteMatchRequest) -> Value {
        let instruction = request.instructions.as_deref().unwrap_or_default();
        let site = triggers::matching_site(instruction, &request.assets);
        let site = site.map(|site| site.json(&self.services.tools));
        json!({"matched": site.is_some(), "site": site})
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

    /// Checks whether there is such a tool and the policy of the tenant allows its page, before the request is counted.
    ///
    /// # Errors
    /// When there is no such tool, or the policy does not allow it or the page.
    pub fn allow(&self, name: &str, request: &ToolRequest) -> Result<(), ServiceError> {
        let found = self.services.tools.find(name);
        found.map_err(|error| ServiceError::new(agents::tooling::code(error.code()), error.to_string()))?;
        let mut addresses = request.url.iter();
        let allowed = addresses.try_for_each(|url| self.services.allow_address("url", url));
        allowed.map_err(ServiceError::from)
    }

    /// Runs one tool once and gives its envelope.
    ///
    /// # Errors
    /// When too many are running, or this one fails.
    pub async fn run(&self, name: &str, request: &ToolRequest) -> Result<Value, ServiceError> {
        let _turn = self.turns.take().await?;
        self.allow(name, request)?;
        let outcome = agents::tooling::single::run(&self.services, name, request).await;
        outcome.map(|it| it.json()).map_err(ServiceError::from)
    }

    /// The tools that fit these words best, best first, at most `limit`, each with id, description, parameters and
    /// effects. Only those of this program and the operator's own: none of another MCP server.
    pub fn find(&self, words: &str, limit: usize) -> Vec<Value> {
        let words: Vec<String> = words.split_whitespace().map(str::to_lowercase).collect();
        let scored = self.services.tools.iter().filter(|tool| self.is_own(tool.id()));
        let mut scored: Vec<(usize, &RegisteredTool)> = scored
            .map(|tool| (fitness(tool, &words), tool))
            .filter(|(score, _)| *score > 0)
            .collect();
        scored.sort_by_key(|(score, tool)| (std::cmp::Reverse(*score), tool.id()));
        let shown = |tool: &RegisteredTool| {
            let manifest = tool.manifest();
            json!({
                "id": tool.id(), "description": manifest.description, "parameters": manifest.parameters,
                "effects": manifest.effects,
            })
        };
        scored
            .into_iter()
            .take(limit)
            .map(|(_, tool)| shown(tool))
            .collect()
    }

    /// Whether a tool is of this program or written by the operator, and not one of another MCP server.
    pub fn is_own(&self, name: &str) -> bool {
        let Ok(tool) = self.services.tools.find(name) else {
            return false;
        };
        let manifest = tool.manifest();
        let is_declared = manifest.plan.is_some() || manifest.http.is_some() || manifest.page.is_some();
        is_declared || self.builtin.contains(tool.id())
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
            .map_err(ServiceError::from)
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

/// A manifest as callers see it. The plan, endpoint or selectors behind a tool of the operator is the operator's: it may hold
/// addresses and headers that are not for them.
fn manifest_json(entry: &RegisteredTool) -> Value {
    let mut json = serde_json::Map::new();
    json.insert("id".into(), entry.id().into());
    if let Ok(Value::Object(manifest)) = serde_json::to_value(entry.manifest()) {
        let inner = |name: &str| matches!(name, "plan" | "http" | "page");
        json.extend(manifest.into_iter().filter(|(name, _)| !inner(name)));
    }
    Value::Object(json)
}

/// How well a tool fits words of a person: its id counts most, then its triggers, then its description.
fn fitness(tool: &RegisteredTool, words: &[String]) -> usize {
    let manifest = tool.manifest();
    let (id, description) = (tool.id().to_lowercase(), manifest.description.to_lowercase());
    let is_triggered = manifest
        .trigger_patterns()
        .iter()
        .any(|pattern| pattern.is_match(&words.join(" ")));
    let of_word = |word: &String| {
        let is_segment = id.split(['.', '_']).any(|segment| segment == word);
        5 * usize::from(is_segment)
            + 3 * usize::from(id.contains(word))
            + 2 * usize::from(description.contains(word))
    };
    4 * usize::from(is_triggered) + words.iter().map(of_word).sum::<usize>()
}
