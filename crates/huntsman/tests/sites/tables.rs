//! CSV of crawls and batches: the rows of list pages and files, as a scrape of several pages gives them.

use tempfile::TempDir;
use testkit::{SiteReply, SiteRequest, TestSite};

use super::{beside, page, stderr};

/// A table of two rows, and a page.
fn site_of_values(asked: &SiteRequest) -> SiteReply {
    match asked.path.as_str() {
        "/data.csv" => SiteReply::bytes("text/csv", "name,price\nLumeo,12.5\nBrask,14\n"),
        "/page" => page("Quern", &[]),
        _ => SiteReply::html("Not found").status(404),
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_batch_in_csv_has_the_rows_that_a_scrape_has() {
    let site = TestSite::start(site_of_values).await;
    let folder = TempDir::new().unwrap();
    let (data, page) = (site.url("/data.csv"), site.url("/page"));
    let run = async |command: &str, columns: &[&str]| {
        let words = [&[command, &data, &page, "--format", "csv"], columns].concat();
        let (_, output) = beside(&folder, &words).await;
        let text = String::from_utf8(output.stdout.clone()).unwrap();
        (text.replace("\r\n", "\n"), stderr(&output), output.status.code())
    };
    let (scraped, _, _) = run("scrape", &[]).await;
    assert!(
        scraped.starts_with("page,name,price,") && scraped.contains(&format!("{data},Lumeo,12.5,")),
        "{scraped}"
    );
    assert_eq!(run("batch", &[]).await.0, scraped);
    let (named, told, code) = run("batch", &["--columns", "name,price,colour"]).await;
    assert!(
        named.starts_with("name,price,colour\nLumeo,12.5,\nBrask,14,\n"),
        "{named}"
    );
    assert!(
        told.contains("no row has \"colour\"") && code == Some(0),
        "{told}"
    );
    let (none, told, code) = run("batch", &["--columns", "nosuch"]).await;
    assert_eq!((none.as_str(), code), ("", Some(1)), "{told}");
    assert!(
        told.contains("no row has \"nosuch\"; the rows have page, name, price"),
        "{told}"
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn the_results_of_a_run_can_be_written_once_more() {
    let site = TestSite::start(site_of_values).await;
    let folder = TempDir::new().unwrap();
    let (data, page) = (site.url("/data.csv"), site.url("/page"));
    let words = [
        "batch",
        &data,
        &page,
        "--columns",
        "page,name,price",
        "-o",
        "one.csv",
        "-q",
    ];
    let (_, output) = beside(&folder, &words).await;
    assert!(output.status.success(), "{}", stderr(&output));
    let (_, listed) = beside(&folder, &["runs", "list", "--json"]).await;
    let listed: serde_json::Value = serde_json::from_slice(&listed.stdout).unwrap();
    let id = listed["runs"][0]["id"].as_str().unwrap();
    let (_, output) = beside(&folder, &["runs", "resume", id, "-o", "two.csv"]).await;
    assert!(output.status.success(), "{}", stderr(&output));
    let read = |name: &str| std::fs::read_to_string(folder.path().join(name)).unwrap();
    assert!(read("one.csv").contains("Brask,14"), "{}", read("one.csv"));
    assert_eq!(read("one.csv"), read("two.csv"));
    let refused = beside(&folder, &["batch", &data, "-o", "rows.xlsx"]).await.1;
    assert_eq!(refused.status.code(), Some(2), "{}", stderr(&refused));
}
