//! Reads and writes of a run's messages: the compare-and-set that every change of a run is.

use std::time::Duration;

use bytes::Bytes;
use serde_json::json;
use tokio::time::Instant;
use wire::RunId;

use super::api::{Refusal, StoredMessage};
use super::engine::{Nats, NatsInner};
use super::open_runs::OpenRecord;
use super::state::{Body, Head, PARTS, RunState, STATE, VERSION};
use crate::Error;
use crate::keyring::hex;

/// How long a client's request waits for the cluster.
pub(super) const CLIENT_PATIENCE: Duration = Duration::from_secs(6);
/// How long a worker's write waits for the cluster: a change of leader takes 4 to 9 s, a restart of all nodes 15 s.
pub(super) const WORKER_PATIENCE: Duration = Duration::from_secs(120);
/// Bytes of a body that stays in its message.
const INLINE: usize = 128 << 10;
/// Bytes of one part of what is stored in parts.
const PART: usize = 512 << 10;
/// The header that says how many parts there are.
const COUNT: &str = "Hm-Count";
/// How long a name of an ended run stays for those who follow the open runs.
const TOMBSTONE_TTL: &str = "10s";

/// A body that is ready to be published.
pub(super) enum ReadyBody {
    Inline(Bytes),
    /// Stored in parts of this name.
    Parts(String),
}

impl ReadyBody {
    pub(super) const NONE: Self = Self::Inline(Bytes::new());
}

/// A random name.
pub(super) fn random_name() -> String {
    hex(&fastrand::u64(..).to_be_bytes())
}

/// Does a request again while the cluster does not answer, until its time is over.
pub(super) async fn retrying<T, Answer>(
    patience: Duration,
    mut request: impl FnMut() -> Answer,
) -> Result<T, Error>
where
    Answer: Future<Output = Result<T, Refusal>>,
{
    let deadline = Instant::now() + patience;
    loop {
        match request().await {
            Err(Refusal::Unavailable(_)) if Instant::now() < deadline => {
                tokio::time::sleep(Duration::from_millis(200)).await;
            }
            outcome => return Ok(outcome?),
        }
    }
}

impl NatsInner {
    /// The last message of a run, from the leader.
    pub(super) async fn load(&self, run: &RunId, patience: Duration) -> Result<Option<Head>, Error> {
        let message = self.load_message(run, patience).await?;
        message.as_ref().map(Head::read).transpose()
    }

    pub(super) async fn load_message(
        &self,
        run: &RunId,
        patience: Duration,
    ) -> Result<Option<StoredMessage>, Error> {
        let (stream, subject) = (self.layout.log_stream(run), self.layout.log(run));
        let message = retrying(patience, || self.jetstream.last(&stream, &subject)).await?;
        match &message {
            Some(message) => self.remember(run, &Head::read(message)?),
            None => self.forget(run),
        }
        Ok(message)
    }

    /// Changes a run. `decide` gets the run as it is and gives the state after the change, or none when nothing is to be
    /// changed; it is asked again when another process was first. Returns what was written.
    ///
    /// # Errors
    /// Those of `decide`; [`Error::Engine`] when the cluster did not answer in time, and then the change may still happen.
    pub(super) async fn change(
        &self,
        run: &RunId,
        patience: Duration,
        body: &ReadyBody,
        mut decide: impl FnMut(Option<&Head>) -> Result<Option<RunState>, Error>,
    ) -> Result<Option<Head>, Error> {
        let deadline = Instant::now() + patience;
        let mut is_remembered = true;
        let mut head = self.remembered(run).map(|(head, _)| head);
        loop {
            let decided = match &head {
                // What is not remembered is read first, so that a refusal is never a matter of memory.
                None if is_remembered => Ok(None),
                head => decide(head.as_ref()),
            };
            let mut state = match decided {
                Ok(Some(state)) => state,
                _ if is_remembered => {
                    head = self.load(run, patience).await?;
                    is_remembered = false;
                    continue;
                }
                outcome => return outcome.map(|_| None),
            };
            state.v = VERSION;
            state.write = random_name();
            let expected = head.as_ref().map_or(0, |head| head.seq);
            if let Some(seq) = self.publish_change(run, expected, &state, body, deadline).await? {
                let head = Head { seq, state };
                self.remember(run, &head);
                return Ok(Some(head));
            }
            if Instant::now() >= deadline {
                return Err(Refusal::Stale.into());
            }
            head = self.load(run, patience).await?;
            is_remembered = false;
        }
    }

