//! A service over SQLite or over three NATS servers, with workers that read pages of a site on loopback, and a server when one
//! is wanted.

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
use store::engines::nats::{Nats, NatsAddress, NatsSettings};
use store::engines::sqlite::{ProcessRole, Sqlite};
use tempfile::TempDir;
use testkit::{NatsServer, SiteReply, TestSite};
use tokio_util::sync::CancellationToken;
use wire::run::{JobRequest, RunBudget, RunSpec};
use wire::scrape::ScrapeRequest;
use wire::tenancy::{KeyRequest, TenantLimits, TenantRequest};
use wire::{Audience, RunId};

const KEY: &str = "000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f";

/// Where runs are kept.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum StandEngine {
    /// One worker, which is also the server.
    Sqlite,
    /// Three NATS servers whose disks are synchronized at every write, and two workers. Each worker, and the server, has its
    /// own connection and its own copy of the queue, as processes have; all are in this one.
    Nats,
}

pub(crate) struct Stand {
    pub(crate) store: Store,
    pub(crate) service: Service,
    workers: Vec<Workers>,
    pub(crate) tenants: Tenants,
    pub(crate) site: TestSite,
    _nodes: Option<[NatsServer; 3]>,
    _folder: TempDir,
}

/// The engine of one process of a cluster, once the cluster has a quorum.
async fn nats(nodes: &[NatsServer; 3], folder: &TempDir, role: &str) -> Store {
    let servers = nodes
        .each_ref()
        .map(|node| NatsAddress::parse(&node.url()).unwrap());
    let settings = NatsSettings {
        servers: servers.to_vec(),
        credentials: None,
        user: None,
        authorities: None,
        certificate: None,
        prefix: "hm".into(),
        replicas: 3,
        role: role.into(),
    };
    for _ in 0..100 {
        if let Ok(engine) = Nats::connect(&settings, folder.path(), &[KEY]).await {
            return engine.store();
        }
        tokio::time::sleep(Duration::from_millis(300)).await;
    }
    panic!("the cluster has no quorum");
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
    /// A stand over SQLite whose pages take so long.
    pub(crate) async fn start(page_takes: Duration) -> Self {
        Self::start_on(StandEngine::Sqlite, page_takes).await
    }

    /// A stand whose pages take so long.
    pub(crate) async fn start_on(engine: StandEngine, page_takes: Duration) -> Self {
        let page = "<title>Kettles</title><h1>Kettles</h1><p>A kettle boils water for tea.</p>";
        let site = TestSite::start(move |_| match page_takes.is_zero() {
            true => SiteReply::html(page),
            false => SiteReply::html(page).dripping(page.len(), page_takes),
        })
        .await;
        let folder = TempDir::new_in(".").unwrap();
        let mut nodes = None;
        let (store, of_workers) = match engine {
            StandEngine::Sqlite => {
                let store = Sqlite::open(folder.path(), ProcessRole::Server, &[]).unwrap();
                (store.clone(), vec![store])
            }
            StandEngine::Nats => {
                let nodes = nodes.insert(NatsServer::cluster());
                let store = nats(nodes, &folder, "server").await;
                let of_workers = [
                    nats(nodes, &folder, "worker").await,
                    nats(nodes, &folder, "worker").await,
                ];
                (store, of_workers.into())
            }
        };
        let service = |store: &Store| {
            let settings = ServiceSettings {
                queue: usize::MAX,
                patience: Duration::from_secs(1),
                free_space: 0,
            };
            Service::new(store.clone(), settings)
        };
        let workers = of_workers
            .iter()
            .map(|store| Workers::new(service(store), services(&site), Duration::from_secs(600)))
            .collect();
        let service = service(&store);
        let tenants = service.tenants(TenantLimits::default());
        Self {
            store,
            service,
            workers,
            tenants,
            site,
            _nodes: nodes,
            _folder: folder,
        }
    }

    /// Begins to do so many runs at once, as many in each worker.
    pub(crate) fn start_workers(&self, at_once: usize) {
        for workers in &self.workers {
            workers.start(at_once / self.workers.len());
        }
    }

    /// Stops all runs.
    pub(crate) async fn close(&self) {
        for workers in &self.workers {
            workers.close().await;
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
        self.service
            .submit(&spec, Submission::default())
            .await
            .unwrap()
            .id
    }

    /// A server over the stand.
    pub(crate) async fn serve(&self) -> (SocketAddr, CancellationToken) {
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
        let at = listener.local_addr().unwrap();
        let app = App {
            service: self.service.clone(),
            workers: self.workers.first().unwrap().clone(),
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
