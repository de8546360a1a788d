//! A service over SQLite, with workers that read pages of a site on loopback, and a server when one is wanted.

use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use agents::page_settings::{Engines, PageSettings};
use agents::services::{AgentServices, Reading, SetupFacts};
use browser::Browser;
use browser::engines::http::HttpBrowser;
use runtime::Service;
use runtime::service::{ServiceSettings, Submission};
use runtime::tenants::Tenants;
use runtime::tenants::audit::Actor;
use runtime::worker::Workers;
use server::{App, ServerSettings};
use store::Store;
use store::engines::sqlite::{ProcessRole, Sqlite};
use tempfile::TempDir;
use testkit::{SiteReply, TestSite};
use tokio_util::sync::CancellationToken;
use wire::run::{JobRequest, RunBudget, RunSpec};
use wire::scrape::ScrapeRequest;
use wire::tenancy::{KeyRequest, TenantLimits, TenantRequest};
use wire::{Audience, RunId};

pub(crate) struct Stand {
    pub(crate) store: Store,
    pub(crate) service: Service,
    pub(crate) workers: Workers,
    pub(crate) tenants: Tenants,
    pub(crate) site: TestSite,
    _folder: TempDir,
}

fn services(site: &TestSite) -> AgentServices {
    let client = net::Client::new(net::ClientConfig {
        allow: vec![site.address().to_string().parse().unwrap()],
        politeness: net::Politeness {
            per_host: 50,
            delay: Duration::ZERO,
            ..net::Politeness::default()
        },
        // Every run asks the site.
        cache: net::CacheConfig {
            bytes: 0,
            ..net::CacheConfig::default()
        },
        ..net::ClientConfig::default()
    });
    let client = client.unwrap();
    let http: Arc<dyn Browser> = Arc::new(HttpBrowser::new(client.clone()));
    AgentServices {
        session: agents::session::RunSession::default(),
        policy: None,
        engines: Engines::http(http.clone()),
        exits: Arc::default(),
        pages: PageSettings::default(),
        client_models: Arc::default(),
        tools: tools::Registry::builtin(),
        models: None,
        sandbox: None,
        search: None,
        research: agents::research::ResearchLimits::default(),
        client,
        browser: http,
        reading: Reading::default(),
        pages_at_once: 1,
        page_delay: Duration::ZERO,
        uploads: Vec::new(),
        screenshots: None,
        granted: Vec::new(),
        setup: SetupFacts::default(),
    }
}

impl Stand {
    /// A stand whose pages take so long.
    pub(crate) async fn start(page_takes: Duration) -> Self {
        let page = "<title>Kettles</title><h1>Kettles</h1><p>A kettle boils water for tea.</p>";
        let site = TestSite::start(move |_| match page_takes.is_zero() {
            true => SiteReply::html(page),
            false => SiteReply::html(page).dripping(page.len(), page_takes),
        })
        .await;
        let folder = TempDir::new_in(".").unwrap();
        let store = Sqlite::open(folder.path(), ProcessRole::Server, &[]).unwrap();
        let settings = ServiceSettings {
            queue: usize::MAX,
            patience: Duration::from_secs(1),
            free_space: 0,
        };
        let service = Service::new(store.clone(), settings);
        let workers = Workers::new(service.clone(), services(&site), Duration::from_secs(600));
        let tenants = service.tenants(TenantLimits::default());
        Self {
            store,
            service,
            workers,
            tenants,
            site,
            _folder: folder,
        }
    }

    /// Creates a tenant.
    pub(crate) async fn tenant(&self, name: &str, weight: u32, limits: &[&str]) {
        let request = TenantRequest {
            name: Some(name.to_owned()),
            weight: Some(weight),
            limits: TenantLimits::read(limits).unwrap(),
            ..TenantRequest::default()
        };
        self.tenants
            .create(&Actor::command_line(), &request)
            .await
            .unwrap();
    }

    /// The text of a new key of a tenant.
    pub(crate) async fn key(&self, tenant: &str) -> String {
        let request = KeyRequest {
            tenant: tenant.to_owned(),
            label: String::new(),
            scopes: Vec::new(),
            expires_days: None,
        };
        let made = self
            .tenants
            .create_key(&Actor::command_line(), &request)
            .await
            .unwrap();
        made.text.reveal().to_owned()
    }

    /// Puts a scrape of one page in the queue.
    pub(crate) async fn submit(&self, owner: &str) -> RunId {
        let request = ScrapeRequest::new(vec![self.site.url("/")], "");
        let spec = RunSpec {
            job: JobRequest::Scrape(request),
            owner: owner.to_owned(),
            audience: Audience::Public,
            detached: true,
            trace: None,
            trace_parent: None,
            budget: RunBudget::default(),
        };
        self.service.submit(&spec, Submission::default()).await.unwrap()
    }

    /// A server over the stand.
    pub(crate) async fn serve(&self) -> (SocketAddr, CancellationToken) {
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
        let at = listener.local_addr().unwrap();
        let app = App {
            service: self.service.clone(),
            workers: self.workers.clone(),
            tokens: None,
        };
        let shutdown = CancellationToken::new();
        tokio::spawn(server::serve(
            listener,
            app,
            ServerSettings::default(),
            shutdown.clone(),
        ));
        (at, shutdown)
    }
}
