//! `Workers`: claim jobs, renew their leases, run them, and end every run that breaks.

mod browser_views;
mod claiming;
mod equipment;
mod forced_end;
mod monitor_checks;
mod under_policy;

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, OnceLock};
use std::time::Duration;

use agents::cancel::{CancelSignal, Cancelled};
pub use agents::run_view::{Shown, Watcher as BrowserWatcher};
use agents::services::AgentServices;
use jiff::Timestamp;
use store::Store;
use store::jobs::{JobSummary, Lease, LeasedJob, WorkerCapabilities};
use store::log::EventLog;
use tokio::sync::watch;
use tokio_util::sync::CancellationToken;
use tokio_util::task::{AbortOnDropHandle, TaskTracker};
use tracing::Instrument as _;
use wire::error::ErrorBody;
use wire::run::{RunBudget, RunKind, RunSpec};
use wire::tenancy::TenantLimits;
use wire::{Code, RunId};

use crate::diagnostics::{self, lease_write, millis};
use crate::dispatch::{self, ClaimedRun};
use crate::earlier_usage::EarlierUsage;
use crate::error::ServiceError;
use crate::fault;
use crate::files::RunFiles;
use crate::metrics::{self, ToolLabels};
use crate::monitors::Watcher;
use crate::pages::PageService;
use crate::recorder::RunAccount;
use crate::retention::{self, RetentionSettings, Swept};
use crate::service::{ABANDONED, Service, Submission};
use crate::tenants::policy::{SharedTenantServices, TenantServices};
use crate::tenants::usage;
use crate::tooling::ToolService;
use crate::trace_parent;
use crate::views::RunViews;
use crate::webhooks::{DeliveryTimes, Dispatcher, OutboxLog};
use equipment::{Equipment, EquipmentSource};

/// How long a lease holds without renewal. It is renewed three times as often.
const LEASE: Duration = Duration::from_secs(30);
/// How long runs may take to stop when the server closes.
const CLOSING: Duration = Duration::from_secs(10);
/// How long a person is given to answer a question of a run.
const ANSWER: Duration = Duration::from_secs(120);
/// How long a person may have the browser of a run.
const PAUSE: Duration = Duration::from_secs(600);
/// A run that this many workers were lost over is taken to be what ends them: it is failed, and not begun again.
const MOST_LOST_WORKERS: u32 = 3;
/// The workers of one process. Cheap to clone; clones are the same workers.
#[derive(Clone)]
pub struct Workers(Arc<WorkersInner>);

struct WorkersInner {
    service: Service,
    services: AgentServices,
    /// The same services as each tenant may use them.
    of_tenants: SharedTenantServices,
    pages: PageService,
    tools: ToolService,
    files: RunFiles,
    views: RunViews,
    /// Whether a picture of each step of a browser is kept.
    keeps_pictures: AtomicBool,
    dispatcher: Dispatcher,
    tool_labels: ToolLabels,
    run_limit: Duration,
    /// How long a person is given to answer, in milliseconds.
    answer_ms: AtomicU64,
    /// How long a person may have the browser of a run, in milliseconds.
    pause_ms: AtomicU64,
    /// How long a lease holds without renewal, in milliseconds.
    lease_ms: AtomicU64,
    /// What these workers have; none where they take every job.
    has: OnceLock<WorkerCapabilities>,
    closing: CancellationToken,
    /// No further jobs are taken.
    draining: CancellationToken,
    tasks: TaskTracker,
    runs: TaskTracker,
    /// Why a run was left as it is, the last one.
    left: watch::Sender<Option<String>>,
}

