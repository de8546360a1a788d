//! Room and removal on JetStream.

use async_trait::async_trait;
use jiff::Timestamp;
use serde::Deserialize;
use tokio::time::Instant;
use wire::RunId;

use super::api::NO_BODY;
use super::engine::{Nats, lock};
use super::open_runs::OpenRecord;
use super::runs::{CLIENT_PATIENCE, retrying};
use super::state::{Body, Change, Head, PARTS, RunState};
use crate::Error;
use crate::retention::{Removal, Retention, StoreSpace};

/// How long what is known about the room is used.
const SPACE_AGE: std::time::Duration = std::time::Duration::from_secs(5);

fn list_name(removal: Removal) -> &'static str {
    match removal {
        Removal::Run => "run",
        Removal::Events => "events",
    }
}

#[derive(Deserialize)]
struct Ended {
    finished: i64,
}

impl Nats {
    async fn purge(&self, stream: &str, subject: &str, keep: u64) -> Result<(), Error> {
        retrying(CLIENT_PATIENCE, || self.0.jetstream.purge(stream, subject, keep)).await
    }

    /// Removes a run whole: what makes it known goes first, the entry by which the removal is found again last.
    async fn remove_run(&self, run: &RunId, head: Option<Head>) -> Result<bool, Error> {
        let (layout, index) = (&self.0.layout, self.0.layout.index_stream());
        let log = layout.log_stream(run);
        self.purge(&log, &layout.log(run), 0).await?;
        self.0.forget(run);
        self.0.erase_sealed(run).await?;
        self.purge(
            &layout.blob_stream(),
            &format!("{}.*", layout.run_body(run, "*")),
            0,
        )
        .await?;
        let is_known = head.is_some();
        if let Some(Head { state, .. }) = head {
            let entry = layout.index_entry(state.owner.as_deref(), state.created, run);
            self.purge(&index, &entry, 0).await?;
            if let Some(key) = &state.key {
                self.purge(&index, key, 0).await?;
            }
        }
        self.purge(&index, &layout.ended("events", run.as_str()), 0)
            .await?;
        self.purge(&index, &layout.ended("run", run.as_str()), 0).await?;
        Ok(is_known)
    }

    /// Removes what a process left of a run that it began to store and never stored: the open record, by which it was found,
    /// the request and the entry in the index. Nothing is done where the record is another one: somebody goes on with the run.
    pub(super) async fn remove_abandoned(&self, run: &RunId, record: &OpenRecord) -> Result<(), Error> {
        let layout = &self.0.layout;
        let (stream, subject) = (layout.open_stream(), layout.open(run.as_str()));
        let known = retrying(CLIENT_PATIENCE, || self.0.jetstream.last(&stream, &subject)).await?;
        // Where it is gone already, this process has not heard of it.
        let is_other = |body: &[u8]| {
            !body.is_empty() && serde_json::from_slice::<OpenRecord>(body).ok().as_ref() != Some(record)
        };
        if known.as_ref().is_some_and(|known| is_other(&known.body)) {
            return Ok(());
        }
        let expected = Some(known.map_or(0, |known| known.seq));
        if !self.0.remove_open(run, expected, CLIENT_PATIENCE).await? {
            return Ok(());
        }
        // Its process may have been slow, and has stored it now.
        if let Some(head) = self.0.load(run, CLIENT_PATIENCE).await? {
            return self.correct_open(run, &head).await;
        }
        self.0.erase_sealed(run).await?;
        let bodies = format!("{}.*", layout.run_body(run, "*"));
        self.purge(&layout.blob_stream(), &bodies, 0).await?;
        let entry = layout.index_entry(record.owner.as_deref(), record.created, run);
        self.purge(&layout.index_stream(), &entry, 0).await
    }

