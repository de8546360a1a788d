//! What has to be found out, and with which queries?

use llm::Role;
use minijinja::context;
use wire::research::{Activity, PlanningEnd, PlanningStart, QueryComplexity, ResearchEvent};

use super::{ours, text, texts, word};
use crate::research::desk::{Ask, Desk, Halt};
use crate::research::notebook::{Notebook, Plan};
use crate::research::prompts::{self, forms, quoted, shown};
use crate::research::rank::excerpt;
use crate::research::words;

/// Bytes of one named page that the planner sees.
const CONTEXT: usize = 1_200;
/// Most pages the planner sees.
const PAGES: usize = 4;

pub(crate) async fn run(desk: &Desk<'_>, book: &mut Notebook) -> Result<(), Halt> {
    let start = ResearchEvent::PlanningStart(PlanningStart {
        message: "Planning the research".into(),
        has_prefetched_context: book.progress.sources,
    });
    let plan = desk.phase(Activity::Planning, start, make(desk, book), |plan| {
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
    book.queries = plan.queries.clone();
    book.plan = plan;
    book.progress.planned = true;
    Ok(())
}

async fn make(desk: &Desk<'_>, book: &Notebook) -> Result<Plan, Halt> {
    let effort = &desk.effort;
    if !desk.has_model() {
        return Ok(by_rules(&book.question, effort.queries));
    }
    let questions = effort.queries + 1;
    let pages = book.sources.iter().take(PAGES).map(|source| {
        let text = excerpt(&source.text, &book.question, CONTEXT);
        format!("\"{}\":\n{}", shown(&source.title), quoted(&text, CONTEXT))
    });
    let context = pages.collect::<Vec<_>>().join("\n");
    let values = context! { question => book.question.clone(), context => context, questions => questions, queries => effort.queries };
    let ask = Ask {
        role: Role::Planner,
        key: "plan".into(),
        system: prompts::SYSTEM.into(),
        text: prompts::render(prompts::PLAN, values).map_err(ours)?,
        wanted: forms::plan(questions, effort.queries).map_err(ours)?,
    };
    let plan = desk.ask(ask).await?.map(|answer| Plan {
        complexity: word(&answer, "complexity").unwrap_or(QueryComplexity::Moderate),
        objective: text(&answer, "objective"),
        plan: text(&answer, "plan"),
        questions: texts(&answer, "questions", questions),
        queries: texts(&answer, "queries", effort.queries),
    });
    let fallback = by_rules(&book.question, effort.queries);
    let mut plan = plan.unwrap_or_else(|_| fallback.clone());
    if plan.queries.is_empty() {
        plan.queries = fallback.queries;
    }
    if plan.questions.is_empty() {
        plan.questions = fallback.questions;
    }
    Ok(plan)
}

/// A plan made from the question alone.
fn by_rules(question: &str, most: usize) -> Plan {
    let mut queries = vec![question.chars().take(300).collect::<String>()];
    let keywords: Vec<String> = words::words(question)
        .into_iter()
        .filter(|word| !words::is_stop(word))
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
    Plan {
        complexity: if parts.len() > 1 { QueryComplexity::Moderate } else { QueryComplexity::Simple },
        objective: format!("Answer from the sources: {}", question.chars().take(300).collect::<String>()),
        plan: "Search for the question and its keywords, rank the passages of the pages found, and quote those that speak most of it.".into(),
        questions,
        queries,
    }
}
