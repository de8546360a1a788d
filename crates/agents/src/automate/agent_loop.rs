//! AgentLoop: the state machine of an automate run, without IO. A driver does what it decides, and reports the results.

use std::collections::{HashMap, VecDeque};

use tools::agent_tool::LoopRequest;

use super::tool_invocation::ToolInvocation;
use crate::error_codes;
use crate::run_error::{RunError, RunFailure};

/// How far a run may go.
#[derive(Debug, Clone, Copy)]
pub(super) struct LoopLimits {
    /// Turns of the loop.
    pub(super) turns: u32,
    /// Answers that are judged.
    pub(super) answers: u32,
    /// Errors in a row.
    pub(super) errors_in_row: u32,
    /// Errors in all.
    pub(super) errors: u32,
    /// The same action on the same page: at this one the model is warned, at the next one the run ends.
    pub(super) same: u32,
    /// Actions of one turn that are done.
    pub(super) actions: usize,
}

impl LoopLimits {
    /// The usual limits, with those that a request sets. Those on errors, repetition and actions were chosen, not measured.
    pub(super) fn new(turns: u32, answers: u32) -> Self {
        Self {
            turns,
            answers,
            errors_in_row: 5,
            errors: 15,
            same: 4,
            actions: 20,
        }
    }
}

/// What to do next.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Decision {
    /// Begin a turn: this one, from 0.
    Turn(u32),
    /// Take a snapshot of the page.
    Observe,
    /// Ask the model.
    AskModel,
    /// Do this.
    Act(ToolInvocation),
    /// Have this answer judged.
    Judge {
        /// The answer.
        answer: String,
        /// Which answer it is, from 1.
        attempt: u32,
    },
    /// End the run.
    End(Ending),
}

/// How a run ends.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Ending {
    /// The answer was accepted.
    Accepted(String),
    /// The agent gave up.
    Aborted(String),
    /// It was stopped for repeating itself.
    Repeating(String),
    /// No answer was accepted; the last one and what was wrong with it.
    Rejected {
        /// The last answer.
        answer: String,
        /// What the judge said.
        feedback: String,
    },
    /// Out of turns, with the last answer that was refused.
    OutOfTurns(Option<String>),
    /// Too many errors; the last one.
    TooManyErrors {
        /// How many, and in which count.
        count: String,
        /// The last one.
        last: String,
    },
    /// Something failed that no further turn can repair.
    Broken(RunFailure),
}

/// What a model answered in a turn.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum TurnReply {
    /// Calls, and how many of them could not be used.
    Actions {
        /// Those that can be done, in order.
        actions: Vec<ToolInvocation>,
        /// How many were malformed, unknown or wrong.
        refused: usize,
    },
    /// No answer.
    Failed(RunError),
}

/// What became of an action.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum StepResult {
    /// Done, and nothing else happened.
    AsExpected,
    /// Done, and the page is another one or something else came up.
    Surprise,
    /// Not done.
    Failed,
}

/// What a judge said.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Verdict {
    /// The answer does the task.
    Accepted,
    /// It does not.
    Refused(String),
    /// The judge could not be asked, and another try may help.
    Missing(RunError),
}

/// What the driver has to tell the model and the reader, after it reported something.
#[derive(Debug, Clone, Default, PartialEq)]
pub(super) struct LoopNotes {
    /// Calls that are not done, each with why.
    pub(super) skipped: Vec<(String, String)>,
    /// A warning for the model and the reader.
    pub(super) warning: Option<String>,
}

#[derive(Debug, Clone, PartialEq)]
enum LoopState {
    Between,
    Observing,
    AskingModel,
    Acting,
    Judging(String),
    Over(Ending),
}

/// The state machine of one run.
#[derive(Debug)]
pub(super) struct AgentLoop {
    limits: LoopLimits,
    state: LoopState,
    turns: u32,
    actions: u32,
    refused_answers: u32,
    errors: u32,
    errors_in_row: u32,
    last_error: String,
    refused_answer: Option<String>,
    /// Whether the page may have changed since it was looked at.
    is_snapshot_stale: bool,
    page: u64,
    tried: HashMap<(u64, String), u32>,
    queue: VecDeque<ToolInvocation>,
    fingerprints: Vec<String>,
}

impl AgentLoop {
    /// A run at its beginning; `open` says whether there is a page to look at.
    pub(super) fn new(limits: LoopLimits, open: bool) -> Self {
        Self {
            limits,
            state: LoopState::Between,
            turns: 0,
            actions: 0,
            refused_answers: 0,
            errors: 0,
            errors_in_row: 0,
            last_error: String::new(),
            refused_answer: None,
            is_snapshot_stale: open,
            page: 0,
            tried: HashMap::new(),
            queue: VecDeque::new(),
            fingerprints: Vec::new(),
        }
    }

    /// Turns begun so far.
    pub(super) fn turns(&self) -> u32 {
        self.turns
    }

