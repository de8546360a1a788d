//! What people try first and what could pass for an answer: columns that no page has, names of files that say a format,
//! pages that stay empty without their scripts.

use std::process::{Command, Output};

use tempfile::TempDir;
use testkit::TestSite;

use super::{KETTLE, beside, words};

const LIST: &str = "<html><head><title>Pots</title></head><body><main><h1>Pots</h1><ul>\
    <li><h2><a href='/1'>Pot One</a></h2><p>10,00 €</p></li><li><h2><a href='/2'>Pot Two</a></h2><p>20,00 €</p></li>\
    <li><h2><a href='/3'>Pot Three</a></h2><p>30,00 €</p></li></ul></main></body></html>";

const EMPTY: &str = "<html><body><p>Hello.</p></body></html>";

const BUILT_BY_SCRIPTS: &str = "<html><head><title>Pots</title></head><body><div id='root'></div>\
    <noscript>You need to enable JavaScript to run this app.</noscript><script src='/app.js'></script></body></html>";

async fn scrape(line: &[&str], path: &str) -> (TempDir, Output) {
    let folder = TempDir::new().unwrap();
    let pages = [
        ("/pot", KETTLE),
        ("/list", LIST),
        ("/app", BUILT_BY_SCRIPTS),
        ("/empty", EMPTY),
    ];
    let site = TestSite::of_pages(&pages).await;
    let fixed = ["scrape", "--engine", "http"];
    let line: Vec<String> = line.iter().map(|word| (*word).to_owned()).collect();
    let output = beside(&folder, &words(&fixed, &[vec![site.url(path)], line].concat())).await;
    (folder, output)
}

fn texts(output: &Output) -> (String, String) {
    let text = |bytes: &[u8]| String::from_utf8(bytes.to_vec()).unwrap();
    (text(&output.stdout), text(&output.stderr))
}

#[tokio::test]
async fn a_column_that_no_row_has_is_empty_and_named() {
    for (path, printed) in [
        ("/pot", "title,colours of it\r\nKettle K2,\r\n"),
        (
            "/list",
            "title,colours of it\r\nPot One,\r\nPot Two,\r\nPot Three,\r\n",
        ),
    ] {
        let columns = ["--format", "csv", "--columns", "title, colours of it"];
        let (_folder, output) = scrape(&columns, path).await;
        let (out, err) = texts(&output);
        assert_eq!((out.as_str(), output.status.code()), (printed, Some(0)), "{err}");
        assert!(
            err.contains("no row has \"colours of it\"; the rows have"),
            "{err}"
        );
        assert!(err.contains("price") && !err.contains("provenance"), "{err}");
    }
}

#[tokio::test]
async fn rows_without_any_of_the_columns_are_no_answer() {
    for path in ["/pot", "/list"] {
        let (_folder, output) = scrape(&["--format", "csv", "--columns", "isbn,pages"], path).await;
        let (out, err) = texts(&output);
        assert_eq!((out.as_str(), output.status.code()), ("", Some(1)), "{err}");
        assert!(err.contains("no row has \"isbn\" or \"pages\""), "{err}");
    }
}

#[tokio::test]
async fn rows_of_empty_cells_say_so_and_those_with_something_in_them_do_not() {
    for (path, is_empty) in [("/pot", false), ("/list", false), ("/empty", true)] {
        let (_folder, output) = scrape(&["--format", "csv"], path).await;
        let (out, err) = texts(&output);
        assert!(out.lines().count() > 1 && output.status.success(), "{output:?}");
        assert_eq!(
            err.contains("no list, table or usual field"),
            is_empty,
            "{path}: {err}"
        );
        assert!(!err.contains("--columns: "), "{path}: {err}");
    }
}

#[tokio::test]
async fn the_name_of_the_file_says_the_format_where_no_flag_does() {
    for (name, flags, begin) in [
        ("rows.csv", &[] as &[&str], "title,url,price"),
        ("page.MD", &[], "# Pots"),
        ("page.txt", &[], "Pot One"),
        ("page.html", &[], "<html>"),
        ("page.jsonl", &[], "{\"url\":"),
        ("page.json", &[], "{\n"),
        ("rows.csv", &["--format", "JSON"], "{\n"),
    ] {
        let (folder, output) = scrape(&[&["-o", name], flags].concat(), "/list").await;
        assert!(output.status.success() && output.stdout.is_empty(), "{output:?}");
        let text = std::fs::read_to_string(folder.path().join(name)).unwrap();
        assert!(text.starts_with(begin), "{name} {flags:?}: {text}");
    }
}

#[tokio::test]
async fn a_hyphen_as_the_file_is_stdout() {
    let (folder, output) = scrape(&["-o", "-", "--format", "csv"], "/list").await;
    assert!(texts(&output).0.starts_with("title,url,price"), "{output:?}");
    assert!(!folder.path().join("-").exists());
}

#[tokio::test]
async fn every_format_says_that_a_page_needs_its_scripts() {
    for format in ["json", "csv", "markdown", "text"] {
        let (_folder, output) = scrape(&["--format", format], "/app").await;
        let (_, err) = texts(&output);
        assert!(
            err.contains("/app: the page needs its scripts"),
            "{format}: {output:?}"
        );
    }
}

#[tokio::test]
async fn a_crawl_whose_file_cannot_be_written_is_not_begun() {
    let folder = TempDir::new().unwrap();
    let site = TestSite::of_pages(&[("/", LIST)]).await;
    for command in ["crawl", "batch"] {
        let line = words(
            &[command],
            &[site.url("/"), "-o".to_owned(), "none/x.jsonl".to_owned()],
        );
        let (out, err) = {
            let output = beside(&folder, &line).await;
            assert_eq!(output.status.code(), Some(2), "{output:?}");
            texts(&output)
        };
        assert!(
            out.is_empty() && err.contains("--output: none/x.jsonl cannot be written"),
            "{err}"
        );
    }
    assert!(site.asked().is_empty());
}

#[test]
fn an_empty_home_makes_no_file_of_the_working_folder_the_users() {
    let folder = TempDir::new().unwrap();
    let settings = folder.path().join(".config/huntsman");
    std::fs::create_dir_all(&settings).unwrap();
    std::fs::write(settings.join("huntsman.toml"), "data_dir = \"elsewhere\"").unwrap();
    let output = Command::new(env!("CARGO_BIN_EXE_huntsman"))
        .args(["runs", "list"])
        .current_dir(folder.path())
        .env_clear()
        .env("HOME", "")
        .output()
        .unwrap();
    assert!(output.status.success(), "{output:?}");
    assert!(folder.path().join(".huntsman").is_dir());
    assert!(!folder.path().join("elsewhere").exists() && !folder.path().join(".local").exists());
}

#[test]
fn the_flag_of_a_setting_that_a_command_does_not_use_is_refused() {
    for words in [
        &["demo-site", "--listen", "127.0.0.1:9999"][..],
        &["extract", "--engine", "http", "page.html"],
        &["parse", "price", "1 EUR", "--data-dir", "x"],
    ] {
        let output = Command::new(env!("CARGO_BIN_EXE_huntsman"))
            .args(words)
            .output()
            .unwrap();
        let (_, err) = texts(&output);
        assert_eq!(output.status.code(), Some(2), "{err}");
        assert!(
            err.contains(words.iter().find(|word| word.starts_with("--")).unwrap()),
            "{err}"
        );
        assert!(err.contains("leave it out"), "{err}");
    }
}
