//! `ArchiveLine`: the lines of an export of a cluster, and `ArchiveReader`, which checks them and puts runs together.
//!
//! Each line is one JSON object with one field, its kind. The first one names the version, the last one counts what came
//! before it, so that a file that was cut off is known as such. A run is one line, followed by its events and its files.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD as BASE64;
use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use wire::RunId;
use wire::run::{RunKind, RunStatus};

use super::jobs::KeyedRun;
use super::owners::{StoredShare, StoredUsage};
use super::state::StoredEntry;
use crate::blobs::is_run_blob_name;

/// The version of exports that this program writes. It reads every version up to it.
pub const ARCHIVE_VERSION: u32 = 1;
/// Longest name of a collection or of a record. What it holds in hexadecimal takes twice the room.
const MAX_NAME: usize = 512;
/// Longest value of a record: with what belongs to a message it is one.
const MAX_VALUE: usize = 1_000_000;

/// A line of an export.
#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ArchiveLine {
    /// The first line.
    HuntsmanCluster(ArchiveStart),
    /// A run that has ended. Its events and its files are the lines that follow.
    Run(Box<ArchivedRun>),
    /// Events of the run before.
    Events(ArchivedEvents),
    /// A file of the run before.
    File(ArchivedFile),
    /// What was used on a day.
    Usage(ArchivedUsage),
    /// The share of an owner.
    Share(ArchivedShare),
    /// A record.
    Record(ArchivedRecord),
    /// The last line.
    End(ArchiveCounts),
}

/// What an export is.
#[derive(Debug, Serialize, Deserialize)]
pub struct ArchiveStart {
    version: u32,
    /// The program that wrote it.
    #[serde(default)]
    program: String,
    #[serde(default)]
    exported_at: String,
}

impl ArchiveLine {
    /// The first line of an export that is written now.
    pub fn start() -> Self {
        Self::HuntsmanCluster(ArchiveStart {
            version: ARCHIVE_VERSION,
            program: env!("CARGO_PKG_VERSION").into(),
            exported_at: Timestamp::now().to_string(),
        })
    }
}

/// A run as it ended. Times are in microseconds since 1970.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ArchivedRun {
    pub(super) id: RunId,
    pub(super) kind: RunKind,
    pub(super) status: RunStatus,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) owner: Option<String>,
    /// The id of the API key that asked.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) account: Option<String>,
    pub(super) created: i64,
    pub(super) finished: i64,
    /// The number of its last event.
    pub(super) last: u64,
    /// Events up to this number are no longer kept.
    #[serde(default)]
    pub(super) expired: u64,
    #[serde(default)]
    pub(super) attempt: u32,
    #[serde(default)]
    pub(super) lost: u32,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) cancel: Option<String>,
    #[serde(default)]
    pub(super) priority: u8,
    pub(super) request: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) result: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) error: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) usage: Option<String>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(super) metered: Vec<(String, [u64; 7])>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) idempotency: Option<ArchivedKey>,
    /// How many files follow.
    #[serde(default)]
    pub(super) files: usize,
}

/// The idempotency key of a run: digests, as they are stored.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(super) struct ArchivedKey {
    pub(super) owner_digest: String,
    pub(super) key_digest: String,
    pub(super) names: KeyedRun,
}

/// Events in order.
#[derive(Debug, Serialize, Deserialize)]
#[serde(transparent)]
pub struct ArchivedEvents(pub(super) Vec<StoredEntry>);

/// The share of an owner.
#[derive(Debug, Serialize, Deserialize)]
#[serde(transparent)]
pub struct ArchivedShare(pub(super) StoredShare);

/// A file of a run.
#[derive(Debug, Serialize, Deserialize)]
pub struct ArchivedFile {
    pub(super) name: String,
    /// In base64.
    pub(super) data: String,
}

/// Usage, with the name under which it is stored.
#[derive(Debug, Serialize, Deserialize)]
pub struct ArchivedUsage {
    pub(super) name: String,
    #[serde(flatten)]
    pub(super) used: StoredUsage,
}

/// A record as it is stored: values of the vault are encrypted, API keys are digests.
#[derive(Debug, Serialize, Deserialize)]
pub struct ArchivedRecord {
    pub(super) collection: String,
    pub(super) name: String,
    pub(super) value: String,
}

