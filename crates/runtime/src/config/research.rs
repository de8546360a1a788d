//! What an operator can set about research: what one run may spend.

use clap::Args;

/// The settings about research.
#[derive(Debug, Clone, Args)]
#[command(next_help_heading = "Research")]
pub struct Research {
    /// Tokens that one research run may use; what was found until then is written up [default: by mode, from 60000
    /// for `fast` to 6000000 for `ultra`].
    #[arg(
        long = "research-tokens",
        env = "HUNTSMAN_RESEARCH_TOKENS",
        value_name = "COUNT"
    )]
    #[arg(global = true, hide_short_help = true)]
    pub research_tokens: Option<u64>,

    /// US dollars that one research run may cost, where the prices of its models are known.
    #[arg(
        long = "research-dollars",
        env = "HUNTSMAN_RESEARCH_DOLLARS",
        value_name = "DOLLARS"
    )]
    #[arg(global = true, hide_short_help = true)]
    pub research_dollars: Option<f64>,

    /// Seconds that one research run may take; what was found until then is written up [default: by mode, from 180
    /// for `fast` to 3400 for `ultra`].
    #[arg(
        long = "research-seconds",
        env = "HUNTSMAN_RESEARCH_SECONDS",
        value_name = "SECONDS"
    )]
    #[arg(global = true, hide_short_help = true)]
    pub research_seconds: Option<u64>,
}
