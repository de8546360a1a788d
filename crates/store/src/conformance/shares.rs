//! Promises about owners: fair shares, limits, usage.

use jiff::Timestamp;
use jiff::civil::Date;
use jiff::tz::TimeZone;

use super::fixtures::{LONG, ending, entries, id, job};
use crate::jobs::{Admission, ClaimScope, Lease, NewJob};
use crate::log::RunEnd;
use crate::owners::{MeteredUsage, UsageAmounts, UsageKey, UsageQuery, UsageTotal};
use crate::retention::Removal;
use crate::shares::OwnerShare;
use crate::{Error, Store};

fn job_of(owner: &str, number: u32) -> NewJob {
    NewJob {
        owner: Some(owner.to_owned()),
        ..job(number)
    }
}

/// The next job and its owner.
async fn claim(store: &Store) -> Option<(Lease, String)> {
    let claimed = store.jobs.claim(LONG, ClaimScope::Any).await.unwrap();
    claimed.map(|(lease, job)| (lease, job.summary.owner.unwrap_or_default()))
}

async fn finish(store: &Store, lease: &Lease, ending: RunEnd) {
    let last = entries(1, 1, true);
    store.log.finish(lease, 0, last, ending).await.unwrap();
}

async fn share(store: &Store, owner: &str, weight: u32, running: Option<u32>) {
    let share = OwnerShare { weight, running };
    store.owners.set_share(owner, share).await.unwrap();
}

/// Three owners keep 1, 10 and 1,000 jobs in the queue; while all have work, each gets the part of its weight, whether
/// runs end or not.
pub(super) async fn owners_share_by_weight_however_many_jobs_wait(store: &Store) {
    let owners = [("small", 1, 1), ("middle", 10, 1), ("large", 1000, 2)];
    let mut numbers = 1..;
    let mut put = |owner: &str| {
        let new = NewJob {
            queue_limit: usize::MAX,
            ..job_of(owner, numbers.next().unwrap())
        };
        let jobs = store.jobs.clone();
        tokio::spawn(async move { jobs.enqueue(new).await.unwrap() })
    };
    for (owner, waiting, weight) in owners {
        share(store, owner, weight, None).await;
        let all: Vec<_> = (0..waiting).map(|_| put(owner)).collect();
        for one in all {
            one.await.unwrap();
        }
    }
    let mut served = [0; 3];
    for turn in 0..120 {
        let (lease, owner) = claim(store).await.expect("jobs wait");
        let at = owners.iter().position(|it| it.0 == owner).unwrap();
        served[at] += 1;
        if turn % 2 == 0 {
            finish(store, &lease, ending()).await;
        }
        put(&owner).await.unwrap();
    }
    for (served, fair) in served.iter().zip([30_i32, 30, 60]) {
        let off: i32 = served - fair;
        assert!(off.abs() * 20 <= fair, "{served} of {fair}");
    }
}

pub(super) async fn a_newcomer_is_served_within_two_claims_and_idle_shares_go_to_others(store: &Store) {
    for number in 1..=50 {
        store.jobs.enqueue(job_of("flood", number)).await.unwrap();
    }
    for _ in 0..20 {
        assert_eq!(claim(store).await.expect("a job").1, "flood", "nobody else waits");
    }
    store.jobs.enqueue(job_of("newcomer", 51)).await.unwrap();
    let next = [claim(store).await, claim(store).await].map(|claimed| claimed.expect("a job").1);
    assert!(next.contains(&"newcomer".to_owned()), "{next:?}");
}

pub(super) async fn of_one_owner_the_urgent_come_first_then_the_old(store: &Store) {
    for (number, priority) in [(1, 3), (2, 7), (3, 0), (4, 3)] {
        let admission = Admission {
            priority,
            ..Admission::default()
        };
        let new = NewJob {
            admission,
            ..job_of("one", number)
        };
        store.jobs.enqueue(new).await.unwrap();
    }
    for number in [3, 1, 4, 2] {
        assert_eq!(claim(store).await.expect("a job").0.run, id(number));
    }
}

pub(super) async fn no_owner_has_more_running_than_its_share_allows(store: &Store) {
    for number in 1..=3 {
        let share = OwnerShare {
            weight: 1,
            running: Some(1),
        };
        let admission = Admission {
            share: Some(share),
            ..Admission::default()
        };
        let new = NewJob {
            admission,
            ..job_of("bounded", number)
        };
        store.jobs.enqueue(new).await.unwrap();
    }
    let (first, _) = claim(store).await.expect("a job");
    assert_eq!(claim(store).await, None, "one runs already");
    let mut changes = store.jobs.subscribe();
    changes.borrow_and_update();
    finish(store, &first, ending()).await;
    assert!(changes.has_changed().unwrap(), "workers are woken");
    let (second, _) = claim(store).await.expect("the next one");
    store.jobs.release(&second).await.unwrap();
    assert_eq!(claim(store).await.expect("the same one").0.run, second.run);
    share(store, "bounded", 1, Some(2)).await;
    assert_eq!(
        claim(store).await.expect("the third one").0.run,
        id(3),
        "the share holds at once"
    );
}

