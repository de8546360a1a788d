//! `huntsman key`: makes, lists, rotates and revokes API keys.

use std::process::ExitCode;

use clap::{Args, Subcommand};
use runtime::config::{Config, StoreEngine};
use runtime::tenants::audit::Actor;
use runtime::tenants::{NewKey, Tenants};
use store::engines::sqlite::ProcessRole;
use wire::tenancy::{KeyRequest, RotateRequest, Scope};

use crate::composition;
use crate::failure::Failure;
use crate::output::Output;

#[derive(Debug, Args)]
#[command(
    after_help = "Examples:\n  huntsman key create --tenant acme --scope read --scope scrape --expires-days 90\n  huntsman key list --tenant acme"
)]
pub(crate) struct KeyCommand {
    #[command(subcommand)]
    action: KeyAction,
}

#[derive(Debug, Subcommand)]
enum KeyAction {
    /// Make a key. Its text is printed once and kept nowhere.
    Create {
        /// The tenant.
        #[arg(long)]
        tenant: String,
        /// What people call the key.
        #[arg(long, default_value = "")]
        label: String,
        /// What it may do: read, scrape, automate, research, tools, metrics or admin. May be given several times; to read
        /// and to start every kind of run when absent.
        #[arg(long = "scope", value_parser = scope)]
        scopes: Vec<Scope>,
        /// Days until it expires; never when absent.
        #[arg(long, value_parser = clap::value_parser!(u32).range(1..=36_500))]
        expires_days: Option<u32>,
    },
    /// The keys, without their texts.
    List {
        /// Only this tenant's.
        #[arg(long)]
        tenant: Option<String>,
        /// JSON instead of a table.
        #[arg(long)]
        json: bool,
    },
    /// One key, as JSON.
    Show {
        /// Its id.
        id: String,
    },
    /// Make a successor of a key, which itself works on for a while.
    Rotate {
        /// Its id.
        id: String,
        /// Hours for which the old key still works.
        #[arg(long, default_value_t = 24, value_parser = clap::value_parser!(u32).range(0..=i64::from(RotateRequest::MAX_GRACE)))]
        grace_hours: u32,
    },
    /// Revoke a key.
    Revoke {
        /// Its id.
        id: String,
    },
}

fn scope(text: &str) -> Result<Scope, String> {
    let all = || <Scope as wire::Vocabulary>::spellings().collect::<Vec<_>>();
    Scope::parse(text).ok_or_else(|| format!("one of {}", all().join(", ")))
}

/// The tenants of the configured store.
pub(super) fn open(config: &Config) -> Result<Tenants, Failure> {
    composition::log(config, true)?;
    if config.store == StoreEngine::Memory {
        let text = "HUNTSMAN_STORE is memory, which ends with this command; tenants and keys need sqlite";
        return Err(Failure::usage(text));
    }
    let store = composition::open_store(config, ProcessRole::Guest)?;
    let defaults = config.tenant_limits().map_err(Failure::usage)?;
    let pictures = composition::picture_folder(config);
    Ok(Tenants::with_pictures(store, defaults, pictures))
}

impl KeyCommand {
    /// Runs the command.
    pub(crate) fn run(self, config: &Config) -> Result<ExitCode, Failure> {
        let tenants = open(config)?;
        composition::runtime()?.block_on(self.act(&tenants))
    }

    async fn act(self, tenants: &Tenants) -> Result<ExitCode, Failure> {
        let (mut output, actor) = (Output::new(), Actor::command_line());
        match self.action {
            KeyAction::Create {
                tenant,
                label,
                scopes,
                expires_days,
            } => {
                let request = KeyRequest {
                    tenant,
                    label,
                    scopes,
                    expires_days,
                };
                print_once(&tenants.create_key(&actor, &request).await?, &mut output)?;
            }
            KeyAction::Rotate { id, grace_hours } => {
                let request = RotateRequest { grace_hours };
                print_once(&tenants.rotate_key(&actor, &id, request).await?, &mut output)?;
            }
            KeyAction::List { tenant, json } => {
                list(tenants, tenant.as_deref(), json, &mut output).await?;
            }
            KeyAction::Show { id } => output.json(&tenants.key(&id).await?.shown())?,
            KeyAction::Revoke { id } => output.json(&tenants.revoke_key(&actor, &id).await?.shown())?,
        }
        output.done()?;
        Ok(ExitCode::SUCCESS)
    }
}

/// The key's text on stdout, and nothing else there, so that scripts can take it.
fn print_once(made: &NewKey, output: &mut Output) -> Result<(), Failure> {
    output.text(made.text.reveal())?;
    note!(
        "key {} of tenant {}; this is the only time that its text is shown",
        made.key.id,
        made.key.tenant
    );
    Ok(())
}

async fn list(
    tenants: &Tenants,
    tenant: Option<&str>,
    json: bool,
    output: &mut Output,
) -> Result<(), Failure> {
    let keys = tenants.keys(tenant).await?;
    if json {
        let keys: Vec<_> = keys.iter().map(|key| key.shown()).collect();
        output.json(&serde_json::json!({"keys": keys}))?;
        return Ok(());
    }
    let now = jiff::Timestamp::now();
    for key in &keys {
        let state = match key.is_valid(now) {
            true => "valid",
            false if key.revoked_at.is_some() => "revoked",
            false => "expired",
        };
        let scopes: Vec<&str> = key.scopes.iter().map(|scope| scope.as_str()).collect();
        let used = key.last_used_at.map_or_else(
            || "never used".to_owned(),
            |used| used.strftime("used %Y-%m-%d %H:%M").to_string(),
        );
        let (id, tenant, scopes) = (&key.id, &key.tenant, scopes.join(","));
        output.text(&format!(
            "{id}  {state:<8} {tenant:<24} {scopes:<40} {used}  {}",
            key.label
        ))?;
    }
    Ok(())
}
