//! `huntsman crawl`: finds and reads the pages of a site.

use std::process::ExitCode;

use anyhow::Context as _;
use clap::Args;
use runtime::config::Config;
use wire::run::{JobRequest, RunSpec};
use wire::site::CrawlRequest;

use super::page_sink::SiteFlags;
use crate::composition::Pace;
use crate::failure::Failure;
use crate::{address, address_list, composition, foreground};

#[derive(Debug, Args)]
#[command(
    after_help = "Examples:\n  huntsman crawl https://docs.example.org --limit 500 --format markdown -o docs\n  huntsman crawl https://docs.example.org --include '/guide/*' --delay 1 -o pages.jsonl"
)]
pub(crate) struct Crawl {
    /// Where the crawl starts. Its host is crawled, as its robots.txt allows.
    #[arg(value_name = "URL")]
    url: String,

    /// Most pages that are fetched.
    #[arg(long, default_value_t = CrawlRequest::default_limit(), value_name = "COUNT")]
    limit: u32,

    /// Most links between the start and a page.
    #[arg(long, default_value_t = CrawlRequest::default_depth(), value_name = "COUNT")]
    depth: u32,

    /// Read only addresses of this form (`*`, or `re:` REGEX); repeatable.
    #[arg(long, value_name = "PATTERN")]
    include: Vec<String>,

    /// Leave out addresses of this form; repeatable.
    #[arg(long, value_name = "PATTERN")]
    exclude: Vec<String>,

    /// Also crawl other hosts of the same registrable domain.
    #[arg(long)]
    subdomains: bool,

    /// Do not read the site maps.
    #[arg(long)]
    no_sitemap: bool,

    /// Least time between two requests to one host.
    #[arg(long, value_name = "SECONDS")]
    delay: Option<f64>,

    /// Most megabytes of pages.
    #[arg(long, value_name = "COUNT")]
    max_megabytes: Option<u32>,

    /// Most seconds.
    #[arg(long, value_name = "COUNT")]
    max_seconds: Option<u32>,

    #[command(flatten)]
    page: SiteFlags,
}

impl Crawl {
    /// Runs it to its end.
    pub(crate) fn run(self, config: &Config) -> Result<ExitCode, Failure> {
        composition::log(config, true)?;
        let job = JobRequest::Crawl(self.request()?);
        address_list::web_address(&self.url)?;
        let typed = address::host(&self.url).into_iter().collect();
        let application = composition::for_run(config, typed, Pace::default(), self.page.needs_folder())?;
        let spec = RunSpec {
            detached: true,
            ..RunSpec::new(job)
        };
        // What cannot be written is told before anything is fetched.
        let output = self.page.site_output()?;
        foreground::run(&application, &spec, async |id| {
            self.page.listen(&application.service, id, output, false).await
        })
    }

    fn request(&self) -> Result<CrawlRequest, Failure> {
        let request = CrawlRequest {
            url: address::with_scheme(&self.url),
            limit: self.limit,
            depth: self.depth,
            include: self.include.clone(),
            exclude: self.exclude.clone(),
            subdomains: self.subdomains,
            sitemap: !self.no_sitemap,
            delay_ms: self.delay.map(milliseconds).transpose()?,
            max_megabytes: self.max_megabytes,
            max_seconds: self.max_seconds,
            page: self.page.options(std::iter::once(self.url.as_str()))?,
        };
        // The limits that hold for a request over HTTP hold for a command too.
        let mut body = serde_json::to_value(&request).context("cannot write the request")?;
        if let Some(fields) = body
            .as_object_mut()
            .filter(|_| request.page.instructions.is_empty())
        {
            fields.remove("instructions");
        }
        CrawlRequest::parse(body.to_string().as_bytes()).map_err(|refusal| {
            let field = refusal.field.as_deref().unwrap_or("request");
            Failure::usage(format!("{}: {}", field.replace('_', "-"), refusal.message))
        })
    }
}

fn milliseconds(seconds: f64) -> Result<u32, Failure> {
    if !(0.0..=600.0).contains(&seconds) {
        return Err(Failure::usage("--delay: must be between 0 and 600 seconds"));
    }
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "between 0 and 600,000"
    )]
    Ok((seconds * 1000.0).round() as u32)
}
