//! Judging of an answer.

use page::quote::Quoted;
use wire::automate::{AgentAction, AutomateEvent, TaskValidated, TaskValidationError};

use super::Driver;
use crate::automate::agent_loop::Verdict;
use crate::automate::tool_invocation::cut;
use crate::automate::validation::{Case, NoVerdict};
use crate::automate::{model_calls, validation};
use crate::cancel::Cancelled;
use crate::run_error::RunError;

impl Driver<'_> {
    pub(super) async fn judge(&mut self, answer: &str, attempt: u32) -> Result<(), Cancelled> {
        let picture = self.step_picture(None).await?;
        let action = AgentAction {
            action: "done".into(),
            value: Some(cut(answer, 500)),
            picture,
            ..AgentAction::default()
        };
        self.emitter.emit(AutomateEvent::AgentAction(action)).await?;
        model_calls::announce(
            self.emitter,
            format!("validating the answer, attempt {attempt}"),
            false,
        )
        .await?;
        let case = Case {
            task: &self.input.request.task,
            criteria: &self.plan.success_criteria,
            guardrails: &self.guardrails,
            answer,
            history_lines: self.memory.history_lines(),
            evidence: &self.evidence,
            mark: &self.mark,
        };
        let verdict = validation::judge(self.emitter, &self.models.validator, &case).await;
        let (verdict, raw, told) = match verdict {
            Ok((judgement, raw)) => {
                let validated = TaskValidated {
                    observation: judgement.task_assessment.clone(),
                    completion_quality: judgement.completion_quality,
                    final_answer: answer.to_owned(),
                    feedback: judgement.feedback.clone(),
                };
                self.emitter.emit(AutomateEvent::TaskValidated(validated)).await?;
                if judgement.completion_quality.is_accepted() {
                    self.memory.answer_rest("accepted", false);
                    self.agent_loop.judged(Verdict::Accepted);
                    return Ok(());
                }
                let feedback = judgement.feedback.filter(|it| !it.trim().is_empty());
                let feedback = feedback.unwrap_or(judgement.task_assessment);
                (Verdict::Refused(feedback.clone()), raw, feedback)
            }
            Err(NoVerdict {
                error: RunError::Cancelled(stopped),
                ..
            }) => return Err(stopped),
            Err(NoVerdict { error, raw }) => {
                let told = format!("the answer could not be judged ({error})");
                (Verdict::Missing(error), raw, told)
            }
        };
        let label = self.label();
        let quoted = Quoted::new(&label, &told, 4000);
        self.memory
            .answer_rest(&format!("The answer was not accepted:\n{quoted}"), true);
        self.memory.note("gave an answer that was not accepted".into());
        self.agent_loop.judged(verdict);
        let refused = TaskValidationError {
            errors: vec![told.clone()],
            retry_count: self.agent_loop.refused_answers(),
            raw_response: raw,
            feedback: Some(told),
        };
        self.emitter
            .emit(AutomateEvent::TaskValidationError(refused))
            .await
    }
}
