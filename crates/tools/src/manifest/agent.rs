//! AgentView: how a tool appears to an agent that drives a browser.

use browser::Capability;
use llm::ToolSpec;
use serde::Deserialize;
use serde_json::{Map, Value, json};

use super::Effects;

/// How a tool appears to an agent: its short name, what the model reads about it, and when it is offered.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct AgentView {
    /// The place among the offered tools, ascending. No two tools have the same.
    pub order: u16,
    /// The name that the model calls.
    pub name: String,
    /// What the model reads.
    pub description: String,
    /// The effects as offered: a call with effects is not repaired by guessing.
    pub effects: Effects,
    /// Whether nobody else can use the tool: it needs the loop of an agent, or the snapshot that a model was shown.
    #[serde(default)]
    pub only: bool,
    /// The parameters, in the order shown.
    #[serde(default)]
    pub parameters: Vec<AgentParameter>,
    /// Words of the abilities that the browser engine must have ([`Capability::word`]).
    #[serde(default)]
    pub capabilities: Vec<String>,
    /// What the run must have.
    #[serde(default)]
    pub needs: Vec<AgentNeed>,
    /// Whether its start and end are reported as actions of the browser.
    #[serde(default)]
    pub acts_in_tab: bool,
    /// Whether the same call on an unchanged page is no sign of being stuck.
    #[serde(default)]
    pub may_repeat: bool,
    /// Whether the page that the model was shown is still as it was afterwards.
    #[serde(default)]
    pub keeps_page: bool,
}

/// What a run must have for a tool to be offered.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum AgentNeed {
    /// A model that sees pictures.
    Images,
    /// Files that may be given to pages.
    Files,
    /// A search provider.
    Search,
    /// Values of the caller.
    Values,
    /// A person who can be asked.
    Person,
}

/// One parameter as the model sees it.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct AgentParameter {
    /// Its name.
    pub name: String,
    /// How it is read.
    pub kind: ArgumentKind,
    /// Whether it must be given.
    #[serde(default)]
    pub required: bool,
    /// Its schema as shown; that of its kind when absent.
    #[serde(default)]
    pub schema: Option<Value>,
    /// The ability of the browser engine without which it is not shown.
    #[serde(default)]
    pub capability: Option<String>,
}

/// How an argument is read from what a model wrote.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ArgumentKind {
    /// A ref of an element.
    Ref,
    /// A text, also when it is written as a number or a boolean.
    Text,
    /// A text that is not blank.
    Words,
    /// A list of texts, also when it is written as one text.
    List,
    /// A list of refs.
    Refs,
    /// A finite number, also when it is written as a text. Anything else counts as absent.
    Number,
}

impl AgentParameter {
    fn shown(&self) -> Value {
        self.schema.clone().unwrap_or_else(|| match self.kind {
            ArgumentKind::Ref | ArgumentKind::Text | ArgumentKind::Words => json!({"type": "string"}),
            ArgumentKind::List | ArgumentKind::Refs => {
                json!({"type": "array", "items": {"type": "string"}})
            }
            ArgumentKind::Number => json!({"type": "number"}),
        })
    }
}

impl AgentView {
    /// The tool as it is offered to a model, for a browser engine with the abilities that `can` names; none when the
    /// engine or the run lacks something.
    pub fn spec(
        &self,
        has: impl Fn(AgentNeed) -> bool,
        can: impl Fn(Capability) -> bool,
    ) -> Option<ToolSpec> {
        let can = |word: &String| {
            let capability = Capability::ALL.into_iter().find(|known| known.word() == word);
            capability.is_some_and(&can)
        };
        if !self.capabilities.iter().all(can) || !self.needs.iter().all(|need| has(*need)) {
            return None;
        }
        let is_shown = |parameter: &&AgentParameter| parameter.capability.as_ref().is_none_or(can);
        let shown: Vec<&AgentParameter> = self.parameters.iter().filter(is_shown).collect();
        let properties: Map<String, Value> = shown
            .iter()
            .map(|parameter| (parameter.name.clone(), parameter.shown()))
            .collect();
        let required = shown.iter().filter(|parameter| parameter.required);
        let required: Vec<&str> = required.map(|parameter| parameter.name.as_str()).collect();
        let mut schema = json!({"type": "object", "properties": properties});
        if !required.is_empty() {
            schema["required"] = json!(required);
        }
        let effects = match self.effects {
            Effects::Read => llm::ToolEffects::Read,
            Effects::Idempotent => llm::ToolEffects::Idempotent,
            Effects::Act => llm::ToolEffects::Act,
        };
        Some(ToolSpec::new(
            self.name.as_str(),
            self.description.as_str(),
            schema,
            effects,
        ))
    }

    /// What is wrong with it.
    pub(super) fn issues(&self) -> Vec<String> {
        let gated = self
            .parameters
            .iter()
            .filter_map(|parameter| parameter.capability.as_ref());
        let unknown = self.capabilities.iter().chain(gated).filter(|word| {
            !Capability::ALL
                .iter()
                .any(|capability| capability.word() == word.as_str())
        });
        let unknown = unknown.map(|word| format!("`agent`: {word:?} is no ability of a browser engine"));
        let mut issues: Vec<String> = unknown.collect();
        if !super::rules::is_word(&self.name) {
            issues.push(format!("`agent.name`: {:?} is no name", self.name));
        }
        issues
    }
}
