//! Pictures of pages: kept where a browser drew them, and told of where none did.

use serde_json::Value;
use tempfile::TempDir;
use testkit::{SiteReply, TestSite};

use super::{KETTLE, beside, words};

async fn scraped(engine: &str, folder: &TempDir) -> Value {
    let site = TestSite::start(|_| SiteReply::html(KETTLE)).await;
    let mut how = vec!["--screenshot", "--engine", engine];
    if !testkit::chromium::has_sandbox() {
        how.extend(["--chromium-sandbox", "off"]);
    }
    let how: Vec<String> = how
        .into_iter()
        .map(str::to_owned)
        .chain([site.url("/")])
        .collect();
    let output = beside(folder, &words(&["scrape", "-q"], &how)).await;
    let complaint = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{complaint}");
    serde_json::from_slice(&output.stdout).unwrap()
}

#[tokio::test]
#[ignore = "needs a browser"]
async fn a_picture_of_the_page_is_kept_and_named() {
    let folder = TempDir::new().unwrap();
    let result = scraped("chromium", &folder).await;
    let path = result["item"]["screenshot_path"].as_str().unwrap();
    assert!(path.starts_with("screenshots/"), "{path}");
    let picture = std::fs::read(folder.path().join("data").join(path)).unwrap();
    assert!(picture.starts_with(b"\x89PNG"), "{path}");
}

#[tokio::test]
#[ignore = "needs a browser"]
async fn the_picture_of_a_tool_goes_to_a_file() {
    let (folder, site) = (
        TempDir::new().unwrap(),
        TestSite::start(|_| SiteReply::html(KETTLE)).await,
    );
    let mut line = vec!["tools", "run", "browser.screenshot", "--engine", "chromium"];
    if !testkit::chromium::has_sandbox() {
        line.extend(["--chromium-sandbox", "off"]);
    }
    let line = words(&line, &["--url".to_owned(), site.url("/")]);
    // The file of an earlier picture stays.
    for name in ["browser.screenshot.png", "browser.screenshot-2.png"] {
        let output = beside(&folder, &line).await;
        let answer: Value = serde_json::from_slice(&output.stdout).unwrap();
        assert_eq!(
            (&answer["data"]["file"], answer["data"].get("png_base64")),
            (&name.into(), None),
            "{output:?}"
        );
        assert!(
            std::fs::read(folder.path().join(name))
                .unwrap()
                .starts_with(b"\x89PNG")
        );
    }
    let named = words(&["tools", "run", "extract.emails", "-o", "none.png"], &line[5..]);
    let output = beside(&folder, &named).await;
    assert_eq!(
        (output.status.code(), folder.path().join("none.png").exists()),
        (Some(2), false),
        "{output:?}"
    );
}

#[tokio::test]
async fn a_page_that_no_browser_drew_says_that_there_is_no_picture() {
    let folder = TempDir::new().unwrap();
    let result = scraped("http", &folder).await;
    assert_eq!(result["item"].get("screenshot_path"), None);
    let warning = result["warnings"][0].as_str().unwrap();
    assert!(
        warning.starts_with("no screenshot") && warning.contains("chromium"),
        "{warning}"
    );
    assert_eq!(result["item"]["price"], 49.9);
}
