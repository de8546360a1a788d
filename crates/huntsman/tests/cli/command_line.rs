//! The command line as a newcomer uses it: lists of addresses, formats, addresses without a scheme, runs, and helpers of
//! shells.

use std::io::Read as _;
use std::process::{Command, Stdio};

use serde_json::Value;
use tempfile::TempDir;
use testkit::{SiteReply, TestSite};

use super::{KETTLE, beside, huntsman, lines, with_input, words};

const LIST: &str = "<html><head><title>Kettles</title></head><body><main><h1>Kettles</h1><ul>\
    <li><h2><a href='/1'>Kettle One</a></h2><p>10,00 €</p></li><li><h2><a href='/2'>Kettle Two</a></h2><p>20,00 €</p></li>\
    <li><h2><a href='/3'>Kettle Three</a></h2><p>30,00 €</p></li></ul></main></body></html>";

const TABLE: &str = "<html><head><title>Rivers</title></head><body><main><h1>Rivers</h1><table>\
    <tr><th>River</th><th>Length</th></tr><tr><td>Nile</td><td>6650</td></tr><tr><td>Amazon</td><td>6400</td></tr>\
    <tr><td>Yangtze</td><td>6300</td></tr></table></main></body></html>";

fn stdout(output: &std::process::Output) -> String {
    String::from_utf8(output.stdout.clone()).unwrap()
}

fn stderr(output: &std::process::Output) -> String {
    String::from_utf8(output.stderr.clone()).unwrap()
}

async fn site() -> TestSite {
    TestSite::of_pages(&[("/k2", KETTLE), ("/list", LIST), ("/table", TABLE)]).await
}

/// An address as it is typed without a scheme.
fn bare(site: &TestSite, path: &str) -> String {
    site.url(path).trim_start_matches("http://").to_owned()
}

#[tokio::test]
async fn a_list_of_addresses_is_read_from_a_file_and_each_once() {
    let (folder, site) = (TempDir::new().unwrap(), site().await);
    let (one, two) = (bare(&site, "/k2"), bare(&site, "/list"));
    std::fs::write(
        folder.path().join("list"),
        format!("# mine\n{one}\n\n{two}\n{one}\n"),
    )
    .unwrap();
    let line = [
        "scrape",
        "--input",
        "list",
        "--format",
        "jsonl",
        "--concurrency",
        "1",
        "-o",
        "out",
    ];
    let output = beside(&folder, &words(&line, &[])).await;
    assert!(output.status.success() && output.stdout.is_empty(), "{output:?}");
    let text = std::fs::read_to_string(folder.path().join("out")).unwrap();
    let urls: Vec<Value> = text
        .lines()
        .map(|line| serde_json::from_str::<Value>(line).unwrap()["url"].clone())
        .collect();
    assert_eq!(urls, [one, two]);
}

#[tokio::test]
async fn a_list_page_and_a_table_are_their_rows_in_csv() {
    let (folder, site) = (TempDir::new().unwrap(), site().await);
    let csv = async |paths: &[&str]| {
        let urls: Vec<String> = paths.iter().map(|path| bare(&site, path)).collect();
        let output = beside(&folder, &words(&["scrape", "--format", "csv"], &urls)).await;
        assert!(output.status.success(), "{output:?}");
        stdout(&output).replace("\r\n", "\n")
    };
    assert_eq!(
        csv(&["/table"]).await,
        "River,Length\nNile,6650\nAmazon,6400\nYangtze,6300\n"
    );
    let list = csv(&["/list"]).await;
    assert_eq!(list.lines().count(), 4, "{list}");
    assert!(
        list.lines().nth(2).unwrap().contains("Kettle Two") && list.contains(",20,EUR"),
        "{list}"
    );
    let both = csv(&["/table", "/k2"]).await;
    assert!(both.starts_with("page,River,Length,"), "{both}");
    assert_eq!(both.lines().count(), 5, "{both}");
}

