//! Forms of a page with their fields.

use page::dom::Node;
use serde_json::{Value, json};

use crate::input::{ElementsParams, scope};
use crate::{Error, Tool, ToolContext};

/// The tool `html.extract_forms`.
pub struct HtmlExtractForms;

impl Tool for HtmlExtractForms {
    type Params = ElementsParams;
    type Output = Value;

    async fn run(&self, params: ElementsParams, context: &mut ToolContext) -> Result<Value, Error> {
        let page = context.page().await?;
        let outer = scope(&page, params.selector.as_deref())?.map(|it| it.id());
        let field = |node: Node<'_>| {
            let is_field = matches!(node.tag(), "input" | "select" | "textarea" | "button");
            let options: Vec<String> = if node.is("select") {
                node.descendants()
                    .filter(|it| it.is("option"))
                    .take(200)
                    .map(|it| it.text())
                    .collect()
            } else {
                Vec::new()
            };
            is_field.then(|| json!({"tag": node.tag(), "name": node.attr("name"), "type": node.attr("type"), "id": node.attr("id"), "options": options}))
        };
        let found: Vec<Value> = page
            .dom()
            .by_tag("form")
            .filter(|it| outer.is_some_and(|outer| it.is_inside(outer)))
            .take(params.limit)
            .map(|form| {
                let action = page.absolute(form.attr("action").unwrap_or_default());
                let method = form.attr("method").unwrap_or("get").to_ascii_lowercase();
                let fields: Vec<Value> = form.descendants().filter_map(field).take(300).collect();
                json!({"action": action, "method": method, "fields": fields})
            })
            .collect();
        Ok(json!({"count": found.len(), "forms": found}))
    }
}
