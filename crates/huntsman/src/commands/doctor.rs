//! `huntsman doctor`: what is configured, what is missing, and what installs it.

use std::process::ExitCode;

use clap::Args;
use runtime::config::{Config, Engine, Mode};
use store::engines::sqlite::Role;

use crate::failure::Failure;
use crate::house;
use crate::output::Output;

#[derive(Debug, Args)]
pub(crate) struct Doctor {
    /// One JSON object instead of lines.
    #[arg(long)]
    json: bool,
}

/// What was looked at.
struct Finding {
    name: &'static str,
    good: bool,
    /// Whether the configuration asks for it.
    wanted: bool,
    text: String,
}

impl Doctor {
    /// Looks at everything; exit 0 when all that is asked for works.
    pub(crate) fn run(self, config: &Config) -> Result<ExitCode, Failure> {
        let findings = [
            store(config),
            network(config),
            browser(config),
            model(config),
            search(config),
        ];
        let mut output = Output::new();
        if self.json {
            let one = |it: &Finding| serde_json::json!({"name": it.name, "ok": it.good, "wanted": it.wanted, "text": it.text});
            output.json(&findings.iter().map(one).collect::<Vec<_>>())?;
        } else {
            for Finding {
                name,
                good,
                wanted,
                text,
            } in &findings
            {
                let mark = if *good {
                    "ok     "
                } else if *wanted {
                    "MISSING"
                } else {
                    "unused "
                };
                output.text(&format!("{mark}  {name:<8} {text}"))?;
            }
        }
        output.done()?;
        let well = findings.iter().all(|it| it.good || !it.wanted);
        Ok(if well {
            ExitCode::SUCCESS
        } else {
            ExitCode::FAILURE
        })
    }
}

fn store(config: &Config) -> Finding {
    let (good, text) = match house::open_store(config, Role::Guest) {
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
    Finding {
        name: "store",
        good,
        wanted: true,
        text,
    }
}

fn network(config: &Config) -> Finding {
    match house::client(config, Vec::new()) {
        Ok(_) => {
            let allowed = if config.allow_hosts.is_empty() {
                "none".to_owned()
            } else {
                config.allow_hosts.join(", ")
            };
            Finding {
                name: "network",
                good: true,
                wanted: true,
                text: format!("public hosts; beyond these: {allowed}"),
            }
        }
        Err(_) => {
            let text = "HUNTSMAN_ALLOW_HOSTS or HUNTSMAN_PROXY is wrong".to_owned();
            Finding {
                name: "network",
                good: false,
                wanted: true,
                text,
            }
        }
    }
}

fn browser(config: &Config) -> Finding {
    let wanted = config.engine == Engine::Chromium || !config.browsers.cdp_endpoints.is_empty();
    let tried = house::client(config, Vec::new())
        .map_err(|_| "the network settings are wrong".to_owned())
        .and_then(|client| {
            let runtime = house::runtime().map_err(|_| "no runtime can be started".to_owned())?;
            // A browser that starts and answers is the only proof that one works.
            let chromium = house::chromium(config, &client);
            runtime.block_on(async {
                let version = chromium.check().await.map_err(|why| why.to_string());
                chromium.stop().await;
                version
            })
        });
    let (good, text) = match tried {
        Ok(version) if config.engine == Engine::Http => {
            (true, format!("{version}; HUNTSMAN_ENGINE=http leaves it out"))
        }
        Ok(version) => (true, version),
        Err(why) => (false, why),
    };
    Finding {
        name: "chromium",
        good,
        wanted,
        text,
    }
}

fn model(config: &Config) -> Finding {
    let asked = config.mode != Mode::RuleBased;
    let finding = |good, wanted, text| Finding {
        name: "model",
        good,
        wanted,
        text,
    };
    let models = house::client(config, Vec::new()).and_then(|client| house::models(config, &client));
    match models {
        Ok(Some(models)) => {
            let roles = llm::Role::ALL
                .into_iter()
                .map(|role| match models.settings().endpoint(role) {
                    Ok(endpoint) => format!("{} by {} of {}", role.name(), endpoint.model, endpoint.provider),
                    Err(error) => error.to_string(),
                });
            let roles = roles.collect::<Vec<_>>().join(", ");
            finding(true, asked, format!("{roles}; `huntsman llm ping` asks it"))
        }
        Ok(None) => {
            let text =
                "none configured: set HUNTSMAN_LLM_PROVIDER, HUNTSMAN_LLM_MODEL and HUNTSMAN_LLM_API_KEY";
            let known: Vec<&str> = llm::catalog::all().keys().copied().collect();
            finding(false, asked, format!("{text}; providers: {}", known.join(", ")))
        }
        // Settings that are there and wrong are meant to work.
        Err(failure) => finding(false, true, failure.text()),
    }
}

fn search(config: &Config) -> Finding {
    let finding = |good, wanted, text| Finding {
        name: "search",
        good,
        wanted,
        text,
    };
    let engine = house::client(config, Vec::new()).and_then(|client| house::search(config, &client));
    match engine {
        Ok(Some(engine)) => finding(true, true, engine.name().to_owned()),
        Ok(None) => {
            let text = "none configured: set HUNTSMAN_SEARCH_PROVIDER, or fill a local index: huntsman index add FOLDER";
            finding(false, false, text.to_owned())
        }
        // Settings that are there and wrong are meant to work.
        Err(failure) => finding(false, true, failure.text()),
    }
}
