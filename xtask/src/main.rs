//! The project's own chores. `cargo xtask` alone lists them.

mod bench;
mod bench_beside;
mod floors;
mod fmt;
mod new_tool;
mod schemas;
mod shell;
mod test;

use std::process::ExitCode;

const USAGE: &str = "\
usage: cargo xtask <chore>

  test     install what the tests need, then run every check and print the counts
  floors   compare who imports whom with the table in ARCHITECTURE.md, and look at file sizes
  fmt      format everything, also the files of tools (fmt --check only looks)
  new-tool write the two files of a new tool: new-tool forms.date_picker
  bench    measure the readings on labelled pages: bench extraction --data DIR [--scorer FILE] [NAME...]
           or how fast one thread reads them: bench speed --data DIR [--set NAME]... [--peer READING:NAME=COMMAND]...
           or a scrape of many pages from loopback: bench scrape [--peer scrapy=PYTHON] [--peer crawl4ai=PYTHON]
  schemas  write the JSON Schemas of the wire from its types
";

fn main() -> ExitCode {
    match chore(&std::env::args().skip(1).collect::<Vec<_>>()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("xtask: {error:#}");
            ExitCode::FAILURE
        }
    }
}

fn chore(words: &[String]) -> anyhow::Result<()> {
    std::env::set_current_dir(shell::workspace_root())?;
    match words.first().map(String::as_str) {
        Some("test") => test::run(),
        Some("floors") => floors::run(),
        Some("fmt") => fmt::run(words.iter().any(|it| it == "--check")),
        Some("new-tool") => new_tool::run(words.get(1).map(String::as_str)),
        Some("bench") => {
            let rest = words.get(2..).unwrap_or_default();
            match words.get(1).map(String::as_str) {
                Some("scrape") => bench_beside::scrape(rest),
                Some("speed") => bench_beside::speed(rest),
                _ => bench::run(words.get(1..).unwrap_or_default()),
            }
        }
        Some("schemas") => schemas::run(),
        other => {
            eprint!("{USAGE}");
            anyhow::bail!(
                "{}",
                other.map_or("no chore named".into(), |name| format!(
                    "no chore is called {name:?}"
                ))
            )
        }
    }
}
