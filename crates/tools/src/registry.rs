//! All tools by name, and the one place where a tool is run.

mod suggest;

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, OnceLock};
use std::time::Instant;

use async_trait::async_trait;
use serde_json::{Map, Value};
use url::Url;

use crate::context::ToolContext;
use crate::error::Error;
use crate::grant::Grant;
use crate::manifest::{BadManifest, Dependency, Manifest, filled};
use crate::tool::Tool;

/// A tool with its name and manifest.
#[derive(Clone)]
pub struct Entry {
    id: String,
    manifest: Arc<Manifest>,
    work: Arc<dyn Work>,
}

/// The part of an entry that does it, whatever its types.
#[async_trait]
pub trait Work: Send + Sync {
    /// Runs with checked parameters.
    async fn run(&self, parameters: Map<String, Value>, context: &mut ToolContext) -> Result<Value, Error>;

    /// JSON Schema of the Rust type that the parameters become, where there is one.
    fn parameters(&self) -> Option<Value> {
        None
    }
}

struct Code<T>(T);

#[async_trait]
impl<T: Tool> Work for Code<T> {
    async fn run(&self, parameters: Map<String, Value>, context: &mut ToolContext) -> Result<Value, Error> {
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

impl Entry {
    /// The entry of a tool that is compiled in.
    ///
    /// # Errors
    /// When its manifest cannot be used.
    pub(crate) fn of<T: Tool>(
        category: &str,
        name: &str,
        tool: T,
        manifest: &str,
    ) -> Result<Entry, BadManifest> {
        let manifest = Manifest::parse(manifest, category, name)?;
        Ok(Entry::new(manifest, Arc::new(Code(tool))))
    }

    /// An entry of a manifest and the code that runs it.
    pub fn new(manifest: Manifest, work: Arc<dyn Work>) -> Entry {
        Entry {
            id: manifest.id(),
            manifest: Arc::new(manifest),
            work,
        }
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
pub struct Outcome {
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

impl Outcome {
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
    tools: Arc<BTreeMap<String, Entry>>,
    /// Ids of the tools that the operator granted among those that need it.
    granted: Arc<BTreeSet<String>>,
}

/// A tool that could not be added.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Refused {
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
                Registry {
                    tools: Arc::new(entries.map(|it| (it.id.clone(), it)).collect()),
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
    pub fn with(&self, entry: Entry, place: &str) -> Result<Registry, Refused> {
        let mut tools = BTreeMap::clone(&self.tools);
        if tools.contains_key(&entry.id) {
            return Err(Refused::Taken {
                place: place.to_owned(),
                id: entry.id,
            });
        }
        tools.insert(entry.id.clone(), entry);
        Ok(Registry {
            tools: Arc::new(tools),
            granted: Arc::clone(&self.granted),
        })
    }

    /// The same without a tool.
    pub fn without(&self, id: &str) -> Registry {
        let mut tools = BTreeMap::clone(&self.tools);
        tools.remove(id);
        Registry {
            tools: Arc::new(tools),
            granted: Arc::clone(&self.granted),
        }
    }

    /// The same with the operator's consent to these tools, by id. A grant of a run cannot take its place.
    #[must_use]
    pub fn granting(&self, ids: impl IntoIterator<Item = String>) -> Registry {
        let mut granted = BTreeSet::clone(&self.granted);
        granted.extend(ids);
        Registry {
            tools: Arc::clone(&self.tools),
            granted: Arc::new(granted),
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
        grant.tool(manifest)
    }

    /// Every tool, by id.
    pub fn iter(&self) -> impl Iterator<Item = &Entry> {
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
    pub fn find(&self, name: &str) -> Result<&Entry, Error> {
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
            (None, _) => Err(Error::UnknownTool {
                name: short(name),
                hint: suggest::hint(name, self.tools.keys()),
            }),
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
    ) -> Result<Outcome, Error> {
        let entry = self.find(name)?;
        self.run_entry(entry, parameters, context).await
    }

    /// Runs an entry with parameters that were checked or defaulted by the caller.
    ///
    /// # Errors
    /// As [`Registry::run`].
    pub async fn run_entry(
        &self,
        entry: &Entry,
        parameters: &Map<String, Value>,
        context: &mut ToolContext,
    ) -> Result<Outcome, Error> {
        let manifest = entry.manifest();
        self.permits(&context.grant, manifest)?;
        let parameters = Value::Object(filled(&manifest.parameters, parameters));
        let mut issues = manifest.parameter_violations(&parameters);
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
        context.registry = Some(self.clone());
        let began = Instant::now();
        let work = tokio::time::timeout(manifest.timeout(), entry.work.run(parameters, context)).await;
        let result = work
            .map_err(|_| Error::Timeout {
                tool: entry.id.clone(),
                limit: manifest.timeout(),
            })
            .and_then(|it| it);
        let mut data = result.map_err(|error| named(error, &entry.id))?;
        let issues = manifest.output_violations(&data);
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
        Ok(Outcome {
            data,
            empty,
            warnings: context.take_warnings(),
            changed: url != before,
            url,
            duration_ms: u64::try_from(began.elapsed().as_millis()).unwrap_or(u64::MAX),
        })
    }
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
