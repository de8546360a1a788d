//! Pages that are read while their client waits: no run and no log, only an answer.

use std::sync::Arc;
use std::time::Duration;

use agents::kit::Kit;
use tokio::sync::Semaphore;
use wire::Code;
use wire::tabstack::{MarkdownRequest, MarkdownResponse};

use crate::refused::Refused;

/// Pages read at once.
const AT_ONCE: usize = 32;
/// How long a request waits for its turn before it is refused.
const TURN: Duration = Duration::from_secs(5);

/// Reads pages. Cheap to clone; clones share the turns.
#[derive(Clone)]
pub struct Pages {
    kit: Kit,
    turns: Arc<Semaphore>,
}

impl Pages {
    pub(crate) fn new(kit: Kit) -> Self {
        let turns = Arc::new(Semaphore::new(AT_ONCE));
        Self { kit, turns }
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
        let read = agents::reading::markdown(&self.kit, request).await;
        read.map_err(|error| Refused::new(error.code, error.message))
    }
}
