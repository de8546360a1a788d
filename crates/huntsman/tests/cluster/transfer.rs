//! `huntsman cluster export` and `import`: a cluster under another prefix has the same runs, and what is not whole says so.

use std::fs;
use std::io::Write as _;

use super::*;

/// Runs `huntsman cluster ...` under a prefix; exit code and everything it said.
fn cluster(setup: &Setup<'_>, prefix: &str, arguments: &[&str], input: &[u8]) -> (Option<i32>, String) {
    let mut child = setup
        .command("looking")
        .env("HUNTSMAN_NATS_PREFIX", prefix)
        .arg("cluster")
        .args(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    // A command that refuses early does not read on.
    let _ = child.stdin.take().unwrap().write_all(input);
    let output = child.wait_with_output().unwrap();
    let text = [output.stdout, output.stderr].concat();
    (output.status.code(), String::from_utf8(text).unwrap())
}

fn assert_says(said: (Option<i32>, String), code: i32, texts: &[&str]) {
    let fits = said.0 == Some(code) && texts.iter().all(|text| said.1.contains(text));
    assert!(fits, "{said:?} and not {code}: {texts:?}");
}

/// A file is refused before anything is stored; of what comes over stdin the items before the fault are.
fn damaged_files_are_refused(setup: &Setup<'_>, whole: &str, path: &Path) {
    let lines: Vec<&str> = whole.lines().collect();
    let (last, file) = (lines.len(), path.to_str().unwrap());
    let name = format!("nothing was imported: {file}, ");
    let newer = whole.replacen("\"version\":1", "\"version\":2", 1);
    let broken = whole.replacen("\n{", "\n", 1);
    for (text, line) in [
        (&newer, "line 1: the file has version 2"),
        (&broken, "line 2: it is damaged or cut off"),
        (
            &lines[..last - 1].join("\n"),
            &format!("line {last}: the file ends here"),
        ),
    ] {
        fs::write(path, text).unwrap();
        assert_says(cluster(setup, "third", &["import", file], b""), 1, &[&name, line]);
    }
    assert_says(
        cluster(setup, "third", &["verify"], b""),
        0,
        &["0 runs, 0 events"],
    );
    let cut_off = lines[..last - 1].join("\n");
    let expected = ["2 runs with", "the rest was not imported: -, line", "was cut off"];
    assert_says(
        cluster(setup, "third", &["import", "-"], cut_off.as_bytes()),
        1,
        &expected,
    );
    assert_says(
        cluster(setup, "third", &["verify"], b""),
        0,
        &["2 runs,", "0 faults"],
    );
    let missing = path.with_extension("missing");
    let expected = ["missing cannot be read"];
    assert_says(
        cluster(setup, "third", &["import", missing.to_str().unwrap()], b""),
        2,
        &expected,
    );
}

#[tokio::test(flavor = "multi_thread")]
#[ignore = "needs a NATS server"]
async fn an_export_makes_the_same_runs_in_another_cluster_and_a_damaged_one_is_refused() {
    let site = TestSite::start(|_| SiteReply::html(PAGE)).await;
    let (host, page) = (site.address().to_string(), site.url("/page"));
    tokio::task::spawn_blocking(move || {
        let folder = TempDir::new().unwrap();
        let nats = NatsServer::start("");
        let setup = Setup {
            store: nats.url(),
            replicas: "1",
            site: &host,
            folder: folder.path(),
        };
        let server = setup.server("one");
        let worker = setup.worker("worker");
        let ids = [submit(&server, &page), submit(&server, &page)];
        let seen = |server: &ServerProcess| {
            ids.each_ref().map(|id| {
                followed(server, id);
                (events(server, id), run(server, id))
            })
        };
        let before = seen(&server);
        worker.stop();
        let waiting = submit(&server, &page);

        let path = folder.path().join("cluster.jsonl");
        let file = path.to_str().unwrap();
        let exported = ["2 runs with ", "1 runs go on and are not in it, 0 are damaged"];
        assert_says(cluster(&setup, "hm", &["export", file], b""), 0, &exported);
        let text = fs::read_to_string(&path).unwrap();
        assert!(text.starts_with("{\"huntsman_cluster\":{\"version\":1,") && !text.contains(&waiting));
        assert!(!path.with_extension("jsonl.part").exists());
        // A disk that is full, and a reader that goes away, leave no export, and the one that is there stays.
        let full = ["the export to /dev/full is not whole", "disk is full"];
        assert_says(cluster(&setup, "hm", &["export", "/dev/full"], b""), 1, &full);
        assert_says(
            cluster(&setup, "hm", &["export", "/nowhere/file"], b""),
            2,
            &["cannot be written"],
        );
        let stdout = setup
            .command("looking")
            .args(["cluster", "export", "-"])
            .output()
            .unwrap();
        let is_same = |one: &str, other: &str| one.lines().skip(1).eq(other.lines().skip(1));
        assert!(
            is_same(std::str::from_utf8(&stdout.stdout).unwrap(), &text),
            "all but its time is the same"
        );

        let imported = ["2 runs with ", "there already: 0 runs"];
        assert_says(cluster(&setup, "other", &["import", file], b""), 0, &imported);
        assert_says(
            cluster(&setup, "other", &["verify"], b""),
            0,
            &["2 runs, ", " 0 faults"],
        );
        let again = ["0 runs with 0 events", "there already: 2 runs"];
        assert_says(
            cluster(&setup, "other", &["import", "-"], text.as_bytes()),
            0,
            &again,
        );
        let mut other = setup.command("two");
        other
            .env("HUNTSMAN_NATS_PREFIX", "other")
            .env("HUNTSMAN_WORKERS", "0");
        let other = ServerProcess::start(other);
        assert_eq!(before, seen(&other));
        damaged_files_are_refused(&setup, &text, &path);
    })
    .await
    .unwrap();
}
