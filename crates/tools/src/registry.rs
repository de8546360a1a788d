//! Registry: all tools by name, their offer to an agent, and the one place where a tool is run.

mod suggest;
mod withholding;

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, OnceLock};
use std::time::Instant;

use async_trait::async_trait;
use browser::Capability;
use llm::ToolSet;
use serde_json::{Map, Value};
use tracing::Instrument as _;
use url::Url;

use crate::agent_tool::{
    ActionContext, ActionError, ActionOutcome, AgentCall, AgentCode, AgentTool, AgentWork, read_arguments,
};
use crate::context::ToolContext;
use crate::error::Error;
use crate::grant::Grant;
use crate::manifest::{
    AgentNeed, AgentView, BadManifest, Dependency, MAX_VALUE_DEPTH, Manifest, filled, value_depth,
};
use crate::tool::Tool;

/// A tool with its name and manifest.
#[derive(Clone)]
pub struct RegisteredTool {
    id: String,
    manifest: Arc<Manifest>,
    work: Arc<dyn ToolExecutor>,
    agent: Option<Arc<dyn AgentWork>>,
}

/// The code of a tool, whatever the types of its parameters and its output.
#[async_trait]
pub trait ToolExecutor: Send + Sync {
    /// Runs with checked parameters.
    async fn run(
        &self,
        parameters: Map<String, Value>,
        context: &mut ToolContext,
        registry: &Registry,
    ) -> Result<Value, Error>;

    /// JSON Schema of the Rust type that the parameters become, where there is one.
    fn parameters(&self) -> Option<Value> {
        None
    }
}

struct ToolCode<T>(T);

/// A tool that only an agent can use.
struct ForAgents;

#[async_trait]
impl ToolExecutor for ForAgents {
    async fn run(
        &self,
        _parameters: Map<String, Value>,
        _context: &mut ToolContext,
        _registry: &Registry,
    ) -> Result<Value, Error> {
        Err(Error::Missing {
            what: "an agent",
            advice: "only an agent that drives a browser can use this tool",
        })
    }
}

#[async_trait]
impl<T: Tool> ToolExecutor for ToolCode<T> {
    async fn run(
        &self,
        parameters: Map<String, Value>,
        context: &mut ToolContext,
        _registry: &Registry,
    ) -> Result<Value, Error> {
        let parameters =
            serde_json::from_value(Value::Object(parameters)).map_err(|error| Error::Params {
                tool: "this tool".into(),
                issues: vec![error.to_string()],
            })?;
        let output = self.0.run(parameters, context).await?;
        serde_json::to_value(output)
            .map_err(|error| Error::Failed(format!("the output cannot be written: {error}")))
    }

    fn parameters(&self) -> Option<Value> {
        let mut settings = schemars::generate::SchemaSettings::draft2020_12();
        settings.inline_subschemas = true;
        Some(
            settings
                .into_generator()
                .into_root_schema_for::<T::Params>()
                .to_value(),
        )
    }
}

impl RegisteredTool {
    /// The entry of a tool that is compiled in.
    ///
    /// # Errors
    /// When its manifest cannot be used.
    pub(crate) fn of<T: Tool>(
        category: &str,
        name: &str,
        tool: T,
        manifest: &str,
    ) -> Result<RegisteredTool, BadManifest> {
        let manifest = Manifest::parse(manifest, category, name)?;
        Ok(RegisteredTool::new(manifest, Arc::new(ToolCode(tool))))
    }

    /// The entry of a tool that is compiled in, and that only an agent can use.
    ///
    /// # Errors
    /// When its manifest cannot be used.
    pub(crate) fn for_agents<T: AgentTool>(
        category: &str,
        name: &str,
        tool: T,
        manifest: &str,
    ) -> Result<RegisteredTool, BadManifest> {
        let manifest = Manifest::parse(manifest, category, name)?;
        Ok(RegisteredTool::new(manifest, Arc::new(ForAgents)).with_agent(tool))
    }

