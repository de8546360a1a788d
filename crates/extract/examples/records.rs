//! Reads the lists (`records`), the page links (`pages`) or the measures to train on (`measures` of groups, `list` of pages)
//! of many pages.
//!
//! JSON lines in (`{"id","url","html"}`, for `measures` also `"records": [[text]]`, what people say the
//! records are, or `"text"`, what they say is the main content), JSON lines out, in order. Further arguments name
//! parts to leave out: runs, cousins, everywhere, repair.

use std::collections::HashMap;
use std::io::{BufRead, Write};

use extract::rules::visible_page::VisiblePage;
use extract::rules::{content, list_page, pagination, records};
use page::Page;
use serde_json::{Value, json};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let task = std::env::args().nth(1).unwrap_or_default();
    let without: Vec<String> = std::env::args().skip(2).collect();
    let on = |name: &str| !without.iter().any(|part| part == name);
    let options = records::RecordOptions {
        runs: on("runs"),
        cousins: on("cousins"),
        everywhere: on("everywhere"),
        repair: on("repair"),
        ..Default::default()
    };
    let mut out = std::io::BufWriter::new(std::io::stdout().lock());
    for line in std::io::stdin().lock().lines() {
        let mut input: Value = serde_json::from_str(&line?)?;
        let html = match input.get_mut("html").map(Value::take) {
            Some(Value::String(html)) => html,
            _ => String::new(),
        };
        let url = input["url"].as_str().and_then(|url| url::Url::parse(url).ok());
        let page = Page::new(html, url);
        let mut answer = match task.as_str() {
            "pages" => json!(pagination::links(&page)),
            "list" => list_measures(&page),
            "measures" => measures(
                &page,
                &input["records"],
                input["text"].as_str().unwrap_or(""),
                &options,
            ),
            _ => json!({ "groups": records::find_with(&page, &options) }),
        };
        answer["id"] = input["id"].take();
        writeln!(out, "{answer}")?;
    }
    Ok(())
}

/// What speaks for and against a list, by name.
fn list_measures(page: &Page) -> Value {
    let view = VisiblePage::of(page);
    let options = records::RecordOptions {
        groups: 1,
        ..Default::default()
    };
    let groups = records::find_with(page, &options);
    let content = content::find(page);
    let measures = list_page::measure(&view, &content, groups.first());
    let measures: Vec<Value> = measures
        .into_iter()
        .map(|(name, value)| json!([name, value]))
        .collect();
    json!({ "kind": content.kind, "measures": measures })
}

fn measures(page: &Page, truth: &Value, text: &str, options: &records::RecordOptions) -> Value {
    let mut words = Words::default();
    let text = words.bag(text);
    let truth: Vec<Vec<u32>> = truth
        .as_array()
        .into_iter()
        .flatten()
        .map(|record| words.bag(&texts(record)))
        .collect();
    let options = records::RecordOptions {
        groups: usize::MAX,
        fields: false,
        ..options.clone()
    };
    let mut names = Vec::new();
    let rows: Vec<Value> = records::ranked(page, &options)
        .into_iter()
        .map(|(features, group)| {
            names = features.iter().map(|feature| feature.0).collect();
            let bags: Vec<Vec<u32>> = group
                .records
                .iter()
                .take(400)
                .map(|record| words.bag(&record.text))
                .collect();
            let mut all = bags.concat();
            all.sort_unstable();
            let cover = 2.0 * shared(&all, &text) as f64 / (all.len() + text.len()).max(1) as f64;
            let first: String = group
                .records
                .iter()
                .take(1)
                .flat_map(|record| record.text.chars().take(80))
                .collect();
            json!({ "features": features.iter().map(|feature| feature.1).collect::<Vec<_>>(), "f1": f1(&bags, &truth), "cover": cover, "first": first })
        })
        .collect();
    json!({ "names": names, "candidates": rows })
}

fn texts(value: &Value) -> String {
    let parts: Vec<&str> = value
        .as_array()
        .into_iter()
        .flatten()
        .filter_map(Value::as_str)
        .collect();
    parts.join(" ")
}

#[derive(Default)]
struct Words(HashMap<String, u32>);

impl Words {
    fn bag(&mut self, text: &str) -> Vec<u32> {
        let lower = text.to_lowercase();
        let mut bag = Vec::new();
        for word in lower
            .split(|c: char| !c.is_alphanumeric() && c != '_')
            .filter(|it| !it.is_empty())
        {
            let next = self.0.len() as u32;
            bag.push(*self.0.entry(word.to_owned()).or_insert(next));
        }
        bag.sort_unstable();
        bag
    }
}

/// Records match one to one, best first; a block must hold 60 % of a record's words, and those must be 25 % of the block.
fn f1(blocks: &[Vec<u32>], truth: &[Vec<u32>]) -> f64 {
    let mut pairs = Vec::new();
    for (i, block) in blocks.iter().enumerate() {
        for (j, record) in truth.iter().enumerate() {
            let shared = shared(block, record) as f64;
            let (b, r) = (block.len() as f64, record.len() as f64);
            if shared > 0.0 && shared / r >= 0.6 && shared / b >= 0.25 {
                pairs.push((-(2.0 * shared / (b + r)), i, j));
            }
        }
    }
    pairs.sort_by(|a, b| a.0.total_cmp(&b.0));
    let (mut used, mut met) = (vec![false; blocks.len()], vec![false; truth.len()]);
    let mut matched = 0usize;
    for (_, i, j) in pairs {
        if !used[i] && !met[j] {
            (used[i], met[j]) = (true, true);
            matched += 1;
        }
    }
    let blocks = blocks.iter().filter(|block| !block.is_empty()).count();
    2.0 * matched as f64 / (blocks + truth.len()).max(1) as f64
}

fn shared(a: &[u32], b: &[u32]) -> usize {
    let (mut at, mut to, mut shared) = (0, 0, 0);
    while let (Some(x), Some(y)) = (a.get(at), b.get(to)) {
        shared += usize::from(x == y);
        at += usize::from(x <= y);
        to += usize::from(y <= x);
    }
    shared
}
