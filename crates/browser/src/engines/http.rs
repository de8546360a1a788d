//! The engine without a browser: pages, links and plain forms, no scripts.

mod accessible_names;
mod actions;
mod capabilities;
mod form_state;
mod form_submission;
mod meta_refresh;
mod port;
mod roles;
mod snapshot;
mod tab;

use async_trait::async_trait;
use net::Client;
use sandbox::pdf::PdfReader;

use crate::browser::{Browser, Profile, Tab};
use crate::error::Error;

/// Opens tabs that show pages as they come from the server.
#[derive(Clone)]
pub struct HttpBrowser {
    client: Client,
    documents: Option<PdfReader>,
}

impl HttpBrowser {
    /// An engine that sends its requests by this client.
    pub fn new(client: Client) -> HttpBrowser {
        HttpBrowser {
            client,
            documents: None,
        }
    }

    /// The same, showing the text of PDF documents as pages.
    #[must_use]
    pub fn with_documents(mut self, reader: PdfReader) -> HttpBrowser {
        self.documents = Some(reader);
        self
    }
}

#[async_trait]
impl Browser for HttpBrowser {
    async fn open(&self, profile: Profile) -> Result<Box<dyn Tab>, Error> {
        Ok(Box::new(tab::HttpTab::new(
            self.client.clone(),
            self.documents.clone(),
            profile,
        )))
    }

    fn name(&self) -> &'static str {
        "http"
    }
}
