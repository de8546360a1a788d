//! Reads pages from JSON lines, `{"id", "url", "html"}` each, and writes one reading of each: `--to text`,
//! `--to markdown`, `--to markdown-full`, `--to blocks` (what the weights of the main content are learned from). `--without kind,learned,words,hints` turns parts off.

use extract::rules::content::{self, ContentOptions};
use page::Page;
use serde_json::{Value, json};
use std::io::{BufRead, Write};

fn main() -> std::io::Result<()> {
    let args: Vec<String> = std::env::args().collect();
    let after = |flag: &str| {
        args.iter()
            .position(|argument| argument == flag)
            .and_then(|at| args.get(at + 1))
            .map(String::as_str)
    };
    let to = after("--to").unwrap_or("text");
    let off = |part: &str| after("--without").is_some_and(|parts| parts.split(',').any(|name| name == part));
    let options = ContentOptions {
        kind: !off("kind"),
        learned: !off("learned"),
        vocabulary: !off("words"),
        metadata: !off("hints"),
        strictness: after("--strictness")
            .and_then(|text| text.parse().ok())
            .unwrap_or(1.0),
    };
    let mut out = std::io::BufWriter::new(std::io::stdout().lock());
    for line in std::io::stdin().lock().lines() {
        let Ok(row) = serde_json::from_str::<Value>(&line?) else {
            continue;
        };
        let html = row.get("html").and_then(Value::as_str).unwrap_or("");
        let url = row
            .get("url")
            .and_then(Value::as_str)
            .and_then(|url| url::Url::parse(url).ok());
        let page = Page::new(html, url);
        let given = |key: &str| -> Option<Vec<f32>> {
            row.get(key)
                .and_then(|value| serde_json::from_value(value.clone()).ok())
        };
        let find = || match given("final") {
            Some(probabilities) => content::find_given(
                &page,
                &options,
                &probabilities,
                &given("kinds").unwrap_or_default(),
            ),
            None => content::find_with(&page, &options),
        };
        let mut answer = match to {
            "blocks" => serde_json::to_value(content::describe(
                &page,
                &options,
                given("chances").as_deref(),
                given("kinds").as_deref(),
            ))?,
            "markdown-full" => json!({ "markdown": page::markdown::render_page(&page) }),
            "markdown" => {
                let found = find();
                json!({ "markdown": content::markdown(&page, &found), "kind": found.kind })
            }
            _ => {
                let found = find();
                json!({ "text": content::text(&page, &found), "kind": found.kind })
            }
        };
        if let (Some(answer), Some(id)) = (answer.as_object_mut(), row.get("id")) {
            answer.insert("id".into(), id.clone());
        }
        serde_json::to_writer(&mut out, &answer)?;
        out.write_all(b"\n")?;
    }
    out.flush()
}