/// How much an export holds, or an import has done.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ArchiveCounts {
    /// Runs.
    pub runs: usize,
    /// Events of them.
    pub events: usize,
    /// Files of them.
    pub files: usize,
    /// Messages of usage.
    pub usage: usize,
    /// Shares of owners.
    pub shares: usize,
    /// Records.
    pub records: usize,
}

impl ArchiveCounts {
    /// Counts a line.
    pub fn count(&mut self, line: &ArchiveLine) {
        match line {
            ArchiveLine::Run(_) => self.runs += 1,
            ArchiveLine::Events(entries) => self.events += entries.0.len(),
            ArchiveLine::File(_) => self.files += 1,
            ArchiveLine::Usage(_) => self.usage += 1,
            ArchiveLine::Share(_) => self.shares += 1,
            ArchiveLine::Record(_) => self.records += 1,
            ArchiveLine::HuntsmanCluster(_) | ArchiveLine::End(_) => {}
        }
    }
}

/// A run with everything that is kept of it.
#[derive(Debug)]
pub struct WholeRun {
    pub(super) run: ArchivedRun,
    pub(super) log: Vec<StoredEntry>,
    /// Name and bytes.
    pub(super) files: Vec<(String, Vec<u8>)>,
}

impl WholeRun {
    fn is_whole(&self) -> bool {
        self.run.expired + self.log.len() as u64 == self.run.last && self.files.len() == self.run.files
    }

    /// How many events it has.
    pub fn events(&self) -> usize {
        self.log.len()
    }

    /// How many files it has.
    pub fn files(&self) -> usize {
        self.files.len()
    }
}

/// What an export holds, put together from its lines.
#[derive(Debug)]
pub enum ArchiveItem {
    /// A run.
    Run(Box<WholeRun>),
    /// Usage.
    Usage(ArchivedUsage),
    /// The share of an owner.
    Share(ArchivedShare),
    /// A record.
    Record(ArchivedRecord),
}

/// Why a line of an export cannot be used.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("line {line}: {reason}")]
pub struct ArchiveFault {
    /// Its number, from 1.
    pub line: u64,
    /// What is wrong.
    pub reason: String,
}

/// Reads the lines of an export in order.
#[derive(Debug, Default)]
pub struct ArchiveReader {
    lines: u64,
    counts: ArchiveCounts,
    open: Option<Box<WholeRun>>,
    is_over: bool,
}

impl ArchiveReader {
    /// Takes the next line, without its line break. What the line completes is returned.
    ///
    /// # Errors
    /// With the number of the line. Nothing of the run that the line belongs to is to be used then.
    pub fn take(&mut self, line: &str) -> Result<Option<ArchiveItem>, ArchiveFault> {
        self.lines += 1;
        self.read(line).map_err(|reason| self.fault(reason))
    }

    /// Says that no line follows.
    ///
    /// # Errors
    /// Where the last line of an export did not come.
    pub fn finish(mut self) -> Result<ArchiveCounts, ArchiveFault> {
        if self.is_over {
            return Ok(self.counts);
        }
        self.lines += 1;
        let reason = "the file ends here, and its last line is missing: it was cut off; export again";
        Err(self.fault(reason.into()))
    }

    fn fault(&self, reason: String) -> ArchiveFault {
        ArchiveFault {
            line: self.lines,
            reason,
        }
    }

    fn read(&mut self, line: &str) -> Result<Option<ArchiveItem>, String> {
        if self.lines == 1 {
            return check_version(line).map(|()| None);
        }
        if self.is_over {
            return Err("this line follows the last one".into());
        }
        let line: ArchiveLine = serde_json::from_str(line)
            .map_err(|error| format!("it is damaged or cut off ({error}); export again"))?;
        self.counts.count(&line);
        match line {
            ArchiveLine::Events(entries) => {
                let open = self.open.as_mut().ok_or("it has events that belong to no run")?;
                take_events(open, entries.0)?;
            }
            ArchiveLine::File(file) => {
                let open = self.open.as_mut().ok_or("it is a file that belongs to no run")?;
                take_file(open, file)?;
            }
            _ if self.open.is_some() => return Err("events or files of the run before it are missing".into()),
            ArchiveLine::HuntsmanCluster(_) => return Err("a second export begins".into()),
            ArchiveLine::Run(run) => {
                check_run(&run)?;
                let (log, files) = (Vec::new(), Vec::new());
                let run = *run;
                self.open = Some(Box::new(WholeRun { run, log, files }));
            }
            ArchiveLine::Usage(usage) => {
                check_token(&usage.name)?;
                return Ok(Some(ArchiveItem::Usage(usage)));
            }
            ArchiveLine::Share(share) => return Ok(Some(ArchiveItem::Share(share))),
            ArchiveLine::Record(record) => {
                check_record(&record)?;
                return Ok(Some(ArchiveItem::Record(record)));
            }
            ArchiveLine::End(counts) => {
                if counts != self.counts {
                    return Err(format!("it counts {counts:?}, and {:?} came", self.counts));
                }
                self.is_over = true;
            }
        }
        let whole = self.open.take_if(|open| open.is_whole());
        Ok(whole.map(ArchiveItem::Run))
    }
}

