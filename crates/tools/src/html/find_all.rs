//! Elements with a tag and attributes.

use page::dom::Node;
use serde::Deserialize;
use serde_json::{Map, Value, json};

use crate::controls::element::element;
use crate::values::cell_text;
use crate::{Error, Tool, ToolContext};

/// The tool `html.find_all`.
pub struct HtmlFindAll;

#[derive(Deserialize, schemars::JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Params {
    tag: Option<String>,
    attrs: Map<String, Value>,
    limit: usize,
}

impl Tool for HtmlFindAll {
    type Params = Params;
    type Output = Value;

    async fn run(&self, params: Params, context: &mut ToolContext) -> Result<Value, Error> {
        let page = context.page().await?;
        let tag = params.tag.map(|it| it.to_ascii_lowercase());
        let fits = |node: &Node<'_>| {
            node.is_element()
                && tag.as_ref().is_none_or(|it| node.tag() == it)
                && params
                    .attrs
                    .iter()
                    .all(|(name, value)| node.attr(name).is_some_and(|it| it == cell_text(value)))
        };
        let mut found = page.dom().nodes().filter(fits);
        let nodes: Vec<Node<'_>> = found.by_ref().take(params.limit).collect();
        let mut tags: Vec<&str> = nodes.iter().map(|it| it.tag()).collect();
        tags.sort_unstable();
        tags.dedup();
        let count = nodes.len() + found.count();
        Ok(
            json!({"elements_found": count, "tags": tags, "elements": nodes.into_iter().map(element).collect::<Vec<_>>()}),
        )
    }
}
