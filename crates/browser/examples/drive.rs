//! Drives one tab of Chromium by lines of JSON on stdin, one answer a line: `{"goto": "http://..."}`,
//! `{"snapshot": {"bytes": 20000, "search": "..."}}`, `{"screenshot": "file.png"}` or an action such as
//! `{"action": "click", "target": "E5"}`. For trying pages and for measuring the engine without an agent.
//!
//! `cargo run -p browser --example drive -- [--no-sandbox] [HOST...]`, where the hosts are granted.

use std::io::{BufRead as _, Write as _};

use browser::engines::chromium::{Chromium, ChromiumSettings};
use browser::snapshot::SnapshotView;
use browser::{Action, Browser as _, Profile, Tab};
use serde_json::{Value, json};

#[tokio::main]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let settings = ChromiumSettings {
        sandbox: !words.iter().any(|word| word == "--no-sandbox"),
        ..ChromiumSettings::default()
    };
    let browser = Chromium::new(net::Client::new(net::ClientConfig::default())?, settings);
    let profile = Profile {
        granted: words
            .iter()
            .filter(|word| !word.starts_with('-'))
            .cloned()
            .collect(),
        ..Profile::default()
    };
    let mut tab = browser.open(profile).await?;
    for line in std::io::stdin().lock().lines() {
        let answer = match answer(tab.as_mut(), &line?).await {
            Ok(answer) => answer,
            Err(why) => json!({"error": why}),
        };
        println!("{answer}");
        std::io::stdout().flush()?;
    }
    tab.close().await;
    browser.stop().await;
    Ok(())
}

async fn answer(tab: &mut dyn Tab, line: &str) -> Result<Value, String> {
    let asked: Value = serde_json::from_str(line).map_err(|why| why.to_string())?;
    if let Some(url) = asked["goto"].as_str() {
        let url = url.parse().map_err(|_| "no URL".to_owned())?;
        let visit = tab.goto(&url).await.map_err(|why| why.to_string())?;
        return Ok(json!({"url": visit.url, "status": visit.status, "title": visit.title}));
    }
    if asked.get("snapshot").is_some() {
        let view = SnapshotView {
            bytes: asked["snapshot"]["bytes"]
                .as_u64()
                .map_or(20_000, |it| it as usize),
            search: asked["snapshot"]["search"].as_str().map(str::to_owned),
            ..SnapshotView::default()
        };
        let snapshot = tab.snapshot().await.map_err(|why| why.to_string())?;
        return Ok(json!({"text": snapshot.text(&view), "elements": snapshot.nodes.len()}));
    }
    if let Some(file) = asked["screenshot"].as_str() {
        let picture = tab.screenshot(false).await.map_err(|why| why.to_string())?;
        std::fs::write(file, &picture).map_err(|why| why.to_string())?;
        return Ok(json!({"bytes": picture.len()}));
    }
    let action: Action = serde_json::from_value(asked).map_err(|why| why.to_string())?;
    let outcome = tab.act(&action).await.map_err(|why| why.to_string())?;
    Ok(json!({"visit": outcome.visit.map(|it| it.url), "notes": outcome.notes}))
}
