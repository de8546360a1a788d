//! What agents work with: the engines, put together once by the binary.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;

use browser::{Browser, Visit};
pub use llm::budget::Spending;
pub use llm::{Ledger, TokenBudget};
use llm::{Meter, Models};
use page::Page;
use search::SearchProvider;
use url::Url;
use wire::Code;
use wire::automate::KeySource;
use wire::error::ErrorBody;
use wire::scrape::ExtractionMode;
use wire::tenant_policy::TenantPolicy;

use crate::page_settings::{Engines, Exits, PageSettings};
use crate::research::ResearchLimits;
use crate::session::RunSession;

/// The engines and settings that every run of this process shares.
#[derive(Clone)]
pub struct AgentServices {
    /// Opens pages.
    pub browser: Arc<dyn Browser>,
    /// The engines that requests may choose among.
    pub engines: Engines,
    /// The ways out by country.
    pub exits: Arc<Exits>,
    /// How pages are opened, where a request says.
    pub pages: PageSettings,
    /// The models of all roles; none when no provider is configured, and then work that needs one says what to set.
    pub models: Option<Models>,
    /// The models that requests may name, by provider and model.
    pub client_models: Arc<ClientModels>,
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
    /// Shortest time between the starts of two pages of one host in a scrape; zero for none.
    pub page_delay: std::time::Duration,
    /// Files, and folders of files, that runs may give to pages.
    pub uploads: Vec<PathBuf>,
    /// Folder of the pictures of pages that requests ask for; without it none are kept.
    pub screenshots: Option<PathBuf>,
    /// Hosts that the operator typed, which may be reached although they are not public.
    pub granted: Vec<String>,
    /// What `task:setup` tells of the configuration.
    pub setup: SetupFacts,
    /// The logins of one run; none where all runs share the value.
    pub session: RunSession,
    /// The policy of the tenant whose runs use these services; none where everything is allowed.
    pub policy: Option<Arc<HeldPolicy>>,
}

/// A policy that services hold.
#[derive(Clone)]
pub struct HeldPolicy {
    pub(crate) rules: TenantPolicy,
    /// The client that keeps to the hosts of the policy; none where it has none.
    pub(crate) client: Option<net::Client>,
}

/// Models by provider and name.
pub type ClientModels = BTreeMap<(String, String), Models>;

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

    /// The same engines, whose models, also those that requests may name, enter what they cost in a ledger.
    #[must_use]
    pub fn entering(&self, ledger: &Ledger) -> Self {
        let named = self.client_models.iter();
        let named = named.map(|(name, models)| (name.clone(), models.entering(ledger)));
        Self {
            models: self.models.as_ref().map(|models| models.entering(ledger)),
            client_models: Arc::new(named.collect()),
            ..self.clone()
        }
    }

    /// Why a visit shows that its site has no login of the run's profile; none for runs without one.
    pub(crate) fn login_error(&self, requested: &Url, visit: &Visit, page: &Page) -> Option<ErrorBody> {
        let profile = self.session.profile.as_ref()?;
        profile.login_error(requested, visit, page)
    }

    /// The models that a request names, or those of the server. A client names one of the server's own, or one that the
    /// operator offers.
    ///
    /// # Errors
    /// When it may not; the text names the field.
    pub(crate) fn chosen_models(
        &self,
        provider: Option<&str>,
        model: Option<&str>,
    ) -> Result<Option<Models>, ErrorBody> {
        let (field, named) = match (model, provider) {
            (None, None) => return Ok(self.models.clone()),
            (Some(model), _) => ("model", model),
            (None, Some(provider)) => ("provider", provider),
        };
        let own = self.models.as_ref().map(Models::settings);
        let own_provider = own.and_then(|own| own.provider.as_deref());
        let own_model = own.and_then(|own| own.model.as_deref());
        let is_own_provider = provider.is_none() || provider == own_provider;
        if own.is_some() && is_own_provider && (model.is_none() || model == own_model) {
            return Ok(self.models.clone());
        }
        let wanted = provider.or(own_provider).zip(model);
        let known = wanted
            .and_then(|(provider, model)| self.client_models.get(&(provider.to_owned(), model.to_owned())));
        match known {
            Some(models) => Ok(Some(models.clone())),
            None => {
                let offered: Vec<String> = self
                    .client_models
                    .keys()
                    .map(|(provider, model)| format!("{provider}/{model}"))
                    .collect();
                let offered = match offered.as_slice() {
                    [] => "requests may name no model here (HUNTSMAN_LLM_CLIENT_MODELS)".to_owned(),
                    some => format!("requests may name {}", some.join(", ")),
                };
                let text =
                    format!("{field}: {named:?} is not offered; {offered}, or leave model and provider out");
                Err(ErrorBody::new(Code::InvalidRequest, text))
            }
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
