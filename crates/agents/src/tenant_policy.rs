//! Services under the policy of a tenant: the hosts, engines, models and tools that its runs may use.

use std::collections::BTreeMap;
use std::sync::Arc;

use llm::endpoint::ApiKey;
use llm::transport::Network;
use llm::{ModelSettings, Models, Role};
use net::{AllowRule, HostBounds};
use wire::Code;
use wire::error::ErrorBody;
use wire::profile::ProfileChoice;
use wire::run::JobRequest;
use wire::tenant_policy::{ModelKey, TenantPolicy};

use crate::scrape::address::address;
use crate::services::{AgentServices, ClientModels, HeldPolicy};

/// Most bytes that the cache of a client holds that keeps to the hosts of one tenant.
const CACHE: usize = 1 << 20;

/// A tenant's own keys of providers of models, by the provider's name.
pub type OwnKeys = BTreeMap<String, ModelKey>;

fn refuse<T>(code: Code, field: &str, text: impl std::fmt::Display) -> Result<T, ErrorBody> {
    Err(ErrorBody::new(code, format!("{field}: {text}")))
}

fn rules(name: &str, texts: Option<&Vec<String>>) -> Result<Vec<AllowRule>, ErrorBody> {
    let read = |text: &String| {
        text.parse().or_else(|_| {
            let text = format!("{text:?} is neither a host, host:port, address nor block");
            refuse(Code::InvalidRequest, &format!("policy.{name}"), text)
        })
    };
    texts.into_iter().flatten().map(read).collect()
}

fn bounds(policy: &TenantPolicy) -> Result<HostBounds, ErrorBody> {
    Ok(HostBounds {
        allowed: rules("allowed_hosts", policy.allowed_hosts.as_ref())?,
        forbidden: rules("forbidden_hosts", policy.forbidden_hosts.as_ref())?,
    })
}

/// Checks a policy that somebody sets: its hosts can be read, its tools and the providers of its models are there.
///
/// # Errors
/// Naming the field.
pub fn check_policy<'p>(
    policy: &TenantPolicy,
    providers: impl IntoIterator<Item = &'p String>,
    tools: &tools::Registry,
) -> Result<(), ErrorBody> {
    bounds(policy)?;
    for (field, names) in [
        ("allowed_tools", &policy.allowed_tools),
        ("forbidden_tools", &policy.forbidden_tools),
    ] {
        if let Some(unknown) = names.iter().flatten().find(|name| !tools.has_name(name)) {
            let text = format!("there is no tool or category {unknown:?}; `huntsman tools list` shows all");
            return refuse(Code::InvalidRequest, &format!("policy.{field}"), text);
        }
    }
    let of_models = policy.models.iter().flatten();
    let of_models = of_models.map(|entry| ("policy.models", entry.split('/').next().unwrap_or_default()));
    let of_keys = providers
        .into_iter()
        .map(|provider| ("model_keys", provider.as_str()));
    for (field, provider) in of_models.chain(of_keys) {
        let settings = ModelSettings {
            provider: Some(provider.to_owned()),
            model: Some("any".to_owned()),
            ..ModelSettings::default()
        };
        if let Err(error @ llm::Error::UnknownProvider { .. }) = settings.endpoint(Role::Planner) {
            return refuse(Code::InvalidRequest, field, error);
        }
    }
    Ok(())
}

