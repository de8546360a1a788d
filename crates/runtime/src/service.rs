//! The one facade: submit, look, follow, cancel. Doors speak to nothing else.

use std::collections::HashMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use futures_util::Stream;
use futures_util::stream::try_unfold;
use serde_json::Value;
use store::Store;
use store::jobs::{Job, NewJob, Query};
use wire::automate::FormDataRequest;
use wire::input::Answer;
use wire::run::{RunDetail, RunKind, RunList, RunSpec, RunStatus, RunSummary, Usage};
use wire::{Audience, Code, Entry, RequestId, RunId};

use crate::follow::Followed;
use crate::letters::{self, Letter};
use crate::refused::Refused;

/// Entries read at once when a question is looked for.
const PORTION: usize = 256;

/// How long a run outlives the client it is attached to.
const GRACE: Duration = Duration::from_secs(2);

/// Most runs in one page of a list.
const MOST_LISTED: usize = 200;

/// Bounds and habits of a service.
#[derive(Debug, Clone)]
pub struct Settings {
    /// Runs that may wait.
    pub queue: usize,
    /// How long a follower waits before it looks into the log without having been told to. Short where another
    /// process may write, long where only this one does.
    pub patience: Duration,
}

/// The service. Cheap to clone; clones are the same one.
#[derive(Clone)]
pub struct Service(Arc<Inner>);

struct Inner {
    store: Store,
    settings: Settings,
    closed: AtomicBool,
    attached: Mutex<HashMap<RunId, usize>>,
    followed: Followed,
}

/// What travels beside a job.
#[derive(Debug, Clone, Default)]
pub struct Submission {
    /// The run's id, where the client chose it.
    pub id: Option<RunId>,
    /// Under this key the same request is one run.
    pub idempotency_key: Option<String>,
}

impl Service {
    /// A service over a store.
    pub fn new(store: Store, settings: Settings) -> Self {
        let (closed, attached) = (AtomicBool::new(false), Mutex::default());
        Self(Arc::new(Inner {
            store,
            settings,
            closed,
            attached,
            followed: Followed::default(),
        }))
    }

    /// Takes a job. When this returned, the run is durable and will end in exactly one terminal event.
    ///
    /// # Errors
    /// When the queue is full, the id is taken, the house is closing or the store fails.
    pub async fn submit(&self, spec: &RunSpec, beside: Submission) -> Result<RunId, Refused> {
        let job = self.new_job(spec, beside)?;
        Ok(self.0.store.jobs.enqueue(job).await?)
    }

    pub(crate) fn new_job(&self, spec: &RunSpec, beside: Submission) -> Result<NewJob, Refused> {
        if self.0.closed.load(Ordering::Acquire) {
            let wait = Duration::from_secs(5);
            return Err(Refused::new(Code::ShuttingDown, "the server is shutting down").again_after(wait));
        }
        let broken = |what: String| Refused::new(Code::Internal, what);
        Ok(NewJob {
            id: beside.id.map_or_else(new_id, Ok)?,
            kind: spec.job.kind(),
            request: serde_json::to_string(spec).map_err(|error| broken(error.to_string()))?,
            owner: Some(spec.owner.clone()).filter(|it| !it.is_empty()),
            idempotency_key: beside.idempotency_key,
            queue_limit: self.0.settings.queue,
        })
    }

    /// Takes no more jobs.
    pub fn close(&self) {
        self.0.closed.store(true, Ordering::Release);
    }

    /// One run that `owner` may see.
    ///
    /// # Errors
    /// When there is none.
    pub async fn run(&self, owner: Option<&str>, run: &RunId) -> Result<RunDetail, Refused> {
        let job = self.job(owner, run).await?;
        let json = |text: &Option<String>| {
            text.as_deref()
                .and_then(|it| serde_json::from_str::<Value>(it).ok())
        };
        Ok(RunDetail {
            summary: summary(&job),
            request: json(&Some(job.request.clone()))
                .map(|it| shown_request(job.kind, &it["request"]))
                .unwrap_or_default(),
            result: json(&job.result),
            error: json(&job.error).and_then(|it| serde_json::from_value(it).ok()),
            usage: json(&job.usage)
                .and_then(|it| serde_json::from_value::<Usage>(it).ok())
                .unwrap_or_default(),
        })
    }

    async fn job(&self, owner: Option<&str>, run: &RunId) -> Result<Job, Refused> {
        let job = self.0.store.jobs.get(run).await?;
        job.filter(|it| owner.is_none() || it.owner.as_deref() == owner)
            .ok_or_else(Refused::unknown_run)
    }

    /// Runs that `owner` may see, newest first.
    ///
    /// # Errors
    /// When the cursor names no run.
    pub async fn list(
        &self,
        owner: Option<&str>,
        status: Option<RunStatus>,
        cursor: Option<RunId>,
        limit: usize,
    ) -> Result<RunList, Refused> {
        let limit = limit.clamp(1, MOST_LISTED);
        let query = Query {
            owner: owner.map(str::to_owned),
            status,
            before: cursor,
            limit: limit + 1,
        };
        let mut jobs = self.0.store.jobs.list(query).await?;
        let more = jobs.len() > limit;
        jobs.truncate(limit);
        let next = jobs.last().filter(|_| more).map(|it| it.id.to_string());
        Ok(RunList {
            runs: jobs.iter().map(summary).collect(),
            next,
        })
    }

