//! The Debian package: the program, its manual pages and completions, and the systemd unit, which is not started by itself.

use std::collections::BTreeSet;

use super::archives::{self, TarGz};
use super::contents::Contents;

/// File name and bytes.
pub(crate) fn package(contents: &Contents) -> anyhow::Result<(String, Vec<u8>)> {
    let files = files(contents)?;
    let mut data = TarGz::new(contents.epoch, contents.level);
    for folder in folders(&files) {
        data.folder(&format!("./{folder}"))?;
    }
    for (path, bytes) in &files {
        data.file(&format!("./{path}"), bytes, path == "usr/bin/huntsman")?;
    }
    let size: usize = files.iter().map(|(_, bytes)| bytes.len()).sum();
    let mut control = TarGz::new(contents.epoch, contents.level);
    control.file("./control", control_file(contents, size).as_bytes(), false)?;
    let (control, data) = (control.finish()?, data.finish()?);
    let members: [(&str, &[u8]); 3] = [
        ("debian-binary", b"2.0\n"),
        ("control.tar.gz", &control),
        ("data.tar.gz", &data),
    ];
    let name = format!("huntsman_{}_{}.deb", contents.version, contents.machine.debian);
    Ok((name, archives::ar(&members, contents.epoch)))
}

fn files(contents: &Contents) -> anyhow::Result<Vec<(String, Vec<u8>)>> {
    let mut files = vec![
        ("usr/bin/huntsman".to_owned(), contents.binary.clone()),
        (
            "usr/lib/systemd/system/huntsman.service".to_owned(),
            contents.unit.clone(),
        ),
        (
            "usr/share/doc/huntsman/README.md".to_owned(),
            contents.readme.clone(),
        ),
        (
            "usr/share/doc/huntsman/copyright".to_owned(),
            contents.licence.clone(),
        ),
    ];
    for (shell, script) in &contents.completions {
        let path = match *shell {
            "bash" => "usr/share/bash-completion/completions/huntsman",
            "zsh" => "usr/share/zsh/vendor-completions/_huntsman",
            _ => "usr/share/fish/vendor_completions.d/huntsman.fish",
        };
        files.push((path.to_owned(), script.clone()));
    }
    for (name, page) in &contents.manuals {
        files.push((format!("usr/share/man/man1/{name}.gz"), archives::gzip(page)?));
    }
    files.sort_by(|one, other| one.0.cmp(&other.0));
    Ok(files)
}

/// The folders of the files, each after the one that holds it.
fn folders(files: &[(String, Vec<u8>)]) -> BTreeSet<&str> {
    let above = |path: &'_ str| path.rfind('/').unwrap_or(0);
    let mut folders = BTreeSet::new();
    for (path, _) in files {
        let mut folder = path.get(..above(path)).unwrap_or_default();
        while !folder.is_empty() {
            folders.insert(folder);
            folder = folder.get(..above(folder)).unwrap_or_default();
        }
    }
    folders
}

/// `size` in bytes.
fn control_file(contents: &Contents, size: usize) -> String {
    let libc = contents
        .glibc
        .map(|(major, minor)| format!("Depends: libc6 (>= {major}.{minor})\n"));
    format!(
        "Package: huntsman\nVersion: {}\nArchitecture: {}\nMaintainer: The Huntsman project <huntsman@localhost>\n\
         Installed-Size: {}\n{}Recommends: ca-certificates\nSuggests: chromium\nSection: web\nPriority: optional\n\
         Description: self-hosted web agent\n Scrapes pages into clean data, drives a browser for a task, and researches\n \
         questions with checked citations. One program without further services.\n",
        contents.version,
        contents.machine.debian,
        size.div_ceil(1024),
        libc.unwrap_or_default(),
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_folder_comes_before_what_is_in_it() {
        let files = ["usr/bin/huntsman", "usr/share/man/man1/huntsman.1.gz"]
            .map(|path| (path.to_owned(), Vec::new()));
        let folders: Vec<&str> = folders(&files).into_iter().collect();
        assert_eq!(
            folders,
            [
                "usr",
                "usr/bin",
                "usr/share",
                "usr/share/man",
                "usr/share/man/man1"
            ]
        );
    }
}
