//! What crawls and maps leave out, and how they say so.

use tempfile::TempDir;
use testkit::{SiteReply, SiteRequest, TestSite};

use super::{beside, page, stderr};

/// A start with a redirect, a picture, two stories and an index file.
fn site_of_links(asked: &SiteRequest) -> SiteReply {
    let links = [
        "/redirect",
        "/page.jpg",
        "/story?sid=1",
        "/story?sid=2",
        "/docs/",
        "/docs/index.html",
    ];
    match asked.path.as_str() {
        "/" => page("start", &links.map(str::to_owned)),
        "/redirect" => SiteReply::redirect(302, "/target"),
        "/target" | "/docs/" | "/docs/index.html" => page(&format!("page of {}", asked.path), &[]),
        story if story.starts_with("/story?") => page(story, &[]),
        _ => SiteReply::html("Not found").status(404),
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn what_a_crawl_reads_and_leaves_out_is_told() {
    let site = TestSite::start(site_of_links).await;
    let folder = TempDir::new().unwrap();
    let start = site.url("/");
    let (results, output) = beside(&folder, &["crawl", &start, "--exclude", "/target"]).await;
    let mut read: Vec<String> = results
        .iter()
        .filter(|result| result["status"] == "ok")
        .map(|result| result["url"].as_str().unwrap().replace(&start, "/"))
        .collect();
    read.sort();
    let wanted = ["/", "/docs/", "/docs/index.html", "/story?sid=1", "/story?sid=2"];
    assert_eq!(read, wanted, "{}", stderr(&output));
    assert!(stderr(&output).contains("1 outside"), "{}", stderr(&output));
    assert!(
        stderr(&output).contains("1 links to pictures"),
        "{}",
        stderr(&output)
    );
    let (_, output) = beside(&folder, &["crawl", &start, "--include", "/nothing/*"]).await;
    assert!(
        stderr(&output).contains("none of the 5 links"),
        "{}",
        stderr(&output)
    );
    let (_, output) = beside(&folder, &["map", &start, "--limit", "2"]).await;
    let cut = "6 addresses were found, of which the first 2 are listed";
    assert!(stderr(&output).contains(cut), "{}", stderr(&output));
    let (_, output) = beside(&folder, &["map", &start, "--include", "/nothing/*"]).await;
    assert!(
        stderr(&output).contains("no address of the site"),
        "{}",
        stderr(&output)
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn a_start_that_no_pattern_names_gives_no_rows() {
    let site = TestSite::start(|asked: &SiteRequest| {
        let rows: String = ["one", "two", "three"]
            .map(|name| format!("<tr><td><a href='/item/{name}'>{name}</a></td><td>7</td></tr>"))
            .concat();
        match asked.path.as_str() {
            "/list" => SiteReply::html(format!(
                "<title>All</title><main><h1>All</h1><table><tr><th>Name</th><th>Price</th></tr>{rows}</table></main>"
            )),
            item if item.starts_with("/item/") => page(item, &[]),
            _ => SiteReply::html("Not found").status(404),
        }
    })
    .await;
    let folder = TempDir::new().unwrap();
    let list = site.url("/list");
    let csv = async |flags: &[&str]| {
        let words = [&["crawl", &list, "--format", "csv"], flags].concat();
        let (_, output) = beside(&folder, &words).await;
        String::from_utf8(output.stdout).unwrap()
    };
    let rows = csv(&["--depth", "0"]).await;
    assert!(
        rows.starts_with("page,Name,Price\r\n") && rows.lines().count() == 4,
        "{rows}"
    );
    let items = csv(&["--include", "/item/*"]).await;
    assert!(
        items.starts_with("url,status,page_type,title,") && items.lines().count() == 5,
        "{items}"
    );
}
