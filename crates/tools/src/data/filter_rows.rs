//! Rows that meet conditions.

use page::Page;
use serde::Deserialize;
use serde_json::{Value, json};

use crate::input::rows;
use crate::rows::condition::RowCondition;
use crate::rows::entry_names::entry_names;
use crate::rows::filter::filter;
use crate::rows::grouped_numbers;
use crate::rows::row_texts::RowTexts;
use crate::rows::source::RowSource;
use crate::words::text_words;
use crate::words::word_forms::joins_words;
use crate::{Error, Tool, ToolContext};

/// Most headings that tell what a page is about.
const MOST_HEADINGS: usize = 3;

/// The tool `data.filter_rows`.
pub struct DataFilterRows;

#[derive(Deserialize, schemars::JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Params {
    rows: Option<Vec<Value>>,
    conditions: Vec<RowCondition>,
    any_of: Vec<Vec<RowCondition>>,
    limit: Option<usize>,
}

impl Tool for DataFilterRows {
    type Params = Params;
    type Output = Value;

    async fn run(&self, params: Params, context: &mut ToolContext) -> Result<Value, Error> {
        let rows = rows(context, params.rows)?;
        if params.conditions.is_empty() && params.any_of.is_empty() {
            return Err(Error::param(
                "conditions",
                "there are none, and no alternatives in any_of",
            ));
        }
        let about = match context.has_page() {
            true => match context.page().await {
                Ok(page) => source(&page, &rows, &context.row_texts),
                Err(_) => RowSource::default(),
            },
            false => RowSource::default(),
        };
        let mut source = RowSource {
            texts: context.row_texts.clone(),
            now: context.now(),
            ..about
        };
        source.count_from_present_of(&rows);
        let total = rows.len();
        let read = move || {
            let filtered = filter(rows, &params.conditions, &params.any_of, &source);
            text_words::forget();
            filtered
        };
        let mut filtered = tokio::task::spawn_blocking(read)
            .await
            .map_err(|_| Error::Failed("the rows cannot be compared".into()))?;
        filtered.rows.truncate(params.limit.unwrap_or(usize::MAX));
        if filtered.undecided > 0 {
            context.warn(format!(
                "{} rows that do not tell what the conditions ask were left out",
                filtered.undecided
            ));
        }
        Ok(json!({
            "rows": filtered.rows,
            "count": filtered.rows.len(),
            "checked": total,
            "undecided": filtered.undecided,
            "applied": filtered.applied,
            "not_applied": filtered.not_applied,
        }))
    }
}

/// What a page is about, and its language.
fn source(page: &Page, rows: &[Value], texts: &RowTexts) -> RowSource {
    let dom = page.dom();
    let headings = dom
        .by_tag("title")
        .take(1)
        .chain(dom.by_tag("h1").take(MOST_HEADINGS));
    let subject: Vec<String> = headings.map(|heading| heading.text()).collect();
    let language = grouped_numbers::language(page);
    RowSource {
        subject: subject.join("\n"),
        entry_names: entry_names(dom, rows, texts),
        joins_words: language.as_deref().is_some_and(joins_words),
        language,
        ..RowSource::default()
    }
}
