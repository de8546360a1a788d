//! What the pages of a run download, where it is kept, and what is told of it.

use std::path::Path;

use serde::Deserialize;
use serde_json::value::RawValue;

use super::watch::State;

/// One download under way.
#[derive(Debug, Clone)]
pub(super) struct Download {
    name: String,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Told {
    guid: String,
    #[serde(default)]
    frame_id: String,
    #[serde(default)]
    suggested_filename: String,
    #[serde(default)]
    received_bytes: f64,
    #[serde(default)]
    total_bytes: f64,
    #[serde(default)]
    state: String,
}

/// Takes an event about a download in. Returns what is to be told.
pub(super) fn take(
    state: &mut State,
    method: &str,
    params: &RawValue,
    folder: Option<&Path>,
    most: u64,
    cancel: impl Fn(&str),
) -> Option<String> {
    let told: Told = serde_json::from_str(params.get()).ok()?;
    if method == "Browser.downloadWillBegin" {
        let ours = state
            .pages
            .iter()
            .any(|page| page.frames.contains_key(&told.frame_id));
        if !ours {
            return None;
        }
        let name = plain(&told.suggested_filename);
        if folder.is_none() {
            return Some(format!("the page wanted to download {name:?}; downloads are off"));
        }
        state.downloads.insert(told.guid, Download { name: name.clone() });
        return Some(format!("the download of {name:?} began"));
    }
    let download = state.downloads.get(&told.guid)?.clone();
    let large = told.received_bytes.max(told.total_bytes) > most as f64;
    match (told.state.as_str(), folder) {
        ("completed", Some(folder)) if !large => {
            state.downloads.remove(&told.guid);
            // The browser names the file by its number; people want the name.
            let (from, to) = (folder.join(&told.guid), free(folder, &download.name));
            let kept = match std::fs::rename(&from, &to) {
                Ok(()) => to,
                Err(_) => from,
            };
            let bytes = told.received_bytes;
            Some(format!(
                "{:?} was downloaded ({bytes} bytes) to {}",
                download.name,
                kept.display()
            ))
        }
        ("canceled", _) => {
            state.downloads.remove(&told.guid);
            Some(format!("the download of {:?} was cancelled", download.name))
        }
        _ if large => {
            state.downloads.remove(&told.guid);
            cancel(&told.guid);
            if let Some(folder) = folder {
                let _ = std::fs::remove_file(folder.join(&told.guid));
            }
            Some(format!(
                "the download of {:?} was stopped: it is larger than {most} bytes",
                download.name
            ))
        }
        _ => None,
    }
}

/// A file name without any path, however the server calls the file.
fn plain(name: &str) -> String {
    let last = name.rsplit(['/', '\\']).next().unwrap_or_default();
    let plain: String = last.chars().filter(|c| !c.is_control()).take(120).collect();
    match plain.trim_matches('.') {
        "" => "download".to_owned(),
        _ => plain,
    }
}

/// The first of `name`, `name (1)`, ... that does not exist.
fn free(folder: &Path, name: &str) -> std::path::PathBuf {
    let (stem, end) = match name.rsplit_once('.') {
        Some((stem, end)) if !stem.is_empty() => (stem, format!(".{end}")),
        _ => (name, String::new()),
    };
    (1..1000)
        .map(|number| folder.join(format!("{stem} ({number}){end}")))
        .fold(None, |found, next| {
            found.or_else(|| (!next.exists()).then_some(next))
        })
        .filter(|_| folder.join(name).exists())
        .unwrap_or_else(|| folder.join(name))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_name_from_outside_stays_a_file_name() {
        for (told, kept) in [
            ("a.pdf", "a.pdf"),
            ("../../etc/passwd", "passwd"),
            ("C:\\temp\\x.txt", "x.txt"),
            ("..", "download"),
            ("", "download"),
        ] {
            assert_eq!(plain(told), kept, "{told}");
        }
    }
}
