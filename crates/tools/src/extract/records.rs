//! Which list does the page show?

use extract::rules::records::Group;
use serde::Deserialize;
use serde_json::{Value, json};

use crate::{Cx, Error, Tool};

/// The tool `extract.records`.
pub struct Records;

/// Its parameters.
#[derive(Deserialize, schemars::JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Params {
    limit: Option<usize>,
    columns: Option<Vec<String>>,
}

impl Tool for Records {
    type Params = Params;
    type Output = Value;

    async fn run(&self, params: Params, cx: &mut Cx) -> Result<Value, Error> {
        let page = cx.page().await?;
        let groups = tokio::task::spawn_blocking(move || extract::rules::records::find(&page))
            .await
            .map_err(|_| Error::Failed("the page's lists cannot be read".into()))?;
        let wanted = params.columns.unwrap_or_default();
        let has = |group: &Group| {
            wanted
                .iter()
                .filter(|it| {
                    group
                        .records
                        .iter()
                        .any(|record| record.fields.contains_key(it.as_str()))
                })
                .count()
        };
        let best = groups
            .iter()
            .enumerate()
            .max_by_key(|(at, group)| (has(group), std::cmp::Reverse(*at)))
            .map(|(_, it)| it);
        let rows: Vec<Value> = best
            .into_iter()
            .flat_map(|it| &it.records)
            .take(params.limit.unwrap_or(5000))
            .map(|it| {
                if it.fields.is_empty() {
                    json!({"text": it.text})
                } else {
                    Value::Object(it.fields.clone())
                }
            })
            .collect();
        Ok(json!({"count": rows.len(), "rows": rows}))
    }
}
