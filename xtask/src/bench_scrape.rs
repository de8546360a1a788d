//! How fast are many pages scraped? Ours from loopback, and peers beside it where they are named.

use std::io::{BufRead as _, BufReader};
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};

use anyhow::Context as _;

use crate::shell;

/// The demo site in a process of its own, gone with this value.
struct Site {
    child: Child,
    address: String,
}

impl Site {
    fn start(binary: &str) -> anyhow::Result<Site> {
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

/// `bench scrape [--binary FILE] [--pages N] [--peer NAME=PYTHON]...`: what is not known here goes on to the script.
pub(crate) fn run(words: &[String]) -> anyhow::Result<()> {
    let place = words.iter().position(|it| it == "--binary");
    let named = place.and_then(|at| words.get(at + 1)).map(PathBuf::from);
    let binary = match named {
        Some(binary) => binary,
        None => {
            shell::run("cargo", &["build", "--release", "-p", "huntsman"])?;
            PathBuf::from("target/release/huntsman")
        }
    };
    let binary = binary.to_string_lossy();
    let site = Site::start(&binary)?;
    let rest = words
        .iter()
        .enumerate()
        .filter(|(at, _)| place.is_none_or(|place| *at != place && *at != place + 1));
    let mut line = vec!["bench/scrape.py", "--site", &site.address, "--binary", &binary];
    line.extend(rest.map(|it| it.1.as_str()));
    shell::run("python3", &line)
}
