//! Logins, from the vault over the login itself to the pages behind it, their end and a new login.

use std::fs;
use std::io::Write as _;
use std::path::Path;
use std::process::{Command, Output, Stdio};

use serde_json::{Value, json};
use tempfile::TempDir;
use testkit::demo::account::{COOKIE, PASSWORD, TOTP_SECRET};
use testkit::{ProviderAnswer, ProviderRequest, ScriptedProvider, ScriptedTurn, play_automation};

/// The commands of one test, in one folder, with the log of all of them.
struct Desk {
    folder: TempDir,
    engine: &'static str,
    provider: String,
}

impl Desk {
    fn new(provider: &ScriptedProvider, engine: &'static str) -> Self {
        Self {
            folder: TempDir::new().unwrap(),
            engine,
            provider: provider.base_url(),
        }
    }

    fn data(&self) -> std::path::PathBuf {
        self.folder.path().join("data")
    }

    /// Runs a command with this text on stdin. What it logs at `debug` is kept.
    fn run(&self, words: &[&str], stdin: &str) -> Output {
        let mut child = Command::new(env!("CARGO_BIN_EXE_huntsman"))
            .args(words)
            .env("HUNTSMAN_DATA_DIR", self.data())
            .env("HUNTSMAN_ENGINE", self.engine)
            .env("HUNTSMAN_CHROMIUM_SANDBOX", "off")
            .env("HUNTSMAN_ALLOW_HOSTS", "127.0.0.1")
            .env("HUNTSMAN_LOG", "debug")
            .env("HUNTSMAN_LLM_PROVIDER", "openai_chat")
            .env("HUNTSMAN_LLM_MODEL", "scripted")
            .env("HUNTSMAN_LLM_BASE_URL", &self.provider)
            .env("HUNTSMAN_LLM_API_KEY", "scripted-key-1234")
            .current_dir(self.folder.path())
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        // A command that reads no stdin may have ended already.
        let _ = child.stdin.take().unwrap().write_all(stdin.as_bytes());
        let output = child.wait_with_output().unwrap();
        let mut log = fs::OpenOptions::new()
            .create(true)
            .append(true)
            .open(self.folder.path().join("log"))
            .unwrap();
        log.write_all(&output.stderr).unwrap();
        output
    }

    fn ok(&self, words: &[&str], stdin: &str) -> String {
        let output = self.run(words, stdin);
        let (out, err) = (text(&output.stdout), text(&output.stderr));
        assert!(output.status.success(), "{words:?}\n{out}\n{err}");
        out
    }

    fn set_secrets(&self, site: &str, user: &str) {
        for (name, kind, value) in [
            ("demo-user", "text", user),
            ("demo-password", "password", PASSWORD),
            ("demo-code", "totp", TOTP_SECRET),
        ] {
            let set = self.ok(&["vault", "set", name, "--kind", kind, "--site", site], value);
            assert!(!set.contains(value), "{set}");
        }
    }

    fn log_in(&self, base: &str) -> Output {
        let url = format!("{base}/account/orders");
        let words = [
            "profile",
            "login",
            "shop",
            "--url",
            &url,
            "--secret",
            "user=demo-user",
            "--secret",
            "password=demo-password",
            "--secret",
            "code=demo-code",
        ];
        self.run(&words, "")
    }

    /// The token of the session that the profile holds.
    fn token(&self) -> String {
        let state: Value = serde_json::from_str(&self.ok(&["profile", "export", "shop"], "")).unwrap();
        let cookies = state["cookies"].as_array().unwrap();
        let cookie = cookies.iter().find(|it| it["name"] == COOKIE).unwrap();
        cookie["value"].as_str().unwrap().to_owned()
    }
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

/// Logs in where a page asks for that, and is done.
fn play(asked: &ProviderRequest) -> ProviderAnswer {
    let task = asked.body.to_string();
    play_automation(asked, |turn, named| {
        let fill = |name: &str, key: &str| {
            ScriptedTurn::call("fill_user_data", json!({"ref": named(name), "key": key}))
        };
        if task.contains("what has been ordered") {
            return ScriptedTurn::call("done", json!({"result": "a copper kettle and a blue teapot"}));
        }
        match turn {
            0 => fill("User", "user"),
            1 => fill("Password", "password"),
            2 => ScriptedTurn::call("click", json!({"ref": named("Log in")})),
            3 => fill("Code", "code"),
            4 => ScriptedTurn::call("click", json!({"ref": named("Confirm")})),
            _ => ScriptedTurn::call("done", json!({"result": "logged in"})),
        }
    })
    .into()
}

/// Every file below a folder.
fn files(folder: &Path) -> Vec<(String, Vec<u8>)> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).unwrap().flatten() {
        match entry.path().is_dir() {
            true => found.extend(files(&entry.path())),
            false => found.push((
                entry.path().display().to_string(),
                fs::read(entry.path()).unwrap(),
            )),
        }
    }
    found
}

