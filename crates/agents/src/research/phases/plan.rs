//! The planning phase: questions and search queries.

use llm::Role;
use minijinja::context;
use wire::research::{Activity, PlanningEnd, PlanningStart, QueryComplexity, ResearchEvent};

use super::{text, texts, word};
use crate::research::bm25::excerpt;
use crate::research::context::{ModelQuestion, ResearchContext};
use crate::research::prompts::{self, forms, quoted, shown};
use crate::research::state::{ResearchPlan, ResearchState};
use crate::research::text;
use crate::run_error::RunError;

/// Bytes of one named page that the planner sees.
const CONTEXT: usize = 1_200;
/// Most pages the planner sees.
const PAGES: usize = 4;

pub(crate) async fn run(context: &ResearchContext<'_>, state: &mut ResearchState) -> Result<(), RunError> {
    let start = ResearchEvent::PlanningStart(PlanningStart {
        message: "Planning the research".into(),
        has_prefetched_context: state.progress.sources,
    });
    let plan = context.phase(Activity::Planning, start, make(context, state), |plan| {
        let plan = plan.cloned().unwrap_or_default();
        ResearchEvent::PlanningEnd(PlanningEnd {
            message: format!("{} question(s) to answer", plan.questions.len()),
            complexity: plan.complexity,
            objective: plan.objective,
            plan: plan.plan,
            queries: plan.queries,
            questions: plan.questions,
        })
    });
    let plan = plan.await?;
    state.queries = plan.queries.clone();
    state.plan = plan;
    state.progress.planned = true;
    Ok(())
}

async fn make(context: &ResearchContext<'_>, state: &ResearchState) -> Result<ResearchPlan, RunError> {
    let effort = &context.effort;
    if !context.has_model() {
        return Ok(by_rules(&state.question, effort.queries));
    }
    let questions = effort.queries + 1;
    let pages = state.sources.iter().take(PAGES).map(|source| {
        let text = excerpt(&source.text, &state.question, CONTEXT);
        format!("\"{}\":\n{}", shown(&source.title), quoted(&text, CONTEXT))
    });
    let known = pages.collect::<Vec<_>>().join("\n");
    let values = context! { question => state.question.clone(), context => known, questions => questions, queries => effort.queries };
    let question = ModelQuestion::new(
        Role::Planner,
        "plan",
        prompts::PLAN,
        values,
        forms::plan(questions, effort.queries),
    )?;
    let plan = context.ask_optional(question).await?.map(|answer| ResearchPlan {
        complexity: word(&answer, "complexity").unwrap_or(QueryComplexity::Moderate),
        objective: text(&answer, "objective"),
        plan: text(&answer, "plan"),
        questions: texts(&answer, "questions", questions),
        queries: texts(&answer, "queries", effort.queries),
    });
    let fallback = by_rules(&state.question, effort.queries);
    let mut plan = plan.unwrap_or_else(|| fallback.clone());
    plan.queries = with_own_query(plan.queries, fallback.queries, effort.queries);
    if plan.questions.is_empty() {
        plan.questions = fallback.questions;
    }
    Ok(plan)
}

/// The question itself before the queries of a model: a weak model's queries may have nothing to do with the question.
fn with_own_query(made: Vec<String>, mut own: Vec<String>, most: usize) -> Vec<String> {
    if !made.is_empty() {
        own.truncate(1);
    }
    let is_new = |query: &String| !own.iter().any(|own| own.eq_ignore_ascii_case(query));
    let made: Vec<String> = made.into_iter().filter(is_new).collect();
    own.extend(made);
    own.truncate(most.max(1));
    own
}

/// A plan made from the question alone.
fn by_rules(question: &str, most: usize) -> ResearchPlan {
    let mut queries = vec![question.chars().take(300).collect::<String>()];
    let keywords: Vec<String> = text::words(question)
        .into_iter()
        .filter(|word| !text::is_stop(word))
        .collect();
    let keywords = keywords.into_iter().take(16).collect::<Vec<_>>().join(" ");
    if !keywords.is_empty() && !keywords.eq_ignore_ascii_case(question.trim_end_matches('?')) {
        queries.push(keywords);
    }
    // Questions that stand side by side are searched for one by one.
    let parts: Vec<&str> = question
        .split_inclusive('?')
        .map(str::trim)
        .filter(|it| it.len() > 12)
        .collect();
    if parts.len() > 1 {
        queries.extend(parts.iter().map(|part| (*part).to_owned()));
    }
    queries.truncate(most.max(1));
    let questions = if parts.len() > 1 {
        parts.iter().map(|part| (*part).to_owned()).take(6).collect()
    } else {
        vec![question.to_owned()]
    };
    ResearchPlan {
        complexity: if parts.len() > 1 { QueryComplexity::Moderate } else { QueryComplexity::Simple },
        objective: format!("Answer from the sources: {}", question.chars().take(300).collect::<String>()),
        plan: "Search for the question and its keywords, rank the passages of the pages found, and quote those that speak most of it.".into(),
        questions,
        queries,
    }
}

#[cfg(test)]
mod tests {
    use super::with_own_query;

    #[test]
    fn the_question_is_searched_for_beside_the_queries_of_a_model() {
        let texts = |all: &[&str]| all.iter().map(|it| (*it).to_owned()).collect::<Vec<String>>();
        let own = texts(&["How tall is the Quern mill?", "tall Quern mill"]);
        let made = texts(&["SELECT height FROM mills", "how tall is the quern mill?", "Quern"]);
        assert_eq!(
            with_own_query(made, own.clone(), 3),
            ["How tall is the Quern mill?", "SELECT height FROM mills", "Quern"]
        );
        assert_eq!(with_own_query(Vec::new(), own.clone(), 3), own);
    }
}