impl Workers {
    /// Workers that have not begun yet.
    pub fn new(service: Service, services: AgentServices, run_limit: Duration) -> Self {
        let (closing, tasks) = (CancellationToken::new(), TaskTracker::new());
        service.set_acts_in_chromium(services.engines.chromium.is_some());
        if let Some(folder) = services.screenshots.clone() {
            service.keep_pictures_in(folder);
        }
        let of_tenants = Arc::new(TenantServices::new(
            service.store().clone(),
            service.identities(),
            services.clone(),
        ));
        Self(Arc::new(WorkersInner {
            pages: PageService::new(services.clone(), service.profiles()),
            dispatcher: Dispatcher::new(service.clone(), of_tenants.clone()),
            files: RunFiles::new(service.clone(), services.screenshots.clone()),
            views: RunViews::default(),
            keeps_pictures: AtomicBool::new(false),
            service,
            tools: ToolService::new(services.clone()),
            tool_labels: ToolLabels::new(services.tools.iter().map(|tool| tool.id().to_owned())),
            services,
            of_tenants,
            run_limit,
            answer_ms: AtomicU64::new(millis(ANSWER)),
            pause_ms: AtomicU64::new(millis(PAUSE)),
            lease_ms: AtomicU64::new(millis(LEASE)),
            has: OnceLock::new(),
            draining: closing.child_token(),
            closing,
            tasks,
            runs: TaskTracker::new(),
            left: watch::Sender::new(None),
        }))
    }

    /// Leases hold this long without renewal from now on.
    pub fn lease_for(&self, time: Duration) {
        self.0.lease_ms.store(millis(time), Ordering::Relaxed);
    }

    /// Takes no further jobs, and waits until all runs have ended, at most for `limit`; how many have not.
    pub async fn drain(&self, limit: Duration) -> usize {
        self.0.draining.cancel();
        self.0.runs.close();
        // Those that remain are counted.
        let _ = tokio::time::timeout(limit, self.0.runs.wait()).await;
        self.0.runs.len()
    }

    /// Checks whether these workers can do such a job.
    ///
    /// # Errors
    /// When they cannot, with what would have to be different.
    pub fn check(&self, job: &wire::run::JobRequest) -> Result<(), ServiceError> {
        self.check_store(job)?;
        dispatch::check(job, &self.0.services)
    }

    fn check_store(&self, job: &wire::run::JobRequest) -> Result<(), ServiceError> {
        if matches!(job.kind(), RunKind::Crawl | RunKind::Batch) && self.0.store().frontier.is_none() {
            let text = "the store of this server keeps no addresses of crawls; use HUNTSMAN_STORE=sqlite";
            return Err(ServiceError::new(Code::NotCapable, text));
        }
        Ok(())
    }

    /// As [`Workers::check`], under the policy of the owner.
    ///
    /// # Errors
    /// Also when the policy does not allow the job; the text names the field.
    pub async fn check_for(&self, owner: &str, job: &wire::run::JobRequest) -> Result<(), ServiceError> {
        self.check_store(job)?;
        dispatch::check(job, &self.0.of_tenants.of(owner).await?)
    }

    /// Reads single pages with the same engines, for clients that wait.
    pub fn pages(&self) -> &PageService {
        &self.0.pages
    }

    /// Lists tools, runs single ones and checks plans, for clients that wait.
    pub fn tools(&self) -> &ToolService {
        &self.0.tools
    }

    /// The files that runs have written.
    pub fn files(&self) -> &RunFiles {
        &self.0.files
    }

    /// Begins to take jobs from the queue, `at_once` of them at a time.
    pub fn start(&self, at_once: usize) {
        let inner = Arc::clone(&self.0);
        self.0.tasks.spawn(async move { inner.take_jobs(at_once).await });
    }

    /// Begins to send messages to webhooks, and goes on with those that are due.
    pub fn deliver(&self) {
        let (closing, tasks) = (self.0.closing.clone(), self.0.tasks.clone());
        self.0.tasks.spawn(self.0.dispatcher.clone().run(closing, tasks));
    }

    /// Begins to check what is watched; these limits hold for tenants that have none of their own.
    pub fn watch(&self, limits: TenantLimits) {
        let tenants = self.0.service.tenants(limits);
        let watcher = Watcher::new(self.0.service.clone(), self.0.of_tenants.clone(), tenants);
        let (closing, tasks) = (self.0.closing.clone(), self.0.tasks.clone());
        self.0.tasks.spawn(watcher.run(closing, tasks));
    }

    /// Waits so long between the tries of a delivery from now on.
    pub fn deliver_with(&self, times: DeliveryTimes) {
        self.0.dispatcher.keep(times);
    }

