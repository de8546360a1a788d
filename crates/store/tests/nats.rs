//! Engine `nats` against real servers: the promises of the ports, and what is said where it cannot work.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    reason = "helpers of tests fail by panicking"
)]

#[path = "nats/archive.rs"]
mod archive;
#[path = "nats/secured.rs"]
mod secured;

use std::path::Path;
use std::time::Duration;

use store::conformance::{self, entries, id};
use store::engines::nats::{Nats, NatsAddress, NatsSettings};
use store::jobs::{ClaimScope, JobQuery, NewJob};
use store::log::RunEnd;
use store::{Error, Store};
use testkit::NatsServer;
use wire::run::{RunKind, RunStatus};

const KEY: &str = "000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f";

fn settings(urls: &[String], prefix: &str, replicas: u8) -> NatsSettings {
    NatsSettings {
        servers: urls.iter().map(|url| NatsAddress::parse(url).unwrap()).collect(),
        credentials: None,
        user: None,
        authorities: None,
        certificate: None,
        prefix: prefix.into(),
        replicas,
        role: "test".into(),
    }
}

async fn connect(settings: &NatsSettings) -> Result<Nats, Error> {
    Nats::connect(settings, Path::new("/nonexistent"), &[KEY]).await
}

async fn store(server: &NatsServer, prefix: &str) -> Store {
    connect(&settings(&[server.url()], prefix, 1))
        .await
        .unwrap()
        .store()
}

fn job(number: u32) -> NewJob {
    NewJob {
        id: id(number),
        kind: RunKind::Scrape,
        request: "{}".into(),
        shown_request: None,
        owner: None,
        idempotency_key: None,
        queue_limit: 100,
        admission: store::jobs::Admission::default(),
    }
}

fn ending() -> RunEnd {
    RunEnd {
        status: RunStatus::Completed,
        result: Some("{}".into()),
        error: None,
        usage: None,
        metered: Vec::new(),
    }
}

