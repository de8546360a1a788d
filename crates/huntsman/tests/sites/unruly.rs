//! Sites and machines that do not do as they should: everything is there, redirects in circles, many hosts, a full disk.

use std::path::Path;
use std::process::{Command, Output};

use serde_json::Value;
use tempfile::TempDir;
use testkit::{SiteReply, TestSite};

use super::{beside, page, stderr};

/// The part of a result that tells how its page was read: `ok`, `duplicate`, or the code of its error.
fn outcome(result: &Value) -> &str {
    let code = result["error"]["code"].as_str();
    code.or(result["status"].as_str()).unwrap_or_default()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_site_that_answers_everything_with_200_is_read_to_its_end() {
    let text: String = (0..40)
        .map(|at| format!("Welcome, stranger number {at}. "))
        .collect();
    // One page for every address, robots.txt and the site maps among them.
    let same = format!(
        "<title>Shop</title><main><h1>Shop</h1><p>{text}</p></main><a href='next/'>on</a> <a href='/a'>a</a>"
    );
    let site = TestSite::start(move |_| SiteReply::html(same.clone())).await;
    let folder = TempDir::new().unwrap();
    let (results, output) = beside(&folder, &["crawl", &site.url("/")]).await;
    assert!(output.status.success(), "{}", stderr(&output));
    let mut outcomes: Vec<&str> = results.iter().map(outcome).collect();
    outcomes.sort_unstable();
    assert_eq!(outcomes, ["duplicate", "duplicate", "ok"], "{results:?}");
    let (links, output) = beside(&folder, &["map", &site.url("/"), "--json"]).await;
    assert!(output.status.success(), "{}", stderr(&output));
    assert_eq!(links.len(), 3, "{links:?}");
    // A page for every address, each with two below it.
    let site = TestSite::start(|asked| {
        let path = asked.path.trim_end_matches('/');
        page(&asked.path, &[format!("{path}/left"), format!("{path}/right")])
    })
    .await;
    let (results, output) = beside(
        &folder,
        &["crawl", &site.url("/start"), "--no-sitemap", "--delay", "0"],
    )
    .await;
    assert!(output.status.success(), "{}", stderr(&output));
    assert!((10..=200).contains(&results.len()), "{} pages", results.len());
    assert!(stderr(&output).contains("look endless"), "{}", stderr(&output));
}

#[tokio::test(flavor = "multi_thread")]
async fn redirects_in_circles_fail_their_page_alone() {
    let site = TestSite::start(|asked| match asked.path.as_str() {
        "/a" => SiteReply::redirect(302, "/b"),
        "/b" => SiteReply::redirect(301, "/a"),
        "/self" => SiteReply::redirect(302, "/self"),
        "/" => page("start", &["/a", "/self", "/grow/1", "/good"].map(str::to_owned)),
        "/good" => page("good", &[]),
        path => match path
            .strip_prefix("/grow/")
            .and_then(|number| number.parse::<u64>().ok())
        {
            Some(number) => SiteReply::redirect(302, &format!("/grow/{}", number + 1)),
            None => SiteReply::html("gone").status(404),
        },
    })
    .await;
    let folder = TempDir::new().unwrap();
    let (results, output) = beside(
        &folder,
        &["crawl", &site.url("/"), "--no-sitemap", "--delay", "0"],
    )
    .await;
    let mut told: Vec<(String, &str)> = results
        .iter()
        .map(|result| {
            (
                result["url"].as_str().unwrap().replace(&site.url(""), ""),
                outcome(result),
            )
        })
        .collect();
    told.sort_unstable();
    let failed = "TOO_MANY_REDIRECTS";
    let wanted = [
        ("/", "ok"),
        ("/a", failed),
        ("/good", "ok"),
        ("/grow/1", failed),
        ("/self", failed),
    ];
    assert_eq!(
        told,
        wanted.map(|(path, outcome)| (path.to_owned(), outcome)),
        "{}",
        stderr(&output)
    );
    assert!(site.asked().len() < 200, "{} requests", site.asked().len());
    let (results, output) = beside(&folder, &["crawl", &site.url("/self")]).await;
    assert_eq!(results.iter().map(outcome).collect::<Vec<_>>(), [failed]);
    assert_eq!(output.status.code(), Some(1), "{}", stderr(&output));
    let (links, output) = beside(&folder, &["map", &site.url("/self"), "--json"]).await;
    assert!(
        links.is_empty() && output.status.code() == Some(1),
        "{}",
        stderr(&output)
    );
    assert!(stderr(&output).contains("in a circle"), "{}", stderr(&output));
}

#[tokio::test(flavor = "multi_thread")]
async fn ten_thousand_hosts_are_left_alone_by_a_crawl_of_one() {
    let site = TestSite::start(|asked| match asked.path.as_str() {
        "/" => page(
            "start",
            &["/good".to_owned()]
                .into_iter()
                .chain((0..5_000).map(|at| format!("http://h{at}.example/")))
                .collect::<Vec<_>>(),
        ),
        "/good" => page(
            "good",
            &(5_000..10_000)
                .map(|at| format!("http://h{at}.example/"))
                .collect::<Vec<_>>(),
        ),
        _ => SiteReply::html("gone").status(404),
    })
    .await;
    let folder = TempDir::new().unwrap();
    let words = [
        "crawl",
        &site.url("/"),
        "--subdomains",
        "--no-sitemap",
        "--delay",
        "0",
    ];
    let (results, output) = beside(&folder, &words).await;
    let outcomes: Vec<&str> = results.iter().map(outcome).collect();
    assert_eq!(outcomes, ["ok", "ok"], "{}", stderr(&output));
}

/// Runs a crawl that can write no more than so many kilobytes to any file, as on a disk without room.
fn limited(folder: &Path, kilobytes: u32, store: &str, words: &str) -> Output {
    let line = format!(
        "trap '' XFSZ; ulimit -f {kilobytes}; exec {} {words} --engine http -q",
        env!("CARGO_BIN_EXE_huntsman")
    );
    Command::new("bash")
        .args(["-c", &line])
        .env("HUNTSMAN_DATA_DIR", folder.join("data"))
        .env("HUNTSMAN_STORE", store)
        .current_dir(folder)
        .output()
        .unwrap()
}

#[tokio::test(flavor = "multi_thread")]
async fn what_was_written_before_the_disk_was_full_is_whole() {
    let site = TestSite::start(|asked| super::crawled_site(asked, 300)).await;
    let crawl = format!(
        "crawl {} --include '/p/*' --no-sitemap --delay 0",
        site.url("/p/0")
    );
    let work = move || {
        let folder = TempDir::new().unwrap();
        let output = limited(folder.path(), 400, "sqlite", &crawl);
        assert_eq!(output.status.code(), Some(1), "{}", stderr(&output));
        assert!(
            stderr(&output).contains("runs resume run_"),
            "{}",
            stderr(&output)
        );
        let text = String::from_utf8(output.stdout).unwrap();
        assert!(text.lines().count() > 5, "{text}");
        assert!(
            text.lines()
                .all(|line| serde_json::from_str::<Value>(line).is_ok())
        );
        for (format, file, end) in [
            ("jsonl", "out.jsonl", "\n"),
            ("csv", "out.csv", "\n"),
            ("warc", "out.warc", "\r\n\r\n"),
        ] {
            let words = format!("{crawl} --format {format} -o {file}");
            let output = limited(folder.path(), 60, "memory", &words);
            assert_eq!(output.status.code(), Some(1), "{format}: {}", stderr(&output));
            let text = std::fs::read_to_string(folder.path().join(file)).unwrap();
            let limit = 60 << 10;
            assert!((20_000..=limit).contains(&text.len()), "{format}: {}", text.len());
            assert!(text.ends_with(end), "{format}");
        }
    };
    tokio::task::spawn_blocking(work).await.unwrap();
}
