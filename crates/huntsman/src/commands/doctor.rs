//! `huntsman doctor`: checks of the store, network, browser, model and search settings.

use std::process::ExitCode;

use clap::Args;
use runtime::config::Config;
use store::engines::sqlite::Role;
use wire::BrowserEngine;
use wire::scrape::ExtractionMode;

use crate::composition;
use crate::failure::Failure;
use crate::output::Output;

#[derive(Debug, Args)]
pub(crate) struct Doctor {
    /// One JSON object instead of lines.
    #[arg(long)]
    json: bool,
}

/// The result of one check.
struct DoctorCheck {
    name: &'static str,
    works: bool,
    /// Whether the configuration asks for it.
    is_required: bool,
    text: String,
}

impl Doctor {
    /// Checks everything; exit code 0 when all that the configuration asks for works.
    pub(crate) fn run(self, config: &Config) -> Result<ExitCode, Failure> {
        let checks = [
            store(config),
            network(config),
            browser(config),
            model(config),
            search(config),
        ];
        let mut output = Output::new();
        if self.json {
            let one = |check: &DoctorCheck| serde_json::json!({"name": check.name, "ok": check.works, "wanted": check.is_required, "text": check.text});
            output.json(&checks.iter().map(one).collect::<Vec<_>>())?;
        } else {
            for DoctorCheck {
                name,
                works,
                is_required,
                text,
            } in &checks
            {
                let mark = if *works {
                    "ok     "
                } else if *is_required {
                    "MISSING"
                } else {
                    "unused "
                };
                output.text(&format!("{mark}  {name:<8} {text}"))?;
            }
        }
        output.done()?;
        let well = checks.iter().all(|check| check.works || !check.is_required);
        Ok(if well {
            ExitCode::SUCCESS
        } else {
            ExitCode::FAILURE
        })
    }
}

fn store(config: &Config) -> DoctorCheck {
    let (works, text) = match composition::open_store(config, Role::Guest) {
        Ok(_) => (
            true,
            format!("{:?} in {}", config.store, config.data_folder().display()),
        ),
        Err(_) => (
            false,
            format!(
                "{} cannot be used; set HUNTSMAN_DATA_DIR",
                config.data_folder().display()
            ),
        ),
    };
    DoctorCheck {
        name: "store",
        works,
        is_required: true,
        text,
    }
}

fn network(config: &Config) -> DoctorCheck {
    match composition::client(config, Vec::new()) {
        Ok(_) => {
            let allowed = if config.allow_hosts.is_empty() {
                "none".to_owned()
            } else {
                config.allow_hosts.join(", ")
            };
            DoctorCheck {
                name: "network",
                works: true,
                is_required: true,
                text: format!("public hosts; beyond these: {allowed}"),
            }
        }
        Err(_) => {
            let text = "HUNTSMAN_ALLOW_HOSTS or HUNTSMAN_PROXY is wrong".to_owned();
            DoctorCheck {
                name: "network",
                works: false,
                is_required: true,
                text,
            }
        }
    }
}

fn browser(config: &Config) -> DoctorCheck {
    let is_required = config.engine == BrowserEngine::Chromium || !config.cdp_endpoints.is_empty();
    let tried = composition::client(config, Vec::new())
        .map_err(|_| "the network settings are wrong".to_owned())
        .and_then(|client| {
            let runtime = composition::runtime().map_err(|_| "no runtime can be started".to_owned())?;
            // A browser that starts and answers is the only proof that one works.
            let chromium = composition::chromium(config, &client);
            runtime.block_on(async {
                let version = chromium.check().await.map_err(|why| why.to_string());
                chromium.stop().await;
                version
            })
        });
    let (works, text) = match tried {
        Ok(version) if config.engine == BrowserEngine::Http => {
            (true, format!("{version}; HUNTSMAN_ENGINE=http leaves it out"))
        }
        Ok(version) => (true, version),
        Err(why) => (false, why),
    };
    DoctorCheck {
        name: "chromium",
        works,
        is_required,
        text,
    }
}

fn model(config: &Config) -> DoctorCheck {
    let asked = config.mode != ExtractionMode::RuleBased;
    let check = |works, is_required, text| DoctorCheck {
        name: "model",
        works,
        is_required,
        text,
    };
    let models =
        composition::client(config, Vec::new()).and_then(|client| composition::models(config, &client));
    match models {
        Ok(Some(models)) => {
            let roles = llm::Role::ALL
                .into_iter()
                .map(|role| match models.settings().endpoint(role) {
                    Ok(endpoint) => format!("{} by {} of {}", role.name(), endpoint.model, endpoint.provider),
                    Err(error) => error.to_string(),
                });
            let roles = roles.collect::<Vec<_>>().join(", ");
            check(true, asked, format!("{roles}; `huntsman llm ping` asks it"))
        }
        Ok(None) => {
            let text =
                "none configured: set HUNTSMAN_LLM_PROVIDER, HUNTSMAN_LLM_MODEL and HUNTSMAN_LLM_API_KEY";
            let known: Vec<&str> = llm::catalog::all().keys().copied().collect();
            check(false, asked, format!("{text}; providers: {}", known.join(", ")))
        }
        // A setting that is wrong is one that should work.
        Err(failure) => check(false, true, failure.text()),
    }
}

fn search(config: &Config) -> DoctorCheck {
    let check = |works, is_required, text| DoctorCheck {
        name: "search",
        works,
        is_required,
        text,
    };
    let engine =
        composition::client(config, Vec::new()).and_then(|client| composition::search(config, &client));
    match engine {
        Ok(Some(engine)) => check(true, true, engine.name().to_owned()),
        Ok(None) => {
            let text = "none configured: set HUNTSMAN_SEARCH_PROVIDER, or fill a local index: huntsman index add FOLDER";
            check(false, false, text.to_owned())
        }
        // A setting that is wrong is one that should work.
        Err(failure) => check(false, true, failure.text()),
    }
}