    /// Publishes a change until its outcome is known: its sequence, or none when another change was first.
    async fn publish_change(
        &self,
        run: &RunId,
        expected: u64,
        state: &RunState,
        body: &ReadyBody,
        deadline: Instant,
    ) -> Result<Option<u64>, Error> {
        /// Refusals without a message to blame before the run is read anew.
        const MOST_REFUSALS: u32 = 25;
        let (stream, subject) = (self.layout.log_stream(run), self.layout.log(run));
        let text = serde_json::to_string(state).map_err(|error| Error::Engine {
            reason: error.to_string(),
        })?;
        let mut headers = vec![(STATE, text)];
        let bytes = match body {
            ReadyBody::Inline(bytes) => bytes.clone(),
            ReadyBody::Parts(name) => {
                headers.push((PARTS, name.clone()));
                Bytes::new()
            }
        };
        let mut refusals = 0;
        loop {
            let refusal = match self
                .jetstream
                .publish(&subject, Some(expected), &headers, bytes.clone())
                .await
            {
                Ok(seq) => return Ok(Some(seq)),
                Err(refusal @ (Refusal::Stale | Refusal::Unavailable(_))) => refusal,
                Err(refusal) => return Err(refusal.into()),
            };
            // The message may be stored all the same: the answer was lost, or an earlier try landed.
            match self.jetstream.next(&stream, &subject, expected + 1).await {
                Ok(Some(found)) => {
                    let is_ours = Head::read(&found)?.state.write == state.write;
                    return Ok(is_ours.then_some(found.seq));
                }
                Ok(None) if refusal == Refusal::Stale => {
                    refusals += 1;
                    if refusals > MOST_REFUSALS {
                        return Ok(None);
                    }
                }
                Ok(None) | Err(_) => {}
            }
            if Instant::now() >= deadline {
                return Err(refusal.into());
            }
            let pause = if refusal == Refusal::Stale { 20 } else { 250 };
            tokio::time::sleep(Duration::from_millis(pause)).await;
        }
    }

    /// Prepares a body: what is large is stored in parts first.
    pub(super) async fn ready_body(
        &self,
        run: &RunId,
        body: &Body,
        patience: Duration,
    ) -> Result<ReadyBody, Error> {
        let bytes = serde_json::to_vec(body).map_err(|error| Error::Engine {
            reason: error.to_string(),
        })?;
        if bytes.len() <= INLINE {
            return Ok(ReadyBody::Inline(bytes.into()));
        }
        let name = random_name();
        let base = self.layout.run_body(run, &name);
        self.put_parts(&base, bytes.into(), patience).await?;
        Ok(ReadyBody::Parts(name))
    }

    /// The body of a stored message.
    pub(super) async fn body(&self, run: &RunId, message: &StoredMessage) -> Result<Body, Error> {
        let bytes = match message.headers.get(PARTS) {
            None => message.body.clone(),
            Some(name) => {
                let stream = self.layout.blob_stream();
                let base = self.layout.run_body(run, name);
                let parts = self.get_parts(&stream, &base).await?;
                parts.ok_or_else(|| Error::Damaged {
                    reason: format!("a part of {run} is missing"),
                })?
            }
        };
        if bytes.is_empty() {
            return Ok(Body::default());
        }
        serde_json::from_slice(&bytes).map_err(|error| Error::Damaged {
            reason: format!("a message of {run} cannot be read: {error}"),
        })
    }

    /// Stores bytes as messages `base.0`, `base.1`, …; the first one comes last, so that it tells that all are there.
    pub(super) async fn put_parts(&self, base: &str, bytes: Bytes, patience: Duration) -> Result<(), Error> {
        let count = bytes.len().div_ceil(PART).max(1);
        for number in (0..count).rev() {
            let part = bytes.slice(number * PART..bytes.len().min((number + 1) * PART));
            let headers = [(COUNT, count.to_string())];
            let subject = format!("{base}.{number}");
            retrying(patience, || {
                self.jetstream.publish(&subject, None, &headers, part.clone())
            })
            .await?;
        }
        Ok(())
    }

    /// Bytes that were stored in parts.
    pub(super) async fn get_parts(&self, stream: &str, base: &str) -> Result<Option<Bytes>, Error> {
        let part = async |number: usize| {
            let subject = format!("{base}.{number}");
            retrying(CLIENT_PATIENCE, || self.jetstream.last(stream, &subject)).await
        };
        let Some(first) = part(0).await? else {
            return Ok(None);
        };
        let count = first.headers.get(COUNT).and_then(|count| count.parse().ok());
        let mut bytes = first.body.to_vec();
        for number in 1..count.unwrap_or(1) {
            let Some(next) = part(number).await? else {
                return Ok(None);
            };
            bytes.extend(next.body);
        }
        Ok(Some(bytes.into()))
    }

