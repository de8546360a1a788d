//! `RunView`: what people see of the browser of a run (pictures of its steps, which are kept, and a screencast, which is not),
//! and their hold on it.

use std::sync::Arc;

use async_trait::async_trait;
pub use browser::screencast::{Screencast, Shown, Watcher};
use bytes::Bytes;

use crate::takeover::Takeover;

/// Keeps pictures of the steps of one run. The runtime puts them into the store.
#[async_trait]
pub trait PictureStore: Send + Sync {
    /// Keeps a JPEG, and gives the name under which readers of the run find it. None when it cannot be kept; the log says why.
    async fn keep(&self, jpeg: Bytes) -> Option<String>;
}

/// The view of one run. Cheap to clone; clones are the same view.
#[derive(Clone, Default)]
pub struct RunView {
    /// Where pictures of steps are kept; none when none are.
    pub pictures: Option<Arc<dyn PictureStore>>,
    /// Where people watch the tab.
    pub screencast: Screencast,
    /// How a person takes the browser over.
    pub takeover: Takeover,
}
