//! `huntsman batch`: reads thousands of pages from a list, and keeps its order.

use std::collections::HashSet;
use std::process::ExitCode;

use clap::Args;
use runtime::config::Config;
use wire::run::{JobRequest, RunSpec};
use wire::site::BatchRequest;

use super::page_sink::SiteFlags;
use crate::composition::Pace;
use crate::failure::Failure;
use crate::{address, address_list, composition, foreground};

#[derive(Debug, Args)]
#[command(
    after_help = "Examples:\n  huntsman batch --input addresses.txt -o results.jsonl\n  huntsman batch https://a.example https://b.example -o results.jsonl"
)]
pub(crate) struct Batch {
    /// The pages; - for a list on stdin.
    #[arg(value_name = "URL", required_unless_present = "input")]
    urls: Vec<String>,

    /// File of addresses, one on each line; - for stdin.
    #[arg(long, value_name = "FILE")]
    input: Vec<String>,

    /// Further tries at a page that failed for now.
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
        let urls = address_list::read_all(&self.urls, &self.input, BatchRequest::MAX_URLS)?;
        let needs_folder = self.page.needs_folder();
        let request = BatchRequest {
            page: self.page.options(urls.iter().map(String::as_str))?,
            urls,
            retries: self.retries,
        };
        let hosts: HashSet<String> = request.urls.iter().filter_map(|url| address::host(url)).collect();
        let application =
            composition::for_run(config, hosts.into_iter().collect(), Pace::default(), needs_folder)?;
        let spec = RunSpec {
            detached: true,
            ..RunSpec::new(JobRequest::Batch(request))
        };
        // What cannot be written is told before anything is fetched.
        let output = self.page.site_output()?;
        foreground::run(&application, &spec, async |id| {
            self.page.listen(&application.service, id, output, true).await
        })
    }
}
