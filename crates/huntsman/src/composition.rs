//! Composition root: builds the store, network, models, browser, tools and workers that the configuration asks for.

use std::io::IsTerminal as _;
use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};
use std::time::Duration;

use agents::page_settings::{Engines, Exits, PageSettings};
use agents::services::{AgentServices, ClientModels, Reading, SetupFacts};
use anyhow::Context as _;
use browser::Browser;
use browser::engines::auto::AutoBrowser;
use browser::engines::chromium::{self, Chromium};
use browser::engines::http::HttpBrowser;
use llm::Models;
use llm::transport::Network;
use net::AllowRule;
use net::proxy::TrafficLimits;
use runtime::config::{Config, CountryProxy, Origin, SETTINGS, Secret, StoreEngine, Switch};
use runtime::retention::RetentionSettings;
use runtime::service::{Service, ServiceSettings};
use runtime::worker::Workers;
use sandbox::Sandbox;
use search::{SearchApiKey, SearchProvider};
use store::Store;
use store::engines::memory::InMemoryStore;
use store::engines::nats::{Nats, NatsAddress, NatsSettings};
use store::engines::sqlite::{ProcessRole, Sqlite};
use store::index::Index;
use tools::registry::RejectedTool;
use tracing_subscriber::layer::SubscriberExt as _;
use tracing_subscriber::util::SubscriberInitExt as _;
use tracing_subscriber::{EnvFilter, Layer as _};
use wire::BrowserEngine;
use wire::automate::KeySource;

use crate::failure::Failure;
use crate::local_search::LocalSearch;
use crate::traces;

/// How fast a run opens its pages.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Pace {
    /// Pages that one run reads at once.
    pub(crate) pages_at_once: usize,
    /// Shortest time between the starts of two pages of one host.
    pub(crate) page_delay: Duration,
}

impl Default for Pace {
    fn default() -> Self {
        Self {
            pages_at_once: 8,
            page_delay: Duration::ZERO,
        }
    }
}

/// Most bytes that the cache of one exit holds.
const EXIT_CACHE: usize = 16 << 20;
/// Bytes of a megabyte.
const MEGABYTE: u64 = 1_000_000;

/// The service and its workers, over the configured engines.
pub(crate) struct Application {
    pub(crate) service: Service,
    pub(crate) workers: Workers,
}

/// How long a lease in a cluster holds without renewal: what the takeover of a dead worker's runs takes at most, but for a
/// beat. Four beats of a process: one that was busy for less than three of them loses nothing.
const CLUSTER_LEASE: Duration = Duration::from_secs(8);
/// How long followers in a cluster wait for a notification before they read the log anyway.
const CLUSTER_PATIENCE: Duration = Duration::from_secs(2);

/// Builds everything that runs need. `typed` are the hosts of addresses on this command line; runs may reach them.
pub(crate) fn build(config: &Config, role: ProcessRole, typed: Vec<String>) -> Result<Application, Failure> {
    let store = open_store(config, role)?;
    with_store(config, store, role, typed)
}

/// As [`build`], for one run of a command. Where the data folder cannot be written, and the run needs nothing of it, the run
/// is kept in memory.
pub(crate) fn for_run(
    config: &Config,
    typed: Vec<String>,
    pace: Pace,
    needs_folder: bool,
) -> Result<Application, Failure> {
    let store = open_store(config, ProcessRole::Guest).or_else(|failure| {
        let folder = config.data_folder();
        match unwritable(&folder) {
            Some(reason) if config.store == StoreEngine::Sqlite && !needs_folder => {
                note!(
                    "{} cannot be written ({reason}): the run is kept in memory and gone at its end; set HUNTSMAN_DATA_DIR \
                     to a folder that can be written to keep runs",
                    folder.display()
                );
                Ok(InMemoryStore::open())
            }
            _ => Err(failure),
        }
    })?;
    assemble(config, store, ProcessRole::Guest, typed, pace)
}

/// Why nothing can be written to a folder; none when something can.
fn unwritable(folder: &Path) -> Option<std::io::Error> {
    let probe = folder.join(format!(".writable-{}", std::process::id()));
    let written = std::fs::create_dir_all(folder)
        .and_then(|()| std::fs::File::create_new(&probe))
        .and_then(|_| std::fs::remove_file(&probe));
    written.err()
}

