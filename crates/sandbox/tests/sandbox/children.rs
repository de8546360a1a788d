//! The life of a child: its protections, its reuse and its end.

use std::time::Duration;

use sandbox::{Sandbox, jq};
use serde_json::Value;
use testkit::sandbox::sandbox;

async fn query(sandbox: &Sandbox, query: &str) -> Result<Vec<Value>, sandbox::Error> {
    jq::query(sandbox, query, &Value::Null, 10).await
}

#[cfg(target_os = "linux")]
#[tokio::test]
async fn a_child_has_no_environment_and_its_limits_stand() {
    let sandbox = sandbox();
    let protections = sandbox.check().await.unwrap();
    let about =
        |file: &str| std::fs::read_to_string(format!("/proc/{}/{file}", protections.process)).unwrap();
    assert_eq!(about("environ"), "");
    let (limits, status) = (about("limits"), about("status"));
    let hard = |name: &str| {
        let line = limits.lines().find(|line| line.starts_with(name)).unwrap();
        line.split_whitespace().rev().nth(1).unwrap().to_owned()
    };
    assert_eq!(hard("Max data size"), sandbox::MAX_MEMORY.to_string());
    for name in ["Max file size", "Max core file size", "Max open files"] {
        assert_eq!(hard(name), "0", "{name}");
    }
    assert!(status.contains("NoNewPrivs:\t1"), "{status}");
    let lacks_filter = protections
        .missing
        .iter()
        .any(|what| what.contains("system calls"));
    assert_eq!(status.contains("Seccomp:\t2"), !lacks_filter, "{status}");
    drop(sandbox);
    // The child ends with the last clone.
    let path = format!("/proc/{}", protections.process);
    let is_gone = || !std::path::Path::new(&path).exists();
    for _ in 0..100 {
        if is_gone() {
            return;
        }
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    panic!("the child outlives its sandbox");
}

#[tokio::test]
async fn a_dropped_task_ends_with_its_child_and_leaves_its_slot() {
    let sandbox = sandbox();
    for _ in 0..6 {
        let endless = query(&sandbox, "last(range(1e12))");
        assert!(
            tokio::time::timeout(Duration::from_millis(300), endless)
                .await
                .is_err()
        );
    }
    assert_eq!(query(&sandbox, "1 + 1").await.unwrap(), [2]);
    assert_eq!(sandbox.idle_children(), 1);
}

#[tokio::test]
async fn a_child_that_broke_is_replaced() {
    let sandbox = sandbox();
    assert_eq!(query(&sandbox, "1").await.unwrap(), [1]);
    assert!(query(&sandbox, "\"x\" * 9000000000000000000").await.is_err());
    assert_eq!(sandbox.idle_children(), 0);
    assert_eq!(query(&sandbox, "2").await.unwrap(), [2]);
    assert!(query(&sandbox, "error").await.is_err());
    assert_eq!(
        sandbox.idle_children(),
        1,
        "a query that failed by itself harms nothing"
    );
}

#[tokio::test]
async fn more_tasks_than_children_wait_for_their_turn() {
    let sandbox = sandbox();
    let tasks = (0..20).map(|_| query(&sandbox, "[range(1000)] | length"));
    for result in futures_util::future::join_all(tasks).await {
        assert_eq!(result.unwrap(), [1000]);
    }
    assert!(sandbox.idle_children() <= 4);
}
