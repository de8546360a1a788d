use futures_util::StreamExt as _;
use store::engines::memory::InMemoryStore;
use store::engines::sqlite::{ProcessRole, Sqlite};
use store::jobs::ClaimScope;
use store::log::RunEnd;
use store::retention::Removal;
use wire::run::JobRequest;
use wire::scrape::ScrapeRequest;
use wire::tabstack::AutomateRequest;

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
    let run = service.submit(&spec(), Submission::default()).await.unwrap();
    let (lease, _) = store
        .jobs
        .claim(Duration::from_secs(60), ClaimScope::Any)
        .await
        .unwrap()
        .unwrap();
    let ending = RunEnd {
        status: RunStatus::Completed,
        result: None,
        error: None,
        usage: None,
        metered: Vec::new(),
    };
    let last = store::conformance::entries(1, 1, true);
    store.log.finish(&lease, 0, last, ending).await.unwrap();
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
        let run = service.submit(&spec, Submission::default()).await.unwrap();
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
