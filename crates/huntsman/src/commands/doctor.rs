//! `huntsman doctor`: checks of the store, network, browser, model and search settings.

mod check;
mod deep;

use std::process::ExitCode;

use clap::Args;
use runtime::config::{Config, StoreEngine};
use store::engines::sqlite::ProcessRole;
use wire::BrowserEngine;
use wire::scrape::ExtractionMode;

use crate::composition;
use crate::failure::{Failure, exit_code};
use crate::output::Output;
use check::DoctorCheck;

#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  huntsman doctor\n  huntsman doctor --deep")]
pub(crate) struct Doctor {
    /// Use each part once: write a run, read a page of this machine, ask the model, search.
    #[arg(long)]
    deep: bool,

    /// One JSON object instead of lines.
    #[arg(long)]
    json: bool,
}

impl Doctor {
    /// Checks everything; exit code 0 when all that the configuration asks for works.
    pub(crate) fn run(self, config: &Config) -> Result<ExitCode, Failure> {
        let check = |name, (is_required, outcome)| DoctorCheck {
            name,
            is_required,
            outcome,
        };
        let mut checks = vec![
            check("store", (true, store(config))),
            check("network", (true, network(config))),
            check("sandbox", (true, sandbox())),
            check("chromium", chromium(config)),
            check("model", model(config)),
            check("search", search(config)),
        ];
        if self.deep {
            deep::use_each(config, &mut checks)?;
        }
        let mut output = Output::new();
        if self.json {
            output.json(&checks.iter().map(DoctorCheck::json).collect::<Vec<_>>())?;
        } else {
            for check in &checks {
                output.text(&check.line())?;
            }
        }
        output.done()?;
        Ok(exit_code(
            checks
                .iter()
                .all(|check| check.outcome.is_ok() || !check.is_required),
        ))
    }
}

fn store(config: &Config) -> Result<String, String> {
    let folder = config.data_folder();
    match composition::open_store(config, ProcessRole::Guest) {
        Ok(_) => Ok(match config.store {
            StoreEngine::Nats(_) => "NATS JetStream".to_owned(),
            StoreEngine::Sqlite => format!("Sqlite in {}", folder.display()),
            StoreEngine::Memory => format!("Memory in {}", folder.display()),
        }),
        Err(failure) if matches!(config.store, StoreEngine::Nats(_)) => Err(failure.text()),
        Err(_) => Err(format!(
            "{} cannot be used; set HUNTSMAN_DATA_DIR",
            folder.display()
        )),
    }
}

fn network(config: &Config) -> Result<String, String> {
    composition::client(config, Vec::new())
        .map_err(|_| "HUNTSMAN_ALLOW_HOSTS or HUNTSMAN_PROXY is wrong".to_owned())?;
    let allowed = match config.allow_hosts.as_slice() {
        [] => "none".to_owned(),
        hosts => hosts.join(", "),
    };
    Ok(format!("public hosts; beyond these: {allowed}"))
}

fn sandbox() -> Result<String, String> {
    let runtime = composition::runtime().map_err(|_| "no runtime can be started".to_owned())?;
    let sandbox = sandbox::Sandbox::of_this_program().ok_or("this program does not know its own path")?;
    let protections = runtime
        .block_on(sandbox.check())
        .map_err(|error| error.to_string())?;
    let without = match protections.missing.as_slice() {
        [] => String::new(),
        missing => format!("; this system lacks {}", missing.join(", ")),
    };
    Ok(format!(
        "limited processes for queries, patterns and documents{without}"
    ))
}

fn chromium(config: &Config) -> (bool, Result<String, String>) {
    let is_required = config.engine == BrowserEngine::Chromium || !config.cdp_endpoints.is_empty();
    let version = composition::client(config, Vec::new())
        .map_err(|_| "the network settings are wrong".to_owned())
        .and_then(|client| {
            let runtime = composition::runtime().map_err(|_| "no runtime can be started".to_owned())?;
            // A browser that starts and answers is the only proof that one works.
            let chromium = composition::chromium(config, &client);
            runtime.block_on(async {
                let version = chromium.check().await.map_err(|error| error.to_string());
                chromium.stop().await;
                version
            })
        });
    let note = match config.engine {
        BrowserEngine::Http => "; HUNTSMAN_ENGINE=http leaves it out",
        BrowserEngine::Auto | BrowserEngine::Chromium => "",
    };
    (is_required, version.map(|version| version + note))
}

fn model(config: &Config) -> (bool, Result<String, String>) {
    let is_required = config.mode != ExtractionMode::RuleBased;
    let models =
        composition::client(config, Vec::new()).and_then(|client| composition::models(config, &client));
    match models {
        Ok(Some(models)) => {
            let roles = llm::Role::ALL.map(|role| match models.settings().endpoint(role) {
                Ok(endpoint) => format!("{} by {} of {}", role.name(), endpoint.model, endpoint.provider),
                Err(error) => error.to_string(),
            });
            let text = format!("{}; `huntsman llm ping` asks it", roles.join(", "));
            (is_required, Ok(text))
        }
        Ok(None) => {
            let text =
                "none configured: set HUNTSMAN_LLM_PROVIDER, HUNTSMAN_LLM_MODEL and HUNTSMAN_LLM_API_KEY";
            let known: Vec<&str> = llm::catalog::all().keys().copied().collect();
            (
                is_required,
                Err(format!("{text}; providers: {}", known.join(", "))),
            )
        }
        // A setting that is wrong is one that should work.
        Err(failure) => (true, Err(failure.text())),
    }
}

fn search(config: &Config) -> (bool, Result<String, String>) {
    let provider =
        composition::client(config, Vec::new()).and_then(|client| composition::search(config, &client));
    match provider {
        Ok(Some(provider)) => (true, Ok(provider.name().to_owned())),
        Ok(None) => {
            let text = "none configured: set HUNTSMAN_SEARCH_PROVIDER, or fill a local index: huntsman index add FOLDER";
            (false, Err(text.to_owned()))
        }
        // A setting that is wrong is one that should work.
        Err(failure) => (true, Err(failure.text())),
    }
}
