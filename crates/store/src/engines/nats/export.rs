//! Reading a cluster for `huntsman cluster export`: runs that have ended, usage, shares and records.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD as BASE64;
use wire::RunId;

use super::api::StoredMessage;
use super::archive::{
    ArchiveLine, ArchivedEvents, ArchivedFile, ArchivedKey, ArchivedRecord, ArchivedRun, ArchivedShare,
    ArchivedUsage,
};
use super::engine::Nats;
use super::jobs::KeyedRun;
use super::layout::Layout;
use super::runs::{CLIENT_PATIENCE, retrying};
use super::state::{Body, Head, RunState, StoredEntry};
use crate::Error;
use crate::blobs::is_run_blob_name;
use crate::jobs::Jobs as _;
use crate::log::EventLog as _;

/// Events of one read, and most of one line.
const BATCH: usize = 256;
/// Bytes of events after which a line ends.
const LINE: usize = 1 << 20;
/// How often a run is read again that changed meanwhile.
const TRIES: usize = 3;

/// What is exported beside runs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ArchivedValues {
    /// What owners used.
    Usage,
    /// Shares of owners.
    Shares,
    /// Records of all collections, those of the vault among them.
    Records,
}

impl ArchivedValues {
    /// All of them, in the order in which they are exported.
    pub const ALL: [Self; 3] = [Self::Records, Self::Shares, Self::Usage];
}

impl Nats {
    /// Lists the end of every run that has ended: a process that died may have left that to others.
    ///
    /// # Errors
    /// Those of the cluster.
    pub async fn settle_ended(&self) -> Result<(), Error> {
        let open = self.0.open_runs().newest(i64::MAX, None);
        for run in open.iter().filter_map(|(_, id)| RunId::parse(id).ok()) {
            let head = self.0.load(&run, CLIENT_PATIENCE).await?;
            if let Some(head) = head.filter(|head| head.state.status.is_final()) {
                self.correct_open(&run, &head).await?;
            }
        }
        Ok(())
    }

    /// How many runs go on.
    pub fn open_count(&self) -> usize {
        let (queued, running) = self.0.open_runs().counts();
        queued + running
    }

    /// Runs that have ended, those that ended first come first, from a place on; and the place where the next ones begin.
    /// None at the end.
    ///
    /// # Errors
    /// Those of the cluster.
    pub async fn ended_from(&self, from: u64) -> Result<Option<(Vec<RunId>, u64)>, Error> {
        let (stream, filter) = (self.0.layout.index_stream(), self.0.layout.ended("run", "*"));
        let messages = self.messages(&stream, &filter, from).await?;
        let Some(last) = messages.last() else {
            return Ok(None);
        };
        let ids = messages
            .iter()
            .filter_map(|message| message.subject.rsplit('.').next());
        Ok(Some((
            ids.filter_map(|id| RunId::parse(id).ok()).collect(),
            last.seq + 1,
        )))
    }

    /// Usage, shares or records from a place on, and the place where the next ones begin. None at the end.
    ///
    /// # Errors
    /// [`Error::Damaged`] for one that cannot be read; those of the cluster.
    pub async fn values_from(
        &self,
        what: ArchivedValues,
        from: u64,
    ) -> Result<Option<(Vec<ArchiveLine>, u64)>, Error> {
        let layout = &self.0.layout;
        let (stream, filter) = match what {
            ArchivedValues::Usage => (layout.index_stream(), layout.usage(None, "*", "*")),
            ArchivedValues::Shares => (layout.open_stream(), layout.share(None)),
            ArchivedValues::Records => (layout.record_stream(), layout.all_records()),
        };
        let messages = self.messages(&stream, &filter, from).await?;
        let Some(last) = messages.last() else {
            return Ok(None);
        };
        let next = last.seq + 1;
        // What is about to expire is no longer there.
        let kept = messages
            .iter()
            .filter(|message| !message.headers.contains_key("Nats-TTL"));
        let lines = kept.map(|message| {
            value_line(what, message).map_err(|reason| Error::Damaged {
                reason: format!("{}: {reason}", message.subject),
            })
        });
        Ok(Some((lines.collect::<Result<_, _>>()?, next)))
    }

    /// Messages of a subject from a sequence on, none at the end. What the nearest replica does not have yet comes from the
    /// leader.
    async fn messages(&self, stream: &str, filter: &str, from: u64) -> Result<Vec<StoredMessage>, Error> {
        let batch = retrying(CLIENT_PATIENCE, || self.0.jetstream.batch(stream, filter, from));
        let (messages, _) = batch.await?;
        if !messages.is_empty() {
            return Ok(messages);
        }
        let next = retrying(CLIENT_PATIENCE, || self.0.jetstream.next(stream, filter, from));
        Ok(next.await?.into_iter().collect())
    }

    /// A run that has ended, as lines of an export; none where it was removed or goes on.
    ///
    /// # Errors
    /// [`Error::Damaged`] where something is missing of it; those of the cluster.
    pub async fn archived_run(&self, id: &RunId) -> Result<Option<Vec<ArchiveLine>>, Error> {
        let mut fault = None;
        for _ in 0..TRIES {
            let Some(message) = self.0.load_message(id, CLIENT_PATIENCE).await? else {
                return Ok(None);
            };
            let head = Head::read(&message)?;
            if !head.state.status.is_final() {
                return Ok(None);
            }
            match self.lines_of(id, &head, &message).await {
                Err(Error::Damaged { reason }) => fault = Some(reason),
                lines => return lines.map(Some),
            }
            // Its events may just be being removed.
            self.0.forget(id);
        }
        Err(Error::Damaged {
            reason: fault.unwrap_or_default(),
        })
    }

