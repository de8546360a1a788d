//! Promises about what jobs ask of their workers.

use std::time::Duration;

use super::fixtures::{LONG, id, job};
use crate::Store;
use crate::jobs::{Admission, ClaimScope, JobNeeds, NewJob, WorkerCapabilities};

const PLAIN: WorkerCapabilities = WorkerCapabilities {
    chromium: false,
    browsers: 0,
};

fn job_for_chromium(number: u32) -> NewJob {
    NewJob {
        admission: Admission {
            needs: JobNeeds { chromium: true },
            ..Admission::default()
        },
        ..job(number)
    }
}

pub(super) async fn a_job_waits_for_a_worker_that_has_what_it_needs_and_holds_up_no_other(store: &Store) {
    let claimed = async |ttl, worker| {
        let claimed = store.jobs.claim_for(ttl, ClaimScope::Any, worker).await.unwrap();
        claimed.map(|(lease, _)| lease)
    };
    let run_of = |lease: Option<crate::jobs::Lease>| lease.map(|lease| lease.run);
    store.jobs.enqueue(job_for_chromium(1)).await.unwrap();
    assert_eq!(claimed(LONG, PLAIN).await, None, "it waits");
    store.jobs.enqueue(job(2)).await.unwrap();
    assert_eq!(
        run_of(claimed(LONG, PLAIN).await),
        Some(id(2)),
        "the one behind it does not"
    );
    let able = WorkerCapabilities {
        chromium: true,
        ..PLAIN
    };
    let lease = claimed(LONG, able).await.expect("the job");
    assert_eq!(lease.run, id(1));
    // What it needs outlives leases that are given back and leases that run out.
    store.jobs.release(&lease).await.unwrap();
    assert_eq!(claimed(LONG, PLAIN).await, None, "it was given back");
    assert_eq!(run_of(claimed(Duration::ZERO, able).await), Some(id(1)));
    assert_eq!(claimed(LONG, PLAIN).await, None, "its worker is lost");
    assert_eq!(run_of(claimed(LONG, able).await), Some(id(1)));
    store.jobs.enqueue(job(3)).await.unwrap();
    assert_eq!(
        run_of(claimed(LONG, able).await),
        Some(id(3)),
        "one that needs less is taken too"
    );
    store.jobs.enqueue(job_for_chromium(4)).await.unwrap();
    assert!(store.jobs.cancel(&id(4), "enough").await.unwrap());
    let ending = run_of(claimed(LONG, PLAIN).await);
    assert_eq!(ending, Some(id(4)), "any worker ends what is cancelled");
}
