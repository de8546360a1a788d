//! The evaluating phase: decides whether enough is known, and what to search for next.

use llm::Role;
use minijinja::context;
use serde_json::Value;
use wire::research::{
    Activity, AnswerStatus, Coverage, EvaluatingEnd, EvaluatingStart, GapEvaluation, QuestionAssessment,
    ResearchEvent,
};

use super::{findings, number, text, texts, word};
use crate::research::bm25::{Bm25, best};
use crate::research::context::{ModelQuestion, ResearchContext};
use crate::research::prompts::{self, forms};
use crate::research::state::ResearchState;
use crate::run_error::RunError;

pub(crate) async fn run(
    context: &ResearchContext<'_>,
    state: &mut ResearchState,
    iteration: u32,
) -> Result<(), RunError> {
    let start = ResearchEvent::EvaluatingStart(EvaluatingStart {
        message: "Weighing what is known".into(),
        iteration,
        pages_analyzed: number(state.sources.len()),
        question_count: number(state.plan.questions.len()),
    });
    let part = evaluate(context, state, iteration);
    let found = context
        .phase(Activity::Evaluating, start, part, |done| {
            let found = done.cloned().unwrap_or_else(nothing);
            ResearchEvent::EvaluatingEnd(EvaluatingEnd {
                message: format!("Coverage: {:?}", found.research_coverage),
                iteration,
                coverage: found.research_coverage,
                gaps: found.gap_description,
                next_queries: found.search_queries.unwrap_or_default(),
                question_assessments: found.question_assessments,
                should_continue: found.should_continue_research,
            })
        })
        .await?;
    state.queries = found.search_queries.clone().unwrap_or_default();
    state.progress.enough = !found.should_continue_research;
    state.evaluations.push(found);
    Ok(())
}

fn nothing() -> GapEvaluation {
    GapEvaluation {
        research_coverage: Coverage::Light,
        gap_description: String::new(),
        question_assessments: Vec::new(),
        should_continue_research: false,
        new_research_questions: None,
        search_queries: None,
    }
}

async fn evaluate(
    context: &ResearchContext<'_>,
    state: &ResearchState,
    iteration: u32,
) -> Result<GapEvaluation, RunError> {
    let mut found = match by_model(context, state, iteration).await? {
        Some(found) => found,
        None => by_rules(state),
    };
    let done: Vec<String> = state
        .executed
        .iter()
        .flatten()
        .map(|it| it.to_lowercase())
        .collect();
    let mut queries = found.search_queries.take().unwrap_or_default();
    queries.retain(|query| !done.contains(&query.to_lowercase()));
    // The last loop has nothing after it, and one without anything to search for neither.
    found.should_continue_research &=
        !queries.is_empty() && iteration < context.effort.iterations && context.spent().is_none();
    found.search_queries = Some(queries);
    Ok(found)
}

async fn by_model(
    context: &ResearchContext<'_>,
    state: &ResearchState,
    iteration: u32,
) -> Result<Option<GapEvaluation>, RunError> {
    if !context.has_model() || context.spent().is_some() {
        return Ok(None);
    }
    let (questions, queries) = (&state.plan.questions, context.effort.queries);
    let executed: Vec<String> = state.executed.iter().flatten().cloned().collect();
    let values = context! {
        question => state.question.clone(),
        questions => questions.clone(),
        executed => executed,
        findings => findings(state),
        queries => queries,
    };
    let question = ModelQuestion::new(
        Role::Planner,
        format!("evaluate {iteration}"),
        prompts::EVALUATE,
        values,
        forms::evaluation(questions.len().max(1), queries),
    )?;
    let Some(answer) = context.ask_optional(question).await? else {
        return Ok(None);
    };
    let told = answer
        .get("assessments")
        .and_then(Value::as_array)
        .cloned()
        .unwrap_or_default();
    let assess = |(at, question): (usize, &String)| {
        let own = told
            .iter()
            .find(|it| it["number"].as_u64() == Some(at as u64 + 1));
        let own = own.cloned().unwrap_or_default();
        QuestionAssessment {
            question: question.clone(),
            status: word(&own, "status").unwrap_or(AnswerStatus::Unanswered),
            findings: text(&own, "findings"),
        }
    };
    Ok(Some(GapEvaluation {
        research_coverage: word(&answer, "coverage").unwrap_or(Coverage::Light),
        gap_description: text(&answer, "gaps"),
        question_assessments: questions.iter().enumerate().map(assess).collect(),
        should_continue_research: answer["should_continue"].as_bool().unwrap_or(false),
        new_research_questions: None,
        search_queries: Some(texts(&answer, "next_queries", queries)),
    }))
}

/// How much of the words of each question the pages hold together.
fn by_rules(state: &ResearchState) -> GapEvaluation {
    let passages: Vec<String> = state
        .sources
        .iter()
        .flat_map(|source| super::super::text::passages(&source.text))
        .collect();
    let bm25 = Bm25::new(passages.iter().map(String::as_str));
    let assess = |question: &String| {
        let places = best(&bm25.scores(question));
        let near: Vec<usize> = places.into_iter().take(3).collect();
        let share = bm25.coverage(question, &near);
        let status = match share {
            it if it >= 0.8 => AnswerStatus::Answered,
            it if it >= 0.4 => AnswerStatus::Partial,
            _ => AnswerStatus::Unanswered,
        };
        QuestionAssessment {
            question: question.clone(),
            status,
            findings: format!(
                "the passages found hold {:.0} % of the question's words by weight",
                share * 100.0
            ),
        }
    };
    let assessments: Vec<QuestionAssessment> = state.plan.questions.iter().map(assess).collect();
    let open: Vec<String> = assessments
        .iter()
        .filter(|assessment| assessment.status != AnswerStatus::Answered)
        .map(|assessment| assessment.question.clone())
        .collect();
    let all = assessments.len().max(1);
    GapEvaluation {
        research_coverage: match all - open.len() {
            done if done == all => Coverage::Solid,
            0 => Coverage::Light,
            _ => Coverage::Moderate,
        },
        gap_description: open.join(" "),
        should_continue_research: !open.is_empty(),
        question_assessments: assessments,
        new_research_questions: None,
        search_queries: Some(open),
    }
}
