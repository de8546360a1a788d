//! The engine with a real browser: Chromium, launched by us or reached at an endpoint.

mod actionability;
mod actions;
mod browser_context;
mod cast_frames;
mod cdp;
mod cookies;
mod dialogs;
mod downloads;
mod endpoint;
mod evaluate;
mod failure;
mod input;
mod key_events;
mod launch;
mod listeners;
mod load_state;
mod local_storage;
mod navigation;
mod navigation_error;
mod onward;
mod open_dialog;
mod page_reading;
mod pool;
mod pooled_browser;
mod port;
mod profile_folder;
mod proxy_access;
mod recovery;
mod router;
mod screencast;
mod screenshot;
mod scripts;
mod settings;
mod settle;
mod site_headers;
mod snapshot;
mod state;
mod tab;
mod tracker;

use std::sync::Arc;

use async_trait::async_trait;
use net::Client;

use crate::browser::{Browser, Profile, Tab};
use crate::error::Error;

#[doc(hidden)]
pub use cdp::{Replay, replay};
pub use launch::{HOW_TO_GET, find};
pub use settings::ChromiumSettings;

/// Opens tabs of Chromium. A browser is launched when the first tab is opened, and shared by several runs, each with
/// its own cookies, storage and proxy; clones share the browsers.
#[derive(Clone)]
pub struct Chromium {
    pool: Arc<pool::BrowserPool>,
}

impl Chromium {
    /// An engine whose pages load through this client's guard.
    pub fn new(client: Client, settings: ChromiumSettings) -> Chromium {
        Chromium {
            pool: pool::BrowserPool::new(client, settings),
        }
    }

    /// Launches or reaches a browser and returns its name and version.
    pub async fn check(&self) -> Result<String, Error> {
        self.pool.check().await
    }

    /// The pids of the running browsers that we launched.
    pub async fn processes(&self) -> Vec<u32> {
        self.pool.processes()
    }

    /// Ends every browser that we launched; open tabs lose theirs.
    pub async fn stop(&self) {
        self.pool.stop();
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
            false => self.pool.settings.check_endpoints(),
        }
    }
}
