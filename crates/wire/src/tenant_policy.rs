//! `TenantPolicy`: what the runs of a tenant may do, as the administration of a server spells it.

use std::collections::BTreeMap;
use std::fmt;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use crate::strict::RequestRefusal;

/// Most entries of one list of a policy.
const MAX_ENTRIES: usize = 200;
/// Longest entry of a list, in characters.
const MAX_ENTRY: usize = 260;
/// Longest guardrails, in characters.
const MAX_GUARDRAILS: usize = 5_000;
/// Most providers that a tenant has keys of.
const MAX_MODEL_KEYS: usize = 20;
/// Longest key of a provider, in characters.
const MAX_MODEL_KEY: usize = 1_000;

/// What the runs of a tenant may do. A rule that is absent restricts nothing. In a request, a rule that is given replaces
/// that of its name; an empty list, `true` and an empty text lift it.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct TenantPolicy {
    /// The only hosts that pages are opened on, webhooks sent to and addresses fetched from: `shop.example`, `*.shop.example`
    /// for every name below, `host:port`, an address, or a block of addresses such as `10.0.0.0/8`.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(length(max = 200))]
    pub allowed_hosts: Option<Vec<String>>,
    /// Hosts that are not reached, whatever is allowed.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(length(max = 200))]
    pub forbidden_hosts: Option<Vec<String>>,
    /// The engines that open pages: `http`, or `http` and `chromium`.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(length(max = 2), inner(pattern(r"^(http|chromium)$")))]
    pub engines: Option<Vec<String>>,
    /// The models that may be asked, as `provider/model`, or `provider/*` for all of a provider.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(length(max = 200))]
    pub models: Option<Vec<String>>,
    /// The only tools that may be used, by id or category. Those of the category `agent` need not be named.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(length(max = 200))]
    pub allowed_tools: Option<Vec<String>>,
    /// Tools that may not be used, by id or category, whatever is allowed.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(length(max = 200))]
    pub forbidden_tools: Option<Vec<String>>,
    /// Whether profiles of the browser may be used.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub profiles: Option<bool>,
    /// Whether what runs learn about sites may be kept and used.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub memory: Option<bool>,
    /// Whether automations may give the operator's files to pages.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub uploads: Option<bool>,
    /// Guardrails that every automation has beside its own.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(length(max = 5000))]
    pub guardrails: Option<String>,
}

/// The keys of model providers in a request, by the provider's name; null takes a key away.
pub type ModelKeys = BTreeMap<String, Option<ModelKey>>;

/// A tenant's own key of a provider of models. It is never shown.
#[derive(Clone, PartialEq, Eq, Deserialize, JsonSchema)]
pub struct ModelKey(#[schemars(length(min = 1, max = 1000))] String);

impl fmt::Debug for ModelKey {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str("ModelKey(..)")
    }
}

impl ModelKey {
    /// A key of this text.
    ///
    /// # Errors
    /// When the text is empty, too long, or not of visible ASCII characters. The refusal does not hold the text.
    pub fn new(text: &str) -> Result<Self, String> {
        let text = text.trim();
        let visible = text.bytes().all(|byte| byte.is_ascii_graphic());
        match !text.is_empty() && text.len() <= MAX_MODEL_KEY && visible {
            true => Ok(Self(text.to_owned())),
            false => Err(format!(
                "must be a key of 1 to {MAX_MODEL_KEY} visible ASCII characters, or null to take the key away"
            )),
        }
    }

    /// Its text.
    #[must_use]
    pub fn reveal(&self) -> &str {
        &self.0
    }
}

