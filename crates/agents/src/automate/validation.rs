//! Validation of answers by what the pages showed, not by the answer's own words.

use std::collections::{HashSet, VecDeque};

use llm::message::Message;
use llm::model::ModelRequest;
use llm::structured::StructuredRequest;
use llm::{JsonSchema, RoleModel};
use page::quote::Quoted;
use serde::Deserialize;
use serde_json::{Value, json};
use wire::Code;
use wire::automate::CompletionQuality;

use super::event_emitter::EventEmitter;
use super::model_calls::{self, ModelCallError};
use super::prompt;
use crate::cancel::Cancelled;
use crate::run_error::RunError;

/// Most bytes of pages that a judge is shown.
const SHOWN: usize = 12_000;
/// Pages kept as evidence.
const PAGES: usize = 6;
/// Numbers remembered of all pages.
const NUMBERS: usize = 200_000;

/// What was seen in a run, for its judge.
#[derive(Debug, Default)]
pub(super) struct Evidence {
    /// Read out by the agent, newest last.
    read: VecDeque<String>,
    /// Address and content of the newest pages, newest last.
    pages: VecDeque<(String, String)>,
    /// Every number any page has shown.
    numbers: HashSet<String>,
}

impl Evidence {
    /// A page was seen.
    pub(super) fn see(&mut self, address: &str, text: &str) {
        if self.numbers.len() < NUMBERS {
            self.numbers.extend(numbers(text));
        }
        self.pages.retain(|(known, _)| known != address);
        self.pages.push_back((address.to_owned(), text.to_owned()));
        if self.pages.len() > PAGES {
            self.pages.pop_front();
        }
    }

    /// Something was read out of a page.
    pub(super) fn read(&mut self, text: &str) {
        self.numbers.extend(numbers(text));
        self.read.push_back(text.to_owned());
        if self.read.len() > PAGES {
            self.read.pop_front();
        }
    }

    /// Numbers of an answer that neither the task nor any page has shown.
    fn unseen(&self, answer: &str, task: &str) -> Vec<String> {
        let known: HashSet<String> = numbers(task).collect();
        let mut unseen: Vec<String> = numbers(answer)
            .filter(|it| it.len() > 1 && !self.numbers.contains(it) && !known.contains(it))
            .collect();
        unseen.dedup();
        unseen.truncate(20);
        unseen
    }

    /// The newest page first and longest, then what was read out, then the earlier pages without what they begin and
    /// end with as the newest one does, such as menus.
    fn text(&self) -> String {
        let mut parts = Vec::new();
        let mut pages = self.pages.iter().rev();
        let newest = pages.next();
        let frame = newest.map_or("", |(_, text)| text.as_str());
        if let Some((address, text)) = newest {
            parts.push(format!(
                "The page at the end, {address}:\n{}",
                head(text, SHOWN / 2)
            ));
        }
        parts.extend(
            self.read
                .iter()
                .map(|it| format!("Read by the agent:\n{}", head(it, SHOWN / 4))),
        );
        parts.extend(pages.map(|(address, text)| {
            format!(
                "An earlier page, {address}, where it differs:\n{}",
                head(&own(text, frame), SHOWN / 12)
            )
        }));
        parts.join("\n\n")
    }
}

/// The lines of a text without those at its beginning and at its end that another text begins and ends with too.
fn own(text: &str, frame: &str) -> String {
    let same = |(a, b): &(&str, &str)| a == b;
    let top = text.lines().zip(frame.lines()).take_while(same).count();
    let lines: Vec<&str> = text.lines().skip(top).collect();
    let rest: Vec<&str> = frame.lines().skip(top).collect();
    let both = lines.iter().rev().copied().zip(rest.iter().rev().copied());
    let below = both.take_while(same).count();
    let kept = lines.get(..lines.len() - below).unwrap_or_default();
    kept.join("\n")
}

fn head(text: &str, most: usize) -> &str {
    text.get(..text.floor_char_boundary(most)).unwrap_or(text)
}

/// The numbers of a text, each in one spelling: digits with their separators between them.
fn numbers(text: &str) -> impl Iterator<Item = String> + '_ {
    let part = |c: char| c.is_ascii_digit() || matches!(c, '.' | ',');
    text.split(move |c: char| !part(c))
        .map(|it| it.trim_matches(['.', ',']).replace(',', "."))
        .filter(|it| it.chars().any(|c| c.is_ascii_digit()))
}

/// A verdict as the model gives it.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Judgement {
    /// What the judge found.
    pub(super) task_assessment: String,
    /// How good the answer is.
    pub(super) completion_quality: CompletionQuality,
    /// What is missing.
    #[serde(default)]
    pub(super) feedback: Option<String>,
}

/// What is to be judged.
pub(super) struct Case<'a> {
    pub(super) task: &'a str,
    pub(super) criteria: &'a str,
    pub(super) guardrails: &'a str,
    pub(super) answer: &'a str,
    pub(super) history_lines: &'a [String],
    pub(super) evidence: &'a Evidence,
    /// A word that no page knows.
    pub(super) mark: &'a str,
}

