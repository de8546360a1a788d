//! Whole sites as users read them: map, crawl and batch against generated sites on loopback.

// A test that cannot set up its scene has to fail, loudly and at once.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

#[path = "sites/patterns.rs"]
mod patterns;
#[path = "sites/tables.rs"]
mod tables;
#[path = "sites/unruly.rs"]
mod unruly;

use std::collections::{BTreeMap, BTreeSet};
use std::io::Write as _;
use std::path::Path;
use std::process::{Command, Output};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use flate2::Compression;
use flate2::write::GzEncoder;
use serde_json::{Value, json};
use tempfile::TempDir;
use testkit::{ServerProcess, SiteReply, SiteRequest, TestSite};

fn huntsman(folder: &Path, words: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_huntsman"))
        .args(words)
        .args(["--engine", "http"])
        .env("HUNTSMAN_DATA_DIR", folder.join("data"))
        .current_dir(folder)
        .output()
        .unwrap()
}

/// Runs on a thread of its own, since the site that it asks lives on the test's thread.
async fn beside(folder: &TempDir, words: &[&str]) -> (Vec<Value>, Output) {
    let folder = folder.path().to_owned();
    let words: Vec<String> = words.iter().map(|word| (*word).to_owned()).collect();
    let run = move || huntsman(&folder, &words.iter().map(String::as_str).collect::<Vec<_>>());
    let output = tokio::task::spawn_blocking(run).await.unwrap();
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    let lines = text
        .lines()
        .filter_map(|line| serde_json::from_str(line).ok())
        .collect();
    (lines, output)
}

fn stderr(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

/// A page with a text of its own and these links.
fn page(name: &str, links: &[String]) -> SiteReply {
    let text: String = (0..30)
        .map(|at| format!("{name} says word{at} of {name}. "))
        .collect();
    let links: String = links
        .iter()
        .map(|to| format!("<a href='{to}'>about {to}</a> "))
        .collect();
    SiteReply::html(format!(
        "<html><head><title>{name}</title></head><body><main><h1>{name}</h1><p>{text}</p></main><nav>{links}</nav></body></html>"
    ))
}

fn gzip(text: &str) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::best());
    encoder.write_all(text.as_bytes()).unwrap();
    encoder.finish().unwrap()
}

fn urlset(addresses: impl Iterator<Item = String>) -> String {
    let entries: String = addresses
        .map(|url| format!("<url><loc>{url}</loc><lastmod>2026-01-02</lastmod></url>"))
        .collect();
    format!("<?xml version='1.0'?><urlset>{entries}</urlset>")
}

