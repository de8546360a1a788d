//! Downloads of pages: the files they become, and what is reported about them.

use std::path::{Path, PathBuf};

use super::cdp::browser::{DownloadProgress, DownloadWillBegin};
use super::state::ContextState;

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

/// Updates a download. Returns the note to report, if any. `cancel` stops the download of a file that is larger than
/// `max_bytes`.
pub(super) fn progress(
    state: &mut ContextState,
    event: &DownloadProgress,
    folder: Option<&Path>,
    max_bytes: u64,
    cancel: impl Fn(&str),
) -> Option<String> {
    let guid = &event.guid;
    let name = state.downloads.get(guid)?.clone();
    let is_oversized = event.received_bytes.max(event.total_bytes) > max_bytes as f64;
    let note = match (event.state.as_str(), folder) {
        ("completed", Some(folder)) if !is_oversized => {
            // The browser names the file by its GUID; people want the name.
            let (from, to) = (folder.join(guid), free_path(folder, &name));
            let path = std::fs::rename(&from, &to).map_or(from, |()| to);
            let bytes = event.received_bytes;
            format!("{name:?} was downloaded ({bytes} bytes) to {}", path.display())
        }
        ("canceled", _) => format!("the download of {name:?} was cancelled"),
        _ if is_oversized => {
            cancel(guid);
            if let Some(folder) = folder {
                let _ = std::fs::remove_file(folder.join(guid));
            }
            format!("the download of {name:?} was stopped: it is larger than {max_bytes} bytes")
        }
        _ => return None,
    };
    state.downloads.remove(guid);
    Some(note)
}

/// A file name without any path, however the server calls the file.
fn sanitize(name: &str) -> String {
    let last = name.rsplit(['/', '\\']).next().unwrap_or_default();
    let name: String = last.chars().filter(|c| !c.is_control()).take(120).collect();
    match name.trim_matches('.') {
        "" => "download".to_owned(),
        _ => name,
    }
}

/// The first of `name`, `name (1)`, ... that does not exist.
fn free_path(folder: &Path, name: &str) -> PathBuf {
    let (stem, end) = match name.rsplit_once('.') {
        Some((stem, end)) if !stem.is_empty() => (stem, format!(".{end}")),
        _ => (name, String::new()),
    };
    let numbered = (1..1000).map(|number| folder.join(format!("{stem} ({number}){end}")));
    let mut paths = std::iter::once(folder.join(name)).chain(numbered);
    paths
        .find(|path| !path.exists())
        .unwrap_or_else(|| folder.join(name))
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
    }
}
