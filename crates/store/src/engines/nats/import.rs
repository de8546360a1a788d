//! Import of what has ended elsewhere: runs for `huntsman cluster migrate`, and everything of `huntsman cluster import`.

use bytes::Bytes;
use serde_json::json;
use wire::LogEntry;
use wire::run::RunStatus;

use super::api::Refusal;
use super::archive::{ArchiveItem, ArchivedKey, ArchivedRecord, ArchivedRun, ArchivedUsage, WholeRun};
use super::engine::Nats;
use super::jobs::KeyedRun;
use super::owners::StoredShare;
use super::runs::{CLIENT_PATIENCE, random_name, retrying};
use super::state::{Body, Change, Head, RunState, StoredEntry, VERSION};
use crate::Error;
use crate::jobs::{Job, JobNeeds};

/// Entries of one message.
const BATCH: usize = 128;
/// Marks a run whose import is under way.
const IMPORTING: &str = "import";

/// A run that is being written.
struct Importing<'a> {
    cluster: &'a Nats,
    run: &'a ArchivedRun,
    state: RunState,
    /// The message before the next one.
    head: Option<Head>,
}

impl Importing<'_> {
    /// Writes a message of the run, after the last one of this import and no other.
    async fn write(&mut self, body: &Body) -> Result<(), Error> {
        let (id, inner) = (&self.run.id, &self.cluster.0);
        let body = inner.ready_body(id, body, CLIENT_PATIENCE).await?;
        let expected = self.head.as_ref().map_or(0, |head| head.seq);
        let written = inner
            .change(id, CLIENT_PATIENCE, &body, |head| {
                if head.map_or(0, |head| head.seq) == expected {
                    Ok(Some(self.state.clone()))
                } else {
                    Err(Error::Taken { key: id.to_string() })
                }
            })
            .await?;
        self.head = Some(written.ok_or_else(|| Error::UnknownRun(id.clone()))?);
        Ok(())
    }
}

impl Nats {
    /// Stores a run as it ended elsewhere, with its whole log. False when it is here already; what an import that was cut off
    /// left of it is replaced. `number` is its place among the imported runs: it orders those of one millisecond. Idempotency
    /// keys and usage are not part of it.
    ///
    /// # Errors
    /// [`Error::Taken`] when a run of this id goes on here; [`Error::Disorder`] for a log with gaps; those of the cluster.
    pub async fn import(&self, number: usize, job: &Job, log: &[LogEntry]) -> Result<bool, Error> {
        let summary = &job.summary;
        let first = summary.expired_seq;
        let dense = log.iter().zip(first + 1..).all(|(entry, seq)| entry.seq == seq);
        if !dense || first + log.len() as u64 != summary.last_seq || !summary.status.is_final() {
            return Err(Error::Disorder {
                run: summary.id.clone(),
            });
        }
        let run = ArchivedRun {
            id: summary.id.clone(),
            kind: summary.kind,
            status: summary.status,
            owner: summary.owner.clone(),
            account: None,
            created: summary.created_at.as_microsecond() + (number % 1000) as i64,
            finished: summary.finished_at.unwrap_or(summary.created_at).as_microsecond(),
            last: summary.last_seq,
            expired: first,
            attempt: summary.attempt,
            lost: summary.lost_workers,
            cancel: summary.cancel.clone(),
            priority: 0,
            request: job.request.clone(),
            result: job.result.clone(),
            error: job.error.clone(),
            usage: job.usage.clone(),
            metered: Vec::new(),
            idempotency: None,
            files: 0,
        };
        let (log, files) = (Body::of(log).entries, Vec::new());
        self.import_run(&WholeRun { run, log, files }).await
    }

    /// Stores what an export holds. False when it is here already; then nothing is changed.
    ///
    /// # Errors
    /// [`Error::Taken`] when a run of this id goes on here, or another import writes it; those of the cluster.
    pub async fn import_item(&self, item: &ArchiveItem) -> Result<bool, Error> {
        match item {
            ArchiveItem::Run(whole) => self.import_run(whole).await,
            ArchiveItem::Usage(usage) => self.import_usage(usage).await,
            ArchiveItem::Share(share) => self.import_share(&share.0).await,
            ArchiveItem::Record(record) => self.import_record(record).await,
        }
    }

    /// Whether an item is a value of the vault that no key of this process opens. It is stored all the same.
    pub fn lacks_key_of(&self, item: &ArchiveItem) -> bool {
        match item {
            ArchiveItem::Record(record) => self.lacks_key(&record.collection, &record.value),
            ArchiveItem::Run(_) | ArchiveItem::Usage(_) | ArchiveItem::Share(_) => false,
        }
    }

