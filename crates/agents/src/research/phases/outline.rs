//! What goes into the report, and from which sources?

use llm::Role;
use minijinja::context;
use serde_json::Value;
use wire::research::{Activity, Outline, OutliningEnd, OutliningStart, Rating, ResearchEvent};

use super::{findings, number, ours, text, texts};
use crate::research::desk::{Ask, Desk, Halt};
use crate::research::notebook::Notebook;
use crate::research::prompts::{self, forms};

/// Most sections of a report.
const SECTIONS: usize = 8;

pub(crate) async fn run(desk: &Desk<'_>, book: &mut Notebook) -> Result<(), Halt> {
    let good = |rating: Option<Rating>| rating.is_some_and(|rating| rating >= Rating::Medium);
    let quality = book
        .sources
        .iter()
        .filter(|source| good(source.reading.as_ref().map(|reading| reading.relevance)))
        .count();
    let start = ResearchEvent::OutliningStart(OutliningStart {
        message: "Outlining the report".into(),
        pages_analyzed: number(book.sources.len()),
        quality_page_count: number(quality),
    });
    let outline = desk.phase(Activity::Outlining, start, make(desk, book), |outline| {
        let count = outline.map_or(0, |outline| outline.relevant_source_ids.len());
        ResearchEvent::OutliningEnd(OutliningEnd {
            message: format!("{count} source(s) chosen"),
            sources_selected: number(count),
        })
    });
    let outline = outline.await?;
    book.outline = Some(outline);
    book.progress.outlined = true;
    Ok(())
}

async fn make(desk: &Desk<'_>, book: &Notebook) -> Result<Outline, Halt> {
    let all: Vec<String> = book.worth().iter().map(|it| it.id.to_string()).collect();
    let plain = Outline {
        direct_answer: String::new(),
        key_takeaways: Vec::new(),
        outline: book.plan.questions.iter().map(|question| format!("# {question}\n")).collect(),
        relevant_source_ids: all.clone(),
    };
    if !desk.has_model() || desk.spent().is_some() {
        return Ok(plain);
    }
    let values = context! { question => book.question.clone(), questions => book.plan.questions.clone(), findings => findings(book), sections => SECTIONS };
    let ask = Ask {
        role: Role::Planner,
        key: "outline".into(),
        system: prompts::SYSTEM.into(),
        text: prompts::render(prompts::OUTLINE, values).map_err(ours)?,
        wanted: forms::outline(SECTIONS, book.sources.len()).map_err(ours)?,
    };
    let Ok(answer) = desk.ask(ask).await? else {
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
    Ok(Outline {
        direct_answer: text(&answer, "direct_answer"),
        key_takeaways: texts(&answer, "key_takeaways", 5),
        outline: texts(&answer, "headings", SECTIONS)
            .iter()
            .map(|text| format!("# {text}\n"))
            .collect(),
        relevant_source_ids: if ids.is_empty() { all } else { ids },
    })
}
