//! Jobs, leases and commands on JetStream.

use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

use async_trait::async_trait;
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use bytes::Bytes;
use serde::{Deserialize, Serialize};
use tokio::sync::watch;
use tokio::time::Instant;
use wire::RunId;
use wire::run::RunStatus;

use super::api::Refusal;
use super::engine::{Nats, NatsInner, lock};
use super::runs::{CLIENT_PATIENCE, ReadyBody, WORKER_PATIENCE, random_name, retrying};
use super::state::{Body, Change, Head, RunState, VERSION};
use crate::Error;
use crate::inbox::{Inbox, InboxCommand};
use crate::jobs::{
    ClaimScope, Job, JobNeeds, JobQuery, JobSummary, Jobs, Lease, LeasedJob, NewJob, Renewal,
    WorkerCapabilities,
};

/// Most commands that wait for one run.
const MOST_COMMANDS: usize = 1000;

/// What an idempotency key names.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(super) struct KeyedRun {
    pub(super) run: RunId,
    /// Keyed digest of the request, in base64.
    fingerprint: String,
    /// When the run was created, so that every process that goes on with it files it under the same time.
    #[serde(default)]
    created: Option<i64>,
}

/// What an idempotency key says of a new job.
enum Keyed {
    /// The job goes on under this id, created at this time.
    Go(RunId, i64),
    /// The key named this run before.
    Earlier(RunId),
}

pub(super) fn millis(time: Duration) -> u64 {
    u64::try_from(time.as_millis()).unwrap_or(u64::MAX)
}

/// Gives the room up that was kept for a job, where the job was not stored.
struct Admitted<'a>(&'a NatsInner, RunId);

impl Drop for Admitted<'_> {
    fn drop(&mut self) {
        self.0.open_runs().give_up(self.1.as_str());
    }
}

impl Nats {
    /// The run that the key of a job names, if it names one, and its creation.
    async fn keyed(&self, new: &NewJob, key: &str) -> Result<Option<(RunId, Option<i64>)>, Error> {
        let (stream, subject) = (
            self.0.layout.index_stream(),
            self.0.layout.key(new.owner.as_deref(), key),
        );
        let found = retrying(CLIENT_PATIENCE, || self.0.jetstream.last(&stream, &subject)).await?;
        let Some(found) = found else { return Ok(None) };
        let damaged = |reason: String| Error::Damaged { reason };
        let named: KeyedRun =
            serde_json::from_slice(&found.body).map_err(|error| damaged(error.to_string()))?;
        let fingerprint = STANDARD
            .decode(&named.fingerprint)
            .map_err(|error| damaged(error.to_string()))?;
        if self.0.keys.fits(&fingerprint, &new.compared_request()) {
            Ok(Some((named.run, named.created)))
        } else {
            Err(Error::Taken { key: key.to_owned() })
        }
    }

    /// Reserves the key of a job, where it has one.
    async fn reserve_key(&self, new: &NewJob) -> Result<Keyed, Error> {
        let created = self.0.next_creation();
        let Some(key) = &new.idempotency_key else {
            self.check_admission(new).await?;
            return Ok(Keyed::Go(new.id.clone(), created));
        };
        let keyed = KeyedRun {
            run: new.id.clone(),
            fingerprint: STANDARD.encode(self.0.keys.fingerprint(&new.compared_request())),
            created: Some(created),
        };
        let body = Bytes::from(serde_json::to_vec(&keyed).unwrap_or_default());
        let subject = self.0.layout.key(new.owner.as_deref(), key);
        let (deadline, mut is_admitted) = (Instant::now() + CLIENT_PATIENCE, false);
        while self.keyed(new, key).await?.is_none() {
            if !is_admitted {
                self.check_admission(new).await?;
                is_admitted = true;
            }
            let reserved = self
                .0
                .jetstream
                .publish(&subject, Some(0), &[], body.clone())
                .await;
            match reserved {
                Ok(_) => return Ok(Keyed::Go(new.id.clone(), created)),
                // Another request is storing this key and its message cannot be read yet: which run the key names is not
                // known before.
                Err(Refusal::Stale) if Instant::now() < deadline => {
                    tokio::time::sleep(Duration::from_millis(30)).await;
                }
                Err(refusal) => return Err(refusal.into()),
            }
        }
        // Another request has the key. Where its process died before its run was stored, this one goes on with it.
        for _ in 0..10 {
            let Some((run, _)) = self.keyed(new, key).await? else {
                break;
            };
            if self.0.load(&run, CLIENT_PATIENCE).await?.is_some() {
                return Ok(Keyed::Earlier(run));
            }
            tokio::time::sleep(Duration::from_millis(30)).await;
        }
        let (run, named) = self.keyed(new, key).await?.unwrap_or((new.id.clone(), None));
        Ok(Keyed::Go(run, named.unwrap_or(created)))
    }