impl AgentServices {
    /// The services as the runs of a tenant may use them.
    ///
    /// # Errors
    /// When a rule of the policy cannot be read.
    pub fn under(&self, policy: &TenantPolicy, keys: &OwnKeys) -> Result<AgentServices, ErrorBody> {
        let mut services = self.clone();
        let bounds = bounds(policy)?;
        let is_bounded = bounds != HostBounds::default();
        if is_bounded {
            let bounded = |client: &net::Client| {
                let cache = net::CacheConfig {
                    bytes: CACHE,
                    ..net::CacheConfig::default()
                };
                client.bounded(bounds.clone(), cache)
            };
            services.client = bounded(&self.client);
            let exits = self.exits.iter();
            services.exits = Arc::new(
                exits
                    .map(|(country, exit)| (country.clone(), bounded(exit)))
                    .collect(),
            );
        }
        if policy
            .engines
            .as_ref()
            .is_some_and(|engines| !engines.iter().any(|it| it == "chromium"))
        {
            services.engines.chromium = None;
            services.browser = self.engines.http.clone();
        }
        if policy.allowed_tools.is_some() || policy.forbidden_tools.is_some() {
            services.tools = self
                .tools
                .withholding(|id, category| policy.allows_tool(id, category));
        }
        if policy.uploads == Some(false) {
            services.uploads.clear();
        }
        if policy.models.is_some() || !keys.is_empty() {
            (services.models, services.client_models) = self.models_under(policy, keys);
        }
        services.policy = Some(Arc::new(HeldPolicy {
            rules: policy.clone(),
            client: is_bounded.then(|| services.client.clone()),
        }));
        Ok(services)
    }

    /// The models that may be asked, with the tenant's own keys: those used unless a request names one, and those that
    /// requests may name.
    fn models_under(&self, policy: &TenantPolicy, keys: &OwnKeys) -> (Option<Models>, Arc<ClientModels>) {
        let key_of = |provider: &str| {
            let of_provider = |(name, _): &(&String, &ModelKey)| name.eq_ignore_ascii_case(provider);
            keys.iter()
                .find(of_provider)
                .map(|(_, key)| key.reveal().to_owned())
        };
        let made = |settings: ModelSettings| match &self.models {
            Some(models) => models.with_settings(settings),
            None => Models::new(settings, Arc::new(Network::new(self.client.clone()))),
        };
        let with_key = |models: &Models| {
            let settings = models.settings();
            match settings.provider.as_deref().and_then(key_of) {
                None => models.clone(),
                Some(key) => made(ModelSettings {
                    api_key: Some(ApiKey::new(key)),
                    ..settings.clone()
                }),
            }
        };
        let is_allowed = |models: &&Models| {
            let settings = models.settings();
            let provider = settings.provider.as_deref().unwrap_or_default();
            let model = |role| settings.role_models.get(&role).or(settings.model.as_ref());
            Role::ALL
                .into_iter()
                .all(|role| model(role).is_some_and(|model| policy.allows_model(provider, model)))
        };
        let own = self.models.as_ref().filter(is_allowed).map(with_key);
        let offered = self.client_models.iter();
        let offered = offered.filter(|((provider, model), _)| policy.allows_model(provider, model));
        let mut offered: ClientModels = offered
            .map(|(name, models)| (name.clone(), with_key(models)))
            .collect();
        let named = policy
            .models
            .iter()
            .flatten()
            .filter_map(|entry| entry.split_once('/'));
        let named: Vec<(&str, &str)> = named.filter(|(_, model)| *model != "*").collect();
        let base = self
            .models
            .as_ref()
            .map(|models| models.settings().clone())
            .unwrap_or_default();
        for (provider, model) in &named {
            let name = ((*provider).to_owned(), (*model).to_owned());
            let is_of_server = base.provider.as_deref() == Some(*provider);
            let Some(key) = key_of(provider).filter(|_| !offered.contains_key(&name)) else {
                // The server's own model may be asked by its name as well.
                continue;
            };
            let settings = ModelSettings {
                provider: Some(name.0.clone()),
                model: Some(name.1.clone()),
                api_key: Some(ApiKey::new(key)),
                base_url: base.base_url.clone().filter(|_| is_of_server),
                role_models: BTreeMap::new(),
                ..base.clone()
            };
            match settings.endpoint(Role::Planner) {
                Ok(_) => {
                    offered.insert(name, made(settings));
                }
                Err(error) => tracing::warn!(provider, model, %error, "a model of a tenant cannot be used"),
            }
        }
        let first = || {
            let mut known = named
                .iter()
                .filter_map(|(provider, model)| offered.get(&((*provider).to_owned(), (*model).to_owned())));
            known.next().cloned()
        };
        (own.or_else(first), Arc::new(offered))
    }

