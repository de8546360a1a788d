//! The documents as a reader follows them: every command is typed, and what it prints is what the page says.
//!
//! `BLESS=1` writes into a page what its commands print where the two differ.

// A test that cannot set up its scene has to fail, loudly and at once.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

#[path = "guides/markdown.rs"]
mod markdown;
#[path = "guides/model.rs"]
mod model;
#[path = "guides/session.rs"]
mod session;

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use markdown::{Command, Step, matches, steps};
use session::Session;

/// Blocks of all pages that no test runs. Each says why; there are never more of them than this.
const NOT_RUN: usize = 22;

/// A page of the documents, with a test that follows it.
macro_rules! pages {
    ($($(#[$ignored:meta])? $name:ident: $file:literal,)+) => {
        const PAGES: &[&str] = &[$($file),+];
        $(
            #[test]
            $(#[$ignored])?
            fn $name() {
                follow($file);
            }
        )+
    };
}

pages! {
    #[ignore = "needs Python and Node"]
    guide_install: "docs/guide/install.md",
    #[ignore = "needs a browser"]
    guide_first_scrape: "docs/guide/first-scrape.md",
    guide_lists: "docs/guide/lists.md",
    guide_sites: "docs/guide/sites.md",
    guide_logins: "docs/guide/logins.md",
    #[ignore = "needs a browser"]
    guide_automate: "docs/guide/automate.md",
    guide_research: "docs/guide/research.md",
    guide_tools: "docs/guide/tools.md",
    #[ignore = "needs Python and Node"]
    guide_server: "docs/guide/server.md",
    guide_security: "docs/guide/security.md",
    #[ignore = "needs Python"]
    clients: "docs/clients.md",
    #[ignore = "needs Python"]
    guide_from_tabstack: "docs/guide/from-tabstack.md",
    guide_from_firecrawl: "docs/guide/from-firecrawl.md",
    #[ignore = "needs Python"]
    guide_from_scrapy: "docs/guide/from-scrapy.md",
    #[ignore = "needs a browser"]
    readme: "README.md",
    command_line: "docs/cli.md",
    console: "docs/console.md",
    #[ignore = "needs Python"]
    crawl: "docs/crawl.md",
    mcp: "docs/mcp.md",
    memory: "docs/memory.md",
    monitors: "docs/monitors.md",
    pages: "docs/pages.md",
    tenants: "docs/tenants.md",
    traces: "docs/traces.md",
    webhooks: "docs/webhooks.md",
}

fn workspace() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../..")
        .canonicalize()
        .unwrap()
}

/// Does what a page says, from its first block to its last.
fn follow(file: &str) {
    let path = workspace().join(file);
    let page = std::fs::read_to_string(&path).unwrap();
    let steps = steps(&page).unwrap_or_else(|faults| panic!("{file}: {}", faults.join("\n")));
    let model = page.contains("=ollama").then(model::Model::start);
    let mut session = Session::begin(model.as_ref().map(|model| model.port));
    if page.contains("tabstack") || page.contains("huntsman_client") {
        session.add_clients(page.contains(".mjs"));
    }
    if page.contains("cd packages") {
        session.add_packages();
    }
    let mut differences = Vec::new();
    for step in &steps {
        match step {
            Step::NotRun { .. } => {}
            Step::File { name, text } => session.save(name, text),
            Step::Background(command) => {
                let printed = session.start(&command.text, &command.expected);
                differences.extend(difference(command, printed, (0, 0)));
            }
            Step::Console { commands, exit } => {
                for (index, command) in commands.iter().enumerate() {
                    let expected = if index + 1 == commands.len() { *exit } else { 0 };
                    let (printed, code) = session.run(&command.text).unwrap_or_else(|fault| {
                        panic!("{file}:{}: `{}` {fault}", command.line, command.text)
                    });
                    differences.extend(difference(command, printed, (expected, code)));
                }
            }
        }
    }
    if let Some(model) = model {
        assert_eq!(
            model.faults(),
            Vec::<String>::new(),
            "{file}: requests to the model"
        );
    }
    if std::env::var_os("BLESS").is_some() {
        std::fs::write(&path, blessed(&page, &differences)).unwrap();
    }
    let told: Vec<String> = differences.iter().map(|it| it.told(file)).collect();
    assert!(told.is_empty(), "{}", told.join("\n"));
}

/// A command that did something else than its page says.
struct Difference<'a> {
    command: &'a Command,
    printed: Vec<String>,
    /// What the page says, and what it was.
    exit: (i32, i32),
}

impl Difference<'_> {
    fn told(&self, file: &str) -> String {
        format!(
            "{file}:{}: $ {}\nexit code {} of {}\n--- the page says\n{}\n--- it prints\n{}\n",
            self.command.line,
            self.command.text,
            self.exit.1,
            self.exit.0,
            self.command.expected.join("\n"),
            self.printed.join("\n")
        )
    }
}