    /// Refuses a job whose id is taken or for which there is no room; else room is kept for it.
    async fn check_admission(&self, new: &NewJob) -> Result<(), Error> {
        if self.0.load(&new.id, CLIENT_PATIENCE).await?.is_some() {
            return Err(Error::Taken {
                key: new.id.to_string(),
            });
        }
        let owner = new.owner.as_deref().unwrap_or_default();
        let limit = new.admission.owner_queue_limit;
        self.0
            .open_runs()
            .admit(new.id.as_str(), owner, new.queue_limit, limit)?;
        if let Some(share) = new.admission.share
            && self.0.open_runs().share(owner) != share
        {
            self.publish_share(owner, share).await?;
        }
        Ok(())
    }

    /// Stores a new run, leased where `lease` says for how long; its id, and the lease unless the run is an earlier one.
    async fn create(&self, new: NewJob, lease: Option<Duration>) -> Result<(RunId, Option<Head>), Error> {
        if !self.0.is_up.load(Ordering::Acquire) {
            // Nothing is begun that could not be finished.
            return Err(Refusal::Unavailable("no quorum at the moment".into()).into());
        }
        let _admitted = Admitted(&self.0, new.id.clone());
        let (id, created) = match self.reserve_key(&new).await? {
            Keyed::Earlier(run) => return Ok((run, None)),
            Keyed::Go(run, created) => (run, created),
        };
        let state = self.first_state(&new, created, lease);
        let sealed = match &new.shown_request {
            Some(_) => Some(self.0.keys.seal(id.as_str(), &new.request)?),
            None => None,
        };
        let shown = new.shown_request.unwrap_or(new.request);
        let body = Body {
            request: Some(shown),
            ..Body::default()
        };
        let seal = async {
            match sealed {
                Some(sealed) => {
                    let base = self.0.layout.sealed(&id, "request");
                    self.0.put_parts(&base, sealed.into(), CLIENT_PATIENCE).await
                }
                None => Ok(()),
            }
        };
        let index = async {
            let entry = self
                .0
                .layout
                .index_entry(state.owner.as_deref(), state.created, &id);
            retrying(CLIENT_PATIENCE, || {
                self.0.jetstream.publish(&entry, None, &[], Bytes::new())
            })
            .await
        };
        let open = self.0.publish_open(&id, &state, CLIENT_PATIENCE);
        let (body, ..) = tokio::try_join!(self.0.ready_body(&id, &body, CLIENT_PATIENCE), seal, index, open)?;
        let created = self
            .0
            .change(&id, CLIENT_PATIENCE, &body, |head| match head {
                None => Ok(Some(state.clone())),
                Some(_) => Err(Error::Taken { key: id.to_string() }),
            })
            .await;
        match created {
            Ok(head) => Ok((id, head)),
            // The same request under the same key was faster.
            Err(Error::Taken { .. }) if new.idempotency_key.is_some() => Ok((id, None)),
            // Under a key the client may ask again, and any process goes on with the same run: it is not to be cancelled.
            Err(error @ Error::Engine { .. }) if new.idempotency_key.is_none() => {
                self.withdraw(id);
                Err(error)
            }
            Err(error) => Err(error),
        }
    }