    /// Checks a job against the policy that these services hold.
    ///
    /// # Errors
    /// When the policy does not allow it; the text names the field.
    pub fn allow_job(&self, job: &JobRequest) -> Result<(), ErrorBody> {
        let Some(policy) = &self.policy else {
            return Ok(());
        };
        self.allow_profile(job.profile())?;
        if let JobRequest::Scrape(request) = job {
            if request.enable_memory == Some(true) && policy.rules.memory == Some(false) {
                return refuse(
                    Code::Forbidden,
                    "enable_memory",
                    "the policy of this tenant allows no memory",
                );
            }
            if let Some(index) = crate::tooling::plugins::withheld(&request.enable_plugins, &self.tools) {
                let text = "the policy of this tenant allows none of its tools";
                return refuse(Code::Forbidden, &format!("enable_plugins[{index}]"), text);
            }
        }
        let (field, addresses): (&str, &[String]) = match job {
            JobRequest::Scrape(request) => ("assets", &request.assets),
            JobRequest::Batch(request) => ("urls", &request.urls),
            JobRequest::Research(request) => ("sources", &request.sources),
            JobRequest::Crawl(request) => return self.allow_address("url", &request.url),
            JobRequest::Automate(request) => {
                return request
                    .url
                    .iter()
                    .try_for_each(|url| self.allow_address("url", url));
            }
            JobRequest::Plan(request) => {
                return request
                    .url
                    .iter()
                    .try_for_each(|url| self.allow_address("url", url));
            }
        };
        let mut numbered = addresses.iter().enumerate();
        numbered.try_for_each(|(index, asset)| self.allow_address(&format!("{field}[{index}]"), asset))
    }

    /// Checks an address of a request against the hosts of the policy. What is no address is left to others.
    ///
    /// # Errors
    /// When the policy does not allow its host; the text names the field.
    pub fn allow_address(&self, field: &str, asset: &str) -> Result<(), ErrorBody> {
        let client = self.policy.as_ref().and_then(|policy| policy.client.as_ref());
        let (Some(client), Ok(url)) = (client, address(asset)) else {
            return Ok(());
        };
        match client.screen(&url, true) {
            Err(error @ net::Error::Blocked(net::Blocked::Policy)) => refuse(Code::UrlBlocked, field, error),
            _ => Ok(()),
        }
    }

    /// Checks whether the policy allows profiles, where a request names one.
    ///
    /// # Errors
    /// When it does not.
    pub fn allow_profile(&self, choice: &ProfileChoice) -> Result<(), ErrorBody> {
        let forbids = self
            .policy
            .as_ref()
            .is_some_and(|policy| policy.rules.profiles == Some(false));
        match forbids && choice.profile.is_some() {
            true => refuse(
                Code::Forbidden,
                "profile",
                "the policy of this tenant allows no profiles",
            ),
            false => Ok(()),
        }
    }

    /// Adds the guardrails of the policy to a job that obeys guardrails.
    pub fn add_guardrails(&self, job: &mut JobRequest) {
        let guardrails = self
            .policy
            .as_ref()
            .and_then(|policy| policy.rules.guardrails.as_ref());
        if let (JobRequest::Automate(request), Some(always)) = (job, guardrails) {
            request.guardrails = Some(match request.guardrails.take() {
                Some(own) => format!("{always}\n{own}"),
                None => always.clone(),
            });
        }
    }

    /// Whether the policy is why no browser can be used.
    pub(crate) fn policy_withholds_browser(&self) -> bool {
        self.policy
            .as_ref()
            .is_some_and(|policy| policy.rules.engines.is_some())
    }
}