fn check_version(line: &str) -> Result<(), String> {
    #[derive(Deserialize)]
    struct First {
        huntsman_cluster: Versioned,
    }
    #[derive(Deserialize)]
    struct Versioned {
        version: u32,
    }
    let First { huntsman_cluster } = serde_json::from_str(line)
        .map_err(|_| "it is not the first line of a file of `huntsman cluster export`".to_owned())?;
    match huntsman_cluster.version {
        1..=ARCHIVE_VERSION => Ok(()),
        version => Err(format!(
            "the file has version {version}, and this program reads up to {ARCHIVE_VERSION}: use a newer one"
        )),
    }
}

fn check_run(run: &ArchivedRun) -> Result<(), String> {
    let is_time = |micros: i64| Timestamp::from_microsecond(micros).is_ok();
    let is_json = |text: &str| serde_json::from_str::<serde::de::IgnoredAny>(text).is_ok();
    let texts = [&run.result, &run.error, &run.usage].into_iter().flatten();
    if !run.status.is_final() {
        return Err(format!("{} has not ended", run.id));
    }
    if run.last == 0 || run.expired > run.last || !is_time(run.created) || !is_time(run.finished) {
        return Err(format!("numbers of {} cannot be", run.id));
    }
    if !std::iter::once(&run.request)
        .chain(texts)
        .all(|text| is_json(text))
    {
        return Err(format!("request or result of {} is no JSON", run.id));
    }
    if let Some(key) = &run.idempotency {
        check_token(&key.owner_digest)?;
        check_token(&key.key_digest)?;
    }
    Ok(())
}

fn take_events(open: &mut WholeRun, entries: Vec<StoredEntry>) -> Result<(), String> {
    let (id, last) = (&open.run.id, open.run.last);
    let first = open.run.expired + open.log.len() as u64 + 1;
    for (next, entry) in (first..).zip(&entries) {
        if entry.seq() != next {
            return Err(format!(
                "event {next} of {id} is missing, {} comes instead",
                entry.seq()
            ));
        }
        if entry.is_terminal() != (next == last) {
            return Err(format!(
                "{id} has {last} events, and event {next} is not what that asks for"
            ));
        }
    }
    open.log.extend(entries);
    Ok(())
}

fn take_file(open: &mut WholeRun, file: ArchivedFile) -> Result<(), String> {
    let id = &open.run.id;
    if !is_run_blob_name(&file.name) || open.files.iter().any(|(name, _)| *name == file.name) {
        return Err(format!("{:?} is no name for a file of {id}", file.name));
    }
    if open.files.len() >= open.run.files {
        return Err(format!("{id} has {} files, and more come", open.run.files));
    }
    let bytes = BASE64.decode(&file.data);
    let bytes = bytes.map_err(|error| format!("a file of {id} is no base64: {error}"))?;
    open.files.push((file.name, bytes));
    Ok(())
}

/// Checks what becomes a part of a subject as it is.
fn check_token(text: &str) -> Result<(), String> {
    let is_token = |byte: u8| byte.is_ascii_alphanumeric() || b"-_".contains(&byte);
    if (1..=MAX_NAME).contains(&text.len()) && text.bytes().all(is_token) {
        Ok(())
    } else {
        Err(format!("{text:?} cannot be a name"))
    }
}

fn check_record(record: &ArchivedRecord) -> Result<(), String> {
    let is_name = |text: &str| {
        let is_part = |byte: u8| byte.is_ascii_alphanumeric() || b"-_.=/".contains(&byte);
        (1..=MAX_NAME).contains(&text.len()) && text.bytes().all(is_part)
    };
    if !is_name(&record.collection) || !is_name(&record.name) || record.value.len() > MAX_VALUE {
        return Err(format!(
            "{:?} in {:?} cannot be a record",
            record.name, record.collection
        ));
    }
    Ok(())
}