fn entries(value: &Value) -> Result<Vec<String>, String> {
    let wanted = || format!("must be a list of at most {MAX_ENTRIES} texts");
    let list = value
        .as_array()
        .filter(|list| list.len() <= MAX_ENTRIES)
        .ok_or_else(wanted)?;
    let mut entries = Vec::new();
    for entry in list {
        let text = entry.as_str().ok_or_else(wanted)?.trim();
        if text.is_empty() || text.chars().count() > MAX_ENTRY || text.chars().any(char::is_control) {
            return Err(format!(
                "each entry must be a text of 1 to {MAX_ENTRY} plain characters"
            ));
        }
        entries.push(text.to_owned());
    }
    entries.sort_unstable_by_key(|entry| entry.to_lowercase());
    entries.dedup();
    Ok(entries)
}

fn switch(value: &Value) -> Result<bool, String> {
    value.as_bool().ok_or_else(|| "must be true or false".to_owned())
}

fn guardrails(value: &Value) -> Result<String, String> {
    let text = value.as_str().map(str::trim);
    text.filter(|text| text.chars().count() <= MAX_GUARDRAILS)
        .map(str::to_owned)
        .ok_or_else(|| format!("must be a text of at most {MAX_GUARDRAILS} characters"))
}

impl TenantPolicy {
    /// The names of all rules.
    pub const NAMES: &[&str] = &[
        "allowed_hosts",
        "forbidden_hosts",
        "engines",
        "models",
        "allowed_tools",
        "forbidden_tools",
        "profiles",
        "memory",
        "uploads",
        "guardrails",
    ];

    /// Sets the rule of a name.
    ///
    /// # Errors
    /// When there is no such rule, or the value is none for it.
    pub fn set(&mut self, name: &str, value: &Value) -> Result<(), String> {
        match name {
            "allowed_hosts" => self.allowed_hosts = Some(entries(value)?),
            "forbidden_hosts" => self.forbidden_hosts = Some(entries(value)?),
            "engines" => self.engines = Some(engines(value)?),
            "models" => self.models = Some(models(value)?),
            "allowed_tools" => self.allowed_tools = Some(entries(value)?),
            "forbidden_tools" => self.forbidden_tools = Some(entries(value)?),
            "profiles" => self.profiles = Some(switch(value)?),
            "memory" => self.memory = Some(switch(value)?),
            "uploads" => self.uploads = Some(switch(value)?),
            "guardrails" => self.guardrails = Some(guardrails(value)?),
            _ => {
                return Err(format!(
                    "there is no such rule; there are {}",
                    Self::NAMES.join(", ")
                ));
            }
        }
        Ok(())
    }

    /// Reads rules such as `allowed_hosts=shop.example,*.shop.example` and `profiles=off`.
    ///
    /// # Errors
    /// Naming the rule that is unknown or wrong.
    pub fn read<T: AsRef<str>>(texts: &[T]) -> Result<Self, String> {
        let mut policy = Self::default();
        for text in texts.iter().map(AsRef::as_ref) {
            let wrong = |error: String| format!("{:.40}: {error}", text.split('=').next().unwrap_or(text));
            let Some((name, given)) = text.split_once('=') else {
                return Err(wrong("give it as NAME=VALUE".to_owned()));
            };
            let name = name.trim();
            let words = || given.split(',').map(str::trim).filter(|word| !word.is_empty());
            let value = match (name, given.trim()) {
                ("profiles" | "memory" | "uploads", "on" | "true") => Value::Bool(true),
                ("profiles" | "memory" | "uploads", "off" | "false") => Value::Bool(false),
                ("profiles" | "memory" | "uploads", _) => return Err(wrong("must be on or off".to_owned())),
                ("guardrails", text) => Value::from(text),
                _ => words().map(Value::from).collect(),
            };
            policy.set(name, &value).map_err(wrong)?;
        }
        Ok(policy)
    }

    /// Reads the object of a request.
    pub(crate) fn of(value: Option<&Value>) -> Result<Self, RequestRefusal> {
        let mut policy = Self::default();
        match value {
            None | Some(Value::Null) => {}
            Some(Value::Object(rules)) => {
                for (name, value) in rules.iter().filter(|(_, value)| !value.is_null()) {
                    let field = format!("policy.{name:.40}");
                    policy
                        .set(name, value)
                        .map_err(|text| RequestRefusal::field(field, text))?;
                }
            }
            Some(_) => return Err(RequestRefusal::field("policy", "must be an object")),
        }
        Ok(policy)
    }

