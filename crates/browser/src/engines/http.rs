//! The engine without a browser: pages, links and plain forms, no scripts.

mod accessible_names;
mod actions;
mod capabilities;
mod form_state;
mod form_submission;
mod port;
mod roles;
mod snapshot;
mod tab;

use async_trait::async_trait;
use net::Client;
use sandbox::Sandbox;

use crate::browser::{Browser, Profile, Tab};
use crate::error::Error;

/// Opens tabs that show pages as they come from the server.
#[derive(Clone)]
pub struct HttpBrowser {
    client: Client,
    sandbox: Option<Sandbox>,
}

impl HttpBrowser {
    /// An engine that sends its requests by this client.
    pub fn new(client: Client) -> HttpBrowser {
        HttpBrowser {
            client,
            sandbox: None,
        }
    }

    /// The same, showing the text of PDF documents as pages.
    #[must_use]
    pub fn with_sandbox(mut self, sandbox: Sandbox) -> HttpBrowser {
        self.sandbox = Some(sandbox);
        self
    }
}

#[async_trait]
impl Browser for HttpBrowser {
    async fn open(&self, profile: Profile) -> Result<Box<dyn Tab>, Error> {
        Ok(Box::new(tab::HttpTab::new(
            profile.client.clone().unwrap_or_else(|| self.client.clone()),
            self.sandbox.clone(),
            profile,
        )))
    }

    fn name(&self) -> &'static str {
        "http"
    }
}
