//! `huntsman automate`: a task for a browser, with a live log and an answer.

mod live_log;
mod terminal_form;

use std::process::ExitCode;

use clap::Args;
use futures_util::StreamExt as _;
use runtime::Service;
use runtime::config::Config;
use serde_json::{Value, json};
use store::engines::sqlite::ProcessRole;
use wire::automate::{AutomateComplete, AutomateEvent};
use wire::run::{JobRequest, RunSpec};
use wire::tabstack::AutomateRequest;
use wire::{Audience, RunId, Stamped};

use crate::failure::{Failure, exit_code};
use crate::output::Output;
use crate::page_flags::PageFlags;
use crate::profile_args::ProfileArgs;
use crate::{address, argument, composition, foreground};

#[derive(Debug, Args)]
#[command(
    after_help = "Example: huntsman automate \"what does the cheapest kettle cost?\" --url https://shop.example"
)]
pub(crate) struct Automate {
    /// What to do.
    #[arg(value_name = "TASK")]
    task: String,

    /// Page to start at; the planner chooses one when absent.
    #[arg(long, value_name = "URL")]
    url: Option<String>,

    /// Values for forms as JSON, or `@FILE`. The model knows their keys only.
    #[arg(long, value_name = "JSON")]
    data: Option<String>,

    /// Secret of the vault that may be filled, as KEY=NAME, or NAME for both; can be repeated. The model knows KEY only.
    #[arg(long = "secret", value_name = "KEY=NAME")]
    secrets: Vec<String>,

    #[command(flatten)]
    profile: ProfileArgs,

    /// Rules in words.
    #[arg(long, value_name = "TEXT")]
    guardrails: Option<String>,

    /// Most turns, 1 to 100.
    #[arg(long, value_name = "N", default_value_t = 50)]
    max_iterations: u32,

    /// Most answers that are judged, 1 to 10.
    #[arg(long, value_name = "N", default_value_t = 3)]
    max_validation_attempts: u32,

    /// Ask here, at the terminal, for values that forms need.
    #[arg(long)]
    interactive: bool,

    /// Host that may be given data; can be repeated.
    #[arg(long = "trust", value_name = "HOST")]
    trusted: Vec<String>,

    /// Lift the limits on where data may go.
    #[arg(long)]
    unsafe_mode: bool,

    #[command(flatten)]
    pages: PageFlags,

    /// The run's events as JSON lines instead of the answer.
    #[arg(long)]
    events: bool,

    /// No log on stderr.
    #[arg(short, long)]
    quiet: bool,
}

impl Automate {
    /// A task that logs in at an address, with what `huntsman profile login` is given.
    pub(crate) fn login(
        task: &str,
        url: &str,
        secrets: Vec<String>,
        profile: ProfileArgs,
        interactive: bool,
        quiet: bool,
    ) -> Self {
        Self {
            task: task.to_owned(),
            url: Some(url.to_owned()),
            data: None,
            secrets,
            profile,
            pages: PageFlags::default(),
            guardrails: None,
            max_iterations: 50,
            max_validation_attempts: 3,
            interactive,
            trusted: Vec::new(),
            unsafe_mode: false,
            events: false,
            quiet,
        }
    }

    /// Runs it to its end.
    pub(crate) fn run(self, config: &Config) -> Result<ExitCode, Failure> {
        composition::log(config, true)?;
        self.run_with(config, async |_| Ok(()))
    }

    /// As [`Automate::run`], after `prepare`.
    pub(crate) fn run_with(
        self,
        config: &Config,
        prepare: impl AsyncFnOnce(&composition::Application) -> Result<(), Failure>,
    ) -> Result<ExitCode, Failure> {
        let request = self.request()?;
        let spec = RunSpec {
            audience: config.audience,
            detached: true,
            ..RunSpec::new(JobRequest::Automate(request))
        };
        let application = composition::build(config, ProcessRole::Guest, self.typed_hosts())?;
        application.workers.check(&spec.job)?;
        composition::runtime()?.block_on(prepare(&application))?;
        foreground::run(&application, &spec, async |id| {
            self.listen(&application.service, id).await
        })
    }

