//! `huntsman usage` and `huntsman audit`: what was used, and who changed tenants and keys.

use std::process::ExitCode;

use clap::Args;
use runtime::config::Config;
use runtime::tenants::usage::{self, UsagePeriod};

use super::key;
use crate::composition;
use crate::failure::Failure;
use crate::output::Output;

/// Entries of the audit log read at once.
const BATCH: usize = 1000;

#[derive(Debug, Args)]
#[command(
    after_help = "Examples:\n  huntsman usage --tenant acme --from 2026-01-01 --to 2026-01-31\n  huntsman usage --json"
)]
pub(crate) struct UsageCommand {
    /// Only this tenant's.
    #[arg(long)]
    tenant: Option<String>,
    /// The first day, in UTC; the first of the month when absent.
    #[arg(long, value_name = "DAY")]
    from: Option<String>,
    /// The last day; today when absent.
    #[arg(long, value_name = "DAY")]
    to: Option<String>,
    /// JSON instead of CSV.
    #[arg(long)]
    json: bool,
}

impl UsageCommand {
    /// Runs the command.
    pub(crate) fn run(self, config: &Config) -> Result<ExitCode, Failure> {
        let tenants = key::open(config)?;
        let period = UsagePeriod::read(self.from.as_deref(), self.to.as_deref())?;
        let totals = composition::runtime()?.block_on(tenants.usage(self.tenant.as_deref(), &period))?;
        let mut output = Output::new();
        if self.json {
            output.json(&usage::json(&totals))?;
        } else {
            output.text(&usage::csv(&totals))?;
        }
        output.done()?;
        Ok(ExitCode::SUCCESS)
    }
}

#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  huntsman audit > audit.jsonl\n  huntsman audit --after ID")]
pub(crate) struct AuditCommand {
    /// Only entries after the one of this id.
    #[arg(long, default_value = "", value_name = "ID")]
    after: String,
}

impl AuditCommand {
    /// Prints the audit log as JSON lines.
    pub(crate) fn run(self, config: &Config) -> Result<ExitCode, Failure> {
        let tenants = key::open(config)?;
        composition::runtime()?.block_on(async {
            let (mut output, mut after) = (Output::new(), self.after);
            loop {
                let entries = tenants.audit_log(&after, BATCH).await?;
                let Some(last) = entries.last() else { break };
                last.id().clone_into(&mut after);
                for entry in &entries {
                    output.json_line(entry)?;
                }
            }
            output.done()?;
            Ok(ExitCode::SUCCESS)
        })
    }
}
