//! Rows of research runs.

use serde_json::{Map, Value};

use super::row::{RowState, TimelineRow, facts, text};

/// The phases, with what each is called here.
const PHASES: &[(&str, &str)] = &[
    ("prefetching", "Read the pages named"),
    ("planning", "Plan"),
    ("iteration", "Loop"),
    ("searching", "Search"),
    ("analyzing", "Read pages"),
    ("following", "Follow links"),
    ("evaluating", "Find what is missing"),
    ("outlining", "Outline"),
    ("writing", "Write"),
    ("judging", "Judge"),
];

/// Fills the row; none when the event is of a kind that is not known here.
pub(super) fn describe(row: &mut TimelineRow, name: &str, body: &Map<String, Value>) -> Option<()> {
    match name {
        "start" => row.head = "Run begins".into(),
        "complete" => {
            row.action = "end".into();
            row.state = RowState::Done;
            row.head = "Report".into();
            row.text = text(body, "report").to_owned();
            // The report has a page of its own.
            row.context = row.text.clone();
        }
        "error" => {
            row.state = RowState::Failed;
            row.head = "Error".into();
            let told = |key: &str| {
                body.get("error")
                    .and_then(|it| it[key].as_str())
                    .unwrap_or_default()
            };
            row.error = format!("{}: {}", told("name"), told("message"));
            row.lane = text(body, "activity").to_owned();
        }
        _ => phase(row, name, body)?,
    }
    Some(())
}

fn phase(row: &mut TimelineRow, name: &str, body: &Map<String, Value>) -> Option<()> {
    let (phase, end) = name.split_once(':')?;
    let (_, title) = PHASES.iter().find(|(known, _)| *known == phase)?;
    let number = ["iteration", "attempt"]
        .iter()
        .find_map(|key| body.get(*key))
        .and_then(Value::as_u64);
    row.action = phase.to_owned();
    row.lane = number.map_or_else(|| phase.to_owned(), |number| format!("{phase} {number}"));
    row.head = number.map_or_else(|| (*title).to_owned(), |number| format!("{title} {number}"));
    row.key = format!("phase:{}", row.lane);
    row.text = facts(
        body,
        &[
            "message",
            "timestamp",
            "iteration",
            "attempt",
            "samples",
            "questionAssessments",
        ],
    );
    match end {
        // A loop holds other phases; its begin and its end are rows of their own.
        "start" if phase == "iteration" => row.key = format!("e{}", row.seq),
        "end" if phase == "iteration" => {
            row.key = format!("e{}", row.seq);
            row.state = RowState::Done;
            row.head.push_str(" ends");
        }
        "start" => (row.state, row.open) = (RowState::Running, true),
        "end" => {
            let refused = body.get("approved").and_then(Value::as_bool) == Some(false);
            row.state = if refused { RowState::Failed } else { RowState::Done };
            row.error = text(body, "feedback").to_owned();
        }
        _ => return None,
    }
    Some(())
}
