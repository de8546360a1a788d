//! The outlining phase: headings, takeaways and the sources to use.

use llm::Role;
use minijinja::context;
use serde_json::Value;
use wire::research::{Activity, OutliningEnd, OutliningStart, Rating, ReportOutline, ResearchEvent};

use super::{findings, number, text, texts};
use crate::research::context::{ModelQuestion, ResearchContext};
use crate::research::prompts::{self, forms};
use crate::research::state::ResearchState;
use crate::run_error::RunError;

/// Most sections of a report.
const SECTIONS: usize = 8;

pub(crate) async fn run(context: &ResearchContext<'_>, state: &mut ResearchState) -> Result<(), RunError> {
    let supporting = |rating: Option<Rating>| rating.is_some_and(|rating| rating >= Rating::Medium);
    let quality = state
        .sources
        .iter()
        .filter(|source| supporting(source.reading.as_ref().map(|reading| reading.relevance)))
        .count();
    let start = ResearchEvent::OutliningStart(OutliningStart {
        message: "Outlining the report".into(),
        pages_analyzed: number(state.sources.len()),
        quality_page_count: number(quality),
    });
    let outline = context.phase(Activity::Outlining, start, make(context, state), |outline| {
        let count = outline.map_or(0, |outline| outline.relevant_source_ids.len());
        ResearchEvent::OutliningEnd(OutliningEnd {
            message: format!("{count} source(s) chosen"),
            sources_selected: number(count),
        })
    });
    let outline = outline.await?;
    state.outline = Some(outline);
    state.progress.outlined = true;
    Ok(())
}

async fn make(context: &ResearchContext<'_>, state: &ResearchState) -> Result<ReportOutline, RunError> {
    let all: Vec<String> = state
        .relevant_sources()
        .iter()
        .map(|relevant_source| relevant_source.id.to_string())
        .collect();
    let plain = ReportOutline {
        direct_answer: String::new(),
        key_takeaways: Vec::new(),
        outline: state
            .plan
            .questions
            .iter()
            .map(|question| format!("# {question}\n"))
            .collect(),
        relevant_source_ids: all.clone(),
    };
    if !context.has_model() || context.spent().is_some() {
        return Ok(plain);
    }
    let values = context! { question => state.question.clone(), questions => state.plan.questions.clone(), findings => findings(state), sections => SECTIONS };
    let question = ModelQuestion::new(
        Role::Planner,
        "outline",
        prompts::OUTLINE,
        values,
        forms::outline(SECTIONS, state.sources.len()),
    )?;
    let Some(answer) = context.ask_optional(question).await? else {
        return Ok(plain);
    };
    let chosen = answer
        .get("sources")
        .and_then(Value::as_array)
        .into_iter()
        .flatten();
    let mut ids: Vec<String> = chosen
        .filter_map(Value::as_u64)
        .map(|it| it.to_string())
        .filter(|it| all.contains(it))
        .collect();
    ids.dedup();
    Ok(ReportOutline {
        direct_answer: text(&answer, "direct_answer"),
        key_takeaways: texts(&answer, "key_takeaways", 5),
        outline: texts(&answer, "headings", SECTIONS)
            .iter()
            .map(|text| format!("# {text}\n"))
            .collect(),
        relevant_source_ids: if ids.is_empty() { all } else { ids },
    })
}
