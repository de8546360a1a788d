//! `huntsman webhook`: addresses that are told of ends of runs and of changes: created, listed, rotated, deleted, and their
//! deliveries.

use std::process::ExitCode;

use clap::{Args, Subcommand};
use runtime::config::Config;
use serde_json::json;
use store::engines::sqlite::ProcessRole;
use wire::tenancy::RotateRequest;
use wire::webhooks::{CreateWebhook, DeliveryState};

use crate::composition;
use crate::failure::Failure;
use crate::output::Output;

/// Deliveries that are shown where nobody says how many.
const SHOWN: usize = 20;
/// Most deliveries that are shown.
const MAX_SHOWN: u64 = 1_000;

#[derive(Debug, Args)]
#[command(
    after_help = "Examples:\n  huntsman webhook create https://hooks.example/runs --event run.failed\n  huntsman webhook deliveries whk_... --state dead"
)]
pub(crate) struct WebhookCommand {
    #[command(subcommand)]
    action: WebhookAction,
}

#[derive(Debug, Subcommand)]
enum WebhookAction {
    /// Register an address. Its secret is printed once. A running server sends the messages.
    Create {
        /// Where messages are sent.
        url: String,
        /// Send this event (repeatable); ends of runs and changes of monitors when absent.
        #[arg(long = "event", value_name = "NAME")]
        events: Vec<String>,
        /// What people call it.
        #[arg(long, default_value = "")]
        description: String,
    },
    /// The registered addresses.
    List {
        /// One JSON object instead of a table.
        #[arg(long)]
        json: bool,
    },
    /// The last messages to an address with every try, the newest first, as JSON lines.
    Deliveries {
        /// Its id.
        id: String,
        /// Only those that are pending, delivered or dead.
        #[arg(long)]
        state: Option<DeliveryState>,
        /// How many at most.
        #[arg(long, default_value_t = SHOWN as u64, value_parser = clap::value_parser!(u64).range(1..=MAX_SHOWN))]
        limit: u64,
    },
    /// Send a message again, at once: a dead letter, or one that has arrived.
    Resend {
        /// The webhook's id.
        id: String,
        /// The message's id.
        delivery: String,
    },
    /// Make a new secret, which is printed once.
    Rotate {
        /// Its id.
        id: String,
        /// Hours for which messages are signed with the old secret, too; 24 when absent.
        #[arg(long, value_name = "HOURS")]
        grace_hours: Option<u32>,
    },
    /// Delete an address, with its log.
    Delete {
        /// Its id.
        id: String,
    },
}

impl WebhookCommand {
    /// Runs the command.
    pub(crate) fn run(self, config: &Config) -> Result<ExitCode, Failure> {
        composition::log(config, true)?;
        let application = composition::build(config, ProcessRole::Guest, Vec::new())?;
        composition::runtime()?.block_on(async {
            let webhooks = application.service.webhooks();
            let mut output = Output::new();
            match self.action {
                WebhookAction::Create {
                    url,
                    events,
                    description,
                } => {
                    let mut body = json!({"url": url, "description": description});
                    if !events.is_empty() {
                        body["events"] = json!(events);
                    }
                    let request = CreateWebhook::parse(body.to_string().as_bytes())
                        .map_err(|refusal| Failure::usage(refusal.text()))?;
                    application.workers.check_address("", &request.url).await?;
                    output.json(&webhooks.create("", request).await?)?;
                }
                WebhookAction::List { json: true } => output.json(&webhooks.list("").await?)?,
                WebhookAction::List { json: false } => {
                    for webhook in webhooks.list("").await?.webhooks {
                        let events = webhook.events.join(",");
                        let url = webhook.url.or(webhook.error).unwrap_or_default();
                        let (id, description) = (webhook.id, webhook.description);
                        output.text(format!("{id}  {url}  {events}  {description}").trim_end())?;
                    }
                }
                WebhookAction::Deliveries { id, state, limit } => {
                    let limit = usize::try_from(limit).unwrap_or(SHOWN);
                    for delivery in webhooks.deliveries("", &id, state, limit).await?.deliveries {
                        output.json_line(&delivery)?;
                    }
                }
                WebhookAction::Resend { id, delivery } => {
                    output.json(&webhooks.resend("", &id, &delivery).await?)?;
                }
                WebhookAction::Rotate { id, grace_hours } => {
                    let body = match grace_hours {
                        Some(hours) => json!({"grace_hours": hours}),
                        None => json!({}),
                    };
                    let request = RotateRequest::parse(body.to_string().as_bytes())
                        .map_err(|refusal| Failure::usage(refusal.text()))?;
                    output.json(&webhooks.rotate("", &id, request).await?)?;
                }
                WebhookAction::Delete { id } => {
                    webhooks.delete("", &id).await?;
                    output.text("deleted")?;
                }
            }
            output.done()?;
            Ok(ExitCode::SUCCESS)
        })
    }
}
