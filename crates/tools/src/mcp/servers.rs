//! Which servers are configured, and how each is reached?

use std::collections::BTreeMap;
use std::path::Path;

use serde::Deserialize;
use serde_json::Value;
use url::Url;

use super::{FILE, word_of};
use crate::manifest::{BadManifest, Effects, rules};
use crate::registry::Refused;

/// Most servers of one file.
const MOST: usize = 50;

/// A server, ready to be reached.
#[derive(Debug, Clone)]
pub(super) struct Server {
    /// Its name as the operator wrote it.
    pub(super) name: String,
    /// The category of its tools.
    pub(super) word: String,
    pub(super) way: Way,
    /// Longest time for one call, in milliseconds.
    pub(super) timeout_ms: u64,
    /// The only tools that are taken, when any are named.
    pub(super) only: Option<Vec<String>>,
    /// What the operator knows better than the server says.
    pub(super) effects: BTreeMap<String, Effects>,
}

/// How a server is reached.
#[derive(Debug, Clone)]
pub(super) enum Way {
    /// A program that is started, and spoken to over its pipes.
    Program {
        command: String,
        args: Vec<String>,
        env: BTreeMap<String, String>,
        cwd: Option<String>,
    },
    /// An address.
    Address {
        url: Url,
        headers: BTreeMap<String, String>,
    },
}

/// An entry of the file. Keys that other programs put there are passed over.
#[derive(Deserialize)]
struct Written {
    #[serde(default, alias = "transport")]
    r#type: Option<String>,
    #[serde(default)]
    command: Option<String>,
    #[serde(default)]
    args: Vec<String>,
    #[serde(default)]
    env: BTreeMap<String, String>,
    #[serde(default)]
    cwd: Option<String>,
    #[serde(default)]
    url: Option<String>,
    #[serde(default)]
    headers: BTreeMap<String, String>,
    #[serde(default)]
    disabled: bool,
    #[serde(default)]
    timeout_ms: Option<u64>,
    #[serde(default)]
    tools: Option<Vec<String>>,
    #[serde(default)]
    effects: BTreeMap<String, Effects>,
}

/// Reads the file of a folder; no servers when there is none.
///
/// # Errors
/// When it cannot be used, with everything that is wrong with it. No value of the environment is in the text.
pub(super) fn read(folder: &Path) -> Result<Vec<Server>, Refused> {
    let path = folder.join(FILE);
    let bad = |issues: Vec<String>| {
        Refused::Manifest(BadManifest {
            place: FILE.to_owned(),
            issues,
        })
    };
    let text = match std::fs::metadata(&path) {
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(Vec::new()),
        Err(error) => return Err(bad(vec![error.to_string()])),
        Ok(about) if about.len() > rules::MAX_BYTES as u64 => {
            return Err(bad(vec![format!("it has more than {} bytes", rules::MAX_BYTES)]));
        }
        Ok(_) => std::fs::read_to_string(&path).map_err(|error| bad(vec![error.to_string()]))?,
    };
    parse(&text, &|name| std::env::var(name).ok()).map_err(bad)
}

/// Reads the text of the file; `variable` gives what `${NAME}` stands for.
pub(super) fn parse(
    text: &str,
    variable: &dyn Fn(&str) -> Option<String>,
) -> Result<Vec<Server>, Vec<String>> {
    if rules::nesting(text).is_some_and(|it| it > rules::MAX_DEPTH) {
        return Err(vec![format!(
            "it is nested deeper than {} levels",
            rules::MAX_DEPTH
        )]);
    }
    let file: Value = serde_json::from_str(text).map_err(|error| vec![format!("it is not JSON: {error}")])?;
    let listed = file.get("mcpServers").or_else(|| file.get("servers"));
    let Some(listed) = listed.and_then(Value::as_object) else {
        return Err(vec![
            "it holds no `mcpServers`: an object of servers by name, each with a `command` or a `url`".into(),
        ]);
    };
    let mut issues = Vec::new();
    if listed.len() > MOST {
        issues.push(format!(
            "it names {} servers; at most {MOST} are used",
            listed.len()
        ));
    }
    let mut servers: Vec<Server> = Vec::new();
    for (name, written) in listed {
        let read = serde_json::from_value::<Written>(written.clone()).map_err(|error| error.to_string());
        match read.and_then(|it| server(name, it, variable)) {
            Ok(None) => {}
            Ok(Some(server)) if servers.iter().any(|it| it.word == server.word) => {
                issues.push(format!(
                    "{name:?}: another server is called {:?} already",
                    server.word
                ));
            }
            Ok(Some(server)) => servers.push(server),
            Err(why) => issues.push(format!("{name:?}: {why}")),
        }
    }
    if issues.is_empty() {
        Ok(servers)
    } else {
        Err(issues)
    }
}

fn server(
    name: &str,
    written: Written,
    variable: &dyn Fn(&str) -> Option<String>,
) -> Result<Option<Server>, String> {
    if written.disabled {
        return Ok(None);
    }
    let word = word_of(name).ok_or("its name needs letters: it stands before the names of its tools")?;
    let filled = |values: BTreeMap<String, String>| -> Result<BTreeMap<String, String>, String> {
        values
            .into_iter()
            .map(|(name, value)| Ok((name, filled(&value, variable)?)))
            .collect()
    };
    let way = match (written.command, written.url) {
        (Some(command), None) if !command.trim().is_empty() => Way::Program {
            command,
            args: written.args,
            env: filled(written.env)?,
            cwd: written.cwd,
        },
        (None, Some(url)) => {
            if written.r#type.as_deref() == Some("sse") {
                return Err(
                    "the older transport `sse` is not spoken; give the address of its streamable HTTP".into(),
                );
            }
            let url =
                Url::parse(&self::filled(&url, variable)?).map_err(|error| format!("`url`: {error}"))?;
            if !matches!(url.scheme(), "http" | "https") {
                return Err("`url` is an address of the web".into());
            }
            let headers = filled(written.headers)?;
            Way::Address { url, headers }
        }
        _ => return Err("it has either a `command` or a `url`".into()),
    };
    let timeout_ms = written.timeout_ms.unwrap_or(60_000);
    if !(1..=rules::MAX_TIMEOUT_MS).contains(&timeout_ms) {
        return Err(format!(
            "`timeout_ms` is a whole number from 1 to {}",
            rules::MAX_TIMEOUT_MS
        ));
    }
    Ok(Some(Server {
        name: name.to_owned(),
        word,
        way,
        timeout_ms,
        only: written.tools,
        effects: written.effects,
    }))
}

/// A text in which `${NAME}` is replaced by the variable, so that keys need not lie in the file.
fn filled(text: &str, variable: &dyn Fn(&str) -> Option<String>) -> Result<String, String> {
    let mut out = String::new();
    let mut rest = text;
    while let Some((before, after)) = rest.split_once("${") {
        out.push_str(before);
        let (name, behind) = after.split_once('}').ok_or("a `${` is not closed")?;
        out.push_str(&variable(name).ok_or_else(|| format!("the variable {name} is not set"))?);
        rest = behind;
    }
    out.push_str(rest);
    Ok(out)
}
