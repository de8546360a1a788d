//! What an operator can set about real browsers.

use std::path::PathBuf;

use clap::{Args, ValueEnum};
use url::Url;

/// The settings about real browsers.
#[derive(Debug, Clone, Args)]
#[command(next_help_heading = "Browsers")]
pub struct Browsers {
    /// Chromium's program [default: found on PATH].
    #[arg(long = "chromium", env = "HUNTSMAN_CHROMIUM", value_name = "FILE")]
    #[arg(global = true, hide_short_help = true)]
    pub chromium: Option<PathBuf>,

    /// Browsers that run already: ws or http addresses, comma separated, tried in order.
    #[arg(
        long = "cdp-endpoints",
        env = "HUNTSMAN_CDP_ENDPOINTS",
        value_delimiter = ',',
        value_name = "URL"
    )]
    #[arg(global = true, hide_short_help = true)]
    pub cdp_endpoints: Vec<Url>,

    /// Chromium's own sandbox. Only its operator may turn it off, where the system has none.
    #[arg(
        long = "chromium-sandbox",
        env = "HUNTSMAN_CHROMIUM_SANDBOX",
        default_value = "on",
        value_name = "SWITCH"
    )]
    #[arg(global = true, hide_short_help = true)]
    pub chromium_sandbox: Switch,

    /// Further switches for Chromium, separated by blanks.
    #[arg(
        long = "chromium-args",
        env = "HUNTSMAN_CHROMIUM_ARGS",
        value_name = "SWITCHES",
        value_delimiter = ' ',
        allow_hyphen_values = true
    )]
    #[arg(global = true, hide_short_help = true)]
    pub chromium_args: Vec<String>,

    /// Most browsers at once.
    #[arg(long = "browsers", env = "HUNTSMAN_BROWSERS", default_value_t = 4, value_name = "COUNT", value_parser = clap::value_parser!(u16).range(1..=256))]
    #[arg(global = true, hide_short_help = true)]
    pub browsers: u16,
}

/// On or off.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Switch {
    /// On.
    On,
    /// Off.
    Off,
}
