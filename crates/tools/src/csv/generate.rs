//! How are rows written as CSV?

use serde::Deserialize;
use serde_json::{Value, json};

use crate::given::{fields, rows, shown};
use crate::{Cx, Error, Tool};

/// The tool `csv.generate`.
pub struct Generate;

/// Its parameters.
#[derive(Deserialize, schemars::JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Params {
    data: Option<Vec<Value>>,
    fields: Option<Vec<String>>,
}

impl Tool for Generate {
    type Params = Params;
    type Output = Value;

    async fn run(&self, params: Params, cx: &mut Cx) -> Result<Value, Error> {
        let rows = rows(cx, params.data)?;
        let columns = params.fields.unwrap_or_else(|| fields(&rows));
        let line = |cells: Vec<String>| cells.join(",") + "\r\n";
        let mut csv = line(columns.iter().map(|it| cell(it)).collect());
        for row in &rows {
            csv.push_str(&line(
                columns
                    .iter()
                    .map(|it| cell(&shown(row.get(it).unwrap_or(&Value::Null))))
                    .collect(),
            ));
        }
        Ok(json!({"csv": csv, "rows": rows.len(), "columns": columns, "empty": rows.is_empty()}))
    }
}

fn cell(text: &str) -> String {
    let armed = text.starts_with(['=', '+', '-', '@', '\t', '\r']) && text.parse::<f64>().is_err();
    let text = if armed {
        format!("'{text}")
    } else {
        text.to_owned()
    };
    if text.contains(['"', ',', '\n', '\r']) {
        format!("\"{}\"", text.replace('"', "\"\""))
    } else {
        text
    }
}
