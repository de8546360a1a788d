//! Tenants at the command line, beside a running server.

use std::io::Write as _;
use std::process::Stdio;

use serde_json::{Value, json};
use tempfile::TempDir;
use testkit::{TestSite, serving};

use crate::server::{Server, huntsman};

#[tokio::test(flavor = "multi_thread")]
async fn keys_made_at_the_command_line_open_a_running_server_and_usage_is_counted() {
    let site = TestSite::of_pages(&[("/", "<h1>Kettle</h1><p>It boils water for tea.</p>")]).await;
    let folder = TempDir::new().unwrap();
    let server = Server::over(folder.path(), &[]);
    let run = |line: &str| {
        let done = huntsman(folder.path()).args(line.split(' ')).output().unwrap();
        let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
        (done.status.code(), text(done.stdout), text(done.stderr))
    };
    assert_eq!(run("tenant create acme --weight 2 --limit running=3").0, Some(0));
    let (code, _, said) = run("tenant create other --limit runing=3");
    assert!(code == Some(2) && said.contains("--limit runing"), "{said}");
    assert_eq!(run("tenant create other --weight 0").0, Some(2));
    for (line, named) in [
        ("tenant set acme --policy profiles=perhaps", "--policy profiles"),
        (
            "tenant set acme --policy forbidden_tools=html.selct",
            "policy.forbidden_tools",
        ),
        (
            "tenant set acme --policy allowed_hosts=a/b/c",
            "policy.allowed_hosts",
        ),
        ("tenant set acme --policy anything=1", "--policy anything"),
    ] {
        let (code, _, said) = run(line);
        assert!(code == Some(2) && said.contains(named), "{line}: {said}");
    }
    let (code, shown, _) = run("tenant set acme --policy forbidden_hosts=192.0.2.0/24 --policy memory=off");
    let shown: Value = serde_json::from_str(&shown).unwrap();
    let rules = json!({"forbidden_hosts": ["192.0.2.0/24"], "memory": false});
    assert_eq!((code, &shown["policy"]), (Some(0), &rules));
    let mut set = huntsman(folder.path());
    let set = set
        .args(["tenant", "set", "acme", "--model-key", "openai"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped());
    let mut set = set.spawn().unwrap();
    set.stdin
        .take()
        .unwrap()
        .write_all(b"sk-canary-of-acme\n")
        .unwrap();
    let set = set.wait_with_output().unwrap();
    let text = String::from_utf8(set.stdout).unwrap();
    assert!(
        set.status.success() && text.contains("\"openai\"") && !text.contains("canary"),
        "{text}"
    );
    let (code, text, said) = run("key create --tenant acme");
    let key = text.trim();
    assert!(
        code == Some(0) && key.starts_with("hmk_") && said.contains("only time"),
        "{said}"
    );
    let ask = |method: &str, path: &str, key: &str, body: &str| {
        let headers = format!("authorization: Bearer {key}\r\nprefer: respond-async\r\n");
        serving::ask(&server.address, method, path, &headers, body)
    };
    let body = json!({"url": site.url("/")}).to_string();
    // A running server learns of the first key within a second.
    while ask("GET", "/v1/runs", "wrong", "").status != 401 {
        std::thread::sleep(std::time::Duration::from_millis(50));
    }
    assert_eq!(ask("POST", "/v1/extract/markdown", key, &body).status, 200);
    let forbidden = ask(
        "POST",
        "/v1/extract/markdown",
        key,
        r#"{"url": "http://192.0.2.7/"}"#,
    );
    assert!(forbidden.body.contains("url: ") && forbidden.body.contains("policy of this tenant"));
    let rows = || {
        let (code, text, _) = run("usage --tenant acme --json");
        assert_eq!(code, Some(0));
        let usage: Value = serde_json::from_str(&text).unwrap();
        usage["usage"].as_array().unwrap().clone()
    };
    while rows().is_empty() {
        std::thread::sleep(std::time::Duration::from_millis(50));
    }
    assert_eq!(
        (&rows()[0]["kind"], &rows()[0]["pages"]),
        (&json!("markdown"), &json!(1))
    );
    let id = &key[4..12];
    let (_, listed, _) = run("key list");
    assert!(listed.contains(id) && !listed.contains(key), "{listed}");
    assert_eq!(run(&format!("key revoke {id}")).0, Some(0));
    while ask("GET", "/v1/runs", key, "").status != 401 {
        std::thread::sleep(std::time::Duration::from_millis(50));
    }
    let (_, audit, _) = run("audit");
    let actions: Vec<String> = audit
        .lines()
        .map(|line| {
            serde_json::from_str::<Value>(line).unwrap()["action"]
                .as_str()
                .unwrap()
                .to_owned()
        })
        .collect();
    assert_eq!(
        actions,
        [
            "tenant.create",
            "tenant.change",
            "tenant.change",
            "key.create",
            "key.revoke"
        ]
    );
    let (_, export, _) = run("tenant export acme");
    assert!(export.lines().count() >= 3 && !export.contains(key), "{export}");
    assert!(!export.contains("canary"), "{export}");
    let in_the_clear = std::fs::read_dir(folder.path())
        .unwrap()
        .filter_map(Result::ok)
        .filter(|file| {
            let bytes = std::fs::read(file.path()).unwrap_or_default();
            bytes.windows(b"sk-canary".len()).any(|part| part == b"sk-canary")
        });
    assert_eq!(
        in_the_clear.count(),
        0,
        "the key of a provider is encrypted at rest"
    );
    let (_, said, _) = run("tenant delete acme");
    assert_eq!(said.trim(), "deleted");
    assert_eq!(run("tenant show acme").0, Some(1));
}
