//! `huntsman memory`: what scrapes with `enable_memory` learned about sites, shown and erased.

use std::process::ExitCode;

use clap::{Args, Subcommand};
use runtime::config::Config;
use runtime::memory::Memories;
use store::engines::sqlite::ProcessRole;

use crate::composition;
use crate::failure::Failure;
use crate::output::Output;

#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  huntsman memory show shop.example\n  huntsman memory delete --all")]
pub(crate) struct Memory {
    #[command(subcommand)]
    action: MemoryAction,
}

#[derive(Debug, Subcommand)]
enum MemoryAction {
    /// The sites that something is kept of.
    List {
        /// One JSON object instead of a table.
        #[arg(long)]
        json: bool,
    },
    /// What is kept of a site, as JSON.
    Show {
        /// The site, as `list` spells it.
        site: String,
    },
    /// Erase what is kept of a site, or of all sites.
    Delete {
        /// The site, as `list` spells it.
        #[arg(required_unless_present = "all")]
        site: Option<String>,
        /// Every site.
        #[arg(long, conflicts_with = "site")]
        all: bool,
    },
}

impl Memory {
    /// Runs the command.
    pub(crate) fn run(self, config: &Config) -> Result<ExitCode, Failure> {
        composition::log(config, true)?;
        let application = composition::build(config, ProcessRole::Guest, Vec::new())?;
        composition::runtime()?.block_on(self.action.run(&application.service.memories()))?;
        Ok(ExitCode::SUCCESS)
    }
}

impl MemoryAction {
    async fn run(self, memories: &Memories) -> Result<(), Failure> {
        let mut output = Output::new();
        match self {
            Self::List { json: true } => output.json(&memories.list("").await?)?,
            Self::List { json: false } => {
                for memory in memories.list("").await?.sites {
                    let when = memory.learned_at.strftime("%Y-%m-%d %H:%M:%S");
                    let (site, pages, fields) = (memory.site, memory.pages, memory.fields.len());
                    output.text(&format!("{site:<30} {when}  {pages} pages, {fields} fields"))?;
                }
            }
            Self::Show { site } => output.json(&memories.get("", &site).await?)?,
            Self::Delete { site: Some(site), .. } => {
                memories.erase("", &site).await?;
                output.text("deleted")?;
            }
            Self::Delete { site: None, .. } => {
                let erased = memories.erase_all("").await?;
                output.text(&format!("deleted: {erased} sites"))?;
            }
        }
        output.done()?;
        Ok(())
    }
}