    /// Actions done so far, without the ends.
    pub(super) fn actions(&self) -> u32 {
        self.actions
    }

    /// Answers refused so far.
    pub(super) fn refused_answers(&self) -> u32 {
        self.refused_answers
    }

    /// What to do now. Asked again without a report in between, it says the same, except that a turn begins once.
    pub(super) fn decide(&mut self) -> Decision {
        match &self.state {
            LoopState::Between => {
                if self.turns >= self.limits.turns {
                    return self.end(Ending::OutOfTurns(self.refused_answer.clone()));
                }
                let turn = self.turns;
                self.turns += 1;
                self.state = if self.is_snapshot_stale {
                    LoopState::Observing
                } else {
                    LoopState::AskingModel
                };
                Decision::Turn(turn)
            }
            LoopState::Observing => Decision::Observe,
            LoopState::AskingModel => Decision::AskModel,
            LoopState::Judging(answer) => Decision::Judge {
                answer: answer.clone(),
                attempt: self.refused_answers + 1,
            },
            LoopState::Over(ending) => Decision::End(ending.clone()),
            LoopState::Acting => match self.queue.front().cloned() {
                Some(action) => match action.call.request {
                    Some(LoopRequest::Finish(answer)) => {
                        self.queue.pop_front();
                        self.state = LoopState::Judging(answer.clone());
                        Decision::Judge {
                            answer,
                            attempt: self.refused_answers + 1,
                        }
                    }
                    Some(LoopRequest::GiveUp(reason)) => {
                        self.queue.pop_front();
                        self.end(Ending::Aborted(reason))
                    }
                    _ => Decision::Act(action),
                },
                None => {
                    self.state = LoopState::Between;
                    self.decide()
                }
            },
        }
    }

    fn end(&mut self, ending: Ending) -> Decision {
        self.state = LoopState::Over(ending.clone());
        Decision::End(ending)
    }

    /// A snapshot was taken; `page` stands for what it shows.
    pub(super) fn observed(&mut self, page: u64) {
        self.page = page;
        self.is_snapshot_stale = false;
        self.state = LoopState::AskingModel;
    }

    /// The model has to see the page again before it is asked, though nothing was done to it.
    pub(super) fn observe_again(&mut self) {
        self.is_snapshot_stale = true;
    }

    /// Whether the run is to end, so that nothing more is done to its page.
    pub(super) fn is_over(&self) -> bool {
        matches!(self.state, LoopState::Over(_))
    }

    /// A person has acted on the page: what was decided before is not done, and the page is looked at again. An answer that
    /// was given before is judged all the same.
    pub(super) fn interrupted(&mut self) -> LoopNotes {
        let mut notes = LoopNotes::default();
        let reason = "not done: a person had the browser meanwhile; look at the page again";
        let skipped = self.queue.drain(..).map(|action| (action.id, reason.to_owned()));
        notes.skipped.extend(skipped);
        self.is_snapshot_stale = true;
        self.tried.clear();
        match self.state {
            LoopState::Acting => self.state = LoopState::Between,
            LoopState::AskingModel => self.state = LoopState::Observing,
            LoopState::Between | LoopState::Observing | LoopState::Judging(_) | LoopState::Over(_) => {}
        }
        notes
    }

    /// No snapshot could be taken.
    pub(super) fn not_observed(&mut self, error: RunError) {
        if let Some(failure) = self.recoverable(error) {
            self.is_snapshot_stale = true;
            self.state = LoopState::AskingModel;
            self.count_error(failure.text);
        }
    }

    /// The failure after which the run goes on; ends the run where there is none.
    fn recoverable(&mut self, error: RunError) -> Option<RunFailure> {
        match error {
            RunError::Recoverable(failure) => Some(failure),
            RunError::Fatal(failure) => {
                self.break_off(failure);
                None
            }
            RunError::Cancelled(stopped) => {
                let code = error_codes::cancelled_code(&stopped);
                self.break_off(RunFailure::new(code, stopped.to_string()));
                None
            }
        }
    }

    /// The model has answered, or has not. `fingerprint` gives what an action is, apart from the refs' numbers.
    pub(super) fn answered(
        &mut self,
        answer: TurnReply,
        fingerprint: impl Fn(&ToolInvocation) -> String,
    ) -> LoopNotes {
        self.state = LoopState::Between;
        let mut notes = LoopNotes::default();
        let (actions, refused) = match answer {
            TurnReply::Actions { actions, refused } => (actions, refused),
            TurnReply::Failed(error) => {
                if let Some(failure) = self.recoverable(error) {
                    self.count_error(failure.to_string());
                }
                return notes;
            }
        };
        if actions.is_empty() {
            let text = if refused > 0 {
                "the model's tool calls could not be used"
            } else {
                "the model called no tool"
            };
            self.count_error(text.to_owned());
            return notes;
        }
        self.fingerprints.clear();
        for (place, action) in actions.into_iter().enumerate() {
            match self.reason_to_skip(place, &action, &fingerprint, &mut notes.warning) {
                Some(reason) => notes.skipped.push((action.id, reason)),
                None => self.queue.push_back(action),
            }
        }
        if !matches!(self.state, LoopState::Over(_)) {
            self.state = LoopState::Acting;
        }
        notes
    }

