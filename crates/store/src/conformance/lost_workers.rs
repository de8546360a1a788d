//! Promises about workers that die: they are counted, and their jobs can be told from others.

use std::time::Duration;

use super::fixtures::{LONG, id, job};
use crate::Store;
use crate::jobs::ClaimScope;

pub(super) async fn every_worker_that_is_lost_is_counted_and_one_that_gives_back_is_not(store: &Store) {
    store.jobs.enqueue(job(1)).await.unwrap();
    let claim = async |ttl| {
        let claimed = store.jobs.claim(ttl, ClaimScope::Any).await.unwrap();
        let (lease, job) = claimed.expect("the job");
        assert_eq!(u64::from(job.summary.attempt), lease.epoch);
        (lease, job.summary.lost_workers)
    };
    let (lease, lost) = claim(LONG).await;
    assert_eq!(lost, 0);
    store.jobs.release(&lease).await.unwrap();
    assert_eq!(claim(Duration::ZERO).await.1, 0, "it was given back");
    assert_eq!(claim(Duration::ZERO).await.1, 1);
    let (lease, lost) = claim(LONG).await;
    assert_eq!(lost, 2);
    store.jobs.release(&lease).await.unwrap();
    let stored = store.jobs.summary(&id(1)).await.unwrap().expect("the job");
    assert_eq!((stored.lost_workers, stored.attempt), (2, 4));
}

pub(super) async fn jobs_that_have_lost_a_worker_can_be_left_out(store: &Store) {
    let claimed = async |ttl, scope| {
        let claimed = store.jobs.claim(ttl, scope).await.unwrap();
        claimed.map(|(lease, _)| lease)
    };
    let untroubled = async |ttl| claimed(ttl, ClaimScope::LostAtMost(0)).await;
    store.jobs.enqueue(job(1)).await.unwrap();
    assert!(untroubled(Duration::ZERO).await.is_some());
    assert_eq!(untroubled(LONG).await, None, "its worker is lost");
    let (lease, _) = store
        .jobs
        .claim(LONG, ClaimScope::Any)
        .await
        .unwrap()
        .expect("the job");
    store.jobs.release(&lease).await.unwrap();
    assert_eq!(
        untroubled(LONG).await,
        None,
        "it was given back, and has lost a worker before"
    );
    store.jobs.enqueue(job(2)).await.unwrap();
    assert_eq!(untroubled(LONG).await.map(|lease| lease.run), Some(id(2)));
    let lost_one = async |ttl| {
        claimed(ttl, ClaimScope::LostAtMost(1))
            .await
            .map(|lease| lease.run)
    };
    assert_eq!(lost_one(Duration::ZERO).await, Some(id(1)), "it was given back");
    assert_eq!(lost_one(LONG).await, None, "two are lost, the last one too");
    assert!(claimed(LONG, ClaimScope::LostAtMost(2)).await.is_some());
}
