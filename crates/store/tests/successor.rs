//! A server that follows a dead one goes on with its runs at once, and leaves those of a living guest alone.

use std::time::Duration;

use store::conformance::id;
use store::engines::sqlite::{ProcessRole, Sqlite};
use store::jobs::{ClaimScope, NewJob};
use wire::run::RunKind;

#[tokio::test]
async fn a_new_server_takes_over_what_the_dead_one_held() {
    let folder = tempfile::TempDir::new().unwrap();
    let job = |number| NewJob {
        id: id(number),
        kind: RunKind::Scrape,
        request: "{}".into(),
        shown_request: None,
        owner: None,
        idempotency_key: None,
        queue_limit: 9,
        admission: store::jobs::Admission::default(),
    };
    let long = Duration::from_secs(600);
    let dead = Sqlite::open(folder.path(), ProcessRole::Server, &[]).unwrap();
    dead.jobs.enqueue(job(1)).await.unwrap();
    dead.jobs.claim(long, ClaimScope::Any).await.unwrap().unwrap();
    dead.jobs.begin(job(2), long).await.unwrap();
    drop(dead);
    let next = Sqlite::open(folder.path(), ProcessRole::Server, &[]).unwrap();
    let taken = next
        .jobs
        .claim(long, ClaimScope::Any)
        .await
        .unwrap()
        .map(|it| (it.0.run, it.1.summary.attempt));
    assert_eq!(taken, Some((id(1), 2)));
    assert!(
        next.jobs.claim(long, ClaimScope::Any).await.unwrap().is_none(),
        "a guest's run is left alone"
    );
}
