//! `huntsman tools`: lists, shows, checks and runs tools.

mod picture;

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::{Args, Subcommand};
use runtime::config::Config;
use serde_json::{Map, Value};
use store::engines::memory::InMemoryStore;
use store::engines::sqlite::ProcessRole;
use wire::tooling::ToolRequest;

use crate::failure::Failure;
use crate::output::Output;
use crate::{address, argument, composition};

#[derive(Debug, Args)]
#[command(
    after_help = "Examples:\n  huntsman tools run extract.emails --url https://example.org\n  huntsman tools list --category extraction"
)]
pub(crate) struct Tools {
    #[command(subcommand)]
    action: ToolsAction,
}

#[derive(Debug, Subcommand)]
enum ToolsAction {
    /// Every tool with a line on what it does.
    List {
        /// Only those of this category.
        #[arg(long)]
        category: Option<String>,
        /// One JSON object with all manifests.
        #[arg(long)]
        json: bool,
    },
    /// One tool: its manifest.
    Show {
        /// Its id, or its bare name when only one tool has it.
        name: String,
    },
    /// Check your own tools and servers; exits with 1 when one cannot be used, and says why.
    Check {
        /// The folder of manifests [default: the one that is configured].
        folder: Option<PathBuf>,
    },
    /// Run a tool once; prints `{"ok","data","empty","warnings","page"}`.
    Run {
        /// Its id.
        name: String,
        /// What the tool is given: JSON, or @FILE.
        #[arg(long, value_name = "JSON|@FILE", default_value = "{}")]
        params: String,
        /// The page it works on.
        #[arg(long)]
        url: Option<String>,
        /// A file with the page's HTML, when it is not to be fetched.
        #[arg(long, value_name = "FILE")]
        html: Option<String>,
        /// What earlier steps gave: JSON, or @FILE.
        #[arg(long, value_name = "JSON|@FILE", default_value = "{}")]
        input: String,
        /// File of the picture, where the tool gives one [default: a new file, such as browser.screenshot.png].
        #[arg(short, long, value_name = "FILE")]
        output: Option<PathBuf>,
    },
}

impl Tools {
    /// Runs the command.
    pub(crate) fn run(self, config: &Config) -> Result<ExitCode, Failure> {
        composition::log(config, true)?;
        if let ToolsAction::Check { folder } = &self.action {
            return check(config, folder.as_deref());
        }
        let typed = match &self.action {
            ToolsAction::Run {
                url, params, input, ..
            } => typed_hosts(url.as_deref(), [params, input]),
            _ => Vec::new(),
        };
        // One tool is no run, and needs no store that outlives it.
        let application = composition::with_store(config, InMemoryStore::open(), ProcessRole::Guest, typed)?;
        let tools = application.workers.tools();
        let mut output = Output::new();
        match self.action {
            ToolsAction::List { category, json } => {
                let all = tools.list(category.as_deref());
                if json {
                    output.json(&all)?;
                } else {
                    for tool in all["tools"].as_array().into_iter().flatten() {
                        let text = |key: &str| tool[key].as_str().unwrap_or_default().to_owned();
                        output.text(&format!(
                            "{:<32} {:<11} {}",
                            text("id"),
                            text("effects"),
                            text("description")
                        ))?;
                    }
                }
            }
            // Answered above, without a application.
            ToolsAction::Check { .. } => {}
            ToolsAction::Show { name } => output.json(&tools.show(&name).map_err(Failure::usage)?)?,
            ToolsAction::Run {
                name,
                params,
                url,
                html,
                input,
                output: file,
            } => {
                if let Some(file) = &file {
                    picture::check(&tools.show(&name).map_err(Failure::usage)?, &name, file)?;
                }
                let html = html.map(|path| argument::text("--html", &path)).transpose()?;
                let request = ToolRequest {
                    parameters: object("--params", &params)?,
                    url: url.as_deref().map(address::with_scheme),
                    html,
                    input: object("--input", &input)?,
                    fetch: wire::FetchOptions::default(),
                };
                let mut outcome = composition::runtime()?.block_on(tools.run(&name, &request))?;
                picture::write(&mut outcome, &name, file.as_deref())?;
                output.json(&outcome)?;
            }
        }
        output.done()?;
        Ok(ExitCode::SUCCESS)
    }
}

/// Loads the tools of a folder as the server would, and tells what cannot be used.
fn check(config: &Config, folder: Option<&Path>) -> Result<ExitCode, Failure> {
    let folder = folder.map_or_else(|| config.tools_folder(), Path::to_path_buf);
    if !folder.is_dir() {
        let message = format!(
            "{} is no folder; make it, or set HUNTSMAN_TOOLS_DIR",
            folder.display()
        );
        return Err(Failure::usage(message));
    }
    let client = composition::client(config, Vec::new())?;
    let (registry, refused) = composition::all_tools(&folder, &client);
    let builtin = ::tools::Registry::builtin();
    let is_new = |tool: &&::tools::registry::RegisteredTool| {
        // A manifest of the folder may stand for a tool that is compiled in.
        let own = builtin.find(tool.id());
        !own.is_ok_and(|own| std::ptr::eq(own.manifest(), tool.manifest()))
    };
    let more = registry.iter().filter(is_new).count();
    let mut output = Output::new();
    for refused in &refused {
        output.text(&refused.to_string())?;
    }
    output.text(&format!("{more} tools can be used, {} cannot", refused.len()))?;
    output.done()?;
    Ok(ExitCode::from(u8::from(!refused.is_empty())))
}

/// The hosts of the addresses that were typed: of the page, and of the values of the flags, but for those of files.
fn typed_hosts(url: Option<&str>, flags: [&String; 2]) -> Vec<String> {
    let values = flags
        .into_iter()
        .filter_map(|text| serde_json::from_str::<Value>(text).ok());
    let in_values = values.flat_map(|value| address::hosts_in_json(&value));
    url.and_then(address::host).into_iter().chain(in_values).collect()
}

/// A flag that is a JSON object.
fn object(flag: &str, text: &str) -> Result<Map<String, Value>, Failure> {
    match argument::json(flag, text)? {
        Value::Object(map) => Ok(map),
        _ => Err(Failure::usage(format!("{flag}: it is no JSON object"))),
    }
}
