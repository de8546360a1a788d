//! Tenants at the command line, beside a running server.

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
    assert_eq!(actions, ["tenant.create", "key.create", "key.revoke"]);
    let (_, export, _) = run("tenant export acme");
    assert!(export.lines().count() >= 3 && !export.contains(key), "{export}");
    let (_, said, _) = run("tenant delete acme");
    assert_eq!(said.trim(), "deleted");
    assert_eq!(run("tenant show acme").0, Some(1));
}
