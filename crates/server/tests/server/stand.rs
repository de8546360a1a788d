//! A server on loopback over the memory store, with workers that may read one test site.

use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use agents::services::AgentServices;
use browser::Browser;
use browser::engines::http::HttpBrowser;
use futures_util::StreamExt as _;
use llm::Models;
use llm::transport::Network;
use llm::wires::Wire;
use runtime::Service;
use runtime::worker::Workers;
use search::SearchProvider;
use serde_json::{Value, json};
use server::{App, ServerSettings};
use store::Store;
use store::engines::memory::InMemoryStore;
use testkit::{ScriptedProvider, SiteReply, SiteRequest, TestSite};
use tokio::net::TcpListener;
use tokio::task::JoinHandle;
use tokio_util::sync::CancellationToken;
use wire::{Audience, RunId};

use crate::client::{Answer, Ask};

pub(crate) struct Stand {
    pub(crate) site: TestSite,
    pub(crate) service: Service,
    pub(crate) workers: Workers,
    pub(crate) services: AgentServices,
    pub(crate) at: SocketAddr,
    pub(crate) shutdown: CancellationToken,
    pub(crate) serving: JoinHandle<std::io::Result<()>>,
}

const PAGE: &str = "<!doctype html><html lang=en><head><title>Kettles</title><meta name=description content='On kettles'>\
<meta name=author content='Ann Onym'></head><body><nav><a href=/a>Home</a></nav><main><h1>Kettles</h1>\
<p>A kettle is a vessel in which water is boiled, with a lid, a spout and a handle. It stands on a stove or on a \
base of its own, and it says so when the water boils.</p><p>The best kettle is the one that is there when tea is \
wanted. All others are second, however well they are made and whatever they cost.</p></main></body></html>";

/// Models at a provider on loopback.
fn models(settings: llm::ModelSettings) -> Models {
    let client = net::Client::new(net::ClientConfig {
        allow: vec!["127.0.0.0/8".parse().unwrap()],
        ..net::ClientConfig::default()
    });
    Models::new(settings, Arc::new(Network::new(client.unwrap())))
}

impl Stand {
    pub(crate) async fn start() -> Self {
        Self::with(ServerSettings::default()).await
    }

    /// A server whose models say what this provider's script says.
    pub(crate) async fn automating(site: TestSite, provider: &ScriptedProvider) -> Self {
        let llm = provider.settings(Wire::OpenAiChat);
        Self::automating_with(site, ServerSettings::default(), llm).await
    }

    /// The same with other settings, also of the models.
    pub(crate) async fn automating_with(
        site: TestSite,
        settings: ServerSettings,
        llm: llm::ModelSettings,
    ) -> Self {
        Self::on(
            site,
            Some(models(llm)),
            settings,
            None,
            agents::services::Reading::default(),
        )
        .await
    }

    /// A server that reads pages of this site, without a model.
    pub(crate) async fn on_site(site: TestSite) -> Self {
        Self::on(
            site,
            None,
            ServerSettings::default(),
            None,
            agents::services::Reading::default(),
        )
        .await
    }

    /// A server whose model says what this provider's script says, and that reads pages in this way.
    pub(crate) async fn reading(
        site: TestSite,
        provider: &ScriptedProvider,
        reading: agents::services::Reading,
    ) -> Self {
        let models = models(provider.settings(Wire::OpenAiChat));
        Self::on(site, Some(models), ServerSettings::default(), None, reading).await
    }

    /// The same over a browser of the test's own.
    pub(crate) async fn leading(
        browser: impl Browser + 'static,
        provider: &ScriptedProvider,
        settings: ServerSettings,
    ) -> Self {
        let models = models(provider.settings(Wire::OpenAiChat));
        let site = TestSite::of_pages(&[]).await;
        Self::on(
            site,
            Some(models),
            settings,
            Some(Arc::new(browser)),
            agents::services::Reading::default(),
        )
        .await
    }

    /// The same with this browser and this search, both of which may reach every server of the test.
    pub(crate) async fn open_to(
        site: TestSite,
        provider: &ScriptedProvider,
        browser: impl FnOnce(net::Client) -> Arc<dyn Browser>,
        search: Option<Arc<dyn SearchProvider>>,
    ) -> Self {
        let client = net::Client::new(net::ClientConfig {
            allow: vec!["127.0.0.0/8".parse().unwrap(), "localhost".parse().unwrap()],
            ..net::ClientConfig::default()
        });
        let models = models(provider.settings(Wire::OpenAiChat));
        let (settings, reading) = (ServerSettings::default(), agents::services::Reading::default());
        Self::put(
            site,
            Some(models),
            settings,
            Some(browser(client.unwrap())),
            reading,
            search,
            Vec::new(),
        )
        .await
    }

    /// A server that may reach this other site as well.
    pub(crate) async fn beside(site: TestSite, other: &TestSite, provider: &ScriptedProvider) -> Self {
        let models = models(provider.settings(Wire::OpenAiChat));
        let (settings, reading) = (ServerSettings::default(), agents::services::Reading::default());
        let allow = vec![other.address().to_string().parse().unwrap()];
        Self::put(site, Some(models), settings, None, reading, None, allow).await
    }

