//! Tables of a page as grids of cells.

use serde_json::{Value, json};

use crate::input::{ElementsParams, scope};
use crate::{Error, Tool, ToolContext};

/// The tool `html.extract_tables`.
pub struct HtmlExtractTables;

impl Tool for HtmlExtractTables {
    type Params = ElementsParams;
    type Output = Value;

    async fn run(&self, params: ElementsParams, context: &mut ToolContext) -> Result<Value, Error> {
        let page = context.page().await?;
        let outer = scope(&page, params.selector.as_deref())?.map(|it| it.id());
        let found: Vec<Value> = page::tables::grids(&page)
            .into_iter()
            .filter(|it| outer.is_some_and(|outer| page.dom().node(it.node).is_inside(outer)))
            .take(params.limit)
            .map(|it| json!({"caption": it.caption, "header": it.header, "row_count": it.rows.len(), "rows": it.rows}))
            .collect();
        Ok(json!({"count": found.len(), "tables": found}))
    }
}