    pub(super) fn first_state(&self, new: &NewJob, created: i64, lease: Option<Duration>) -> RunState {
        let begun = u32::from(lease.is_some());
        RunState {
            v: VERSION,
            change: Change::Created,
            write: String::new(),
            kind: new.kind,
            status: if lease.is_some() {
                RunStatus::Running
            } else {
                RunStatus::Queued
            },
            owner: new.owner.clone(),
            created,
            finished: None,
            last: 0,
            expired: 0,
            epoch: begun.into(),
            attempt: begun,
            lost: 0,
            cancel: None,
            commands: Vec::new(),
            sealed: new.shown_request.is_some(),
            key: new
                .idempotency_key
                .as_ref()
                .map(|key| self.0.layout.key(new.owner.as_deref(), key)),
            account: new.admission.key.clone(),
            priority: new.admission.priority,
            needs: new.admission.needs,
            bytes: 0,
            session: lease.map(|_| self.0.session.clone()).unwrap_or_default(),
            ttl: lease.map_or(0, millis),
        }
    }

    /// Cancels a run whose client was told that it was not taken, should it turn out to be stored after all.
    fn withdraw(&self, run: RunId) {
        let engine = Arc::downgrade(&self.0);
        tokio::spawn(async move {
            for _ in 0..120 {
                tokio::time::sleep(Duration::from_secs(5)).await;
                let Some(engine) = engine.upgrade().map(Nats) else {
                    return;
                };
                match engine.cancel(&run, "withdrawn").await {
                    Ok(_) => {
                        tracing::warn!(%run, "a run whose request was refused for lack of quorum was withdrawn")
                    }
                    Err(Error::UnknownRun(_)) => {}
                    Err(_) => continue,
                }
                return;
            }
        });
    }

    /// The request as the worker needs it.
    pub(super) async fn request(&self, run: &RunId, head: &Head) -> Result<String, Error> {
        if head.state.sealed {
            let stream = self.0.layout.log_stream(run);
            let base = self.0.layout.sealed(run, "request");
            let sealed = self
                .0
                .get_parts(&stream, &base)
                .await?
                .ok_or_else(|| Error::Damaged {
                    reason: format!("the request of {run} is missing"),
                })?;
            return self.0.keys.unseal(run.as_str(), &sealed);
        }
        self.shown_request(run).await
    }

    async fn shown_request(&self, run: &RunId) -> Result<String, Error> {
        let (stream, subject) = (self.0.layout.log_stream(run), self.0.layout.log(run));
        let first = retrying(CLIENT_PATIENCE, || self.0.jetstream.next(&stream, &subject, 1));
        let Some(first) = first.await? else {
            return Err(Error::UnknownRun(run.clone()));
        };
        let body = self.0.body(run, &first).await?;
        body.request.ok_or_else(|| Error::Damaged {
            reason: format!("the request of {run} is missing"),
        })
    }

    /// The state of a run that a lease still holds, from the leader.
    async fn leased(&self, lease: &Lease) -> Result<Head, Error> {
        let head = self.0.load(&lease.run, CLIENT_PATIENCE).await?;
        head.filter(|head| head.state.is_held(lease.epoch))
            .ok_or_else(|| {
                self.0.let_go(lease);
                Error::Fenced {
                    run: lease.run.clone(),
                }
            })
    }
}

#[async_trait]
impl Jobs for Nats {
    async fn enqueue(&self, new: NewJob) -> Result<RunId, Error> {
        let (id, _) = self.create(new, None).await?;
        self.0.notifier.notify_jobs();
        Ok(id)
    }

