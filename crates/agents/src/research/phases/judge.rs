//! May the report go out as it is?

use llm::Role;
use minijinja::context;
use wire::num::Num;
use wire::research::{Activity, JudgingEnd, JudgingStart, Judgment, ResearchEvent};

use super::{findings, ours, text};
use crate::research::desk::{Ask, Desk, Halt};
use crate::research::notebook::Notebook;
use crate::research::prompts::{self, forms, quoted};
use crate::research::report;

/// From this score on a report goes out.
const GOOD: f64 = 7.0;

pub(crate) async fn run(desk: &Desk<'_>, book: &mut Notebook, attempt: u32) -> Result<(), Halt> {
    let start = ResearchEvent::JudgingStart(JudgingStart {
        message: "Judging the report".into(),
        attempt,
        max_attempts: desk.effort.drafts,
    });
    let judgment = desk.phase(Activity::Judging, start, judge(desk, book, attempt), |judgment| {
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
    });
    let judgment = judgment.await?;
    book.progress.judged = attempt;
    book.progress.approved = judgment.approved;
    book.judgments.push(judgment);
    Ok(())
}

async fn judge(desk: &Desk<'_>, book: &Notebook, attempt: u32) -> Result<Judgment, Halt> {
    // A report that nobody can judge goes out, and says that nobody did.
    let unjudged = |why: &str| Judgment {
        approved: true,
        observation: format!("not judged: {why}"),
        score: Num::default(),
        feedback: None,
    };
    if !desk.has_model() {
        return Ok(unjudged("no model is configured"));
    }
    let draft = book.draft.clone().unwrap_or_default();
    let text_of_report = report::markdown(&draft, book);
    let values = context! {
        question => book.question.clone(),
        questions => book.plan.questions.clone(),
        findings => findings(book),
        report => quoted(&text_of_report, 30_000).to_string(),
    };
    let ask = Ask {
        role: Role::Judge,
        key: format!("judge {attempt}"),
        system: prompts::SYSTEM.into(),
        text: prompts::render(prompts::JUDGE, values).map_err(ours)?,
        wanted: forms::judgment().map_err(ours)?,
    };
    let answer = match desk.ask(ask).await? {
        Ok(answer) => answer,
        Err(why) => return Ok(unjudged(&why.0)),
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
