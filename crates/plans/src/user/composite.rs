//! A tool that is a plan with parameters.

use std::collections::BTreeMap;

use async_trait::async_trait;
use serde_json::{Map, Value, json};

use crate::check::check;
use crate::conditions::Conditions;
use crate::execute::{execute_with_parameters, failure};
use crate::observer::SilentObserver;
use crate::plan::ToolPlan;
use tools::Error;
use tools::ToolContext;
use tools::manifest::{Effects, Manifest};
use tools::registry::{Registry, ToolExecutor};

/// Deepest nesting of composite tools that run.
const MAX_NESTING: usize = 8;

/// A tool that runs a plan.
#[derive(Clone)]
pub(super) struct CompositeTool {
    id: String,
    plan: ToolPlan,
    effects: Effects,
    parameters: Map<String, Value>,
}

impl CompositeTool {
    pub(super) fn new(manifest: &Manifest, plan: &Value) -> Result<CompositeTool, String> {
        Ok(CompositeTool {
            id: manifest.id(),
            plan: ToolPlan::from_value(plan).map_err(|issues| issues.to_string())?,
            effects: manifest.effects,
            parameters: manifest.properties().cloned().unwrap_or_default(),
        })
    }

    /// The issues of the plan, given all tools: those of its check, plans that use each other in a circle, and effects
    /// beyond the declared ones.
    pub(super) fn issues(
        &self,
        id: &str,
        registry: &Registry,
        composites: &BTreeMap<String, (String, CompositeTool)>,
    ) -> Vec<String> {
        let conditions = Conditions {
            parameters: self.parameters.clone(),
            ..Conditions::all()
        };
        let mut issues: Vec<String> = match check(&self.plan, registry, &conditions) {
            Ok(checked) => checked.notes.iter().map(ToString::to_string).collect(),
            Err(found) => found.0.iter().map(ToString::to_string).collect(),
        };
        // The tools that are reached from here, each once.
        let (mut open, mut seen) = (self.uses(registry), Vec::new());
        while let Some(next) = open.pop() {
            if next == id {
                issues.push(format!(
                    "{id} uses itself, over {}",
                    if seen.is_empty() {
                        "one step".into()
                    } else {
                        seen.join(", ")
                    }
                ));
                break;
            }
            if !seen.contains(&next) {
                open.extend(
                    composites
                        .get(&next)
                        .map(|(_, it)| it.uses(registry))
                        .unwrap_or_default(),
                );
                seen.push(next);
            }
        }
        for tool in self.uses(registry) {
            let effects = registry
                .find(&tool)
                .map(|it| it.manifest().effects)
                .unwrap_or(Effects::Read);
            if effects > self.effects {
                issues.push(format!(
                    "`effects` is {} and {tool} is {}",
                    self.effects.word(),
                    effects.word()
                ));
            }
        }
        issues
    }

    fn uses(&self, registry: &Registry) -> Vec<String> {
        let names = self
            .plan
            .steps
            .iter()
            .map(|it| &it.tool)
            .chain(self.plan.fallback.iter().map(|(it, _)| it));
        names
            .filter_map(|it| registry.find(it).ok().map(|it| it.id().to_owned()))
            .collect()
    }
}

#[async_trait]
impl ToolExecutor for CompositeTool {
    async fn run(
        &self,
        parameters: Map<String, Value>,
        context: &mut ToolContext,
        registry: &Registry,
    ) -> Result<Value, Error> {
        if context.within.len() >= MAX_NESTING || context.within.contains(&self.id) {
            let what = format!("the depth of {} in {}", self.id, context.within.join(" in "));
            return Err(Error::TooMuch {
                what,
                limit: format!("{MAX_NESTING} tools in each other"),
            });
        }
        let conditions = Conditions {
            parameters: self.parameters.clone(),
            ..Conditions::of(context)
        };
        let checked = check(&self.plan, registry, &conditions).map_err(|issues| match issues.code() {
            "POLICY_DENIED" => Error::Denied {
                what: self.id.clone(),
                why: issues.to_string(),
            },
            _ => Error::Failed(issues.to_string()),
        })?;
        context.within.push(self.id.clone());
        let outer = std::mem::take(&mut context.input);
        let report =
            execute_with_parameters(&checked, registry, context, &mut SilentObserver, &parameters).await;
        context.input = outer;
        context.within.pop();
        match (&report.answer, checked.expected_output()) {
            (Some(answer), Some(name)) => Ok(json!({name: answer})),
            (Some(answer @ Value::Object(_)), None) => Ok(answer.clone()),
            (Some(answer), None) => Ok(json!({"result": answer})),
            (None, _) => Err(failure(&report)),
        }
    }
}