    async fn begin(&self, new: NewJob, ttl: Duration) -> Result<(Lease, LeasedJob), Error> {
        let (wanted, request) = (new.id.clone(), new.request.clone());
        let (id, created) = self.create(new, Some(ttl)).await?;
        let Some(head) = created.filter(|_| id == wanted) else {
            return Err(Error::Taken {
                key: wanted.to_string(),
            });
        };
        let (run, epoch) = (id, head.state.epoch);
        let summary = head.state.summary(&run);
        let lease = Lease { run, epoch };
        self.0.hold(&lease, ttl);
        let request = Ok(request);
        Ok((lease, LeasedJob { summary, request }))
    }

    async fn claim_for(
        &self,
        ttl: Duration,
        scope: ClaimScope,
        worker: WorkerCapabilities,
    ) -> Result<Option<(Lease, LeasedJob)>, Error> {
        *lock(&self.0.capabilities) = Some(worker);
        self.take_next(ttl, scope, worker).await
    }

    async fn renew(&self, lease: &Lease, ttl: Duration) -> Result<Renewal, Error> {
        let head = self.leased(lease).await?;
        let is_held = {
            let mut held = lock(&self.0.held);
            let held = held.get_mut(&lease.run).filter(|held| held.epoch == lease.epoch);
            held.map(|held| (held.renewed, held.ttl) = (Instant::now(), ttl))
                .is_some()
        };
        if !is_held {
            self.0.hold(lease, ttl);
        }
        let ttl = millis(ttl);
        let is_known = self.0.open_runs().renew(lease.run.as_str(), lease.epoch, ttl);
        if !is_known {
            let state = RunState {
                ttl,
                ..head.state.clone()
            };
            self.0.publish_open(&lease.run, &state, CLIENT_PATIENCE).await?;
        }
        Ok(Renewal {
            cancel: head.state.cancel,
        })
    }

    async fn release(&self, lease: &Lease) -> Result<(), Error> {
        let fenced = || Error::Fenced {
            run: lease.run.clone(),
        };
        let released = self
            .0
            .change(&lease.run, WORKER_PATIENCE, &ReadyBody::NONE, |head| {
                let held = head.filter(|head| head.state.is_held(lease.epoch));
                let state = &held.ok_or_else(fenced)?.state;
                Ok(Some(RunState {
                    change: Change::Released,
                    status: RunStatus::Queued,
                    session: String::new(),
                    ..state.clone()
                }))
            })
            .await;
        self.0.let_go(lease);
        if let Some(head) = released? {
            self.0
                .publish_open(&lease.run, &head.state, CLIENT_PATIENCE)
                .await?;
        }
        self.0.notifier.notify_jobs();
        Ok(())
    }

    async fn cancel(&self, run: &RunId, why: &str) -> Result<bool, Error> {
        let (mut goes_on, mut is_freed) = (true, false);
        let cancelled = self
            .0
            .change(run, CLIENT_PATIENCE, &ReadyBody::NONE, |head| {
                let state = &head.ok_or_else(|| Error::UnknownRun(run.clone()))?.state;
                goes_on = !state.status.is_final();
                let is_new = goes_on && state.cancel.is_none();
                is_freed = !state.needs.is_any();
                Ok(is_new.then(|| RunState {
                    change: Change::Cancelled,
                    cancel: Some(why.to_owned()),
                    needs: JobNeeds::ANY,
                    ..state.clone()
                }))
            })
            .await?;
        if let Some(head) = cancelled.filter(|_| is_freed) {
            self.0.publish_open(run, &head.state, CLIENT_PATIENCE).await?;
        }
        self.0.notifier.notify_jobs();
        Ok(goes_on)
    }

