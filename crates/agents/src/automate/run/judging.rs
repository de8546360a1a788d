//! An answer, judged.

use page::quote::Quoted;
use wire::automate::{AgentAction, AutomateEvent, TaskValidated, TaskValidationError};

use super::Driver;
use crate::automate::call::cut;
use crate::automate::course::Verdict;
use crate::automate::validate::Case;
use crate::automate::{ask, validate};
use crate::cancel::Cancelled;

impl Driver<'_> {
    pub(super) async fn judge(&mut self, answer: &str, attempt: u32) -> Result<(), Cancelled> {
        let action = AgentAction {
            action: "done".into(),
            ref_: None,
            value: Some(cut(answer, 500)),
        };
        self.teller.say(AutomateEvent::AgentAction(action)).await?;
        ask::announce(
            self.teller,
            format!("validating the answer, attempt {attempt}"),
            false,
        )
        .await?;
        let case = Case {
            task: &self.brief.request.task,
            criteria: &self.plan.success_criteria,
            guardrails: &self.guardrails,
            answer,
            deeds: self.memory.deeds(),
            evidence: &self.evidence,
            mark: &self.mark,
        };
        let verdict = validate::judge(self.teller, &self.seats.validator, &case).await?;
        let (verdict, raw, told) = match verdict {
            Ok((judgement, raw)) => {
                let validated = TaskValidated {
                    observation: judgement.task_assessment.clone(),
                    completion_quality: judgement.completion_quality,
                    final_answer: answer.to_owned(),
                    feedback: judgement.feedback.clone(),
                };
                self.teller.say(AutomateEvent::TaskValidated(validated)).await?;
                if judgement.completion_quality.is_accepted() {
                    self.memory.answer_rest("accepted", false);
                    self.course.judged(Verdict::Accepted);
                    return Ok(());
                }
                let feedback = judgement.feedback.filter(|it| !it.trim().is_empty());
                let feedback = feedback.unwrap_or(judgement.task_assessment);
                (Verdict::Refused(feedback.clone()), raw, feedback)
            }
            Err((trouble, raw)) => {
                let told = format!(
                    "the answer could not be judged ({}: {})",
                    trouble.code, trouble.text
                );
                (Verdict::Missing(trouble), raw, told)
            }
        };
        let label = self.label();
        let quoted = Quoted::new(&label, &told, 4000);
        self.memory
            .answer_rest(&format!("The answer was not accepted:\n{quoted}"), true);
        self.memory.note("gave an answer that was not accepted".into());
        self.course.judged(verdict);
        let refused = TaskValidationError {
            errors: vec![told.clone()],
            retry_count: self.course.refused_answers(),
            raw_response: raw,
            feedback: Some(told),
        };
        self.teller.say(AutomateEvent::TaskValidationError(refused)).await
    }
}
