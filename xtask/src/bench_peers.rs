//! `bench scrape`, `bench crawl`, `bench map` and `bench speed`: our binary beside other programs, by the scripts in `bench/`.

use std::io::{BufRead as _, BufReader};
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};

use anyhow::Context as _;

use crate::shell;

/// The demo site in a process of its own, gone with this value.
pub(crate) struct Site {
    child: Child,
    pub(crate) address: String,
}

impl Site {
    pub(crate) fn start(binary: &str) -> anyhow::Result<Site> {
        let mut child = Command::new(binary)
            .args(["demo-site", "--port", "0"])
            .stdout(Stdio::piped())
            .spawn()
            .with_context(|| format!("cannot run {binary}"))?;
        let output = child.stdout.take().context("the demo site says nothing")?;
        let mut address = String::new();
        BufReader::new(output).read_line(&mut address)?;
        let address = address.trim().to_owned();
        Ok(Site { child, address })
    }
}

impl Drop for Site {
    fn drop(&mut self) {
        // It may have ended already.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// `bench scrape [--binary FILE] [--pages N] [--peer NAME=PYTHON]...`: many pages from loopback.
pub(crate) fn scrape(words: &[String]) -> anyhow::Result<()> {
    let (binary, rest) = binary(words)?;
    let site = Site::start(&binary)?;
    script(
        "bench/scrape.py",
        &["--site", &site.address, "--binary", &binary],
        &rest,
    )
}

/// `bench crawl [--binary FILE] [--pages N] [--peer scrapy=PYTHON]...`: a generated site from loopback.
pub(crate) fn crawl(words: &[String]) -> anyhow::Result<()> {
    let (binary, rest) = binary(words)?;
    script("bench/crawl.py", &["--binary", &binary], &rest)
}

/// `bench map [--binary FILE] [--show]`: maps of generated sites beside what the generator has made.
pub(crate) fn map(words: &[String]) -> anyhow::Result<()> {
    let (binary, rest) = binary(words)?;
    script("bench/map.py", &["--binary", &binary], &rest)
}

/// `bench speed --data DIR [--binary FILE] [--set NAME]... [--peer READING:NAME=COMMAND]...`: readings of one thread.
pub(crate) fn speed(words: &[String]) -> anyhow::Result<()> {
    let (binary, rest) = binary(words)?;
    script("bench/speed.py", &["--binary", &binary], &rest)
}

/// The binary that is measured, built unless it is named, and the words that are left for the script.
fn binary(words: &[String]) -> anyhow::Result<(String, Vec<&str>)> {
    let place = words.iter().position(|word| word == "--binary");
    let binary = match place.and_then(|at| words.get(at + 1)) {
        Some(named) => PathBuf::from(named),
        None => {
            shell::run("cargo", &["build", "--release", "-p", "huntsman"])?;
            PathBuf::from("target/release/huntsman")
        }
    };
    let rest = words
        .iter()
        .enumerate()
        .filter(|(at, _)| place.is_none_or(|place| *at != place && *at != place + 1));
    Ok((
        binary.to_string_lossy().into_owned(),
        rest.map(|word| word.1.as_str()).collect(),
    ))
}

fn script(file: &str, ours: &[&str], rest: &[&str]) -> anyhow::Result<()> {
    shell::run("python3", &[&[file], ours, rest].concat())
}
