//! Tools that are withheld from the runs of somebody: they are not listed, offered or run, and whoever names one is told.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use super::{RegisteredTool, Registry};
use crate::error::Error;

/// The tools by which an automation ends. They are never withheld.
const ENDINGS: [&str; 2] = ["agent.done", "agent.abort"];

impl Registry {
    /// The same without the tools whose id and category are not allowed.
    #[must_use]
    pub fn withholding(&self, is_allowed: impl Fn(&str, &str) -> bool) -> Registry {
        let stays = |entry: &RegisteredTool| {
            ENDINGS.contains(&entry.id()) || is_allowed(entry.id(), &entry.manifest().category)
        };
        let mut withheld = BTreeSet::clone(&self.withheld);
        let all = self.tools.values().chain(self.agent_tools.iter());
        withheld.extend(all.filter(|entry| !stays(entry)).map(|entry| entry.id.clone()));
        let tools: BTreeMap<_, _> = self
            .tools
            .iter()
            .filter(|(_, entry)| stays(entry))
            .map(|(id, entry)| (id.clone(), entry.clone()))
            .collect();
        let agent_tools = self.agent_tools.iter().filter(|entry| stays(entry)).cloned();
        Registry {
            tools: Arc::new(tools),
            agent_tools: Arc::new(agent_tools.collect()),
            withheld: Arc::new(withheld),
            ..self.clone()
        }
    }

    /// Ids of the tools that are withheld.
    pub fn withheld(&self) -> impl Iterator<Item = &str> {
        self.withheld.iter().map(String::as_str)
    }

    /// Whether there is a tool or a category of this name, offered to agents alone or not.
    pub fn has_name(&self, name: &str) -> bool {
        let mut all = self.tools.values().chain(self.agent_tools.iter());
        all.any(|entry| entry.id() == name || entry.manifest().category == name)
    }

    /// The refusal of a tool that is withheld; none for any other name. The bare name of a tool counts as in
    /// [`Registry::find`].
    pub(super) fn refusal(&self, name: &str) -> Option<Error> {
        let id = name.replacen("__", ".", 1);
        let is_it = |withheld: &&String| {
            **withheld == id || withheld.rsplit('.').next().is_some_and(|bare| bare == name)
        };
        let withheld = self.withheld.iter().find(is_it)?;
        Some(Error::Denied {
            what: withheld.clone(),
            why: "the policy of this tenant does not allow it".to_owned(),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_tool_that_is_withheld_is_refused_by_every_name_and_the_end_of_an_automation_stays() {
        let all = Registry::builtin();
        let some =
            all.withholding(|id, category| category != "html" && id != "http.request" && category != "agent");
        assert!(some.has_name("agent.done") && !some.has_name("html.select") && all.has_name("html"));
        for name in ["html.select", "html__select"] {
            let refused = some.find(name).err().unwrap().to_string();
            assert!(
                refused.contains("html.select") && refused.contains("policy"),
                "{refused}"
            );
        }
        assert!(some.find("url.join").is_ok());
        assert!(some.iter().all(|entry| entry.manifest().category != "html"));
        assert!(some.withheld().any(|id| id == "html.select"));
        let unknown = some.find("html.there_is_none").err().unwrap().to_string();
        assert!(!unknown.contains("policy"), "{unknown}");
    }
}