    /// The same request that a client would send, so that the same rules hold.
    fn request(&self) -> Result<AutomateRequest, Failure> {
        let mut body = json!({
            "task": self.task,
            "maxIterations": self.max_iterations,
            "maxValidationAttempts": self.max_validation_attempts,
            "interactive": self.interactive,
            "trusted_hostnames": self.trusted,
            "unsafe_mode": self.unsafe_mode,
        });
        for secret in &self.secrets {
            let (key, name) = secret.split_once('=').unwrap_or((secret, secret));
            body["secrets"][key] = name.into();
        }
        let choice = self.profile.choice();
        if let Some(profile) = choice.profile {
            body["profile"] = profile.into();
            body["profile_save"] = choice.profile_save.into();
        }
        let options = self.pages.options(self.url.as_deref().into_iter())?;
        body["fetch"] = serde_json::to_value(options).unwrap_or_default();
        if let Some(url) = &self.url {
            body["url"] = address::with_scheme(url).into();
        }
        if let Some(guardrails) = &self.guardrails {
            body["guardrails"] = guardrails.as_str().into();
        }
        if let Some(data) = &self.data {
            body["data"] = argument::json("--data", data)?;
        }
        AutomateRequest::parse(body.to_string().as_bytes()).map_err(|refusal| Failure::usage(refusal.text()))
    }

    /// Hosts on the command line, which the run may reach even when they are not public.
    fn typed_hosts(&self) -> Vec<String> {
        let start = self.url.as_deref().and_then(address::host);
        start.into_iter().chain(self.trusted.iter().cloned()).collect()
    }

    async fn listen(&self, service: &Service, id: &RunId) -> Result<ExitCode, Failure> {
        let mut output = Output::new();
        let mut log = live_log::LiveLog::new(!self.quiet);
        let mut events = foreground::events(service, id, 0, Audience::Debug).await?;
        let mut code = ExitCode::FAILURE;
        while let Some(entry) = events.next().await {
            let entry = entry?;
            if self.events {
                let data: Value = serde_json::from_str(&entry.data).unwrap_or_default();
                output.json_line(&json!({"event": entry.name, "data": data}))?;
                output.flush()?;
            }
            let Ok(Stamped { event, .. }) = Stamped::<AutomateEvent>::from_entry(&entry) else {
                continue;
            };
            log.write(&event);
            match event {
                AutomateEvent::FormDataRequest(asked) => terminal_form::ask(service, asked, None).await?,
                AutomateEvent::FormDataError(asked) => {
                    let (question, wrong) = terminal_form::repeated(asked);
                    if !wrong.contains_key("_callback") {
                        terminal_form::ask(service, question, Some(wrong)).await?;
                    }
                }
                AutomateEvent::Complete(complete) => code = self.conclude(&complete, &mut output)?,
                AutomateEvent::Error(broken) => {
                    eprintln!(
                        "huntsman: {} ({})",
                        live_log::plain(&broken.error.message),
                        broken.error.code
                    );
                }
                _ => {}
            }
        }
        output.done()?;
        Ok(code)
    }

    /// The answer on stdout; why there is none on stderr.
    fn conclude(&self, complete: &AutomateComplete, output: &mut Output) -> Result<ExitCode, Failure> {
        if let (false, Some(answer)) = (self.events, &complete.final_answer) {
            output.text(&live_log::lines(answer))?;
            output.flush()?;
        }
        if let Some(failure) = &complete.error {
            let code = serde_json::to_value(failure.code).unwrap_or_default();
            let code = code.as_str().unwrap_or("TASK_FAILED");
            eprintln!("huntsman: {} ({code})", live_log::plain(&failure.message));
        }
        Ok(exit_code(complete.success))
    }
}