/// Of many that come at once, exactly as many get in as there is room for.
pub(super) async fn a_full_queue_of_an_owner_refuses_exactly_and_nobody_else(store: &Store) {
    let new = |owner, number| {
        let admission = Admission {
            owner_queue_limit: Some(10),
            ..Admission::default()
        };
        NewJob {
            admission,
            idempotency_key: (number == 1).then(|| "first".to_owned()),
            ..job_of(owner, number)
        }
    };
    store.jobs.enqueue(new("one", 1)).await.unwrap();
    let tries = (2..=64).map(|number| {
        let (jobs, new) = (store.jobs.clone(), new("one", number));
        tokio::spawn(async move { jobs.enqueue(new).await })
    });
    let mut accepted = 1;
    for attempt in tries.collect::<Vec<_>>() {
        match attempt.await.unwrap() {
            Ok(_) => accepted += 1,
            Err(error) => assert_eq!(error, Error::OwnerQueueFull { limit: 10 }),
        }
    }
    assert_eq!(accepted, 10);
    assert_eq!(
        store.jobs.enqueue(new("one", 1)).await,
        Ok(id(1)),
        "it was accepted before"
    );
    store.jobs.enqueue(new("other", 65)).await.unwrap();
}

/// The usage of a run, as it is added up.
fn used(tokens: u64) -> Vec<MeteredUsage> {
    let run = UsageAmounts {
        runs: 1,
        pages: 2,
        ..UsageAmounts::default()
    };
    let model = UsageAmounts {
        model_calls: 1,
        input_tokens: tokens,
        ..UsageAmounts::default()
    };
    vec![
        MeteredUsage {
            model: String::new(),
            amounts: run,
        },
        MeteredUsage {
            model: "m".into(),
            amounts: model,
        },
    ]
}

pub(super) async fn usage_is_added_once_with_the_end_and_outlives_the_run(store: &Store) {
    let today = || Timestamp::now().to_zoned(TimeZone::UTC).date();
    let before = today();
    for number in 1..=3 {
        let admission = Admission {
            key: (number < 3).then(|| "key1".to_owned()),
            ..Admission::default()
        };
        let new = NewJob {
            admission,
            ..job_of("one", number)
        };
        store.jobs.enqueue(new).await.unwrap();
        let (lease, _) = claim(store).await.expect("a job");
        let ending = || RunEnd {
            metered: used(u64::from(number)),
            ..ending()
        };
        finish(store, &lease, ending()).await;
        let again = store.log.finish(&lease, 1, entries(2, 2, true), ending()).await;
        assert_eq!(again, Err(Error::Fenced { run: id(number) }));
    }
    assert!(store.owners.stored_bytes("one").await.unwrap() > 0);
    assert_eq!(store.owners.stored_bytes("two").await.unwrap(), 0);
    assert_eq!(store.owners.forget("one").await, Ok(false), "its runs are kept");
    for number in 1..=3 {
        assert!(store.retention.remove(&id(number), Removal::Run).await.unwrap());
    }
    assert_eq!(store.owners.stored_bytes("one").await.unwrap(), 0);
    let query = |owner: &str, from: Date| UsageQuery {
        owner: Some(owner.to_owned()),
        from,
        to: today(),
    };
    let totals = store.owners.usage(query("one", before)).await.unwrap();
    let sum = |key: &str, model: &str| {
        let mut sum = UsageAmounts::default();
        let wanted = totals
            .iter()
            .filter(|it| it.key.key == key && it.key.model == model);
        wanted.for_each(|it| sum.add(&it.amounts));
        (sum.runs, sum.pages, sum.model_calls, sum.input_tokens)
    };
    assert_eq!((sum("key1", ""), sum("key1", "m")), ((2, 4, 0, 0), (0, 0, 2, 3)));
    assert_eq!((sum("", ""), sum("", "m")), ((1, 2, 0, 0), (0, 0, 1, 3)));
    assert!(
        totals
            .iter()
            .all(|it| it.key.kind == "scrape" && it.key.owner == "one")
    );
    let other = UsageTotal {
        key: UsageKey {
            owner: "two".into(),
            day: before,
            key: "k".into(),
            kind: "extract".into(),
            model: String::new(),
        },
        amounts: used(1)[0].amounts,
    };
    store.owners.add_usage(vec![other.clone()]).await.unwrap();
    assert_eq!(store.owners.usage(query("two", before)).await, Ok(vec![other]));
    let tomorrow = before.tomorrow().unwrap().tomorrow().unwrap();
    assert_eq!(store.owners.usage(query("one", tomorrow)).await, Ok(vec![]));
    assert_eq!(store.owners.forget("one").await, Ok(true));
    assert_eq!(store.owners.usage(query("one", before)).await, Ok(vec![]));
}
