use async_trait::async_trait;
use futures_util::StreamExt as _;
use store::engines::memory::InMemoryStore;
use store::engines::sqlite::{ProcessRole, Sqlite};
use store::jobs::{ClaimScope, Job, Jobs, Lease, LeasedJob, Renewal, WorkerCapabilities};
use store::retention::Removal;
use tokio::sync::watch;
use wire::run::JobRequest;
use wire::scrape::ScrapeRequest;
use wire::tabstack::AutomateRequest;

use super::attachment::GRACE;
use super::*;

fn service(store: &Store, free_space: u64) -> Service {
    let settings = ServiceSettings {
        queue: 9,
        patience: Duration::from_millis(10),
        free_space,
    };
    Service::new(store.clone(), settings)
}

fn spec() -> RunSpec {
    let request = ScrapeRequest::new(
        vec!["https://a.example/?page=2&token=s3cret-token".into()],
        "read",
    );
    RunSpec::new(JobRequest::Scrape(request))
}

/// Ends the run that waits longest, as a worker does that completes it.
async fn end_next(store: &Store) {
    let claimed = store.jobs.claim(Duration::from_secs(60), ClaimScope::Any).await;
    let (lease, _) = claimed.unwrap().unwrap();
    let last = store::conformance::entries(1, 1, true);
    let ending = store::conformance::ending();
    store.log.finish(&lease, 0, last, ending).await.unwrap();
}

#[tokio::test]
async fn a_disk_that_is_nearly_full_takes_no_run() {
    let folder = tempfile::tempdir().unwrap();
    let store = Sqlite::open(folder.path(), ProcessRole::Server, &[]).unwrap();
    let refused = service(&store, u64::MAX)
        .submit(&spec(), Submission::default())
        .await
        .unwrap_err();
    assert_eq!(
        (refused.code, refused.code.status()),
        (Code::InsufficientStorage, 507)
    );
    assert!(refused.retry_after.is_some());
    assert!(
        service(&store, 1)
            .submit(&spec(), Submission::default())
            .await
            .is_ok()
    );
}

#[tokio::test]
async fn events_that_are_no_longer_kept_are_said_to_be_gone() {
    let store = InMemoryStore::open();
    let service = service(&store, 0);
    let run = service.submit(&spec(), Submission::default()).await.unwrap().id;
    end_next(&store).await;
    store.retention.remove(&run, Removal::Events).await.unwrap();
    let Err(gone) = service.events(None, &run, 0, Audience::Public).await else {
        panic!("the events are gone");
    };
    assert_eq!((gone.code, gone.code.status()), (Code::EventsExpired, 410));
    let rest = service.events(None, &run, 1, Audience::Public).await.unwrap();
    assert_eq!(rest.count().await, 0, "after the last event nothing comes");
    assert_eq!(
        service.run(None, &run).await.unwrap().summary.status,
        RunStatus::Completed
    );
}

#[tokio::test]
async fn readers_see_marks_and_the_worker_sees_values() {
    let store = InMemoryStore::open();
    let service = service(&store, 0);
    let mut request = AutomateRequest::new("sign in");
    request.data = Some(serde_json::json!({"password": "s3cret-word"}));
    for (spec, shown) in [
        (spec(), "https://a.example/?page=2&token=[token]"),
        (RunSpec::new(JobRequest::Automate(request)), "{{password}}"),
    ] {
        let run = service.submit(&spec, Submission::default()).await.unwrap().id;
        let request = service.run(None, &run).await.unwrap().request.to_string();
        assert!(
            request.contains(shown) && !request.contains("s3cret"),
            "{request}"
        );
        let (_, leased) = store
            .jobs
            .claim(Duration::from_secs(60), ClaimScope::Any)
            .await
            .unwrap()
            .unwrap();
        assert!(leased.request.unwrap().contains("s3cret"));
    }
}

#[tokio::test(start_paused = true)]
async fn a_client_that_came_back_and_left_again_has_the_whole_grace_to_come_once_more() {
    let store = InMemoryStore::open();
    let service = service(&store, 0);
    let run = service.submit(&spec(), Submission::default()).await.unwrap().id;
    let is_cancelled = || async { store.jobs.summary(&run).await.unwrap().unwrap().cancel.is_some() };
    drop(service.attach(&run));
    tokio::time::sleep(GRACE * 2 / 3).await;
    drop(service.attach_again(&run).unwrap());
    tokio::time::sleep(GRACE * 2 / 3).await;
    assert!(!is_cancelled().await);
    tokio::time::sleep(GRACE).await;
    assert!(is_cancelled().await);
    assert!(service.attach_again(&run).is_none());
}

/// Jobs that are stored at once, which is said when `release` is notified.
struct SlowJobs {
    jobs: Arc<dyn Jobs>,
    stored: Notify,
    release: Notify,
}

#[async_trait]
impl Jobs for SlowJobs {
    async fn enqueue(&self, job: NewJob) -> Result<RunId, store::Error> {
        let id = self.jobs.enqueue(job).await?;
        self.stored.notify_one();
        self.release.notified().await;
        Ok(id)
    }

