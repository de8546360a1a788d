//! Measures the fact readings: JSON lines in, JSON lines out. `facts --to datestring|date|meta|metadata`.
#![allow(clippy::unwrap_used, clippy::panic, missing_docs)]

use std::io::{BufRead, Write};

use extract::rules::dates;
use serde_json::{Value, json};

fn main() {
    let to = std::env::args().nth(2).unwrap_or_default();
    let mut out = std::io::BufWriter::new(std::io::stdout().lock());
    for line in std::io::stdin().lock().lines() {
        let row: Value = serde_json::from_str(&line.unwrap()).unwrap();
        let text = |key: &str| row[key].as_str().unwrap_or("");
        let mut answer = match to.as_str() {
            "datestring" => {
                let now = text("now").parse().unwrap();
                json!({"date": dates::parse(text("text"), now, &dates::Hints::default()).map(|it| it.to_string())})
            }
            "date" => {
                let page = page(&row);
                let metadata = page::meta::Metadata::read(&page);
                let now = jiff::Zoned::now().datetime();
                let found = extract::rules::published::published(&page, &metadata, now);
                let source = found.as_ref().map(|it| it.source.to_string());
                json!({"date": found.map(|it| it.value.moment.date.to_string()), "source": source})
            }
            "meta" => {
                let page = page(&row);
                let metadata = page::meta::Metadata::read(&page);
                let now = jiff::Zoned::now().datetime();
                let date = extract::rules::published::published(&page, &metadata, now);
                let title = extract::rules::title::title(&page, &metadata);
                let author = extract::rules::author::author(&page, &metadata);
                json!({
                    "date": date.as_ref().map(|it| it.value.moment.date.to_string()),
                    "title": title.as_ref().map(|it| &it.value),
                    "author": author.as_ref().map(|it| &it.value),
                    "sources": [date.map(|it| it.source.to_string()), title.map(|it| it.source.to_string()),
                        author.map(|it| it.source.to_string())],
                })
            }
            "metadata" => serde_json::to_value(page::meta::Metadata::read(&page(&row))).unwrap(),
            other => panic!("no reading called {other}"),
        };
        answer["id"] = row["id"].clone();
        writeln!(out, "{answer}").unwrap();
    }
}

fn page(row: &Value) -> page::Page {
    let url = row["url"].as_str().and_then(|url| url.parse().ok());
    page::Page::new(row["html"].as_str().unwrap_or(""), url)
}
