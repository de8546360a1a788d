//! Promises about what is kept: who sees a request, and what may be removed.

use std::time::Duration;

use bytes::Bytes;
use jiff::Timestamp;

use super::fixtures::{LONG, claimed, ending, entries, id, job};
use crate::blobs::Digest;
use crate::jobs::{ClaimScope, NewJob};
use crate::retention::Removal;
use crate::{Error, Store};

pub(super) async fn readers_see_the_shown_request_and_the_worker_the_whole_one(store: &Store) {
    let secret = |number, key: &str| NewJob {
        request: "{\"pin\":\"4815\"}".into(),
        shown_request: Some("{}".into()),
        idempotency_key: Some(key.into()),
        ..job(number)
    };
    store.jobs.enqueue(secret(1, "key")).await.unwrap();
    let shown = async || store.jobs.get(&id(1)).await.unwrap().expect("the job").request;
    assert_eq!(shown().await, "{}");
    let (lease, leased) = store
        .jobs
        .claim(LONG, ClaimScope::Any)
        .await
        .unwrap()
        .expect("the job");
    assert_eq!(leased.request, Ok(secret(1, "key").request));
    let finish = store.log.finish(&lease, 0, entries(1, 1, true), ending());
    finish.await.unwrap();
    assert_eq!(shown().await, "{}");
    assert_eq!(
        store.jobs.enqueue(secret(2, "key")).await,
        Ok(id(1)),
        "the key still names it"
    );
    let other = NewJob {
        request: "{\"pin\":\"4816\"}".into(),
        ..secret(3, "key")
    };
    assert_eq!(
        store.jobs.enqueue(other).await,
        Err(Error::Taken { key: "key".into() })
    );
}

pub(super) async fn only_what_has_ended_is_removed(store: &Store) {
    let open = claimed(store, 1).await;
    store.log.append(&open, 0, entries(1, 2, false)).await.unwrap();
    for number in 2..=3 {
        let lease = claimed(store, number).await;
        store
            .log
            .finish(&lease, 0, entries(1, 2, true), ending())
            .await
            .unwrap();
        tokio::time::sleep(Duration::from_millis(3)).await;
    }
    let retention = &store.retention;
    let ended = async |removal, limit| retention.ended(removal, None, limit).await.unwrap();
    assert_eq!(
        ended(Removal::Run, 9).await,
        [id(2), id(3)],
        "the one that ended first comes first"
    );
    assert_eq!(ended(Removal::Run, 1).await, [id(2)]);
    let long_ago = Some(Timestamp::UNIX_EPOCH);
    assert_eq!(retention.ended(Removal::Run, long_ago, 9).await, Ok(Vec::new()));
    assert_eq!(
        retention.remove(&id(1), Removal::Run).await,
        Ok(false),
        "it goes on"
    );
    assert_eq!(retention.remove(&id(1), Removal::Events).await, Ok(false));
    assert_eq!(retention.remove(&id(9), Removal::Run).await, Ok(false));
    assert_eq!(retention.remove(&id(2), Removal::Events).await, Ok(true));
    assert_eq!(ended(Removal::Events, 9).await, [id(3)]);
    let left = store.jobs.summary(&id(2)).await.unwrap().expect("the job");
    assert_eq!((left.last_seq, left.expired_seq), (2, 2));
    assert_eq!(store.log.read(&id(2), 0, 9).await, Ok(Vec::new()));
    assert_eq!(retention.remove(&id(2), Removal::Run).await, Ok(true));
    assert_eq!(store.jobs.get(&id(2)).await, Ok(None));
    assert_eq!(store.log.read(&id(1), 0, 9).await, Ok(entries(1, 2, false)));
    assert!(retention.space().await.unwrap().used > 0);
}

pub(super) async fn blobs_come_back_as_they_went(store: &Store) {
    let bytes = Bytes::from(vec![7; 100_000]);
    let digest = store.blobs.put(bytes.clone()).await.unwrap();
    assert_eq!(digest, Digest::of(&bytes));
    assert_eq!(Digest::parse(&digest.to_string()), Some(digest));
    assert_eq!(
        store.blobs.put(bytes.clone()).await,
        Ok(digest),
        "the same bytes are one blob"
    );
    assert_eq!(store.blobs.get(&digest).await, Ok(Some(bytes)));
    assert_eq!(store.blobs.get(&Digest::of(b"nothing")).await, Ok(None));
}

pub(super) async fn blobs_of_a_run_are_seen_under_it_alone_and_go_with_its_events_or_with_it(store: &Store) {
    let bytes = Bytes::from(vec![7; 100_000]);
    let unknown = store.blobs.put_of_run(&id(9), bytes.clone()).await;
    assert_eq!(unknown, Err(Error::UnknownRun(id(9))));
    let mut names = Vec::new();
    for number in 1..=3 {
        let lease = claimed(store, number).await;
        store.log.append(&lease, 0, entries(1, 1, false)).await.unwrap();
        let name = store.blobs.put_of_run(&id(number), bytes.clone()).await.unwrap();
        let again = store.blobs.put_of_run(&id(number), bytes.clone()).await.unwrap();
        assert_ne!(name, again);
        names.push((id(number), name));
        if number < 3 {
            let finish = store.log.finish(&lease, 1, entries(2, 2, true), ending());
            finish.await.unwrap();
        }
    }
    let kept = async || {
        let mut kept = Vec::new();
        for (run, name) in &names {
            kept.push(store.blobs.get_of_run(run, name).await.unwrap().is_some());
        }
        kept
    };
    assert_eq!(kept().await, [true, true, true]);
    let first = store.blobs.get_of_run(&names[0].0, &names[0].1).await;
    assert_eq!(first, Ok(Some(bytes.clone())));
    assert_eq!(store.blobs.get_of_run(&id(2), &names[0].1).await, Ok(None));
    for name in ["", "*", "no.such", "0"] {
        assert_eq!(store.blobs.get_of_run(&id(1), name).await, Ok(None), "{name:?}");
    }
    assert_eq!(store.retention.remove(&id(1), Removal::Events).await, Ok(true));
    assert_eq!(kept().await, [false, true, true]);
    assert!(store.jobs.get(&id(1)).await.unwrap().is_some());
    assert_eq!(store.retention.remove(&id(2), Removal::Run).await, Ok(true));
    assert_eq!(store.retention.remove(&id(3), Removal::Run).await, Ok(false));
    assert_eq!(kept().await, [false, false, true]);
    assert_eq!(store.blobs.expire_of_runs(Timestamp::UNIX_EPOCH).await, Ok(0));
    let later = Timestamp::now() + Duration::from_secs(60);
    assert_eq!(store.blobs.expire_of_runs(later).await, Ok(2));
    assert_eq!(kept().await, [false, false, false]);
}