    /// The same, also for agents.
    #[must_use]
    pub(crate) fn with_agent<T: AgentTool>(mut self, tool: T) -> RegisteredTool {
        self.agent = Some(Arc::new(AgentCode(tool)));
        self
    }

    /// An entry of a manifest and the code that runs it.
    pub fn new(manifest: Manifest, work: Arc<dyn ToolExecutor>) -> RegisteredTool {
        RegisteredTool {
            id: manifest.id(),
            manifest: Arc::new(manifest),
            work,
            agent: None,
        }
    }

    /// How agents see it and what does their calls; none for a tool that they cannot use.
    fn for_agent(&self) -> Option<(&AgentView, &dyn AgentWork)> {
        Some((self.manifest.agent.as_ref()?, self.agent.as_deref()?))
    }

    /// `category.name`.
    pub fn id(&self) -> &str {
        &self.id
    }

    /// Its manifest.
    pub fn manifest(&self) -> &Manifest {
        &self.manifest
    }

    /// JSON Schema of the Rust type behind the parameters; none for a tool that has no code.
    pub fn code_parameters(&self) -> Option<Value> {
        self.work.parameters()
    }
}

/// What a tool gave.
#[derive(Debug, Clone, PartialEq)]
pub struct ToolOutcome {
    /// Its output; an object that fits the manifest's `output_schema`.
    pub data: Value,
    /// Whether it found nothing: every list in the output is empty, and there is at least one.
    pub empty: bool,
    /// What a reader of the output should know.
    pub warnings: Vec<String>,
    /// The page afterwards.
    pub url: Option<Url>,
    /// Whether the tool led to another address.
    pub changed: bool,
    /// How long it took, in milliseconds.
    pub duration_ms: u64,
}

impl ToolOutcome {
    /// The envelope in which the API and the command line show it: `{"ok","data","empty","warnings","page"}`.
    pub fn json(&self) -> Value {
        serde_json::json!({
            "ok": true,
            "data": self.data,
            "empty": self.empty,
            "warnings": self.warnings,
            "page": {"url": self.url, "changed": self.changed},
            "duration_ms": self.duration_ms,
        })
    }
}

/// All tools of a house. Cheap to clone.
#[derive(Clone, Default)]
pub struct Registry {
    tools: Arc<BTreeMap<String, RegisteredTool>>,
    /// The tools that agents can use, in the order offered.
    agent_tools: Arc<Vec<RegisteredTool>>,
    /// Ids of the tools that the operator granted among those that need it.
    granted: Arc<BTreeSet<String>>,
    /// Ids of the tools that a policy took away.
    withheld: Arc<BTreeSet<String>>,
}

/// A tool that could not be added.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum RejectedTool {
    /// Its manifest cannot be used.
    #[error(transparent)]
    Manifest(#[from] BadManifest),
    /// A server of tools, or one of its tools, cannot be used.
    #[error("MCP server {server:?}{tool}: {why}")]
    Server {
        /// The server's name.
        server: String,
        /// The tool's name after `, tool `; empty when it is the server itself.
        tool: String,
        /// Why.
        why: String,
    },
    /// Another tool has its name.
    #[error("{place}: there is a tool named {id} already")]
    Taken {
        /// Where its manifest lies.
        place: String,
        /// The name.
        id: String,
    },
}

impl Registry {
    /// The tools that are compiled in.
    pub fn builtin() -> Registry {
        static BUILTIN: OnceLock<Registry> = OnceLock::new();
        BUILTIN
            .get_or_init(|| {
                // What is wrong with one of them is found by a test, see `faults`.
                let entries = crate::tree::entries().into_iter().filter_map(Result::ok);
                let entries: Vec<RegisteredTool> = entries.collect();
                let mut agent_tools: Vec<RegisteredTool> = entries
                    .iter()
                    .filter(|entry| entry.agent.is_some())
                    .cloned()
                    .collect();
                agent_tools.sort_by_key(|entry| entry.manifest.agent.as_ref().map(|view| view.order));
                let tools = entries
                    .into_iter()
                    .filter(|entry| !entry.manifest.is_for_agents_only())
                    .map(|entry| (entry.id.clone(), entry));
                Registry {
                    tools: Arc::new(tools.collect()),
                    agent_tools: Arc::new(agent_tools),
                    ..Registry::default()
                }
            })
            .clone()
    }

