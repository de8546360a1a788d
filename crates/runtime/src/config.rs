//! What an operator can set. Flags, `HUNTSMAN_*` variables, `huntsman.toml`, `--help` and `docs/config.md`
//! all derive from the one struct below.

use std::net::SocketAddr;
use std::path::PathBuf;

use clap::{Args, ValueEnum};
use url::Url;

pub mod browser;
pub mod document;
pub mod file;
pub mod llm;
pub mod research;
pub mod search;
mod secret;
#[cfg(test)]
mod tests;

pub use secret::Secret;

/// Everything an operator can set, after flags, variables, file and defaults are laid over one another.
#[derive(Debug, Clone, Args)]
#[command(next_help_heading = "Configuration (each also a variable and a key of huntsman.toml)")]
pub struct Config {
    /// Address the server listens on. An address that others can reach is refused without API keys.
    #[arg(
        long,
        env = "HUNTSMAN_LISTEN",
        default_value = "127.0.0.1:8787",
        value_name = "ADDRESS"
    )]
    #[arg(global = true, hide_short_help = true)]
    pub listen: SocketAddr,

    /// Keys that clients of the server may present as bearer, comma separated. On loopback none is needed.
    #[arg(long, env = "HUNTSMAN_API_KEYS", value_delimiter = ',', value_name = "KEY")]
    #[arg(global = true, hide_short_help = true, hide_env_values = true)]
    pub api_keys: Vec<Secret>,

    /// Names under which the server may be asked while it listens on loopback, beside `localhost`, comma separated;
    /// pages of these hosts may use it.
    #[arg(
        long,
        env = "HUNTSMAN_SERVER_NAMES",
        value_delimiter = ',',
        value_name = "HOST"
    )]
    #[arg(global = true, hide_short_help = true)]
    pub server_names: Vec<String>,

    /// Folder of the database and the stored files [default: the user's data folder].
    #[arg(long, env = "HUNTSMAN_DATA_DIR", value_name = "FOLDER")]
    #[arg(global = true, hide_short_help = true)]
    pub data_dir: Option<PathBuf>,

    /// Where runs are kept: `sqlite` (in the data folder) or `memory` (gone at the end).
    #[arg(long, env = "HUNTSMAN_STORE", default_value = "sqlite", value_name = "STORE")]
    #[arg(global = true, hide_short_help = true)]
    pub store: Store,

    /// Runs that this process works on at once; 0 leaves the work to other processes.
    #[arg(long, env = "HUNTSMAN_WORKERS", default_value_t = 8, value_name = "COUNT")]
    #[arg(global = true, hide_short_help = true)]
    pub workers: usize,

    /// Runs that may wait for a worker; beyond that a request is refused with 429.
    #[arg(long, env = "HUNTSMAN_QUEUE", default_value_t = 1000, value_name = "COUNT")]
    #[arg(global = true, hide_short_help = true)]
    pub queue: usize,

    /// Longest time one run may take, in seconds (1 to 86400).
    #[arg(
        long,
        env = "HUNTSMAN_RUN_SECONDS",
        default_value_t = 3600,
        value_name = "SECONDS"
    )]
    #[arg(value_parser = clap::value_parser!(u64).range(1..=86_400))]
    #[arg(global = true, hide_short_help = true)]
    pub run_seconds: u64,

    /// Longest time a run waits for a person's answer to its question, in seconds (1 to 86400).
    #[arg(
        long,
        env = "HUNTSMAN_ANSWER_SECONDS",
        default_value_t = 120,
        value_name = "SECONDS"
    )]
    #[arg(value_parser = clap::value_parser!(u64).range(1..=86_400))]
    #[arg(global = true, hide_short_help = true)]
    pub answer_seconds: u64,

    /// Folder of your own tools: manifests with a plan or an HTTP endpoint [default: tools.d in the data folder].
    #[arg(long, env = "HUNTSMAN_TOOLS_DIR", value_name = "FOLDER")]
    #[arg(global = true, hide_short_help = true)]
    pub tools_dir: Option<PathBuf>,

    /// Files, and folders of files, that browser runs may give to pages they are trusted with, comma separated.
    #[arg(long, env = "HUNTSMAN_UPLOADS", value_delimiter = ',', value_name = "PATH")]
    #[arg(global = true, hide_short_help = true)]
    pub uploads: Vec<PathBuf>,

    /// Tools that are off until they are named here, such as `browser.execute_js`, which runs scripts in pages.
    #[arg(
        long,
        env = "HUNTSMAN_TOOLS_GRANTED",
        value_delimiter = ',',
        value_name = "TOOL"
    )]
    #[arg(global = true, hide_short_help = true)]
    pub tools_granted: Vec<String>,

    /// How a page becomes an item.
    #[arg(
        long,
        env = "HUNTSMAN_MODE",
        default_value = "rule-based",
        value_name = "MODE"
    )]
    #[arg(global = true, ignore_case = true)]
    pub mode: Mode,

    /// What opens pages: `auto` takes Chromium where a page needs it, `http` never runs scripts.
    #[arg(long, env = "HUNTSMAN_ENGINE", default_value = "auto", value_name = "ENGINE")]
    #[arg(global = true)]
    pub engine: Engine,

    /// Hosts that may be reached although they are not public: names, `host:port` or CIDR, comma separated.
    #[arg(
        long,
        env = "HUNTSMAN_ALLOW_HOSTS",
        value_delimiter = ',',
        value_name = "HOST"
    )]
    #[arg(global = true, hide_short_help = true)]
    pub allow_hosts: Vec<String>,

    /// Proxy through which pages are fetched. Proxies in the environment are ignored.
    #[arg(long, env = "HUNTSMAN_PROXY", value_name = "URL")]
    #[arg(global = true, hide_short_help = true)]
    pub proxy: Option<Url>,

    /// Which events a stream carries: `verbose` adds model exchanges, `debug` adds everything.
    #[arg(
        long,
        env = "HUNTSMAN_EVENTS",
        default_value = "public",
        value_name = "AUDIENCE"
    )]
    #[arg(global = true, hide_short_help = true)]
    pub audience: Audience,

    /// What is logged: a level, or `target=level` pairs as in `info,net=debug`.
    #[arg(long, env = "HUNTSMAN_LOG", default_value = "info", value_name = "FILTER")]
    #[arg(global = true, hide_short_help = true)]
    pub log: String,

    /// Models.
    #[command(flatten)]
    pub llm: llm::Llm,

    /// Real browsers.
    #[command(flatten)]
    pub browsers: browser::Browsers,

    /// Searching the web.
    #[command(flatten)]
    pub search: search::Search,

    /// Research.
    #[command(flatten)]
    pub research: research::Research,
}

