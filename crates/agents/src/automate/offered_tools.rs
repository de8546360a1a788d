//! The tools that the model is offered: a filter of the registry by policy, run and browser engine.

use browser::Capability;
use llm::tool::ToolSet;
use policy::Grant;
use tools::Registry;
use tools::manifest::AgentNeed;

/// What a run has beside its browser.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct RunAbilities {
    /// Whether a person may be asked.
    pub(super) has_person: bool,
    /// Whether the caller gave values.
    pub(super) has_values: bool,
    /// Whether the model sees pictures.
    pub(super) sees_images: bool,
    /// Whether there are files that may be given to pages.
    pub(super) has_files: bool,
    /// Whether there is a search provider.
    pub(super) has_search: bool,
}

impl RunAbilities {
    fn has(self, need: AgentNeed) -> bool {
        match need {
            AgentNeed::Images => self.sees_images,
            AgentNeed::Files => self.has_files,
            AgentNeed::Search => self.has_search,
            AgentNeed::Values => self.has_values,
            AgentNeed::Person => self.has_person,
        }
    }
}

/// The tools for a tab with the abilities that `can` names. The same for a whole run, so that its prompts begin alike.
pub(super) fn offered(
    tools: &Registry,
    grant: &Grant,
    abilities: RunAbilities,
    can: impl Fn(Capability) -> bool,
) -> ToolSet {
    tools.offer(grant, |need| abilities.has(need), can)
}

/// About how many bytes of a prompt the offered tools take.
pub(super) fn size(offer: &ToolSet) -> usize {
    // What stands around each tool, whatever the provider.
    const AROUND: usize = 60;
    let sizes = offer
        .iter()
        .map(|tool| AROUND + tool.name.len() + tool.description.len() + tool.parameters.to_string().len());
    sizes.sum()
}

#[cfg(test)]
mod tests {
    use super::*;
    use browser::NotCapable;

    /// Every tool as it is offered, in its order, with the exact text of its schema.
    fn shown(title: &str, offer: &ToolSet) -> String {
        let mut text = format!("=== {title}, {} bytes\n", size(offer));
        for tool in offer.iter() {
            let effects = tool.effects;
            text.push_str(&format!("{} ({effects:?}): {}\n", tool.name, tool.description));
            text.push_str(&format!("    {}\n", tool.parameters));
        }
        text
    }

    #[test]
    fn tools_are_offered_by_what_the_tab_and_the_run_can_do() {
        let all = RunAbilities {
            has_person: true,
            has_values: true,
            sees_images: true,
            has_files: true,
            has_search: true,
        };
        let none = RunAbilities::default();
        let offer = |abilities: &RunAbilities, can: &dyn Fn(Capability) -> Result<(), NotCapable>| {
            offered(
                &Registry::builtin(),
                &Grant::default(),
                *abilities,
                |capability| can(capability).is_ok(),
            )
        };
        let mut text = String::new();
        text.push_str(&shown("everything", &offer(&all, &|_| Ok(()))));
        text.push_str(&shown("any tab, a plain run", &offer(&none, &|_| Ok(()))));
        let poor = |capability: Capability| match capability {
            Capability::Links | Capability::Forms => Ok(()),
            other => Err(NotCapable {
                what: other,
                advice: "none",
            }),
        };
        text.push_str(&shown("a plain tab", &offer(&all, &poor)));
        for lacking in Capability::ALL {
            let able = |capability: Capability| match capability == lacking {
                true => Err(NotCapable {
                    what: capability,
                    advice: "none",
                }),
                false => Ok(()),
            };
            let names: Vec<String> = offer(&all, &able)
                .iter()
                .map(|tool| {
                    let parameters = tool.parameters["properties"].as_object();
                    let parameters = parameters.into_iter().flatten().map(|(name, _)| name.as_str());
                    format!("{}({})", tool.name, parameters.collect::<Vec<_>>().join(" "))
                })
                .collect();
            text.push_str(&format!("=== without {lacking:?}\n{}\n", names.join("\n")));
        }
        insta::with_settings!({prepend_module_to_snapshot => false, snapshot_path => "snapshots"}, {
            insta::assert_snapshot!("offered_tools", text);
        });
    }

    /// What the grant of a run does not allow is not offered.
    #[test]
    fn a_run_that_may_only_look_is_offered_no_actions() {
        let looking = Grant {
            effects: policy::Effects::Read,
            ..Grant::default()
        };
        let abilities = RunAbilities::default();
        let offer = offered(&Registry::builtin(), &looking, abilities, |_| true);
        let names: Vec<&str> = offer.iter().map(|tool| tool.name.as_str()).collect();
        assert_eq!(names, ["wait", "search_page", "extract", "done", "abort"]);
    }
}
