//! Conditions of a run that decide which tools a plan may use.

use serde_json::{Map, Value};
use tools::manifest::{Dependency, Manifest};
use tools::{Grant, Registry, ToolContext};

/// The conditions under which a plan runs: grant, available services and limits.
#[derive(Debug, Clone, Default)]
pub struct Conditions {
    /// The grant of the run.
    pub grant: Grant,
    /// The dependencies of tools that the run provides.
    pub has: Vec<Dependency>,
    /// Most steps; [`crate::MAX_STEPS`] when absent.
    pub max_steps: Option<usize>,
    /// Schemas of the parameters, where the plan is a composite tool.
    pub parameters: Map<String, Value>,
}

impl Conditions {
    /// Conditions that provide and allow everything.
    pub fn all() -> Conditions {
        use Dependency::{Model, Network, Page, Tab};
        Conditions {
            has: vec![Page, Tab, Model, Network],
            ..Conditions::default()
        }
    }

    /// Whether the grant permits a tool and the run provides its dependencies.
    pub(crate) fn allow(&self, registry: &Registry, manifest: &Manifest) -> bool {
        let mut dependencies = manifest.dependencies.iter();
        dependencies.all(|dependency| self.has.contains(dependency))
            && registry.permits(&self.grant, manifest).is_ok()
    }

    /// The conditions that a context provides.
    pub fn of(context: &ToolContext) -> Conditions {
        let provided = [
            (Dependency::Page, context.has_page()),
            (Dependency::Tab, context.has_tab()),
            (Dependency::Model, context.services.seat.is_some()),
            (Dependency::Network, context.services.client.is_some()),
        ];
        let has = provided
            .into_iter()
            .filter_map(|(dependency, is_provided)| is_provided.then_some(dependency))
            .collect();
        Conditions {
            grant: context.grant.clone(),
            has,
            max_steps: None,
            parameters: Map::new(),
        }
    }
}