    async fn import_run(&self, whole: &WholeRun) -> Result<bool, Error> {
        let run = &whole.run;
        if !self.clear_way(run).await? {
            return Ok(false);
        }
        let key = match &run.idempotency {
            Some(key) => self.import_key(key).await?,
            None => None,
        };
        let mut importing = Importing {
            cluster: self,
            run,
            state: first_state(run, key),
            head: None,
        };
        let request = Body {
            request: Some(run.request.clone()),
            ..Body::default()
        };
        importing.write(&request).await?;
        for (name, bytes) in &whole.files {
            let base = self.0.layout.run_body(&run.id, name);
            let bytes = Bytes::copy_from_slice(bytes);
            self.0.put_parts(&base, bytes, CLIENT_PATIENCE).await?;
        }
        let mut batches: Vec<&[StoredEntry]> = whole.log.chunks(BATCH).collect();
        let last = batches.pop().unwrap_or_default();
        for entries in batches {
            take_in(&mut importing.state, entries);
            importing.state.change = Change::Events;
            importing.write(&events(entries)).await?;
        }
        self.reach_back(run.created).await?;
        let entry = self
            .0
            .layout
            .index_entry(run.owner.as_deref(), run.created, &run.id);
        self.put_message(&entry, None, Bytes::new()).await?;
        let state = &mut importing.state;
        take_in(state, last);
        (state.change, state.status) = (
            if last.is_empty() {
                Change::Expired
            } else {
                Change::Ended
            },
            run.status,
        );
        (state.finished, state.session) = (Some(run.finished), String::new());
        state.bytes += run.result.as_ref().map_or(0, String::len) as u64;
        importing.write(&ending(run, last)).await?;
        if let Some(head) = &importing.head {
            self.0.settle_end(&run.id, head, &run.metered).await?;
        }
        Ok(true)
    }

    /// Removes what an import that was cut off left of a run. False when the run is here.
    async fn clear_way(&self, run: &ArchivedRun) -> Result<bool, Error> {
        let id = &run.id;
        match self.0.load(id, CLIENT_PATIENCE).await? {
            None => return Ok(true),
            Some(head) if head.state.status.is_final() => return Ok(false),
            Some(head) if head.state.session != IMPORTING => {
                return Err(Error::Taken { key: id.to_string() });
            }
            Some(_) => {}
        }
        let layout = &self.0.layout;
        let bodies = format!("{}.*", layout.run_body(id, "*"));
        for (stream, subject) in [
            (layout.blob_stream(), bodies),
            (layout.log_stream(id), layout.log(id)),
        ] {
            retrying(CLIENT_PATIENCE, || self.0.jetstream.purge(&stream, &subject, 0)).await?;
        }
        self.0.forget(id);
        Ok(true)
    }

    /// Stores the idempotency key of a run and gives its subject; none where the key names another run here.
    async fn import_key(&self, key: &ArchivedKey) -> Result<Option<String>, Error> {
        let subject = self.0.layout.key_of_digests(&key.owner_digest, &key.key_digest);
        let body = Bytes::from(json!(key.names).to_string());
        if self.put_message(&subject, Some(0), body).await? {
            return Ok(Some(subject));
        }
        let stream = self.0.layout.index_stream();
        let found = retrying(CLIENT_PATIENCE, || self.0.jetstream.last(&stream, &subject)).await?;
        let named = found.and_then(|message| serde_json::from_slice::<KeyedRun>(&message.body).ok());
        Ok(named.filter(|named| named.run == key.names.run).map(|_| subject))
    }

    async fn import_usage(&self, ArchivedUsage { name, used }: &ArchivedUsage) -> Result<bool, Error> {
        let day = used.day.to_string();
        let subject = self.0.layout.usage(Some(&used.owner), &day, name);
        self.put_message(&subject, Some(0), Bytes::from(json!(used).to_string()))
            .await
    }

    async fn import_share(&self, share: &StoredShare) -> Result<bool, Error> {
        let subject = self.0.layout.share(Some(&share.owner));
        self.put_message(&subject, Some(0), Bytes::from(json!(share).to_string()))
            .await
    }

    async fn import_record(&self, record: &ArchivedRecord) -> Result<bool, Error> {
        let subject = self.0.layout.record(&record.collection, Some(&record.name));
        self.put_message(&subject, Some(0), Bytes::from(record.value.clone()))
            .await
    }

    /// Publishes a message; false where the subject has another last message than was expected.
    async fn put_message(&self, subject: &str, expected: Option<u64>, body: Bytes) -> Result<bool, Error> {
        let stored = retrying(CLIENT_PATIENCE, || async {
            match self
                .0
                .jetstream
                .publish(subject, expected, &[], body.clone())
                .await
            {
                Ok(_) => Ok(true),
                Err(Refusal::Stale) => Ok(false),
                Err(refusal) => Err(refusal),
            }
        });
        stored.await
    }
}

fn take_in(state: &mut RunState, entries: &[StoredEntry]) {
    state.last += entries.len() as u64;
    state.bytes += entries.iter().map(|entry| entry.bytes() as u64).sum::<u64>();
}

fn events(entries: &[StoredEntry]) -> Body {
    Body {
        entries: entries.to_vec(),
        ..Body::default()
    }
}

/// The last message of a run. Where events are no longer kept, it has the request too.
fn ending(run: &ArchivedRun, entries: &[StoredEntry]) -> Body {
    Body {
        request: (run.expired > 0).then(|| run.request.clone()),
        result: run.result.clone(),
        error: run.error.clone(),
        usage: run.usage.clone(),
        metered: run.metered.clone(),
        ..events(entries)
    }
}

fn first_state(run: &ArchivedRun, key: Option<String>) -> RunState {
    RunState {
        v: VERSION,
        change: Change::Created,
        write: random_name(),
        kind: run.kind,
        // No worker takes it: there is no open record of it.
        status: RunStatus::Running,
        owner: run.owner.clone(),
        created: run.created,
        finished: None,
        last: run.expired,
        expired: run.expired,
        epoch: u64::from(run.attempt),
        attempt: run.attempt,
        lost: run.lost,
        cancel: run.cancel.clone(),
        commands: Vec::new(),
        sealed: false,
        key,
        account: run.account.clone(),
        priority: run.priority,
        needs: JobNeeds::ANY,
        bytes: 0,
        session: IMPORTING.to_owned(),
        ttl: 0,
    }
}
