//! Relevance of rows to a query.

use std::collections::HashSet;

use serde::Deserialize;
use serde_json::{Map, Value, json};

use crate::input::rows;
use crate::values::{cell_text, share, words};
use crate::{Error, Tool, ToolContext};

/// The tool `analysis.score_relevance`.
pub struct AnalysisScoreRelevance;

#[derive(Deserialize, schemars::JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Params {
    rows: Option<Vec<Value>>,
    query: String,
}

impl Tool for AnalysisScoreRelevance {
    type Params = Params;
    type Output = Value;

    async fn run(&self, params: Params, context: &mut ToolContext) -> Result<Value, Error> {
        let rows = rows(context, params.rows)?;
        let wanted: HashSet<String> = words(&params.query).filter(|it| it.chars().count() > 1).collect();
        let score = |row: &Value| {
            let held: HashSet<String> = row
                .as_object()
                .into_iter()
                .flat_map(Map::values)
                .map(cell_text)
                .flat_map(|it| words(&it).collect::<Vec<_>>())
                .collect();
            let hits = wanted.iter().filter(|it| held.contains(*it)).count();
            share(hits, wanted.len())
        };
        let mut scored: Vec<(f64, Value)> = rows.into_iter().map(|it| (score(&it), it)).collect();
        scored.sort_by(|(one, _), (other, _)| other.total_cmp(one));
        let rows: Vec<Value> = scored
            .into_iter()
            .map(|(score, row)| json!({"row": row, "score": score}))
            .collect();
        Ok(json!({"count": rows.len(), "rows": rows}))
    }
}