    /// Why an action of a turn is not done; none when it is.
    fn reason_to_skip(
        &mut self,
        place: usize,
        action: &ToolInvocation,
        fingerprint: impl Fn(&ToolInvocation) -> String,
        warning: &mut Option<String>,
    ) -> Option<String> {
        if place >= self.limits.actions {
            return Some(format!(
                "not done: a turn has at most {} calls",
                self.limits.actions
            ));
        }
        if self.queue.front().is_some_and(ToolInvocation::is_end) {
            return Some("not done: the turn was finished before it".to_owned());
        }
        if place > 0 && action.is_end() {
            return Some("not done: look at what the other calls came to before you finish".to_owned());
        }
        if let Some(repeated) = self.count_repetition(action, fingerprint(action)) {
            *warning = Some(repeated);
            return None;
        }
        matches!(self.state, LoopState::Over(_))
            .then(|| "not done: the run was stopped for repeating itself".to_owned())
    }

    /// Counts an action on a page. Gives a warning, or ends the run, when it was tried too often.
    fn count_repetition(&mut self, action: &ToolInvocation, fingerprint: String) -> Option<String> {
        if action.call.may_repeat
            || action.is_end()
            || matches!(self.state, LoopState::Over(_))
            || self.fingerprints.contains(&fingerprint)
        {
            return None;
        }
        self.fingerprints.push(fingerprint.clone());
        let count = self.tried.entry((self.page, fingerprint)).or_default();
        *count += 1;
        let (count, tool) = (*count, &action.call.tool);
        if count > self.limits.same {
            let reason = format!(
                "stopped for repeating itself: `{tool}` was called {count} times on the same page without any change"
            );
            self.state = LoopState::Over(Ending::Repeating(reason));
            return None;
        }
        (count == self.limits.same).then(|| {
            format!(
                "`{tool}` was called {count} times on this page, and nothing changes; do something else, or the run ends"
            )
        })
    }

    /// The action in front was done, or was not.
    pub(super) fn acted(&mut self, result: StepResult, error: &str) -> LoopNotes {
        let mut notes = LoopNotes::default();
        let Some(done) = self.queue.pop_front() else {
            return notes;
        };
        match result {
            StepResult::Failed => self.count_error(error.to_owned()),
            StepResult::AsExpected | StepResult::Surprise => {
                self.errors_in_row = 0;
                self.actions += 1;
            }
        }
        self.is_snapshot_stale |= !done.call.keeps_page;
        let reason = match result {
            StepResult::AsExpected => return notes,
            StepResult::Failed => "not done: a call before it failed",
            StepResult::Surprise => "not done: the page has changed since it was decided; look again",
        };
        let skipped = self.queue.drain(..).map(|action| (action.id, reason.to_owned()));
        notes.skipped.extend(skipped);
        notes
    }

    /// The judge has answered.
    pub(super) fn judged(&mut self, verdict: Verdict) {
        let LoopState::Judging(answer) = &self.state else {
            return;
        };
        let answer = answer.clone();
        match verdict {
            Verdict::Accepted => self.state = LoopState::Over(Ending::Accepted(answer)),
            Verdict::Refused(feedback) => {
                self.refused_answers += 1;
                self.refuse(answer, feedback);
            }
            Verdict::Missing(error) => {
                if let Some(failure) = self.recoverable(error) {
                    self.refused_answers += 1;
                    self.refuse(answer, format!("it could not be judged ({failure})"));
                }
            }
        }
    }

    fn refuse(&mut self, answer: String, feedback: String) {
        self.refused_answer = Some(answer.clone());
        self.state = if self.refused_answers >= self.limits.answers {
            LoopState::Over(Ending::Rejected { answer, feedback })
        } else {
            LoopState::Between
        };
    }

    /// Ends the run because of something that cannot be repaired.
    pub(super) fn break_off(&mut self, failure: RunFailure) {
        self.state = LoopState::Over(Ending::Broken(failure));
    }

    fn count_error(&mut self, last: String) {
        self.errors += 1;
        self.errors_in_row += 1;
        self.last_error = last;
        let count = if self.errors_in_row >= self.limits.errors_in_row {
            format!("{} errors in a row", self.errors_in_row)
        } else if self.errors >= self.limits.errors {
            format!("{} errors in all", self.errors)
        } else {
            return;
        };
        let last = self.last_error.clone();
        self.state = LoopState::Over(Ending::TooManyErrors { count, last });
    }
}

#[cfg(test)]
mod tests;
