//! Click on an element with a text.

use serde::{Deserialize, Serialize};

use crate::controls::interaction;
use crate::controls::snapshot_search::{find_by_text, take_snapshot};
use crate::{Error, Tool, ToolContext};

/// The tool `navigation.click_by_text`.
pub struct NavigationClickByText;

#[derive(Deserialize, schemars::JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Params {
    text: String,
    exact: bool,
    role: Option<String>,
    nth: usize,
    wait_after_ms: u64,
}

#[derive(Serialize)]
pub struct Output {
    clicked: bool,
    matched_text: String,
    candidates: usize,
    url_changed: bool,
    new_url: String,
}

impl Tool for NavigationClickByText {
    type Params = Params;
    type Output = Output;

    async fn run(&self, params: Params, context: &mut ToolContext) -> Result<Output, Error> {
        let before = context.url();
        let snapshot = take_snapshot(context).await?;
        let roles: Vec<&str> = params.role.as_deref().into_iter().collect();
        let mut found = find_by_text(&snapshot, &roles, &params.text, params.exact);
        // A form cannot be clicked.
        found.retain(|(at, ..)| {
            snapshot
                .nodes
                .get(*at)
                .is_some_and(|it| it.role != "form" || !roles.is_empty())
        });
        let candidates = found.len();
        let Some((_, matched_text, target)) = found.into_iter().nth(params.nth) else {
            let names: Vec<&str> = snapshot
                .nodes
                .iter()
                .filter(|it| it.target.is_some() && !it.name.is_empty())
                .map(|it| it.name.as_str())
                .take(15)
                .collect();
            let text = match candidates {
                0 => format!(
                    "nothing that can be clicked says {:?}; there are: {}",
                    params.text,
                    names.join(", ")
                ),
                few => format!(
                    "{few} elements say {:?}, and nth is {}, counted from 0",
                    params.text, params.nth
                ),
            };
            return Err(interaction::not_found(context, text).await);
        };
        interaction::click_ref(context, target).await?;
        interaction::wait_until_quiet(context, params.wait_after_ms).await?;
        let (url_changed, new_url) = interaction::address_change(context, before.as_ref());
        Ok(Output {
            clicked: true,
            matched_text,
            candidates,
            url_changed,
            new_url,
        })
    }
}