/// Site maps that are nested, packed, broken, a bomb, and an index of themselves.
fn mapped_site(asked: &SiteRequest) -> SiteReply {
    let host = asked.headers["host"].to_str().unwrap();
    let at = |path: &str| format!("http://{host}{path}");
    let xml = |text: String| SiteReply::bytes("application/xml", text);
    let index = |paths: &[&str]| {
        let entries: String = paths
            .iter()
            .map(|path| format!("<sitemap><loc>{}</loc></sitemap>", at(path)))
            .collect();
        xml(format!("<sitemapindex>{entries}</sitemapindex>"))
    };
    match asked.path.as_str() {
        "/robots.txt" => SiteReply::bytes("text/plain", format!("Sitemap: {}\n", at("/index.xml"))),
        "/index.xml" => index(&[
            "/packed.xml.gz",
            "/deeper.xml",
            "/broken.xml",
            "/bomb.xml.gz",
            "/gone.xml",
            "/index.xml",
        ]),
        "/deeper.xml" => index(&["/pages.xml", "/deeper.xml"]),
        "/packed.xml.gz" => SiteReply::bytes(
            "application/gzip",
            gzip(&urlset((0..400).map(|number| at(&format!("/packed/{number}"))))),
        ),
        "/pages.xml" => xml(urlset((0..400).map(|number| at(&format!("/page/{number}"))))),
        "/broken.xml" => {
            let whole = urlset((0..100).map(|number| at(&format!("/broken/{number}"))));
            xml(whole.get(..whole.len() - 40).unwrap().to_owned())
        }
        "/bomb.xml.gz" => SiteReply::bytes("application/gzip", gzip(&" ".repeat(100 << 20))),
        "/feed" => xml(format!(
            "<rss><channel><item><title>News of tea</title><link>{}</link></item></channel></rss>",
            at("/news/1")
        )),
        "/" => SiteReply::html(
            "<html><head><title>Start</title><link rel='alternate' type='application/rss+xml' href='/feed'></head><body>\
             <a href='/page/1?utm_source=x'>One</a> <a href='/linked'>Linked</a> <a href='/p.png'>Picture</a> \
             <a href='http://other.example/'>Other</a></body></html>",
        ),
        "/linked" => page("linked", &["/deep".to_owned()]),
        _ => SiteReply::html("Not found").status(404),
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_map_has_what_site_maps_feeds_and_links_say_and_survives_hostile_ones() {
    let site = TestSite::start(mapped_site).await;
    let folder = TempDir::new().unwrap();
    let (links, output) = beside(&folder, &["map", &site.url("/"), "--depth", "2", "--json"]).await;
    assert!(output.status.success(), "{}", stderr(&output));
    let found: BTreeMap<String, &Value> = links
        .iter()
        .map(|link| (link["url"].as_str().unwrap().replace(&site.url(""), ""), link))
        .collect();
    let listed = |name: &str, count: usize| (0..count).map(|it| format!("/{name}/{it}")).collect::<Vec<_>>();
    // The last entry of the broken file is cut behind its address.
    let mut wanted: BTreeSet<String> = [listed("packed", 400), listed("page", 400), listed("broken", 100)]
        .into_iter()
        .flatten()
        .collect();
    wanted.extend(["/", "/linked", "/deep", "/news/1"].map(str::to_owned));
    let all: BTreeSet<String> = found.keys().cloned().collect();
    assert_eq!(all, wanted);
    assert_eq!(
        found["/page/1"]["sources"],
        json!(["page", "sitemap"]),
        "{}",
        found["/page/1"]
    );
    assert_eq!(found["/page/1"]["last_modified"], "2026-01-02");
    assert_eq!(found["/news/1"]["sources"], json!(["feed"]));
    assert_eq!(found["/deep"]["sources"], json!(["walk"]));
    let notes = stderr(&output);
    for told in [
        "/broken.xml ends before",
        "/gone.xml was not read",
        "/bomb.xml.gz was not read",
    ] {
        assert!(notes.contains(told), "{told}: {notes}");
    }
    let words = ["map", &site.url("/"), "--search", "tea", "--json"];
    let (links, _) = beside(&folder, &words).await;
    assert_eq!(links.len(), 1);
    assert_eq!(links[0]["title"], "News of tea");
}

/// A site of `pages` pages in a tree, with copies, traps, a redirect, a refusal and a forbidden part.
fn crawled_site(asked: &SiteRequest, pages: usize) -> SiteReply {
    let path = asked.path.as_str();
    let number = |prefix: &str| {
        path.strip_prefix(prefix)
            .and_then(|rest| rest.parse::<usize>().ok())
    };
    if path == "/robots.txt" {
        return SiteReply::bytes("text/plain", "User-agent: *\nDisallow: /private\n");
    }
    if let Some(at) = number("/p/").filter(|at| *at < pages) {
        let below = (at * 4 + 1..=at * 4 + 4)
            .filter(|at| *at < pages)
            .map(|at| format!("/p/{at}"));
        let mut links: Vec<String> = below.collect();
        links.push(format!("/p/{at}?utm_source=mail"));
        if at == 0 {
            let more = [
                "/private/x",
                "/moved",
                "/copy?of=0",
                "/cal/2026/01",
                "/deeper/",
                "/gone",
                "http://other.example/",
            ];
            links.extend(more.map(str::to_owned));
        }
        return page(&format!("page {at}"), &links);
    }
    if path.starts_with("/copy") {
        let copies: Vec<String> = (0..5).map(|at| format!("{path}{at}")).collect();
        return page(
            "page 1",
            &[
                vec!["/p/5", "/p/6", "/p/7", "/p/8"]
                    .into_iter()
                    .map(str::to_owned)
                    .collect(),
                copies,
            ]
            .concat(),
        );
    }
    if let Some(rest) = path.strip_prefix("/cal/") {
        // Each page of the calendar leads to many others, without end.
        let at = rest.replace('/', "").parse::<usize>().unwrap_or_default();
        let next =
            (1..40).map(|step| format!("/cal/{}/{}", 2000 + (at * 7 + step) % 190, 1 + (at + step) % 12));
        return page(&format!("month {rest}"), &next.collect::<Vec<_>>());
    }
    if path.starts_with("/deeper/") {
        return page(path, &["deeper/".to_owned()]);
    }
    match path {
        "/moved" => SiteReply::redirect(302, "/p/2"),
        _ => SiteReply::html("Not found").status(404),
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_crawl_reads_each_page_once_and_leaves_out_copies_traps_and_what_is_forbidden() {
    let site = TestSite::start(|asked| crawled_site(asked, 60)).await;
    let folder = TempDir::new().unwrap();
    let words = [
        "crawl",
        &site.url("/p/0"),
        "--exclude",
        "/cal/*",
        "-o",
        "out.jsonl",
    ];
    let (_, output) = beside(&folder, &words).await;
    assert!(output.status.success(), "{}", stderr(&output));
    let text = std::fs::read_to_string(folder.path().join("out.jsonl")).unwrap();
    let results: Vec<Value> = text
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    let mut by_path: BTreeMap<String, Value> = BTreeMap::new();
    for result in results {
        let path = result["url"].as_str().unwrap().replace(&site.url(""), "");
        assert!(
            by_path.insert(path.clone(), result).is_none(),
            "{path} was told twice"
        );
    }
    for at in 0..60 {
        // A page that a redirect led to before its turn came is there under the address that was asked for.
        let result = by_path
            .get(&format!("/p/{at}"))
            .or_else(|| by_path.get("/moved"))
            .unwrap();
        assert!(
            matches!(result["status"].as_str(), Some("ok" | "duplicate")),
            "{result}"
        );
    }
    assert_eq!(by_path["/private/x"]["error"]["code"], "ROBOTS_DENIED");
    assert_eq!(by_path["/gone"]["status"], "failed");
    let copies: Vec<&str> = by_path
        .keys()
        .map(String::as_str)
        .filter(|path| path.starts_with("/deeper/"))
        .collect();
    assert!(copies.len() <= 4, "{copies:?}");
    assert!(
        !by_path
            .keys()
            .any(|path| path.contains("other.example") || path.starts_with("/cal"))
    );
    let asked = site.asked();
    let count = |path: &str| asked.iter().filter(|it| it.path == path).count();
    assert!(
        (0..60).all(|at| at == 2 || count(&format!("/p/{at}")) == 1),
        "each page is fetched once"
    );
    assert_eq!(count("/private/x"), 0);
    assert!(stderr(&output).contains("look endless"), "{}", stderr(&output));
    // Markdown files mirror the site.
    let words = [
        "crawl",
        &site.url("/p/0"),
        "--include",
        "/p/*",
        "--limit",
        "5",
        "--format",
        "markdown",
        "-o",
        "md",
        "-q",
    ];
    let (_, output) = beside(&folder, &words).await;
    assert!(output.status.success(), "{}", stderr(&output));
    let host = site.address().to_string().replace(':', "_");
    let read = std::fs::read_to_string(folder.path().join("md").join(host).join("p/0.md")).unwrap();
    assert!(
        read.starts_with("---\nurl: \"http://") && read.contains("word7 of page 0"),
        "{read}"
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn an_endless_calendar_is_bounded_and_bad_crawls_are_refused() {
    let site = TestSite::start(|asked| crawled_site(asked, 1)).await;
    let folder = TempDir::new().unwrap();
    let words = [
        "crawl",
        &site.url("/cal/2026/01"),
        "--include",
        "/cal/*",
        "--limit",
        "1500",
        "--format",
        "csv",
    ];
    let (_, output) = beside(&folder, &words).await;
    let lines = String::from_utf8_lossy(&output.stdout).lines().count();
    assert!((450..=503).contains(&lines), "{lines} lines: {}", stderr(&output));
    assert!(stderr(&output).contains("calendars"), "{}", stderr(&output));
    let (results, output) = beside(&folder, &["crawl", &site.url("/private/start")]).await;
    assert!(
        results.is_empty() && output.status.code() == Some(1),
        "{}",
        stderr(&output)
    );
    assert!(stderr(&output).contains("ROBOTS_DENIED"), "{}", stderr(&output));
    for (flags, told) in [
        (["--limit", "0"], "limit"),
        (["--include", "re:("], "include[0]"),
        (["--delay", "601"], "--delay"),
        (["--format", "markdown"], "-o"),
    ] {
        let url = site.url("/p/0");
        let (_, output) = beside(&folder, &["crawl", &url, flags[0], flags[1]]).await;
        let text = stderr(&output);
        assert!(
            matches!(output.status.code(), Some(2)) && text.contains(told),
            "{flags:?}: {text}"
        );
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_batch_keeps_its_order_and_tries_again_what_may_pass() {
    let busy = Arc::new(Mutex::new(0));
    let counter = Arc::clone(&busy);
    let site = TestSite::start(move |asked| match asked.path.as_str() {
        "/p/3" => {
            let mut count = counter.lock().unwrap();
            *count += 1;
            // The network client tries three times by itself.
            match *count {
                1..=3 => SiteReply::html("busy").status(500),
                _ => page("late", &[]),
            }
        }
        "/p/7" => page("slow", &[]).dripping(100, Duration::from_millis(30)),
        path if path.starts_with("/p/") => page(path, &[]),
        _ => SiteReply::html("gone").status(404),
    })
    .await;
    let folder = TempDir::new().unwrap();
    let mut list: Vec<String> = (0..120).map(|at| site.url(&format!("/p/{at}"))).collect();
    list.extend([
        site.url("/p/0"),
        site.url("/none"),
        "no address at all".to_owned(),
    ]);
    std::fs::write(
        folder.path().join("list"),
        format!("# a comment\n\n{}\n", list.join("\n")),
    )
    .unwrap();
    let (results, output) = beside(&folder, &["batch", "--input", "list"]).await;
    let urls: Vec<&str> = results.iter().filter_map(|it| it["url"].as_str()).collect();
    assert_eq!(urls, list.iter().map(String::as_str).collect::<Vec<_>>());
    let failed: Vec<usize> = (0..results.len())
        .filter(|at| results[*at]["status"] != "ok")
        .collect();
    assert_eq!(failed, [121, 122], "{}", stderr(&output));
    assert_eq!(results[122]["error"]["code"], "INVALID_REQUEST");
}

/// How a server ends.
#[derive(Clone, Copy)]
enum ServerEnd {
    Killed,
    Stopped,
}

/// Crawls `/p/0` of a site by servers on one folder, each of which ends after so many events, and then by one to the end.
/// Returns the summary of the crawl and the frames of its events.
fn crawl_by_servers(host: &str, start: &str, ends: &[(u64, ServerEnd)]) -> (Value, String) {
    let folder = TempDir::new().unwrap();
    let serve = || {
        let mut command = Command::new(env!("CARGO_BIN_EXE_huntsman"));
        command
            .args(["--allow-hosts", host, "--engine", "http"])
            .env("HUNTSMAN_DATA_DIR", folder.path())
            .current_dir(folder.path());
        ServerProcess::start(command)
    };
    let seen = |server: &ServerProcess, run: &str| {
        let body = server.ask("GET", &format!("/v1/runs/{run}"), "", "").body;
        serde_json::from_str::<Value>(&body).unwrap()
    };
    let mut server = serve();
    let request = json!({"url": start, "include": ["/p/*"], "sitemap": false, "limit": 1000}).to_string();
    let address = server.address.clone();
    // The answer is a stream, which is left after its head.
    let mut stream = testkit::serving::send(
        &address,
        "POST",
        "/v1/crawl",
        "prefer: respond-async\r\n",
        &request,
    );
    let mut head = [0; 2048];
    let mut text = String::new();
    while !text.contains("x-run-id: ") || !text.contains("\r\n\r\n") {
        let count = std::io::Read::read(&mut stream, &mut head).unwrap();
        assert!(count > 0, "{text}");
        text.push_str(&String::from_utf8_lossy(&head[..count]));
    }
    drop(stream);
    let after = text.split("x-run-id: ").nth(1).unwrap();
    let run = after.split("\r\n").next().unwrap().to_owned();
    for (events, end) in ends {
        let mut tries = 0;
        while seen(&server, &run)["last_seq"].as_u64().unwrap() < *events {
            assert!(tries < 1_000, "the crawl stands still");
            tries += 1;
            std::thread::sleep(Duration::from_millis(10));
        }
        match end {
            ServerEnd::Killed => drop(server),
            ServerEnd::Stopped => {
                server.stop();
            }
        }
        server = serve();
    }
    let frames = server.ask("GET", &format!("/v1/runs/{run}/events"), "", "").body;
    let done = seen(&server, &run);
    assert_eq!(done["status"], "completed", "{done}");
    let frontiers = std::fs::read_dir(folder.path().join("frontiers")).unwrap();
    assert_eq!(frontiers.count(), 0);
    (done["result"]["crawl"].clone(), frames)
}

/// Crawls a site of so many pages by servers that end, and checks that no page is lost or told twice, and that only those
/// in flight were fetched again.
async fn survives(pages: usize, ends: &'static [(u64, ServerEnd)]) {
    /// Pages that are read at once.
    const IN_FLIGHT: usize = 8;
    let site = TestSite::start(move |asked| match asked.path.as_str() {
        path if path.starts_with("/p/") => {
            crawled_site(asked, pages).dripping(4_000, Duration::from_millis(15))
        }
        _ => SiteReply::html("gone").status(404),
    })
    .await;
    let (host, start) = (site.address().to_string(), site.url("/p/0"));
    let crawled = tokio::task::spawn_blocking(move || crawl_by_servers(&host, &start, ends));
    let (summary, events) = crawled.await.unwrap();
    let total = summary["read"].as_u64().unwrap() + summary["duplicates"].as_u64().unwrap();
    assert_eq!(total, pages as u64, "{summary}");
    let mut told: BTreeMap<String, usize> = BTreeMap::new();
    for line in events.lines().filter_map(|line| line.strip_prefix("data: ")) {
        let event: Value = serde_json::from_str(line).unwrap();
        if event["data"]["action"] == "complete" {
            let url = event["data"]["extracted_data"]["result"]["url"].as_str().unwrap();
            *told.entry(url.to_owned()).or_default() += 1;
        }
    }
    assert_eq!(told.len(), pages, "no page is lost");
    assert!(told.values().all(|count| *count == 1), "none is told twice");
    let asked = site.asked();
    let fetched = asked.iter().filter(|asked| asked.path.starts_with("/p/")).count();
    assert!(fetched <= pages + ends.len() * IN_FLIGHT, "{fetched} requests");
}

/// The first server is killed; the second one hands the run on; a run that two were killed over would be failed.
#[tokio::test(flavor = "multi_thread")]
async fn a_crawl_survives_kills_of_its_server() {
    survives(150, &[(150, ServerEnd::Killed), (300, ServerEnd::Stopped)]).await;
}

/// Ten crawls, each killed at another place: at its start, in the middle, near its end.
#[tokio::test(flavor = "multi_thread")]
async fn a_crawl_survives_a_kill_at_any_place() {
    const PLACES: [&[(u64, ServerEnd)]; 10] = [
        &[(1, ServerEnd::Killed)],
        &[(3, ServerEnd::Killed)],
        &[(9, ServerEnd::Killed)],
        &[(30, ServerEnd::Killed)],
        &[(60, ServerEnd::Killed)],
        &[(90, ServerEnd::Killed)],
        &[(120, ServerEnd::Killed)],
        &[(150, ServerEnd::Killed)],
        &[(180, ServerEnd::Killed)],
        &[(195, ServerEnd::Killed)],
    ];
    for ends in PLACES {
        survives(42, ends).await;
    }
}
