//! The same request as a line of curl, as Python and as TypeScript.

use std::fmt::Write as _;

use serde::Serialize;
use serde_json::Value;

/// One request in three languages.
#[derive(Debug, Serialize)]
pub(super) struct Snippets {
    curl: String,
    python: String,
    typescript: String,
}

/// Code that sends `body` to `path` of the server at `base`.
pub(super) fn of(base: &str, path: &str, body: &Value, with_key: bool) -> Snippets {
    let json = format!("{body:#}");
    let url = format!("{base}{path}");
    Snippets {
        curl: curl(&url, &json, with_key),
        python: python(&url, body, with_key),
        typescript: typescript(&url, &json, with_key),
    }
}

fn curl(url: &str, json: &str, with_key: bool) -> String {
    let key = if with_key {
        " \\\n  -H \"Authorization: Bearer $HUNTSMAN_KEY\""
    } else {
        ""
    };
    let body = json.replace('\'', "'\\''");
    format!("curl -N {url}{key} \\\n  -H 'Content-Type: application/json' \\\n  -d '{body}'")
}

fn python(url: &str, body: &Value, with_key: bool) -> String {
    let (import, headers) = match with_key {
        true => (
            "import os\n",
            "    headers={\"Authorization\": f\"Bearer {os.environ['HUNTSMAN_KEY']}\"},\n",
        ),
        false => ("", ""),
    };
    let body = literal(body, 1);
    format!(
        "{import}import requests\n\nwith requests.post(\n    \"{url}\",\n{headers}    json={body},\n    stream=True,\n) as response:\n    \
         response.raise_for_status()\n    for line in response.iter_lines(decode_unicode=True):\n        print(line)"
    )
}

fn typescript(url: &str, json: &str, with_key: bool) -> String {
    let key = if with_key {
        "\n    \"Authorization\": `Bearer ${process.env.HUNTSMAN_KEY}`,"
    } else {
        ""
    };
    let body = json.replace('\n', "\n  ");
    format!(
        "const response = await fetch(\"{url}\", {{\n  method: \"POST\",\n  headers: {{\n    \"Content-Type\": \"application/json\",{key}\n  }},\n  \
         body: JSON.stringify({body}),\n}});\nfor await (const chunk of response.body!.pipeThrough(new TextDecoderStream())) {{\n  \
         process.stdout.write(chunk);\n}}"
    )
}

/// JSON as Python writes it.
fn literal(value: &Value, depth: usize) -> String {
    let indent = "    ".repeat(depth + 1);
    let end = "    ".repeat(depth);
    match value {
        Value::Null => "None".into(),
        Value::Bool(true) => "True".into(),
        Value::Bool(false) => "False".into(),
        Value::Number(number) => number.to_string(),
        Value::String(_) => value.to_string(),
        Value::Array(list) if list.is_empty() => "[]".into(),
        Value::Array(list) => {
            let lines = list.iter().fold(String::new(), |mut text, item| {
                let _ = writeln!(text, "{indent}{},", literal(item, depth + 1));
                text
            });
            format!("[\n{lines}{end}]")
        }
        Value::Object(map) if map.is_empty() => "{}".into(),
        Value::Object(map) => {
            let lines = map.iter().fold(String::new(), |mut text, (name, item)| {
                let name = Value::from(name.as_str());
                let _ = writeln!(text, "{indent}{name}: {},", literal(item, depth + 1));
                text
            });
            format!("{{\n{lines}{end}}}")
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_request_is_the_same_in_every_language() {
        let body = json!({"task": "it's \"it\"", "interactive": true, "data": null, "list": [1]});
        let code = of("http://127.0.0.1:1", "/v1/automate", &body, true);
        assert!(
            code.curl.contains("it'\\''s \\\"it\\\"") && code.curl.contains("$HUNTSMAN_KEY"),
            "{}",
            code.curl
        );
        assert!(
            code.python.contains("\"interactive\": True") && code.python.contains("\"data\": None"),
            "{}",
            code.python
        );
        assert!(
            code.typescript.contains("\"interactive\": true"),
            "{}",
            code.typescript
        );
        assert!(!of("http://a", "/b", &body, false).python.contains("KEY"));
    }
}
