//! The commands, one file each.

mod automate;
mod batch;
mod cluster;
mod completions;
mod crawl;
mod demo_site;
mod doctor;
mod extract;
mod help;
mod index;
mod key;
mod llm;
mod map;
mod mcp;
mod memory;
mod open;
mod page_sink;
mod parse;
mod plan;
mod profile;
mod research;
mod runs;
mod scrape;
mod serve;
mod settings;
mod tenant;
mod tools;
mod usage;
mod vault;
mod watch;
mod webhook;
mod worker;

use std::process::ExitCode;

use clap::Subcommand;
use runtime::config::{Config, Origin, SETTINGS};

use crate::failure::Failure;

/// The commands.
#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Fetch pages and read them into clean data.
    Scrape(scrape::Scrape),
    /// Do a task in a browser.
    Automate(automate::Automate),
    /// Read HTML from a file or stdin, without any network.
    Extract(extract::Extract),
    /// Read one price or date.
    Parse(parse::Parse),
    /// Answer a question with a report whose every citation is checked.
    Research(research::Research),
    /// List the addresses of a site.
    Map(map::Map),
    /// Find and read the pages of a site.
    Crawl(crawl::Crawl),
    /// Read thousands of pages from a list.
    Batch(batch::Batch),
    /// Tools: list them, show one, run one by hand.
    Tools(tools::Tools),
    /// Plans of tools: checked, run, made.
    Plan(plan::Plan),
    /// Read folders, files and hosts for the local search engine.
    Index(index::IndexCommand),
    /// Look into answers of model providers.
    Llm(llm::Llm),
    /// Saved logins by name: cookies and local storage of pages.
    Profile(profile::Profile),
    /// Secrets by name, which runs fill into fields of their sites.
    Vault(vault::Vault),
    /// What scrapes learned about sites, where they were told to remember.
    Memory(memory::Memory),
    /// Pages, maps, scrapes and questions that a server checks on a schedule.
    Watch(watch::Watch),
    /// Addresses that are told of ends of runs and of changes.
    Webhook(webhook::WebhookCommand),
    /// Look at past and present runs, go on with them, delete them.
    Runs(runs::Runs),
    /// Serve the HTTP interface, and do the runs it is asked for.
    Serve(serve::Serve),
    /// Open the console of the server in a browser.
    Open(open::Open),
    /// Do runs of a cluster, without an HTTP interface.
    Worker(worker::Worker),
    /// Look at the cluster of the store, and check it.
    Cluster(cluster::Cluster),
    /// Tenants of the server: their limits, shares, export and deletion.
    Tenant(tenant::TenantCommand),
    /// API keys of tenants.
    Key(key::KeyCommand),
    /// What runs used, by tenant, day, key, kind and model.
    Usage(usage::UsageCommand),
    /// Who changed tenants and keys, as JSON lines.
    Audit(usage::AuditCommand),
    /// Serve assistants over the Model Context Protocol, on stdin and stdout.
    Mcp(mcp::Mcp),
    /// Serve a made-up web of shops, news pages and widgets for trying things out.
    DemoSite(demo_site::DemoSite),
    /// Check what is configured, what is missing and how to get it.
    Doctor(doctor::Doctor),
    /// List every setting with its value and where it comes from.
    Settings(settings::Settings),
    /// Print the completions of a shell.
    Completions(completions::Completions),
    /// Write manual pages.
    Man(completions::Man),
    /// Print the help of a command, or describe the settings.
    Help(help::Help),
}

impl Command {
    /// Does a command about the commands, which needs no settings; gives every other one back. `all` are the commands with
    /// the flags of the settings, `own` those without.
    pub(crate) fn about(
        self,
        all: fn() -> clap::Command,
        own: fn() -> clap::Command,
    ) -> Result<Result<ExitCode, Failure>, Box<Self>> {
        match self {
            Self::Completions(command) => Ok(command.run(own())),
            Self::Man(command) => Ok(command.run(own())),
            Self::Help(command) => Ok(command.run(all())),
            other => Err(Box::new(other)),
        }
    }

    /// Runs it.
    pub(crate) fn run(self, config: &Config) -> Result<ExitCode, Failure> {
        match self {
            Self::Scrape(command) => command.run(config),
            Self::Automate(command) => command.run(config),
            Self::Extract(command) => without_settings("extract", config).and_then(|()| command.run()),
            Self::Parse(command) => without_settings("parse", config).and_then(|()| command.run()),
            Self::Research(command) => command.run(config),
            Self::Map(command) => command.run(config),
            Self::Crawl(command) => command.run(config),
            Self::Batch(command) => command.run(config),
            Self::Tools(command) => command.run(config),
            Self::Plan(command) => command.run(config),
            Self::Index(command) => command.run(config),
            Self::Llm(command) => command.run(config),
            Self::Profile(command) => command.run(config),
            Self::Vault(command) => command.run(config),
            Self::Memory(command) => command.run(config),
            Self::Watch(command) => command.run(config),
            Self::Webhook(command) => command.run(config),
            Self::Runs(command) => command.run(config),
            Self::Serve(command) => command.run(config),
            Self::Open(command) => command.run(config),
            Self::Worker(command) => command.run(config),
            Self::Cluster(command) => command.run(config),
            Self::Tenant(command) => command.run(config),
            Self::Key(command) => command.run(config),
            Self::Usage(command) => command.run(config),
            Self::Audit(command) => command.run(config),
            Self::Mcp(command) => command.run(config),
            Self::DemoSite(command) => without_settings("demo-site", config).and_then(|()| command.run()),
            Self::Doctor(command) => command.run(config),
            Self::Settings(command) => command.run(config),
            // Done by `about`, before the settings are read.
            Self::Completions(_) | Self::Man(_) | Self::Help(_) => Ok(ExitCode::SUCCESS),
        }
    }
}

/// Refuses the flags of settings for a command that uses none: a flag that changes nothing would be a promise.
fn without_settings(command: &str, config: &Config) -> Result<(), Failure> {
    let origins = SETTINGS.iter().map(|setting| config.origins.origin(setting));
    let given = origins.into_iter().find_map(|origin| match origin {
        Origin::Flag(flag) => Some(flag),
        Origin::Variable(_) | Origin::Key { .. } | Origin::Default => None,
    });
    match given {
        Some(flag) => Err(Failure::usage(format_args!(
            "{flag} changes nothing for `huntsman {command}`, which uses no settings; leave it out (huntsman {command} --help)"
        ))),
        None => Ok(()),
    }
}
