//! Which tables does the page have?

use serde::Deserialize;
use serde_json::{Value, json};

use crate::given::place;
use crate::{Error, Tool, ToolContext};

/// The tool `html.extract_tables`.
pub struct ExtractTables;

/// Its parameters.
#[derive(Deserialize, schemars::JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Params {
    selector: Option<String>,
    limit: usize,
}

impl Tool for ExtractTables {
    type Params = Params;
    type Output = Value;

    async fn run(&self, params: Params, context: &mut ToolContext) -> Result<Value, Error> {
        let page = context.page().await?;
        let outer = place(&page, params.selector.as_deref())?.map(|it| it.id());
        let found: Vec<Value> = page::tables::grids(&page)
            .into_iter()
            .filter(|it| outer.is_some_and(|outer| page.dom().node(it.node).is_inside(outer)))
            .take(params.limit)
            .map(|it| json!({"caption": it.caption, "header": it.header, "row_count": it.rows.len(), "rows": it.rows}))
            .collect();
        Ok(json!({"count": found.len(), "tables": found}))
    }
}
