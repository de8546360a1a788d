//! Actions, done and reported.

use tools::agent_tool::{ActionOutcome, LoopRequest};
use wire::automate::{AgentAction, AgentWaiting, AutomateEvent, BrowserActionCompleted};

use super::Driver;
use super::setup::emit_news;
use super::takeover::person_wants_browser;
use crate::automate::action_executor::ActionExecutor;
use crate::automate::agent_loop::StepResult;
use crate::automate::tool_invocation::{ToolInvocation, cut};
use crate::cancel::Cancelled;
use crate::run_error::RunError;

impl Driver<'_> {
    pub(super) async fn act(&mut self, action: &ToolInvocation) -> Result<(), Cancelled> {
        // A one-time password is made, and hidden from readers and the model, before it can be filled in.
        for (key, code) in self.secrets.renew_codes(jiff::Timestamp::now()) {
            self.emitter.hide(&key, &code);
        }
        let shown = action.shown();
        self.emitter
            .emit(AutomateEvent::AgentAction(shown.clone()))
            .await?;
        if action.call.acts_in_tab {
            let picture = self.step_picture(action.call.summary.target).await?;
            let started = AutomateEvent::BrowserActionStarted(AgentAction { picture, ..shown });
            self.emitter.emit(started).await?;
            // Whoever takes the run up after a crash must see that the page was acted on.
            self.input.run.settle().await?;
            self.note_filled(action);
        }
        let line = self.describe(action);
        let outcome = match self.perform(action).await {
            Err(RunError::Cancelled(stopped)) => return Err(stopped),
            outcome => outcome,
        };
        if action.call.acts_in_tab {
            self.emit_completed(action, &outcome).await?;
        }
        let is_replaced = emit_news(self.emitter, self.tab.as_mut()).await?;
        if is_replaced {
            self.warning =
                Some("The browser was lost and another one took over; the page was opened again.".into());
        }
        match outcome {
            Ok(outcome) => self.succeeded(action, outcome, line, is_replaced).await,
            Err(error) => self.failed(action, error, &line).await,
        }
    }

    async fn emit_completed(
        &mut self,
        action: &ToolInvocation,
        outcome: &Result<ActionOutcome, RunError>,
    ) -> Result<(), Cancelled> {
        let error = outcome.as_ref().err();
        let completed = BrowserActionCompleted {
            success: outcome.is_ok(),
            error: error.map(|error| match error {
                RunError::Fatal(failure) | RunError::Recoverable(failure) => failure.text.clone(),
                RunError::Cancelled(stopped) => stopped.to_string(),
            }),
            action: Some(action.call.tool.clone()),
            is_recoverable: error.map(|error| !error.is_fatal()),
        };
        self.emitter
            .emit(AutomateEvent::BrowserActionCompleted(completed))
            .await
    }

    async fn succeeded(
        &mut self,
        action: &ToolInvocation,
        outcome: ActionOutcome,
        mut line: String,
        is_replaced: bool,
    ) -> Result<(), Cancelled> {
        self.observer.reads_on |= outcome.reads_on;
        if let Some(LoopRequest::Pause(time)) = &action.call.request {
            let seconds = wire::num::Num::new(time.as_secs_f64());
            let waiting = AutomateEvent::AgentWaiting(AgentWaiting { seconds });
            self.emitter.emit(waiting).await?;
        }
        if let Some(visit) = &outcome.visit {
            self.navigated(visit).await?;
            line.push_str(&format!(" -> {} {}", visit.title, visit.url));
        }
        self.memory.note(self.secrets.mask(&line));
        self.memory.answer(&action.id, &outcome.text, false);
        let result = match outcome.is_surprise || is_replaced {
            true => StepResult::Surprise,
            false => StepResult::AsExpected,
        };
        let notes = self.agent_loop.acted(result, "");
        self.emit_notes(notes).await
    }

    async fn failed(
        &mut self,
        action: &ToolInvocation,
        error: RunError,
        line: &str,
    ) -> Result<(), Cancelled> {
        let is_fatal = error.is_fatal();
        let failure = error.failure()?;
        self.memory.note(self.secrets.mask(&format!("{line}: not done")));
        self.memory.answer(&action.id, failure.model_text(), true);
        let notes = self.agent_loop.acted(StepResult::Failed, &failure.text);
        self.emit_notes(notes).await?;
        if is_fatal {
            self.agent_loop.break_off(failure);
        }
        Ok(())
    }

    async fn perform(&mut self, action: &ToolInvocation) -> Result<ActionOutcome, RunError> {
        match &action.call.request {
            None => {
                let (run, label) = (self.input.run, self.label());
                let mut executor = self.executor(&label);
                run.until_cancelled(executor.execute(&action.call)).await?
            }
            Some(LoopRequest::Pause(time)) => {
                let waited = tokio::time::timeout(*time, person_wants_browser(self.takeover()));
                Ok(ActionOutcome::told(
                    match self.input.run.until_cancelled(waited).await? {
                        Err(_) => "done",
                        Ok(()) => "not waited to the end: a person takes the browser over",
                    },
                ))
            }
            Some(LoopRequest::Extract(wanted)) => self.extract(wanted).await,
            Some(LoopRequest::SearchWeb(query)) => self.web_search(query).await,
            Some(LoopRequest::Screenshot) => self.screenshot().await,
            Some(LoopRequest::AskPerson { description, fields }) => {
                self.ask_person(description, fields).await
            }
            // The agent loop itself ends the run for these.
            Some(LoopRequest::Finish(_) | LoopRequest::GiveUp(_)) => Ok(ActionOutcome::default()),
        }
    }

    /// What acts on the page as the model was shown it.
    pub(super) fn executor<'a>(&'a mut self, label: &'a str) -> ActionExecutor<'a> {
        ActionExecutor {
            tools: &self.input.services.tools,
            tab: self.tab.as_mut(),
            grant: &self.grant,
            files: &self.files,
            secrets: &self.secrets,
            snapshot: &self.snapshot,
            label,
        }
    }

    /// An action in one line, as the folded history and the judge read it.
    fn describe(&self, action: &ToolInvocation) -> String {
        let summary = &action.call.summary;
        let mut line = action.call.tool.clone();
        if let Some(element) = summary.target.and_then(|target| self.snapshot.find(target)) {
            // Hidden before it is cut: of a value that is cut in two nobody knows the half.
            let name = self.secrets.mask(&element.name);
            line.push_str(&format!(" {} {:?}", element.role, cut(&name, 80)));
        }
        if let Some(value) = action.shown().value {
            line.push_str(&format!(" {:?}", cut(&value, 120)));
        }
        line
    }
}
