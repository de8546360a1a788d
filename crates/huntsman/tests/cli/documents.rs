//! Addresses that are no HTML: read as what they are in every format, or refused with exit code 1.

use serde_json::Value;
use testkit::{SiteReply, TestSite, office};

const DOCX: &str = "application/vnd.openxmlformats-officedocument.wordprocessingml.document";
const CSV: &str = "name,price\nKettle Red,12.50\n\"Kettle, Blue\",14.00\n";
const JSON: &str = "{\"name\":\"Kettle Red\",\"price\":12.5}";
const MARKDOWN: &str = "# Kettles\n\nThe **red** kettle [boils](http://x.example/).\n";
const RSS: &str = "<?xml version=\"1.0\"?><rss version=\"2.0\"><channel><title>Kettle news</title>\
    <item><title>Red kettle</title><link>http://k.example/1</link><description>It is red.</description></item>\
    <item><title>Blue kettle</title><link>http://k.example/2</link><description>It is blue.</description></item>\
    </channel></rss>";

async fn site() -> TestSite {
    TestSite::start(|asked| match asked.path.as_str() {
        "/a.txt" => SiteReply::bytes("text/plain", "The red kettle boils in four minutes.\n"),
        "/a.csv" => SiteReply::bytes("text/csv", CSV),
        "/a.json" => SiteReply::bytes("application/json", JSON),
        "/a.md" => SiteReply::bytes("text/markdown", MARKDOWN),
        "/feed" => SiteReply::bytes("application/rss+xml", RSS),
        "/note.xml" => SiteReply::bytes("application/xml", "<note><to>the red kettle</to></note>"),
        "/a.pdf" => SiteReply::bytes(
            "application/pdf",
            testkit::pdf::document("Kettles", &["The red kettle boils in four minutes."]),
        ),
        "/a.docx" => SiteReply::bytes(
            "application/octet-stream",
            office::docx(&office::paragraph("H1", "Red")),
        ),
        "/a.xlsx" => {
            let rows: &[&[&str]] = &[
                &["name", "price", "share"],
                &["Kettle Red", "12.5", "0.25@2"],
                &["Kettle Blue", "14", "1@2"],
            ];
            SiteReply::bytes("application/zip", office::xlsx("Kettles", rows))
        }
        "/a.pptx" => SiteReply::bytes("", office::pptx()),
        "/a.odt" => {
            let body = "<text:p>The red kettle.</text:p>";
            SiteReply::bytes(
                "application/vnd.oasis.opendocument.text",
                office::open_document("text", body),
            )
        }
        "/a.epub" => SiteReply::bytes(
            "application/epub+zip",
            office::epub(&["<h1>Red</h1><p>It boils.</p>"]),
        ),
        "/broken.docx" => SiteReply::bytes(DOCX, office::docx("")[..900].to_vec()),
        "/bomb.docx" => SiteReply::bytes(DOCX, office::docx(&" ".repeat(65 << 20))),
        "/nested.zip" => {
            let inner = office::archive(&[("a.docx", "PK"), ("b.txt", "b")]);
            SiteReply::bytes(
                "application/zip",
                office::archive(&[("a.zip", &String::from_utf8_lossy(&inner))]),
            )
        }
        "/login.docx" => SiteReply::bytes(
            DOCX,
            "<!doctype html><title>Log in</title><p>Log in to read the red file.",
        ),
        "/a.zip" => SiteReply::bytes("application/zip", &b"PK\x03\x04\x00\x01"[..]),
        _ => SiteReply::bytes("text/plain", ""),
    })
    .await
}

fn scrape(url: &str, format: &str) -> (Option<i32>, String, String) {
    let folder = tempfile::TempDir::new().unwrap();
    let output = std::process::Command::new(env!("CARGO_BIN_EXE_huntsman"))
        .args(["scrape", url, "--engine", "http", "--format", format, "-q"])
        .env("HUNTSMAN_STORE", "memory")
        .env("HUNTSMAN_DATA_DIR", folder.path())
        .current_dir(folder.path())
        .output()
        .unwrap();
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
    (output.status.code(), text(output.stdout), text(output.stderr))
}

#[tokio::test(flavor = "multi_thread")]
async fn a_document_is_read_in_every_format_as_what_it_is() {
    let site = site().await;
    let documents = [
        "/a.txt",
        "/a.csv",
        "/a.json",
        "/a.md",
        "/feed",
        "/note.xml",
        "/a.pdf",
        "/a.docx",
        "/a.xlsx",
        "/a.pptx",
        "/a.odt",
        "/a.epub",
        "/login.docx",
    ];
    for path in documents {
        for format in ["json", "jsonl", "markdown", "text", "csv"] {
            // A text that is no records has no columns of its own.
            let has_text = format != "csv" || matches!(path, "/a.csv" | "/a.xlsx");
            let (code, shown, told) = scrape(&site.url(path), format);
            assert_eq!(code, Some(0), "{path} {format}: {told}");
            let is_there = shown.to_lowercase().contains("red") || !has_text;
            assert!(is_there && !shown.trim().is_empty(), "{path} {format}: {shown}");
        }
    }
    let (_, rows, _) = scrape(&site.url("/a.csv"), "csv");
    assert_eq!(rows.replace("\r\n", "\n"), CSV);
    let (_, read, _) = scrape(&site.url("/a.csv"), "json");
    let read: Value = serde_json::from_str(&read).unwrap();
    assert_eq!(read["rows"][1]["name"], "Kettle, Blue");
    let (_, rows, _) = scrape(&site.url("/a.xlsx"), "csv");
    assert_eq!(
        rows.replace("\r\n", "\n"),
        "name,price,share\nKettle Red,12.5,25%\nKettle Blue,14,100%\n"
    );
    let (_, read, _) = scrape(&site.url("/a.odt"), "json");
    let read: Value = serde_json::from_str(&read).unwrap();
    let said = ["title", "author"].map(|field| read["item"][field].as_str().unwrap_or_default());
    assert_eq!(said, ["On kettles", "Ann Smith"]);
    let (_, read, _) = scrape(&site.url("/a.json"), "json");
    let read: Value = serde_json::from_str(&read).unwrap();
    assert_eq!(read["item"]["text"].as_str().map(str::trim), Some(JSON));
    let (_, shown, _) = scrape(&site.url("/a.md"), "markdown");
    assert!(
        shown.contains("# Kettles") && shown.contains("**red**") && !shown.contains("```"),
        "{shown}"
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn what_cannot_be_read_is_refused_in_every_format() {
    let site = site().await;
    for (path, code, reason) in [
        ("/a.zip", "UNSUPPORTED_CONTENT", "a file, not"),
        ("/nested.zip", "UNSUPPORTED_CONTENT", "a file, not"),
        ("/broken.docx", "UNSUPPORTED_CONTENT", "its archive is damaged"),
        ("/bomb.docx", "UNSUPPORTED_CONTENT", "the limit of 64 MB"),
        ("/empty.txt", "EMPTY_CONTENT", "empty"),
    ] {
        for format in ["json", "jsonl", "markdown", "text", "csv"] {
            let (exit, shown, told) = scrape(&site.url(path), format);
            assert_eq!(exit, Some(1), "{path} {format}: {shown}");
            assert!(
                told.contains(code) && told.contains(reason),
                "{path} {format}: {told}"
            );
        }
    }
}
