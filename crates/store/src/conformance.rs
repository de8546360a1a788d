//! The suite that every engine passes. Each function states one promise of the ports and fails when it is broken.
//!
//! `open` gives the engine under test with nothing in it; [`all`] runs every promise against a fresh one.

// A broken promise has to stop the test that found it.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod fixtures;
mod frontiers;
mod kept;
mod lost_workers;
mod placement;
mod records;
mod shares;
mod vault;

use std::time::Duration;

use wire::run::RunStatus;

use crate::jobs::{ClaimScope, JobQuery, NewJob};
use crate::log::RunEnd;
use crate::{Error, Store};
use fixtures::{LONG, claimed};
pub use fixtures::{ending, entries, id, job};

/// Runs every promise, each against a store of its own.
pub async fn all(open: impl AsyncFn() -> Store) {
    jobs_are_claimed_once_and_in_order(&open().await).await;
    a_lease_that_ran_out_is_taken_over_and_fenced(&open().await).await;
    a_released_job_waits_again(&open().await).await;
    a_job_that_is_begun_is_not_claimed(&open().await).await;
    the_same_key_makes_one_job(&open().await).await;
    the_same_key_at_the_same_moment_makes_one_job(&open().await).await;
    a_full_queue_refuses(&open().await).await;
    a_cancellation_reaches_the_holder(&open().await).await;
    a_cancellation_waits_for_the_next_holder(&open().await).await;
    lost_workers::every_worker_that_is_lost_is_counted_and_one_that_gives_back_is_not(&open().await).await;
    lost_workers::jobs_that_have_lost_a_worker_can_be_left_out(&open().await).await;
    placement::a_job_waits_for_a_worker_that_has_what_it_needs_and_holds_up_no_other(&open().await).await;
    kept::readers_see_the_shown_request_and_the_worker_the_whole_one(&open().await).await;
    kept::only_what_has_ended_is_removed(&open().await).await;
    a_log_is_dense_and_ends_once(&open().await).await;
    two_holders_of_one_place_do_not_both_write(&open().await).await;
    a_disorderly_append_changes_nothing(&open().await).await;
    a_reader_sees_prefixes_only(&open().await).await;
    concurrent_writers_keep_one_order(&open().await).await;
    an_answer_reaches_the_successor(&open().await).await;
    lists_are_newest_first_and_paged(&open().await).await;
    kept::blobs_come_back_as_they_went(&open().await).await;
    kept::blobs_of_a_run_are_seen_under_it_alone_and_go_with_its_events_or_with_it(&open().await).await;
    shares::owners_share_by_weight_however_many_jobs_wait(&open().await).await;
    shares::a_newcomer_is_served_within_two_claims_and_idle_shares_go_to_others(&open().await).await;
    shares::of_one_owner_the_urgent_come_first_then_the_old(&open().await).await;
    shares::no_owner_has_more_running_than_its_share_allows(&open().await).await;
    shares::a_full_queue_of_an_owner_refuses_exactly_and_nobody_else(&open().await).await;
    shares::usage_is_added_once_with_the_end_and_outlives_the_run(&open().await).await;
    records::a_record_is_changed_by_those_who_know_it(&open().await).await;
    records::of_many_writers_one_writes(&open().await).await;
    records::records_are_listed_by_name_in_their_collection(&open().await).await;
    vault::a_record_is_written_by_its_generation_and_seen_by_its_owner(&open().await).await;
    vault::of_writes_at_the_same_moment_one_is_done(&open().await).await;
}

/// Runs the promises about frontiers, for engines that keep them.
pub async fn frontiers(open: impl AsyncFn() -> Store) {
    frontiers::the_best_addresses_come_first_and_each_once(&open().await).await;
    frontiers::a_successor_finds_what_was_taken_and_the_state(&open().await).await;
    frontiers::bounds_leave_out_what_is_too_much(&open().await).await;
    frontiers::duplicates_are_found_and_a_repeated_update_finds_none_of_itself(&open().await).await;
    frontiers::a_shorter_way_lowers_the_depth_until_the_page_is_finished(&open().await).await;
    frontiers::a_frontier_ends_with_its_run(&open().await).await;
}