#[tokio::test]
async fn several_pages_are_told_apart_and_errors_stay_off_stdout() {
    let (folder, site) = (TempDir::new().unwrap(), site().await);
    let urls = ["/k2", "/gone", "/list"].map(|path| bare(&site, path));
    let [kettle, gone, list] = &urls;
    for (format, mark) in [
        ("markdown", format!("\n---\n\n<!-- {list} -->\n")),
        ("text", format!("\n==> {list} <==\n")),
    ] {
        let output = beside(&folder, &words(&["scrape", "--format", format], &urls)).await;
        assert_eq!(output.status.code(), Some(1));
        let text = stdout(&output);
        assert!(text.contains(&mark) && text.contains("Kettle Two"), "{text}");
        assert!(!text.contains(gone) && !text.contains("status"), "{text}");
        assert!(
            stderr(&output).contains(&format!("{gone}: the site answered with status 404")),
            "{output:?}"
        );
    }
    let line = ["scrape", "--format", "markdown", "--front-matter"];
    let text = stdout(&beside(&folder, &words(&line, &urls[..1])).await);
    assert!(
        text.starts_with(&format!("---\nurl: \"{kettle}\"\ntitle: \"Kettle K2\"\n")),
        "{text}"
    );
}

#[tokio::test]
async fn html_links_tables_and_records_are_printed_as_extract_prints_them() {
    let (folder, site) = (TempDir::new().unwrap(), site().await);
    let print = async |format: &str, path: &str| {
        let output = beside(
            &folder,
            &words(&["scrape", "--format", format], &[bare(&site, path)]),
        )
        .await;
        stdout(&output)
    };
    assert_eq!(print("html", "/table").await.trim_end(), TABLE);
    let json =
        async |format: &str, path: &str| serde_json::from_str::<Value>(&print(format, path).await).unwrap();
    assert_eq!(json("links", "/list").await[1]["url"], site.url("/2"));
    assert_eq!(json("tables", "/table").await[0]["header"][0], "River");
    let records = json("records", "/list").await;
    assert_eq!(
        (
            &records["rows"][2]["price"],
            records["groups"].as_array().unwrap().is_empty()
        ),
        (&30.into(), false)
    );
}

#[tokio::test]
async fn a_blocked_redirect_names_its_target_and_what_allows_it() {
    let folder = TempDir::new().unwrap();
    let canary = TestSite::of_pages(&[]).await;
    let target = canary.url("/secret?key=1").replace("127.0.0.1", "127.0.0.2");
    let site = TestSite::start(move |_| SiteReply::redirect(302, &target)).await;
    let output = beside(&folder, &words(&["scrape", "--format", "text"], &[site.url("/")])).await;
    let said = stderr(&output);
    let target = canary.url("").replace("127.0.0.1", "127.0.0.2");
    assert!(
        said.contains(&format!("redirects to {}", target.trim_end_matches('/'))),
        "{said}"
    );
    assert!(
        said.contains("HUNTSMAN_ALLOW_HOSTS (--allow-hosts)") && !said.contains("secret"),
        "{said}"
    );
    assert!(output.stdout.is_empty() && canary.asked().is_empty());
}

#[tokio::test]
async fn a_host_typed_in_the_parameters_of_a_tool_may_be_reached() {
    let (folder, site) = (TempDir::new().unwrap(), site().await);
    let params = format!("{{\"url\":\"{}\"}}", site.url("/k2"));
    let output = beside(
        &folder,
        &words(&["tools", "run", "http.get", "--params"], &[params]),
    )
    .await;
    let answer: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(answer["data"]["status"], 200, "{output:?}");
}

#[tokio::test]
async fn a_scrape_needs_no_folder_that_can_be_written() {
    let (folder, site) = (TempDir::new().unwrap(), site().await);
    let line = ["--data-dir", "/dev/null/x", "scrape", "--format", "text"];
    let output = beside(&folder, &words(&line, &[bare(&site, "/k2")])).await;
    assert!(
        output.status.success() && stdout(&output).contains("boils one litre"),
        "{output:?}"
    );
    assert!(stderr(&output).contains("kept in memory"), "{output:?}");
}

