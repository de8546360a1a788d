//! The composition root: the one place where concrete engines meet.

use std::io::IsTerminal as _;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use agents::services::{AgentServices, Reading};
use anyhow::Context as _;
use browser::Browser;
use browser::engines::auto::AutoBrowser;
use browser::engines::chromium::{self, Chromium};
use browser::engines::http::HttpBrowser;
use llm::Models;
use llm::transport::Network;
use net::AllowRule;
use runtime::config::browser::Switch;
use runtime::config::{Config, Engine, Mode, Store as StoreKind};
use runtime::service::{Service, Settings};
use runtime::worker::Workers;
use search::{Key, Search};
use store::Store;
use store::engines::memory::Memory;
use store::engines::sqlite::{Role, Sqlite};
use store::index::Index;
use tools::registry::Refused;
use tracing_subscriber::EnvFilter;

use crate::failure::Failure;
use crate::local::Local;

/// Pages that one run reads at once.
const PAGES_AT_ONCE: usize = 8;

/// Everything a command needs to do runs.
pub(crate) struct House {
    pub(crate) service: Service,
    pub(crate) workers: Workers,
}

/// Puts the house together. `typed` are the hosts of addresses that the operator typed on this very command line.
pub(crate) fn build(config: &Config, role: Role, typed: Vec<String>) -> Result<House, Failure> {
    let store = open_store(config, role)?;
    with_store(config, store, role, typed)
}

/// As [`build`], over a store that is open.
pub(crate) fn with_store(
    config: &Config,
    store: Store,
    role: Role,
    typed: Vec<String>,
) -> Result<House, Failure> {
    // A server is alone with its store; beside it other processes may write.
    let patience = match role {
        Role::Server => Duration::from_secs(15),
        Role::Guest => Duration::from_millis(300),
    };
    let service = Service::new(
        store,
        Settings {
            queue: config.queue,
            patience,
        },
    );
    let own = if role == Role::Server {
        vec![config.listen]
    } else {
        Vec::new()
    };
    let client = client(config, own)?;
    let services = AgentServices {
        models: models(config, &client)?,
        search: search(config, &client)?,
        research: spending(config),
        browser: browser(config, &client),
        client: client.clone(),
        documents: documents(),
        reading: reading(config),
        tools: tools(config, &client),
        pages_at_once: PAGES_AT_ONCE,
        uploads: config.uploads.clone(),
        screenshots: Some(config.data_folder().join("screenshots")),
        granted: typed,
    };
    let workers = Workers::new(service.clone(), services, Duration::from_secs(config.run_seconds));
    workers.answers_within(Duration::from_secs(config.answer_seconds));
    Ok(House { service, workers })
}

/// The store that is configured.
pub(crate) fn open_store(config: &Config, role: Role) -> Result<Store, Failure> {
    match config.store {
        StoreKind::Memory => Ok(Memory::open()),
        StoreKind::Sqlite => Sqlite::open(&config.data_folder(), role).map_err(|error| match error {
            locked @ store::Error::Locked { .. } => Failure::usage(locked),
            other => {
                Failure::Work(anyhow::Error::new(other).context("cannot open the store in HUNTSMAN_DATA_DIR"))
            }
        }),
    }
}

/// The tools: those that are compiled in, those of the operator's servers, and the operator's own; and what could not be
/// used of them.
pub(crate) fn all_tools(folder: &Path, client: &net::Client) -> (tools::Registry, Vec<Refused>) {
    let (registry, mut unreached) = tools::mcp::load(&tools::Registry::builtin(), folder, client);
    let (registry, refused) = plans::user::load(&registry, folder);
    unreached.extend(refused);
    (registry, unreached)
}

/// The tools that runs may use. One that cannot be used is told and left out.
fn tools(config: &Config, client: &net::Client) -> tools::Registry {
    let (registry, refused) = all_tools(&config.tools_folder(), client);
    for refused in refused {
        tracing::warn!("tools.d: {refused}");
    }
    for unknown in config
        .tools_granted
        .iter()
        .filter(|it| registry.find(it).is_err())
    {
        tracing::warn!("HUNTSMAN_TOOLS_GRANTED names {unknown:?}, and there is no such tool");
    }
    registry.granting(config.tools_granted.iter().cloned())
}

/// The way out, as configured.
pub(crate) fn client(config: &Config, own: Vec<std::net::SocketAddr>) -> Result<net::Client, Failure> {
    let allow = config.allow_hosts.iter().map(|it| {
        it.parse::<AllowRule>()
            .map_err(|error| Failure::usage(format!("HUNTSMAN_ALLOW_HOSTS: {it:?}: {error}")))
    });
    let settings = net::Config {
        allow: allow.collect::<Result<_, _>>()?,
        own,
        proxy: config.proxy.clone(),
        proxy_granted: true,
        ..net::Config::default()
    };
    net::Client::new(settings).map_err(|error| Failure::usage(format!("HUNTSMAN_PROXY: {error}")))
}

