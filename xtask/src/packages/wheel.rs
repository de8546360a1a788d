//! The Python wheel that carries the binary: `pip install huntsman` puts `huntsman` beside `python`.
//!
//! Format: the binary distribution format of the Python Packaging User Guide, with the platform tags of PEP 600.

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use sha2::{Digest as _, Sha256};

use super::archives::Zip;
use super::contents::Contents;

/// File name and bytes.
pub(crate) fn package(contents: &Contents) -> anyhow::Result<(String, Vec<u8>)> {
    let (version, tag) = (&contents.version, tag(contents));
    let info = format!("huntsman-{version}.dist-info");
    let metadata = format!(
        "Metadata-Version: 2.1\nName: huntsman\nVersion: {version}\nSummary: Self-hosted web agent: the program huntsman\n\
         License: Apache-2.0\nDescription-Content-Type: text/markdown\n\n{}",
        String::from_utf8_lossy(&contents.readme)
    );
    let wheel = format!("Wheel-Version: 1.0\nGenerator: xtask\nRoot-Is-Purelib: false\nTag: {tag}\n");
    let files: [(String, &[u8], bool); 4] = [
        (
            format!("huntsman-{version}.data/scripts/huntsman"),
            &contents.binary,
            true,
        ),
        (format!("{info}/LICENSE"), &contents.licence, false),
        (format!("{info}/METADATA"), metadata.as_bytes(), false),
        (format!("{info}/WHEEL"), wheel.as_bytes(), false),
    ];
    let mut zip = Zip::new(contents.level);
    let mut record = String::new();
    for (path, bytes, is_program) in &files {
        zip.file(path, bytes, *is_program)?;
        let sum = URL_SAFE_NO_PAD.encode(Sha256::digest(bytes));
        record += &format!("{path},sha256={sum},{}\n", bytes.len());
    }
    record += &format!("{info}/RECORD,,\n");
    zip.file(&format!("{info}/RECORD"), record.as_bytes(), false)?;
    Ok((format!("huntsman-{version}-{tag}.whl"), zip.finish()?))
}

/// Any Python 3, no interface of Python, and the libraries that the binary needs. A static one runs everywhere.
fn tag(contents: &Contents) -> String {
    let machine = contents.machine.kernel;
    match contents.glibc {
        Some((major, minor)) => format!("py3-none-manylinux_{major}_{minor}_{machine}"),
        None => format!("py3-none-manylinux_2_17_{machine}.musllinux_1_1_{machine}"),
    }
}