    /// Removes the bodies whose first parts match a filter, as far as their names are to be removed, and counts them.
    pub(super) async fn purge_bodies(
        &self,
        first_parts: &str,
        is_removed: impl Fn(&str) -> bool,
    ) -> Result<usize, Error> {
        let stream = self.layout.blob_stream();
        let subjects = retrying(CLIENT_PATIENCE, || self.jetstream.subjects(&stream, first_parts));
        let mut count = 0;
        for subject in subjects.await? {
            let Some(base) = subject.strip_suffix(".0") else {
                continue;
            };
            let name = base.rsplit('.').next().unwrap_or_default();
            if is_removed(name) {
                let parts = format!("{base}.*");
                retrying(CLIENT_PATIENCE, || self.jetstream.purge(&stream, &parts, 0)).await?;
                count += 1;
            }
        }
        Ok(count)
    }

    /// Writes the record of an open run and takes it in here.
    pub(super) async fn publish_open(
        &self,
        run: &RunId,
        state: &RunState,
        patience: Duration,
    ) -> Result<(), Error> {
        let record = open_record(state);
        let (subject, body) = (
            self.layout.open(run.as_str()),
            Bytes::from(json!(record).to_string()),
        );
        let seq = retrying(patience, || {
            self.jetstream.publish(&subject, None, &[], body.clone())
        })
        .await?;
        self.open_runs().put(run.as_str(), seq, record);
        Ok(())
    }

    /// Removes the record of an open run, here and for the others; with `expected`, only where the record has that sequence.
    /// False where it has another one.
    pub(super) async fn remove_open(
        &self,
        run: &RunId,
        expected: Option<u64>,
        patience: Duration,
    ) -> Result<bool, Error> {
        let subject = self.layout.open(run.as_str());
        let headers = [("Nats-TTL", TOMBSTONE_TTL.to_owned())];
        let removed = retrying(patience, || async {
            let published = self
                .jetstream
                .publish(&subject, expected, &headers, Bytes::new())
                .await;
            match published {
                Ok(seq) => Ok(Some(seq)),
                Err(Refusal::Stale) if expected.is_some() => Ok(None),
                Err(refusal) => Err(refusal),
            }
        });
        let Some(seq) = removed.await? else {
            return Ok(false);
        };
        if self.open_runs().remove(run.as_str(), seq) {
            self.notifier.notify_jobs();
        }
        Ok(true)
    }

    /// Does what follows the end of a run: it enters the list of ended runs, what only its worker could read is erased, and
    /// it leaves the open runs. A process that dies before leaves that to the next one that meets the open record.
    pub(super) async fn settle_end(
        &self,
        run: &RunId,
        head: &Head,
        metered: &[(String, [u64; 7])],
    ) -> Result<(), Error> {
        self.meter(run, &head.state, metered).await?;
        let finished = head.state.finished.unwrap_or(head.state.created);
        let stream = self.layout.index_stream();
        for what in ["run", "events"] {
            let subject = self.layout.ended(what, run.as_str());
            let body = Bytes::from(json!({"finished": finished}).to_string());
            if head.state.expired > 0 && what == "events" {
                continue;
            }
            let known = retrying(CLIENT_PATIENCE, || self.jetstream.last(&stream, &subject)).await?;
            if known.is_none() {
                retrying(CLIENT_PATIENCE, || {
                    self.jetstream.publish(&subject, None, &[], body.clone())
                })
                .await?;
            }
        }
        if head.state.sealed || !head.state.commands.is_empty() {
            self.erase_sealed(run).await?;
        }
        self.remove_open(run, None, CLIENT_PATIENCE).await.map(drop)
    }

    /// Erases the whole request and the answers of a run.
    pub(super) async fn erase_sealed(&self, run: &RunId) -> Result<(), Error> {
        let stream = self.layout.log_stream(run);
        let all = format!("{}.*", self.layout.sealed(run, "*"));
        let mut from = 1;
        loop {
            let next = retrying(CLIENT_PATIENCE, || self.jetstream.next(&stream, &all, from));
            let Some(message) = next.await? else {
                return Ok(());
            };
            from = message.seq + 1;
            let seq = message.seq;
            retrying(CLIENT_PATIENCE, || self.jetstream.erase(&stream, seq)).await?;
        }
    }
}

fn open_record(state: &RunState) -> OpenRecord {
    OpenRecord {
        v: VERSION,
        created: state.created,
        owner: state.owner.clone(),
        status: state.status,
        epoch: state.epoch,
        lost: state.lost,
        priority: state.priority,
        needs: state.needs,
        ttl: state.ttl,
        session: state.session.clone(),
    }
}

impl Nats {
    /// Takes in the state of a run whose open record is behind it.
    pub(super) async fn correct_open(&self, run: &RunId, head: &Head) -> Result<(), Error> {
        if !head.state.status.is_final() {
            return self.0.publish_open(run, &head.state, CLIENT_PATIENCE).await;
        }
        let message = self.0.load_message(run, CLIENT_PATIENCE).await?;
        let body = match &message {
            Some(message) => self.0.body(run, message).await?,
            None => Body::default(),
        };
        self.0.settle_end(run, head, &body.metered).await
    }
}
