//! What agents work with: the engines, put together once by the binary.

use std::path::PathBuf;
use std::sync::Arc;

use browser::Browser;
pub use llm::budget::Spending;
pub use llm::{Ledger, TokenBudget};
use llm::{Meter, Models};
use search::SearchProvider;
use wire::automate::KeySource;
use wire::scrape::ExtractionMode;

use crate::research::ResearchLimits;

/// The engines and settings that every run of this process shares.
#[derive(Clone)]
pub struct AgentServices {
    /// Opens pages.
    pub browser: Arc<dyn Browser>,
    /// The models of all roles; none when no provider is configured, and then work that needs one says what to set.
    pub models: Option<Models>,
    /// How pages are read where a request does not say.
    pub reading: Reading,
    /// Fetches pages that need no browser.
    pub client: net::Client,
    /// Runs queries, patterns and readers of PDF documents apart; none where there is no program to start for it.
    pub sandbox: Option<sandbox::Sandbox>,
    /// Finds pages; none when no search provider is configured.
    pub search: Option<Arc<dyn SearchProvider>>,
    /// What one research run may spend.
    pub research: ResearchLimits,
    /// The tools, those of the user among them.
    pub tools: tools::Registry,
    /// Pages that one run reads at once; at least 1.
    pub pages_at_once: usize,
    /// Files, and folders of files, that runs may give to pages.
    pub uploads: Vec<PathBuf>,
    /// Folder of the pictures of pages that requests ask for; without it none are kept.
    pub screenshots: Option<PathBuf>,
    /// Hosts that the operator typed, which may be reached although they are not public.
    pub granted: Vec<String>,
    /// What `task:setup` tells of the configuration.
    pub setup: SetupFacts,
}

/// What an automation's `task:setup` event tells of the configuration: that something is set, never where it leads.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SetupFacts {
    /// Where the key of the models' provider was found.
    pub key_source: KeySource,
    /// Whether requests leave through a proxy.
    pub has_proxy: bool,
    /// How many remote browsers are configured.
    pub cdp_endpoints: u32,
}

impl Default for SetupFacts {
    fn default() -> Self {
        Self {
            key_source: KeySource::NotSet,
            has_proxy: false,
            cdp_endpoints: 0,
        }
    }
}

impl AgentServices {
    /// The engine for pages that are acted on.
    pub fn acting(&self) -> Arc<dyn Browser> {
        self.browser.acting().unwrap_or_else(|| self.browser.clone())
    }

    /// The same engines, whose models enter what they cost in a ledger.
    #[must_use]
    pub fn entering(&self, ledger: &Ledger) -> Self {
        Self {
            models: self.models.as_ref().map(|models| models.entering(ledger)),
            ..self.clone()
        }
    }

    /// A meter for one run, with the budget that is set.
    pub(crate) fn meter(&self) -> Meter {
        self.models.as_ref().map(Models::meter).unwrap_or_default()
    }
}

/// How pages become items.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Reading {
    /// The mode.
    pub mode: ExtractionMode,
    /// Questions to a model that may follow the first one about a page.
    pub retries: u32,
}

impl Default for Reading {
    fn default() -> Self {
        Self {
            mode: ExtractionMode::RuleBased,
            retries: 2,
        }
    }
}