/// As [`build`], over a store that is open.
pub(crate) fn with_store(
    config: &Config,
    store: Store,
    role: ProcessRole,
    typed: Vec<String>,
) -> Result<Application, Failure> {
    assemble(config, store, role, typed, Pace::default())
}

fn assemble(
    config: &Config,
    store: Store,
    role: ProcessRole,
    typed: Vec<String>,
    pace: Pace,
) -> Result<Application, Failure> {
    // A server is alone with its store; beside it other processes may write.
    let is_cluster = matches!(config.store, StoreEngine::Nats(_));
    let patience = match role {
        _ if is_cluster => CLUSTER_PATIENCE,
        ProcessRole::Server => Duration::from_secs(15),
        ProcessRole::Guest => Duration::from_millis(300),
    };
    let service = Service::new(
        store,
        ServiceSettings {
            queue: config.queue,
            patience,
            free_space: config.free_megabytes.saturating_mul(MEGABYTE),
        },
    );
    let own = if role == ProcessRole::Server {
        vec![config.listen]
    } else {
        Vec::new()
    };
    let client = client(config, own)?;
    let sandbox = Sandbox::of_this_program();
    let models = models(config, &client)?;
    let browser = browser(config, &client, sandbox.clone());
    let services = AgentServices {
        session: agents::session::RunSession::default(),
        policy: None,
        engines: engines(config, &client, sandbox.clone(), &browser),
        exits: Arc::new(exits(config, &client)?),
        pages: PageSettings::default(),
        client_models: Arc::new(client_models(config, &client)?),
        setup: SetupFacts {
            key_source: key_source(config, models.as_ref()),
            has_proxy: config.proxy.is_some() || !config.proxies.is_empty(),
            cdp_endpoints: u32::try_from(config.cdp_endpoints.len()).unwrap_or(u32::MAX),
        },
        models,
        search: search(config, &client)?,
        research: spending(config),
        browser,
        client: client.clone(),
        sandbox,
        reading: reading(config),
        tools: tools(config, &client),
        pages_at_once: pace.pages_at_once,
        page_delay: pace.page_delay,
        uploads: config.uploads.clone(),
        screenshots: Some(picture_folder(config)),
        granted: typed,
    };
    let workers = Workers::new(service.clone(), services, Duration::from_secs(config.run_seconds));
    workers.keep_step_pictures(config.step_pictures == Switch::On);
    workers.answers_within(Duration::from_secs(config.answer_seconds));
    workers.pause_at_most(Duration::from_secs(config.pause_seconds));
    if is_cluster {
        workers.lease_for(CLUSTER_LEASE);
        workers.leave_to_others(config.browsers);
    }
    Ok(Application { service, workers })
}

/// The store that is configured.
pub(crate) fn open_store(config: &Config, role: ProcessRole) -> Result<Store, Failure> {
    match &config.store {
        StoreEngine::Nats(servers) => {
            let name = match role {
                ProcessRole::Server => "server",
                ProcessRole::Guest => "command",
            };
            Ok(connect(config, servers, name)?.store())
        }
        StoreEngine::Memory => Ok(InMemoryStore::open()),
        StoreEngine::Sqlite => {
            let keys: Vec<&str> = config.secret_key.iter().map(Secret::reveal).collect();
            Sqlite::open(&config.data_folder(), role, &keys).map_err(|error| match error {
                store::Error::Locked { .. }
                | store::Error::BadKey { .. }
                | store::Error::KeyUnavailable { .. } => Failure::usage(error),
                other => Failure::Work(anyhow::Error::new(other).context(
                    "cannot open the store in HUNTSMAN_DATA_DIR; set it to a folder that can be written",
                )),
            })
        }
    }
}

