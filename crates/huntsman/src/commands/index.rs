//! `huntsman index`: reads folders, files and hosts for the search engine `local`.

mod crawl;
mod document;
mod files;

use std::process::ExitCode;

use clap::{Args, Subcommand};
use runtime::config::Config;
use store::index::Index;

use crate::composition;
use crate::failure::{Failure, exit_code};
use crate::output::Output;

#[derive(Debug, Args)]
#[command(
    after_help = "Examples:\n  huntsman index add ~/notes https://docs.example.org\n  huntsman index search kettle"
)]
pub(crate) struct IndexCommand {
    #[command(subcommand)]
    action: IndexAction,
}

#[derive(Debug, Subcommand)]
enum IndexAction {
    /// Read folders, files (HTML, text, Markdown, PDF, documents, CSV, JSON) or hosts; what was read under the same name before is replaced.
    Add {
        /// A folder, a file, or an address whose host is crawled from there.
        #[arg(required = true, value_name = "PATH|URL")]
        sources: Vec<String>,
        /// Most pages of one host.
        #[arg(long, default_value_t = 200, value_name = "COUNT")]
        pages: usize,
    },
    /// What was added, and how many pages each.
    List {
        /// One JSON object a line.
        #[arg(long)]
        json: bool,
    },
    /// Take out what was added under this name.
    Remove {
        /// As `list` shows it.
        #[arg(value_name = "NAME")]
        name: String,
    },
    /// Search it.
    Search {
        /// Words.
        #[arg(required = true, value_name = "WORD")]
        words: Vec<String>,
        /// Most pages shown.
        #[arg(long, default_value_t = 10, value_name = "COUNT")]
        count: usize,
    },
}

impl IndexCommand {
    /// Runs the command.
    pub(crate) fn run(self, config: &Config) -> Result<ExitCode, Failure> {
        composition::log(config, true)?;
        let index = Index::open(&config.data_folder()).map_err(|error| Failure::Work(error.into()))?;
        let mut output = Output::new();
        let work = |error: store::Error| Failure::Work(error.into());
        match self.action {
            IndexAction::Add { sources, pages } => {
                let mut failed = false;
                for source in &sources {
                    let (read, skipped) = add(config, &index, source, pages)?;
                    failed |= read == 0;
                    output.text(&format!("{source}: {read} page(s) read, {skipped} left out"))?;
                    output.flush()?;
                }
                output.done()?;
                return Ok(exit_code(!failed));
            }
            IndexAction::List { json } => {
                for (origin, pages) in index.origins().map_err(work)? {
                    if json {
                        output.json_line(&serde_json::json!({"name": origin, "pages": pages}))?;
                    } else {
                        output.text(&format!("{pages:>8}  {origin}"))?;
                    }
                }
            }
            IndexAction::Remove { name } => {
                let removed = index.remove(&origin(&index, name).map_err(work)?).map_err(work)?;
                output.text(&format!("{removed} page(s) taken out"))?;
                if removed == 0 {
                    output.done()?;
                    note!("nothing was added under this name; `huntsman index list` shows the names");
                    return Ok(ExitCode::FAILURE);
                }
            }
            IndexAction::Search { words, count } => {
                for found in index.search(&words.join(" "), count).map_err(work)? {
                    output.text(&format!("{}\n  {}\n  {}", found.title, found.url, found.snippet))?;
                }
            }
        }
        output.done()?;
        Ok(ExitCode::SUCCESS)
    }
}

/// The name in the index that is meant: the one that is given, else the path of a file or folder that it names from here.
fn origin(index: &Index, name: String) -> Result<String, store::Error> {
    let origins = index.origins()?;
    let path = std::path::absolute(&name).ok();
    let canonical = std::fs::canonicalize(&name).ok();
    let names = [canonical, path].into_iter().flatten();
    let known = |name: &String| origins.iter().any(|(origin, _)| origin == name);
    let mut others = names.map(|path| path.display().to_string());
    Ok(match known(&name) {
        true => name,
        false => others.find(known).unwrap_or(name),
    })
}

/// Reads a source into the index: how many pages were read, and how many could not be.
fn add(config: &Config, index: &Index, source: &str, pages: usize) -> Result<(usize, usize), Failure> {
    if source.starts_with("http://") || source.starts_with("https://") {
        let url = url::Url::parse(source).map_err(|error| Failure::usage(format!("{source}: {error}")))?;
        return composition::runtime()?.block_on(crawl::add(config, index, &url, pages));
    }
    let path = std::path::Path::new(source);
    if !path.exists() {
        return Err(Failure::usage(format!(
            "{source}: there is no such file or folder; an address begins with http:// or https://"
        )));
    }
    files::add(index, path)
}
