//! Reads the items of many pages with the measures that their confidence is learned from.
//!
//! JSON lines in (`{"id","url","html"}`), JSON lines out, in order: `{"id","item","features": {field: {measure: number}},
//! "entries": [{measure: number}]}`; with the argument `rated` only the item as it is given.

use std::collections::BTreeMap;
use std::io::{BufRead, Write};

use extract::confidence::{Features, ItemFeatures};
use extract::mode::ExtractionRequest;
use extract::modes::rule_based;
use page::Page;
use serde_json::{Value, json};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let rated = std::env::args().nth(1).as_deref() == Some("rated");
    let mut out = std::io::BufWriter::new(std::io::stdout().lock());
    for line in std::io::stdin().lock().lines() {
        let input: Value = serde_json::from_str(&line?)?;
        let html = input["html"].as_str().unwrap_or_default();
        let url = input["url"].as_str().and_then(|url| url::Url::parse(url).ok());
        let page = Page::new(html, url);
        let request = ExtractionRequest::default();
        let answer = if rated {
            json!({"id": input["id"], "item": rule_based::read(&page, &request).ok()})
        } else {
            let (item, features) = rule_based::describe(&page, &request)
                .map_or((None, ItemFeatures::default()), |read| (Some(read.0), read.1));
            let by_name = |features: Features| features.into_iter().collect::<BTreeMap<&str, f32>>();
            let fields = features.fields.into_iter();
            let fields: BTreeMap<String, _> = fields
                .map(|(field, features)| (field, by_name(features)))
                .collect();
            let entries: Vec<_> = features.entries.into_iter().map(by_name).collect();
            json!({"id": input["id"], "item": item, "features": fields, "entries": entries})
        };
        writeln!(out, "{answer}")?;
    }
    Ok(())
}