async fn jobs_are_claimed_once_and_in_order(store: &Store) {
    for number in 1..=3 {
        store.jobs.enqueue(job(number)).await.unwrap();
    }
    for number in 1..=3 {
        let (lease, job) = store
            .jobs
            .claim(LONG, ClaimScope::Any)
            .await
            .unwrap()
            .expect("a job");
        assert_eq!(
            (&lease.run, job.summary.status, job.summary.attempt),
            (&id(number), RunStatus::Running, 1)
        );
    }
    assert!(
        store.jobs.claim(LONG, ClaimScope::Any).await.unwrap().is_none(),
        "nothing is left to claim"
    );
    assert_eq!(
        store.jobs.enqueue(job(1)).await,
        Err(Error::Taken {
            key: id(1).to_string()
        })
    );
}

async fn a_lease_that_ran_out_is_taken_over_and_fenced(store: &Store) {
    store.jobs.enqueue(job(1)).await.unwrap();
    let (old, _) = store
        .jobs
        .claim(Duration::ZERO, ClaimScope::Any)
        .await
        .unwrap()
        .expect("a job");
    store.log.append(&old, 0, entries(1, 2, false)).await.unwrap();
    let (new, job) = store
        .jobs
        .claim(LONG, ClaimScope::Any)
        .await
        .unwrap()
        .expect("the job again");
    assert!(
        new.epoch > old.epoch && job.summary.attempt == 2 && job.summary.last_seq == 2,
        "{new:?} {job:?}"
    );
    let fenced = Error::Fenced { run: id(1) };
    assert_eq!(store.jobs.renew(&old, LONG).await, Err(fenced.clone()));
    assert_eq!(store.jobs.release(&old).await, Err(fenced.clone()));
    assert_eq!(
        store.log.append(&old, 2, entries(3, 3, false)).await,
        Err(fenced.clone())
    );
    assert_eq!(
        store.log.finish(&old, 2, entries(3, 3, true), ending()).await,
        Err(fenced.clone())
    );
    assert_eq!(store.inbox.receive(&old, 0).await, Err(fenced));
    store.log.append(&new, 2, entries(3, 3, false)).await.unwrap();
}

async fn a_released_job_waits_again(store: &Store) {
    let lease = claimed(store, 1).await;
    store.jobs.release(&lease).await.unwrap();
    assert_eq!(
        store.jobs.summary(&id(1)).await.unwrap().map(|it| it.status),
        Some(RunStatus::Queued)
    );
    assert_eq!(
        store.log.append(&lease, 0, entries(1, 1, false)).await,
        Err(Error::Fenced { run: id(1) })
    );
    assert!(store.jobs.claim(LONG, ClaimScope::Any).await.unwrap().is_some());
}

async fn a_job_that_is_begun_is_not_claimed(store: &Store) {
    let (lease, job) = store.jobs.begin(job(1), LONG).await.unwrap();
    assert_eq!((job.summary.status, job.summary.attempt), (RunStatus::Running, 1));
    assert!(store.jobs.claim(LONG, ClaimScope::Any).await.unwrap().is_none());
    store.log.append(&lease, 0, entries(1, 1, false)).await.unwrap();
    store.jobs.begin(self::job(2), Duration::ZERO).await.unwrap();
    assert_eq!(
        store
            .jobs
            .claim(LONG, ClaimScope::Any)
            .await
            .unwrap()
            .map(|it| it.0.run),
        Some(id(2)),
        "its lease has run out"
    );
}

async fn the_same_key_makes_one_job(store: &Store) {
    let keyed = |number: u32, owner: &str| NewJob {
        request: "{}".into(),
        owner: Some(owner.into()),
        idempotency_key: Some("key".into()),
        ..job(number)
    };
    assert_eq!(store.jobs.enqueue(keyed(1, "a")).await, Ok(id(1)));
    assert_eq!(
        store.jobs.enqueue(keyed(2, "a")).await,
        Ok(id(1)),
        "the same request is the same job"
    );
    let traced = NewJob {
        request: r#"{"trace":"4bf9","trace_parent":"00-4bf9"}"#.into(),
        ..keyed(5, "a")
    };
    assert_eq!(
        store.jobs.enqueue(traced).await,
        Ok(id(1)),
        "a request of another trace is the same job"
    );
    let other = NewJob {
        request: "[]".into(),
        ..keyed(3, "a")
    };
    assert_eq!(
        store.jobs.enqueue(other).await,
        Err(Error::Taken { key: "key".into() })
    );
    assert_eq!(
        store.jobs.enqueue(keyed(4, "b")).await,
        Ok(id(4)),
        "another owner's key is another key"
    );
}

