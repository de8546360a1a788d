//! What goes into packages: the binary, what it prints about itself, and the platform that it needs.

use std::path::Path;
use std::process::Command;

use anyhow::Context as _;

/// The parts of every package.
pub(crate) struct Contents {
    pub(crate) version: String,
    pub(crate) binary: Vec<u8>,
    pub(crate) machine: Machine,
    /// The oldest glibc with which the binary runs, as major and minor version; none for a static one.
    pub(crate) glibc: Option<(u32, u32)>,
    pub(crate) readme: Vec<u8>,
    pub(crate) licence: Vec<u8>,
    /// The systemd unit.
    pub(crate) unit: Vec<u8>,
    /// Shell and script.
    pub(crate) completions: Vec<(&'static str, Vec<u8>)>,
    /// File name, such as `huntsman.1`, and manual page, sorted by name.
    pub(crate) manuals: Vec<(String, Vec<u8>)>,
    /// The time of every file, in seconds since 1970.
    pub(crate) epoch: u64,
    /// How much work compression may take, from 1 to 9.
    pub(crate) level: u32,
}

/// What platforms call a processor.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Machine {
    /// By Linux, also in tags of wheels.
    pub(crate) kernel: &'static str,
    /// By Debian.
    pub(crate) debian: &'static str,
    /// By Node.
    pub(crate) node: &'static str,
}

const MACHINES: [(u16, Machine); 2] = [
    (
        62,
        Machine {
            kernel: "x86_64",
            debian: "amd64",
            node: "x64",
        },
    ),
    (
        183,
        Machine {
            kernel: "aarch64",
            debian: "arm64",
            node: "arm64",
        },
    ),
];

impl Contents {
    /// Reads the binary, and runs it for what it prints about itself.
    pub(crate) fn gather(binary: &Path, epoch: u64, level: u32) -> anyhow::Result<Contents> {
        let path = std::path::absolute(binary)?;
        let bytes = std::fs::read(&path).with_context(|| format!("cannot read {}", path.display()))?;
        let run = |words: &[&str]| -> anyhow::Result<Vec<u8>> {
            let output = Command::new(&path).args(words).output();
            let output = output.with_context(|| format!("cannot start {}", path.display()))?;
            anyhow::ensure!(
                output.status.success(),
                "huntsman {} ended with {}",
                words.join(" "),
                output.status
            );
            Ok(output.stdout)
        };
        let printed = String::from_utf8(run(&["--version"])?)?;
        let version = printed.trim().rsplit(' ').next().unwrap_or_default().to_owned();
        let manuals = std::env::temp_dir().join(format!("huntsman-manuals-{}", std::process::id()));
        let pages = run(&["man", &manuals.to_string_lossy()]).and_then(|_| read_folder(&manuals));
        // The pages are in memory, or the error says more than this one could.
        let _ = std::fs::remove_dir_all(&manuals);
        let mut completions = Vec::new();
        for shell in ["bash", "zsh", "fish"] {
            completions.push((shell, run(&["completions", shell])?));
        }
        Ok(Contents {
            machine: machine(&bytes)?,
            glibc: glibc(&bytes),
            binary: bytes,
            readme: std::fs::read("README.md")?,
            licence: std::fs::read("LICENSE")?,
            unit: std::fs::read("deploy/huntsman.service")?,
            completions,
            manuals: pages?,
            version,
            epoch,
            level,
        })
    }
}

fn read_folder(folder: &Path) -> anyhow::Result<Vec<(String, Vec<u8>)>> {
    let mut files = Vec::new();
    for entry in std::fs::read_dir(folder)? {
        let entry = entry?;
        files.push((
            entry.file_name().to_string_lossy().into_owned(),
            std::fs::read(entry.path())?,
        ));
    }
    files.sort();
    Ok(files)
}

/// The processor of an ELF file: bytes 18 and 19 of its head.
fn machine(elf: &[u8]) -> anyhow::Result<Machine> {
    anyhow::ensure!(
        elf.starts_with(b"\x7fELF\x02\x01"),
        "the binary is no ELF file of 64 bits"
    );
    let number = elf
        .get(18..20)
        .map_or(0, |bytes| u16::from(bytes[0]) | u16::from(bytes[1]) << 8);
    let found = MACHINES.iter().find(|(known, _)| *known == number);
    Ok(found
        .with_context(|| format!("packages for ELF machine {number} are not made"))?
        .1)
}

/// The newest version of glibc that the binary names, such as `GLIBC_2.34`.
fn glibc(elf: &[u8]) -> Option<(u32, u32)> {
    const PREFIX: &[u8] = b"GLIBC_";
    let version = |at: usize| {
        let rest = elf.get(at + PREFIX.len()..)?;
        let text: Vec<u8> = rest
            .iter()
            .copied()
            .take_while(|byte| *byte != 0)
            .take(16)
            .collect();
        let text = String::from_utf8(text).ok()?;
        let mut parts = text.split('.').map(str::parse);
        // GLIBC_PRIVATE and the like name no version.
        Some((parts.next()?.ok()?, parts.next()?.ok()?))
    };
    let starts = elf
        .windows(PREFIX.len())
        .enumerate()
        .filter(|(_, window)| *window == PREFIX);
    starts.filter_map(|(at, _)| version(at)).max()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_platform_is_read_from_the_binary() {
        let mut elf = b"\x7fELF\x02\x01\x01\0\0\0\0\0\0\0\0\0\x03\0\x3e\0".to_vec();
        assert_eq!(machine(&elf).unwrap().debian, "amd64");
        assert_eq!(glibc(&elf), None);
        elf.extend_from_slice(b"\0GLIBC_2.9\0GLIBC_2.34\0GLIBC_2.2.5\0GLIBC_PRIVATE\0");
        assert_eq!(glibc(&elf), Some((2, 34)));
        assert!(machine(b"#!/bin/sh\n").is_err());
    }
}
