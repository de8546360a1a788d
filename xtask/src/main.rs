//! The project's own tasks. `cargo xtask` alone lists them.

mod audited;
mod bench;
mod bench_peers;
mod binary_packages;
mod capacity;
mod chaos;
mod checksum;
mod compare;
#[cfg(test)]
mod deploy;
mod dist;
mod docs_links;
mod fmt;
mod fuzz;
mod guide;
mod layers;
mod mcp_conformance;
mod new_tool;
mod packages;
mod pictures;
mod reference;
mod sbom;
mod schemas;
mod schemathesis;
mod shell;
mod supply;
mod test;
mod unused;

use std::process::ExitCode;

const USAGE: &str = "\
usage: cargo xtask <task>

  test     install what the tests need, then run every check and print the counts
  layers   compare imports with the table in ARCHITECTURE.md, find import cycles, check file sizes
  docs     check the links between Markdown files
  guide    write the documents as a site with a search: guide [--output FOLDER]
  reference  write docs/api.md and the types of the clients from docs/openapi.json (reference --check only looks)
  unused   find dependencies that no code uses
  supply   check licences, sources, banned crates and advisories of the dependencies, and the audited list
  sbom     write the bill of materials of the binary: sbom [--target TRIPLE] [--output FILE]
  dist     build the binary that is given to others, reproducibly, and its packages: dist [--package NAME] [--target TRIPLE]
  packages make archive, .deb, wheel and npm package of a binary: packages --binary FILE [--output FOLDER]
  fuzz     run fuzz targets: fuzz [TARGET...] [--minutes N] [--keep] [--build]
  fmt      format everything, also the files of tools (fmt --check only looks)
  new-tool write the two files of a new tool: new-tool forms.date_picker
  bench    measure the readings on labelled pages: bench extraction --data DIR [--scorer FILE] [NAME...]
           or how fast one thread reads them: bench speed --data DIR [--set NAME]... [--peer READING:NAME=COMMAND]...
           or a scrape of many pages from loopback: bench scrape [--peer scrapy=PYTHON] [--peer crawl4ai=PYTHON]
           or a crawl of a generated site: bench crawl [--pages N] [--peer scrapy=PYTHON] [--peer crawl4ai=PYTHON]
           or maps of generated sites: bench map [--show]
  compare  install other programs and measure them beside ours: compare [--binary FILE] [--data DIR] [--pages N]
  mcp-conformance  run the conformance suite of the Model Context Protocol
  mcp-clients  run the official clients of the Model Context Protocol, and its Inspector, against the server
  capacity simulate a day of runs on a cluster, and say which part is full first: capacity [--runs N] [--NAME N]...
  chaos    kill, stop and cut off parts of a cluster at random and check every run:
           chaos [--faults N] [--runs N] [--seed N] [--only FAULT,...] [--sync INTERVAL]
  cluster-tests  run the tests of the official clients and the crash tests with all runs on a NATS server
  schemathesis  send a server requests made from its OpenAPI document:
           schemathesis [--examples N] [--phases NAME,NAME...] [--seed N]
  pictures take the pictures of docs/console.md again
  schemas  write the JSON Schemas of the wire from its types
";

fn main() -> ExitCode {
    match run_task(&std::env::args().skip(1).collect::<Vec<_>>()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("xtask: {error:#}");
            ExitCode::FAILURE
        }
    }
}

fn run_task(words: &[String]) -> anyhow::Result<()> {
    std::env::set_current_dir(shell::workspace_root())?;
    match words.first().map(String::as_str) {
        Some("test") => test::run(),
        Some("layers") => layers::run(),
        Some("docs") => docs_links::run(),
        Some("guide") => guide::run(words.get(1..).unwrap_or_default()),
        Some("unused") => unused::run(),
        Some("supply") => supply::run().map(|advisories| println!("{advisories}")),
        Some("reference") => reference::run(words.get(1..).unwrap_or_default()),
        Some("sbom") => sbom::run(words.get(1..).unwrap_or_default()),
        Some("dist") => dist::run(words.get(1..).unwrap_or_default()),
        Some("packages") => packages::run(words.get(1..).unwrap_or_default()),
        Some("fuzz") => fuzz::run(words.get(1..).unwrap_or_default()),
        Some("fmt") => fmt::run(words.iter().any(|word| word == "--check")),
        Some("new-tool") => new_tool::run(words.get(1).map(String::as_str)),
        Some("bench") => {
            let rest = words.get(2..).unwrap_or_default();
            match words.get(1).map(String::as_str) {
                Some("scrape") => bench_peers::scrape(rest),
                Some("crawl") => bench_peers::crawl(rest),
                Some("map") => bench_peers::map(rest),
                Some("speed") => bench_peers::speed(rest),
                _ => bench::run(words.get(1..).unwrap_or_default()),
            }
        }
        Some("capacity") => capacity::run(words.get(1..).unwrap_or_default()),
        Some("chaos") => chaos::run(words.get(1..).unwrap_or_default()),
        Some("cluster-tests") => chaos::run_on_nats(),
        Some("compare") => compare::run(words.get(1..).unwrap_or_default()),
        Some("mcp-conformance") => mcp_conformance::run(),
        Some("mcp-clients") => mcp_conformance::run_clients(),
        Some("schemathesis") => {
            let rest: Vec<&str> = words.iter().skip(1).map(String::as_str).collect();
            schemathesis::run(&rest)
        }
        Some("pictures") => pictures::run(),
        Some("schemas") => schemas::run(),
        other => {
            eprint!("{USAGE}");
            anyhow::bail!(
                "{}",
                other.map_or("no task named".into(), |name| format!(
                    "no task is called {name:?}"
                ))
            )
        }
    }
}