    async fn begin(&self, job: NewJob, ttl: Duration) -> Result<(Lease, LeasedJob), store::Error> {
        self.jobs.begin(job, ttl).await
    }

    async fn claim_for(
        &self,
        ttl: Duration,
        scope: ClaimScope,
        worker: WorkerCapabilities,
    ) -> Result<Option<(Lease, LeasedJob)>, store::Error> {
        self.jobs.claim_for(ttl, scope, worker).await
    }

    async fn renew(&self, lease: &Lease, ttl: Duration) -> Result<Renewal, store::Error> {
        self.jobs.renew(lease, ttl).await
    }

    async fn release(&self, lease: &Lease) -> Result<(), store::Error> {
        self.jobs.release(lease).await
    }

    async fn cancel(&self, run: &RunId, why: &str) -> Result<bool, store::Error> {
        self.jobs.cancel(run, why).await
    }

    async fn get(&self, run: &RunId) -> Result<Option<Job>, store::Error> {
        self.jobs.get(run).await
    }

    async fn summary(&self, run: &RunId) -> Result<Option<JobSummary>, store::Error> {
        self.jobs.summary(run).await
    }

    async fn list(&self, query: JobQuery) -> Result<Vec<JobSummary>, store::Error> {
        self.jobs.list(query).await
    }

    fn subscribe(&self) -> watch::Receiver<u64> {
        self.jobs.subscribe()
    }
}

#[tokio::test(start_paused = true)]
async fn the_run_of_a_client_that_leaves_while_it_is_stored_is_cancelled() {
    let mut store = InMemoryStore::open();
    let jobs = Arc::new(SlowJobs {
        jobs: store.jobs.clone(),
        stored: Notify::new(),
        release: Notify::new(),
    });
    store.jobs = jobs.clone();
    let (service, spec) = (service(&store, 0), spec());
    tokio::select! {
        _ = service.submit_attached(&spec, Submission::default()) => panic!("the store has not answered"),
        () = jobs.stored.notified() => {}
    }
    jobs.release.notify_one();
    tokio::time::sleep(GRACE * 2).await;
    let run = service.list(None, None, None, 9).await.unwrap().runs.remove(0).id;
    let job = store.jobs.summary(&run).await.unwrap().unwrap();
    assert_eq!(job.cancel.as_deref(), Some(ABANDONED));
}

#[tokio::test]
async fn a_list_goes_on_behind_a_run_that_is_deleted_meanwhile() {
    let store = InMemoryStore::open();
    let service = service(&store, 0);
    for _ in 0..5 {
        service.submit(&spec(), Submission::default()).await.unwrap();
        end_next(&store).await;
    }
    let all = service.list(None, None, None, 9).await.unwrap().runs;
    let next = service.list(None, None, None, 2).await.unwrap().next.unwrap();
    let cursor = RunCursor::parse(&next).unwrap();
    assert_eq!(next, RunCursor::of(&all[1]).to_string());
    for deleted in [None, Some(&all[1]), Some(&all[0])] {
        if let Some(run) = deleted {
            assert!(service.delete(None, &run.id).await.unwrap());
        }
        let page = service.list(None, None, Some(cursor.clone()), 9).await.unwrap();
        assert_eq!(page.runs, all[2..]);
    }
    let without_time = RunCursor {
        created_at: None,
        ..cursor
    };
    let refused = service.list(None, None, Some(without_time), 9).await;
    assert_eq!(refused.unwrap_err().code, Code::NotFound);
}

#[tokio::test]
async fn a_repeated_request_begins_a_run_only_where_none_goes_on() {
    let store = InMemoryStore::open();
    let service = service(&store, 0);
    let keyed = || Submission {
        idempotency_key: Some("once".into()),
        ..Submission::default()
    };
    let first = service.submit(&spec(), keyed()).await.unwrap();
    let again = service.submit(&spec(), keyed()).await.unwrap();
    assert_eq!((first.is_new, again.is_new), (true, false));
    assert_eq!(first.id, again.id);
    let join = || async {
        let joined = service
            .join_or_submit(&spec(), "digest", Admission::default())
            .await;
        joined.unwrap()
    };
    let (one, other) = tokio::join!(join(), join());
    assert_eq!((&one.id, one.is_new != other.is_new), (&other.id, true));
    assert_eq!(service.list(None, None, None, 9).await.unwrap().runs.len(), 2);
    service.tidy_equal_runs().await.unwrap();
    assert!(!join().await.is_new, "its name stays while it goes on");
    for _ in 0..2 {
        end_next(&store).await;
    }
    let anew = join().await;
    assert!(anew.is_new && anew.id != one.id);
    // A run that could not be stored leaves no name that others wait for.
    let full = Service::new(
        store.clone(),
        ServiceSettings {
            queue: 0,
            patience: Duration::from_millis(10),
            free_space: 0,
        },
    );
    let refused = full
        .join_or_submit(&spec(), "another", Admission::default())
        .await;
    assert_eq!(refused.unwrap_err().code, Code::QueueFull);
    let begun = service
        .join_or_submit(&spec(), "another", Admission::default())
        .await;
    assert!(begun.unwrap().is_new);
}
