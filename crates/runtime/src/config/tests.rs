//! Settings: who wins over whom, and what a mistake in the file says.

use std::io::Write as _;
use std::path::Path;

use clap::{Args as _, Command, FromArgMatches as _};

use super::{Config, Engine, document, file};

fn command() -> Command {
    Config::augment_args(Command::new("huntsman"))
}

fn read(file: &str, flags: &[&str]) -> Result<Config, String> {
    let mut place = tempfile::NamedTempFile::new().unwrap();
    place.write_all(file.as_bytes()).unwrap();
    let command = file::lay_under(command(), place.path()).map_err(|it| it.to_string())?;
    let words = std::iter::once("huntsman").chain(flags.iter().copied());
    let matches = command.try_get_matches_from(words).map_err(|it| it.to_string())?;
    Config::from_arg_matches(&matches).map_err(|it| it.to_string())
}

#[test]
fn a_flag_wins_over_the_file_and_the_file_over_the_default() {
    assert_eq!(read("", &[]).unwrap().engine, Engine::Auto);
    assert_eq!(read("engine = \"http\"", &[]).unwrap().engine, Engine::Http);
    assert_eq!(
        read("engine = \"http\"", &["--engine", "chromium"])
            .unwrap()
            .engine,
        Engine::Chromium
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
fn a_misspelt_key_names_the_one_that_was_meant() {
    let error = read("lisen = \"127.0.0.1:1\"", &[]).unwrap_err();
    assert!(
        error.contains("\"lisen\"") && error.contains("did you mean \"listen\"?"),
        "{error}"
    );
}

#[test]
fn a_file_that_is_named_has_to_be_there() {
    let error = file::lay_under(command(), Path::new("/nowhere/huntsman.toml")).unwrap_err();
    assert!(
        error
            .to_string()
            .starts_with("cannot read the configuration file /nowhere/huntsman.toml")
    );
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