async fn the_same_key_at_the_same_moment_makes_one_job(store: &Store) {
    let tries = (1..=10).map(|number| {
        let jobs = store.jobs.clone();
        let new = NewJob {
            request: "{}".into(),
            idempotency_key: Some("key".into()),
            ..job(number)
        };
        tokio::spawn(async move { jobs.enqueue(new).await.unwrap() })
    });
    let mut made = Vec::new();
    for attempt in tries.collect::<Vec<_>>() {
        made.push(attempt.await.unwrap());
    }
    made.dedup();
    assert_eq!(made.len(), 1, "everybody got the same run");
    let all = JobQuery {
        owner: None,
        status: None,
        before: None,
        limit: 99,
    };
    let kept = store.jobs.list(all).await.unwrap();
    assert_eq!(kept.into_iter().map(|it| it.id).collect::<Vec<_>>(), made);
}

async fn a_full_queue_refuses(store: &Store) {
    let narrow = |number| NewJob {
        queue_limit: 2,
        ..job(number)
    };
    store.jobs.enqueue(narrow(1)).await.unwrap();
    store.jobs.enqueue(narrow(2)).await.unwrap();
    assert_eq!(
        store.jobs.enqueue(narrow(3)).await,
        Err(Error::QueueFull { limit: 2 })
    );
    store.jobs.claim(LONG, ClaimScope::Any).await.unwrap();
    assert_eq!(
        store.jobs.enqueue(narrow(3)).await,
        Ok(id(3)),
        "a running job does not wait"
    );
}

async fn a_cancellation_reaches_the_holder(store: &Store) {
    assert_eq!(
        store.jobs.cancel(&id(1), "x").await,
        Err(Error::UnknownRun(id(1)))
    );
    let lease = claimed(store, 1).await;
    assert_eq!(store.jobs.renew(&lease, LONG).await.unwrap().cancel, None);
    let mut subscribe = store.jobs.subscribe();
    subscribe.borrow_and_update();
    assert_eq!(store.jobs.cancel(&id(1), "enough").await, Ok(true));
    assert_eq!(store.jobs.cancel(&id(1), "more than enough").await, Ok(true));
    assert!(subscribe.has_changed().unwrap(), "the holder is woken");
    assert_eq!(
        store.jobs.renew(&lease, LONG).await.unwrap().cancel.as_deref(),
        Some("enough"),
        "the first reason counts"
    );
    store
        .log
        .finish(&lease, 0, entries(1, 1, true), ending())
        .await
        .unwrap();
    assert_eq!(store.jobs.cancel(&id(1), "late").await, Ok(false));
}

async fn a_cancellation_waits_for_the_next_holder(store: &Store) {
    store.jobs.enqueue(job(1)).await.unwrap();
    assert_eq!(store.jobs.cancel(&id(1), "nobody has it yet").await, Ok(true));
    let (_lost, first) = store
        .jobs
        .claim(Duration::ZERO, ClaimScope::Any)
        .await
        .unwrap()
        .expect("a job");
    assert_eq!(first.summary.cancel.as_deref(), Some("nobody has it yet"));
    let (lease, second) = store
        .jobs
        .claim(LONG, ClaimScope::Any)
        .await
        .unwrap()
        .expect("the job again");
    assert_eq!(
        second.summary.cancel.as_deref(),
        Some("nobody has it yet"),
        "a lost worker does not lose the cancellation"
    );
    let cancelled = RunEnd {
        status: RunStatus::Cancelled,
        ..ending()
    };
    store
        .log
        .finish(&lease, 0, entries(1, 1, true), cancelled)
        .await
        .unwrap();
    let job = store.jobs.summary(&id(1)).await.unwrap().expect("the job");
    assert_eq!((job.status, job.cancel.is_some()), (RunStatus::Cancelled, true));
}