    /// Begins to delete what is no longer to be kept: at once, and then every ten minutes.
    pub fn keep_tidy(&self, settings: RetentionSettings) {
        let inner = Arc::clone(&self.0);
        self.0.tasks.spawn(async move {
            loop {
                match retention::sweep(&inner.service.removal(), &settings, Timestamp::now()).await {
                    Ok(swept) if swept == Swept::default() => {}
                    Ok(Swept { runs, logs, pictures }) => {
                        tracing::info!(runs, logs, pictures, "old runs, logs and pictures were deleted");
                    }
                    Err(error) => tracing::error!(%error, "old runs cannot be deleted"),
                }
                let tenants = inner.service.tenants(TenantLimits::default());
                match tenants.finish_deletions().await {
                    Ok(0) => {}
                    Ok(count) => tracing::info!(count, "deleted tenants are gone"),
                    Err(error) => tracing::error!(%error, "a tenant cannot be deleted"),
                }
                if let Err(error) = inner.service.webhooks().tidy().await {
                    tracing::error!(%error, "the logs of webhooks cannot be shortened");
                }
                if let Err(error) = inner.service.monitors().tidy().await {
                    tracing::error!(%error, "monitors cannot be gone over");
                }
                if let Err(error) = inner.service.tidy_equal_runs().await {
                    tracing::error!(%error, "names of runs that have ended cannot be deleted");
                }
                tokio::select! {
                    () = inner.closing.cancelled() => return,
                    () = tokio::time::sleep(retention::INTERVAL) => {}
                }
            }
        });
    }

    /// Puts a job and does it in this process, past the queue.
    ///
    /// # Errors
    /// As for [`Service::submit`].
    pub async fn begin(&self, spec: &RunSpec) -> Result<RunId, ServiceError> {
        self.check(&spec.job)?;
        let job = self.0.service.new_job(spec, Submission::default()).await?;
        let (lease, job) = self.0.store().jobs.begin(job, self.0.lease()).await?;
        let id = lease.run.clone();
        self.0.spawn(lease, job);
        Ok(id)
    }

    /// Waits until a run is left as it is, since nothing can be written to its log, and gives the reason. Workers that take
    /// jobs from the queue go on with such a run once its lease has run out; others do not.
    pub async fn left(&self) -> String {
        let mut left = self.0.left.subscribe();
        // The sender lives as long as the workers.
        let reason = left.wait_for(Option::is_some).await;
        reason.map_or_else(|_| String::new(), |reason| reason.clone().unwrap_or_default())
    }

    /// Stops all runs so that a successor can go on with them, and waits for that.
    pub async fn close(&self) {
        self.0.service.close();
        self.0.closing.cancel();
        self.0.tasks.close();
        if tokio::time::timeout(CLOSING, self.0.tasks.wait()).await.is_err() {
            tracing::warn!("some runs did not stop in time; their leases run out by themselves");
        }
    }
}

impl WorkersInner {
    fn store(&self) -> &Store {
        self.service.store()
    }

    fn lease(&self) -> Duration {
        Duration::from_millis(self.lease_ms.load(Ordering::Relaxed))
    }

    fn spawn(self: &Arc<Self>, lease: Lease, job: LeasedJob) -> tokio::task::JoinHandle<()> {
        let inner = Arc::clone(self);
        let run = self
            .runs
            .track_future(async move { inner.run_to_end(lease, job).await });
        self.tasks.spawn(run)
    }