fn difference(command: &Command, printed: Vec<String>, exit: (i32, i32)) -> Option<Difference<'_>> {
    let lines: Vec<&str> = printed.iter().map(String::as_str).collect();
    let is_same = exit.0 == exit.1 && matches(&command.expected, &lines);
    (!is_same).then_some(Difference {
        command,
        printed,
        exit,
    })
}

/// The page with what was printed where it differs. Exit codes stay as they are: they are for a person to change.
fn blessed(page: &str, differences: &[Difference]) -> String {
    let mut lines: Vec<&str> = page.lines().collect();
    for difference in differences.iter().rev() {
        let begin = difference.command.output_line - 1;
        let end = begin + difference.command.expected.len();
        lines.splice(begin..end, difference.printed.iter().map(String::as_str));
    }
    lines.join("\n") + "\n"
}

#[test]
fn a_page_that_is_wrong_is_found_out() {
    let page = "```console\n$ x=1\n$ echo $x two\n1 three\n$ false\n```\n";
    let Step::Console { commands, .. } = &steps(page).unwrap()[0] else {
        panic!("a block of commands");
    };
    let mut session = Session::begin(None);
    let mut run = |index: usize, exit: i32| {
        let (printed, code) = session.run(&commands[index].text).unwrap();
        difference(&commands[index], printed, (exit, code))
    };
    assert!(run(0, 0).is_none(), "a variable is set and nothing printed");
    let wrong = run(1, 0).unwrap();
    assert_eq!(
        (wrong.printed.clone(), wrong.exit),
        (vec!["1 two".to_owned()], (0, 0))
    );
    assert_eq!(blessed(page, &[wrong]), page.replace("three", "two"));
    assert_eq!(run(2, 0).unwrap().exit, (0, 1));
}

#[test]
fn every_page_of_the_documents_is_followed() {
    let root = workspace();
    let mut found = BTreeSet::from(["README.md".to_owned()]);
    for folder in ["docs", "docs/guide"] {
        for entry in std::fs::read_dir(root.join(folder)).unwrap() {
            let name = entry.unwrap().file_name().into_string().unwrap();
            found.extend(name.ends_with(".md").then(|| format!("{folder}/{name}")));
        }
    }
    let mut not_run = 0;
    let mut faults = Vec::new();
    for file in &found {
        match steps(&std::fs::read_to_string(root.join(file)).unwrap()) {
            Err(wrong) => faults.extend(wrong.iter().map(|fault| format!("{file}: {fault}"))),
            Ok(steps) => {
                let has_commands = steps
                    .iter()
                    .any(|it| matches!(it, Step::Console { .. } | Step::Background(_)));
                if has_commands && !PAGES.contains(&file.as_str()) {
                    faults.push(format!("{file}: has commands and stands in no test"));
                }
                for step in &steps {
                    if let Step::NotRun { line, reason } = step {
                        not_run += 1;
                        println!("{file}:{line}: {reason}");
                    }
                }
            }
        }
    }
    faults.extend(
        PAGES
            .iter()
            .filter(|file| !found.contains(**file))
            .map(|file| format!("there is no {file}")),
    );
    assert!(faults.is_empty(), "{}", faults.join("\n"));
    assert!(
        not_run <= NOT_RUN,
        "{not_run} blocks are not run, of {NOT_RUN} at most"
    );
}