async fn two_holders_of_one_place_do_not_both_write(store: &Store) {
    let lease = claimed(store, 1).await;
    for after in 0..20 {
        let both = [(); 2].map(|()| {
            let (log, lease) = (store.log.clone(), lease.clone());
            tokio::spawn(async move {
                log.append(&lease, after, entries(after + 1, after + 1, false))
                    .await
            })
        });
        let mut outcomes = Vec::new();
        for attempt in both {
            outcomes.push(attempt.await.unwrap());
        }
        let conflict = Err(Error::Conflict {
            run: id(1),
            expected: after,
            actual: after + 1,
        });
        assert!(
            outcomes.contains(&Ok(())) && outcomes.contains(&conflict),
            "{outcomes:?}"
        );
    }
    assert_eq!(
        store.log.read(&id(1), 0, 99).await.unwrap(),
        entries(1, 20, false)
    );
}

async fn a_log_is_dense_and_ends_once(store: &Store) {
    let lease = claimed(store, 1).await;
    let mut tail = store.log.tail(&id(1));
    tail.borrow_and_update();
    store.log.append(&lease, 0, entries(1, 3, false)).await.unwrap();
    assert!(tail.has_changed().unwrap(), "readers are woken");
    let conflict = Error::Conflict {
        run: id(1),
        expected: 2,
        actual: 3,
    };
    assert_eq!(
        store.log.append(&lease, 2, entries(3, 3, false)).await,
        Err(conflict)
    );
    store
        .log
        .finish(&lease, 3, entries(4, 5, true), ending())
        .await
        .unwrap();
    assert_eq!(store.log.read(&id(1), 0, 100).await.unwrap(), entries(1, 5, true));
    assert_eq!(store.log.read(&id(1), 2, 2).await.unwrap(), entries(3, 4, false));
    assert_eq!(store.log.read(&id(1), 5, 9).await.unwrap(), []);
    let fenced = Error::Fenced { run: id(1) };
    assert_eq!(
        store.log.append(&lease, 5, entries(6, 6, false)).await,
        Err(fenced.clone()),
        "nothing follows the end"
    );
    assert_eq!(
        store.log.finish(&lease, 5, entries(6, 6, true), ending()).await,
        Err(fenced),
        "there is one end"
    );
    let job = store.jobs.get(&id(1)).await.unwrap().expect("the job");
    assert_eq!(
        (
            job.summary.status,
            job.summary.last_seq,
            job.summary.finished_at.is_some()
        ),
        (RunStatus::Completed, 5, true)
    );
    assert_eq!(
        (job.result.as_deref(), job.error, job.usage.as_deref()),
        (Some("{}"), None, Some("{}"))
    );
    assert!(
        store
            .jobs
            .claim(Duration::ZERO, ClaimScope::Any)
            .await
            .unwrap()
            .is_none(),
        "a finished run is not claimed again"
    );
}

async fn a_disorderly_append_changes_nothing(store: &Store) {
    let lease = claimed(store, 1).await;
    let disorder = Err(Error::Disorder { run: id(1) });
    assert_eq!(
        store.log.append(&lease, 0, entries(2, 3, false)).await,
        disorder,
        "a gap at the start"
    );
    assert_eq!(
        store.log.append(&lease, 0, entries(1, 3, true)).await,
        disorder,
        "an end in an append"
    );
    assert_eq!(
        store.log.finish(&lease, 0, entries(1, 3, false), ending()).await,
        disorder,
        "a finish without end"
    );
    assert_eq!(
        store.log.finish(&lease, 0, Vec::new(), ending()).await,
        disorder,
        "a finish with nothing"
    );
    let mut twice = entries(1, 2, true);
    twice[0].terminal = true;
    assert_eq!(
        store.log.finish(&lease, 0, twice, ending()).await,
        disorder,
        "two ends"
    );
    assert_eq!(store.log.read(&id(1), 0, 9).await.unwrap(), []);
    assert_eq!(
        store.jobs.summary(&id(1)).await.unwrap().map(|it| it.last_seq),
        Some(0)
    );
}

