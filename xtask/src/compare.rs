//! `compare`: installs the peers that can be installed, and measures them beside ours with the scripts in `bench/`.

use std::path::Path;
use std::process::{Command, Stdio};

use anyhow::Context as _;

use crate::bench_peers::{self, Site};
use crate::{bench, shell};

/// Where the peers are installed.
const VENV: &str = ".cache/peers";
/// Which packages, one a line.
const REQUIREMENTS: &str = "tools/peers/requirements.txt";
/// What reads pages with a peer.
const READ: &str = "tools/peers/read.py";
/// Where the pages of the demo site are put, as the set `demo`.
const PAGES: &str = "target/compare";
/// Our readings with the peers that do the same, each by its name in `read.py` and by its package.
const READERS: [(&str, &str, &str); 5] = [
    ("text", "trafilatura", "trafilatura"),
    ("text", "readability", "readability-lxml"),
    ("markdown", "html2text", "html2text"),
    ("markdown", "markdownify", "markdownify"),
    ("metadata", "extruct", "extruct"),
];

/// `compare [--binary FILE] [--data DIR] [--pages N]`. With labelled pages in DIR the quality of our readings is measured too.
pub(crate) fn run(words: &[String]) -> anyhow::Result<()> {
    let named = |flag: &str| {
        let place = words.iter().position(|word| word == flag)?;
        words.get(place + 1).cloned()
    };
    let known = ["--binary", "--data", "--pages"];
    let flags = words.iter().step_by(2);
    anyhow::ensure!(
        words.len().is_multiple_of(2) && flags.clone().all(|flag| known.contains(&flag.as_str())),
        "usage: compare [--binary FILE] [--data DIR] [--pages N]"
    );
    let binary = match named("--binary") {
        Some(binary) => binary,
        None => {
            shell::run("cargo", &["build", "--release", "-p", "huntsman"])?;
            "target/release/huntsman".to_owned()
        }
    };
    let pages = named("--pages").unwrap_or_else(|| "500".to_owned());
    let installed = install()?;
    let python = format!("{VENV}/bin/python");
    let site = Site::start(&binary)?;
    shell::run("python3", &[READ, "set", &site.address, &format!("{PAGES}/demo")])?;
    let has = |package: &str| installed.iter().any(|name| name == package);
    println!("\n# How fast one thread reads the pages of the demo site\n");
    let readers = READERS.iter().filter(|(_, _, package)| has(package));
    let readers = readers.flat_map(|(reading, peer, _)| {
        [
            "--peer".to_owned(),
            format!("{reading}:{peer}={python} {READ} {peer}"),
        ]
    });
    let own = ["--binary", &binary, "--data", PAGES, "--set", "demo"].map(str::to_owned);
    bench_peers::speed(&own.into_iter().chain(readers).collect::<Vec<_>>())?;
    let scrapy = has("scrapy").then(|| format!("scrapy={python}"));
    let scrapy = scrapy.into_iter().flat_map(|peer| ["--peer".to_owned(), peer]);
    let own = ["--binary", &binary, "--pages", &pages].map(str::to_owned);
    let scraping: Vec<String> = own.into_iter().chain(scrapy).collect();
    println!("\n# Many pages of the demo site\n");
    bench_peers::scrape(&scraping)?;
    println!("\n# A crawl of a generated site\n");
    bench_peers::crawl(&scraping)?;
    if let Some(data) = named("--data") {
        println!("\n# Quality on labelled pages\n");
        bench::run(&["extraction", "--data", &data, "--binary", &binary].map(str::to_owned))?;
    }
    Ok(())
}

/// Installs each package, and gives the names of those that are there. What cannot be installed is named and left out.
fn install() -> anyhow::Result<Vec<String>> {
    let python = format!("{VENV}/bin/python");
    if !Path::new(&python).is_file() {
        shell::run("python3", &["-m", "venv", VENV])?;
    }
    let listed =
        std::fs::read_to_string(REQUIREMENTS).with_context(|| format!("cannot read {REQUIREMENTS}"))?;
    let mut installed = Vec::new();
    for package in listed
        .lines()
        .map(str::trim)
        .filter(|line| !line.is_empty() && !line.starts_with('#'))
    {
        let name = package.split("==").next().unwrap_or(package);
        let done = Command::new(&python)
            .args([
                "-m",
                "pip",
                "install",
                "--quiet",
                "--disable-pip-version-check",
                package,
            ])
            .stdout(Stdio::null())
            .status()
            .with_context(|| format!("cannot run {python}"))?;
        match done.success() {
            true => installed.push(name.to_owned()),
            false => println!("{package} cannot be installed here and is left out"),
        }
    }
    Ok(installed)
}
