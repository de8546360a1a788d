//! Names of files for pages: a path below a folder that mirrors the address and never leaves the folder.

use std::hash::{DefaultHasher, Hash as _, Hasher as _};
use std::path::PathBuf;

use url::Url;

/// Longest name of a folder or file, in bytes, without its ending.
const MAX_NAME: usize = 100;
/// Most folders.
const MAX_FOLDERS: usize = 12;

/// The file of a page: `host/path.md`, `host/path/index.md` for folders. Whatever makes the name differ from the address
/// (a query, characters that file systems do not take, length) adds a hash of the address.
pub(super) fn file_of(address: &str) -> PathBuf {
    let mut hasher = DefaultHasher::new();
    address.hash(&mut hasher);
    let mark = format!("-{:08x}", hasher.finish() >> 32);
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
    let differs = url.query().is_some() || segments.iter().zip(&names).any(|(segment, name)| segment != name);
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
