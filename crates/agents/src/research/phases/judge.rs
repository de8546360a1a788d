//! The judging phase: a model rates the draft.

use llm::Role;
use minijinja::context;
use wire::num::Num;
use wire::research::{Activity, JudgingEnd, JudgingStart, Judgment, ResearchEvent};

use super::{findings, text};
use crate::research::context::{ModelQuestion, ResearchContext};
use crate::research::prompts::{self, forms, quoted};
use crate::research::report;
use crate::research::state::ResearchState;
use crate::run_error::RunError;

/// From this score on a report goes out.
const GOOD: f64 = 7.0;

pub(crate) async fn run(
    context: &ResearchContext<'_>,
    state: &mut ResearchState,
    attempt: u32,
) -> Result<(), RunError> {
    let start = ResearchEvent::JudgingStart(JudgingStart {
        message: "Judging the report".into(),
        attempt,
        max_attempts: context.effort.drafts,
    });
    let judgment = context.phase(
        Activity::Judging,
        start,
        judge(context, state, attempt),
        |judgment| {
            let approved = judgment.is_some_and(|judgment| judgment.approved);
            let score = judgment.map_or(Num::default(), |judgment| judgment.score);
            ResearchEvent::JudgingEnd(JudgingEnd {
                message: format!(
                    "Score {score:?} of 10{}",
                    if approved { "" } else { ", not approved" }
                ),
                attempt,
                approved,
                score,
                feedback: judgment.and_then(|judgment| judgment.feedback.clone()),
            })
        },
    );
    let judgment = judgment.await?;
    state.progress.judged = attempt;
    state.progress.approved = judgment.approved;
    state.take_judgment(judgment);
    Ok(())
}

async fn judge(
    context: &ResearchContext<'_>,
    state: &ResearchState,
    attempt: u32,
) -> Result<Judgment, RunError> {
    // A report that nobody can judge goes out, and says that nobody did.
    let unjudged = |why: &str| Judgment {
        approved: true,
        observation: format!("not judged: {why}"),
        score: Num::default(),
        feedback: None,
    };
    if !context.has_model() {
        return Ok(unjudged("no model is configured"));
    }
    let draft = state.draft.clone().unwrap_or_default();
    if draft.is_unanswered {
        return Ok(unjudged("the sources do not answer the question"));
    }
    let text_of_report = report::markdown(&draft, state);
    let values = context! {
        question => state.question.clone(),
        questions => state.plan.questions.clone(),
        findings => findings(state),
        report => quoted(&text_of_report, 30_000).to_string(),
    };
    let question = ModelQuestion::new(
        Role::Judge,
        format!("judge {attempt}"),
        prompts::JUDGE,
        values,
        forms::judgment(),
    )?;
    let answer = match context.ask(question).await {
        Ok(answer) => answer,
        Err(RunError::Recoverable(failure)) => return Ok(unjudged(&failure.text)),
        Err(error) => return Err(error),
    };
    let score = answer["score"].as_f64().unwrap_or_default().clamp(0.0, 10.0);
    let approved = answer["approved"].as_bool().unwrap_or(false) || score >= GOOD;
    Ok(Judgment {
        approved,
        observation: text(&answer, "observation"),
        score: Num::new(score),
        feedback: Some(text(&answer, "feedback")).filter(|it| !approved && !it.is_empty()),
    })
}
