//! Downloads of pages: the files they become, and what is reported about them.

use std::path::{Path, PathBuf};

use super::cdp::browser::{DownloadProgress, DownloadWillBegin};
use super::state::ContextState;

/// Files with one name, numbers aside, after which a download keeps its GUID as its name.
const MAX_NAMESAKES: usize = 1000;

/// Registers a download. Returns the note to report; none for one of another context.
pub(super) fn begin(
    state: &mut ContextState,
    event: &DownloadWillBegin,
    folder: Option<&Path>,
) -> Option<String> {
    let is_own = |frame: &str| state.pages.iter().any(|page| page.frames.contains_key(frame));
    if !is_own(&event.frame_id) {
        return None;
    }
    let name = sanitize(&event.suggested_filename);
    if folder.is_none() {
        return Some(format!("the page wanted to download {name:?}; downloads are off"));
    }
    let note = format!("the download of {name:?} began");
    state.downloads.insert(event.guid.clone(), name);
    Some(note)
}

/// The end of a download, with what is left to do about its file.
#[derive(Debug, PartialEq)]
pub(super) enum DownloadEnd {
    /// Its file, which the browser has named by its GUID, is to get its name.
    Complete { file: PathBuf, name: String, bytes: f64 },
    /// There is no file, or the beginning of one that is to be removed.
    Stopped { file: Option<PathBuf>, note: String },
}

impl DownloadEnd {
    /// Names or removes the file. Returns the note to report. Blocks the thread.
    pub(super) fn settle(self) -> String {
        match self {
            DownloadEnd::Complete { file, name, bytes } => {
                let path = give_name(&file, &name).unwrap_or(file);
                format!("{name:?} was downloaded ({bytes} bytes) to {}", path.display())
            }
            DownloadEnd::Stopped { file, note } => {
                if let Some(file) = file {
                    let _ = std::fs::remove_file(file);
                }
                note
            }
        }
    }
}

/// Updates a download. Returns its end, if that has come. `cancel` stops the download of a file that is larger than
/// `max_bytes`.
pub(super) fn progress(
    state: &mut ContextState,
    event: &DownloadProgress,
    folder: Option<&Path>,
    max_bytes: u64,
    cancel: impl Fn(&str),
) -> Option<DownloadEnd> {
    let guid = &event.guid;
    let name = state.downloads.get(guid)?.clone();
    let is_oversized = event.received_bytes.max(event.total_bytes) > max_bytes as f64;
    let end = match (event.state.as_str(), folder) {
        ("completed", Some(folder)) if !is_oversized => DownloadEnd::Complete {
            file: folder.join(guid),
            name,
            bytes: event.received_bytes,
        },
        ("canceled", _) => DownloadEnd::Stopped {
            file: None,
            note: format!("the download of {name:?} was cancelled"),
        },
        _ if is_oversized => {
            cancel(guid);
            DownloadEnd::Stopped {
                file: folder.map(|folder| folder.join(guid)),
                note: format!("the download of {name:?} was stopped: it is larger than {max_bytes} bytes"),
            }
        }
        _ => return None,
    };
    state.downloads.remove(guid);
    Some(end)
}

/// Longest name of a file in bytes: file systems take 255, and a number may follow.
const MAX_NAME: usize = 200;
/// Longest ending of a name that is kept whole, in bytes.
const MAX_ENDING: usize = 20;

/// A file name without any path, however the server calls the file. It is no hidden file, and a long one keeps its ending.
fn sanitize(name: &str) -> String {
    let last = name.rsplit(['/', '\\']).next().unwrap_or_default();
    let name: String = last.chars().filter(|c| !c.is_control()).collect();
    let name = name.trim_start_matches('.');
    if name.is_empty() {
        return "download".to_owned();
    }
    if name.len() <= MAX_NAME {
        return name.to_owned();
    }
    let (stem, ending) = match name.rfind('.') {
        Some(at) if name.len() - at <= MAX_ENDING => name.split_at(at),
        _ => (name, ""),
    };
    let (stem, _) = stem.split_at(stem.floor_char_boundary(MAX_NAME - ending.len()));
    format!("{stem}{ending}")
}

/// Gives a file the first free one of `name`, `name (1)`, ... in its folder. None where there is none: then it keeps its own.
fn give_name(file: &Path, name: &str) -> Option<PathBuf> {
    let folder = file.parent()?;
    let (stem, end) = match name.rsplit_once('.') {
        Some((stem, end)) if !stem.is_empty() => (stem, format!(".{end}")),
        _ => (name, String::new()),
    };
    let numbered = (1..MAX_NAMESAKES).map(|number| folder.join(format!("{stem} ({number}){end}")));
    for path in std::iter::once(folder.join(name)).chain(numbered) {
        // Created empty first: whatever has the name, or gets it at the same time, is not replaced.
        match std::fs::File::create_new(&path) {
            Ok(_) if std::fs::rename(file, &path).is_ok() => return Some(path),
            Ok(_) => {
                let _ = std::fs::remove_file(&path);
                return None;
            }
            Err(why) if why.kind() == std::io::ErrorKind::AlreadyExists => {}
            Err(_) => return None,
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_name_from_outside_stays_a_file_name() {
        for (name, expected) in [
            ("a.pdf", "a.pdf"),
            ("../../etc/passwd", "passwd"),
            ("C:\\temp\\x.txt", "x.txt"),
            ("..", "download"),
            ("", "download"),
        ] {
            assert_eq!(sanitize(name), expected, "{name}");
        }
        let long = |letter: &str, count: usize| format!("{}.pdf", letter.repeat(count));
        assert_eq!(sanitize(&long("a", 300)), long("a", 196));
        assert_eq!(sanitize(&long("文", 120)), long("文", 65));
        assert_eq!(sanitize(&"a".repeat(300)), "a".repeat(200));
        assert_eq!(sanitize(".htaccess"), "htaccess");
    }

    #[test]
    fn a_download_gets_the_first_free_name_and_replaces_no_file() {
        let folder = tempfile::tempdir().unwrap();
        let path = |name: &str| folder.path().join(name);
        let settle = |guid: &str| {
            std::fs::write(path(guid), guid).unwrap();
            let end = DownloadEnd::Complete {
                file: path(guid),
                name: "a.txt".into(),
                bytes: 1.0,
            };
            let note = end.settle();
            let kept = note.split_once(" to ").unwrap().1.to_owned();
            assert_eq!(std::fs::read_to_string(&kept).unwrap(), guid, "{note}");
            kept
        };
        for number in 0..MAX_NAMESAKES {
            let name = match number {
                0 => "a.txt".to_owned(),
                _ => format!("a ({number}).txt"),
            };
            assert_eq!(
                settle(&format!("guid{number}")),
                path(&name).display().to_string()
            );
        }
        assert_eq!(settle("last"), path("last").display().to_string());
        assert_eq!(std::fs::read_to_string(path("a.txt")).unwrap(), "guid0");
    }
}