async fn a_reader_sees_prefixes_only(store: &Store) {
    let lease = claimed(store, 1).await;
    let writer = async {
        for after in (0..200).step_by(4) {
            store
                .log
                .append(&lease, after, entries(after + 1, after + 4, false))
                .await
                .unwrap();
        }
    };
    let reader = async {
        let mut seen = 0;
        while seen < 200 {
            for entry in store.log.read(&id(1), seen, 7).await.unwrap() {
                assert_eq!(entry.seq, seen + 1, "no gap");
                seen += 1;
            }
            tokio::task::yield_now().await;
        }
    };
    tokio::join!(writer, reader);
}

async fn concurrent_writers_keep_one_order(store: &Store) {
    let mut leases = Vec::new();
    for number in 1..=8 {
        leases.push(claimed(store, number).await);
    }
    let tasks: Vec<_> = leases
        .into_iter()
        .map(|lease| {
            let log = store.log.clone();
            tokio::spawn(async move {
                for after in 0..25 {
                    log.append(&lease, after, entries(after + 1, after + 1, false))
                        .await
                        .unwrap();
                }
            })
        })
        .collect();
    for task in tasks {
        task.await.unwrap();
    }
    for number in 1..=8 {
        assert_eq!(
            store.log.read(&id(number), 0, 100).await.unwrap(),
            entries(1, 25, false)
        );
    }
}

async fn an_answer_reaches_the_successor(store: &Store) {
    assert_eq!(
        store.inbox.send(&id(1), "q1", "{}").await,
        Err(Error::UnknownRun(id(1)))
    );
    store.jobs.enqueue(job(1)).await.unwrap();
    let (old, _) = store
        .jobs
        .claim(Duration::ZERO, ClaimScope::Any)
        .await
        .unwrap()
        .expect("a job");
    assert_eq!(store.inbox.send(&id(1), "q1", "first").await, Ok(true));
    assert_eq!(
        store.inbox.send(&id(1), "q1", "again").await,
        Ok(false),
        "a question is answered once"
    );
    assert_eq!(store.inbox.send(&id(1), "q2", "second").await, Ok(true));
    let (new, _) = store
        .jobs
        .claim(LONG, ClaimScope::Any)
        .await
        .unwrap()
        .expect("the job again");
    let bodies = |commands: Vec<crate::inbox::InboxCommand>| {
        commands.into_iter().map(|it| it.body).collect::<Vec<_>>()
    };
    assert_eq!(
        bodies(store.inbox.receive(&new, 0).await.unwrap()),
        ["first", "second"]
    );
    assert_eq!(bodies(store.inbox.receive(&new, 1).await.unwrap()), ["second"]);
    assert!(store.inbox.receive(&old, 0).await.is_err());
    store
        .log
        .finish(&new, 0, entries(1, 1, true), ending())
        .await
        .unwrap();
    assert_eq!(
        store.inbox.send(&id(1), "q3", "late").await,
        Err(Error::Fenced { run: id(1) })
    );
}

async fn lists_are_newest_first_and_paged(store: &Store) {
    for number in 1..=5 {
        let owner = Some(if number % 2 == 0 { "even" } else { "odd" }.to_owned());
        store.jobs.enqueue(NewJob { owner, ..job(number) }).await.unwrap();
    }
    store.jobs.claim(LONG, ClaimScope::Any).await.unwrap();
    let list = async |owner: Option<&str>, status, before, limit| {
        let query = JobQuery {
            owner: owner.map(str::to_owned),
            status,
            before,
            limit,
        };
        store
            .jobs
            .list(query)
            .await
            .unwrap()
            .into_iter()
            .map(|it| it.id)
            .collect::<Vec<_>>()
    };
    assert_eq!(list(None, None, None, 2).await, [id(5), id(4)]);
    assert_eq!(list(None, None, Some(id(4)), 9).await, [id(3), id(2), id(1)]);
    assert_eq!(list(Some("even"), None, None, 9).await, [id(4), id(2)]);
    assert_eq!(list(None, Some(RunStatus::Running), None, 9).await, [id(1)]);
    let nowhere = JobQuery {
        owner: None,
        status: None,
        before: Some(id(9)),
        limit: 1,
    };
    assert_eq!(store.jobs.list(nowhere).await, Err(Error::UnknownRun(id(9))));
}