    /// What is wrong with the tools that are compiled in; a test holds that it is nothing.
    pub fn faults() -> Vec<BadManifest> {
        crate::tree::MANIFESTS
            .iter()
            .filter_map(|(category, name, text)| Manifest::read(text, category, name).err())
            .collect()
    }

    /// The same with one more tool.
    ///
    /// # Errors
    /// When its name is taken.
    pub fn with(&self, entry: RegisteredTool, place: &str) -> Result<Registry, RejectedTool> {
        let mut tools = BTreeMap::clone(&self.tools);
        if tools.contains_key(&entry.id) {
            return Err(RejectedTool::Taken {
                place: place.to_owned(),
                id: entry.id,
            });
        }
        tools.insert(entry.id.clone(), entry);
        Ok(Registry {
            tools: Arc::new(tools),
            ..self.clone()
        })
    }

    /// The same without a tool.
    pub fn without(&self, id: &str) -> Registry {
        let mut tools = BTreeMap::clone(&self.tools);
        tools.remove(id);
        Registry {
            tools: Arc::new(tools),
            ..self.clone()
        }
    }

    /// The same with the operator's consent to these tools, by id. A grant of a run cannot take its place.
    #[must_use]
    pub fn granting(&self, ids: impl IntoIterator<Item = String>) -> Registry {
        let mut granted = BTreeSet::clone(&self.granted);
        granted.extend(ids);
        Registry {
            granted: Arc::new(granted),
            ..self.clone()
        }
    }

    /// Whether a run under this grant may use a tool.
    ///
    /// # Errors
    /// When it may not, with the reason.
    pub fn permits(&self, grant: &Grant, manifest: &Manifest) -> Result<(), Error> {
        let id = manifest.id();
        if manifest.needs_grant && !self.granted.contains(&id) {
            let why = format!("it is off until the operator sets HUNTSMAN_TOOLS_GRANTED={id}");
            return Err(Error::Denied { what: id, why });
        }
        if manifest.open_world && grant.hosts.is_some() && !self.granted.contains(&id) {
            let why = format!(
                "it may talk to any host, and the run keeps to those it was given; HUNTSMAN_TOOLS_GRANTED={id} allows it"
            );
            return Err(Error::Denied { what: id, why });
        }
        Ok(grant.run_tool(&id, &manifest.category, manifest.effects)?)
    }

    /// The tools that a model is offered that drives a browser: those that agents can use, as far as the grant, the run
    /// (`has`) and the browser engine (`can`) allow them. In one order, so that the prompts of a run begin alike.
    pub fn offer(
        &self,
        grant: &Grant,
        has: impl Fn(AgentNeed) -> bool,
        can: impl Fn(Capability) -> bool,
    ) -> ToolSet {
        let spec = |entry: &RegisteredTool| {
            let (view, _) = entry.for_agent()?;
            let manifest = &entry.manifest;
            grant
                .run_tool(&entry.id, &manifest.category, manifest.effects)
                .ok()?;
            view.spec(&has, &can)
        };
        ToolSet::new(self.agent_tools.iter().filter_map(spec).collect::<Vec<_>>())
    }

    /// Reads a model's call of a tool, by the name that it was offered under.
    ///
    /// # Errors
    /// A sentence for the model when there is no such tool, or the arguments do not make a call.
    pub fn read_call(&self, tool: &str, arguments: &Map<String, Value>) -> Result<AgentCall, String> {
        let Some((view, work)) = self.agent_tool(tool) else {
            return Err(format!("there is no tool `{tool}`"));
        };
        let arguments = read_arguments(view, arguments)?;
        let (summary, request) = work.read(&arguments)?;
        Ok(AgentCall {
            tool: tool.to_owned(),
            summary,
            request,
            acts_in_tab: view.acts_in_tab,
            may_repeat: view.may_repeat,
            keeps_page: view.keeps_page,
            arguments,
        })
    }