#[tokio::test(flavor = "multi_thread")]
#[ignore = "needs a NATS server"]
async fn nats_keeps_the_promises() {
    let server = NatsServer::start("");
    let opened = std::cell::Cell::new(0);
    conformance::all(async || {
        opened.set(opened.get() + 1);
        store(&server, &format!("t{}", opened.get())).await
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
#[ignore = "needs a NATS server"]
async fn what_one_process_does_the_others_see() {
    let server = NatsServer::start("");
    let (one, other) = (store(&server, "hm").await, store(&server, "hm").await);
    let mut jobs = other.jobs.subscribe();
    jobs.borrow_and_update();
    one.jobs.enqueue(job(1)).await.unwrap();
    jobs.changed().await.unwrap();
    let long = Duration::from_secs(60);
    let (lease, _) = loop {
        if let Some(claimed) = other.jobs.claim(long, ClaimScope::Any).await.unwrap() {
            break claimed;
        }
        jobs.changed().await.unwrap();
    };
    let mut tail = one.log.tail(&id(1));
    other.log.append(&lease, 0, entries(1, 2, false)).await.unwrap();
    while *tail.borrow_and_update() < 2 {
        tail.changed().await.unwrap();
    }
    assert_eq!(one.log.read(&id(1), 0, 9).await.unwrap(), entries(1, 2, false));
    jobs.borrow_and_update();
    one.jobs.cancel(&id(1), "enough").await.unwrap();
    jobs.changed().await.unwrap();
    assert_eq!(
        other.jobs.renew(&lease, long).await.unwrap().cancel.as_deref(),
        Some("enough")
    );
    let mut inbox = other.inbox.subscribe();
    inbox.borrow_and_update();
    assert!(one.inbox.send(&id(1), "q1", "{\"answer\":1}").await.unwrap());
    inbox.changed().await.unwrap();
    assert_eq!(
        other.inbox.receive(&lease, 0).await.unwrap()[0].body,
        "{\"answer\":1}"
    );
    // Larger than a message may be.
    let mut large = entries(3, 3, true);
    large[0].data = format!("{{\"text\":\"{}\"}}", "x".repeat(3 << 20));
    other
        .log
        .finish(&lease, 2, large.clone(), ending())
        .await
        .unwrap();
    assert_eq!(one.log.read(&id(1), 2, 9).await.unwrap(), large);
    let running = JobQuery {
        owner: None,
        status: Some(RunStatus::Running),
        before: None,
        limit: 9,
    };
    assert_eq!(one.jobs.list(running).await.unwrap(), []);
    assert_eq!(one.jobs.get(&id(1)).await.unwrap().unwrap().summary.last_seq, 3);
    let verified = connect(&settings(&[server.url()], "hm", 1))
        .await
        .unwrap()
        .verify()
        .await
        .unwrap();
    assert_eq!(
        (verified.runs, verified.events, verified.faults),
        (1, 3, Vec::new())
    );
}

#[tokio::test(flavor = "multi_thread")]
#[ignore = "needs a NATS server"]
async fn large_events_leave_the_servers_with_the_events_of_their_run() {
    use store::retention::Removal;

    let server = NatsServer::start("");
    let store = store(&server, "hm").await;
    let client = async_nats::connect(server.url()).await.unwrap();
    let bodies = async || {
        let query = "{\"subjects_filter\":\"hm.blob.*.*.0\"}";
        let answer = client
            .request("$JS.API.STREAM.INFO.hm_blobs", query.into())
            .await
            .unwrap();
        let info: serde_json::Value = serde_json::from_slice(&answer.payload).unwrap();
        info["state"]["subjects"]
            .as_object()
            .map_or(0, serde_json::Map::len)
    };
    // More than a message holds.
    let large = "x".repeat(300 << 10);
    for (number, result, kept) in [
        (1, "{}".to_owned(), 0),
        (2, format!("{{\"text\":\"{large}\"}}"), 1),
    ] {
        store.jobs.enqueue(job(number)).await.unwrap();
        let long = Duration::from_secs(60);
        let (lease, _) = store.jobs.claim(long, ClaimScope::Any).await.unwrap().unwrap();
        let mut events = entries(1, 2, true);
        events[0].data = format!("{{\"text\":\"{large}\"}}");
        let (last, first) = (events.pop().unwrap(), events);
        store.log.append(&lease, 0, first).await.unwrap();
        let ending = RunEnd {
            result: Some(result.clone()),
            ..ending()
        };
        store.log.finish(&lease, 1, vec![last], ending).await.unwrap();
        assert_eq!(bodies().await, 1 + kept);
        assert_eq!(
            store.retention.remove(&id(number), Removal::Events).await,
            Ok(true)
        );
        assert_eq!(bodies().await, kept, "no text of a page is left");
        let left = store.jobs.get(&id(number)).await.unwrap().unwrap();
        assert_eq!(left.result, Some(result));
    }
}

#[tokio::test(flavor = "multi_thread")]
#[ignore = "needs a NATS server"]
async fn what_is_stored_outlives_the_server() {
    let mut server = NatsServer::start("");
    let store = store(&server, "hm").await;
    store.jobs.enqueue(job(1)).await.unwrap();
    let (lease, _) = store
        .jobs
        .claim(Duration::ZERO, ClaimScope::Any)
        .await
        .unwrap()
        .unwrap();
    store.log.append(&lease, 0, entries(1, 3, false)).await.unwrap();
    server.kill();
    let refused = store.jobs.enqueue(job(2)).await;
    assert!(matches!(refused, Err(Error::Engine { .. })), "{refused:?}");
    // A worker's write waits for the server.
    let write = tokio::spawn({
        let (log, lease) = (store.log.clone(), lease.clone());
        async move { log.append(&lease, 3, entries(4, 4, false)).await }
    });
    tokio::time::sleep(Duration::from_millis(500)).await;
    server.run();
    write.await.unwrap().unwrap();
    assert_eq!(store.log.read(&id(1), 0, 9).await.unwrap(), entries(1, 4, false));
}

async fn refused(settings: &NatsSettings) -> String {
    match connect(settings).await {
        Err(Error::Cluster { reason }) => reason,
        Err(other) => panic!("{other}"),
        Ok(_) => panic!("it was taken"),
    }
}

#[tokio::test(flavor = "multi_thread")]
#[ignore = "needs a NATS server"]
async fn what_cannot_work_is_refused_with_what_to_change() {
    let plain = NatsServer::start_without_jetstream();
    let reason = refused(&settings(&[plain.url()], "hm", 1)).await;
    assert!(reason.contains("JetStream is off"), "{reason}");

    let locked = NatsServer::start("authorization { user: someone, password: \"s3cret-word\" }");
    let mut wrong = settings(&[locked.url()], "hm", 1);
    wrong.user = Some(("someone".into(), "an0ther-word".into()));
    let reason = refused(&wrong).await;
    assert!(
        reason.contains("refuse the credentials") && !reason.contains("word\""),
        "{reason}"
    );
    wrong.user = Some(("someone".into(), "s3cret-word".into()));
    connect(&wrong).await.unwrap();
    let mut three = wrong.clone();
    (three.prefix, three.replicas) = ("three".into(), 3);
    let reason = refused(&three).await;
    assert!(
        reason.contains("cannot keep 3 replicas") && reason.contains("HUNTSMAN_NATS_REPLICAS=1"),
        "{reason}"
    );
    three.prefix = wrong.prefix.clone();
    let reason = refused(&three).await;
    assert!(reason.contains("has 1 replicas"), "{reason}");

    let nowhere = settings(&["nats://127.0.0.1:9".to_owned()], "hm", 1);
    let reason = refused(&nowhere).await;
    assert!(
        reason.contains("no NATS server answers at nats://127.0.0.1:9"),
        "{reason}"
    );
}

#[tokio::test(flavor = "multi_thread")]
#[ignore = "needs a NATS server"]
async fn a_stream_of_somebody_else_is_left_alone() {
    let server = NatsServer::start("");
    let client = async_nats::connect(server.url()).await.unwrap();
    for (name, subjects, prefix) in [
        ("hm_open", "other", "hm"),
        ("theirs", "huntsman.index.>", "huntsman"),
    ] {
        let config = format!("{{\"name\":\"{name}\",\"subjects\":[\"{subjects}\"]}}");
        client
            .request(format!("$JS.API.STREAM.CREATE.{name}"), config.into())
            .await
            .unwrap();
        let reason = refused(&settings(&[server.url()], prefix, 1)).await;
        assert!(reason.contains("choose another HUNTSMAN_NATS_PREFIX"), "{reason}");
    }
}