    async fn lines_of(
        &self,
        id: &RunId,
        Head { state, .. }: &Head,
        message: &StoredMessage,
    ) -> Result<Vec<ArchiveLine>, Error> {
        let damaged = |reason: String| Error::Damaged { reason };
        let body = self.0.body(id, message).await?;
        let job = self.get(id).await?;
        let request = job.ok_or_else(|| damaged(format!("{id} was removed")))?.request;
        let (mut lines, mut after) = (Vec::new(), state.expired);
        let mut line: Vec<StoredEntry> = Vec::new();
        loop {
            let batch = self.read(id, after, BATCH).await?;
            let Some(last) = batch.last() else { break };
            after = last.seq;
            line.extend(Body::of(&batch).entries);
            if line.len() >= BATCH || line.iter().map(StoredEntry::bytes).sum::<usize>() > LINE {
                lines.push(ArchiveLine::Events(ArchivedEvents(std::mem::take(&mut line))));
            }
        }
        if !line.is_empty() {
            lines.push(ArchiveLine::Events(ArchivedEvents(line)));
        }
        check_log(id, state, &lines)?;
        let files = self.files_of(id).await?;
        let run = archived(id, state, body, request);
        let idempotency = self.key_of(id, state).await?;
        let run = ArchivedRun {
            idempotency,
            files: files.len(),
            ..run
        };
        lines.insert(0, ArchiveLine::Run(Box::new(run)));
        lines.extend(files.into_iter().map(ArchiveLine::File));
        Ok(lines)
    }

    async fn files_of(&self, id: &RunId) -> Result<Vec<ArchivedFile>, Error> {
        let (stream, first_parts) = (
            self.0.layout.blob_stream(),
            format!("{}.0", self.0.layout.run_body(id, "*")),
        );
        let subjects = retrying(CLIENT_PATIENCE, || {
            self.0.jetstream.subjects(&stream, &first_parts)
        });
        let mut names: Vec<String> = Vec::new();
        for subject in subjects.await? {
            let name = subject.rsplit('.').nth(1).unwrap_or_default();
            names.extend(is_run_blob_name(name).then(|| name.to_owned()));
        }
        names.sort_unstable();
        let mut files = Vec::new();
        for name in names {
            let base = self.0.layout.run_body(id, &name);
            // One that is gone expired meanwhile.
            if let Some(bytes) = self.0.get_parts(&stream, &base).await? {
                let data = BASE64.encode(&bytes);
                files.push(ArchivedFile { name, data });
            }
        }
        Ok(files)
    }

    async fn key_of(&self, id: &RunId, state: &RunState) -> Result<Option<ArchivedKey>, Error> {
        let Some(subject) = &state.key else {
            return Ok(None);
        };
        let Some((owner_digest, key_digest)) = Layout::key_digests(subject) else {
            return Ok(None);
        };
        let stream = self.0.layout.index_stream();
        let found = retrying(CLIENT_PATIENCE, || self.0.jetstream.last(&stream, subject)).await?;
        let names = found.and_then(|message| serde_json::from_slice::<KeyedRun>(&message.body).ok());
        Ok(names.filter(|names| names.run == *id).map(|names| ArchivedKey {
            owner_digest: owner_digest.to_owned(),
            key_digest: key_digest.to_owned(),
            names,
        }))
    }
}

/// Checks that the events of a run are all there.
fn check_log(id: &RunId, state: &RunState, lines: &[ArchiveLine]) -> Result<(), Error> {
    let damaged = |text: &str, last: u64| Error::Damaged {
        reason: format!("{id}: {text} after event {last}"),
    };
    let (mut last, mut is_ended) = (state.expired, state.expired > 0);
    for line in lines {
        let ArchiveLine::Events(entries) = line else {
            continue;
        };
        for entry in &entries.0 {
            if entry.seq() != last + 1 {
                return Err(damaged("events are missing", last));
            }
            (last, is_ended) = (entry.seq(), entry.is_terminal());
        }
    }
    match (last == state.last, is_ended) {
        (true, true) => Ok(()),
        (true, false) => Err(damaged("it has ended without a last event", last)),
        (false, _) => Err(damaged("events are missing", last)),
    }
}

fn archived(id: &RunId, state: &RunState, body: Body, request: String) -> ArchivedRun {
    ArchivedRun {
        id: id.clone(),
        kind: state.kind,
        status: state.status,
        owner: state.owner.clone(),
        account: state.account.clone(),
        created: state.created,
        finished: state.finished.unwrap_or(state.created),
        last: state.last,
        expired: state.expired,
        attempt: state.attempt,
        lost: state.lost,
        cancel: state.cancel.clone(),
        priority: state.priority,
        request,
        result: body.result,
        error: body.error,
        usage: body.usage,
        metered: body.metered,
        idempotency: None,
        files: 0,
    }
}

fn value_line(what: ArchivedValues, message: &StoredMessage) -> Result<ArchiveLine, String> {
    let unreadable = |error: serde_json::Error| error.to_string();
    let name = || message.subject.rsplit('.').next().unwrap_or_default().to_owned();
    Ok(match what {
        ArchivedValues::Usage => ArchiveLine::Usage(ArchivedUsage {
            name: name(),
            used: serde_json::from_slice(&message.body).map_err(unreadable)?,
        }),
        ArchivedValues::Shares => ArchiveLine::Share(ArchivedShare(
            serde_json::from_slice(&message.body).map_err(unreadable)?,
        )),
        ArchivedValues::Records => {
            let (collection, name) =
                Layout::record_names(&message.subject).ok_or("the names cannot be read")?;
            let value = String::from_utf8(message.body.to_vec()).map_err(|error| error.to_string())?;
            ArchiveLine::Record(ArchivedRecord {
                collection,
                name,
                value,
            })
        }
    })
}