#[tokio::test]
async fn whole_sites_need_no_folder_that_can_be_written() {
    let (folder, site) = (TempDir::new().unwrap(), site().await);
    for (command, told) in [("map", false), ("crawl", true), ("batch", true)] {
        let line = ["--data-dir", "/dev/null/x", command];
        let output = beside(&folder, &words(&line, &[bare(&site, "/k2")])).await;
        assert!(
            output.status.success() && stdout(&output).contains("/k2"),
            "{command}: {output:?}"
        );
        assert_eq!(
            stderr(&output).contains("kept in memory"),
            told,
            "{command}: {output:?}"
        );
    }
    let line = ["--data-dir", "/dev/null/x", "crawl", "--profile", "mine"];
    let output = beside(&folder, &words(&line, &[bare(&site, "/k2")])).await;
    assert_eq!(
        output.status.code(),
        Some(1),
        "a profile is in the folder: {output:?}"
    );
}

#[tokio::test]
async fn runs_are_listed_with_what_they_were_for_and_deleted() {
    let (folder, site) = (TempDir::new().unwrap(), site().await);
    for path in ["/k2", "/list", "/table"] {
        beside(&folder, &words(&["scrape"], &[site.url(path)])).await;
    }
    let runs = |line: &[&str]| huntsman(folder.path(), &[&["runs"], line].concat());
    let list = stdout(&runs(&["list"]));
    let first = list.lines().next().unwrap();
    assert!(
        first.contains("completed") && first.ends_with(&site.url("/table")) && first.contains(" s "),
        "{list}"
    );
    let newest: Value = serde_json::from_slice(&runs(&["last"]).stdout).unwrap();
    let id = newest["id"].as_str().unwrap();
    assert_eq!(newest["request"]["assets"][0], site.url("/table"));
    assert!(
        runs(&["resume", id]).status.success(),
        "one that has ended is printed"
    );
    assert!(runs(&["delete", id]).status.success());
    assert_eq!(runs(&["show", id]).status.code(), Some(1));
    assert_eq!(
        stdout(&runs(&["prune", "--older-than", "1"])),
        "0 run(s) deleted\n"
    );
    assert_eq!(stdout(&runs(&["prune", "--keep", "1"])), "1 run(s) deleted\n");
    let left: Value = serde_json::from_slice(&runs(&["list", "--json"]).stdout).unwrap();
    assert_eq!(left["runs"].as_array().unwrap().len(), 1);
    assert_eq!(left["runs"][0]["subject"], site.url("/list"));
}

#[tokio::test]
async fn a_run_whose_reader_is_gone_is_cancelled() {
    let (folder, site) = (TempDir::new().unwrap(), site().await);
    let urls: Vec<String> = (0..40).map(|page| site.url(&format!("/k2?{page}"))).collect();
    let path = folder.path().to_owned();
    let run = move || {
        let mut child = Command::new(env!("CARGO_BIN_EXE_huntsman"))
            .args([
                "scrape",
                "--format",
                "jsonl",
                "--concurrency",
                "1",
                "--delay",
                "0.2",
            ])
            .args(&urls)
            .env("HUNTSMAN_DATA_DIR", path.join("data"))
            .current_dir(&path)
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let mut stdout = child.stdout.take().unwrap();
        stdout.read_exact(&mut [0; 10]).unwrap();
        drop(stdout);
        child.wait_with_output().unwrap()
    };
    let output = tokio::task::spawn_blocking(run).await.unwrap();
    assert_eq!((output.status.code(), stderr(&output).as_str()), (Some(0), ""));
    let last: Value = serde_json::from_slice(&huntsman(folder.path(), &["runs", "last"]).stdout).unwrap();
    assert_eq!(last["status"], "cancelled");
    assert!(site.asked().len() < 40, "the rest was not read");
}

