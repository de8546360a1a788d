//! A value written as JSON.

use serde::Deserialize;
use serde_json::{Value, json};

use crate::{Error, Tool, ToolContext};

/// The tool `json.dumps`.
pub struct JsonDumps;

#[derive(Deserialize, schemars::JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Params {
    #[serde(default)]
    data: Value,
    indent: usize,
    sort_keys: bool,
}

impl Tool for JsonDumps {
    type Params = Params;
    type Output = Value;

    async fn run(&self, params: Params, _: &mut ToolContext) -> Result<Value, Error> {
        let data = if params.sort_keys {
            sorted(params.data)
        } else {
            params.data
        };
        let output = if params.indent == 0 {
            data.to_string()
        } else {
            indented(&data, params.indent)
        };
        Ok(json!({"length": output.len(), "output": output}))
    }
}

/// The value with the keys of every object in order.
fn sorted(mut value: Value) -> Value {
    let mut open = vec![&mut value];
    while let Some(value) = open.pop() {
        match value {
            Value::Array(items) => open.extend(items),
            Value::Object(fields) => {
                fields.sort_keys();
                open.extend(fields.values_mut());
            }
            _ => {}
        }
    }
    value
}

fn indented(value: &Value, spaces: usize) -> String {
    let indent = " ".repeat(spaces);
    let mut written = Vec::new();
    let formatter = serde_json::ser::PrettyFormatter::with_indent(indent.as_bytes());
    let mut writer = serde_json::Serializer::with_formatter(&mut written, formatter);
    match serde::Serialize::serialize(value, &mut writer) {
        Ok(()) => String::from_utf8(written).unwrap_or_default(),
        Err(_) => value.to_string(),
    }
}
