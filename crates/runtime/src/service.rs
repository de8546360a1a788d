//! `Service`: the facade of the runtime: submit, inspect, follow, answer and cancel runs.

pub mod attachment;

use std::collections::HashMap;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, OnceLock};
use std::time::Duration;

use futures_util::Stream;
use futures_util::stream::try_unfold;
use serde_json::Value;
use store::Store;
pub use store::jobs::Admission;
use store::jobs::{JobQuery, JobSummary, NewJob};
use tokio::sync::Notify;
use wire::automate::FormDataRequest;
use wire::input::FormAnswer;
use wire::run::{RunDetail, RunList, RunSpec, RunStatus, RunSummary, RunUsage};
use wire::run_cursor::RunCursor;
use wire::tenancy::TenantLimits;
use wire::{Audience, Code, LogEntry, RequestId, RunId, request_secrets};

use crate::answers::{self, AnswerMessage};
use crate::attached_clients::AttachedClients;
use crate::equal_runs::{self, EqualRequest, EqualRun};
use crate::error::ServiceError;
use crate::follow::LogFollowers;
use crate::logins::Logins;
use crate::memory::Memories;
use crate::monitors::Monitors;
use crate::placement;
use crate::profiles::Profiles;
use crate::run_list;
use crate::run_removal::RunRemoval;
use crate::secrets::Secrets;
use crate::tenants::Tenants;
use crate::tenants::identity_cache::IdentityCache;
use crate::webhooks::Webhooks;

/// Entries read at once when a question is looked for.
const BATCH: usize = 256;

/// Most runs in one page of a list.
const MOST_LISTED: usize = 200;

/// Limits and intervals of a service.
#[derive(Debug, Clone)]
pub struct ServiceSettings {
    /// Runs that may wait.
    pub queue: usize,
    /// How long a follower waits for a notification before it reads the log anyway. Short where another process may
    /// write, long where only this one does.
    pub patience: Duration,
    /// Bytes that must be free on the disk of the store before a run is taken.
    pub free_space: u64,
}

/// The service. Cheap to clone; clones are the same one.
#[derive(Clone)]
pub struct Service(Arc<ServiceInner>);

struct ServiceInner {
    store: Store,
    settings: ServiceSettings,
    closed: AtomicBool,
    /// Whether tasks are done in Chromium here.
    acts_in_chromium: AtomicBool,
    /// The folder of the pictures that runs have taken.
    pictures: OnceLock<PathBuf>,
    attached: Mutex<HashMap<RunId, AttachedClients>>,
    followed: LogFollowers,
    /// Wakes whoever sends deliveries.
    deliveries: Arc<Notify>,
    /// Wakes whoever checks pages.
    checks: Arc<Notify>,
    /// Keys and tenants that were read a moment ago.
    identities: Arc<IdentityCache>,
}

/// Options of a submission.
#[derive(Debug, Clone, Default)]
pub struct Submission {
    /// The run's id, where the client chose it.
    pub id: Option<RunId>,
    /// Under this key the same request is one run.
    pub idempotency_key: Option<String>,
    /// On whose account it waits, and how urgent it is.
    pub admission: Admission,
}

/// A run that does what was submitted.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SubmittedRun {
    /// The run.
    pub id: RunId,
    /// Whether it was begun by this, and not before.
    pub is_new: bool,
}

/// Some events of a log.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LogPage {
    /// Those of them that the audience may see.
    pub entries: Vec<LogEntry>,
    /// The number of the last event that was read.
    pub read_to: u64,
    /// Whether no more were there.
    pub is_end: bool,
}

impl Service {
    /// A service over a store.
    pub fn new(store: Store, settings: ServiceSettings) -> Self {
        let (closed, attached) = (AtomicBool::new(false), Mutex::default());
        Self(Arc::new(ServiceInner {
            store,
            settings,
            closed,
            acts_in_chromium: AtomicBool::new(false),
            pictures: OnceLock::new(),
            attached,
            followed: LogFollowers::default(),
            deliveries: Arc::default(),
            checks: Arc::default(),
            identities: Arc::default(),
        }))
    }

    /// Enqueues a job. When this returned, the run is durable and will end in exactly one terminal event.
    ///
    /// # Errors
    /// When the owner has no such profile or secret, they hold more than can be hidden, the queue is full, the disk is nearly
    /// so, the id is taken, the server is closing or the store fails.
    pub async fn submit(&self, spec: &RunSpec, options: Submission) -> Result<SubmittedRun, ServiceError> {
        let job = self.new_job(spec, options).await?;
        let wanted = job.id.clone();
        let id = self.0.store.jobs.enqueue(job).await?;
        let is_new = id == wanted;
        Ok(SubmittedRun { id, is_new })
    }

