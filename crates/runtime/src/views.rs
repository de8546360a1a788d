//! `RunViews`: what people see of the browsers of the runs that this process works on, and their hold on them.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use agents::run_view::{PictureStore, RunView, Screencast, Watcher};
use agents::takeover::Takeover;
use async_trait::async_trait;
use bytes::Bytes;
use store::blobs::Blobs;
use wire::RunId;

/// The screencasts and takeovers of the runs of this process, by run. Cheap to clone.
#[derive(Clone, Default)]
pub(crate) struct RunViews(Arc<Mutex<HashMap<RunId, Arc<LiveView>>>>);

struct LiveView {
    screencast: Screencast,
    takeover: Takeover,
}

impl RunViews {
    fn all(&self) -> MutexGuard<'_, HashMap<RunId, Arc<LiveView>>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// A view for a run, which ends when the returned value is dropped. Pictures of its steps go to `pictures`; a person may
    /// pause it for at most `pause`.
    pub(crate) fn open(
        &self,
        run: &RunId,
        pictures: Option<Arc<dyn PictureStore>>,
        pause: Duration,
    ) -> OpenView {
        let view = RunView {
            pictures,
            screencast: Screencast::default(),
            takeover: Takeover::new(pause),
        };
        let live = Arc::new(LiveView {
            screencast: view.screencast.clone(),
            takeover: view.takeover.clone(),
        });
        self.all().insert(run.clone(), Arc::clone(&live));
        OpenView {
            view,
            live,
            run: run.clone(),
            views: self.clone(),
        }
    }

    /// Begins to watch a run; none when this process does not work on it in a browser.
    pub(crate) fn watch(&self, run: &RunId) -> Option<Watcher> {
        self.all().get(run).map(|live| live.screencast.watch())
    }

    /// The takeover of a run; none when this process does not work on it in a browser.
    pub(crate) fn takeover(&self, run: &RunId) -> Option<Takeover> {
        self.all().get(run).map(|live| live.takeover.clone())
    }

    /// Whether the run can be watched here.
    pub(crate) fn has(&self, run: &RunId) -> bool {
        self.all().contains_key(run)
    }
}

/// The view of a run, as long as the run is worked on.
pub(crate) struct OpenView {
    pub(crate) view: RunView,
    live: Arc<LiveView>,
    run: RunId,
    views: RunViews,
}

impl Drop for OpenView {
    fn drop(&mut self) {
        // A later attempt at the run may have its own view by now.
        let mut all = self.views.all();
        if all
            .get(&self.run)
            .is_some_and(|live| Arc::ptr_eq(live, &self.live))
        {
            all.remove(&self.run);
        }
        drop(all);
        self.view.screencast.end();
        self.view.takeover.end();
    }
}

/// What the name of a picture ends with.
pub(crate) const PICTURE_SUFFIX: &str = ".jpg";

/// Pictures of one run, kept with the run in the store.
pub(crate) struct StoredPictures {
    pub(crate) blobs: Arc<dyn Blobs>,
    pub(crate) run: RunId,
}

#[async_trait]
impl PictureStore for StoredPictures {
    async fn keep(&self, jpeg: Bytes) -> Option<String> {
        match self.blobs.put_of_run(&self.run, jpeg).await {
            Ok(name) => Some(name + PICTURE_SUFFIX),
            Err(error) => {
                tracing::warn!(run = %self.run, %error, "the picture of a step cannot be kept");
                None
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use agents::run_view::Shown;

    use super::*;

    #[tokio::test]
    async fn a_run_is_watched_as_long_as_it_is_worked_on() {
        let (views, run) = (RunViews::default(), RunId::from_random([7; 16]));
        assert!(views.watch(&run).is_none());
        let open = views.open(&run, None, Duration::ZERO);
        let mut watcher = views.watch(&run).unwrap();
        assert!(views.has(&run) && open.view.screencast.is_watched());
        assert_eq!(watcher.next().await, Shown::Nothing);
        let takeover = views.takeover(&run).unwrap();
        drop(open);
        assert!(takeover.pause(Duration::from_secs(60)).await.is_err());
        assert_eq!(watcher.next().await, Shown::Ended);
        assert!(!views.has(&run));
    }

    #[tokio::test]
    async fn the_end_of_an_earlier_attempt_leaves_the_view_of_the_one_that_goes_on() {
        let (views, run) = (RunViews::default(), RunId::from_random([7; 16]));
        let fenced = views.open(&run, None, Duration::ZERO);
        let successor = views.open(&run, None, Duration::ZERO);
        drop(fenced);
        let mut watcher = views.watch(&run).expect("the successor can be watched");
        assert!(successor.view.screencast.is_watched());
        assert_eq!(watcher.next().await, Shown::Nothing);
        drop(successor);
        assert!(!views.has(&run));
    }
}
