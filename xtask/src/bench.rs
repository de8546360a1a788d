//! `bench extraction`: quality, speed and memory of reading, on labelled pages.

use std::path::{Path, PathBuf};

use anyhow::Context as _;
use serde_json::Value;

use crate::shell;

/// The measures: a name, the scorer's task, what our binary is asked for, how its answer is mapped, and where the main
/// figures stand in the scorer's report.
const MEASURES: &str = include_str!("measures.json");

/// `bench extraction --data DIR [--scorer FILE] [--binary FILE] [NAME...]`.
pub(crate) fn run(words: &[String]) -> anyhow::Result<()> {
    anyhow::ensure!(
        words.first().is_some_and(|word| word == "extraction"),
        "say what: cargo xtask bench extraction --data DIR"
    );
    let named = |flag: &str| {
        words
            .iter()
            .position(|word| word == flag)
            .and_then(|at| words.get(at + 1))
            .map(PathBuf::from)
    };
    let data = named("--data").context("--data DIR: the folder of labelled pages")?;
    let beside = data.parent().unwrap_or(Path::new(".")).join("bench.py");
    let scorer = named("--scorer").unwrap_or(beside);
    anyhow::ensure!(
        scorer.is_file(),
        "no scorer at {}: name one with --scorer FILE",
        scorer.display()
    );
    let binary = match named("--binary") {
        Some(binary) => binary,
        None => {
            shell::run("cargo", &["build", "--release", "-p", "huntsman"])?;
            PathBuf::from("target/release/huntsman")
        }
    };
    let measures: Vec<Value> = serde_json::from_str(MEASURES)?;
    let is_wanted = |measure: &&Value| words.iter().any(|word| measure["name"] == **word);
    let is_any_wanted = measures.iter().any(|measure| is_wanted(&measure));
    println!("| measure | figures | pages per user-second | peak MB |\n|---|---|---|---|");
    for measure in measures
        .iter()
        .filter(|measure| !is_any_wanted || is_wanted(measure))
    {
        println!("{}", take(measure, &scorer, &data, &binary)?);
    }
    Ok(())
}

/// Runs one measure and gives its row of the table.
fn take(measure: &Value, scorer: &Path, data: &Path, binary: &Path) -> anyhow::Result<String> {
    let text = |key: &str| measure[key].as_str().unwrap_or_default();
    let list = |key: &str| {
        measure[key]
            .as_array()
            .into_iter()
            .flatten()
            .filter_map(Value::as_str)
    };
    let file = format!("huntsman-bench-{}-{}.json", text("name"), std::process::id());
    let out = std::env::temp_dir().join(file);
    let (scorer, data, place) = (
        scorer.to_string_lossy(),
        data.to_string_lossy(),
        out.to_string_lossy(),
    );
    let batch = format!("{} {}", binary.display(), text("command"));
    let mut line = vec![
        &*scorer,
        text("task"),
        "--data",
        &data,
        "--batch",
        &batch,
        "--out",
        &place,
    ];
    for map in list("maps") {
        line.extend(["--map", map]);
    }
    shell::read("python3", &line)?;
    let report: Value = serde_json::from_str(&std::fs::read_to_string(&out)?)?;
    std::fs::remove_file(&out)?;
    let figures: Vec<String> = list("figures")
        .map(|name| format!("{name} {}", shown(find(&report, name))))
        .collect();
    let speed = shown(find(&report, "pages_per_user_s"));
    let memory = shown(find(&report, "peak_rss_mb"));
    Ok(format!(
        "| {} | {} | {speed} | {memory} |",
        text("name"),
        figures.join(", ")
    ))
}

/// The value under a dotted path, wherever in the report the path begins.
fn find<'a>(report: &'a Value, path: &str) -> Option<&'a Value> {
    let mut open = vec![report];
    while let Some(value) = open.pop() {
        let here = path.split('.').try_fold(value, |it, key| it.get(key));
        if here.is_some() {
            return here;
        }
        open.extend(value.as_object().into_iter().flat_map(|fields| fields.values()));
    }
    None
}

fn shown(value: Option<&Value>) -> String {
    match value {
        Some(Value::Number(number)) => number.to_string(),
        Some(Value::Object(scores)) => scores.get("f1").map_or("-".into(), Value::to_string),
        _ => "-".to_owned(),
    }
}
