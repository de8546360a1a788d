//! `bench extraction`: quality, speed and memory of reading, on labelled pages.

use std::path::{Path, PathBuf};

use anyhow::Context as _;
use serde_json::Value;

use crate::shell;

/// One measure: the scorer's task, what our binary is asked for, and how its answer is named.
struct Measure {
    name: &'static str,
    task: &'static str,
    command: &'static str,
    maps: &'static [&'static str],
    /// Where the main figures stand in the scorer's answer.
    figures: &'static [&'static str],
}

const MEASURES: &[Measure] = &[
    Measure {
        name: "article",
        task: "article",
        command: "extract --jsonl --to text",
        maps: &[],
        figures: &["f1"],
    },
    Measure {
        name: "wcxb",
        task: "wcxb",
        command: "extract --jsonl --to text",
        maps: &[],
        figures: &["f1", "f1_mean_of_types"],
    },
    Measure {
        name: "snippets",
        task: "snippets",
        command: "extract --jsonl --to text",
        maps: &[],
        figures: &["f1"],
    },
    Measure {
        name: "markdown-full",
        task: "mdfidelity",
        command: "extract --jsonl --to markdown --content full",
        maps: &[],
        figures: &["fidelity", "text_f1"],
    },
    Measure {
        name: "markdown-main",
        task: "mdfidelity",
        command: "extract --jsonl --to markdown",
        maps: &[],
        figures: &["fidelity", "text_f1"],
    },
    Measure {
        name: "product",
        task: "product",
        command: "extract --jsonl --to item",
        maps: &[
            "price=item.price",
            "currency=item.currency",
            "sku=item.sku",
            "brand=item.brand",
            "gtin=item.gtin",
            "mpn=item.mpn",
            "availability=item.availability",
        ],
        figures: &["price.f1", "sku.f1", "OutOfStock.f1", "brand.f1", "currency.f1"],
    },
    Measure {
        name: "stripped",
        task: "stripped",
        command: "extract --jsonl --to item",
        maps: &[
            "name=item.title",
            "price=item.price",
            "currency=item.currency",
            "availability=item.availability",
            "brand=item.brand",
            "sku=item.sku",
            "rating=item.rating",
            "review_count=item.review_count",
            "image=item.image",
        ],
        figures: &["mean_f1"],
    },
    Measure {
        name: "listing",
        task: "listing",
        command: "extract --jsonl --to records",
        maps: &["groups=records.groups"],
        figures: &["f1_first", "f1_best_of_10"],
    },
    Measure {
        name: "tables",
        task: "tables",
        command: "extract --jsonl --to tables",
        maps: &[],
        figures: &["cell_f1", "exact"],
    },
    Measure {
        name: "prices",
        task: "prices",
        command: "parse price --jsonl",
        maps: &[],
        figures: &["ALL (no xfail).both", "XFAIL.both"],
    },
    Measure {
        name: "dates",
        task: "dates",
        command: "extract --jsonl --to item",
        maps: &["date=item.date_published"],
        figures: &["f1"],
    },
    Measure {
        name: "datestrings",
        task: "datestrings",
        command: "parse date --jsonl",
        maps: &[],
        figures: &["day"],
    },
    Measure {
        name: "structured",
        task: "structured",
        command: "extract --jsonl --to metadata",
        maps: &[
            "json-ld=metadata.json-ld",
            "microdata=metadata.microdata",
            "rdfa=metadata.rdfa",
            "opengraph=metadata.opengraph",
            "microformat=metadata.microformat",
            "dublincore=metadata.dublincore",
        ],
        figures: &["leaf_f1", "all"],
    },
    Measure {
        name: "meta",
        task: "meta",
        command: "extract --jsonl --to item",
        maps: &[
            "title=item.title",
            "author=item.author",
            "date=item.date_published",
        ],
        figures: &["title.f1", "author.f1", "date.f1"],
    },
];

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
    let wanted: Vec<&String> = words
        .iter()
        .filter(|word| MEASURES.iter().any(|measure| measure.name == *word))
        .collect();
    println!("| measure | figures | pages per user-second | peak MB |\n|---|---|---|---|");
    for measure in MEASURES
        .iter()
        .filter(|measure| wanted.is_empty() || wanted.iter().any(|name| *name == measure.name))
    {
        println!("{}", measure.take(&scorer, &data, &binary)?);
    }
    Ok(())
}

impl Measure {
    fn take(&self, scorer: &Path, data: &Path, binary: &Path) -> anyhow::Result<String> {
        let out = std::env::temp_dir().join(format!(
            "huntsman-bench-{}-{}.json",
            self.name,
            std::process::id()
        ));
        let (scorer, data, place) = (
            scorer.to_string_lossy(),
            data.to_string_lossy(),
            out.to_string_lossy(),
        );
        let batch = format!("{} {}", binary.display(), self.command);
        let mut line = vec![
            &*scorer, self.task, "--data", &data, "--batch", &batch, "--out", &place,
        ];
        for map in self.maps {
            line.extend(["--map", map]);
        }
        shell::read("python3", &line)?;
        let report: Value = serde_json::from_str(&std::fs::read_to_string(&out)?)?;
        std::fs::remove_file(&out)?;
        let figures: Vec<String> = self
            .figures
            .iter()
            .map(|name| format!("{name} {}", shown(find(&report, name))))
            .collect();
        let speed = shown(find(&report, "pages_per_user_s"));
        let memory = shown(find(&report, "peak_rss_mb"));
        Ok(format!(
            "| {} | {} | {speed} | {memory} |",
            self.name,
            figures.join(", ")
        ))
    }
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
