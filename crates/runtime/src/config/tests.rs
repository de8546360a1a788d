//! Settings: precedence, wrong types, mistakes in the file, and the documentation.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::io::Write as _;
use std::path::Path;

use clap::Command;
use wire::BrowserEngine as Engine;
use wire::scrape::ExtractionMode as ResearchMode;

use super::file::{FileChoice, SettingsFile};
use super::{Config, Origin, SETTINGS, document, flags};

type Variables<'a> = &'a [(&'a str, &'a str)];

fn command() -> Command {
    flags::add_to(
        Command::new("huntsman")
            .subcommand(Command::new("scrape"))
            .subcommand(Command::new("serve")),
    )
}

/// The configuration by a file's text, variables and a command line.
fn resolve(file: &str, variables: Variables<'_>, line: &[&str]) -> Result<Config, String> {
    let mut path = tempfile::NamedTempFile::new().unwrap();
    path.write_all(file.as_bytes()).unwrap();
    let file = SettingsFile::read(&FileChoice::Trusted(path.path().to_owned()))
        .map_err(|error| error.to_string())?;
    let words = std::iter::once("huntsman").chain(line.iter().copied());
    let matches = command()
        .try_get_matches_from(words)
        .map_err(|error| error.to_string())?;
    let variables: BTreeMap<_, _> = variables.iter().copied().collect();
    let environment = |name: &str| variables.get(name).map(OsString::from);
    Config::resolve(flags::given(&matches), environment, file).map_err(|error| error.to_string())
}

fn read(file: &str, line: &[&str]) -> Result<Config, String> {
    resolve(file, &[], line)
}

#[test]
fn a_flag_wins_over_the_variable_that_over_the_file_and_that_over_the_default() {
    let file = "engine = \"http\"";
    let variable = [("HUNTSMAN_ENGINE", "chromium")];
    let engine = |file, variables, line| resolve(file, variables, line).unwrap().engine;
    assert_eq!(engine("", &[], &[]), Engine::Auto);
    assert_eq!(engine(file, &[], &[]), Engine::Http);
    assert_eq!(engine(file, &variable, &[]), Engine::Chromium);
    assert_eq!(engine(file, &variable, &["--engine", "auto"]), Engine::Auto);
    assert_eq!(
        engine(file, &variable, &["scrape", "--engine", "auto"]),
        Engine::Auto
    );
    assert_eq!(
        engine("", &[], &["--engine", "http", "scrape", "--engine", "chromium"]),
        Engine::Chromium
    );
}

#[test]
fn another_programs_variable_counts_where_ours_is_not_set() {
    let mode = |variables| resolve("mode = \"llm-dynamic\"", variables, &[]).unwrap().mode;
    assert_eq!(mode(&[("AGENT_MODE", "LLM_FIXED")]), ResearchMode::LlmFixed);
    assert_eq!(
        mode(&[("AGENT_MODE", "llm-fixed"), ("HUNTSMAN_MODE", "")]),
        ResearchMode::LlmFixed
    );
    assert_eq!(
        mode(&[("AGENT_MODE", "llm-fixed"), ("HUNTSMAN_MODE", "rule-based")]),
        ResearchMode::RuleBased
    );
    assert_eq!(
        resolve("", &[("LLM_SCHEMA_RETRIES", "5")], &[])
            .unwrap()
            .llm_schema_retries,
        5
    );
}

#[test]
fn a_list_in_the_file_is_a_list() {
    assert_eq!(
        read("allow-hosts = [\"a.test\", \"b.test:80\"]", &[])
            .unwrap()
            .allow_hosts,
        ["a.test", "b.test:80"]
    );
}

#[test]
fn a_value_of_the_wrong_type_names_the_setting_where_it_comes_from_and_what_it_takes() {
    let message = |file: &str, variables, line| resolve(file, variables, line).unwrap_err();
    assert_eq!(
        message("", &[], &["scrape", "--workers", "many"]),
        "the setting workers takes a whole number of at least 0; the flag --workers gives \"many\""
    );
    assert_eq!(
        message("", &[("HUNTSMAN_RUN_SECONDS", "0")], &[]),
        "the setting run_seconds takes a whole number from 1 to 86400; the variable HUNTSMAN_RUN_SECONDS gives \"0\""
    );
    assert_eq!(
        message("", &[("HUNTSMAN_EVENTS", "internal")], &[]),
        "the setting audience takes `public`, `verbose` or `debug`; the variable HUNTSMAN_EVENTS gives \"internal\""
    );
    let error = message("[llm]\nattempts = 1.5", &[], &[]);
    assert!(
        error.starts_with(
            "the setting llm_attempts takes a whole number from 1 to 20; the key \"llm.attempts\" in /"
        ) && error.ends_with(" gives \"1.5\""),
        "{error}"
    );
    let error = message("cdp_endpoints = [\"ws://127.0.0.1:1\", \"nowhere\"]", &[], &[]);
    assert!(error.ends_with(" gives \"nowhere\""), "{error}");
    for (name, text) in [
        ("HUNTSMAN_PROXY", "http//joe:s3cret@proxy:3128"),
        ("HUNTSMAN_CDP_ENDPOINTS", "browser/?token=s3cret"),
    ] {
        let error = resolve("", &[(name, text)], &[]).unwrap_err();
        assert!(error.contains(name) && !error.contains("s3cret"), "{error}");
    }
}