/// Engine behind the store's ports.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Store {
    /// A SQLite database in the data folder.
    Sqlite,
    /// Kept in this process and gone with it.
    Memory,
}

/// How a page becomes an item. Underscores are read as hyphens.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Mode {
    /// By rules alone; no model.
    #[value(alias = "rule_based")]
    RuleBased,
    /// A model fills a fixed list of fields.
    #[value(alias = "llm_fixed")]
    LlmFixed,
    /// A model chooses the fields that the page has.
    #[value(alias = "llm_dynamic")]
    LlmDynamic,
    /// As `llm-dynamic`, asking again for what is missing.
    #[value(alias = "llm_dynamic_adaptive")]
    LlmDynamicAdaptive,
}

/// What opens pages.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Engine {
    /// Whichever the page needs.
    Auto,
    /// Plain HTTP: links and forms, no scripts.
    Http,
    /// Chromium.
    Chromium,
}

/// Which events a stream carries.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, ValueEnum)]
pub enum Audience {
    /// What the contract promises.
    Public,
    /// Also every exchange with a model.
    Verbose,
    /// Everything.
    Debug,
}

impl From<Audience> for wire::Audience {
    fn from(audience: Audience) -> Self {
        match audience {
            Audience::Public => Self::Public,
            Audience::Verbose => Self::Verbose,
            Audience::Debug => Self::Debug,
        }
    }
}

impl Config {
    /// The folder of the operator's own tools: the one set, else `tools.d` in the data folder.
    pub fn tools_folder(&self) -> PathBuf {
        self.tools_dir
            .clone()
            .unwrap_or_else(|| self.data_folder().join("tools.d"))
    }

    /// The data folder: the one set, else `huntsman` in the user's data folder, else `.huntsman` here.
    pub fn data_folder(&self) -> PathBuf {
        let home = || {
            std::env::var_os("HOME")
                .map(PathBuf::from)
                .map(|it| it.join(".local/share"))
        };
        let users = || std::env::var_os("XDG_DATA_HOME").map(PathBuf::from).or_else(home);
        self.data_dir
            .clone()
            .or_else(|| users().map(|it| it.join("huntsman")))
            .unwrap_or_else(|| PathBuf::from(".huntsman"))
    }

    /// What cannot stand together, said before anything starts.
    ///
    /// # Errors
    /// One sentence that names the setting and what to do.
    pub fn check(&self) -> Result<(), String> {
        if !self.listen.ip().is_loopback() && self.api_keys.is_empty() {
            return Err(format!(
                "HUNTSMAN_LISTEN is {}, which others can reach: set HUNTSMAN_API_KEYS, or listen on 127.0.0.1",
                self.listen
            ));
        }
        if let Some(short) = self.api_keys.iter().position(|it| it.reveal().len() < 8) {
            return Err(format!(
                "HUNTSMAN_API_KEYS: key {} is shorter than 8 characters",
                short + 1
            ));
        }
        Ok(())
    }
}
