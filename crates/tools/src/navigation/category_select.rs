//! Selection of a path in a category tree.

use serde::{Deserialize, Serialize};

use crate::controls::interaction;
use crate::controls::snapshot_search::{find_by_text, has_state, take_snapshot};
use crate::{Error, Tool, ToolContext};

/// The tool `navigation.category_select`.
pub struct NavigationCategorySelect;

#[derive(Deserialize, schemars::JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Params {
    path: Vec<String>,
    exact: bool,
}

#[derive(Serialize)]
pub struct Output {
    selected: Vec<String>,
    url_changed: bool,
    new_url: String,
}

/// Roles of categories, the likeliest first.
const ROLES: &[&str] = &["treeitem", "link", "menuitem", "tab", "button", "option"];
/// How long a branch may take to open, in milliseconds.
const TIMEOUT_MS: u64 = 1_500;

impl Tool for NavigationCategorySelect {
    type Params = Params;
    type Output = Output;

    async fn run(&self, params: Params, context: &mut ToolContext) -> Result<Output, Error> {
        let before = context.url();
        let mut selected = Vec::new();
        // On one page, a subcategory comes after its parent.
        let (mut from, mut place) = (0, context.url());
        for (at, name) in params.path.iter().enumerate() {
            let last = at + 1 == params.path.len();
            let snapshot = take_snapshot(context).await?;
            let mut found = find_by_text(&snapshot, ROLES, name, params.exact);
            let best = |found: &[(usize, String, browser::Ref)]| {
                let below = found.iter().find(|it| it.0 > from);
                below.or_else(|| found.first()).cloned()
            };
            let same: Vec<(usize, String, browser::Ref)> = found
                .iter()
                .filter(|it| it.1.trim().eq_ignore_ascii_case(name.trim()))
                .cloned()
                .collect();
            if !same.is_empty() {
                found = same;
            }
            let Some((index, text, target)) = best(&found) else {
                let shown = snapshot
                    .nodes
                    .iter()
                    .skip(from)
                    .filter(|it| it.target.is_some() && ROLES.contains(&it.role.as_str()));
                let names: Vec<&str> = shown
                    .map(|it| it.name.as_str())
                    .filter(|it| !it.is_empty())
                    .take(15)
                    .collect();
                let text = format!(
                    "there is no category {name:?} under {}; there are: {}",
                    if selected.is_empty() {
                        "the page".to_owned()
                    } else {
                        selected.join(" > ")
                    },
                    names.join(", ")
                );
                return Err(interaction::not_found(context, text).await);
            };
            let element = snapshot.nodes.get(index);
            let open_already = element.is_some_and(|it| has_state(it, "expanded"));
            if last || !open_already {
                interaction::click_ref(context, target).await?;
                interaction::wait_until_quiet(context, TIMEOUT_MS).await?;
            }
            selected.push(text);
            from = if context.url() == place { index } else { 0 };
            place = context.url();
        }
        let (url_changed, new_url) = interaction::address_change(context, before.as_ref());
        Ok(Output {
            selected,
            url_changed,
            new_url,
        })
    }
}
