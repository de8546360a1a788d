//! `ExportFile`: where an export goes. A file has its name only when it is whole and on the disk.

use std::fs::{self, File};
use std::io::{self, BufWriter, ErrorKind, Write};
use std::path::{Path, PathBuf};

use anyhow::anyhow;
use serde::Serialize;
use store::private_files;

use crate::failure::Failure;
use crate::output::json_line;

/// What the name of a file ends with until it is whole.
const UNFINISHED: &str = ".part";

/// A file, a device, or stdout.
pub(super) struct ExportFile {
    writer: BufWriter<Box<dyn Write>>,
    name: String,
    /// The file that is written, and the name that it gets.
    renamed: Option<(PathBuf, PathBuf, File)>,
}

impl ExportFile {
    /// Begins to write to a path, or to stdout for `-`.
    pub(super) fn create(path: &Path) -> Result<Self, Failure> {
        let name = path.display().to_string();
        let unwritable = |error: io::Error| Failure::usage(format!("{name} cannot be written: {error}"));
        let (writer, renamed): (Box<dyn Write>, _) = if name == "-" {
            (Box::new(io::stdout().lock()), None)
        } else if fs::metadata(path).is_ok_and(|facts| !facts.is_file()) {
            // A device or a pipe, or a folder, which is refused here.
            let device = File::options().write(true).open(path).map_err(unwritable)?;
            (Box::new(device), None)
        } else {
            let mut unfinished = path.as_os_str().to_owned();
            unfinished.push(UNFINISHED);
            let unfinished = PathBuf::from(unfinished);
            let file = private_files::open_file(&unfinished).map_err(unwritable)?;
            file.set_len(0).map_err(unwritable)?;
            let again = file.try_clone().map_err(unwritable)?;
            (Box::new(file), Some((unfinished, path.to_owned(), again)))
        };
        let writer = BufWriter::with_capacity(1 << 16, writer);
        Ok(Self {
            writer,
            name,
            renamed,
        })
    }

    /// Whether it goes to stdout.
    pub(super) fn is_stdout(&self) -> bool {
        self.name == "-"
    }

    /// Writes one line.
    pub(super) fn line(&mut self, value: &impl Serialize) -> Result<(), Failure> {
        let written = json_line(value).and_then(|line| self.writer.write_all(line.as_bytes()));
        written.map_err(|error| self.failed(&error))
    }

    /// Hands on what is buffered, and gives a file its name.
    pub(super) fn finish(mut self) -> Result<(), Failure> {
        let finished = self.writer.flush().and_then(|()| {
            let Some((unfinished, path, file)) = &self.renamed else {
                return Ok(());
            };
            file.sync_all()?;
            fs::rename(unfinished, path)?;
            let parent = path.parent().filter(|parent| !parent.as_os_str().is_empty());
            File::open(parent.unwrap_or(Path::new(".")))?.sync_all()
        });
        finished.map_err(|error| self.failed(&error))?;
        self.renamed = None;
        Ok(())
    }

    /// A reader that went away before the end is a failure too: what it has is not whole.
    fn failed(&self, error: &io::Error) -> Failure {
        let what = match error.kind() {
            ErrorKind::StorageFull => "its disk is full; free some space".to_owned(),
            ErrorKind::BrokenPipe => "nobody reads it any more".to_owned(),
            _ => error.to_string(),
        };
        let name = if self.is_stdout() { "stdout" } else { &self.name };
        Failure::Work(anyhow!(
            "the export to {name} is not whole: {what}, and export again"
        ))
    }
}

impl Drop for ExportFile {
    fn drop(&mut self) {
        if let Some((unfinished, ..)) = &self.renamed {
            // What is left is no export; where it cannot be deleted, its last line is missing.
            let _ = fs::remove_file(unfinished);
        }
    }
}