    /// Joins a run that the owner has begun by this too and that goes on, for a request of the same digest; else as
    /// [`Service::submit`]. A digest has up to 64 letters and digits.
    ///
    /// # Errors
    /// As for [`Service::submit`].
    pub async fn join_or_submit(
        &self,
        spec: &RunSpec,
        digest: &str,
        admission: Admission,
    ) -> Result<SubmittedRun, ServiceError> {
        let request = EqualRequest::new(&self.0.store, &spec.owner, digest);
        let id = match request.join_or_name(new_id()?).await? {
            EqualRun::Joined(id) => return Ok(SubmittedRun { id, is_new: false }),
            EqualRun::Begun(id) => id,
        };
        let options = Submission {
            id: Some(id.clone()),
            idempotency_key: None,
            admission,
        };
        let submitted = self.submit(spec, options).await;
        if submitted.is_err() {
            request.take_back(&id).await;
        }
        submitted
    }

    /// Forgets which runs that have ended could have been joined.
    pub(crate) async fn tidy_equal_runs(&self) -> Result<(), ServiceError> {
        equal_runs::tidy(&self.0.store).await
    }

    pub(crate) async fn new_job(&self, spec: &RunSpec, options: Submission) -> Result<NewJob, ServiceError> {
        if self.0.closed.load(Ordering::Acquire) {
            let wait = Duration::from_secs(5);
            return Err(
                ServiceError::new(Code::ShuttingDown, "the server is shutting down").again_after(wait),
            );
        }
        self.check_room().await?;
        let logins = Logins::of_run(&self.profiles(), &self.secrets(), spec).await?;
        let internal = |error: serde_json::Error| ServiceError::new(Code::Internal, error.to_string());
        let request = serde_json::to_string(spec).map_err(internal)?;
        let asked = serde_json::to_value(spec).map_err(internal)?;
        logins.hidden(&asked["request"])?;
        Ok(NewJob {
            id: options.id.map_or_else(new_id, Ok)?,
            kind: spec.job.kind(),
            shown_request: request_secrets::shown_spec(&request),
            request,
            owner: Some(spec.owner.clone()).filter(|it| !it.is_empty()),
            idempotency_key: options.idempotency_key,
            queue_limit: self.0.settings.queue,
            admission: Admission {
                needs: placement::needs(&spec.job, self.0.acts_in_chromium.load(Ordering::Relaxed)),
                ..options.admission
            },
        })
    }

    /// Says whether tasks are done in Chromium, so that workers without it leave them to others.
    pub(crate) fn set_acts_in_chromium(&self, acts: bool) {
        self.0.acts_in_chromium.store(acts, Ordering::Relaxed);
    }

    /// Refuses new runs where the disk has too little room for those that were taken.
    async fn check_room(&self) -> Result<(), ServiceError> {
        let free = self.0.store.retention.space().await?.free;
        if free.is_none_or(|free| free >= self.0.settings.free_space) {
            return Ok(());
        }
        let text = "the disk has too little free space for new runs; the operator can free some or lower \
                    HUNTSMAN_FREE_MEGABYTES";
        Err(ServiceError::new(Code::InsufficientStorage, text).again_after(Duration::from_secs(60)))
    }

    /// The tenants of the store, with these limits where a tenant has none of its own.
    pub fn tenants(&self, defaults: TenantLimits) -> Tenants {
        Tenants::with_cache(self.removal(), defaults, self.identities())
    }

    /// Names the folder of the pictures that runs take, so that they are deleted with their runs. Set once.
    pub(crate) fn keep_pictures_in(&self, folder: PathBuf) {
        // A second folder would be the same one.
        let _ = self.0.pictures.set(folder);
    }

    /// What deletes runs with their pictures.
    pub(crate) fn removal(&self) -> RunRemoval {
        RunRemoval::new(self.0.store.clone(), self.0.pictures.get().cloned())
    }

    /// Keys and tenants that were read a moment ago.
    pub(crate) fn identities(&self) -> Arc<IdentityCache> {
        Arc::clone(&self.0.identities)
    }

    /// Takes no more jobs.
    pub fn close(&self) {
        self.0.closed.store(true, Ordering::Release);
    }

