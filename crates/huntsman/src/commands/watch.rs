//! `huntsman watch`: pages, maps, scrapes and questions that a server checks on a schedule: added, listed, shown, removed.

use std::path::PathBuf;
use std::process::ExitCode;

use clap::{Args, Subcommand};
use runtime::config::Config;
use serde_json::{Value, json};
use store::engines::sqlite::ProcessRole;
use wire::monitors::{
    ConditionOperator, CreateMonitor, WatchedPart, condition_text, is_ambiguous_number, plain_number,
};

use crate::failure::Failure;
use crate::output::Output;
use crate::{address, argument, composition};

/// Versions that `show` tells.
const SHOWN: usize = 20;

#[derive(Debug, Args)]
#[command(
    after_help = "Examples:\n  huntsman watch add https://shop.example --part item --cron \"0 9 * * *\" --when \"price below 100\"\n  huntsman watch add --research \"Which kettles were recalled?\" --cron \"0 6 * * 1\""
)]
pub(crate) struct Watch {
    #[command(subcommand)]
    action: WatchAction,
}

#[derive(Debug, Subcommand)]
enum WatchAction {
    /// Watch a page, a map, a scrape or a question. A running server does the checks.
    Add(Box<AddWatch>),
    /// What is watched.
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
    /// Watch no longer, and delete the history.
    Remove {
        /// The monitor's id.
        id: String,
    },
}

#[derive(Debug, Args)]
struct AddWatch {
    /// The page, or a page of the site with `--map`.
    #[arg(required_unless_present = "research", conflicts_with = "research")]
    url: Option<String>,
    /// Watch which addresses the site has.
    #[arg(long)]
    map: bool,
    /// Links that are followed from the start page of the map (0 to 5).
    #[arg(long, value_name = "COUNT", requires = "map")]
    depth: Option<u32>,
    /// Watch only addresses of the map that match this pattern; repeatable.
    #[arg(long, value_name = "PATTERN", requires = "map")]
    include: Vec<String>,
    /// Leave out addresses of the map that match this pattern; repeatable.
    #[arg(long, value_name = "PATTERN", requires = "map")]
    exclude: Vec<String>,
    /// Watch what a scrape of the page with these instructions gives.
    #[arg(long, value_name = "TEXT", conflicts_with = "map")]
    instructions: Option<String>,
    /// Watch what a scrape gives in the shape of this JSON Schema.
    #[arg(long, value_name = "FILE", conflicts_with = "map")]
    schema: Option<PathBuf>,
    /// Watch these columns of a scrape.
    #[arg(long, value_name = "NAMES", value_delimiter = ',', conflicts_with = "map")]
    columns: Vec<String>,
    /// Watch the answer to this question. Needs a model.
    #[arg(long, value_name = "QUESTION")]
    research: Option<String>,
    /// How thoroughly the question is answered: fast, balanced, deep, max or ultra.
    #[arg(long, value_name = "MODE", requires = "research")]
    mode: Option<String>,
    /// What people call the monitor.
    #[arg(long, default_value = "")]
    name: String,
    /// What of the page is watched: text (the usual), item or records.
    #[arg(long, conflicts_with_all = ["map", "instructions", "schema", "columns", "research"])]
    part: Option<WatchedPart>,
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
    /// Tell a change only where this holds: FIELD below|above|equals|contains VALUE, FIELD changed, or other words, which a
    /// model judges; can be repeated, and then all have to hold.
    #[arg(long = "when", value_name = "CONDITION")]
    conditions: Vec<String>,
    /// Versions to keep.
    #[arg(long)]
    keep: Option<u32>,
}