fn schema() -> Value {
    json!({
        "type": "object",
        "properties": {
            "taskAssessment": {"type": "string"},
            "completionQuality": {"type": "string", "enum": ["failed", "partial", "complete", "excellent"]},
            "feedback": {"type": "string"},
        },
        "required": ["taskAssessment", "completionQuality"],
    })
}

/// Why an answer has no verdict.
#[derive(Debug)]
pub(super) struct NoVerdict {
    pub(super) error: RunError,
    /// What the judge wrote instead, where it wrote anything.
    pub(super) raw: Value,
}

impl From<Cancelled> for NoVerdict {
    fn from(stopped: Cancelled) -> Self {
        Self {
            error: stopped.into(),
            raw: Value::Null,
        }
    }
}

impl NoVerdict {
    fn internal(error: impl std::fmt::Display) -> Self {
        Self {
            error: RunError::fatal(Code::Internal, error.to_string()),
            raw: Value::Null,
        }
    }
}

/// Has an answer judged. The verdict comes with the judge's words as they came.
///
/// # Errors
/// When the run is over, or no verdict came about.
pub(super) async fn judge(
    emitter: &EventEmitter<'_>,
    model: &RoleModel,
    case: &Case<'_>,
) -> Result<(Judgement, Value), NoVerdict> {
    let history_lines = case
        .history_lines
        .get(case.history_lines.len().saturating_sub(60)..)
        .unwrap_or_default();
    let with = json!({
        "task": case.task,
        "criteria": case.criteria,
        "guardrails": case.guardrails,
        "answer": Quoted::new(&format!("{}a", case.mark), case.answer, 20_000).as_str(),
        "deeds": Quoted::new(&format!("{}d", case.mark), &history_lines.join("\n"), 8_000).as_str(),
        "seen": Quoted::new(&format!("{}s", case.mark), &case.evidence.text(), 2 * SHOWN).as_str(),
        "unseen": case.evidence.unseen(case.answer, case.task),
    });
    let text = prompt::render("validate", &with).map_err(NoVerdict::internal)?;
    let schema = JsonSchema::new(schema()).map_err(NoVerdict::internal)?;
    let request = ModelRequest {
        max_tokens: Some(1000),
        ..ModelRequest::new(vec![Message::user(text)])
    };
    let wanted = StructuredRequest::new("validate_task", schema);
    match model_calls::structured(emitter, model, &request, &wanted).await {
        Ok(answer) => {
            let judgement = serde_json::from_value::<Judgement>(answer.value.clone());
            Ok((judgement.map_err(NoVerdict::internal)?, answer.value))
        }
        Err(ModelCallError::Cancelled(stopped)) => Err(stopped.into()),
        Err(ModelCallError::Failed(error)) => {
            let raw = match &error {
                llm::Error::SchemaMismatch { best: Some(best), .. } => best.clone(),
                _ => Value::String(String::new()),
            };
            let error = RunError::from(error);
            Err(NoVerdict { error, raw })
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_that_no_page_showed_are_named() {
        let mut evidence = Evidence::default();
        evidence.see(
            "https://a.example/",
            "Kettle K1, 12,50 EUR, rated 4.5 of 5, item 1024",
        );
        evidence.read("stock: 17");
        let unseen = |answer: &str| evidence.unseen(answer, "find 3 kettles under 99");
        assert_eq!(
            unseen("12.50 EUR, 4.5 stars, 17 left, under 99."),
            Vec::<String>::new()
        );
        assert_eq!(unseen("12.49 EUR or 2024"), ["12.49", "2024"]);
    }

    #[test]
    fn earlier_pages_are_shown_without_the_menus_of_the_newest() {
        let mut evidence = Evidence::default();
        let page = |own: &str| format!("banner\n link \"Home\"\nmain\n{own} contentinfo\n");
        evidence.see("https://a.example/1", &page(" \"12 EUR\"\n \"in stock\"\n"));
        evidence.see("https://a.example/2", &page(" \"sent\"\n \"in stock\"\n"));
        let expect = "The page at the end, https://a.example/2:\nbanner\n link \"Home\"\nmain\n \"sent\"\n \"in stock\"\n contentinfo\n\n\n\
                      An earlier page, https://a.example/1, where it differs:\n \"12 EUR\"";
        assert_eq!(evidence.text(), expect);
        evidence.see("https://a.example/3", &page(" \"sent\"\n \"in stock\"\n"));
        assert!(
            evidence
                .text()
                .contains("https://a.example/2, where it differs:\n\n")
        );
    }

    #[test]
    fn the_newest_page_is_shown_first() {
        let mut evidence = Evidence::default();
        for page in 0..9 {
            evidence.see(&format!("https://a.example/{page}"), &format!("page {page}"));
        }
        let text = evidence.text();
        assert!(
            text.starts_with("The page at the end, https://a.example/8:\npage 8"),
            "{text}"
        );
        assert!(!text.contains("page 2") && text.contains("page 3"));
    }
}