    /// The events of a run after number `after`, as far as the audience may see them; ends after the last one.
    ///
    /// # Errors
    /// When there is no such run that `owner` may see. Later, when the store fails.
    pub async fn events(
        &self,
        owner: Option<&str>,
        run: &RunId,
        after: u64,
        audience: Audience,
    ) -> Result<impl Stream<Item = Result<Arc<Entry>, Refused>> + Send + use<>, Refused> {
        self.job(owner, run).await?;
        let Inner { store, settings, .. } = &*self.0;
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

    /// Cancels a run. False when it had ended already.
    ///
    /// # Errors
    /// When there is no such run that `owner` may see.
    pub async fn cancel(&self, owner: Option<&str>, run: &RunId) -> Result<bool, Refused> {
        self.job(owner, run).await?;
        Ok(self.0.store.jobs.cancel(run, CANCELLED).await?)
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
        answer: &Answer,
    ) -> Result<(), Refused> {
        let unknown = || Refused::new(Code::NotFound, "no run has asked a question of this id");
        let closed = || {
            let text = "the question was answered already, or nobody waits for its answer any more";
            Refused::new(Code::InputClosed, text)
        };
        let run = letters::run_of(question).ok_or_else(unknown)?;
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
            return Err(Refused::new(
                Code::InvalidRequest,
                format!("fields: {}", list.join("; ")),
            ));
        }
        let body = Letter::answer(question, answer).body();
        match self.0.store.inbox.send(&run, question.as_str(), &body).await {
            Ok(true) => Ok(()),
            Ok(false) | Err(store::Error::Fenced { .. }) => Err(closed()),
            Err(error) => Err(error.into()),
        }
    }

    /// The question of this id, as the run has asked it.
    async fn asked(&self, run: &RunId, question: &RequestId) -> Result<Option<FormDataRequest>, Refused> {
        let mut after = 0;
        loop {
            let portion = self.0.store.log.read(run, after, PORTION).await?;
            let Some(last) = portion.last() else {
                return Ok(None);
            };
            after = last.seq;
            let questions = portion
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

    /// Says that a client follows this run and that the run shall not outlive it. The run is cancelled a moment
    /// after the last such word was dropped.
    pub fn attach(&self, run: &RunId) -> Attachment {
        *self.attachments().entry(run.clone()).or_default() += 1;
        Attachment {
            service: self.clone(),
            run: run.clone(),
        }
    }

    /// The same for a client that comes back, also by another way: none when no client is known that the run would
    /// not outlive.
    pub fn attach_again(&self, run: &RunId) -> Option<Attachment> {
        *self.attachments().get_mut(run)? += 1;
        Some(Attachment {
            service: self.clone(),
            run: run.clone(),
        })
    }

    fn attachments(&self) -> std::sync::MutexGuard<'_, HashMap<RunId, usize>> {
        self.0.attached.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Forgets a run that nobody is attached to any more; false when somebody is.
    fn detach(&self, run: &RunId) -> bool {
        let mut attached = self.attachments();
        let deserted = attached.get(run) == Some(&0);
        if deserted {
            attached.remove(run);
        }
        deserted
    }

    pub(crate) fn store(&self) -> &Store {
        &self.0.store
    }
}

/// Why a run was cancelled, as the store keeps it.
pub(crate) const CANCELLED: &str = "cancelled";
/// The same, for a run whose client has gone.
pub(crate) const ABANDONED: &str = "abandoned";

/// A client that follows a run which shall not outlive it.
pub struct Attachment {
    service: Service,
    run: RunId,
}

impl Drop for Attachment {
    fn drop(&mut self) {
        let (service, run) = (self.service.clone(), self.run.clone());
        if let Some(clients) = service.attachments().get_mut(&run) {
            *clients = clients.saturating_sub(1);
            if *clients > 0 {
                return;
            }
        }
        // When the house closes, streams end and their clients have not gone: a successor goes on with the run.
        let Ok(handle) = tokio::runtime::Handle::try_current() else {
            return;
        };
        if service.0.closed.load(Ordering::Acquire) {
            return;
        }
        handle.spawn(async move {
            tokio::time::sleep(GRACE).await;
            if service.detach(&run)
                && let Err(error) = service.0.store.jobs.cancel(&run, ABANDONED).await
            {
                tracing::warn!(%run, %error, "a run whose client has gone could not be cancelled");
            }
        });
    }
}

/// A request as readers may see it: values that a person gave for forms stand as their keys.
fn shown_request(kind: RunKind, request: &Value) -> Value {
    let mut request = request.clone();
    if kind == RunKind::Automate
        && let Some(data) = request.get_mut("data")
    {
        *data = agents::automate::shown_data(data);
    }
    request
}

fn new_id() -> Result<RunId, Refused> {
    let mut random = [0; 16];
    getrandom::fill(&mut random).map_err(|error| Refused::new(Code::Internal, error.to_string()))?;
    Ok(RunId::from_random(random))
}

fn summary(job: &Job) -> RunSummary {
    RunSummary {
        id: job.id.clone(),
        kind: job.kind,
        status: job.status,
        created_at: job.created_at,
        finished_at: job.finished_at,
        last_seq: job.last_seq,
    }
}
