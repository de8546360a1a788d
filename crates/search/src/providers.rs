//! The providers by name.

mod brave;
mod duckduckgo;
mod exa;
mod searxng;
mod serper;
mod tavily;

use std::sync::Arc;
use std::time::Duration;

use crate::cache::CachedProvider;
use crate::error::Error;
use crate::port::SearchProvider;
use crate::settings::ProviderSettings;

/// How long an answer is cached.
const CACHE_LIFETIME: Duration = Duration::from_secs(15 * 60);

type Build = fn(&ProviderSettings, net::Client) -> Result<Arc<dyn SearchProvider>, Error>;

/// Every provider.
pub(crate) const PROVIDERS: [(&str, Build); 6] = [
    ("searxng", searxng::build),
    ("brave", brave::build),
    ("tavily", tavily::build),
    ("exa", exa::build),
    ("serper", serper::build),
    ("duckduckgo", duckduckgo::build),
];

/// The provider of that name, with a cache.
///
/// # Errors
/// When there is none, or it lacks a setting.
pub fn named(
    name: &str,
    settings: &ProviderSettings,
    client: net::Client,
) -> Result<Arc<dyn SearchProvider>, Error> {
    let name = name.trim().to_ascii_lowercase();
    let Some((_, build)) = PROVIDERS.iter().find(|(known, _)| *known == name) else {
        let known: Vec<&str> = PROVIDERS.iter().map(|(known, _)| *known).collect();
        return Err(Error::Unknown {
            name,
            known: known.join(", "),
        });
    };
    Ok(Arc::new(CachedProvider::new(
        build(settings, client)?,
        CACHE_LIFETIME,
    )))
}
