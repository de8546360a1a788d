//! The main list of a page as rows.

use extract::rules::records::{Record, RecordGroup};
use serde::Deserialize;
use serde_json::{Value, json};

use crate::{Error, Tool, ToolContext, articles, table_labels};

/// The tool `extract.records`.
pub struct ExtractRecords;

#[derive(Deserialize, schemars::JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Params {
    limit: Option<usize>,
    columns: Option<Vec<String>>,
}

impl Tool for ExtractRecords {
    type Params = Params;
    type Output = Value;

    async fn run(&self, params: Params, context: &mut ToolContext) -> Result<Value, Error> {
        let page = context.page().await?;
        let read = page.clone();
        let groups = tokio::task::spawn_blocking(move || extract::rules::records::find(&read))
            .await
            .map_err(|_| Error::Failed("the page's lists cannot be read".into()))?;
        let wanted = params.columns.unwrap_or_default();
        // What the entries count ("120 points", "12 comments") is no field of theirs, and can be read all the same.
        let count = |record: &Record, name: &str| {
            let field = record.fields.contains_key(name);
            (!field).then(|| articles::count_of(name, &record.text)).flatten()
        };
        let has = |group: &RecordGroup| {
            wanted
                .iter()
                .filter(|name| {
                    let has_field =
                        |record: &Record| record.fields.contains_key(*name) || count(record, name).is_some();
                    group.records.iter().any(has_field)
                })
                .count()
        };
        let best = groups
            .iter()
            .enumerate()
            .max_by_key(|(at, group)| (has(group), std::cmp::Reverse(*at)))
            .map(|(_, it)| it);
        for record in best.into_iter().flat_map(|group| &group.records) {
            let field = |name: &str| record.fields.get(name).and_then(Value::as_str);
            let numbers = record
                .roots
                .first()
                .map(|row| table_labels::labelled_numbers(&page, *row));
            let text = record.text.clone() + numbers.as_deref().unwrap_or_default();
            context.row_texts.keep(field("title"), field("url"), &text);
        }
        let rows: Vec<Value> = best
            .into_iter()
            .flat_map(|it| &it.records)
            .take(params.limit.unwrap_or(5000))
            .map(|record| {
                let mut row = record.fields.clone();
                let counts = wanted
                    .iter()
                    .filter_map(|name| Some((name.clone(), count(record, name)?.into())));
                row.extend(counts);
                if row.is_empty() {
                    json!({"text": record.text})
                } else {
                    Value::Object(row)
                }
            })
            .collect();
        Ok(json!({"count": rows.len(), "rows": rows}))
    }
}
