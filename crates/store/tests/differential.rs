//! Random sequences of operations give the same answers on every engine.
//!
//! `HUNTSMAN_DIFFERENTIAL_CASES` sets how many sequences (24 for engines without a server, 6 for NATS).

#![allow(clippy::unwrap_used, reason = "helpers of tests fail by panicking")]

mod player;

use std::path::Path;
use std::time::Duration;

use player::{Operation, Player, operation};
use proptest::collection::vec;
use proptest::test_runner::{Config, TestCaseError, TestRunner};
use store::Store;
use store::engines::memory::InMemoryStore;
use store::engines::nats::{Nats, NatsAddress, NatsSettings};
use store::engines::sqlite::{ProcessRole, Sqlite};
use testkit::NatsServer;

/// Operations of one sequence.
const LENGTH: usize = 60;

fn cases(usual: u32) -> u32 {
    std::env::var("HUNTSMAN_DIFFERENTIAL_CASES").map_or(usual, |text| text.parse().unwrap())
}

/// Plays sequences on memory and on another engine, of which `open` gives an empty one with what it stands on.
fn compare<Ground>(cases: u32, mut open: impl FnMut(&tokio::runtime::Runtime) -> (Store, Ground)) {
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .worker_threads(2)
        .enable_all()
        .build()
        .unwrap();
    let config = Config {
        cases,
        failure_persistence: None,
        max_shrink_iters: 200,
        ..Config::default()
    };
    let open = std::cell::RefCell::new(&mut open);
    let outcome = TestRunner::new(config).run(&vec(operation(), 1..LENGTH), |operations: Vec<Operation>| {
        let (other, _ground) = open.borrow_mut()(&runtime);
        runtime.block_on(async {
            let (mut memory, mut other) = (Player::new(InMemoryStore::open()), Player::new(other));
            for (number, operation) in operations.iter().enumerate() {
                let (wanted, given) = (memory.play(operation).await, other.play(operation).await);
                if wanted != given {
                    let text =
                        format!("operation {number}, {operation:?}:\n memory {wanted}\n other  {given}");
                    return Err(TestCaseError::fail(text));
                }
            }
            Ok(())
        })
    });
    assert!(outcome.is_ok(), "{}", outcome.unwrap_err());
}

#[test]
fn sqlite_answers_as_memory_does() {
    compare(cases(24), |_| {
        let folder = tempfile::TempDir::new().unwrap();
        let store = Sqlite::open(folder.path(), ProcessRole::Guest, &[]).unwrap();
        (store, folder)
    });
}

#[test]
#[ignore = "needs a NATS server"]
fn nats_answers_as_memory_does() {
    let server = NatsServer::start("");
    let mut opened = 0;
    compare(cases(6), |runtime| {
        opened += 1;
        let settings = NatsSettings {
            servers: vec![NatsAddress::parse(&server.url()).unwrap()],
            credentials: None,
            user: None,
            authorities: None,
            certificate: None,
            prefix: format!("d{opened}"),
            replicas: 1,
            role: "test".into(),
        };
        let key = "07".repeat(32);
        let keys = [key.as_str()];
        let connecting = Nats::connect(&settings, Path::new("/nonexistent"), &keys);
        let connected =
            runtime.block_on(async { tokio::time::timeout(Duration::from_secs(20), connecting).await });
        (connected.unwrap().unwrap().store(), ())
    });
}
