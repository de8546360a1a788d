//! Pictures that a tool gives: written to files, which the printed answer names instead.

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

/// Refuses a file for the picture of a tool that gives none, before anything is done.
pub(super) fn check(manifest: &Value, tool: &str) -> Result<(), Failure> {
    match &manifest["output_schema"]["properties"][FIELD] {
        Value::Null => Err(Failure::usage(format!(
            "--output: {tool} gives no picture to write"
        ))),
        _ => Ok(()),
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