    async fn get(&self, run: &RunId) -> Result<Option<Job>, Error> {
        let Some(message) = self.0.load_message(run, CLIENT_PATIENCE).await? else {
            return Ok(None);
        };
        let head = Head::read(&message)?;
        let body = if head.state.status.is_final() {
            self.0.body(run, &message).await?
        } else {
            Body::default()
        };
        let request = match body.request {
            Some(request) => request,
            None => match self.shown_request(run).await {
                Err(Error::UnknownRun(_)) => return Ok(None),
                other => other?,
            },
        };
        Ok(Some(Job {
            summary: head.state.summary(run),
            request,
            result: body.result,
            error: body.error,
            usage: body.usage,
        }))
    }

    async fn summary(&self, run: &RunId) -> Result<Option<JobSummary>, Error> {
        if let Some((head, true)) = self.0.remembered(run) {
            return Ok(Some(head.state.summary(run)));
        }
        let head = self.0.load(run, CLIENT_PATIENCE).await?;
        Ok(head.map(|head| head.state.summary(run)))
    }

    async fn list(&self, query: JobQuery) -> Result<Vec<JobSummary>, Error> {
        let runs = self.newest(&query).await?;
        Ok(runs.iter().map(|(run, state)| state.summary(run)).collect())
    }

    fn subscribe(&self) -> watch::Receiver<u64> {
        self.0.notifier.jobs()
    }
}

#[async_trait]
impl Inbox for Nats {
    async fn send(&self, run: &RunId, topic: &str, body: &str) -> Result<bool, Error> {
        let open = |head: Option<&Head>| -> Result<Option<RunState>, Error> {
            let state = &head.ok_or_else(|| Error::UnknownRun(run.clone()))?.state;
            if state.status.is_final() {
                return Err(Error::Fenced { run: run.clone() });
            }
            if state.commands.len() >= MOST_COMMANDS {
                let reason = format!("{MOST_COMMANDS} commands wait for the run already, which is the most");
                return Err(Error::Engine { reason });
            }
            let is_answered = state.commands.iter().any(|(known, _)| known == topic);
            Ok((!is_answered).then(|| state.clone()))
        };
        if open(self.0.load(run, CLIENT_PATIENCE).await?.as_ref())?.is_none() {
            return Ok(false);
        }
        let (name, sealed) = (random_name(), self.0.keys.seal(run.as_str(), body)?);
        let base = self.0.layout.sealed(run, &name);
        self.0.put_parts(&base, sealed.into(), CLIENT_PATIENCE).await?;
        let sent = self
            .0
            .change(run, CLIENT_PATIENCE, &ReadyBody::NONE, |head| {
                Ok(open(head)?.map(|mut state| {
                    state.change = Change::Command;
                    state.commands.push((topic.to_owned(), name.clone()));
                    state
                }))
            })
            .await;
        if !matches!(sent, Ok(Some(_))) {
            // Nothing names it. Where the cluster does not answer, the end of the run erases it.
            let stream = self.0.layout.log_stream(run);
            if let Ok(Some(message)) = self.0.jetstream.last(&stream, &format!("{base}.0")).await
                && !matches!(sent, Err(Error::Engine { .. }))
            {
                let _ = self.0.jetstream.erase(&stream, message.seq).await;
            }
        }
        self.0.notifier.notify_inbox();
        Ok(sent?.is_some())
    }

    async fn receive(&self, lease: &Lease, after: u64) -> Result<Vec<InboxCommand>, Error> {
        let head = self.leased(lease).await?;
        let stream = self.0.layout.log_stream(&lease.run);
        let mut received = Vec::new();
        for (number, (_, name)) in (1..)
            .zip(&head.state.commands)
            .filter(|(number, _)| *number > after)
        {
            let base = self.0.layout.sealed(&lease.run, name);
            let sealed = self
                .0
                .get_parts(&stream, &base)
                .await?
                .ok_or_else(|| Error::Fenced {
                    run: lease.run.clone(),
                })?;
            received.push(InboxCommand {
                number,
                body: self.0.keys.unseal(lease.run.as_str(), &sealed)?,
            });
        }
        Ok(received)
    }

    fn subscribe(&self) -> watch::Receiver<u64> {
        self.0.notifier.inbox()
    }
}
