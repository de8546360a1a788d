//! A run as its agent holds it: the events it emits, the questions it asks, and when it has to stop.

use std::sync::Arc;

use async_trait::async_trait;
use wire::input::FormAnswer;
use wire::{Event, RequestId};

use crate::cancel::{CancelSignal, Cancelled};
use crate::human_input::HumanInput;
use crate::run_error::RunError;
use crate::run_view::RunView;

/// Where a run's events go. The runtime stamps and appends them; a test collects them in a list.
///
/// Promises: events are kept in the order they were given; no reader sees one before it is durable; when `settle`
/// returned, all that was given before is durable.
#[async_trait]
pub trait Journal<E: Event>: Send + Sync {
    /// Appends one event.
    ///
    /// # Errors
    /// When the log cannot take it, because another worker holds the run or the store fails.
    async fn record(&self, event: E) -> Result<(), Cancelled>;

    /// Waits until every event that was emitted is in the log: before an act that cannot be undone, and at the end.
    ///
    /// # Errors
    /// As for [`Journal::record`].
    async fn settle(&self) -> Result<(), Cancelled>;

    /// Names the loop turn that later events belong to.
    fn turn(&self, iteration: String);
}

/// Work to be done before the last event of a run, so that whoever sees the event finds it done.
#[async_trait]
pub trait BeforeEnd: Send + Sync {
    /// Does the work. What goes wrong is for its log.
    async fn before_end(&self);
}

/// One execution of a job, in the hands of its agent. Cheap to clone; clones are the same run.
pub struct Run<E: Event> {
    journal: Arc<dyn Journal<E>>,
    cancel: CancelSignal,
    human_input: Option<Arc<dyn HumanInput>>,
    before_end: Option<Arc<dyn BeforeEnd>>,
    view: Option<RunView>,
}

impl<E: Event> Clone for Run<E> {
    fn clone(&self) -> Self {
        Self {
            journal: Arc::clone(&self.journal),
            cancel: self.cancel.clone(),
            human_input: self.human_input.clone(),
            before_end: self.before_end.clone(),
            view: self.view.clone(),
        }
    }
}

impl<E: Event> Run<E> {
    /// A run that emits its events to `journal` and ends when `cancel` is cancelled.
    pub fn new(journal: Arc<dyn Journal<E>>, cancel: CancelSignal) -> Self {
        Self {
            journal,
            cancel,
            human_input: None,
            before_end: None,
            view: None,
        }
    }

    /// The same run, able to ask a person.
    #[must_use]
    pub fn with_human_input(mut self, human_input: Arc<dyn HumanInput>) -> Self {
        self.human_input = Some(human_input);
        self
    }

    /// The same run, whose browser people may see.
    #[must_use]
    pub fn with_view(mut self, view: RunView) -> Self {
        self.view = Some(view);
        self
    }

    /// What people see of the run's browser; none when nobody may see it.
    pub fn view(&self) -> Option<&RunView> {
        self.view.as_ref()
    }

    /// The same run, doing this before its last event.
    #[must_use]
    pub fn before_end(mut self, work: Option<Arc<dyn BeforeEnd>>) -> Self {
        self.before_end = work;
        self
    }

    /// An id for a question to a person; none when nobody can be asked.
    pub fn question(&self) -> Option<RequestId> {
        self.human_input.as_ref().map(|it| it.question())
    }

    /// Waits for the answer to a question that was emitted as an event; none when nobody answered in time. The question
    /// is in the log before anybody waits.
    ///
    /// # Errors
    /// When the run is over.
    pub async fn ask(&self, question: &RequestId) -> Result<Option<FormAnswer>, Cancelled> {
        let Some(human_input) = &self.human_input else {
            return Ok(None);
        };
        self.settle().await?;
        self.until_cancelled(human_input.answer(question)).await?
    }

    /// Emits one event.
    ///
    /// # Errors
    /// When the run is over.
    pub async fn emit(&self, event: E) -> Result<(), Cancelled> {
        self.cancel.check()?;
        self.emit_result(event).await
    }

    /// Emits an event about something that is done, also when the run was stopped meanwhile.
    ///
    /// # Errors
    /// When the log cannot take it.
    pub async fn emit_result(&self, event: E) -> Result<(), Cancelled> {
        self.journal
            .record(event)
            .await
            .inspect_err(|reason| self.cancel.cancel(reason.clone()))
    }

    /// Emits the last event of a run, also of one that was stopped, and waits until the event is in the log.
    ///
    /// # Errors
    /// When the log cannot take them.
    pub async fn close(&self, event: E) -> Result<(), Cancelled> {
        if let (true, Some(work)) = (event.is_terminal(), &self.before_end) {
            work.before_end().await;
        }
        self.journal.record(event).await?;
        self.journal.settle().await
    }

    /// Waits until every event that was emitted is in the log: before an act that cannot be undone.
    ///
    /// # Errors
    /// When the log cannot take it.
    pub async fn settle(&self) -> Result<(), Cancelled> {
        self.journal.settle().await
    }

    /// Waits for a future within the run.
    ///
    /// # Errors
    /// When the run is over before the future is.
    pub async fn until_cancelled<T>(&self, future: impl Future<Output = T>) -> Result<T, Cancelled> {
        self.cancel.until_cancelled(future).await
    }

    /// Runs a named part: emits its start event, does it, and emits its end event, also when it failed or was stopped, so that
    /// no reader waits for an end that never comes.
    ///
    /// # Errors
    /// When the run is over. What the part itself reports is for `end` to say.
    pub async fn phase<T>(
        &self,
        start: E,
        part: impl Future<Output = Result<T, RunError>>,
        end: impl FnOnce(Option<&T>) -> E,
    ) -> Result<T, RunError> {
        self.emit(start).await?;
        let outcome = part.await;
        match &outcome {
            Ok(value) => self.emit(end(Some(value))).await?,
            Err(RunError::Cancelled(cancelled)) if cancelled.leaves_the_log_open() => {}
            Err(RunError::Cancelled(_)) => self.close(end(None)).await?,
            Err(RunError::Fatal(_) | RunError::Recoverable(_)) => self.emit(end(None)).await?,
        }
        outcome
    }

    /// Names the loop turn that later events belong to.
    pub fn turn(&self, iteration: String) {
        self.journal.turn(iteration);
    }

    /// Where the run's events go.
    pub fn journal(&self) -> Arc<dyn Journal<E>> {
        Arc::clone(&self.journal)
    }

    /// The run's switch.
    pub fn cancel_signal(&self) -> &CancelSignal {
        &self.cancel
    }
}
