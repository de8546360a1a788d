//! A manifest of the user for a tool that is compiled in: its words, triggers, examples and time, the tool's code.

use async_trait::async_trait;
use serde_json::{Map, Value};

use tools::manifest::Manifest;
use tools::registry::{RegisteredTool, Registry, ToolExecutor};
use tools::{Error, ToolContext};

/// Runs a compiled-in tool. Parameters that the user's manifest leaves out have the tool's own defaults.
pub(super) struct DescribedTool(RegisteredTool);

impl DescribedTool {
    /// The code of the tool that has the manifest's id.
    ///
    /// # Errors
    /// A sentence when there is no such tool, when it has not one of the parameters, or when it does more than the manifest
    /// says.
    pub(super) fn new(manifest: &Manifest, builtin: &Registry) -> Result<DescribedTool, String> {
        let id = manifest.id();
        let Some(tool) = builtin.iter().find(|tool| tool.id() == id) else {
            return Err(format!(
                "there is no code for it: give it a `plan`, an `http` endpoint, or the selectors of a `page`; a manifest \
                 without any is for a tool that is there already, and none is called {id}"
            ));
        };
        let own = tool.manifest();
        let names = manifest.properties().into_iter().flatten().map(|(name, _)| name);
        let unknown: Vec<&str> = names
            .filter(|name| own.parameter(name).is_none())
            .map(String::as_str)
            .collect();
        if !unknown.is_empty() {
            let known = own
                .properties()
                .into_iter()
                .flatten()
                .map(|(name, _)| name.as_str());
            return Err(format!(
                "`parameters` has {}, which the code of {id} does not take; it takes {}",
                unknown.join(", "),
                known.collect::<Vec<_>>().join(", ")
            ));
        }
        if own.effects > manifest.effects {
            return Err(format!(
                "`effects` is {} and the code of {id} is {}",
                manifest.effects.word(),
                own.effects.word()
            ));
        }
        Ok(DescribedTool(tool.clone()))
    }

    /// The tool's own manifest.
    pub(super) fn manifest(&self) -> &Manifest {
        self.0.manifest()
    }
}

#[async_trait]
impl ToolExecutor for DescribedTool {
    async fn run(
        &self,
        parameters: Map<String, Value>,
        context: &mut ToolContext,
        registry: &Registry,
    ) -> Result<Value, Error> {
        let outcome = registry.run_entry(&self.0, &parameters, context).await?;
        for warning in outcome.warnings {
            context.warn(warning);
        }
        Ok(outcome.data)
    }
}
