//! What people see of the browsers of the runs that the workers do.

use std::sync::Arc;
use std::sync::atomic::Ordering;

use agents::run_view::PictureStore;
use wire::RunId;

use super::{BrowserWatcher, Workers, WorkersInner};
use crate::error::ServiceError;
use crate::views::{OpenView, StoredPictures};

impl Workers {
    /// Keeps a picture of each step of a browser in runs that begin from now on, or none.
    pub fn keep_step_pictures(&self, keeps: bool) {
        self.0.keeps_pictures.store(keeps, Ordering::Relaxed);
    }

    /// Begins to watch the browser of a run that the owner may see; none when this process does not work on the run in a
    /// browser.
    ///
    /// # Errors
    /// When there is no such run.
    pub async fn watch_browser(
        &self,
        owner: Option<&str>,
        run: &RunId,
    ) -> Result<Option<BrowserWatcher>, ServiceError> {
        self.0.service.run(owner, run).await?;
        Ok(self.0.views.watch(run))
    }

    /// Whether this process works on the run in a browser that can be watched.
    pub fn has_browser_of(&self, run: &RunId) -> bool {
        self.0.views.has(run)
    }
}

impl WorkersInner {
    /// What people see of a run's browser until the returned value is dropped.
    pub(super) fn open_view(&self, run: &RunId) -> OpenView {
        let keeps_pictures = self.keeps_pictures.load(Ordering::Relaxed);
        let pictures = keeps_pictures.then(|| {
            let stored = StoredPictures {
                blobs: Arc::clone(&self.store().blobs),
                run: run.clone(),
            };
            Arc::new(stored) as Arc<dyn PictureStore>
        });
        self.views.open(run, pictures)
    }
}
