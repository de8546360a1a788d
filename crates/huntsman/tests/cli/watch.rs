//! Watched pages from the command line, beside a server that is killed in between.

use std::process::Output;
use std::sync::{Arc, Mutex};

use serde_json::Value;
use tempfile::TempDir;
use testkit::{SiteReply, SiteRequest, TestSite};

use crate::server::{Server, huntsman};

async fn site(price: &Arc<Mutex<&'static str>>) -> TestSite {
    let price = Arc::clone(price);
    TestSite::start(move |_: &SiteRequest| {
        let price = price.lock().unwrap();
        SiteReply::html(format!(
            "<title>Lamp</title><main><h1>Lamp</h1><p>A lamp of brass that lights a whole room.</p>\
             <p>It costs {price} EUR, with a plug for every country.</p></main>"
        ))
    })
    .await
}

async fn watch(folder: &TempDir, words: &[&str]) -> Output {
    let mut command = huntsman(folder.path());
    command.arg("watch").args(words);
    tokio::task::spawn_blocking(move || command.output().unwrap())
        .await
        .unwrap()
}

fn json(output: &Output) -> Value {
    let text = String::from_utf8_lossy(&output.stdout);
    let complaint = String::from_utf8_lossy(&output.stderr);
    serde_json::from_str(&text).unwrap_or_else(|_| panic!("{text}{complaint}"))
}

/// What `watch show` says, once the page has this version.
async fn version(folder: &TempDir, id: &str, version: u64) -> Value {
    for _ in 0..300 {
        let shown = json(&watch(folder, &["show", id]).await);
        if shown["monitor"]["version"] == version {
            return shown;
        }
        tokio::time::sleep(std::time::Duration::from_millis(50)).await;
    }
    panic!("{}", json(&watch(folder, &["show", id]).await));
}

#[tokio::test]
async fn a_change_is_seen_by_the_server_after_a_killed_one() {
    let (price, folder) = (Arc::new(Mutex::new("120")), TempDir::new().unwrap());
    let site = site(&price).await;
    let page = site.url("/lamp");
    let server = Server::over(folder.path(), &[]);
    let added = watch(
        &folder,
        &["add", &page, "--every", "3600", "--when", "text contains 99 eur"],
    )
    .await;
    let id = json(&added)["id"].as_str().unwrap().to_owned();
    version(&folder, &id, 1).await;
    drop(server);
    *price.lock().unwrap() = "99";
    let server = Server::over(folder.path(), &[]);
    let (address, path) = (server.address.clone(), format!("/v1/monitors/{id}/check"));
    tokio::task::spawn_blocking(move || Server::ask(&address, "POST", &path, "{}"))
        .await
        .unwrap();
    let shown = version(&folder, &id, 2).await;
    let newest = &shown["versions"][0];
    assert_eq!(newest["matched"], true, "{shown}");
    assert_eq!(
        newest["change"]["changed"][0]["after"],
        "It costs 99 EUR, with a plug for every country."
    );
    let list = watch(&folder, &["list"]).await;
    assert!(String::from_utf8_lossy(&list.stdout).contains("watching version 2"));
    assert!(watch(&folder, &["remove", &id]).await.status.success());
    assert!(!watch(&folder, &["show", &id]).await.status.success());
    for (words, text) in [
        (
            vec!["add", &page, "--cron", "0 0 31 2 *"],
            "schedule.cron: never comes",
        ),
        (
            vec!["add", &page, "--every", "0"],
            "schedule.every: must be between",
        ),
        (
            vec!["add", &page, "--every", "60", "--when", "price under 5"],
            "of the part `item` or `records`",
        ),
        (vec!["add", "http://10.0.0.1/", "--every", "60"], "url: "),
    ] {
        let refused = watch(&folder, &words).await;
        let complaint = String::from_utf8_lossy(&refused.stderr).into_owned();
        assert!(
            !refused.status.success() && complaint.contains(text),
            "{words:?}: {complaint}"
        );
    }
}
