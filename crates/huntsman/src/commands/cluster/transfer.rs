//! `huntsman cluster export` and `huntsman cluster import`: what has ended in a cluster, as lines of JSON.

use std::fs::File;
use std::io::{self, BufRead, BufReader, Read as _};
use std::path::Path;
use std::process::ExitCode;

use anyhow::{Context as _, anyhow};
use futures_util::{StreamExt as _, stream};
use store::Error;
use store::engines::nats::{ArchiveCounts, ArchiveItem, ArchiveLine, ArchiveReader, ArchivedValues, Nats};

use super::export_file::ExportFile;
use crate::failure::{Failure, exit_code};
use crate::output::Output;

/// Runs that are read or written at once.
const AT_ONCE: usize = 8;
/// Longest line, in bytes.
const MOST_LINE: u64 = 1 << 30;

fn failed(error: Error) -> Failure {
    Failure::Work(anyhow::Error::new(error))
}

/// Writes records, shares, usage and the runs that have ended. A run of which something is missing is named and left out.
pub(super) async fn export(cluster: &Nats, path: &Path) -> Result<ExitCode, Failure> {
    let mut file = ExportFile::create(path)?;
    let is_stdout = file.is_stdout();
    let (mut counts, mut faults) = (ArchiveCounts::default(), 0_usize);
    file.line(&ArchiveLine::start())?;
    for what in ArchivedValues::ALL {
        let mut from = 1;
        while let Some((lines, next)) = cluster.values_from(what, from).await.map_err(failed)? {
            from = next;
            write(&mut file, &mut counts, &lines)?;
        }
    }
    cluster.settle_ended().await.map_err(failed)?;
    let mut from = 1;
    while let Some((runs, next)) = cluster.ended_from(from).await.map_err(failed)? {
        from = next;
        let read = runs.iter().map(|run| cluster.archived_run(run));
        let mut read = stream::iter(read).buffered(AT_ONCE);
        while let Some(lines) = read.next().await {
            match lines {
                Ok(lines) => write(&mut file, &mut counts, &lines.unwrap_or_default())?,
                Err(Error::Damaged { reason }) => {
                    note!("left out: {reason}");
                    faults += 1;
                }
                Err(error) => return Err(failed(error)),
            }
        }
    }
    file.line(&ArchiveLine::End(counts))?;
    file.finish()?;
    let text = format!(
        "{} exported, {} runs go on and are not in it, {faults} are damaged",
        listed(&counts),
        cluster.open_count()
    );
    say(is_stdout, &text)?;
    Ok(exit_code(faults == 0))
}

fn write(file: &mut ExportFile, counts: &mut ArchiveCounts, lines: &[ArchiveLine]) -> Result<(), Failure> {
    for line in lines {
        counts.count(line);
        file.line(line)?;
    }
    Ok(())
}

fn listed(counts: &ArchiveCounts) -> String {
    let ArchiveCounts {
        runs,
        events,
        files,
        usage,
        shares,
        records,
    } = counts;
    format!(
        "{runs} runs with {events} events and {files} files, {records} records, {shares} shares, {usage} of usage"
    )
}

fn say(is_stdout: bool, text: &str) -> Result<(), Failure> {
    if is_stdout {
        note!("{text}");
        return Ok(());
    }
    let mut output = Output::new();
    output.text(text)?;
    Ok(output.done()?)
}

/// Stores what is in an export and not here. A file is checked to its end first; what comes over stdin as it comes.
pub(super) async fn import(cluster: &Nats, path: &Path) -> Result<ExitCode, Failure> {
    let is_stdin = path.as_os_str() == "-";
    let unreadable = |error: io::Error| Failure::usage(format!("{} cannot be read: {error}", path.display()));
    if !is_stdin {
        let facts = std::fs::metadata(path).map_err(unreadable)?;
        if facts.is_file() {
            for item in Items::over(BufReader::new(File::open(path).map_err(unreadable)?)) {
                item.map_err(|reason| {
                    Failure::Work(anyhow!("nothing was imported: {}, {reason}", path.display()))
                })?;
            }
        }
    }
    let reader: Box<dyn BufRead> = match is_stdin {
        true => Box::new(io::stdin().lock()),
        false => Box::new(BufReader::new(File::open(path).map_err(unreadable)?)),
    };
    let mut imported = Imported::default();
    let stored = Items::over(reader).map(|item| async {
        let item = item?;
        let stored = cluster.import_item(&item).await;
        Ok::<_, String>((item, stored))
    });
    let (mut stored, mut fault) = (stream::iter(stored).buffer_unordered(AT_ONCE), None);
    // After a line that cannot be used none is read; what was begun before it is finished.
    while let Some(outcome) = stored.next().await {
        match outcome {
            Ok((item, stored)) => imported.take(cluster, &item, stored)?,
            Err(reason) => fault = Some(reason),
        }
    }
    imported.say()?;
    match fault {
        Some(reason) => Err(Failure::Work(anyhow!(
            "the rest was not imported: {}, {reason}",
            path.display()
        ))),
        None => Ok(exit_code(imported.refused == 0)),
    }
}