/// What opens pages, as configured. No browser is started before a page needs one.
pub(crate) fn browser(config: &Config, client: &net::Client) -> Arc<dyn Browser> {
    let mut http = HttpBrowser::new(client.clone());
    if let Some(reader) = documents() {
        http = http.with_documents(reader);
    }
    let http = Arc::new(http);
    match config.engine {
        Engine::Http => http,
        Engine::Chromium => Arc::new(chromium(config, client)),
        Engine::Auto => Arc::new(AutoBrowser::new(http, Arc::new(chromium(config, client)))),
    }
}

/// The engine with a real browser.
pub(crate) fn chromium(config: &Config, client: &net::Client) -> Chromium {
    let set = &config.browsers;
    let settings = chromium::Settings {
        program: set.chromium.clone(),
        endpoints: set.cdp_endpoints.clone(),
        sandbox: set.chromium_sandbox == Switch::On,
        switches: set
            .chromium_args
            .iter()
            .filter(|it| !it.is_empty())
            .cloned()
            .collect(),
        browsers: usize::from(set.browsers),
        ..chromium::Settings::default()
    };
    Chromium::new(client.clone(), settings)
}

/// How pages become items where a request does not say.
fn reading(config: &Config) -> Reading {
    Reading {
        mode: match config.mode {
            Mode::RuleBased => extract::mode::Mode::RuleBased,
            Mode::LlmFixed => extract::mode::Mode::LlmFixed,
            Mode::LlmDynamic => extract::mode::Mode::LlmDynamic,
            Mode::LlmDynamicAdaptive => extract::mode::Mode::LlmDynamicAdaptive,
        },
        retries: config.llm.schema_retries(),
    }
}

/// The models, when a provider is configured. Every role is tried, so that a setting that is missing is told at the
/// start and not by the first run. A provider's key that merely lies in the environment configures nothing yet.
pub(crate) fn models(config: &Config, client: &net::Client) -> Result<Option<Models>, Failure> {
    let settings = llm::Settings::read(|name| config.llm.variable(name)).map_err(Failure::usage)?;
    let meant = config.llm.llm_provider.is_some() || config.llm.llm_model.is_some();
    if !meant || !settings.is_configured() {
        return Ok(None);
    }
    for role in llm::Role::ALL {
        settings.endpoint(role).map_err(Failure::usage)?;
    }
    let network = Network::new(client.clone());
    Ok(Some(Models::new(settings, Arc::new(network))))
}

/// Who finds pages, when somebody is configured.
pub(crate) fn search(config: &Config, client: &net::Client) -> Result<Option<Arc<dyn Search>>, Failure> {
    let set = &config.search;
    let local = |index: Index| -> Arc<dyn Search> { Arc::new(Local(index)) };
    let Some(name) = &set.search_provider else {
        // With nobody configured, what was read into the local index is there to be found.
        return Ok(Index::filled(&config.data_folder()).map(local));
    };
    if name.trim().eq_ignore_ascii_case("local") {
        let index = Index::open(&config.data_folder()).map_err(Failure::usage)?;
        return Ok(Some(local(index)));
    }
    let settings = search::Settings {
        url: set.search_url.clone(),
        key: set.search_api_key.as_ref().map(|it| Key::new(it.reveal())),
    };
    search::named(name, &settings, client.clone())
        .map(Some)
        .map_err(Failure::usage)
}

/// Reads PDF documents by starting this very program once more.
pub(crate) fn documents() -> Option<sandbox::pdf::Reader> {
    let program = std::env::current_exe().ok()?;
    Some(sandbox::pdf::Reader::new(program, &["pdf-worker"]))
}

/// What one research run may spend.
fn spending(config: &Config) -> agents::research::ResearchLimits {
    let set = &config.research;
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "a bound of money, not an amount"
    )]
    let micro = |dollars: f64| (dollars.max(0.0) * 1e6) as u64;
    agents::research::ResearchLimits {
        tokens: set.research_tokens,
        micro_dollars: set.research_dollars.map(micro),
        seconds: set.research_seconds,
    }
}

/// Starts logging to stderr: for people at a terminal, as JSON lines elsewhere.
pub(crate) fn log(config: &Config, quiet_default: bool) -> Result<(), Failure> {
    let spec = if quiet_default && config.log == "info" {
        "warn"
    } else {
        &config.log
    };
    let filter = EnvFilter::builder()
        .parse(spec)
        .map_err(|error| Failure::usage(format!("HUNTSMAN_LOG: {error}")))?;
    // The parser of pages tells every word of them at its lower levels, a person's values among them.
    let filter = match "html5ever=off".parse() {
        Ok(silent) => filter.add_directive(silent),
        Err(_) => filter,
    };
    let log = tracing_subscriber::fmt()
        .with_env_filter(filter)
        .with_writer(std::io::stderr);
    // A second start in one process is no fault; the first one stays.
    let _ = if std::io::stderr().is_terminal() {
        log.compact().try_init()
    } else {
        log.json().try_init()
    };
    Ok(())
}

/// A runtime for commands that wait for the network.
pub(crate) fn runtime() -> Result<tokio::runtime::Runtime, Failure> {
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build();
    Ok(runtime.context("cannot start the runtime")?)
}