/// Connects to the cluster of the store. `role` is what the process is called in `huntsman cluster status`.
pub(crate) fn connect(config: &Config, servers: &[NatsAddress], role: &str) -> Result<Nats, Failure> {
    /// Commands ask the store before their own runtime begins; the connection lives here then.
    static CONNECTION: OnceLock<tokio::runtime::Runtime> = OnceLock::new();
    let user = config.nats_user.clone().zip(config.nats_password.as_ref());
    let settings = NatsSettings {
        servers: servers.to_vec(),
        credentials: config.nats_credentials.clone(),
        user: user.map(|(user, password)| (user, password.reveal().to_owned())),
        authorities: config.nats_ca.clone(),
        certificate: config.nats_certificate.clone().zip(config.nats_key.clone()),
        prefix: config.nats_prefix.clone(),
        replicas: u8::try_from(config.nats_replicas).unwrap_or(u8::MAX),
        role: role.to_owned(),
    };
    let keys: Vec<&str> = config.secret_key.iter().map(Secret::reveal).collect();
    let folder = config.data_folder();
    let connecting = Nats::connect(&settings, &folder, &keys);
    let connected = match tokio::runtime::Handle::try_current() {
        Ok(current) => tokio::task::block_in_place(|| current.block_on(connecting)),
        Err(_) => {
            let runtime = match CONNECTION.get() {
                Some(runtime) => runtime,
                None => {
                    let new = runtime()?;
                    CONNECTION.get_or_init(|| new)
                }
            };
            runtime.block_on(connecting)
        }
    };
    connected.map_err(|error| match error {
        store::Error::Cluster { .. } | store::Error::BadKey { .. } => Failure::usage(error),
        other => Failure::Work(anyhow::Error::new(other).context("cannot open the store of HUNTSMAN_STORE")),
    })
}

/// What the server keeps of runs that have ended.
pub(crate) fn retention(config: &Config) -> RetentionSettings {
    let days = |days: Option<u64>| days.map(|days| Duration::from_secs(days.saturating_mul(86_400)));
    RetentionSettings {
        runs: days(config.retention_days),
        events: days(config.retention_event_days),
        pictures: days(config.retention_picture_days),
        bytes: Some(config.retention_megabytes.saturating_mul(MEGABYTE)),
        picture_folder: Some(picture_folder(config)),
    }
}

/// The folder of pictures of pages.
pub(crate) fn picture_folder(config: &Config) -> PathBuf {
    config.data_folder().join("screenshots")
}

/// The tools: those that are compiled in, those of the operator's servers, and the operator's own; and what could not be
/// used of them.
pub(crate) fn all_tools(folder: &Path, client: &net::Client) -> (tools::Registry, Vec<RejectedTool>) {
    let (registry, mut unreached) = tools::mcp::load(&tools::Registry::builtin(), folder, client);
    let (registry, refused) = plans::user::load(&registry, folder);
    unreached.extend(refused);
    (registry, unreached)
}

/// The tools that runs may use. One that cannot be used is logged and left out.
fn tools(config: &Config, client: &net::Client) -> tools::Registry {
    let (registry, refused) = all_tools(&config.tools_folder(), client);
    for refused in refused {
        tracing::warn!("tools.d: {refused}");
    }
    for unknown in config
        .tools_granted
        .iter()
        .filter(|name| registry.find(name).is_err())
    {
        tracing::warn!("HUNTSMAN_TOOLS_GRANTED names {unknown:?}, and there is no such tool");
    }
    registry.granting(config.tools_granted.iter().cloned())
}

/// The network client, as configured. `own` are addresses of this process, which runs may not reach.
pub(crate) fn client(config: &Config, own: Vec<std::net::SocketAddr>) -> Result<net::Client, Failure> {
    let allow = config.allow_hosts.iter().map(|host| {
        host.parse::<AllowRule>()
            .map_err(|error| Failure::usage(format!("HUNTSMAN_ALLOW_HOSTS: {host:?}: {error}")))
    });
    let megabytes = |count: u64| usize::try_from(count << 20).unwrap_or(usize::MAX);
    let settings = net::ClientConfig {
        limits: net::Limits {
            body_bytes: megabytes(config.page_megabytes),
            ..net::Limits::default()
        },
        memory_budget: megabytes(config.fetch_megabytes),
        allow: allow.collect::<Result<_, _>>()?,
        own,
        proxy: config.proxy.clone(),
        proxy_granted: true,
        trace_parent: Some(|| runtime::trace_parent::current()?.parse().ok()),
        ..net::ClientConfig::default()
    };
    net::Client::new(settings).map_err(|error| Failure::usage(format!("HUNTSMAN_PROXY: {error}")))
}

/// The browser engine, as configured. No browser is started before a page needs one.
pub(crate) fn browser(config: &Config, client: &net::Client, sandbox: Option<Sandbox>) -> Arc<dyn Browser> {
    let http = http_engine(client, sandbox);
    match config.engine {
        BrowserEngine::Http => http,
        BrowserEngine::Chromium => Arc::new(chromium(config, client)),
        BrowserEngine::Auto => Arc::new(AutoBrowser::new(http, Arc::new(chromium(config, client)))),
    }
}

