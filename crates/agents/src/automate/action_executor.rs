//! ActionExecutor: does an action in the tab, and sees to it that the tab is where it may be afterwards.

use std::time::Instant;

use browser::{Snapshot, Tab};
use policy::{Grant, Refused, UploadFiles, ValueSource};
use tools::Registry;
use tools::agent_tool::{ActionContext, ActionError, ActionOutcome, AgentCall, ValueReceivers, model_text};
use tracing::Instrument as _;
use url::Url;
use wire::Code;

use super::secrets::Secrets;
use crate::run_error::{RunError, RunFailure};

impl From<ActionError> for RunError {
    fn from(error: ActionError) -> Self {
        match error {
            ActionError::Refused(refused) => Self::from(refused),
            ActionError::Impossible(text) => Self::recoverable(Code::ToolFailed, text),
            ActionError::Tab { error, model_text } => match Self::from(error) {
                Self::Fatal(failure) => Self::Fatal(failure.with_model_text(model_text)),
                Self::Recoverable(failure) => Self::Recoverable(failure.with_model_text(model_text)),
                cancelled @ Self::Cancelled(_) => cancelled,
            },
        }
    }
}

impl From<Refused> for RunError {
    fn from(refused: Refused) -> Self {
        let failure = RunFailure::new(Code::PolicyDenied, refused.to_string());
        Self::Recoverable(failure.with_model_text(refused.reason))
    }
}

/// The failure of a tab; for the model, words of the page are quoted.
pub(super) fn tab_failure(error: browser::Error, label: &str) -> RunError {
    let model_text = model_text(&error, label);
    ActionError::Tab { error, model_text }.into()
}

/// The failure of an answer whose value would go to others than the person was told of.
pub(super) fn receivers_changed() -> RunError {
    let text = "refused: the page has changed where the person's values would go since the person was asked; nothing \
                more was filled. Look at the page again";
    RunError::recoverable(Code::PolicyDenied, text)
}

/// Does the actions of a run.
pub(super) struct ActionExecutor<'a> {
    pub(super) tools: &'a Registry,
    pub(super) tab: &'a mut dyn Tab,
    pub(super) grant: &'a Grant,
    pub(super) files: &'a UploadFiles,
    pub(super) secrets: &'a Secrets,
    /// The page as the model was shown it.
    pub(super) snapshot: &'a Snapshot,
    /// A label that no page knows.
    pub(super) label: &'a str,
}

impl ActionExecutor<'_> {
    fn context(&mut self) -> ActionContext<'_> {
        ActionContext {
            tab: self.tab,
            grant: self.grant,
            files: self.files,
            values: self.secrets,
            snapshot: self.snapshot,
            label: self.label,
        }
    }

    /// Does a call that is done by the tab alone.
    ///
    /// # Errors
    /// When the policy refuses it, it makes no sense here, or the tab fails.
    pub(super) async fn execute(&mut self, call: &AgentCall) -> Result<ActionOutcome, RunError> {
        let before = self.tab.url();
        let began = Instant::now();
        let span = tracing::debug_span!("action", tool = call.tool, error = tracing::field::Empty);
        let tools = self.tools;
        let work = async { tools.execute_call(call, &mut self.context()).await };
        let done = work.instrument(span.clone()).await;
        let millis = u64::try_from(began.elapsed().as_millis()).unwrap_or(u64::MAX);
        let outcome = match &done {
            Ok(_) => "ok",
            Err(ActionError::Refused(refused)) => refused.rule,
            Err(ActionError::Impossible(_)) => "impossible",
            Err(ActionError::Tab { error, .. }) => error.code(),
        };
        if done.is_err() {
            span.record("error", outcome);
        }
        span.in_scope(|| tracing::debug!(millis, outcome, "action done"));
        let outcome = done?;
        match self.tab.url() == before && outcome.visit.is_none() {
            true => Ok(outcome),
            false => self.check_place(before, outcome).await,
        }
    }

    /// Who gets what a person types into a field, as the page is now.
    ///
    /// # Errors
    /// When the policy refuses it, or the field is gone.
    pub(super) async fn person_receivers(
        &mut self,
        target: browser::Ref,
    ) -> Result<ValueReceivers, RunError> {
        Ok(self.context().person_receivers(target).await?)
    }

    /// Puts a value that a person has typed into a field, if those who get the value are still those that the person was
    /// told of.
    ///
    /// # Errors
    /// As [`ActionExecutor::execute`]; the texts hold no value.
    pub(super) async fn put_persons_value(
        &mut self,
        target: browser::Ref,
        value: &str,
        told: &ValueReceivers,
    ) -> Result<ActionOutcome, RunError> {
        if self.person_receivers(target).await? != *told {
            return Err(receivers_changed());
        }
        let mut context = self.context();
        Ok(context.put_value(target, value, ValueSource::Person).await?)
    }

    /// Puts into a field what a person types there unasked, while the person has the browser. The rules of the caller and of
    /// the policy hold as for the agent's own values.
    ///
    /// # Errors
    /// As [`ActionExecutor::execute`]; the texts hold no value.
    pub(super) async fn type_for_person(
        &mut self,
        target: browser::Ref,
        value: &str,
    ) -> Result<ActionOutcome, RunError> {
        let before = self.tab.url();
        let mut context = self.context();
        context.permit_fill(target, ValueSource::Caller).await?;
        let outcome = context.put_value(target, value, ValueSource::Person).await?;
        match self.tab.url() == before && outcome.visit.is_none() {
            true => Ok(outcome),
            false => self.check_place(before, outcome).await,
        }
    }

    /// Wherever the tab is now, it must be allowed to be there.
    async fn check_place(
        &mut self,
        before: Option<Url>,
        outcome: ActionOutcome,
    ) -> Result<ActionOutcome, RunError> {
        let Err(refused) = self.permit_place() else {
            return Ok(outcome);
        };
        tracing::debug!(rule = refused.rule, "the page that came is refused by the policy");
        let (mut reason, text) = (refused.reason.clone(), refused.to_string());
        if self.leave(before.as_ref()).await {
            reason.push_str(". The page before is open again");
        }
        let failure = RunFailure::new(Code::PolicyDenied, text);
        Err(RunError::Recoverable(failure.with_model_text(reason)))
    }

    /// Asks whether the tab may be where it is.
    fn permit_place(&self) -> Result<(), Refused> {
        self.tab.url().map_or(Ok(()), |url| self.grant.open(&url))
    }

    /// Leaves a page that may not be open, back to where the run was. Gives whether that came about: a page can write
    /// itself into the way back. What still stands there is not shown.
    pub(super) async fn leave(&mut self, before: Option<&Url>) -> bool {
        if self.tab.back().await.is_ok() && self.permit_place().is_ok() {
            return true;
        }
        match before {
            Some(before) => self.tab.goto(before).await.is_ok() && self.permit_place().is_ok(),
            None => false,
        }
    }
}

#[cfg(test)]
mod tests;
