//! `huntsman vault`: secrets by name for the fields of pages: set, listed, deleted, and never shown.

use std::io::{IsTerminal as _, Read as _};
use std::process::ExitCode;

use anyhow::Context as _;
use clap::{Args, Subcommand};
use runtime::config::Config;
use runtime::secrets::Secrets;
use store::engines::sqlite::ProcessRole;
use wire::vault::SetSecret;

use crate::composition;
use crate::failure::Failure;
use crate::hidden_input;
use crate::output::Output;

/// Most bytes of a secret on stdin.
const MAX_STDIN: u64 = 16 * 1024;

#[derive(Debug, Args)]
#[command(
    after_help = "Examples:\n  huntsman vault set shop-password --site shop.example < password.txt\n  huntsman vault list"
)]
pub(crate) struct Vault {
    #[command(subcommand)]
    action: VaultAction,
}

#[derive(Debug, Subcommand)]
enum VaultAction {
    /// Set a secret. Its value is read from stdin, or asked for at a terminal; it is never an argument and never shown.
    Set {
        /// Its name.
        name: String,
        /// text, password or totp (base32, or an otpauth address).
        #[arg(long, default_value = "password")]
        kind: String,
        /// Site that it may be filled on, as HOST or HOST:PORT; can be repeated.
        #[arg(long = "site", value_name = "HOST", required = true)]
        sites: Vec<String>,
    },
    /// The secrets there are, without their values.
    List {
        /// One JSON object instead of a table.
        #[arg(long)]
        json: bool,
    },
    /// Delete a secret.
    Delete {
        /// Its name.
        name: String,
    },
}

impl Vault {
    /// Runs the command.
    pub(crate) fn run(self, config: &Config) -> Result<ExitCode, Failure> {
        composition::log(config, true)?;
        let application = composition::build(config, ProcessRole::Guest, Vec::new())?;
        composition::runtime()?.block_on(self.action.run(&application.service.secrets()))?;
        Ok(ExitCode::SUCCESS)
    }
}

impl VaultAction {
    async fn run(self, secrets: &Secrets) -> Result<(), Failure> {
        let mut output = Output::new();
        match self {
            Self::Set { name, kind, sites } => {
                let value = read_value(&name)?;
                let body = serde_json::json!({"value": value, "kind": kind, "sites": sites});
                let request = SetSecret::parse(body.to_string().as_bytes())
                    .map_err(|refusal| Failure::usage(refusal.text()))?;
                output.json(&secrets.set("", &name, request).await?)?;
            }
            Self::List { json: true } => output.json(&secrets.list("").await?)?,
            Self::List { json: false } => {
                for secret in secrets.list("").await?.secrets {
                    let when = secret.updated_at.strftime("%Y-%m-%d %H:%M:%S");
                    let (name, kind, sites) = (secret.name, secret.kind.as_str(), secret.sites.join(" "));
                    output.text(&format!("{name:<20} {kind:<8} {when}  {sites}"))?;
                }
            }
            Self::Delete { name } => {
                secrets.delete("", &name).await?;
                output.text("deleted")?;
            }
        }
        output.done()?;
        Ok(())
    }
}

/// One line from stdin; asked for where that is a terminal.
pub(super) fn read_value(name: &str) -> Result<String, Failure> {
    let stdin = std::io::stdin();
    if stdin.is_terminal() {
        eprint!("value of {name}: ");
        let line = hidden_input::read_line(true).context("cannot read the value")?;
        return Ok(line.unwrap_or_default());
    }
    let mut text = String::new();
    stdin
        .lock()
        .take(MAX_STDIN)
        .read_to_string(&mut text)
        .context("cannot read the value from stdin")?;
    Ok(text.trim_end_matches(['\n', '\r']).to_owned())
}