    /// One run that `owner` may see.
    ///
    /// # Errors
    /// When there is none.
    pub async fn run(&self, owner: Option<&str>, run: &RunId) -> Result<RunDetail, ServiceError> {
        self.job(owner, run).await?;
        let job = self
            .0
            .store
            .jobs
            .get(run)
            .await?
            .ok_or_else(ServiceError::unknown_run)?;
        let json = |text: &Option<String>| {
            text.as_deref()
                .and_then(|it| serde_json::from_str::<Value>(it).ok())
        };
        Ok(RunDetail {
            summary: summary(&job.summary),
            request: json(&Some(job.request.clone()))
                .map(|mut it| it["request"].take())
                .unwrap_or_default(),
            result: json(&job.result),
            error: json(&job.error).and_then(|it| serde_json::from_value(it).ok()),
            usage: json(&job.usage)
                .and_then(|it| serde_json::from_value::<RunUsage>(it).ok())
                .unwrap_or_default(),
        })
    }

    /// The same without request and result, which may be large.
    ///
    /// # Errors
    /// As for [`Service::run`].
    pub async fn run_summary(&self, owner: Option<&str>, run: &RunId) -> Result<RunSummary, ServiceError> {
        self.job(owner, run).await.map(|job| summary(&job))
    }

    async fn job(&self, owner: Option<&str>, run: &RunId) -> Result<JobSummary, ServiceError> {
        let job = self.0.store.jobs.summary(run).await?;
        job.filter(|it| owner.is_none() || it.owner.as_deref() == owner)
            .ok_or_else(ServiceError::unknown_run)
    }

    /// Runs that `owner` may see, newest first; behind the cursor, whose run may have been deleted since.
    ///
    /// # Errors
    /// When the cursor has no time, and names no run that `owner` may see.
    pub async fn list(
        &self,
        owner: Option<&str>,
        status: Option<RunStatus>,
        cursor: Option<RunCursor>,
        limit: usize,
    ) -> Result<RunList, ServiceError> {
        let jobs = &self.0.store.jobs;
        let before = match cursor {
            None => None,
            Some(RunCursor { run, created_at }) => match (self.job(owner, &run).await, created_at) {
                (Ok(_), _) => Some(run),
                (Err(error), Some(created_at)) if error.code == Code::NotFound => {
                    run_list::oldest_after(jobs.as_ref(), owner, created_at).await?
                }
                (Err(error), _) => return Err(error),
            },
        };
        let limit = limit.clamp(1, MOST_LISTED);
        let query = JobQuery {
            owner: owner.map(str::to_owned),
            status,
            before,
            limit: limit + 1,
        };
        let mut jobs = jobs.list(query).await?;
        let more = jobs.len() > limit;
        jobs.truncate(limit);
        let runs: Vec<RunSummary> = jobs.iter().map(summary).collect();
        let next = runs
            .last()
            .filter(|_| more)
            .map(|run| RunCursor::of(run).to_string());
        Ok(RunList { runs, next })
    }

    /// The events of a run after number `after`, as far as the audience may see them; ends after the last one.
    ///
    /// # Errors
    /// When there is no such run that `owner` may see, or the events asked for are no longer kept. Later, when the store
    /// fails.
    pub async fn events(
        &self,
        owner: Option<&str>,
        run: &RunId,
        after: u64,
        audience: Audience,
    ) -> Result<impl Stream<Item = Result<Arc<LogEntry>, ServiceError>> + Send + use<>, ServiceError> {
        if after < self.job(owner, run).await?.expired_seq {
            return Err(ServiceError::expired_events());
        }
        let ServiceInner { store, settings, .. } = &*self.0;
        let reader = self.0.followed.reader(store, run, after, settings.patience);
        Ok(try_unfold(reader, move |mut reader| async move {
            while let Some(entry) = reader.next().await? {
                if entry.audience <= audience {
                    return Ok(Some((entry, reader)));
                }
            }
            Ok(None)
        }))
    }

    /// At most `limit` events of a run after number `after`, as far as they are there already.
    ///
    /// # Errors
    /// As for [`Service::events`].
    pub async fn log(
        &self,
        owner: Option<&str>,
        run: &RunId,
        after: u64,
        limit: usize,
        audience: Audience,
    ) -> Result<LogPage, ServiceError> {
        if after < self.job(owner, run).await?.expired_seq {
            return Err(ServiceError::expired_events());
        }
        let mut entries = self.0.store.log.read(run, after, limit).await?;
        let (read_to, is_end) = (entries.last().map_or(after, |it| it.seq), entries.len() < limit);
        entries.retain(|it| it.audience <= audience);
        Ok(LogPage {
            entries,
            read_to,
            is_end,
        })
    }

    /// The run whose question has this id, by the id alone; whether there is such a run is not said.
    pub fn run_that_asked(&self, question: &RequestId) -> Option<RunId> {
        answers::run_of(question)
    }

