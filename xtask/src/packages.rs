//! `packages`: archive, `.deb`, Python wheel and npm package around one binary, with their checksums and bill of materials.

mod archives;
mod contents;
mod deb;
mod npm;
mod wheel;

use std::path::{Path, PathBuf};

use anyhow::Context as _;

use crate::checksum::sha256;
use crate::{binary_packages, sbom, shell};
use contents::Contents;

const USAGE: &str = "usage: packages --binary FILE [--output FOLDER] [--fast]";

/// Makes all packages of a binary that is built already.
pub(crate) fn run(words: &[String]) -> anyhow::Result<()> {
    let (mut binary, mut output, mut level) = (None, PathBuf::from("target/packages"), 9);
    let mut rest = words.iter();
    while let Some(word) = rest.next() {
        match word.as_str() {
            "--binary" => binary = Some(rest.next().context(USAGE)?),
            "--output" => output = rest.next().context(USAGE)?.into(),
            // For tests, which wait for the packages and do not send them anywhere.
            "--fast" => level = 1,
            _ => anyhow::bail!(USAGE),
        }
    }
    make(
        Path::new(binary.context(USAGE)?),
        &binary_packages::host()?,
        &output,
        level,
    )
}

/// Makes the packages of a binary for a target in a folder, whose earlier packages they replace, and prints the checksums.
pub(crate) fn make(binary: &Path, target: &str, output: &Path, level: u32) -> anyhow::Result<()> {
    let epoch = match std::env::var("SOURCE_DATE_EPOCH") {
        Ok(epoch) => epoch,
        Err(_) => shell::read("git", &["log", "-1", "--format=%ct"])?,
    };
    let contents = Contents::gather(binary, epoch.trim().parse()?, level)?;
    std::fs::create_dir_all(output)?;
    let mut sums = String::new();
    for (name, bytes) in [
        archive(&contents)?,
        deb::package(&contents)?,
        wheel::package(&contents)?,
        npm::package(&contents)?,
    ] {
        std::fs::write(output.join(&name), &bytes)?;
        sums += &format!("{}  {name}\n", sha256(&bytes));
    }
    let bill = format!("huntsman-{}.cdx.json", contents.version);
    let path = output.join(&bill);
    let words = ["--target", target, "--output", &path.to_string_lossy()];
    sbom::run(&words.map(str::to_owned))?;
    sums += &format!("{}  {bill}\n", sha256(&std::fs::read(&path)?));
    std::fs::write(output.join("SHA256SUMS"), &sums)?;
    print!("{sums}");
    Ok(())
}

/// `huntsman-VERSION-linux-ARCH.tar.gz`: one folder with everything in it.
fn archive(contents: &Contents) -> anyhow::Result<(String, Vec<u8>)> {
    let folder = format!("huntsman-{}-linux-{}", contents.version, contents.machine.kernel);
    let mut tar = archives::TarGz::new(contents.epoch, contents.level);
    tar.file(&format!("{folder}/huntsman"), &contents.binary, true)?;
    tar.file(&format!("{folder}/README.md"), &contents.readme, false)?;
    tar.file(&format!("{folder}/LICENSE"), &contents.licence, false)?;
    tar.file(&format!("{folder}/huntsman.service"), &contents.unit, false)?;
    for (shell, script) in &contents.completions {
        tar.file(&format!("{folder}/completions/{shell}"), script, false)?;
    }
    for (name, page) in &contents.manuals {
        tar.file(&format!("{folder}/man/{name}"), page, false)?;
    }
    Ok((format!("{folder}.tar.gz"), tar.finish()?))
}
