//! Pages that are read while their client waits: no run and no log, only an answer.

use std::sync::Arc;
use std::time::Duration;

use agents::services::AgentServices;
use serde_json::Value;
use tokio::sync::{Semaphore, SemaphorePermit};
use wire::Code;
use wire::tabstack::{ExtractJsonRequest, GenerateJsonRequest, MarkdownRequest, MarkdownResponse};

use crate::refused::Refused;

/// Pages read at once.
const AT_ONCE: usize = 32;
/// Pages read with a model at once. Such work is long: one more is refused at once, and costs nobody anything.
const ASKING_AT_ONCE: usize = 16;
/// How long a request waits for its turn before it is refused.
const TURN: Duration = Duration::from_secs(5);

/// Reads pages. Cheap to clone; clones share the turns.
#[derive(Clone)]
pub struct Pages {
    services: AgentServices,
    turns: Arc<Semaphore>,
    asking: Arc<Semaphore>,
}

impl Pages {
    pub(crate) fn new(services: AgentServices) -> Self {
        let turns = Arc::new(Semaphore::new(AT_ONCE));
        let asking = Arc::new(Semaphore::new(ASKING_AT_ONCE));
        Self {
            services,
            turns,
            asking,
        }
    }

    /// A page as Markdown. Whoever drops the future stops the work.
    ///
    /// # Errors
    /// When too many pages are being read, or this one cannot be.
    pub async fn markdown(&self, request: &MarkdownRequest) -> Result<MarkdownResponse, Refused> {
        let Ok(Ok(_turn)) = tokio::time::timeout(TURN, self.turns.acquire()).await else {
            let text = format!("{AT_ONCE} pages are being read already");
            return Err(Refused::new(Code::RateLimited, text).again_after(Duration::from_secs(2)));
        };
        let read = agents::page_requests::markdown(&self.services, request).await;
        read.map_err(|error| Refused::new(error.code, error.message))
    }

    /// A page's data in the shape of a schema. Whoever drops the future stops the work.
    ///
    /// # Errors
    /// When too many pages are being read, no model is configured, or this page cannot be read.
    pub async fn extract(&self, request: &ExtractJsonRequest) -> Result<Value, Refused> {
        let _turn = self.place()?;
        let read = agents::page_requests::extract(&self.services, request).await;
        read.map_err(|error| Refused::new(error.code, error.message))
    }

    /// What a model makes of a page, in the shape of a schema. Whoever drops the future stops the work.
    ///
    /// # Errors
    /// As for [`Pages::extract`].
    pub async fn generate(&self, request: &GenerateJsonRequest) -> Result<Value, Refused> {
        let _turn = self.place()?;
        let made = agents::page_requests::generate(&self.services, request).await;
        made.map_err(|error| Refused::new(error.code, error.message))
    }

    /// A place for work with a model, refused before anything is begun when none is free.
    fn place(&self) -> Result<SemaphorePermit<'_>, Refused> {
        self.asking.try_acquire().map_err(|_| {
            let text = format!("{ASKING_AT_ONCE} pages are being read with a model already");
            Refused::new(Code::RateLimited, text).again_after(Duration::from_secs(2))
        })
    }
}
