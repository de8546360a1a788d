//! The npm package that carries the binary: `npm install huntsman` puts `huntsman` into `node_modules/.bin`.

use serde_json::json;

use super::archives::TarGz;
use super::contents::Contents;

/// File name and bytes. The name and the folder `package` are those of `npm pack`.
pub(crate) fn package(contents: &Contents) -> anyhow::Result<(String, Vec<u8>)> {
    let mut manifest = json!({
        "name": "huntsman",
        "version": contents.version,
        "description": "Self-hosted web agent: the program huntsman",
        "license": "Apache-2.0",
        "os": ["linux"],
        "cpu": [contents.machine.node],
        "bin": {"huntsman": "bin/huntsman"},
    });
    if contents.glibc.is_some() {
        manifest["libc"] = json!(["glibc"]);
    }
    let manifest = serde_json::to_string_pretty(&manifest)? + "\n";
    let mut tar = TarGz::new(contents.epoch, contents.level);
    tar.file("package/package.json", manifest.as_bytes(), false)?;
    tar.file("package/bin/huntsman", &contents.binary, true)?;
    tar.file("package/README.md", &contents.readme, false)?;
    tar.file("package/LICENSE", &contents.licence, false)?;
    Ok((format!("huntsman-{}.tgz", contents.version), tar.finish()?))
}