    /// Pages under `/silent` never come.
    pub(crate) async fn with(settings: ServerSettings) -> Self {
        let answer = |asked: &SiteRequest| match asked.path.as_str() {
            path if path.starts_with("/silent") => SiteReply::html("").never_ending(),
            path if path.starts_with("/missing") => SiteReply::html("gone").status(404),
            _ => SiteReply::html(PAGE),
        };
        Self::on(
            TestSite::start(answer).await,
            None,
            settings,
            None,
            agents::services::Reading::default(),
        )
        .await
    }

    async fn on(
        site: TestSite,
        models: Option<Models>,
        settings: ServerSettings,
        browser: Option<Arc<dyn Browser>>,
        reading: agents::services::Reading,
    ) -> Self {
        Self::put(site, models, settings, browser, reading, None, Vec::new()).await
    }

    async fn put(
        site: TestSite,
        models: Option<Models>,
        settings: ServerSettings,
        browser: Option<Arc<dyn Browser>>,
        reading: agents::services::Reading,
        search: Option<Arc<dyn SearchProvider>>,
        mut allow: Vec<net::AllowRule>,
    ) -> Self {
        allow.push(site.address().to_string().parse().unwrap());
        let client = net::Client::new(net::ClientConfig {
            allow,
            politeness: net::Politeness {
                per_host: 50,
                delay: Duration::ZERO,
                ..net::Politeness::default()
            },
            ..net::ClientConfig::default()
        });
        let client = client.unwrap();
        let http: Arc<dyn Browser> = Arc::new(HttpBrowser::new(client.clone()));
        let services = AgentServices {
            session: agents::session::RunSession::default(),
            policy: None,
            engines: agents::page_settings::Engines {
                chromium: browser.clone().filter(|browser| browser.name() != "http"),
                http: http.clone(),
            },
            exits: Arc::default(),
            pages: agents::page_settings::PageSettings::default(),
            client_models: Arc::default(),
            tools: tools::Registry::builtin(),
            models,
            sandbox: Some(testkit::sandbox::sandbox()),
            search,
            research: agents::research::ResearchLimits::default(),
            client: client.clone(),
            browser: browser.unwrap_or(http),
            reading,
            pages_at_once: 1,
            page_delay: std::time::Duration::ZERO,
            uploads: Vec::new(),
            screenshots: None,
            granted: Vec::new(),
            // The scripted provider takes a key.
            setup: agents::services::SetupFacts {
                key_source: wire::automate::KeySource::Global,
                ..Default::default()
            },
        };
        let stand = Self::serve(site, services, InMemoryStore::open(), settings, "127.0.0.1:0").await;
        stand.workers.start(8);
        stand
    }

    /// A server at this address over a store whose runs nobody works on.
    pub(crate) async fn over(store: Store, settings: ServerSettings, at: &str) -> Self {
        let stand = Self::start().await;
        let (services, site) = (stand.services.clone(), TestSite::of_pages(&[]).await);
        Self::serve(site, services, store, settings, at).await
    }

    /// A server over this store that reads pages of a site. Its workers have not begun.
    pub(crate) async fn on_store(site: TestSite, store: Store) -> Self {
        let Self { site, services, .. } = Self::on_site(site).await;
        Self::serve(site, services, store, ServerSettings::default(), "127.0.0.1:0").await
    }

    /// Listens at an address. A server that is started again waits until its port is free: a connection of another test may have
    /// it for a moment.
    async fn listen(at: &str) -> TcpListener {
        for _ in 0..100 {
            match TcpListener::bind(at).await {
                Err(error) if error.kind() == std::io::ErrorKind::AddrInUse => {
                    tokio::time::sleep(Duration::from_millis(100)).await;
                }
                bound => return bound.unwrap(),
            }
        }
        TcpListener::bind(at).await.unwrap()
    }

    async fn serve(
        site: TestSite,
        services: AgentServices,
        store: Store,
        settings: ServerSettings,
        at: &str,
    ) -> Self {
        let limits = runtime::service::ServiceSettings {
            queue: 100,
            patience: Duration::from_secs(1),
            free_space: 0,
        };
        let service = Service::new(store, limits);
        let workers = Workers::new(service.clone(), services.clone(), Duration::from_secs(600));
        let listener = Self::listen(at).await;
        let at = listener.local_addr().unwrap();
        let shutdown = CancellationToken::new();
        let house = App {
            service: service.clone(),
            workers: workers.clone(),
            tokens: None,
        };
        let serving = tokio::spawn(server::serve(listener, house, settings, shutdown.clone()));
        Self {
            site,
            service,
            workers,
            services,
            at,
            shutdown,
            serving,
        }
    }

    /// The body of a scrape of pages of the site.
    pub(crate) fn request(&self, paths: &[&str]) -> Value {
        let assets: Vec<String> = paths.iter().map(|it| self.site.url(it)).collect();
        json!({"assets": assets, "instructions": "what is it about"})
    }

    /// Begins a scrape whose steps are streamed.
    pub(crate) async fn stream(&self, paths: &[&str]) -> Answer {
        Ask::json("/api/scrape/stream", &self.request(paths))
            .send(self.at)
            .await
    }

    pub(crate) async fn get(&self, path: &str) -> Answer {
        Ask::get(path).send(self.at).await
    }

    /// The run, once it has ended. Waits at the log itself: whoever follows a run through the door keeps it alive.
    pub(crate) async fn ended(&self, run: &str) -> Value {
        let id = RunId::parse(run).unwrap();
        let events = self.service.events(None, &id, 0, Audience::Debug).await.unwrap();
        assert!(events.count().await > 0);
        self.get(&format!("/v1/runs/{run}")).await.json().await
    }
}
