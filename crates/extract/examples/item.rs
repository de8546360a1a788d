//! Reads JSON lines of pages and prints the item of each, for measuring.
#![allow(clippy::unwrap_used)]

use std::io::{BufRead, Write};

use extract::mode::Request;
use extract::modes::rule_based;

fn main() {
    let mut out = std::io::BufWriter::new(std::io::stdout().lock());
    for line in std::io::stdin().lock().lines() {
        let row: serde_json::Value = serde_json::from_str(&line.unwrap()).unwrap();
        let url = row["url"].as_str().and_then(|it| url::Url::parse(it).ok());
        let page = page::Page::new(row["html"].as_str().unwrap_or_default(), url);
        let mut answer = match rule_based::read(&page, &Request::default()) {
            Ok(item) => serde_json::to_value(&item).unwrap(),
            Err(error) => serde_json::json!({"error": error.to_string()}),
        };
        answer["id"] = row["id"].clone();
        serde_json::to_writer(&mut out, &answer).unwrap();
        out.write_all(b"\n").unwrap();
    }
}