/// The whole life of a login in an engine.
async fn life_of_a_login(engine: &'static str, user: &'static str) {
    let site = testkit::shop::start().await;
    let provider = ScriptedProvider::start(|asked, _| play(asked)).await;
    let base = site.url("").trim_end_matches('/').to_owned();
    let (provider, tokens) = tokio::task::spawn_blocking(move || {
        let desk = Desk::new(&provider, engine);
        let host = base.trim_start_matches("http://").to_owned();
        let url = format!("{base}/account/orders");
        desk.set_secrets(&host, user);
        let scrape = ["scrape", &url, "--profile", "shop", "--format", "text"];
        let unknown = desk.run(&scrape, "");
        assert!(
            text(&unknown.stderr).contains("there is no profile named shop"),
            "{unknown:?}"
        );

        let login = desk.log_in(&base);
        assert!(login.status.success(), "{}", text(&login.stderr));
        let first = desk.token();
        let list = desk.ok(&["profile", "list"], "");
        assert!(
            list.contains("shop") && list.contains("127.0.0.1") && !list.contains(&first),
            "{list}"
        );

        let page = desk.ok(&scrape, "");
        assert!(page.contains("order 4712 left the depot"), "{page}");
        let without = desk.run(&["scrape", &url, "--format", "text"], "");
        assert!(
            !text(&without.stdout).contains("4712"),
            "without the profile nothing is seen"
        );
        let task = "say what has been ordered";
        let answer = desk.ok(&["automate", task, "--url", &url, "--profile", "shop"], "");
        assert!(answer.contains("copper kettle"), "{answer}");
        let question = "Which depot did the parcel of order 4712 leave?";
        let events = desk.run(
            &[
                "research",
                question,
                "--source",
                &url,
                "--profile",
                "shop",
                "--events",
            ],
            "",
        );
        assert!(text(&events.stdout).contains("Orders of"), "{events:?}");

        desk.ok(&["scrape", &format!("{base}/account/end?user={user}")], "");
        let expired = desk.run(&scrape, "");
        let told = text(&expired.stdout) + &text(&expired.stderr);
        assert!(
            !expired.status.success() && told.contains("profile login shop"),
            "{told}"
        );
        let research = ["research", question, "--source", &url, "--profile", "shop"];
        let expired = desk.run(&research, "");
        let told = text(&expired.stdout);
        assert!(
            told.contains("do not answer") && told.contains("log in again: huntsman profile login shop"),
            "{told}"
        );
        let login = desk.log_in(&base);
        assert!(login.status.success(), "{}", text(&login.stderr));
        let second = desk.token();
        assert_ne!(first, second);
        assert!(desk.ok(&scrape, "").contains("order 4712 left the depot"));

        let prompts = format!(
            "{:?}",
            provider.seen().iter().map(|it| &it.body).collect::<Vec<_>>()
        );
        for secret in [PASSWORD, TOTP_SECRET, &first, &second] {
            assert!(!prompts.contains(secret), "a secret is in a prompt");
            for (path, bytes) in files(desk.folder.path()) {
                assert!(!text(&bytes).contains(secret), "a secret is in {path}");
            }
        }
        (provider, [first, second])
    })
    .await
    .unwrap();
    let asked = site.asked();
    let sent = |secret: &str| {
        let is_in = |bytes: &[u8]| text(bytes).contains(secret);
        asked
            .iter()
            .any(|it| is_in(&it.body) || it.headers.values().any(|value| is_in(value.as_bytes())))
    };
    for secret in tokens.iter().map(String::as_str).chain([PASSWORD]) {
        assert!(sent(secret), "what was hidden was used all the same");
    }
    assert_eq!(provider.faults(), Vec::<String>::new());
}

#[tokio::test(flavor = "multi_thread")]
async fn a_login_is_made_used_by_every_kind_of_run_told_when_it_ends_and_made_again() {
    life_of_a_login("http", "ada").await;
}

#[tokio::test(flavor = "multi_thread")]
#[ignore = "needs a browser"]
async fn a_login_lives_in_a_browser_as_it_does_without_one() {
    life_of_a_login("chromium", "bob").await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_secret_goes_to_no_other_site_whatever_the_run_trusts() {
    let site = testkit::shop::start().await;
    let provider = ScriptedProvider::start(|asked, _| play(asked)).await;
    let base = site.url("").trim_end_matches('/').to_owned();
    let prompts = tokio::task::spawn_blocking(move || {
        let desk = Desk::new(&provider, "http");
        desk.set_secrets("shop.example", "eve");
        let url = format!("{base}/account/login");
        let words = [
            "automate",
            "log in",
            "--url",
            &url,
            "--unsafe-mode",
            "--max-iterations",
            "2",
            "--secret",
            "user=demo-user",
            "--secret",
            "password=demo-password",
        ];
        desk.run(&words, "");
        format!(
            "{:?}",
            provider.seen().iter().map(|it| &it.body).collect::<Vec<_>>()
        )
    })
    .await
    .unwrap();
    assert!(prompts.contains("may not be filled on this site"), "{prompts}");
    assert!(
        site.asked().iter().all(|it| it.method == "GET"),
        "nothing was sent"
    );
}

#[tokio::test(flavor = "multi_thread")]
#[ignore = "needs a browser"]
async fn local_storage_of_a_profile_is_there_before_the_page_and_is_written_back() {
    let site = testkit::shop::start().await;
    let provider = ScriptedProvider::start(|asked, _| play(asked)).await;
    let base = site.url("").trim_end_matches('/').to_owned();
    tokio::task::spawn_blocking(move || {
        let desk = Desk::new(&provider, "chromium");
        let state =
            json!({"origins": [{"origin": base, "localStorage": [{"name": "theme", "value": "dark"}]}]});
        desk.ok(&["profile", "import", "shop", "-"], &state.to_string());
        let read = |query: &str| {
            let url = format!("{base}/account/theme{query}");
            desk.ok(
                &[
                    "scrape",
                    &url,
                    "--profile",
                    "shop",
                    "--profile-save",
                    "--format",
                    "text",
                ],
                "",
            )
        };
        let saved = || desk.ok(&["profile", "export", "shop"], "");
        let page = read("");
        assert!(page.contains("is dark"), "{page}");
        let page = read("?set=blue");
        assert!(page.contains("is blue"), "{page}");
        assert!(saved().contains("\"blue\""));
        let page = read("?set=");
        assert!(page.contains("is not chosen"), "{page}");
        assert!(!saved().contains("\"blue\""), "what the page has cleared is gone");
    })
    .await
    .unwrap();
}
