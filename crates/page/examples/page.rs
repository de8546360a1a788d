//! Reads JSON lines `{"id", "url", "html"}` and writes one reading of each page, for measuring.
//!
//! `page markdown|relative|tables|links|text|parse < pages.jsonl`

use page::{Page, markdown, tables, text};
use serde::Deserialize;
use serde_json::json;
use std::io::{self, BufRead, Write};

#[derive(Deserialize)]
struct Input {
    id: serde_json::Value,
    #[serde(default)]
    url: String,
    html: String,
}

fn main() -> io::Result<()> {
    let reading = std::env::args().nth(1).unwrap_or_else(|| "markdown".to_owned());
    let mut out = io::BufWriter::new(io::stdout().lock());
    for line in io::stdin().lock().lines() {
        let line = line?;
        let Ok(Input { id, url, html }) = serde_json::from_str(&line) else {
            continue;
        };
        let page = Page::new(html, url::Url::parse(&url).ok());
        let body = page.dom().body().unwrap_or(page.dom().root());
        let answer = match reading.as_str() {
            "markdown" => json!({"id": id, "markdown": markdown::render_page(&page)}),
            "relative" => {
                let options = markdown::MarkdownOptions {
                    absolute: false,
                    ..Default::default()
                };
                json!({"id": id, "markdown": markdown::render(&page, &[body], &options)})
            }
            "tables" => {
                let tables = tables::grids(&page).into_iter();
                json!({"id": id, "tables": tables.map(|it| json!({"header": it.header, "rows": it.rows})).collect::<Vec<_>>()})
            }
            "text" => json!({"id": id, "text": text::render(body, &Default::default())}),
            _ => json!({"id": id, "nodes": page.dom().len()}),
        };
        writeln!(out, "{answer}")?;
    }
    Ok(())
}
