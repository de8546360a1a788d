//! The engine without a browser: pages, links and plain forms, no scripts.

mod acts;
mod fields;
mod form;
mod names;
mod refresh;
mod roles;
mod tab;
mod view;

use async_trait::async_trait;
use net::Client;

use crate::browser::{Browser, Profile, Tab};
use crate::error::Error;

/// Opens tabs that read pages as they come from the server.
#[derive(Clone)]
pub struct HttpBrowser {
    client: Client,
}

impl HttpBrowser {
    /// An engine that goes out by this client.
    pub fn new(client: Client) -> HttpBrowser {
        HttpBrowser { client }
    }
}

#[async_trait]
impl Browser for HttpBrowser {
    async fn open(&self, profile: Profile) -> Result<Box<dyn Tab>, Error> {
        Ok(Box::new(tab::HttpTab::new(self.client.clone(), profile)))
    }

    fn name(&self) -> &'static str {
        "http"
    }
}
