//! Pictures that a tool gives: written to files, which the printed answer names instead.

use std::ffi::OsStr;
use std::fs::OpenOptions;
use std::io::{ErrorKind, Write as _};
use std::path::{Path, PathBuf};

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde_json::Value;

use crate::failure::Failure;

/// The field of a tool's data that holds a picture.
const FIELD: &str = "png_base64";
/// Files of one name that are looked past for a free one.
const MOST_NAMESAKES: u32 = 1_000;

/// Endings of files of pictures that are no PNG.
const OTHER_PICTURES: [&str; 10] = [
    "jpg", "jpeg", "webp", "gif", "avif", "bmp", "tif", "tiff", "svg", "pdf",
];

/// Refuses a file for the picture of a tool that gives none, and one named as a picture of another kind, before anything is done.
pub(super) fn check(manifest: &Value, tool: &str, file: &Path) -> Result<(), Failure> {
    if manifest["output_schema"]["properties"][FIELD].is_null() {
        return Err(Failure::usage(format!(
            "--output: {tool} gives no picture to write"
        )));
    }
    let ending = file.extension().and_then(OsStr::to_str).unwrap_or_default();
    match OTHER_PICTURES.contains(&ending.to_ascii_lowercase().as_str()) {
        true => Err(Failure::usage(format!(
            "--output: the picture is a PNG; name it {}",
            file.with_extension("png").display()
        ))),
        false => Ok(()),
    }
}

/// Writes the picture of a tool's answer, if it has one, and puts the path as `file` into the place of its bytes. `output` is
/// the file to write, which is replaced; without it a new file in the working folder is named after the tool.
pub(super) fn write(answer: &mut Value, tool: &str, output: Option<&Path>) -> Result<(), Failure> {
    let data = answer.get_mut("data").and_then(Value::as_object_mut);
    let Some((data, encoded)) = data.and_then(|data| data.remove(FIELD).map(|encoded| (data, encoded)))
    else {
        return Ok(());
    };
    let bytes = STANDARD
        .decode(encoded.as_str().unwrap_or_default())
        .map_err(anyhow::Error::from)?;
    let path = match output {
        Some(path) => replace(path, &bytes)?,
        None => create(tool, &bytes)?,
    };
    data.insert("file".to_owned(), path.to_string_lossy().into());
    Ok(())
}

fn replace(path: &Path, bytes: &[u8]) -> Result<PathBuf, Failure> {
    std::fs::write(path, bytes).map_err(|error| {
        Failure::usage(format!("--output: {} cannot be written: {error}", path.display()))
    })?;
    Ok(path.to_owned())
}

/// `TOOL.png`, or the first of `TOOL-2.png`, `TOOL-3.png` ... that is not there.
fn create(tool: &str, bytes: &[u8]) -> Result<PathBuf, Failure> {
    for number in 1..=MOST_NAMESAKES {
        let path = PathBuf::from(match number {
            1 => format!("{tool}.png"),
            number => format!("{tool}-{number}.png"),
        });
        let written = OpenOptions::new()
            .write(true)
            .create_new(true)
            .open(&path)
            .and_then(|mut file| file.write_all(bytes));
        match written {
            Ok(()) => return Ok(path),
            Err(error) if error.kind() == ErrorKind::AlreadyExists => {}
            Err(error) => {
                let message = format!(
                    "{} cannot be written: {error}; name another file with --output",
                    path.display()
                );
                return Err(Failure::usage(message));
            }
        }
    }
    Err(Failure::usage(format!(
        "{tool}.png and {MOST_NAMESAKES} files like it are there already; name one with --output"
    )))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_picture_is_not_written_under_the_name_of_another_kind() {
        let manifest = json!({"output_schema": {"properties": {(FIELD): {"type": "string"}}}});
        let is_taken = |name: &str| check(&manifest, "browser.screenshot", Path::new(name)).is_ok();
        for (name, expected) in [
            ("shot.png", true),
            ("SHOT.PNG", true),
            ("shot", true),
            ("shot.jpg", false),
            ("shot.WEBP", false),
        ] {
            assert_eq!(is_taken(name), expected, "{name}");
        }
    }
}
