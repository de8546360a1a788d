//! The engine with a real browser: Chromium, started by us or reached at an endpoint.

mod act;
mod aim;
mod dialogs;
mod downloads;
mod endpoint;
mod folder;
mod foreign;
mod frames;
mod keys;
mod launch;
mod look;
mod page;
mod pool;
mod screenshot;
mod settle;
mod tab;
mod visit;
mod watch;
mod wire;

use std::path::PathBuf;
use std::sync::Arc;

use async_trait::async_trait;
use net::Client;
use url::Url;

use crate::browser::{Browser, Profile, Tab};
use crate::error::Error;

pub use launch::{HOW_TO_GET, find};

/// What an operator can say about browsers.
#[derive(Debug, Clone)]
pub struct Settings {
    /// Chromium's program; found on `PATH` when absent.
    pub program: Option<PathBuf>,
    /// Browsers that run already: ws, wss, http or https addresses, tried in order. With any, none is started.
    pub endpoints: Vec<Url>,
    /// Whether Chromium's own sandbox is on.
    pub sandbox: bool,
    /// Further switches for Chromium.
    pub switches: Vec<String>,
    /// Most browsers at once; at least 1.
    pub browsers: usize,
    /// Where profile folders are made.
    pub folder: PathBuf,
}

impl Default for Settings {
    fn default() -> Self {
        Settings {
            program: None,
            endpoints: Vec::new(),
            sandbox: true,
            switches: Vec::new(),
            browsers: 4,
            folder: std::env::temp_dir(),
        }
    }
}

/// Opens tabs of Chromium. A browser is started when the first tab is opened and shared by several runs,
/// each with its own cookies, storage and way out; clones share the browsers.
#[derive(Clone)]
pub struct Chromium {
    pool: Arc<pool::Pool>,
}

impl Chromium {
    /// An engine whose pages go out by this client's guard.
    pub fn new(client: Client, settings: Settings) -> Chromium {
        Chromium {
            pool: pool::Pool::new(client, settings),
        }
    }

    /// Starts or reaches a browser and returns its name and version.
    pub async fn check(&self) -> Result<String, Error> {
        self.pool.check().await
    }

    /// The processes of the browsers that run now.
    pub async fn processes(&self) -> Vec<u32> {
        self.pool.processes().await
    }

    /// Ends every browser of ours; tabs that are open lose theirs.
    pub async fn stop(&self) {
        self.pool.stop().await;
    }
}

#[async_trait]
impl Browser for Chromium {
    async fn open(&self, profile: Profile) -> Result<Box<dyn Tab>, Error> {
        Ok(Box::new(
            tab::ChromiumTab::open(self.pool.clone(), profile).await?,
        ))
    }

    fn name(&self) -> &'static str {
        "chromium"
    }

    fn ready(&self) -> Result<(), Error> {
        match self.pool.settings.endpoints.is_empty() {
            true => find(self.pool.settings.program.as_deref()).map(drop),
            false => Ok(()),
        }
    }
}