    /// Runs a job, and makes sure that its run ends.
    async fn run_to_end(self: Arc<Self>, lease: Lease, job: LeasedJob) {
        let LeasedJob { summary, request } = job;
        let run = lease.run.clone();
        let waited = Duration::from_millis(
            u64::try_from(Timestamp::now().as_millisecond() - summary.created_at.as_millisecond())
                .unwrap_or(0),
        );
        if summary.attempt == 1 {
            metrics::queue_wait(waited);
        }
        tracing::info!(
            %run,
            kind = summary.kind.as_str(),
            attempt = summary.attempt,
            lost_workers = summary.lost_workers,
            waited_ms = millis(waited),
            "the run begins"
        );
        let span = diagnostics::run_span(&summary, request.as_deref().ok());
        let cancel = CancelSignal::after(self.run_limit);
        if let Some(why) = summary.cancel.as_deref() {
            // Before anything of it begins, which might fail here and not where it belongs.
            cancel.cancel(asked_to_end(why));
        }
        cancel.hold_until(tokio::time::Instant::now() + self.lease());
        // However this ends, the lease is held no longer.
        let lease_holder = Arc::clone(&self).hold_lease(lease.clone(), cancel.clone());
        let lease_holder = AbortOnDropHandle::new(tokio::spawn(lease_holder));
        let budget = request.as_deref().map(budget).unwrap_or_default();
        let (earlier, unread) = match self.earlier_usage(&summary).await {
            Ok(earlier) => (earlier, None),
            Err(error) => (EarlierUsage::default(), Some(ServiceError::from(error))),
        };
        let account = RunAccount::new(usage::ledger(earlier.left_of(budget)), earlier);
        let source = EquipmentSource {
            service: &self.service,
            of_tenants: &self.of_tenants,
            closing: &self.closing,
        };
        let equipment = match unread.map_or_else(|| runnable(&summary, request), Err) {
            Ok(request) => fault::caught(source.of_run(&run, &request)).await,
            Err(error) => Err(error),
        };
        let done = match equipment {
            Ok(equipment) => {
                // In a task of its own, so that a panic of an agent ends its run and nothing else.
                let run = Arc::clone(&self).run(lease.clone(), equipment, cancel, account.clone());
                let doing = tokio::spawn(run.instrument(span.clone()));
                let fault =
                    |_| ServiceError::new(Code::TaskExecutionFailed, "the run met an unexpected fault");
                doing.await.map_err(fault)
            }
            Err(error) => Err(error),
        };
        match done {
            Ok(Ok(())) => {
                diagnostics::record_end(&span, self.store(), &run, account.ledger()).await;
                tracing::info!(%run, "the run has ended");
            }
            Ok(Err(Cancelled::ShuttingDown)) => {
                tracing::info!(%run, "the run is left to a successor");
                self.give_back(&lease, &account).await;
            }
            Ok(Err(stopped)) => {
                tracing::warn!(%run, reason = %stopped, "the run is left as it is");
                self.left.send_replace(Some(stopped.to_string()));
            }
            Err(error) if error.code == Code::StoreUnavailable => {
                tracing::warn!(%run, reason = error.message, "the run cannot begin and is left to a successor");
                // Else its lease runs out, which is counted: what can never be read is not tried for ever. While the store is
                // away as a whole, nobody takes the run.
                if self.closing.is_cancelled() {
                    self.give_back(&lease, &account).await;
                }
                self.left.send_replace(Some(error.message));
            }
            Err(error) => {
                let error = ErrorBody::from(error);
                tracing::error!(%run, code = error.code.as_str(), reason = error.message, "the run broke");
                span.record("error", error.code.as_str());
                self.end_by_force(&summary, &lease, &error, &account).await;
            }
        }
        lease_holder.abort();
    }

    async fn run(
        self: Arc<Self>,
        lease: Lease,
        equipment: Equipment,
        cancel: CancelSignal,
        account: RunAccount,
    ) -> Result<(), Cancelled> {
        let Equipment {
            mut spec,
            services,
            before_end,
            secrets,
            earlier,
            after,
        } = equipment;
        spec.trace = spec.trace.or_else(trace_parent::current_trace);
        let view = (spec.job.kind() == RunKind::Automate).then(|| self.open_view(&lease.run));
        let claimed = ClaimedRun {
            view: view.as_ref().map(|open| open.view.clone()),
            log: self.log_of(&spec.owner),
            inbox: Arc::clone(&self.store().inbox),
            frontier: self.store().frontier.clone(),
            answer_limit: Duration::from_millis(self.answer_ms.load(Ordering::Relaxed)),
            tools: self.tool_labels.clone(),
            lease,
            earlier,
            after,
            cancel,
            secrets,
            account,
            before_end,
        };
        services.add_guardrails(&mut spec.job);
        dispatch::run(&services, &spec, claimed).await
    }

    /// The log of an owner's runs, which tells webhooks.
    fn log_of(&self, owner: &str) -> Arc<dyn EventLog> {
        let log = Arc::clone(&self.store().log);
        Arc::new(OutboxLog::new(log, self.service.webhooks(), owner.to_owned()))
    }

