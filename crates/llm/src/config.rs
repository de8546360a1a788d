//! Model settings, and the models they make for each role.

mod value;

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;

use crate::ask::RoleModel;
use crate::assemble::AssemblerOptions;
use crate::budget::{Ledger, Meter, ModelPrices, Role, TokenBudget};
use crate::catalog::{self, CatalogEntry};
use crate::context::{ContextWindows, DEFAULT_CONTEXT_TOKENS, longest_match};
use crate::endpoint::{ApiKey, ModelEndpoint, Quirks};
use crate::error::Error;
use crate::model::Model;
use crate::output_mode::KnownModes;
use crate::provider::ProviderModel;
use crate::record::{RecordingTransport, ReplayTransport};
use crate::retry::Retry;
use crate::transport::{ModelTimeouts, Transport};
use crate::wires::Wire;
use value::{Variables, base_url};

/// What an operator can set about models. Every field has a variable; see [`ModelSettings::read`].
#[derive(Debug, Clone, Default)]
pub struct ModelSettings {
    /// `HUNTSMAN_LLM_PROVIDER`: a catalogue name or a wire.
    pub provider: Option<String>,
    /// `HUNTSMAN_LLM_MODEL`.
    pub model: Option<String>,
    /// `HUNTSMAN_LLM_BASE_URL`.
    pub base_url: Option<String>,
    /// `HUNTSMAN_LLM_API_KEY`, or the provider's usual variable.
    pub api_key: Option<ApiKey>,
    /// `HUNTSMAN_LLM_<ROLE>_MODEL`.
    pub role_models: BTreeMap<Role, String>,
    /// `HUNTSMAN_LLM_REPAIR=off` refuses repaired calls.
    pub repair_off: bool,
    /// `HUNTSMAN_LLM_TEXT_CALLS=on` reads calls that a model writes as text.
    pub text_calls: bool,
    /// `HUNTSMAN_LLM_RECORD`: a folder to write exchanges to.
    pub record: Option<PathBuf>,
    /// `HUNTSMAN_LLM_REPLAY`: a folder to answer from.
    pub replay: Option<PathBuf>,
    /// `HUNTSMAN_LLM_PRICES`: JSON, or a file of it: `{"model or prefix*": {"input", "output", "cached"}}` in US dollars for
    /// a million tokens. Laid over the catalogue's list prices.
    pub prices: ModelPrices,
    /// `HUNTSMAN_LLM_CONTEXT_TOKENS`: the tokens that a model reads and writes in one call; a number for all models, or JSON
    /// by name or `prefix*`. Laid over the catalogue's.
    pub context: ContextWindows,
    /// `HUNTSMAN_LLM_BUDGET_TOKENS`, `HUNTSMAN_LLM_BUDGET_DOLLARS`: the most that one run may spend.
    pub budget: TokenBudget,
    /// Time limits.
    pub limits: ModelTimeouts,
    /// Retrying.
    pub retry: Retry,
}

/// Providers that are taken when only their own variable is set, in this order.
const BY_KEY: [(&str, &str); 4] = [
    ("OPENAI_API_KEY", "openai"),
    ("OPENAI_BASE_URL", "openai"),
    ("ANTHROPIC_API_KEY", "anthropic"),
    ("GEMINI_API_KEY", "gemini"),
];