    /// Cancels a run. False when it had ended already.
    ///
    /// # Errors
    /// When there is no such run that `owner` may see.
    pub async fn cancel(&self, owner: Option<&str>, run: &RunId) -> Result<bool, ServiceError> {
        self.job(owner, run).await?;
        Ok(self.0.store.jobs.cancel(run, CANCELLED).await?)
    }

    /// Deletes a run that has ended, with its events and pictures. False when it goes on.
    ///
    /// # Errors
    /// When there is no such run that `owner` may see.
    pub async fn delete(&self, owner: Option<&str>, run: &RunId) -> Result<bool, ServiceError> {
        self.job(owner, run).await?;
        self.removal().remove(run).await
    }

    /// Gives a run the answer to a question it asked. What the answer holds is kept for the run alone.
    ///
    /// # Errors
    /// When there is no such question that `owner` may answer, it was answered before or its time is over, or the
    /// answer does not fit what was asked.
    pub async fn answer(
        &self,
        owner: Option<&str>,
        question: &RequestId,
        answer: &FormAnswer,
    ) -> Result<(), ServiceError> {
        let unknown = || ServiceError::new(Code::NotFound, "no run has asked a question of this id");
        let closed = || {
            let text = "the question was answered already, or nobody waits for its answer any more";
            ServiceError::new(Code::InputClosed, text)
        };
        let run = answers::run_of(question).ok_or_else(unknown)?;
        let job = self.job(owner, &run).await.map_err(|error| match error.code {
            Code::NotFound => unknown(),
            _ => error,
        })?;
        let asked = self.asked(&run, question).await?.ok_or_else(unknown)?;
        if job.status.is_final() {
            return Err(closed());
        }
        let objections = asked.objections(answer);
        if !objections.is_empty() {
            let list: Vec<String> = objections
                .iter()
                .map(|(field, why)| format!("{field}: {why}"))
                .collect();
            return Err(ServiceError::new(
                Code::InvalidRequest,
                format!("fields: {}", list.join("; ")),
            ));
        }
        let body = AnswerMessage::answer(question, answer).body();
        match self.0.store.inbox.send(&run, question.as_str(), &body).await {
            Ok(true) => Ok(()),
            Ok(false) | Err(store::Error::Fenced { .. }) => Err(closed()),
            Err(error) => Err(error.into()),
        }
    }

    /// The question of this id, as the run has asked it.
    async fn asked(
        &self,
        run: &RunId,
        question: &RequestId,
    ) -> Result<Option<FormDataRequest>, ServiceError> {
        let mut after = 0;
        loop {
            let batch = self.0.store.log.read(run, after, BATCH).await?;
            let Some(last) = batch.last() else {
                return Ok(None);
            };
            after = last.seq;
            let questions = batch
                .iter()
                .filter(|it| it.name.starts_with("interactive:form_data:"));
            for entry in questions.filter(|it| it.data.contains(question.as_str())) {
                let asked = serde_json::from_str::<FormDataRequest>(&entry.data);
                if let Some(asked) = asked.ok().filter(|it| it.request_id == *question) {
                    return Ok(Some(asked));
                }
            }
        }
    }

    /// The saved states of browsers.
    pub fn profiles(&self) -> Profiles {
        Profiles::new(self.0.store.clone())
    }

    /// What scrapes learned about sites.
    pub fn memories(&self) -> Memories {
        Memories::new(self.0.store.clone())
    }

    /// The vault.
    pub fn secrets(&self) -> Secrets {
        Secrets::new(self.0.store.clone())
    }

    /// The endpoints of webhooks.
    pub fn webhooks(&self) -> Webhooks {
        Webhooks::new(self.0.store.clone(), Arc::clone(&self.0.deliveries))
    }

    /// The monitors of pages.
    pub fn monitors(&self) -> Monitors {
        Monitors::new(self.0.store.clone(), Arc::clone(&self.0.checks))
    }

    pub(crate) fn store(&self) -> &Store {
        &self.0.store
    }
}

/// Why a run was cancelled, as the store keeps it.
pub(crate) const CANCELLED: &str = "cancelled";
/// The same, for a run whose client has gone.
pub(crate) const ABANDONED: &str = "abandoned";

fn new_id() -> Result<RunId, ServiceError> {
    let mut random = [0; 16];
    getrandom::fill(&mut random).map_err(|error| ServiceError::new(Code::Internal, error.to_string()))?;
    Ok(RunId::from_random(random))
}

fn summary(job: &JobSummary) -> RunSummary {
    RunSummary {
        id: job.id.clone(),
        kind: job.kind,
        status: job.status,
        created_at: job.created_at,
        finished_at: job.finished_at,
        last_seq: job.last_seq,
    }
}

#[cfg(test)]
mod tests;
