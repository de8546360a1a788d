//! Names of files for pages: a path below a folder that mirrors the address and never leaves the folder.

use std::collections::HashMap;
use std::hash::{DefaultHasher, Hash as _, Hasher as _};
use std::path::PathBuf;

use url::Url;

/// Longest name of a folder or file, in bytes, without its ending.
const MAX_NAME: usize = 100;
/// Most folders.
const MAX_FOLDERS: usize = 12;

/// The files that pages were written to, so that no page is written over another one.
#[derive(Debug, Default)]
pub(super) struct FileNames {
    /// The address of the page of each file: hashes of both, of the file without regard to case, which some file systems
    /// do not tell.
    taken: HashMap<u64, u64>,
}

impl FileNames {
    /// The file of a page, which is that of no other page: where [`file_of`] gives the same, with a hash of the address.
    pub(super) fn file_of(&mut self, address: &str) -> PathBuf {
        let file = file_of(address);
        let page = hash(address);
        let taken = self.taken.entry(hash(&file.to_string_lossy().to_lowercase()));
        if *taken.or_insert(page) == page {
            return file;
        }
        let stem = file.file_stem().unwrap_or_default().to_string_lossy();
        file.with_file_name(format!("{stem}{}.md", mark(address)))
    }
}

fn hash(text: &str) -> u64 {
    let mut hasher = DefaultHasher::new();
    text.hash(&mut hasher);
    hasher.finish()
}

/// What tells the file of an address from those of others.
fn mark(address: &str) -> String {
    format!("-{:08x}", hash(address) >> 32)
}

/// The file of a page: `host/path.md`, `host/path/index.md` for folders. Whatever makes the name differ from the address
/// (a query, characters that file systems do not take, length, an empty folder) adds a hash of the address, and so does a page
/// that is called as the file of its folder.
fn file_of(address: &str) -> PathBuf {
    let mark = mark(address);
    let Ok(url) = Url::parse(address) else {
        return PathBuf::from(format!("page{mark}.md"));
    };
    let port = url.port().map(|port| format!("_{port}")).unwrap_or_default();
    let host = plain(url.host_str().unwrap_or_default());
    let mut path = PathBuf::from(if host.is_empty() { "host".to_owned() } else { host } + &port);
    let segments: Vec<&str> = url
        .path()
        .split('/')
        .filter(|segment| !segment.is_empty())
        .collect();
    let is_folder = url.path().ends_with('/');
    let mut names: Vec<String> = segments.iter().map(|segment| plain(segment)).collect();
    let folders = names.get(..names.len().saturating_sub(1)).unwrap_or_default();
    let differs = url.query().is_some()
        || url.path().contains("//")
        || segments.iter().zip(&names).any(|(segment, name)| segment != name)
        || folders.iter().any(|name| name.ends_with(".md"))
        || (!is_folder && names.last().is_some_and(|name| name == "index"));
    if is_folder || names.is_empty() {
        names.push("index".to_owned());
    }
    let differs = differs || names.len() > MAX_FOLDERS;
    let mut name = names.pop().unwrap_or_default();
    names.truncate(MAX_FOLDERS);
    // A folder and a file of one name can stand beside each other, since every file ends in `.md`.
    path.extend(names.iter().map(|name| name.strip_suffix(".md").unwrap_or(name)));
    if differs {
        name.push_str(&mark);
    }
    path.join(name + ".md")
}

/// A segment with nothing in it that a file system might read otherwise.
fn plain(segment: &str) -> String {
    let is_plain = |sign: char| sign.is_ascii_alphanumeric() || matches!(sign, '-' | '_' | '.' | '~');
    let name: String = segment
        .chars()
        .map(|sign| if is_plain(sign) { sign } else { '_' })
        .take(MAX_NAME)
        .collect();
    let trimmed = name.trim_matches('.');
    if trimmed.is_empty() {
        "_".repeat(name.len().min(1))
    } else {
        trimmed.to_owned()
    }
}

#[cfg(test)]
mod tests {
    use std::path::Component;

    use super::*;

    #[test]
    fn no_two_pages_have_one_file() {
        let addresses = [
            "https://a.test/docs/",
            "https://a.test/docs/index",
            "https://a.test/a/b",
            "https://a.test/a//b",
            "https://a.test/a.md/b",
            "https://a.test/A/b",
            "http://a.test/a/b",
        ];
        let mut names = FileNames::default();
        let mut files: Vec<String> = Vec::new();
        for address in addresses {
            let file = names.file_of(address);
            assert_eq!(
                names.file_of(address),
                file,
                "a page that is read again has its file"
            );
            files.push(file.to_string_lossy().to_lowercase());
        }
        assert_eq!(
            (files[0].as_str(), files[2].as_str()),
            ("a.test/docs/index.md", "a.test/a/b.md")
        );
        files.sort();
        files.dedup();
        assert_eq!(files.len(), addresses.len(), "{files:?}");
    }

    #[test]
    fn files_mirror_addresses_and_stay_in_their_folder() {
        for (url, file) in [
            ("https://a.test/", "a.test/index.md"),
            ("https://a.test:8443/docs/", "a.test_8443/docs/index.md"),
            ("https://a.test/docs/intro.html", "a.test/docs/intro.html.md"),
        ] {
            assert_eq!(file_of(url), PathBuf::from(file), "{url}");
        }
        let strange = [
            "https://a.test/%2e%2e/%2e%2e/etc/passwd",
            "https://a.test/..%2f..%2fetc",
            "https://a.test/a\\..\\b?q=/../../x",
            "https://[::1]/x:y*z?",
            "no address",
        ];
        let files: Vec<PathBuf> = strange.iter().map(|url| file_of(url)).collect();
        for file in &files {
            assert!(
                file.components().all(|it| matches!(it, Component::Normal(_))),
                "{}",
                file.display()
            );
        }
        assert_ne!(file_of("https://a.test/p?a=1"), file_of("https://a.test/p?a=2"));
    }
}
