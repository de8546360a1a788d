//! `huntsman watch`: pages that a server checks on a schedule: added, listed, shown, removed.

use std::process::ExitCode;

use clap::{Args, Subcommand};
use runtime::config::Config;
use serde_json::{Value, json};
use store::engines::sqlite::ProcessRole;
use wire::monitors::{ConditionOperator, CreateMonitor, WatchedPart};

use crate::composition;
use crate::failure::Failure;
use crate::output::Output;

/// Versions that `show` tells.
const SHOWN: usize = 20;

#[derive(Debug, Args)]
#[command(
    after_help = "Examples:\n  huntsman watch add https://news.example --every 3600 --jitter 300\n  huntsman watch add https://shop.example --part item --cron \"0 9 * * *\" --when \"price below 100\""
)]
pub(crate) struct Watch {
    #[command(subcommand)]
    action: WatchAction,
}

#[derive(Debug, Subcommand)]
enum WatchAction {
    /// Watch a page. A running server does the checks.
    Add(AddWatch),
    /// The pages that are watched.
    List {
        /// One JSON object instead of a table.
        #[arg(long)]
        json: bool,
    },
    /// One monitor with its last versions and what has changed in each, as JSON.
    Show {
        /// Its id.
        id: String,
    },
    /// Watch a page no longer, and delete its history.
    Remove {
        /// The monitor's id.
        id: String,
    },
}

#[derive(Debug, Args)]
struct AddWatch {
    /// The page.
    url: String,
    /// What people call the monitor.
    #[arg(long, default_value = "")]
    name: String,
    /// What of the page is watched: text, item or records.
    #[arg(long, default_value = "text")]
    part: WatchedPart,
    /// The field that tells entries of a list apart.
    #[arg(long)]
    key: Option<String>,
    /// Check every so many seconds.
    #[arg(long, value_name = "SECONDS", conflicts_with = "cron")]
    every: Option<u32>,
    /// Be later by up to so many seconds at random.
    #[arg(long, value_name = "SECONDS", requires = "every")]
    jitter: Option<u32>,
    /// Check when this cron expression says: minute, hour, day of the month, month, day of the week.
    #[arg(long, required_unless_present = "every")]
    cron: Option<String>,
    /// The time zone of the cron expression.
    #[arg(long, requires = "cron")]
    timezone: Option<String>,
    /// Tell a change only where this holds: FIELD below|above|equals|contains VALUE, or FIELD changed; can be repeated, and
    /// then all have to hold.
    #[arg(long = "when", value_name = "CONDITION")]
    conditions: Vec<String>,
    /// Versions to keep.
    #[arg(long)]
    keep: Option<u32>,
}

impl AddWatch {
    fn request(self) -> Result<CreateMonitor, Failure> {
        let conditions = self.conditions.iter().map(|text| condition(text));
        let body = json!({
            "url": self.url, "name": self.name, "part": self.part, "key": self.key, "keep": self.keep,
            "schedule": {"every": self.every, "jitter": self.jitter, "cron": self.cron, "timezone": self.timezone},
            "conditions": conditions.collect::<Result<Vec<_>, _>>()?,
        });
        CreateMonitor::parse(body.to_string().as_bytes()).map_err(|refusal| Failure::usage(refusal.text()))
    }
}

/// Reads a condition such as `price below 100`.
fn condition(text: &str) -> Result<Value, Failure> {
    let wrong = || {
        let text =
            format!("--when {text:?}: give it as FIELD below|above|equals|contains VALUE, or FIELD changed");
        Failure::usage(text)
    };
    let mut words = text.trim().splitn(3, char::is_whitespace);
    let (field, operator) = words.next().zip(words.next()).ok_or_else(wrong)?;
    let operator = ConditionOperator::parse(operator).ok_or_else(wrong)?;
    let value = words.next().map(|value| {
        let value = value.trim();
        let number = serde_json::from_str::<serde_json::Number>(value);
        match operator {
            ConditionOperator::Contains => Value::from(value),
            _ => number.map_or_else(|_| Value::from(value), Value::Number),
        }
    });
    Ok(json!({"field": field, "operator": operator, "value": value}))
}

impl Watch {
    /// Runs the command.
    pub(crate) fn run(self, config: &Config) -> Result<ExitCode, Failure> {
        composition::log(config, true)?;
        let application = composition::build(config, ProcessRole::Guest, Vec::new())?;
        composition::runtime()?.block_on(async {
            let monitors = application.service.monitors();
            let mut output = Output::new();
            match self.action {
                WatchAction::Add(add) => {
                    let request = add.request()?;
                    application.workers.check_address("", &request.url).await?;
                    output.json(&monitors.create("", request).await?)?;
                }
                WatchAction::List { json: true } => output.json(&monitors.list("").await?)?,
                WatchAction::List { json: false } => {
                    for monitor in monitors.list("").await?.monitors {
                        let checked = monitor.checked_at.map_or_else(
                            || "never".to_owned(),
                            |at| at.strftime("%Y-%m-%d %H:%M:%S").to_string(),
                        );
                        let state = match (&monitor.error, monitor.paused) {
                            (_, true) => "paused",
                            (Some(_), false) => "failing",
                            (None, false) => "watching",
                        };
                        let (id, version, url) = (monitor.id, monitor.version, monitor.request.url);
                        output.text(&format!(
                            "{id}  {state:<8} version {version:<4} {checked:<19}  {url}"
                        ))?;
                    }
                }
                WatchAction::Show { id } => {
                    let (monitor, history) = (
                        monitors.get("", &id).await?,
                        monitors.history("", &id, SHOWN).await?,
                    );
                    output.json(&json!({"monitor": monitor, "versions": history.versions}))?;
                }
                WatchAction::Remove { id } => {
                    monitors.delete("", &id).await?;
                    output.text("removed")?;
                }
            }
            output.done()?;
            Ok(ExitCode::SUCCESS)
        })
    }
}