    /// Does a call in the tab.
    ///
    /// # Errors
    /// When the policy refuses it, it makes no sense here, or the tab fails.
    pub async fn execute_call(
        &self,
        call: &AgentCall,
        context: &mut ActionContext<'_>,
    ) -> Result<ActionOutcome, ActionError> {
        match self.agent_tool(&call.tool) {
            Some((_, work)) => sandbox::unblocked(work.execute(&call.arguments, context)).await,
            None => Err(ActionError::Impossible(format!(
                "there is no tool `{}`",
                call.tool
            ))),
        }
    }

    fn agent_tool(&self, name: &str) -> Option<(&AgentView, &dyn AgentWork)> {
        let mut tools = self.agent_tools.iter().filter_map(RegisteredTool::for_agent);
        tools.find(|(view, _)| view.name == name)
    }

    /// Every tool, by id.
    pub fn iter(&self) -> impl Iterator<Item = &RegisteredTool> {
        self.tools.values()
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.tools.len()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.tools.is_empty()
    }

    /// The tool of a name: its id, its id as providers write it (`html__select`), or its bare name when only one tool
    /// has it.
    ///
    /// # Errors
    /// When there is none, naming the nearest ones.
    pub fn find(&self, name: &str) -> Result<&RegisteredTool, Error> {
        if let Some(entry) = self.tools.get(name) {
            return Ok(entry);
        }
        if let Some(entry) = name
            .split_once("__")
            .and_then(|(category, rest)| self.tools.get(&format!("{category}.{rest}")))
        {
            return Ok(entry);
        }
        let mut bare = self.tools.values().filter(|it| it.manifest.name == name);
        match (bare.next(), bare.next()) {
            (Some(entry), None) => Ok(entry),
            (Some(one), Some(other)) => Err(Error::UnknownTool {
                name: short(name),
                hint: format!("; several are called so: write {} or {}", one.id, other.id),
            }),
            (None, _) => Err(self.refusal(name).unwrap_or_else(|| Error::UnknownTool {
                name: short(name),
                hint: suggest::hint(name, self.tools.keys()),
            })),
        }
    }

    /// Runs a tool: fills in defaults, checks parameters, grant and what it depends on, runs it within its time, and
    /// checks its output.
    ///
    /// # Errors
    /// Whatever of this went wrong.
    pub async fn run(
        &self,
        name: &str,
        parameters: &Map<String, Value>,
        context: &mut ToolContext,
    ) -> Result<ToolOutcome, Error> {
        let entry = self.find(name)?;
        self.run_entry(entry, parameters, context).await
    }

