//! What people see of the browsers of the runs that the workers do, and how they take them over.

use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

use agents::run_view::PictureStore;
use agents::takeover::Takeover;
use wire::run::{RunKind, RunStatus};
use wire::takeover::{PersonAct, TakeoverState};
use wire::{Code, RunId};

use super::{BrowserWatcher, Workers, WorkersInner};
use crate::diagnostics::millis;
use crate::error::ServiceError;
use crate::views::{OpenView, StoredPictures};

/// How long a request to pause waits for the agent to let go of the browser.
const PAUSE_PATIENCE: Duration = Duration::from_secs(20);

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

    /// Gives people this long to answer questions that are asked from now on.
    pub fn answers_within(&self, time: Duration) {
        self.0.answer_ms.store(millis(time), Ordering::Relaxed);
    }

    /// People who pause runs that begin from now on have their browsers for at most this long.
    pub fn pause_at_most(&self, time: Duration) {
        self.0.pause_ms.store(millis(time), Ordering::Relaxed);
    }

    /// The takeover of a run that the owner may act on.
    ///
    /// # Errors
    /// When there is no such run, it has no browser, it does not run, or another process works on it.
    pub async fn takeover(&self, owner: Option<&str>, run: &RunId) -> Result<Takeover, ServiceError> {
        let run = self.0.service.run(owner, run).await?.summary;
        if run.kind != RunKind::Automate {
            let text = format!(
                "a {} run has no browser that a person could take over; only automate runs have one",
                run.kind.as_str()
            );
            return Err(ServiceError::new(Code::NotCapable, text));
        }
        let conflict = |text: &str| Err(ServiceError::new(Code::Conflict, text));
        match (run.status, self.0.views.takeover(&run.id)) {
            (RunStatus::Queued, _) => conflict("the run has not begun; pause it when it runs"),
            (RunStatus::Running, Some(takeover)) => Ok(takeover),
            (RunStatus::Running, None) => Err(ServiceError::new(
                Code::NotCapable,
                "another process works on this run, and only that one has its browser: send the request to the server that \
                 works on the run, or cancel the run; runs of `huntsman worker` and of commands cannot be taken over",
            )),
            (RunStatus::Completed | RunStatus::Failed | RunStatus::Cancelled, _) => {
                conflict("the run has ended")
            }
        }
    }

    /// Pauses a run, so that a person may act in its browser. Answers when the agent has let go, or after 20 seconds.
    ///
    /// # Errors
    /// As [`Workers::takeover`], and when the run ends meanwhile.
    pub async fn pause(&self, owner: Option<&str>, run: &RunId) -> Result<TakeoverState, ServiceError> {
        let takeover = self.takeover(owner, run).await?;
        Ok(takeover.pause(PAUSE_PATIENCE).await?)
    }

    /// Does an act of a person in the browser of a paused run.
    ///
    /// # Errors
    /// As [`Workers::takeover`], and when the run is not paused, the policy refuses the act or the page does not take it.
    pub async fn act(
        &self,
        owner: Option<&str>,
        run: &RunId,
        act: PersonAct,
    ) -> Result<TakeoverState, ServiceError> {
        let takeover = self.takeover(owner, run).await?;
        Ok(takeover.act(act).await?)
    }

    /// Hands the browser of a paused run back to its agent.
    ///
    /// # Errors
    /// As [`Workers::takeover`], and when the run is not paused.
    pub async fn resume(
        &self,
        owner: Option<&str>,
        run: &RunId,
        note: Option<String>,
    ) -> Result<TakeoverState, ServiceError> {
        let takeover = self.takeover(owner, run).await?;
        Ok(takeover.hand_back(note).await?)
    }

    /// How the takeover of a run of this process stands; none when it works on no such run.
    pub fn takeover_state(&self, run: &RunId) -> Option<TakeoverState> {
        self.0.views.takeover(run).map(|takeover| takeover.state())
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
        let pause = Duration::from_millis(self.pause_ms.load(Ordering::Relaxed));
        self.views.open(run, pictures, pause)
    }
}