    /// These rules, with those of `changes` where they are given; a rule that is lifted is absent.
    #[must_use]
    pub fn changed(self, changes: &Self) -> Self {
        let list = |old: Option<Vec<String>>, new: &Option<Vec<String>>| {
            new.clone().or(old).filter(|list| !list.is_empty())
        };
        let switch = |old: Option<bool>, new: Option<bool>| new.or(old).filter(|allowed| !allowed);
        Self {
            allowed_hosts: list(self.allowed_hosts, &changes.allowed_hosts),
            forbidden_hosts: list(self.forbidden_hosts, &changes.forbidden_hosts),
            engines: list(self.engines, &changes.engines),
            models: list(self.models, &changes.models),
            allowed_tools: list(self.allowed_tools, &changes.allowed_tools),
            forbidden_tools: list(self.forbidden_tools, &changes.forbidden_tools),
            profiles: switch(self.profiles, changes.profiles),
            memory: switch(self.memory, changes.memory),
            uploads: switch(self.uploads, changes.uploads),
            guardrails: changes
                .guardrails
                .clone()
                .or(self.guardrails)
                .filter(|text| !text.is_empty()),
        }
    }

    /// Whether nothing is restricted.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }

    /// Whether a model may be asked.
    #[must_use]
    pub fn allows_model(&self, provider: &str, model: &str) -> bool {
        let matches = |entry: &String| {
            let (of, name) = entry.split_once('/').unwrap_or((entry, ""));
            of.eq_ignore_ascii_case(provider) && (name == "*" || name == model)
        };
        self.models
            .as_ref()
            .is_none_or(|models| models.iter().any(matches))
    }

    /// Whether a tool may be used.
    #[must_use]
    pub fn allows_tool(&self, id: &str, category: &str) -> bool {
        let names = |list: &Vec<String>| list.iter().any(|name| name == id || name == category);
        let is_allowed = category == "agent" || self.allowed_tools.as_ref().is_none_or(names);
        is_allowed && !self.forbidden_tools.as_ref().is_some_and(names)
    }
}

/// The engines, of which `http` is always one: robots.txt and sitemaps come by it.
fn engines(value: &Value) -> Result<Vec<String>, String> {
    let engines = entries(value)?;
    let known = engines
        .iter()
        .all(|engine| matches!(engine.as_str(), "http" | "chromium"));
    match known && (engines.is_empty() || engines.iter().any(|engine| engine == "http")) {
        true => Ok(engines),
        false => Err("must be http, or http and chromium; empty for all".to_owned()),
    }
}

/// Models in the order given: the first is the tenant's own where that of the server is not among them.
fn models(value: &Value) -> Result<Vec<String>, String> {
    entries(value)?;
    let given = value.as_array().into_iter().flatten().filter_map(Value::as_str);
    let mut models: Vec<String> = Vec::new();
    for entry in given.map(str::trim) {
        let parts = entry.split_once('/');
        if !parts.is_some_and(|(provider, model)| !provider.is_empty() && !model.is_empty()) {
            return Err(format!(
                "{entry:.60}: give each model as provider/model, or provider/*"
            ));
        }
        if !models.iter().any(|known| known == entry) {
            models.push(entry.to_owned());
        }
    }
    Ok(models)
}