    /// Removes the events of a run: one message with what stays is written, and those before it are deleted.
    async fn remove_events(&self, run: &RunId, head: &Head) -> Result<bool, Error> {
        if head.state.expired < head.state.last {
            let Some(job) = crate::jobs::Jobs::get(self, run).await? else {
                return Ok(false);
            };
            let kept = Body {
                request: Some(job.request),
                result: job.result,
                error: job.error,
                usage: job.usage,
                ..Body::default()
            };
            let bytes = kept.result.as_ref().map_or(0, String::len) as u64;
            let body = self.0.ready_body(run, &kept, CLIENT_PATIENCE).await?;
            let expire = |head: Option<&Head>| {
                let state = head
                    .map(|head| &head.state)
                    .filter(|state| state.status.is_final());
                Ok(state
                    .filter(|state| state.expired < state.last)
                    .map(|state| RunState {
                        change: Change::Expired,
                        expired: state.last,
                        bytes,
                        ..state.clone()
                    }))
            };
            self.0.change(run, CLIENT_PATIENCE, &body, expire).await?;
        }
        self.purge(&self.0.layout.log_stream(run), &self.0.layout.log(run), 1)
            .await?;
        // Of the bodies that were stored in parts, that of the message that stays is kept.
        let last = self.0.load_message(run, CLIENT_PATIENCE).await?;
        let kept = last.as_ref().and_then(|message| message.headers.get(PARTS));
        let bodies = format!("{}.0", self.0.layout.run_body(run, "*"));
        self.0
            .purge_bodies(&bodies, |name| kept.is_none_or(|kept| kept != name))
            .await?;
        lock(&self.0.positions).remove(run);
        let listed = self.0.layout.ended("events", run.as_str());
        self.purge(&self.0.layout.index_stream(), &listed, 0).await?;
        Ok(true)
    }
}

#[async_trait]
impl Retention for Nats {
    async fn space(&self) -> Result<StoreSpace, Error> {
        #[derive(Deserialize)]
        struct Info {
            state: State,
        }
        #[derive(Deserialize)]
        struct State {
            bytes: u64,
        }
        #[derive(Deserialize)]
        struct Account {
            storage: u64,
            limits: Limits,
        }
        #[derive(Deserialize)]
        struct Limits {
            max_storage: i64,
        }
        if let Some((at, space)) = *lock(&self.0.space)
            && at.elapsed() < SPACE_AGE
        {
            return Ok(space);
        }
        let mut used = 0;
        for stream in self.0.layout.streams() {
            let info = format!("STREAM.INFO.{stream}");
            let info: Info = retrying(CLIENT_PATIENCE, || self.0.jetstream.request(&info, &NO_BODY)).await?;
            used += info.state.bytes;
        }
        let account: Account =
            retrying(CLIENT_PATIENCE, || self.0.jetstream.request("INFO", &NO_BODY)).await?;
        // Without a limit of the account the servers' disks bound it, and they do not say how full they are.
        let free = u64::try_from(account.limits.max_storage)
            .ok()
            .filter(|limit| *limit > 0)
            .map(|limit| limit.saturating_sub(account.storage));
        let space = StoreSpace { used, free };
        *lock(&self.0.space) = Some((Instant::now(), space));
        Ok(space)
    }

    async fn ended(
        &self,
        removal: Removal,
        before: Option<Timestamp>,
        limit: usize,
    ) -> Result<Vec<RunId>, Error> {
        let stream = self.0.layout.index_stream();
        let filter = self.0.layout.ended(list_name(removal), "*");
        let before = before.map_or(i64::MAX, Timestamp::as_microsecond);
        // Entries come in the order of the ends, but for runs that were imported, which ended before they came here.
        let is_ordered = self.imported_hour().await?.is_none();
        let (mut from, mut found) = (1, Vec::new());
        loop {
            let batch = retrying(CLIENT_PATIENCE, || self.0.jetstream.batch(&stream, &filter, from));
            let (messages, mut more) = batch.await?;
            let Some(last) = messages.last() else { break };
            from = last.seq + 1;
            for message in &messages {
                let ended: Ended = serde_json::from_slice(&message.body).map_err(|error| Error::Damaged {
                    reason: format!("{}: {error}", message.subject),
                })?;
                let id = message.subject.rsplit('.').next().unwrap_or_default();
                if ended.finished < before {
                    found.extend(RunId::parse(id).ok().map(|id| (ended.finished, id)));
                } else if is_ordered {
                    more = false;
                }
            }
            if !more || (is_ordered && found.len() >= limit) {
                break;
            }
        }
        if !is_ordered {
            found.sort_by_key(|(finished, _)| *finished);
        }
        found.truncate(limit);
        Ok(found.into_iter().map(|(_, id)| id).collect())
    }

    async fn remove(&self, run: &RunId, removal: Removal) -> Result<bool, Error> {
        let head = self.0.load(run, CLIENT_PATIENCE).await?;
        if head.as_ref().is_some_and(|head| !head.state.status.is_final()) {
            return Ok(false);
        }
        *lock(&self.0.space) = None;
        match (removal, head) {
            (Removal::Run, head) => self.remove_run(run, head).await,
            (Removal::Events, Some(head)) => self.remove_events(run, &head).await,
            (Removal::Events, None) => {
                let listed = self.0.layout.ended("events", run.as_str());
                self.purge(&self.0.layout.index_stream(), &listed, 0).await?;
                Ok(false)
            }
        }
    }
}