    /// Runs an entry with parameters that were checked or defaulted by the caller.
    ///
    /// # Errors
    /// As [`Registry::run`].
    pub async fn run_entry(
        &self,
        entry: &RegisteredTool,
        parameters: &Map<String, Value>,
        context: &mut ToolContext,
    ) -> Result<ToolOutcome, Error> {
        let manifest = entry.manifest();
        self.permits(&context.grant, manifest)?;
        if let Some(issue) = too_deep(parameters) {
            return Err(Error::Params {
                tool: entry.id.clone(),
                issues: vec![issue],
            });
        }
        let parameters = Value::Object(filled(&manifest.parameters, parameters));
        let mut issues = crate::manifest::violation_texts(manifest.parameter_violations(&parameters));
        let Value::Object(parameters) = parameters else {
            return Err(Error::Failed("parameters are an object".into()));
        };
        if let Some(properties) = manifest.properties() {
            let faults = crate::manifest::format::faults(properties, &parameters);
            issues.extend(faults.into_iter().map(|(name, why)| format!("/{name}: {why}")));
        }
        if !issues.is_empty() {
            return Err(Error::Params {
                tool: entry.id.clone(),
                issues,
            });
        }
        available(manifest, context)?;
        let before = context.url();
        context.take_warnings();
        let began = Instant::now();
        let span = tracing::debug_span!("tool", tool = entry.id, error = tracing::field::Empty);
        let work = entry.work.run(parameters, context, self).instrument(span.clone());
        let work = sandbox::unblocked(work);
        let result = tokio::time::timeout(manifest.timeout(), work).await;
        let result = result.unwrap_or_else(|_| {
            Err(Error::Timeout {
                tool: entry.id.clone(),
                limit: manifest.timeout(),
            })
        });
        let outcome = result.as_ref().map_or_else(Error::code, |_| "ok");
        if result.is_err() {
            span.record("error", outcome);
        }
        let millis = u64::try_from(began.elapsed().as_millis()).unwrap_or(u64::MAX);
        span.in_scope(|| tracing::debug!(millis, outcome, "tool done"));
        if let Err(Error::Refused(refused)) = &result {
            span.in_scope(|| tracing::debug!(rule = refused.rule, "refused by the policy"));
        }
        let mut data = result.map_err(|error| named(error, &entry.id))?;
        let issues = match data.as_object().and_then(too_deep) {
            Some(issue) => vec![issue],
            None => crate::manifest::violation_texts(manifest.output_violations(&data)),
        };
        if !issues.is_empty() {
            return Err(Error::Output {
                tool: entry.id.clone(),
                issues,
            });
        }
        let empty = is_empty(&data);
        if let Some(data) = data.as_object_mut().filter(|_| empty) {
            data.insert("empty".into(), true.into());
        }
        let url = context.url();
        Ok(ToolOutcome {
            data,
            empty,
            warnings: context.take_warnings(),
            changed: url != before,
            url,
            duration_ms: millis,
        })
    }
}

/// The first field that is nested deeper than [`MAX_VALUE_DEPTH`], and how deep.
fn too_deep(fields: &Map<String, Value>) -> Option<String> {
    let mut depths = fields.iter().map(|(name, value)| (name, value_depth(value)));
    let (name, depth) = depths.find(|(_, depth)| *depth > MAX_VALUE_DEPTH)?;
    Some(format!(
        "/{name}: it is nested {depth} levels deep; at most {MAX_VALUE_DEPTH} are taken"
    ))
}

fn named(error: Error, id: &str) -> Error {
    match error {
        Error::Params { issues, .. } => Error::Params {
            tool: id.to_owned(),
            issues,
        },
        other => other,
    }
}

/// Says what a tool needs and the run has not.
pub(crate) fn available(manifest: &Manifest, context: &ToolContext) -> Result<(), Error> {
    for dependency in &manifest.dependencies {
        let missing = match dependency {
            Dependency::Page if !context.has_page() => Error::Missing {
                what: "a page",
                advice: "give an address (--url), or go to one first",
            },
            Dependency::Tab if !context.has_tab() => Error::Missing {
                what: "a browser tab",
                advice: "this tool acts on a live page; give an address (--url)",
            },
            Dependency::Model if context.services.seat.is_none() => Error::Missing {
                what: "a model",
                advice: "set HUNTSMAN_LLM_PROVIDER and HUNTSMAN_LLM_MODEL",
            },
            Dependency::Network if context.services.client.is_none() => Error::Missing {
                what: "the network",
                advice: "this tool fetches addresses, and this run works on given pages only",
            },
            _ => continue,
        };
        return Err(missing);
    }
    Ok(())
}

/// Whether an output holds lists and nothing is in any of them.
fn is_empty(data: &Value) -> bool {
    let Some(fields) = data.as_object() else {
        return false;
    };
    let mut lists = fields.values().filter_map(Value::as_array).peekable();
    lists.peek().is_some() && lists.all(Vec::is_empty)
}

fn short(name: &str) -> String {
    format!("{:?}", name.chars().take(80).collect::<String>())
}