/// Reads the keys of a request.
pub(crate) fn model_keys(value: Option<&Value>) -> Result<ModelKeys, RequestRefusal> {
    let wrong = |text: &str| RequestRefusal::field("model_keys", text);
    let given: &Map<String, Value> = match value {
        None | Some(Value::Null) => return Ok(ModelKeys::new()),
        Some(Value::Object(given)) => given,
        Some(_) => return Err(wrong("must be an object of keys by provider")),
    };
    if given.len() > MAX_MODEL_KEYS {
        return Err(wrong("holds too many providers"));
    }
    let read = |(provider, key): (&String, &Value)| {
        let key = match key {
            Value::Null => None,
            Value::String(text) => Some(ModelKey::new(text)),
            _ => Some(ModelKey::new("")),
        };
        let field = || format!("model_keys.{provider:.40}");
        let key = key
            .transpose()
            .map_err(|text| RequestRefusal::field(field(), text))?;
        Ok((provider.clone(), key))
    };
    given.iter().map(read).collect()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_rule_that_is_given_replaces_that_of_its_name_and_nothing_else() {
        let first = TenantPolicy::read(&[
            "allowed_hosts=b.example, a.example",
            "memory=off",
            "models=openai/b,openai/a",
        ])
        .unwrap();
        let first = TenantPolicy::default().changed(&first);
        let change = TenantPolicy::of(Some(
            &json!({"allowed_hosts": [], "profiles": false, "memory": true}),
        ))
        .unwrap();
        let second = first.clone().changed(&change);
        assert_eq!(
            (
                serde_json::to_value(&first).unwrap(),
                serde_json::to_value(&second).unwrap()
            ),
            (
                json!({"allowed_hosts": ["a.example", "b.example"], "memory": false, "models": ["openai/b", "openai/a"]}),
                json!({"models": ["openai/b", "openai/a"], "profiles": false}),
            )
        );
    }

    #[test]
    fn what_is_wrong_is_named_and_no_key_is_in_a_text() {
        for (policy, field) in [
            (json!([]), "policy:"),
            (json!({"hosts": []}), "policy.hosts:"),
            (json!({"allowed_hosts": "a.example"}), "policy.allowed_hosts:"),
            (json!({"allowed_hosts": [""]}), "policy.allowed_hosts:"),
            (json!({"engines": ["chromium"]}), "policy.engines:"),
            (json!({"engines": ["gecko"]}), "policy.engines:"),
            (json!({"models": ["gpt"]}), "policy.models:"),
            (json!({"profiles": "no"}), "policy.profiles:"),
            (json!({"guardrails": 1}), "policy.guardrails:"),
        ] {
            let refused = TenantPolicy::of(Some(&policy)).unwrap_err().text();
            assert!(
                refused.starts_with(field.trim_end_matches(':')),
                "{policy}: {refused}"
            );
        }
        let refused = model_keys(Some(&json!({"openai": "sk-canary with blanks"})))
            .unwrap_err()
            .text();
        assert!(
            refused.starts_with("model_keys.openai") && !refused.contains("canary"),
            "{refused}"
        );
        let read = model_keys(Some(&json!({"openai": "sk-canary", "mistral": null}))).unwrap();
        assert!(!format!("{read:?}").contains("canary"));
        assert_eq!(read.len(), 2);
        assert!(
            TenantPolicy::read(&["profiles=perhaps"])
                .unwrap_err()
                .starts_with("profiles")
        );
    }

    #[test]
    fn names_decide_which_models_and_tools_may_be_used() {
        let policy = TenantPolicy::read(&[
            "models=openai/small,mistral/*",
            "allowed_tools=html,browser",
            "forbidden_tools=browser.upload",
        ])
        .unwrap();
        let models = [
            ("openai", "small"),
            ("openai", "large"),
            ("mistral", "any"),
            ("x", "small"),
        ];
        assert_eq!(
            models.map(|(provider, model)| policy.allows_model(provider, model)),
            [true, false, true, false]
        );
        let tools = [
            ("html.select", "html"),
            ("http.get", "http"),
            ("browser.click", "browser"),
            ("browser.upload", "browser"),
            ("agent.done", "agent"),
        ];
        assert_eq!(
            tools.map(|(id, category)| policy.allows_tool(id, category)),
            [true, false, true, false, true]
        );
    }
}