/// What an import has done.
#[derive(Default)]
struct Imported {
    new: ArchiveCounts,
    known: ArchiveCounts,
    refused: usize,
    /// Values of the vault without their key.
    keyless: usize,
}

impl Imported {
    fn take(
        &mut self,
        cluster: &Nats,
        item: &ArchiveItem,
        stored: Result<bool, Error>,
    ) -> Result<(), Failure> {
        let counts = match stored {
            Ok(true) => &mut self.new,
            Ok(false) => &mut self.known,
            Err(Error::Taken { key }) => {
                note!("{key} goes on here, or is being imported by another command, and was left as it is");
                self.refused += 1;
                return Ok(());
            }
            Err(error) => {
                return Err(Failure::Work(
                    anyhow::Error::new(error).context("the rest was not imported"),
                ));
            }
        };
        match item {
            ArchiveItem::Run(run) => {
                counts.runs += 1;
                counts.events += run.events();
                counts.files += run.files();
            }
            ArchiveItem::Usage(_) => counts.usage += 1,
            ArchiveItem::Share(_) => counts.shares += 1,
            ArchiveItem::Record(_) => counts.records += 1,
        }
        self.keyless += usize::from(cluster.lacks_key_of(item));
        Ok(())
    }

    fn say(&self) -> Result<(), Failure> {
        if self.keyless > 0 {
            note!(
                "{} values of the vault are encrypted with a key that is not here: add the key of the other cluster to \
                 HUNTSMAN_SECRET_KEY, after a comma",
                self.keyless
            );
        }
        let text = format!(
            "{} imported; there already: {}",
            listed(&self.new),
            listed(&self.known)
        );
        say(false, &text)
    }
}

/// The items of an export; after an error nothing comes.
struct Items<R> {
    reader: R,
    checked: Option<ArchiveReader>,
}

impl<R: BufRead> Items<R> {
    fn over(reader: R) -> Self {
        Self {
            reader,
            checked: Some(ArchiveReader::default()),
        }
    }

    /// The next line; none at the end.
    fn line(&mut self) -> anyhow::Result<Option<String>> {
        let mut line = Vec::new();
        let mut reader = self.reader.by_ref().take(MOST_LINE);
        reader.read_until(b'\n', &mut line).context("it cannot be read")?;
        if line.is_empty() {
            return Ok(None);
        }
        if line.last() == Some(&b'\n') {
            line.pop();
        }
        // Bytes that are no text are no JSON either, and the reader says so with the number of the line.
        Ok(Some(String::from_utf8_lossy(&line).into_owned()))
    }

    fn next_item(&mut self) -> Result<Option<ArchiveItem>, String> {
        while let Some(line) = self.line().map_err(|error| format!("{error:#}"))? {
            let Some(checked) = &mut self.checked else { break };
            let item = checked.take(&line).map_err(|fault| fault.to_string())?;
            if item.is_some() {
                return Ok(item);
            }
        }
        let checked = self.checked.take().map(ArchiveReader::finish);
        checked.transpose().map_err(|fault| fault.to_string())?;
        Ok(None)
    }
}

impl<R: BufRead> Iterator for Items<R> {
    type Item = Result<ArchiveItem, String>;

    fn next(&mut self) -> Option<Self::Item> {
        self.checked.as_ref()?;
        let item = self.next_item().transpose();
        if !matches!(item, Some(Ok(_))) {
            self.checked = None;
        }
        item
    }
}
