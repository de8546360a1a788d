//! What an operator can set about searching the web.

use clap::Args;
use url::Url;

use super::Secret;

/// The settings about searching.
#[derive(Debug, Clone, Args)]
#[command(next_help_heading = "Search")]
pub struct Search {
    /// Who searches the web: `searxng`, `brave`, `tavily`, `exa`, `serper`, `duckduckgo`, or `local` for what
    /// `huntsman index` has read.
    #[arg(
        long = "search-provider",
        env = "HUNTSMAN_SEARCH_PROVIDER",
        value_name = "NAME"
    )]
    #[arg(global = true, hide_short_help = true)]
    pub search_provider: Option<String>,

    /// Address of the search provider, where it is not the usual one.
    #[arg(long = "search-url", env = "HUNTSMAN_SEARCH_URL", value_name = "URL")]
    #[arg(global = true, hide_short_help = true)]
    pub search_url: Option<Url>,

    /// Key for the search provider.
    #[arg(long = "search-api-key", env = "HUNTSMAN_SEARCH_API_KEY", value_name = "KEY")]
    #[arg(global = true, hide_short_help = true, hide_env_values = true)]
    pub search_api_key: Option<Secret>,
}