impl AddWatch {
    fn request(self) -> Result<CreateMonitor, Failure> {
        let is_scrape = self.instructions.is_some() || self.schema.is_some() || !self.columns.is_empty();
        let part = match self.map || is_scrape {
            true => WatchedPart::Records,
            false => self.part.unwrap_or_default(),
        };
        let (mut conditions, mut when) = (Vec::new(), Vec::new());
        for text in self.conditions {
            match condition(&text, part) {
                Some(condition) => conditions.push(condition),
                None => when.push(text),
            }
        }
        let mut body = json!({
            "name": self.name, "part": self.part, "key": self.key, "keep": self.keep,
            "schedule": {"every": self.every, "jitter": self.jitter, "cron": self.cron, "timezone": self.timezone},
            "conditions": conditions, "when": when,
        });
        let url = self.url.as_deref().map(address::with_scheme);
        let schema = self
            .schema
            .map(|path| argument::json("--schema", &format!("@{}", path.display())));
        if self.map {
            body["map"] =
                json!({"url": url, "include": self.include, "exclude": self.exclude, "depth": self.depth});
        } else if is_scrape {
            let columns = (!self.columns.is_empty()).then_some(self.columns);
            body["scrape"] = json!({
                "assets": [url], "instructions": self.instructions, "schema": schema.transpose()?, "columns": columns,
            });
        } else if let Some(question) = self.research {
            body["research"] = json!({"query": question, "mode": self.mode});
        } else {
            body["url"] = json!(url);
        }
        CreateMonitor::parse(body.to_string().as_bytes()).map_err(|refusal| Failure::usage(refusal.text()))
    }
}

/// Reads a condition such as `price below 100`; none where it is in other words.
fn condition(text: &str, part: WatchedPart) -> Option<Value> {
    let mut words = text.trim().splitn(3, char::is_whitespace);
    let (field, operator) = words.next().zip(words.next())?;
    if part == WatchedPart::Text && field != "text" {
        return None;
    }
    let operator = ConditionOperator::parse(operator)?;
    let value = words.next().map(str::trim).filter(|value| !value.is_empty());
    let number = value.and_then(plain_number);
    let value = match (operator, value) {
        (ConditionOperator::Changed, None) => None,
        (ConditionOperator::Changed, Some(_)) | (_, None) => return None,
        (ConditionOperator::Below | ConditionOperator::Above, Some(_)) => Some(Value::Number(number?)),
        // `1.500` is 1500 for some.
        (ConditionOperator::Equals, Some(value)) if is_ambiguous_number(value) => return None,
        (ConditionOperator::Contains, Some(value)) => Some(Value::from(certain_text(value)?)),
        (ConditionOperator::Equals, Some(value)) => Some(match number {
            Some(number) => Value::Number(number),
            None => Value::from(certain_text(value)?),
        }),
    };
    Some(json!({"field": field, "operator": operator, "value": value}))
}

/// The text that a value means, where that is certain: without quotes, `red or blue` may be two.
fn certain_text(value: &str) -> Option<&str> {
    let text = condition_text(value)?;
    let is_quoted = text.len() < value.len();
    let has_or = || {
        text.split_whitespace()
            .any(|word| word.eq_ignore_ascii_case("or"))
    };
    (is_quoted || !has_or()).then_some(text)
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
                    application.workers.check_monitor("", &request).await?;
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
                        let subject = monitor.request.subject();
                        let (id, version) = (&monitor.id, monitor.version);
                        output.text(&format!(
                            "{id}  {state:<8} version {version:<4} {checked:<19}  {subject}"
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_condition_means_what_is_in_quotes_and_nothing_that_may_be_two_texts() {
        let contains = |value: &str| json!({"field": "title", "operator": "contains", "value": value});
        for (words, expected) in [
            ("title contains \"red kettle\"", Some(contains("red kettle"))),
            ("title contains 'red or blue'", Some(contains("red or blue"))),
            ("title contains red kettle", Some(contains("red kettle"))),
            ("title contains red or blue", None),
            ("title contains \"red\" or \"blue\"", None),
            ("title contains \"red kettle", None),
            (
                "price equals \"on request\"",
                Some(json!({"field": "price", "operator": "equals", "value": "on request"})),
            ),
        ] {
            assert_eq!(condition(words, WatchedPart::Item), expected, "{words}");
        }
    }
}
