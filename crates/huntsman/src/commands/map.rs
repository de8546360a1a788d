//! `huntsman map`: lists the addresses of a site.

use std::process::ExitCode;

use anyhow::Context as _;
use clap::Args;
use runtime::config::Config;
use store::engines::memory::InMemoryStore;
use store::engines::sqlite::ProcessRole;
use wire::site::MapRequest;

use crate::failure::{Failure, exit_code};
use crate::output::Output;
use crate::{address, address_list, composition};

#[derive(Debug, Args)]
#[command(
    after_help = "Examples:\n  huntsman map https://docs.example.org\n  huntsman map https://docs.example.org --search \"install linux\" --json"
)]
pub(crate) struct Map {
    /// A page of the site.
    #[arg(value_name = "URL")]
    url: String,

    /// Most addresses that are listed.
    #[arg(long, default_value_t = MapRequest::default_limit(), value_name = "COUNT")]
    limit: u32,

    /// Most links that are followed from the start page (0 to 5).
    #[arg(long, default_value_t = 0, value_name = "COUNT")]
    depth: u32,

    /// List only addresses whose path and query match this pattern (`*` for any characters, `re:` before a regular
    /// expression); may be given several times.
    #[arg(long, value_name = "PATTERN")]
    include: Vec<String>,

    /// Leave out addresses that match this pattern; may be given several times.
    #[arg(long, value_name = "PATTERN")]
    exclude: Vec<String>,

    /// Words to look for in addresses and titles; the best matches come first.
    #[arg(long, value_name = "WORDS")]
    search: Option<String>,

    /// Also list addresses of other hosts of the same registrable domain.
    #[arg(long)]
    subdomains: bool,

    /// One JSON object a line: the address, where it was found, its last change and its title.
    #[arg(long)]
    json: bool,

    /// No notes on stderr.
    #[arg(short, long)]
    quiet: bool,
}

impl Map {
    /// Maps the site and prints its addresses.
    pub(crate) fn run(self, config: &Config) -> Result<ExitCode, Failure> {
        composition::log(config, true)?;
        let request = self.request()?;
        address_list::web_address(&self.url)?;
        let typed = address::host(&self.url).into_iter().collect();
        // A map is no run, and needs no store that outlives it.
        let application = composition::with_store(config, InMemoryStore::open(), ProcessRole::Guest, typed)?;
        let map = composition::runtime()?.block_on(application.workers.pages().map(&request))?;
        let mut output = Output::new();
        for link in &map.links {
            match self.json {
                true => output.json_line(link)?,
                false => output.text(&link.url)?,
            }
        }
        output.done()?;
        for note in map.notes.iter().filter(|_| !self.quiet) {
            note!("{note}");
        }
        if map.links.is_empty() && !self.quiet {
            note!("no address of the site is one of those that are asked for");
        }
        Ok(exit_code(!map.links.is_empty()))
    }

    fn request(&self) -> Result<MapRequest, Failure> {
        let request = MapRequest {
            url: address::with_scheme(&self.url),
            limit: self.limit,
            depth: self.depth,
            include: self.include.clone(),
            exclude: self.exclude.clone(),
            search: self.search.clone(),
            subdomains: self.subdomains,
        };
        let body = serde_json::to_vec(&request).context("cannot write the request")?;
        MapRequest::parse(&body).map_err(|refusal| {
            let field = refusal.field.as_deref().unwrap_or("request");
            Failure::usage(format!("{field}: {}", refusal.message))
        })
    }
}
