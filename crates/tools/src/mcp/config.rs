//! Configuration of MCP servers, read from `mcp.json`.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::path::Path;

use serde::Deserialize;
use serde_json::Value;
use url::Url;

use crate::manifest::{BadManifest, Effects, rules};
use crate::registry::RejectedTool;
use crate::variables::expand;

/// Name of the file that lists the servers.
pub const FILE: &str = "mcp.json";
/// Most servers of one file.
const MAX_SERVERS: usize = 50;

/// Shortest value that is taken for a secret: shorter ones, such as a number, are part of too many words.
const MIN_SECRET_BYTES: usize = 8;

/// A configured server.
#[derive(Debug, Clone)]
pub(super) struct ServerConfig {
    /// Its name as the operator wrote it.
    pub(super) name: String,
    /// The category of its tools.
    pub(super) word: String,
    pub(super) transport: ServerTransport,
    /// Longest time for one call, in milliseconds.
    pub(super) timeout_ms: u64,
    /// The only tools to use, when any are named.
    pub(super) allowed_tools: Option<Vec<String>>,
    /// Effects of tools that override those the server declares; `*` stands for every tool.
    pub(super) effects: BTreeMap<String, Effects>,
    /// The values of the variables that stand in its entry.
    variables: Vec<String>,
}

impl ServerConfig {
    /// Replaces the values that the operator gave the server, such as keys, wherever its text holds them: those of variables, of the
    /// environment and of headers.
    pub(super) fn masked(&self, text: &str) -> String {
        let values = match &self.transport {
            ServerTransport::Program { env, .. } => env,
            ServerTransport::Address { headers, .. } => headers,
        };
        // The scheme before a key, such as `Bearer`, is no part of it.
        let mut secrets: Vec<&str> = values
            .values()
            .chain(&self.variables)
            .flat_map(|value| std::iter::once(value.as_str()).chain(value.split_whitespace()))
            .filter(|secret| secret.len() >= MIN_SECRET_BYTES)
            .collect();
        secrets.sort_unstable_by_key(|secret| std::cmp::Reverse(secret.len()));
        secrets
            .into_iter()
            .fold(text.to_owned(), |text, secret| text.replace(secret, "***"))
    }
}

/// The transport to a server.
#[derive(Debug, Clone)]
pub(super) enum ServerTransport {
    /// A program that is started; messages go over its pipes.
    Program {
        command: String,
        args: Vec<String>,
        env: BTreeMap<String, String>,
        cwd: Option<String>,
    },
    /// An HTTP address.
    Address {
        url: Url,
        headers: BTreeMap<String, String>,
    },
}

/// A server's entry in the file. Unknown keys are ignored: other programs use them.
#[derive(Deserialize)]
struct ServerEntry {
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
pub(super) fn read(folder: &Path) -> Result<Vec<ServerConfig>, RejectedTool> {
    let path = folder.join(FILE);
    let bad = |issues: Vec<String>| {
        RejectedTool::Manifest(BadManifest {
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

/// Reads the text of the file; `variable` resolves `${NAME}`.
pub(super) fn parse(
    text: &str,
    variable: &dyn Fn(&str) -> Option<String>,
) -> Result<Vec<ServerConfig>, Vec<String>> {
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
    if listed.len() > MAX_SERVERS {
        issues.push(format!(
            "it names {} servers; at most {MAX_SERVERS} are used",
            listed.len()
        ));
    }
    let mut servers: Vec<ServerConfig> = Vec::new();
    for (name, written) in listed {
        let read = serde_json::from_value::<ServerEntry>(written.clone()).map_err(|error| error.to_string());
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
    written: ServerEntry,
    variable: &dyn Fn(&str) -> Option<String>,
) -> Result<Option<ServerConfig>, String> {
    if written.disabled {
        return Ok(None);
    }
    let word = word_of(name).ok_or("its name needs letters: it stands before the names of its tools")?;
    let variables = RefCell::new(Vec::new());
    let variable = |name: &str| {
        let value = variable(name)?;
        variables.borrow_mut().push(value.clone());
        Some(value)
    };
    let filled = |values: BTreeMap<String, String>| -> Result<BTreeMap<String, String>, String> {
        values
            .into_iter()
            .map(|(name, value)| Ok((name, expand(&value, &variable)?)))
            .collect()
    };
    let transport = match (written.command, written.url) {
        (Some(command), None) if !command.trim().is_empty() => ServerTransport::Program {
            command: expand(&command, &variable)?,
            args: (written.args.iter().map(|arg| expand(arg, &variable))).collect::<Result<_, _>>()?,
            env: filled(written.env)?,
            cwd: written.cwd.map(|cwd| expand(&cwd, &variable)).transpose()?,
        },
        (None, Some(url)) => {
            if written.r#type.as_deref() == Some("sse") {
                return Err(
                    "the older transport `sse` is not spoken; give the address of its streamable HTTP".into(),
                );
            }
            let url = Url::parse(&expand(&url, &variable)?).map_err(|error| format!("`url`: {error}"))?;
            if !matches!(url.scheme(), "http" | "https") {
                return Err("`url` is an address of the web".into());
            }
            let headers = filled(written.headers)?;
            ServerTransport::Address { url, headers }
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
    Ok(Some(ServerConfig {
        name: name.to_owned(),
        word,
        transport,
        timeout_ms,
        allowed_tools: written.tools,
        effects: written.effects,
        variables: variables.into_inner(),
    }))
}

/// Converts a name to the letters of tool ids: `readFile`, `read-file` and `read_file` become one.
pub(super) fn word_of(name: &str) -> Option<String> {
    let mut word = String::new();
    let mut small = false;
    for letter in name.chars() {
        if letter.is_ascii_uppercase() && small {
            word.push('_');
        }
        small = letter.is_ascii_lowercase() || letter.is_ascii_digit();
        word.push(match letter.to_ascii_lowercase() {
            letter @ ('a'..='z' | '0'..='9') => letter,
            _ => '_',
        });
    }
    let word = word.trim_matches('_').to_owned();
    rules::is_word(&word).then_some(word)
}
