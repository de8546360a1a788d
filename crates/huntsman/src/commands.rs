//! The commands, one file each.

mod automate;
mod demo_site;
mod doctor;
mod extract;
mod index;
mod llm;
mod parse;
mod pdf_worker;
mod plan;
mod research;
mod runs;
mod scrape;
mod serve;
mod tools;

use std::process::ExitCode;

use clap::Subcommand;
use runtime::config::Config;

use crate::failure::Failure;

/// What to do.
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
    /// Tools: which there are, what one is, one run by hand.
    Tools(tools::Tools),
    /// Plans of tools: judged, run, made.
    Plan(plan::Plan),
    /// Read folders, files and hosts for the local search engine.
    Index(index::IndexCommand),
    /// Read one PDF document from stdin, in a process with limits. Started by the program itself.
    #[command(hide = true)]
    PdfWorker(pdf_worker::PdfWorker),
    /// Look into answers of model providers.
    Llm(llm::Llm),
    /// Look at past and present runs.
    Runs(runs::Runs),
    /// Serve the HTTP interface, and do the runs it is asked for.
    Serve(serve::Serve),
    /// Serve a made-up web of shops, news pages and widgets for trying things out.
    DemoSite(demo_site::DemoSite),
    /// Say what is configured, what is missing and how to get it.
    Doctor(doctor::Doctor),
}

impl Command {
    /// Does it.
    pub(crate) fn run(self, config: Config) -> Result<ExitCode, Failure> {
        match self {
            Self::Scrape(it) => it.run(&config),
            Self::Automate(it) => it.run(&config),
            Self::Extract(it) => it.run(),
            Self::Parse(it) => it.run(),
            Self::Research(it) => it.run(&config),
            Self::Tools(it) => it.run(&config),
            Self::Plan(it) => it.run(&config),
            Self::Index(it) => it.run(&config),
            Self::PdfWorker(it) => it.run(),
            Self::Llm(it) => it.run(&config),
            Self::Runs(it) => it.run(&config),
            Self::Serve(it) => it.run(&config),
            Self::DemoSite(it) => it.run(),
            Self::Doctor(it) => it.run(&config),
        }
    }
}
