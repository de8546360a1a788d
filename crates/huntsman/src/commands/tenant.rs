//! `huntsman tenant`: creates, changes, lists, exports and deletes tenants.

use std::process::ExitCode;

use clap::{Args, Subcommand};
use runtime::config::Config;
use runtime::tenants::audit::Actor;
use runtime::tenants::{Tenant, Tenants, check_policy};
use wire::tenancy::{TenantLimits, TenantRequest};
use wire::tenant_policy::{ModelKey, ModelKeys, TenantPolicy};

use super::{key, vault};
use crate::composition;
use crate::failure::Failure;
use crate::output::Output;

#[derive(Debug, Args)]
#[command(
    after_help = "Examples:\n  huntsman tenant create acme --weight 2 --limit running=4 --limit dollars_per_month=50\n  huntsman tenant set acme --policy allowed_hosts=shop.example,*.shop.example --policy engines=http"
)]
pub(crate) struct TenantCommand {
    #[command(subcommand)]
    action: TenantAction,
}

#[derive(Debug, Subcommand)]
enum TenantAction {
    /// Create a tenant.
    Create(Settings),
    /// Change the weight, the limits, the rules and the keys of models that are given, at once.
    Set(Settings),
    /// Every tenant.
    List {
        /// JSON instead of a table.
        #[arg(long)]
        json: bool,
    },
    /// One tenant, as JSON.
    Show {
        /// Its name.
        name: String,
    },
    /// Everything that is a tenant's own, as JSON lines: its settings, keys without their texts, usage, runs and events.
    Export {
        /// Its name.
        name: String,
    },
    /// Delete a tenant with everything that is its own. Its keys stop working, its runs are cancelled.
    Delete {
        /// Its name.
        name: String,
    },
}

#[derive(Debug, Args)]
struct Settings {
    /// Its name: small letters, digits and hyphens.
    name: String,
    /// Its share of the workers beside others that wait too, 1 to 1000.
    #[arg(long, value_parser = clap::value_parser!(u32).range(1..=1000))]
    weight: Option<u32>,
    /// A limit such as `running=4`; 0 is no limit. May be given several times.
    #[arg(long = "limit", value_name = "NAME=NUMBER")]
    limits: Vec<String>,
    /// A rule of what its runs may do, such as `allowed_hosts=shop.example,*.shop.example`, `engines=http`,
    /// `models=openai/*`, `forbidden_tools=browser.upload`, `profiles=off` or `guardrails=TEXT`; an empty list, on and an
    /// empty text lift a rule. May be given several times.
    #[arg(long = "policy", value_name = "NAME=VALUE")]
    policy: Vec<String>,
    /// Set the tenant's own key of this provider of models. It is read from stdin, or asked for at a terminal; it is never
    /// an argument and never shown.
    #[arg(long, value_name = "PROVIDER")]
    model_key: Option<String>,
    /// Take the key of this provider away.
    #[arg(long, value_name = "PROVIDER")]
    remove_model_key: Option<String>,
}

impl Settings {
    fn request(&self, config: &Config) -> Result<TenantRequest, Failure> {
        let limits = TenantLimits::read(&self.limits);
        let policy = TenantPolicy::read(&self.policy);
        let mut request = TenantRequest {
            name: Some(self.name.clone()),
            weight: self.weight,
            limits: limits.map_err(|error| Failure::usage(format!("--limit {error}")))?,
            removed_limits: Vec::new(),
            policy: policy.map_err(|error| Failure::usage(format!("--policy {error}")))?,
            model_keys: ModelKeys::new(),
        };
        if let Some(provider) = &self.remove_model_key {
            request.model_keys.insert(provider.clone(), None);
        }
        if let Some(provider) = &self.model_key {
            let text = vault::read_value(&format!("the key of {provider}"))?;
            let key = ModelKey::new(&text)
                .map_err(|error| Failure::usage(format!("--model-key {provider:.40}: {error}")))?;
            request.model_keys.insert(provider.clone(), Some(key));
        }
        self.check(&request, config)?;
        Ok(request)
    }

    /// Checks rules and providers. The operator's own tools are looked for only when a rule names one.
    fn check(&self, request: &TenantRequest, config: &Config) -> Result<(), Failure> {
        let policy = &request.policy;
        let mut named = policy
            .allowed_tools
            .iter()
            .chain(&policy.forbidden_tools)
            .flatten();
        let builtin = tools::Registry::builtin();
        let registry = match named.all(|name| builtin.has_name(name)) {
            true => builtin,
            false => {
                let client = composition::client(config, Vec::new())?;
                composition::all_tools(&config.tools_folder(), &client).0
            }
        };
        check_policy(request, &registry).map_err(Failure::usage)
    }
}

impl TenantCommand {
    /// Runs the command.
    pub(crate) fn run(self, config: &Config) -> Result<ExitCode, Failure> {
        let tenants = key::open(config)?;
        composition::runtime()?.block_on(self.act(&tenants, config))
    }

    async fn act(self, tenants: &Tenants, config: &Config) -> Result<ExitCode, Failure> {
        let (mut output, actor) = (Output::new(), Actor::command_line());
        match self.action {
            TenantAction::Create(settings) => {
                output.json(&tenants.create(&actor, &settings.request(config)?).await?)?;
            }
            TenantAction::Set(settings) => {
                let request = settings.request(config)?;
                output.json(&tenants.change(&actor, &settings.name, &request).await?)?;
            }
            TenantAction::List { json } => list(tenants, json, &mut output).await?,
            TenantAction::Show { name } => output.json(&tenants.get(&name).await?)?,
            TenantAction::Export { name } => export(tenants, &actor, &name, &mut output).await?,
            TenantAction::Delete { name } => {
                let is_done = tenants.delete(&actor, &name).await?;
                output.text(match is_done {
                    true => "deleted",
                    false => "its keys no longer work; the server deletes the rest when its runs have ended",
                })?;
            }
        }
        output.done()?;
        Ok(ExitCode::SUCCESS)
    }
}

async fn list(tenants: &Tenants, json: bool, output: &mut Output) -> Result<(), Failure> {
    let all = tenants.list().await?;
    if json {
        output.json(&serde_json::json!({"tenants": all}))?;
        return Ok(());
    }
    for Tenant {
        name,
        weight,
        limits,
        deleting,
        ..
    } in &all
    {
        let limits = serde_json::to_string(limits).unwrap_or_default();
        let state = if *deleting { "  is being deleted" } else { "" };
        output.text(&format!("{name:<40} weight {weight:<4} {limits}{state}"))?;
    }
    Ok(())
}

async fn export(tenants: &Tenants, actor: &Actor, name: &str, output: &mut Output) -> Result<(), Failure> {
    for line in tenants.export_head(actor, name).await? {
        output.json_line(&line)?;
    }
    let mut before = None;
    while let Some((run, line)) = tenants.export_run(name, before.as_ref()).await? {
        output.json_line(&line)?;
        let mut after = 0;
        while let Some((last, lines)) = tenants.export_events(&run.id, after).await? {
            for line in lines {
                output.json_line(&line)?;
            }
            after = last;
        }
        before = Some(run);
    }
    Ok(())
}