/// The engines that requests may choose among: all where there is a browser.
fn engines(
    config: &Config,
    client: &net::Client,
    sandbox: Option<Sandbox>,
    browser: &Arc<dyn Browser>,
) -> Engines {
    Engines {
        http: match config.engine {
            BrowserEngine::Http => browser.clone(),
            BrowserEngine::Auto | BrowserEngine::Chromium => http_engine(client, sandbox),
        },
        chromium: match config.engine {
            BrowserEngine::Http => None,
            BrowserEngine::Auto => browser.acting(),
            BrowserEngine::Chromium => Some(browser.clone()),
        },
    }
}

/// The engine without a browser.
fn http_engine(client: &net::Client, sandbox: Option<Sandbox>) -> Arc<dyn Browser> {
    let http = HttpBrowser::new(client.clone());
    Arc::new(match sandbox {
        Some(sandbox) => http.with_sandbox(sandbox),
        None => http,
    })
}

/// A client for each country that the operator has an exit in.
fn exits(config: &Config, client: &net::Client) -> Result<Exits, Failure> {
    let cache = net::CacheConfig {
        bytes: EXIT_CACHE,
        ..net::CacheConfig::default()
    };
    let mut exits = Exits::new();
    for CountryProxy { country, proxy } in &config.proxies {
        let exit = client
            .exit(country, proxy, cache.clone())
            .map_err(|error| Failure::usage(format!("HUNTSMAN_PROXIES: {country}: {error}")))?;
        if exits.insert(country.clone(), exit).is_some() {
            return Err(Failure::usage(format!("HUNTSMAN_PROXIES names {country} twice")));
        }
    }
    Ok(exits)
}

/// The models that requests may name. Each is resolved here, so that a missing key fails the start.
fn client_models(config: &Config, client: &net::Client) -> Result<ClientModels, Failure> {
    let own_provider = config.llm_provider.as_deref();
    let mut models = ClientModels::new();
    for name in &config.llm_client_models {
        let wrong = |text: String| Failure::usage(format!("HUNTSMAN_LLM_CLIENT_MODELS: {name}: {text}"));
        let Some((provider, model)) = name.trim().split_once('/') else {
            return Err(wrong("give it as provider/model".to_owned()));
        };
        let is_own = own_provider == Some(provider);
        let settings = llm::ModelSettings::read(|variable| match variable {
            "HUNTSMAN_LLM_PROVIDER" => Some(provider.to_owned()),
            "HUNTSMAN_LLM_MODEL" => Some(model.to_owned()),
            // The server's key and address are for the server's provider alone.
            "HUNTSMAN_LLM_API_KEY" | "HUNTSMAN_LLM_BASE_URL" if !is_own => None,
            // Every role is done by the model that the request names.
            role if role.starts_with("HUNTSMAN_LLM_") && role.ends_with("_MODEL") => None,
            other => config.llm_variable(other),
        })
        .map_err(|error| wrong(error.to_string()))?;
        for role in llm::Role::ALL {
            settings
                .endpoint(role)
                .map_err(|error| wrong(error.to_string()))?;
        }
        let network = Arc::new(Network::new(client.clone()));
        models.insert(
            (provider.to_owned(), model.to_owned()),
            Models::new(settings, network),
        );
    }
    Ok(models)
}

/// The Chromium engine.
pub(crate) fn chromium(config: &Config, client: &net::Client) -> Chromium {
    let settings = chromium::ChromiumSettings {
        program: config.chromium.clone(),
        endpoints: config.cdp_endpoints.clone(),
        sandbox: config.chromium_sandbox == Switch::On,
        switches: config
            .chromium_args
            .iter()
            .filter(|switch| !switch.is_empty())
            .cloned()
            .collect(),
        browsers: usize::from(config.browsers),
        process_bytes: u64::from(config.browser_memory) << 20,
        traffic: TrafficLimits {
            requests: config.browser_requests.into(),
            bytes: u64::from(config.browser_megabytes) * 1_000_000,
        },
        remote_endpoints: config.cdp_remote == Switch::On,
        ..chromium::ChromiumSettings::default()
    };
    Chromium::new(client.clone(), settings)
}

