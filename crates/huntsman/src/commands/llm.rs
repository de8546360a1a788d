//! `huntsman llm`: what the assembler makes of a provider's recorded answer.

use std::io::Read as _;
use std::process::ExitCode;

use anyhow::Context as _;
use clap::{Args, Subcommand};
use llm::assemble::{Input, Options, debug};
use serde_json::Value;

use crate::failure::Failure;
use crate::output::Output;

#[derive(Debug, Args)]
pub(crate) struct Llm {
    #[command(subcommand)]
    what: What,
}

#[derive(Debug, Subcommand)]
enum What {
    /// Read the raw body of a streaming answer from stdin and print the calls it holds.
    Assemble(Assemble),
}

#[derive(Debug, Args)]
#[command(after_help = "Example: huntsman llm assemble --wire openai_chat --tools @tools.json < body.sse")]
struct Assemble {
    /// The wire: openai_chat, openai_responses, anthropic_messages, gemini or ollama.
    #[arg(long)]
    wire: String,

    /// The offered tools: `@FILE` or JSON, `{"name":["param",...]}` or a list of function tools.
    #[arg(long, value_name = "@FILE")]
    tools: String,

    /// Also read calls that the model wrote as text.
    #[arg(long)]
    text_calls: bool,

    /// Add `repair`, `ready_after` and `eager_after` to each call.
    #[arg(long)]
    details: bool,
}

impl Llm {
    /// Does it.
    pub(crate) fn run(self) -> Result<ExitCode, Failure> {
        match self.what {
            What::Assemble(it) => it.run(),
        }
    }
}

impl Assemble {
    fn run(self) -> Result<ExitCode, Failure> {
        let tools = match self.tools.strip_prefix('@') {
            None => self.tools.clone(),
            Some(file) => std::fs::read_to_string(file)
                .map_err(|error| Failure::usage(format!("--tools: cannot read {file}: {error}")))?,
        };
        let tools: Value = serde_json::from_str(&tools)
            .map_err(|error| Failure::usage(format!("--tools: not JSON: {error}")))?;
        let mut body = Vec::new();
        std::io::stdin()
            .lock()
            .read_to_end(&mut body)
            .context("cannot read the answer from stdin")?;
        let options = Options {
            text_calls: self.text_calls,
            details: self.details,
        };
        let turn = debug(&self.wire, &tools, Input::Body(&body), options).map_err(Failure::usage)?;
        let mut output = Output::new();
        output.json_line(&turn)?;
        output.done()?;
        Ok(ExitCode::SUCCESS)
    }
}