#[test]
fn parse_reads_lines_and_tells_what_can_be_read_in_two_ways() {
    let output = with_input(&["parse", "price"], "1.234 €\nno price\n\n1.234,50 €\n");
    assert_eq!(output.status.code(), Some(1), "one line states no price");
    assert!(stderr(&output).contains("\"no price\""), "{output:?}");
    let below = with_input(&["parse", "price", "-12,50 €"], "");
    assert!(stderr(&below).contains("is below zero"), "{below:?}");
    let answers = lines(&output);
    assert_eq!(
        (&answers[0]["ambiguous"], &answers[0]["alternatives"][0]),
        (&true.into(), &"1.234".into())
    );
    assert_eq!(
        (
            &answers[1]["amount"],
            &answers[2]["amount"],
            answers[2].get("ambiguous")
        ),
        (&Value::Null, &"1234.50".into(), None)
    );
    let date = |line: &[&str]| lines(&with_input(&[&["parse", "date"], line].concat(), ""))[0].clone();
    assert_eq!(date(&["3/4/2025"])["alternatives"][0], "2025-03-04T00:00:00");
    assert_eq!(
        date(&["3/4/2025", "--locale", "en-US"])["date"],
        "2025-03-04T00:00:00"
    );
    assert_eq!(
        date(&["tomorrow", "--now", "2024-02-28T09:00:00"])["date"],
        "2024-02-29T00:00:00"
    );
    assert_eq!(
        with_input(&["parse", "date", "soon enough"], "").status.code(),
        Some(1)
    );
}

#[test]
fn help_of_settings_lists_each_with_its_variable_and_those_of_a_command_alone() {
    let folder = TempDir::new().unwrap();
    let all = stdout(&huntsman(folder.path(), &["help", "settings"]));
    assert!(all.contains("--llm-model MODEL") && all.contains("HUNTSMAN_LLM_MODEL"));
    let some = stdout(&huntsman(folder.path(), &["help", "settings", "scrape"]));
    assert!(some.contains("--engine") && !some.contains("--listen"), "{some}");
    let below = stdout(&huntsman(folder.path(), &["runs", "help", "list"]));
    assert!(
        below.contains("--status") && below == stdout(&huntsman(folder.path(), &["help", "runs", "list"]))
    );
}

#[test]
fn completions_and_manual_pages_know_the_commands_and_need_no_settings() {
    let folder = TempDir::new().unwrap();
    std::fs::write(folder.path().join("huntsman.toml"), "broken").unwrap();
    for shell in ["bash", "zsh", "fish", "powershell"] {
        let script = stdout(&huntsman(folder.path(), &["completions", shell]));
        assert!(
            script.contains("scrape") && script.contains("front-matter"),
            "{shell}"
        );
    }
    assert!(huntsman(folder.path(), &["man", "pages"]).status.success());
    let page = std::fs::read_to_string(folder.path().join("pages/huntsman-scrape.1")).unwrap();
    assert!(page.contains("front") && page.contains(".TH"), "{page}");
}

#[tokio::test]
async fn the_console_is_named_where_no_browser_can_be_opened() {
    let (folder, server) = (
        TempDir::new().unwrap(),
        std::net::TcpListener::bind("127.0.0.1:0").unwrap(),
    );
    let listen = server.local_addr().unwrap().to_string();
    let output = Command::new(env!("CARGO_BIN_EXE_huntsman"))
        .args(["open", "--listen", &listen])
        .env("PATH", folder.path())
        .current_dir(folder.path())
        .output()
        .unwrap();
    assert_eq!(
        stdout(&output),
        format!("http://{listen}/console\n"),
        "{output:?}"
    );
}

#[test]
fn a_deep_check_uses_the_parts_that_are_there() {
    let folder = TempDir::new().unwrap();
    let output = huntsman(
        folder.path(),
        &[
            "doctor",
            "--deep",
            "--json",
            "--chromium",
            "/none",
            "--engine",
            "http",
        ],
    );
    let checks: Vec<Value> = serde_json::from_slice(&output.stdout).unwrap();
    let text = |name: &str| {
        checks.iter().find(|check| check["name"] == name).unwrap()["text"]
            .as_str()
            .unwrap()
            .to_owned()
    };
    assert!(text("store").contains("wrote and read"), "{checks:?}");
    assert!(text("network").contains("entries"), "{checks:?}");
}