/// How pages become items where a request does not say.
fn reading(config: &Config) -> Reading {
    Reading {
        mode: config.mode,
        retries: config.llm_schema_retries,
    }
}

/// The models, when a provider is configured. Every role is resolved here, so that a missing setting fails the start and
/// not the first run. A provider's key in the environment alone configures nothing.
pub(crate) fn models(config: &Config, client: &net::Client) -> Result<Option<Models>, Failure> {
    let settings = llm::ModelSettings::read(|name| config.llm_variable(name)).map_err(Failure::usage)?;
    let is_named = config.llm_provider.is_some() || config.llm_model.is_some();
    if !is_named || !settings.is_configured() {
        return Ok(None);
    }
    for role in llm::Role::ALL {
        settings.endpoint(role).map_err(Failure::usage)?;
    }
    let network = Network::new(client.clone());
    Ok(Some(Models::new(settings, Arc::new(network))))
}

/// Where the key of the models' provider comes from: the environment, a provider's own variable among it, or what was
/// configured otherwise.
fn key_source(config: &Config, models: Option<&Models>) -> KeySource {
    if models.is_none_or(|models| models.settings().api_key.is_none()) {
        return KeySource::NotSet;
    }
    let setting = SETTINGS.iter().find(|setting| setting.name == "llm_api_key");
    match setting.map(|setting| config.origins.origin(setting)) {
        Some(Origin::Flag(_) | Origin::Key { .. }) => KeySource::Global,
        Some(Origin::Variable(_) | Origin::Default) | None => KeySource::Env,
    }
}

/// The search provider; none when none is configured and the local index is empty.
pub(crate) fn search(
    config: &Config,
    client: &net::Client,
) -> Result<Option<Arc<dyn SearchProvider>>, Failure> {
    let local = |index: Index| -> Arc<dyn SearchProvider> { Arc::new(LocalSearch(index)) };
    let Some(name) = &config.search_provider else {
        // Without a provider, the local index is searched if it holds anything.
        return Ok(Index::filled(&config.data_folder()).map(local));
    };
    if name.trim().eq_ignore_ascii_case("local") {
        let index = Index::open(&config.data_folder()).map_err(Failure::usage)?;
        return Ok(Some(local(index)));
    }
    let settings = search::ProviderSettings {
        url: config.search_url.clone(),
        key: config
            .search_api_key
            .as_ref()
            .map(|key| SearchApiKey::new(key.reveal())),
    };
    search::named(name, &settings, client.clone())
        .map(Some)
        .map_err(Failure::usage)
}

/// What one research run may spend.
fn spending(config: &Config) -> agents::research::ResearchLimits {
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "a bound of money, not an amount"
    )]
    let micro = |dollars: f64| (dollars.max(0.0) * 1e6) as u64;
    agents::research::ResearchLimits {
        tokens: config.research_tokens,
        micro_dollars: config.research_dollars.map(micro),
        seconds: config.research_seconds,
    }
}

/// Starts logging to stderr, for people at a terminal and as JSON lines elsewhere, and the export of traces.
pub(crate) fn log(config: &Config, quiet_default: bool) -> Result<(), Failure> {
    let spec = if quiet_default && config.log == "info" {
        "warn"
    } else {
        &config.log
    };
    let filter = EnvFilter::builder()
        .parse(spec)
        .map_err(|error| Failure::usage(format!("HUNTSMAN_LOG: {error}")))?;
    // The HTML parser logs page text at its lower levels, values of a person included.
    let filter = match "html5ever=off".parse() {
        Ok(silent) => filter.add_directive(silent),
        Err(_) => filter,
    };
    let log = tracing_subscriber::fmt::layer()
        // A closed stderr is no reason to break.
        .log_internal_errors(false)
        .with_writer(std::io::stderr);
    let log = if std::io::stderr().is_terminal() {
        log.compact().boxed()
    } else {
        log.json().boxed()
    };
    let subscriber = tracing_subscriber::registry()
        .with(log.with_filter(filter))
        .with(traces::layer()?);
    // A second start in one process fails, and the first stays.
    let _ = subscriber.try_init();
    Ok(())
}

/// A runtime for commands that wait for the network.
pub(crate) fn runtime() -> Result<tokio::runtime::Runtime, Failure> {
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build();
    Ok(runtime.context("cannot start the runtime")?)
}