impl ModelSettings {
    /// Reads the variables through `get`, which gives the environment's or a configuration file's text.
    ///
    /// # Errors
    /// When the provider is unknown or a value cannot be used, naming the variable.
    pub fn read(get: impl Fn(&str) -> Option<String>) -> Result<Self, Error> {
        let variables = Variables(get);
        let get = |name: &str| variables.get(name);
        let provider = get("HUNTSMAN_LLM_PROVIDER").or_else(|| {
            let by_key = BY_KEY.iter().find(|(variable, _)| get(variable).is_some());
            by_key.map(|(_, name)| (*name).to_owned())
        });
        let entry = provider.as_deref().and_then(entry_of);
        let usual = |name: Option<&String>| name.and_then(|name| get(name));
        let role_models = Role::ALL.into_iter().filter_map(|role| {
            let variable = format!("HUNTSMAN_LLM_{}_MODEL", role.name().to_uppercase());
            Some((role, get(&variable)?))
        });
        let settings = Self {
            model: get("HUNTSMAN_LLM_MODEL"),
            base_url: get("HUNTSMAN_LLM_BASE_URL")
                .or_else(|| usual(entry.and_then(|entry| entry.base_url_variable.as_ref()))),
            api_key: get("HUNTSMAN_LLM_API_KEY")
                .or_else(|| usual(entry.and_then(|entry| entry.key.as_ref())))
                .map(ApiKey::new),
            role_models: role_models.collect(),
            repair_off: variables.switch("HUNTSMAN_LLM_REPAIR")? == Some(false),
            text_calls: variables.switch("HUNTSMAN_LLM_TEXT_CALLS")? == Some(true),
            record: get("HUNTSMAN_LLM_RECORD").map(PathBuf::from),
            replay: get("HUNTSMAN_LLM_REPLAY").map(PathBuf::from),
            prices: variables.prices()?,
            context: variables.context()?,
            budget: variables.budget()?,
            limits: variables.timeouts()?,
            retry: variables.retry()?,
            provider,
        };
        if let Some(name) = &settings.provider
            && entry_of(name).is_none()
        {
            return Err(unknown(name));
        }
        Ok(settings)
    }

    /// True when a provider is set: without one, only work that needs no model can be done.
    pub fn is_configured(&self) -> bool {
        self.provider.is_some()
    }

    /// The endpoint for a role.
    ///
    /// # Errors
    /// When something is missing, naming the variable to set.
    pub fn endpoint(&self, role: Role) -> Result<ModelEndpoint, Error> {
        let Some(provider) = &self.provider else {
            return Err(Error::NotConfigured(
                "HUNTSMAN_LLM_PROVIDER and HUNTSMAN_LLM_MODEL".into(),
            ));
        };
        let entry = entry_of(provider).ok_or_else(|| unknown(provider))?;
        // A wire's own name overrides the dialect of the entry it borrows its address from.
        let wire = Wire::named(provider)
            .or_else(|| Wire::named(&entry.wire))
            .ok_or_else(|| unknown(provider))?;
        let model = self
            .role_models
            .get(&role)
            .or(self.model.as_ref())
            .ok_or_else(|| Error::NotConfigured("HUNTSMAN_LLM_MODEL".into()))?;
        let base = self
            .base_url
            .as_ref()
            .or(entry.base_url.as_ref())
            .ok_or_else(|| {
                Error::NotConfigured(format!(
                    "HUNTSMAN_LLM_BASE_URL ({})",
                    entry.note.as_deref().unwrap_or("the provider's address")
                ))
            })?;
        let base_url = base_url(base)?;
        let key_variable = entry
            .key
            .clone()
            .unwrap_or_else(|| "HUNTSMAN_LLM_API_KEY".to_owned());
        let elsewhere = self.base_url.is_some();
        if self.api_key.is_none() && !entry.keyless && !elsewhere && self.replay.is_none() {
            let variable = format!("HUNTSMAN_LLM_API_KEY or {key_variable}");
            return Err(Error::MissingKey {
                provider: entry.title.clone(),
                variable,
            });
        }
        let title = if elsewhere {
            base_url.host_str().unwrap_or(&entry.title).to_owned()
        } else {
            entry.title.clone()
        };
        // Servers that merely speak OpenAI's dialect know only the older name.
        let mut quirks: Quirks = entry.quirks.clone();
        if elsewhere && provider == "openai" && base_url.host_str() != Some("api.openai.com") {
            quirks.max_tokens_field = None;
        }
        Ok(ModelEndpoint {
            provider: title,
            wire,
            base_url,
            model: model.clone(),
            key: self.api_key.clone(),
            key_variable: format!("HUNTSMAN_LLM_API_KEY (or {key_variable})"),
            quirks,
            context_tokens: self.context_tokens(entry, model),
        })
    }

    /// The context window of a model: what the operator set, else what the catalogue knows, else a small one.
    fn context_tokens(&self, entry: &CatalogEntry, model: &str) -> u32 {
        self.context
            .of(model)
            .or_else(|| longest_match(&entry.context, model).copied())
            .unwrap_or(DEFAULT_CONTEXT_TOKENS)
    }

