//! What comes in with dependencies: licences, sources, banned crates and known vulnerabilities, checked by cargo-deny,
//! and the audited list of packages that read hostile bytes.

use std::process::{Command, Stdio};

use crate::{audited, shell};

/// Runs `cargo deny`, installing it first where it is missing, and says what became of the advisories.
///
/// The advisory database is fetched from its Git repository. Where that cannot be reached, the advisories are not checked,
/// and the returned sentence says so: it is no failure, and it never counts as passed.
pub(crate) fn run() -> anyhow::Result<String> {
    audited::run()?;
    let is_installed = Command::new("cargo")
        .args(["deny", "--version"])
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .status()
        .is_ok_and(|status| status.success());
    if !is_installed {
        shell::run("cargo", &["install", "cargo-deny", "--locked", "--quiet"])?;
    }
    shell::run("cargo", &["deny", "check", "bans", "licenses", "sources"])?;
    if shell::run("cargo", &["deny", "fetch", "db"]).is_err() {
        return Ok("advisories: NOT checked, the advisory database cannot be fetched".to_owned());
    }
    shell::run("cargo", &["deny", "check", "--disable-fetch", "advisories"])?;
    Ok("advisories: checked, none applies".to_owned())
}
