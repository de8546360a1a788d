//! Our own clients for Python and TypeScript, type-checked and run against `huntsman serve`.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use testkit::{SiteReply, SiteRequest, TestSite};

use crate::server::Server;

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../..")
        .canonicalize()
        .unwrap()
}

/// Pages that lead to the next one, one that says nothing, and none else.
async fn mills() -> TestSite {
    TestSite::start(|asked: &SiteRequest| {
        let path = asked.path.split('?').next().unwrap_or_default();
        let number = path.strip_prefix("/page/").and_then(|number| number.parse::<u32>().ok());
        match (path, number) {
            ("/silent", _) => SiteReply::html("").never_ending(),
            (_, Some(number)) => {
                let page = format!(
                    "<html><head><title>Mill {number}</title></head><body><main><h1>Mill {number}</h1><p>A mill of wood that \
                     stands on a hill above the village.</p><table><tr><th>mill</th><th>metres</th></tr><tr><td>Harrow</td>\
                     <td>21</td></tr></table><a href=/page/{}>next mill</a></main></body></html>",
                    number + 1
                );
                SiteReply::html(page).dripping(200, Duration::from_millis(5))
            }
            _ => SiteReply::html("gone").status(404),
        }
    })
    .await
}

/// Runs a program in the workspace; it has to end well.
async fn run_well(mut command: Command) {
    command.current_dir(root());
    let output = tokio::task::spawn_blocking(move || command.output().unwrap())
        .await
        .unwrap();
    let (said, complaint) = (
        String::from_utf8_lossy(&output.stdout),
        String::from_utf8_lossy(&output.stderr),
    );
    assert!(output.status.success(), "{said}{complaint}");
}

#[tokio::test]
#[ignore = "needs Python"]
async fn our_python_client_does_what_a_server_does_and_survives_broken_streams() {
    let (site, server) = (mills().await, Server::start(None, &[]));
    server
        .python("own_client.py", &["all", site.url("").trim_end_matches('/')])
        .await;
}

#[tokio::test]
#[ignore = "needs Python"]
async fn the_types_of_our_python_client_hold() {
    let python = tokio::task::spawn_blocking(testkit::sdk::python).await.unwrap();
    let mut check = Command::new(python);
    let cache = root().join(".cache/mypy");
    check
        .args(["-m", "mypy", "--strict", "--no-error-summary", "--cache-dir"])
        .arg(cache)
        .args(["-p", "huntsman_client"])
        .env("MYPYPATH", root().join("clients/python"));
    run_well(check).await;
}

#[tokio::test]
#[ignore = "needs Node"]
async fn our_typescript_client_compiles_and_survives_broken_streams() {
    let modules = tokio::task::spawn_blocking(testkit::sdk::node_modules)
        .await
        .unwrap();
    let built = tempfile::TempDir::new().unwrap();
    let mut compiler = Command::new("node");
    compiler
        .arg(modules.join("typescript/bin/tsc"))
        .args(["-p", "clients/typescript", "--outDir"])
        .arg(built.path());
    run_well(compiler).await;
    std::fs::write(built.path().join("package.json"), r#"{"type": "module"}"#).unwrap();
    let (site, server) = (mills().await, Server::start(None, &[]));
    let words = [
        "all",
        site.url("").trim_end_matches('/'),
        built.path().to_str().unwrap(),
    ]
    .map(str::to_owned);
    server
        .node("own_client.mjs", &words.each_ref().map(String::as_str))
        .await;
}
