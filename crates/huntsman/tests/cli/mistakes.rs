//! Mistakes on the command line: what each ends with and what is said, as in the table of `docs/cli.md`.

use std::fmt::Write as _;
use std::fs::{File, OpenOptions};
use std::net::TcpListener;
use std::path::Path;
use std::process::{Command, Output, Stdio};

use tempfile::TempDir;

use super::KETTLE;

/// Where standard input comes from, and what else is unusual.
#[derive(Clone, Copy)]
enum Scene {
    /// Nothing on stdin.
    Usual,
    /// This text on stdin.
    Input(&'static str),
    /// This variable.
    Variable(&'static str, &'static str),
    /// This `huntsman.toml`, named by `--config`.
    Settings(&'static str),
    /// This `huntsman.toml`, which merely lies in the folder.
    Found(&'static str),
    /// No room on the disk of stdout.
    FullDisk,
}
use Scene::{Found, FullDisk, Input, Settings, Usual, Variable};

/// What was done wrong, the command, the exit code, and words that have to be said.
type Row = (&'static str, Scene, &'static [&'static str], i32, &'static str);

const ADDRESS: &str = "http://127.0.0.1:9/x";

const MISTAKES: &[Row] = &[
    ("no command", Usual, &[], 2, "huntsman help settings"),
    ("misspelt command", Usual, &["scarpe", ADDRESS], 2, "'scrape'"),
    (
        "misspelt command below another",
        Usual,
        &["runs", "lits"],
        2,
        "'list'",
    ),
    (
        "misspelt flag",
        Usual,
        &["scrape", "--colums", "a", ADDRESS],
        2,
        "'--columns'",
    ),
    (
        "misspelt setting",
        Usual,
        &["scrape", "--engin", "http", ADDRESS],
        2,
        "'--engine'",
    ),
    (
        "flag before its command",
        Usual,
        &["--format", "csv", "scrape", ADDRESS],
        2,
        "huntsman scrape --format",
    ),
    (
        "flag of another program",
        Usual,
        &["scrape", "--json", ADDRESS],
        2,
        "--format json",
    ),
    (
        "flag of no program",
        Usual,
        &["scrape", "--qqqq", ADDRESS],
        2,
        "'--qqqq'",
    ),
    (
        "command of another program",
        Usual,
        &["fetch", ADDRESS],
        2,
        "huntsman scrape URL",
    ),
    (
        "address without a command",
        Usual,
        &[ADDRESS],
        2,
        "huntsman scrape http",
    ),
    ("help of no command", Usual, &["help", "scrpe"], 2, "\"scrape\""),
    ("no address", Usual, &["scrape"], 2, "<URL>"),
    (
        "unknown format",
        Usual,
        &["scrape", "--format", "yaml", ADDRESS],
        2,
        "jsonl",
    ),
    (
        "value of no number",
        Usual,
        &["scrape", "--concurrency", "many", ADDRESS],
        2,
        "1 to 64",
    ),
    (
        "number out of range",
        Usual,
        &["scrape", "--concurrency", "0", ADDRESS],
        2,
        "1 to 64",
    ),
    (
        "negative delay",
        Usual,
        &["scrape", "--delay=-1", ADDRESS],
        2,
        "0 to 3600",
    ),
    (
        "time out of range",
        Usual,
        &["scrape", "--timeout", "0", ADDRESS],
        2,
        "1",
    ),
    (
        "header without a colon",
        Usual,
        &["scrape", "-H", "secret", ADDRESS],
        2,
        "--header",
    ),
    (
        "cookie without a value",
        Usual,
        &["scrape", "--cookie", "secret", ADDRESS],
        2,
        "--cookie",
    ),
    (
        "size of no view",
        Usual,
        &["scrape", "--viewport", "wide", ADDRESS],
        2,
        "--viewport",
    ),
    (
        "time zone of no place",
        Usual,
        &["scrape", "--timezone", "Mars/Olympus", ADDRESS],
        2,
        "--timezone",
    ),
    (
        "country without an exit",
        Usual,
        &["scrape", "--country", "NO", ADDRESS],
        2,
        "HUNTSMAN_PROXIES",
    ),
    (
        "front matter of JSON",
        Usual,
        &["scrape", "--front-matter", ADDRESS],
        2,
        "--format markdown",
    ),
    (
        "whole page as an item",
        Usual,
        &["extract", "--content", "full", "page.html"],
        2,
        "--to markdown",
    ),
    (
        "nothing to extract from",
        Input("\n"),
        &["extract"],
        1,
        "the input is empty",
    ),
    (
        "moment of a price",
        Usual,
        &["parse", "price", "5 €", "--now", "2025-01-01T00:00:00"],
        2,
        "parse date",
    ),
    (
        "columns of JSON",
        Usual,
        &["scrape", "--columns", "title", ADDRESS],
        2,
        "--format csv",
    ),
    (
        "schema of Markdown",
        Usual,
        &["scrape", "--format", "markdown", "--schema", "none.json", ADDRESS],
        2,
        "--schema goes with",
    ),
    (
        "instructions for a format without rows",
        Usual,
        &[
            "scrape",
            "--format",
            "records",
            "--instructions",
            "under 10 euro",
            ADDRESS,
        ],
        2,
        "--instructions goes with",
    ),
    (
        "blank instructions",
        Usual,
        &["scrape", "--instructions", "", ADDRESS],
        2,
        "leave the flag out",
    ),
    (
        "wait for a number below zero",
        Usual,
        &["scrape", "--wait-for", "-5", ADDRESS],
        2,
        "milliseconds",
    ),
    (
        "schema that is not there",
        Usual,
        &["scrape", "--schema", "none.json", ADDRESS],
        2,
        "none.json",
    ),
    (
        "schema that is no JSON",
        Usual,
        &["scrape", "--schema", "page.html", ADDRESS],
        2,
        "not JSON",
    ),
    (
        "list that is not there",
        Usual,
        &["scrape", "--input", "none.txt"],
        2,
        "none.txt",
    ),
    (
        "list that is HTML",
        Usual,
        &["scrape", "--input", "page.html"],
        2,
        "huntsman extract",
    ),
    (
        "list that is an address",
        Usual,
        &["scrape", "--input", ADDRESS],
        2,
        "without --input",
    ),
    (
        "list that is a folder",
        Usual,
        &["scrape", "--input", "."],
        2,
        "cannot be read",
    ),
    (
        "empty list",
        Usual,
        &["scrape", "--input", "empty.txt"],
        2,
        "one on each line",
    ),
    (
        "list of bytes",
        Usual,
        &["scrape", "--input", "bytes.bin"],
        2,
        "UTF-8",
    ),
    (
        "nothing on stdin",
        Input("\n# none\n"),
        &["scrape", "-"],
        2,
        "stdin",
    ),
    (
        "stdin twice",
        Input(ADDRESS),
        &["scrape", "-", "--input", "-"],
        2,
        "once",
    ),
    (
        "result into no folder",
        Usual,
        &["scrape", ADDRESS, "-o", "none/x.json"],
        2,
        "--output",
    ),
    (
        "result into a folder",
        Usual,
        &["scrape", ADDRESS, "-o", "."],
        2,
        "--output",
    ),
    (
        "address that is a file",
        Usual,
        &["scrape", "page.html"],
        2,
        "huntsman extract page.html",
    ),
    ("blank address", Usual, &["scrape", " "], 2, "https://"),
    (
        "column without a name",
        Usual,
        &["scrape", "--columns", "title,", ADDRESS],
        2,
        "comma",
    ),
    (
        "address with a wrong port",
        Usual,
        &["scrape", "--format", "csv", "http://127.0.0.1:99999/x"],
        1,
        "invalid port number",
    ),
    (
        "proxy that is not there",
        Usual,
        &[
            "scrape",
            "--format",
            "csv",
            "--proxy",
            "http://127.0.0.1:9",
            ADDRESS,
        ],
        1,
        "the proxy",
    ),
    (
        "address that is none",
        Usual,
        &["scrape", "--format", "csv", "no address"],
        1,
        "https://",
    ),
    (
        "scheme that is not opened",
        Usual,
        &["scrape", "--format", "text", "ftp://a.example/x"],
        1,
        "http://",
    ),
    (
        "server that is not there",
        Usual,
        &["scrape", "--format", "markdown", "127.0.0.1:9"],
        1,
        "127.0.0.1:9",
    ),
    (
        "unknown engine",
        Usual,
        &["scrape", "--engine", "firefox", ADDRESS],
        2,
        "`chromium`",
    ),
    (
        "host with a scheme",
        Usual,
        &["scrape", "--allow-hosts", "http://x", ADDRESS],
        2,
        "HUNTSMAN_ALLOW_HOSTS",
    ),
    (
        "model that is not set",
        Usual,
        &["scrape", "--mode", "llm-dynamic", ADDRESS],
        2,
        "HUNTSMAN_LLM_PROVIDER",
    ),
    (
        "profile that is not there",
        Usual,
        &["scrape", "--profile", "nobody", ADDRESS],
        1,
        "nobody",
    ),
    (
        "variable of the wrong type",
        Variable("HUNTSMAN_WORKERS", "many"),
        &["settings"],
        2,
        "HUNTSMAN_WORKERS",
    ),
    (
        "server open to all without keys",
        Variable("HUNTSMAN_LISTEN", "0.0.0.0:0"),
        &["serve"],
        2,
        "HUNTSMAN_API_KEYS",
    ),
    ("port that is taken", Usual, &["serve"], 2, "--listen"),
    (
        "data folder that cannot be",
        Variable("HUNTSMAN_DATA_DIR", "/dev/null/x"),
        &["runs", "list"],
        1,
        "set it to a folder",
    ),
    (
        "settings that are not there",
        Usual,
        &["--config", "none.toml", "settings"],
        2,
        "name another",
    ),
    (
        "settings that are no TOML",
        Settings("[llm]\nmodel = \"x"),
        &["settings"],
        2,
        "line 2: the key \"model\"",
    ),
    (
        "misspelt key of the settings",
        Settings("\n\nlisen = \"127.0.0.1:1\""),
        &["settings"],
        2,
        "line 3",
    ),
    (
        "key of the wrong type",
        Settings("[llm]\nattempts = 1.5"),
        &["settings"],
        2,
        "line 2",
    ),
    (
        "key that is a table",
        Settings("engine = {a = {b = 1}}"),
        &["settings"],
        2,
        "line 1",
    ),
    (
        "key of a file that nobody named",
        Found("data_dir = \"x\""),
        &["settings"],
        2,
        "--config",
    ),
    (
        "file that is not there",
        Usual,
        &["extract", "none.html"],
        2,
        "none.html",
    ),
    (
        "file that is an address",
        Usual,
        &["extract", ADDRESS],
        2,
        "huntsman scrape http",
    ),
    (
        "file that is a folder",
        Usual,
        &["extract", "."],
        2,
        "name a file",
    ),
    (
        "unknown reading",
        Usual,
        &["extract", "--to", "poetry"],
        2,
        "markdown",
    ),
    (
        "address of no page",
        Usual,
        &["extract", "--url", "nowhere", "page.html"],
        2,
        "https://",
    ),
    ("text of no kind", Usual, &["parse", "time", "5"], 2, "price"),
    (
        "moment that is none",
        Usual,
        &["parse", "date", "5 May", "--now", "today"],
        2,
        "ISO 8601",
    ),
    (
        "language that is none",
        Usual,
        &["parse", "price", "5", "--locale", "d_"],
        2,
        "--locale",
    ),
    (
        "task without a model",
        Usual,
        &["automate", "buy a kettle"],
        2,
        "HUNTSMAN_LLM_PROVIDER",
    ),
    ("empty question", Usual, &["research", " "], 2, "write it"),
    (
        "source that is none",
        Usual,
        &["research", "why", "--source", "ftp://a.example"],
        2,
        "--source",
    ),
    (
        "unknown tool",
        Usual,
        &["tools", "show", "extract.email"],
        2,
        "extract.emails",
    ),
    (
        "parameters that are no JSON",
        Usual,
        &["tools", "run", "extract.emails", "--params", "x"],
        2,
        "@FILE",
    ),
    (
        "plan that is not there",
        Usual,
        &["plan", "run", "none.json"],
        2,
        "none.json",
    ),
    (
        "id that is none",
        Usual,
        &["runs", "show", "../../etc"],
        2,
        "runs list",
    ),
    (
        "run that is not there",
        Usual,
        &["runs", "show", "run_00000000000000000000000000000000"],
        1,
        "runs list",
    ),
    (
        "no run yet",
        Variable("HUNTSMAN_DATA_DIR", "empty"),
        &["runs", "last"],
        1,
        "runs list",
    ),
    (
        "nothing to go on with",
        Variable("HUNTSMAN_DATA_DIR", "empty"),
        &["runs", "resume"],
        1,
        "runs list",
    ),
    (
        "status that is none",
        Usual,
        &["runs", "list", "--status", "odd"],
        2,
        "running",
    ),
    ("nothing named to delete", Usual, &["runs", "delete"], 2, "<ID>"),
    (
        "prune of everything",
        Usual,
        &["runs", "prune"],
        2,
        "--older-than",
    ),
    (
        "folder that is not there",
        Usual,
        &["index", "add", "none"],
        2,
        "begins with http",
    ),
    (
        "model that nobody set",
        Usual,
        &["llm", "ping"],
        2,
        "HUNTSMAN_LLM_PROVIDER",
    ),
    (
        "console of no server",
        Variable("HUNTSMAN_LISTEN", "127.0.0.1:9"),
        &["open"],
        1,
        "huntsman serve",
    ),
    ("unknown shell", Usual, &["completions", "tcsh"], 2, "fish"),
    (
        "manual into no folder",
        Usual,
        &["man", "/dev/null/x"],
        2,
        "/dev/null/x",
    ),
    ("full disk", FullDisk, &["settings"], 1, "disk is full"),
    (
        "full disk, below a help text",
        FullDisk,
        &["scrape", "--help"],
        1,
        "disk is full",
    ),
];

fn run(folder: &Path, scene: Scene, line: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_huntsman"));
    for name in [
        "HUNTSMAN_CONFIG",
        "HUNTSMAN_LLM_PROVIDER",
        "HUNTSMAN_LLM_MODEL",
        "XDG_DATA_HOME",
        "XDG_CONFIG_HOME",
    ] {
        command.env_remove(name);
    }
    command
        .args(line)
        .current_dir(folder)
        .env("HOME", folder)
        .env("HUNTSMAN_DATA_DIR", "data")
        .env("HUNTSMAN_ENGINE", "http")
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    match scene {
        Usual => {}
        Input(text) => {
            std::fs::write(folder.join("stdin"), text).unwrap();
            command.stdin(File::open(folder.join("stdin")).unwrap());
        }
        Variable(name, value) => {
            command.env(name, value);
        }
        Settings(text) | Found(text) => {
            std::fs::write(folder.join("huntsman.toml"), text).unwrap();
            if matches!(scene, Settings(_)) {
                command.env("HUNTSMAN_CONFIG", "huntsman.toml");
            }
        }
        FullDisk => {
            command.stdout(OpenOptions::new().write(true).open("/dev/full").unwrap());
        }
    }
    let output = command.output().unwrap();
    // The next scene begins without settings.
    let _ = std::fs::remove_file(folder.join("huntsman.toml"));
    output
}

/// What was said, on one line: up to the usage that clap adds.
fn said(output: &Output) -> String {
    let text = String::from_utf8(output.stderr.clone()).unwrap();
    let lines = text
        .lines()
        .map(str::trim)
        .take_while(|line| !line.starts_with("Usage:"));
    lines
        .filter(|line| !line.is_empty())
        .collect::<Vec<_>>()
        .join(" ")
}

fn shown(scene: Scene, line: &[&str]) -> String {
    let quoted = |word: &&str| match word.is_empty() || word.contains(' ') {
        true => format!("\"{word}\""),
        false => (*word).to_owned(),
    };
    let line: String = line.iter().map(|word| format!(" {}", quoted(word))).collect();
    match scene {
        Variable(name, value) => format!("{name}={value} huntsman{line}"),
        FullDisk => format!("huntsman{line} > /dev/full"),
        Usual | Input(_) | Settings(_) | Found(_) => format!("huntsman{line}"),
    }
}

#[test]
fn every_mistake_ends_with_its_code_says_what_to_do_and_prints_nothing() {
    let folder = TempDir::new().unwrap();
    let file = |name: &str, bytes: &[u8]| std::fs::write(folder.path().join(name), bytes).unwrap();
    file("empty.txt", b"# none\n\n");
    file("bytes.bin", b"\xff\xfe\x00");
    file("page.html", KETTLE.as_bytes());
    let taken = TcpListener::bind("127.0.0.1:0").unwrap();
    let taken = format!("{}", taken.local_addr().unwrap());
    let mut table = String::from("| mistake | command | exit | what is said |\n|---|---|---|---|\n");
    let mut wrong = Vec::new();
    for (mistake, scene, line, code, words) in MISTAKES {
        let scene = match (*mistake, scene) {
            ("port that is taken", _) => {
                Variable("HUNTSMAN_LISTEN", Box::leak(taken.clone().into_boxed_str()))
            }
            (_, scene) => *scene,
        };
        let output = run(folder.path(), scene, line);
        let said = said(&output).replace(&taken, "127.0.0.1:8787");
        let shown = shown(scene, line).replace(&taken, "127.0.0.1:8787");
        let all = String::from_utf8_lossy(&output.stderr);
        let is_good = output.status.code() == Some(*code) && output.stdout.is_empty() && all.contains(words);
        if !is_good || all.contains("panicked") || said.contains("secret") {
            wrong.push(format!(
                "{mistake}: {shown}\n  wanted {code} and {words:?}: {output:?}"
            ));
        }
        let cell = |text: &str| text.replace('|', "\\|").replace('<', "&lt;");
        let _ = writeln!(table, "| {mistake} | `{shown}` | {code} | {} |", cell(&said));
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n\n"));
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/cli.md");
    let page = std::fs::read_to_string(&path).unwrap();
    let (head, _) = page.split_once("| mistake |").unwrap();
    let renewed = format!("{head}{table}");
    if std::env::var_os("BLESS").is_some() {
        std::fs::write(&path, &renewed).unwrap();
    } else {
        assert_eq!(
            page, renewed,
            "run `BLESS=1 cargo test --workspace --test cli mistake`"
        );
    }
}
