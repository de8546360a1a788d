//! Catalogue of the providers known by name.
//!
//! Each is one file of `catalog/`, found by the build: a file more is a provider more.

use std::collections::BTreeMap;
use std::sync::OnceLock;

use serde::Deserialize;

use crate::budget::ModelPrice;
use crate::endpoint::Quirks;

include!(concat!(env!("OUT_DIR"), "/catalog.rs"));

/// A known provider.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CatalogEntry {
    /// Its name for people.
    pub title: String,
    /// The dialect it speaks, by name.
    pub wire: String,
    /// Where it listens; absent where every user has an address of their own.
    #[serde(default)]
    pub base_url: Option<String>,
    /// The variable that usually holds its key; absent where none is needed.
    #[serde(default)]
    pub key: Option<String>,
    /// A variable that may hold its base URL.
    #[serde(default)]
    pub base_url_variable: Option<String>,
    /// True when it answers without a key, too.
    #[serde(default)]
    pub keyless: bool,
    /// How it deviates from the dialect.
    #[serde(default)]
    pub quirks: Quirks,
    /// US dollars for a million tokens, by model name or `prefix*`.
    #[serde(default)]
    pub prices: BTreeMap<String, ModelPrice>,
    /// Context windows in tokens, by model name or `prefix*`.
    #[serde(default)]
    pub context: BTreeMap<String, u32>,
    /// What an operator should know.
    #[serde(default)]
    pub note: Option<String>,
}

/// All known providers by the name used in configuration. A file that cannot be read is left out; a test sees to it that
/// there is none.
pub fn all() -> &'static BTreeMap<&'static str, CatalogEntry> {
    static ALL: OnceLock<BTreeMap<&'static str, CatalogEntry>> = OnceLock::new();
    ALL.get_or_init(|| {
        FILES
            .iter()
            .filter_map(|(name, text)| Some((*name, serde_json::from_str(text).ok()?)))
            .collect()
    })
}

/// The provider of that name; hyphens, underscores, dots and case do not matter.
pub fn named(name: &str) -> Option<(&'static str, &'static CatalogEntry)> {
    let plain = |text: &str| {
        text.chars()
            .filter(|letter| letter.is_alphanumeric())
            .flat_map(char::to_lowercase)
            .collect::<String>()
    };
    let wanted = plain(name);
    all()
        .iter()
        .find(|(name, _)| plain(name) == wanted)
        .map(|(name, entry)| (*name, entry))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::wires::Wire;

    #[test]
    fn every_file_is_a_provider_of_a_known_wire_with_a_usable_address() {
        for (name, text) in FILES {
            let entry: CatalogEntry =
                serde_json::from_str(text).unwrap_or_else(|error| panic!("{name}: {error}"));
            assert!(Wire::named(&entry.wire).is_some(), "{name}: wire {}", entry.wire);
            if let Some(base) = &entry.base_url {
                let url = url::Url::parse(base).unwrap_or_else(|error| panic!("{name}: {error}"));
                assert!(
                    !base.ends_with('/') && matches!(url.scheme(), "http" | "https"),
                    "{name}: {base}"
                );
            }
            assert!(
                entry.base_url.is_some() || entry.base_url_variable.is_some(),
                "{name} has no address"
            );
            assert!(entry.key.is_some() || entry.keyless, "{name} has no key variable");
        }
        assert!(all().len() >= 17);
    }

    #[test]
    fn a_provider_is_found_however_its_name_is_written() {
        for name in ["llama.cpp", "llama-cpp", "LLAMA_CPP", "LM Studio", "open-router"] {
            assert!(named(name).is_some(), "{name}");
        }
        assert!(named("nobody").is_none());
    }
}
