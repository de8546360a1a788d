//! Tables of pages as rows of objects.

use std::collections::{HashMap, HashSet};

use page::dom::Node;
use page::tables::{self, CellJoin, Table};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use crate::controls::element::{parse_selector, select_all};
use crate::{Error, Tool, ToolContext};

/// The tool `extraction.tables_to_json`.
pub struct ExtractionTablesToJson;

#[derive(Deserialize, schemars::JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Params {
    selector: Option<String>,
    index: Option<usize>,
    header: String,
    min_rows: usize,
    limit: usize,
    fields: Option<Vec<String>>,
}

#[derive(Serialize)]
pub struct Output {
    tables: Vec<JsonTable>,
}

/// One table.
#[derive(Serialize)]
pub struct JsonTable {
    caption: String,
    headers: Vec<String>,
    rows: Vec<Map<String, Value>>,
    row_count: usize,
    /// The names of all its columns, also of those that are not asked for.
    #[serde(skip)]
    columns: Vec<String>,
}

/// Most tables of a page that are read.
const MAX_TABLES: usize = 200;

impl Tool for ExtractionTablesToJson {
    type Params = Params;
    type Output = Output;

    async fn run(&self, params: Params, context: &mut ToolContext) -> Result<Output, Error> {
        let mut found = Vec::new();
        let selector = params
            .selector
            .as_deref()
            .map(|it| parse_selector("selector", it))
            .transpose()?;
        for page in context.pages().await? {
            let nodes: Vec<Node<'_>> = match &selector {
                None => page.dom().by_tag("table").take(MAX_TABLES).collect(),
                Some(selector) => {
                    let found = select_all("selector", page.dom().root(), selector)?
                        .into_iter()
                        .flat_map(|node| match node.is("table") {
                            true => vec![node],
                            false => node
                                .descendants()
                                .filter(|it| it.is("table"))
                                .take(MAX_TABLES)
                                .collect(),
                        });
                    found.take(MAX_TABLES).collect()
                }
            };
            let tables = tables::of_nodes(nodes.into_iter(), CellJoin::Shown);
            found.extend(tables.into_iter().map(|table| read(table, &params)));
        }
        let mut tables = found;
        if let Some(reason) = unknown_column(&tables, &params) {
            return Err(Error::param("fields", reason));
        }
        tables.retain(|it| it.row_count >= params.min_rows);
        if let Some(index) = params.index {
            let count = tables.len();
            let Some(one) = tables.into_iter().nth(index) else {
                return Err(Error::param(
                    "index",
                    format!("there are {count} such tables, counted from 0"),
                ));
            };
            tables = vec![one];
        }
        Ok(Output { tables })
    }
}

/// Why the columns that are asked for cannot be given; `None` where some table has each of them, and without tables.
fn unknown_column(tables: &[JsonTable], params: &Params) -> Option<String> {
    let mut columns: Vec<&str> = Vec::new();
    for name in tables.iter().flat_map(|table| &table.columns) {
        if !columns.contains(&name.as_str()) {
            columns.push(name);
        }
    }
    let is_unknown = |name: &&String| !columns.is_empty() && !columns.contains(&name.as_str());
    let unknown = params.fields.iter().flatten().find(is_unknown)?;
    Some(format!(
        "no table has a column {unknown:?}; there are {}",
        columns.join(", ")
    ))
}

fn read(table: Table, params: &Params) -> JsonTable {
    let mut rows = table.rows;
    let mut header = table.header;
    match params.header.as_str() {
        "none" if !header.is_empty() => rows.insert(0, std::mem::take(&mut header)),
        "first_row" if header.is_empty() && !rows.is_empty() => header = rows.remove(0),
        _ => {}
    }
    let width = rows.iter().map(Vec::len).max().unwrap_or(0).max(header.len());
    let headers = names(&header, width);
    let row_count = rows.len();
    let wanted = |name: &String| params.fields.as_ref().is_none_or(|it| it.contains(name));
    let object = |row: Vec<String>| {
        let cells = headers.iter().cloned().zip(row.into_iter().map(Value::String));
        cells.filter(|it| wanted(&it.0)).collect::<Map<String, Value>>()
    };
    let rows = rows.into_iter().take(params.limit).map(object).collect();
    JsonTable {
        caption: table.caption,
        rows,
        row_count,
        columns: headers.clone(),
        headers: headers.into_iter().filter(wanted).collect(),
    }
}

/// A name for each column: its heading, numbered where several share one, and its place where it has none.
fn names(header: &[String], width: usize) -> Vec<String> {
    let mut names: Vec<String> = Vec::with_capacity(width);
    let mut taken: HashSet<String> = HashSet::with_capacity(width);
    // The number that the next column of each heading has.
    let mut numbers: HashMap<String, usize> = HashMap::new();
    for at in 0..width {
        let heading = header.get(at).map(|it| it.trim()).unwrap_or_default();
        let base = if heading.is_empty() {
            format!("column_{}", at + 1)
        } else {
            heading.to_owned()
        };
        let mut name = base.clone();
        let number = numbers.entry(base.clone()).or_insert(2);
        while !taken.insert(name.clone()) {
            name = format!("{base} {number}");
            *number += 1;
        }
        names.push(name);
    }
    names
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_column_that_no_table_has_is_refused() {
        let table = |html: &str| {
            let page = page::Page::new(html, None);
            let node = page.dom().by_tag("table").next().unwrap();
            tables::table(node, CellJoin::Shown)
        };
        let read = |fields: &[&str]| {
            let params = Params {
                selector: None,
                index: None,
                header: "auto".into(),
                min_rows: 1,
                limit: 10,
                fields: Some(fields.iter().map(|name| (*name).to_owned()).collect()),
            };
            let html = "<table><tr><th>Name<th>Size<tr><td>Tea<td>2</table>";
            let tables = [read(table(html), &params)];
            unknown_column(&tables, &params)
        };
        assert_eq!(read(&["Name"]), None);
        assert_eq!(
            read(&["Name", "price"]).as_deref(),
            Some("no table has a column \"price\"; there are Name, Size")
        );
    }

    #[test]
    fn headings_that_columns_share_are_numbered() {
        let header = ["a", "a", "a 2", "", "a"].map(str::to_owned);
        assert_eq!(
            names(&header, 6),
            ["a", "a 2", "a 2 2", "column_4", "a 3", "column_6"]
        );
    }
}
