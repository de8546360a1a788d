//! `huntsman batch`: reads thousands of pages from a list, and keeps its order.

use std::collections::HashSet;
use std::io::Read as _;
use std::process::ExitCode;

use anyhow::Context as _;
use clap::Args;
use runtime::config::Config;
use store::engines::sqlite::ProcessRole;
use wire::run::{JobRequest, RunSpec};
use wire::site::BatchRequest;

use super::page_sink::SiteFlags;
use crate::failure::Failure;
use crate::{address, argument, composition, foreground};

#[derive(Debug, Args)]
#[command(after_help = "Example: huntsman batch --input addresses.txt -o results.jsonl")]
pub(crate) struct Batch {
    /// The pages.
    #[arg(value_name = "URL", required_unless_present = "input")]
    urls: Vec<String>,

    /// A file with one address a line; `-` reads stdin. Empty lines and those that begin with `#` are left out.
    #[arg(long, value_name = "FILE")]
    input: Option<String>,

    /// How often a page that failed in a way that may pass is tried again.
    #[arg(long, default_value_t = BatchRequest::default_retries(), value_name = "COUNT")]
    #[arg(value_parser = clap::value_parser!(u32).range(0..=5))]
    retries: u32,

    #[command(flatten)]
    page: SiteFlags,
}

impl Batch {
    /// Runs it to its end.
    pub(crate) fn run(self, config: &Config) -> Result<ExitCode, Failure> {
        composition::log(config, true)?;
        let urls = self.addresses()?;
        let request = BatchRequest {
            page: self.page.options(urls.iter().map(String::as_str))?,
            urls,
            retries: self.retries,
        };
        let hosts: HashSet<String> = request.urls.iter().filter_map(|url| address::host(url)).collect();
        let application = composition::build(config, ProcessRole::Guest, hosts.into_iter().collect())?;
        let spec = RunSpec {
            detached: true,
            ..RunSpec::new(JobRequest::Batch(request))
        };
        foreground::run(&application, &spec, async |id| {
            self.page.listen(&application.service, id, true).await
        })
    }

    fn addresses(&self) -> Result<Vec<String>, Failure> {
        let listed = match self.input.as_deref() {
            None => String::new(),
            Some("-") => {
                let mut text = String::new();
                std::io::stdin()
                    .read_to_string(&mut text)
                    .context("cannot read the addresses from stdin")?;
                text
            }
            Some(path) => argument::text("--input", path)?,
        };
        let lines = listed.lines().map(str::trim);
        let lines = lines.filter(|line| !line.is_empty() && !line.starts_with('#'));
        let urls: Vec<String> = self
            .urls
            .iter()
            .cloned()
            .chain(lines.map(str::to_owned))
            .collect();
        match urls.len() {
            0 => Err(Failure::usage("--input: there is no address in it")),
            count if count > BatchRequest::MAX_URLS => {
                let most = BatchRequest::MAX_URLS;
                Err(Failure::usage(format!(
                    "{count} addresses are more than the {most} of one batch; split the list"
                )))
            }
            _ => Ok(urls),
        }
    }
}