    /// Renews a lease and forwards cancellation, until it is aborted.
    async fn hold_lease(self: Arc<Self>, lease: Lease, cancel: CancelSignal) {
        let mut changes = self.store().jobs.subscribe();
        loop {
            changes.borrow_and_update();
            let (asked, length) = (tokio::time::Instant::now(), self.lease());
            let renewal = self.store().jobs.renew(&lease, length);
            match lease_write("renew", Some(&lease.run), renewal).await {
                Ok(renewed) => {
                    cancel.hold_until(asked + length);
                    if let Some(why) = renewed.cancel.as_deref() {
                        cancel.cancel(asked_to_end(why));
                    }
                }
                Err(store::Error::Fenced { .. }) => cancel.cancel(Cancelled::Fenced),
                Err(error) => tracing::warn!(run = %lease.run, %error, "the lease could not be renewed"),
            }
            self.wait_for_renewal(&lease, &cancel, &mut changes).await;
        }
    }

    /// Waits for the next renewal, or for a cancellation of this very run.
    async fn wait_for_renewal(
        &self,
        lease: &Lease,
        cancel: &CancelSignal,
        changes: &mut tokio::sync::watch::Receiver<u64>,
    ) {
        let renewal = tokio::time::sleep(self.lease() / 3);
        tokio::pin!(renewal);
        loop {
            tokio::select! {
                () = &mut renewal => return,
                () = self.closing.cancelled(), if !cancel.token().is_cancelled() => cancel.cancel(Cancelled::ShuttingDown),
                _ = changes.changed() => {
                    changes.borrow_and_update();
                    let job = self.store().jobs.summary(&lease.run).await;
                    if job.is_ok_and(|job| job.is_some_and(|job| job.cancel.is_some())) && !cancel.token().is_cancelled() {
                        return;
                    }
                }
            }
        }
    }

    /// Ends a run whose agent cannot.
    async fn end_by_force(&self, job: &JobSummary, lease: &Lease, error: &ErrorBody, account: &RunAccount) {
        let log = self.log_of(job.owner.as_deref().unwrap_or_default());
        if let Err(error) = forced_end::end(self.store(), log, lease, error, account).await {
            tracing::error!(run = %lease.run, %error, "the run could not be ended");
            self.left.send_replace(Some(error.to_string()));
        }
    }

    /// What workers before this one have spent on a run.
    async fn earlier_usage(&self, job: &JobSummary) -> Result<EarlierUsage, store::Error> {
        match job.attempt > 1 {
            true => EarlierUsage::of_run(self.store(), &job.id).await,
            false => Ok(EarlierUsage::default()),
        }
    }

    /// Gives a run back to the queue, for a successor, who goes on with what is left of its budget.
    async fn give_back(&self, lease: &Lease, account: &RunAccount) {
        let (usage, metered) = account.spent();
        let spent = EarlierUsage::new(usage, metered);
        if let Err(error) = spent.keep(self.store(), &lease.run).await {
            tracing::warn!(run = %lease.run, %error, "what the run has used until now is not counted");
        }
        let (run, release) = (&lease.run, self.store().jobs.release(lease));
        if let Err(error) = lease_write("release", Some(run), release).await {
            tracing::warn!(%run, %error, "the run could not be given back; its lease will run out");
        }
    }
}

/// What a run may spend, by its specification.
fn budget(spec: &str) -> RunBudget {
    #[derive(serde::Deserialize)]
    struct Budgeted {
        #[serde(default)]
        budget: RunBudget,
    }
    let budget = serde_json::from_str::<Budgeted>(spec).map(|spec| spec.budget);
    // A specification that cannot be read ends the run before anything is spent.
    budget.unwrap_or_default()
}

/// How a run ends that somebody wanted to end.
fn asked_to_end(why: &str) -> Cancelled {
    match why {
        ABANDONED => Cancelled::ClientGone,
        _ => Cancelled::Requested,
    }
}

/// The request of a job that may be begun; else why its run has to be ended.
fn runnable(job: &JobSummary, request: Result<String, store::Error>) -> Result<String, ServiceError> {
    if job.lost_workers >= MOST_LOST_WORKERS {
        let text =
            format!("{MOST_LOST_WORKERS} workers died while they did this run, so it is not begun again");
        return Err(ServiceError::new(Code::PoisonRun, text));
    }
    request.map_err(|error| {
        tracing::error!(run = %job.id, %error, "the request of a run cannot be decrypted");
        let text = "the values of this run are encrypted with a key that the server does not have";
        ServiceError::new(Code::SecretUnreadable, text)
    })
}
