//! `huntsman llm`: assembles a provider's recorded answer, or asks the configured model once.

use std::io::Read as _;
use std::process::ExitCode;
use std::time::Instant;

use anyhow::Context as _;
use clap::{Args, Subcommand};
use llm::assembly_report::{AnswerRecording, ReportOptions, report};
use llm::{Message, ModelRequest, Role};
use runtime::config::Config;

use crate::failure::Failure;
use crate::output::Output;
use crate::{argument, composition};

/// Most tokens of a ping's answer; reasoning models spend many before the first word.
const MAX_ANSWER_TOKENS: u32 = 1000;

#[derive(Debug, Args)]
#[command(
    after_help = "Examples:\n  huntsman llm ping --role extractor\n  huntsman llm assemble --wire openai_chat --tools @tools.json < body.sse"
)]
pub(crate) struct Llm {
    #[command(subcommand)]
    action: LlmAction,
}

#[derive(Debug, Subcommand)]
enum LlmAction {
    /// Read the raw body of a streaming answer from stdin and print the calls it holds.
    Assemble(Assemble),
    /// Put one real question to the configured model.
    Ping(Ping),
}

#[derive(Debug, Args)]
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

#[derive(Debug, Args)]
struct Ping {
    /// The role whose model is asked: planner, extractor, validator, writer or judge.
    #[arg(long, default_value = "planner", value_name = "ROLE")]
    role: String,

    /// One JSON object instead of lines.
    #[arg(long)]
    json: bool,
}

impl Llm {
    /// Runs the command.
    pub(crate) fn run(self, config: &Config) -> Result<ExitCode, Failure> {
        match self.action {
            LlmAction::Assemble(command) => command.run(),
            LlmAction::Ping(command) => command.run(config),
        }
    }
}

impl Ping {
    fn run(self, config: &Config) -> Result<ExitCode, Failure> {
        let role = Role::named(&self.role).map_err(|error| Failure::usage(format!("--role: {error}")))?;
        let client = composition::client(config, Vec::new())?;
        let Some(models) = composition::models(config, &client)? else {
            let missing = llm::Error::NotConfigured("HUNTSMAN_LLM_PROVIDER and HUNTSMAN_LLM_MODEL".into());
            return Err(Failure::usage(missing));
        };
        let model = models.seat(role, models.meter()).map_err(Failure::usage)?;
        let mut request = ModelRequest::new(vec![Message::user("Answer with the single word: pong")]);
        request.max_tokens = Some(MAX_ANSWER_TOKENS);
        let began = Instant::now();
        let turn = composition::runtime()?
            .block_on(model.ask(&request))
            .map_err(|error| Failure::Work(anyhow::anyhow!("{error} ({})", error.code())))?;
        let took = began.elapsed();
        let mut output = Output::new();
        if self.json {
            output.json(&serde_json::json!({
                "model": model.model.name(),
                "reply": turn.text.trim(),
                "input_tokens": turn.usage.input,
                "output_tokens": turn.usage.output,
                "estimated": turn.usage.estimated,
                "duration_ms": u64::try_from(took.as_millis()).unwrap_or(u64::MAX),
            }))?;
        } else {
            let about = if turn.usage.estimated { "about " } else { "" };
            output.text(&format!("model   {}", model.model.name()))?;
            output.text(&format!("reply   {}", turn.text.trim()))?;
            output.text(&format!(
                "tokens  {about}{} read, {} written",
                turn.usage.input, turn.usage.output
            ))?;
            output.text(&format!("time    {:.2} s", took.as_secs_f64()))?;
        }
        output.done()?;
        Ok(ExitCode::SUCCESS)
    }
}

impl Assemble {
    fn run(self) -> Result<ExitCode, Failure> {
        let tools = argument::json("--tools", &self.tools)?;
        let mut body = Vec::new();
        std::io::stdin()
            .lock()
            .read_to_end(&mut body)
            .context("cannot read the answer from stdin")?;
        let options = ReportOptions {
            text_calls: self.text_calls,
            details: self.details,
        };
        let turn =
            report(&self.wire, &tools, AnswerRecording::Body(&body), options).map_err(Failure::usage)?;
        let mut output = Output::new();
        output.json_line(&turn)?;
        output.done()?;
        Ok(ExitCode::SUCCESS)
    }
}
