//! Queries and patterns: what they give, and which limit ends them.

use std::time::Instant;

use sandbox::regex::{Match, Pattern};
use sandbox::{Error, jq};
use serde_json::{Value, json};
use testkit::sandbox::sandbox;

fn pattern(text: &str) -> Pattern {
    Pattern {
        text: text.to_owned(),
        flags: String::new(),
    }
}

#[tokio::test]
async fn a_query_reads_data_and_nothing_else() {
    let sandbox = sandbox();
    let data = json!({"a": [{"n": "x", "p": 3.5}, {"n": "y", "p": 2}], "t": "zażółć", "input": 1});
    for (query, results) in [
        (".a | map(.p) | add", vec![json!(5.5)]),
        ("[.a[] | select(.p > 3) | .n]", vec![json!(["x"])]),
        (".a | sort_by(.p) | .[].n", vec![json!("y"), json!("x")]),
        (r#""\(.t): \(.a | length)""#, vec![json!("zażółć: 2")]),
        (r#".a | map(.n) | join(", range ")"#, vec![json!("x, range y")]),
        ("reduce .a[] as $it (0; . + $it.p)", vec![json!(5.5)]),
        ("[limit(3; range(10))]", vec![json!([0, 1, 2])]),
        ("def twice(f): f | f; 3 | twice(. * 2)", vec![json!(12)]),
        ("[.. | numbers]", vec![json!([3.5, 2, 1])]),
        (".input", vec![json!(1)]),
        ("now > 0", vec![json!(true)]),
    ] {
        assert_eq!(
            jq::query(&sandbox, query, &data, 100).await.unwrap(),
            results,
            "{query}"
        );
    }
    for query in [
        "env",
        "$ENV",
        "input",
        "[inputs]",
        "input_filename",
        "debug",
        "stderr",
        "halt",
        "halt_error",
        "import \"a\" as a; 1",
        "include \"/etc/passwd\"; 1",
        "$__prog_args",
    ] {
        let error = jq::query(&sandbox, query, &data, 100).await.unwrap_err();
        assert!(matches!(error, Error::Rejected(_)), "{query}: {error}");
    }
    assert_eq!(jq::query(&sandbox, ".a[]", &data, 1).await.unwrap().len(), 1);
    assert_eq!(sandbox.idle_children(), 1, "one child did all of it");
}

#[tokio::test]
async fn a_pattern_finds_splits_replaces_and_tests() {
    let sandbox = sandbox();
    let price = pattern(r"(\d+),(\d+)?");
    let text = "ż 4,50 and 7, end";
    let first = Match {
        position: 2,
        text: "4,50".into(),
        groups: vec![Some("4".into()), Some("50".into())],
    };
    assert_eq!(price.find(&sandbox, text).await.unwrap(), Some(first));
    let all = price.find_all(&sandbox, text, 9).await.unwrap();
    assert_eq!(all[1].groups, [Some("7".into()), None]);
    assert_eq!(
        price.split(&sandbox, text, 9).await.unwrap(),
        ["ż ", " and ", " end"]
    );
    let replaced = price.replace(&sandbox, text, "$2.$1".into()).await.unwrap();
    assert_eq!(replaced, ("ż 50.4 and .7 end".into(), 2));
    assert_eq!(price.test(&sandbox, &["1,2", "x"]).await.unwrap(), [true, false]);
    assert!(matches!(
        pattern("(").find(&sandbox, "").await,
        Err(Error::Rejected(_))
    ));
}

#[tokio::test]
async fn each_limit_has_its_own_error() {
    let sandbox = sandbox();
    let query = async |query: &str| jq::query(&sandbox, query, &Value::Null, 10).await.unwrap_err();
    assert_eq!(query("\"x\" * 9000000000000000000").await, Error::Memory);
    assert_eq!(query("\"x\" | until(false; . + .)").await, Error::Memory);
    assert_eq!(query("last(range(1e12))").await, Error::Timeout(jq::TIMEOUT));
    let deep = "def f($n): if $n == 0 then 0 else [f($n - 1)] end; f(10000000)";
    assert!(matches!(query(deep).await, Error::Depth | Error::Memory));
    assert!(matches!(query(&"[".repeat(5000)).await, Error::Rejected(_)));
    assert!(matches!(query(&" ".repeat(9000)).await, Error::TooLarge { .. }));
    assert!(matches!(query("\"x\" * 5000000").await, Error::TooLarge { .. }));
    let (slow, text) = (pattern(".*[^A-Za-z]|[a-z]"), "a".repeat(1 << 20));
    let slow = slow.replace(&sandbox, &text, "b".into());
    assert_eq!(slow.await, Err(Error::Timeout(sandbox::regex::TIMEOUT)));
    assert_eq!(
        jq::query(&sandbox, ". == null", &Value::Null, 1).await.unwrap(),
        [json!(true)]
    );
}

#[tokio::test]
#[ignore = "needs a quiet machine: prints what a query costs"]
async fn what_a_query_costs() {
    let sandbox = sandbox();
    let data = json!({"rows": (0..100).map(|n| json!({"n": n, "name": "kettle"})).collect::<Vec<_>>()});
    let begun = Instant::now();
    jq::query(&sandbox, ".rows | length", &data, 10).await.unwrap();
    println!("cold child: {:?}", begun.elapsed());
    let mut warm = Vec::new();
    for _ in 0..150 {
        let begun = Instant::now();
        jq::query(&sandbox, "[.rows[] | select(.n > 50)] | length", &data, 10)
            .await
            .unwrap();
        warm.push(begun.elapsed());
    }
    warm.sort();
    println!("warm child: median {:?}, 95 % {:?}", warm[75], warm[142]);
}