    /// The model for a role, reached through `transport`, or through a recording where one is set.
    ///
    /// # Errors
    /// As [`ModelSettings::endpoint`].
    pub fn model(&self, role: Role, transport: Arc<dyn Transport>) -> Result<Arc<dyn Model>, Error> {
        let endpoint = self.endpoint(role)?;
        Ok(Arc::new(ProviderModel::new(
            endpoint,
            self.through_recording(transport),
            self.limits,
            self.retry,
        )))
    }

    /// The transport with recording or replaying as set. Made once for all roles, so that a repeated request is counted
    /// rightly.
    pub fn through_recording(&self, transport: Arc<dyn Transport>) -> Arc<dyn Transport> {
        if let Some(folder) = &self.replay {
            return Arc::new(ReplayTransport::new(folder.clone()));
        }
        match &self.record {
            Some(folder) => Arc::new(RecordingTransport::new(
                transport,
                folder.clone(),
                self.api_key.clone().into_iter().collect(),
            )),
            None => transport,
        }
    }

    /// How answers are assembled.
    pub fn rules(&self) -> AssemblerOptions {
        AssemblerOptions {
            text_calls: self.text_calls,
            repair: !self.repair_off,
            ..AssemblerOptions::default()
        }
    }

    /// The prices that hold: the catalogue's for the provider, and over them the operator's own.
    pub fn prices(&self) -> ModelPrices {
        let entry = self.provider.as_deref().and_then(entry_of);
        let mut prices = entry.map(|entry| entry.prices.clone()).unwrap_or_default();
        prices.extend(self.prices.0.clone());
        ModelPrices(prices)
    }
}

/// The models of all roles over one transport.
#[derive(Clone)]
pub struct Models {
    settings: Arc<ModelSettings>,
    transport: Arc<dyn Transport>,
    /// The transport without recording.
    bare: Arc<dyn Transport>,
    ledger: Option<(Ledger, Arc<ModelPrices>)>,
    modes: KnownModes,
}

impl Models {
    /// Models as set, over this transport.
    pub fn new(settings: ModelSettings, transport: Arc<dyn Transport>) -> Self {
        Self {
            transport: settings.through_recording(Arc::clone(&transport)),
            settings: Arc::new(settings),
            bare: transport,
            ledger: None,
            modes: KnownModes::default(),
        }
    }

    /// Other models over the same transport.
    #[must_use]
    pub fn with_settings(&self, settings: ModelSettings) -> Self {
        Self::new(settings, Arc::clone(&self.bare))
    }

    /// The same models, every answer of which is entered in a ledger.
    #[must_use]
    pub fn entering(&self, ledger: &Ledger) -> Self {
        Self {
            ledger: Some((ledger.clone(), Arc::new(self.settings.prices()))),
            ..self.clone()
        }
    }

    /// The model for a role; `meter` counts its answers.
    ///
    /// # Errors
    /// When something is not set, naming the variable.
    pub fn seat(&self, role: Role, meter: Meter) -> Result<RoleModel, Error> {
        let endpoint = self.settings.endpoint(role)?;
        let meter = match &self.ledger {
            Some((ledger, prices)) => meter.entering(ledger.clone(), Arc::clone(prices)),
            None => meter,
        };
        let model = ProviderModel::new(
            endpoint,
            self.transport.clone(),
            self.settings.limits,
            self.settings.retry,
        );
        Ok(RoleModel {
            model: Arc::new(model),
            role,
            meter,
            rules: self.settings.rules(),
            modes: self.modes.clone(),
        })
    }

    /// A meter for one run, with the budget and the prices that are set.
    pub fn meter(&self) -> Meter {
        Meter::new(self.settings.budget, self.settings.prices())
    }

    /// The settings.
    pub fn settings(&self) -> &ModelSettings {
        &self.settings
    }
}

/// The catalogue entry of a provider, or the one whose address and key a bare wire borrows.
fn entry_of(name: &str) -> Option<&'static CatalogEntry> {
    let by_wire = Wire::named(name).map(|wire| wire.dialect().provider);
    catalog::named(by_wire.unwrap_or(name)).map(|(_, entry)| entry)
}

fn unknown(name: &str) -> Error {
    let wires = Wire::ALL.iter().map(|wire| wire.name());
    let known: Vec<&str> = catalog::all().keys().copied().chain(wires).collect();
    Error::UnknownProvider {
        name: name.to_owned(),
        known: known.join(", "),
    }
}