#[test]
fn every_setting_accepts_its_default_and_says_what_it_takes() {
    for setting in SETTINGS {
        let texts: Vec<OsString> = setting.default.map(OsString::from).into_iter().collect();
        assert_eq!((setting.check)(&texts, setting), Ok(()), "{}", setting.name);
        assert!(
            !setting.takes().is_empty() && !setting.help().is_empty(),
            "{}",
            setting.name
        );
        assert!(
            !setting.commands.is_empty(),
            "{} concerns no command",
            setting.name
        );
    }
}

#[test]
fn a_misspelt_key_names_the_one_that_was_meant() {
    let error = read("lisen = \"127.0.0.1:1\"", &[]).unwrap_err();
    assert!(
        error.contains("\"lisen\"") && error.contains("did you mean \"listen\"?"),
        "{error}"
    );
}

#[test]
fn a_file_that_is_named_has_to_be_there() {
    let error = SettingsFile::read(&FileChoice::Trusted("/nowhere/huntsman.toml".into())).unwrap_err();
    assert!(
        error
            .to_string()
            .starts_with("cannot read the configuration file /nowhere/huntsman.toml")
    );
}

#[test]
fn a_file_that_was_only_found_sets_nothing_that_runs_opens_or_sends() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("huntsman.toml");
    let read = |setting: &str| {
        std::fs::write(&path, format!("{setting} = \"x\"")).unwrap();
        SettingsFile::read(&FileChoice::Found(path.clone())).map_err(|error| error.to_string())
    };
    for setting in SETTINGS {
        let named = {
            std::fs::write(&path, format!("{} = \"x\"", setting.name)).unwrap();
            SettingsFile::read(&FileChoice::Trusted(path.clone()))
        };
        assert!(named.is_ok(), "{}", setting.name);
        assert_eq!(
            read(setting.name).is_ok(),
            setting.in_found_file,
            "{}",
            setting.name
        );
    }
    std::fs::write(&path, "store = \"nats://host\"").unwrap();
    assert!(
        SettingsFile::read(&FileChoice::Found(path.clone())).is_err(),
        "the store names a host"
    );
    for name in [
        "listen",
        "api_keys",
        "server_names",
        "data_dir",
        "allow_hosts",
        "proxy",
        "uploads",
        "tools_dir",
        "tools_granted",
        "llm_provider",
        "llm_base_url",
        "llm_api_key",
        "llm_record",
        "llm_replay",
        "llm_prices",
        "chromium",
        "cdp_endpoints",
        "chromium_sandbox",
        "chromium_args",
        "search_provider",
        "search_url",
        "search_api_key",
    ] {
        let error = read(name).unwrap_err();
        assert!(
            error.contains(&format!("sets {name:?}")) && error.contains("--config"),
            "{error}"
        );
    }
}

#[test]
fn an_open_address_needs_keys() {
    let open = read("listen = \"0.0.0.0:80\"", &[]).unwrap();
    assert!(open.check().unwrap_err().contains("HUNTSMAN_API_KEYS"));
    assert!(
        read("listen = \"0.0.0.0:80\"\napi_keys = \"long-enough\"", &[])
            .unwrap()
            .check()
            .is_ok()
    );
}

#[test]
fn a_key_is_never_shown() {
    let config = read("api_keys = \"long-enough\"", &[]).unwrap();
    assert!(!format!("{config:?}").contains("long-enough"));
}

#[test]
fn settings_about_models_are_passed_on_as_text() {
    let config = read(
        "[llm]\nmodel = \"m\"\nbudget_tokens = 5",
        &["--llm-api-key", "key"],
    )
    .unwrap();
    assert_eq!(config.llm_variable("HUNTSMAN_LLM_MODEL").as_deref(), Some("m"));
    assert_eq!(
        config.llm_variable("HUNTSMAN_LLM_BUDGET_TOKENS").as_deref(),
        Some("5")
    );
    assert_eq!(
        config.llm_variable("HUNTSMAN_LLM_API_KEY").as_deref(),
        Some("key")
    );
    assert_eq!(config.llm_variable("HUNTSMAN_DATA_DIR"), None);
    let origin = |name: &str| {
        config
            .origins
            .origin(SETTINGS.iter().find(|it| it.name == name).unwrap())
    };
    assert_eq!(origin("llm_api_key"), &Origin::Flag("--llm-api-key".to_owned()));
    assert_eq!(origin("llm_repair"), &Origin::Default);
}

#[test]
fn every_command_takes_every_setting_and_no_help_lists_them() {
    let help = |line: &[&str]| {
        let words = std::iter::once("huntsman").chain(line.iter().copied());
        command().try_get_matches_from(words).unwrap_err().to_string()
    };
    for line in [&["--help"][..], &["scrape", "--help"], &["serve", "--help"]] {
        let help = help(line);
        assert!(!help.contains("--engine") && !help.contains("--listen"), "{help}");
    }
    assert!(
        read("", &["scrape", "--listen", "127.0.0.1:1"]).is_ok(),
        "accepted all the same"
    );
}

#[test]
fn the_document_in_the_repository_is_current() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/config.md");
    if std::env::var_os("BLESS").is_some() {
        std::fs::write(&path, document::render()).unwrap();
    }
    assert_eq!(
        std::fs::read_to_string(path).unwrap(),
        document::render(),
        "run `BLESS=1 cargo test -p runtime`"
    );
}
