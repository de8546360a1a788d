//! Rows of automate runs.

use serde_json::{Map, Value};

use super::row::{RowState, TimelineRow, brief, facts, text};

/// What the recorder adds, and messages for people that say nothing more than the fields.
const STAMP: &[&str] = &["timestamp", "iterationId", "message"];

/// The turn before the first one.
const PLANNING: &str = "planning";
/// The part of a run in which the browser starts and opens the first page.
const OPENING: &str = "opening the page";

/// Fills the row; none when the event is of a kind that is not known here.
pub(super) fn describe(row: &mut TimelineRow, name: &str, body: &Map<String, Value>) -> Option<()> {
    let turn = text(body, "iterationId");
    row.lane = turn.replace('-', " ");
    row.group = match turn {
        "" => "run".into(),
        turn => turn.replace('-', " "),
    };
    let flag = |key: &str| body.get(key).and_then(Value::as_bool);
    match name {
        "task:setup" | "task:trace_context" | "task:metrics" | "task:metrics_incremental" => {
            row.head = words(name);
            row.text = facts(body, STAMP);
        }
        "task:started" => {
            row.head = "Plan".into();
            row.lane = OPENING.into();
            row.text = text(body, "plan").to_owned();
            row.link = Some(text(body, "url").to_owned());
        }
        "task:validated" => {
            let quality = text(body, "completionQuality");
            row.state = if matches!(quality, "complete" | "excellent") {
                RowState::Done
            } else {
                RowState::Failed
            };
            row.head = format!("Answer judged {quality}");
            row.text = text(body, "observation").to_owned();
            // Praise is no error.
            if row.state == RowState::Failed {
                row.error = text(body, "feedback").to_owned();
            }
        }
        "task:validation_error" => {
            row.state = RowState::Failed;
            row.head = "Answer not accepted".into();
            row.error = body.get("errors").map(brief).unwrap_or_default();
        }
        "task:aborted" => {
            row.state = RowState::Failed;
            row.head = "Given up".into();
            row.error = text(body, "reason").to_owned();
        }
        "task:completed" => {
            row.head = "Answer".into();
            row.state = if flag("success") == Some(false) {
                RowState::Failed
            } else {
                RowState::Done
            };
            row.text = text(body, "finalAnswer").to_owned();
        }
        "agent:processing" => {
            row.head = "Model asked".into();
            row.text = text(body, "operation").to_owned();
        }
        "agent:step" => {
            row.head = format!(
                "Turn {}",
                body.get("currentIteration").and_then(Value::as_u64)? + 1
            );
        }
        "agent:reasoned" => {
            row.head = "Reasoning".into();
            row.text = text(body, "reasoning").to_owned();
        }
        "agent:extracted" => {
            row.head = "Read from the page".into();
            row.text = text(body, "extractedData").to_owned();
        }
        "agent:status" => row.head = text(body, "message").to_owned(),
        "agent:waiting" => {
            row.head = "Waits".into();
            row.text = facts(body, STAMP);
        }
        "agent:action" | "browser:action_started" | "browser:action_completed" => action(row, name, body),
        "browser:navigated" => {
            row.head = text(body, "title").to_owned();
            if row.lane == PLANNING {
                row.lane = OPENING.into();
            }
            row.text = text(body, "url").to_owned();
            row.link = Some(text(body, "url").to_owned());
        }
        "interactive:form_data:request" | "interactive:form_data:error" => {
            row.state = RowState::Asks;
            row.head = text(body, "formDescription").to_owned();
            let labels = body
                .get("fields")
                .and_then(Value::as_array)?
                .iter()
                .filter_map(|it| it["label"].as_str());
            row.text = labels.collect::<Vec<_>>().join(", ");
            row.error = body.get("fieldErrors").map(brief).unwrap_or_default();
            row.link = Some(text(body, "pageUrl").to_owned());
        }
        "interactive:paused" => {
            row.head = "A person has the browser".into();
            row.link = Some(text(body, "pageUrl").to_owned());
        }
        "interactive:resumed" => {
            row.head = match text(body, "reason") {
                "time_over" => "The pause is over; the agent goes on".into(),
                _ => "The person handed the browser back".into(),
            };
            row.text = text(body, "note").to_owned();
            row.context = facts(body, &[STAMP, &["reason", "note"]].concat());
        }
        "ai:generation:error" => {
            row.state = RowState::Failed;
            row.head = "Model failed".into();
            row.error = facts(body, STAMP);
        }
        "browser:screenshot_captured_image" => {
            row.head = "Screenshot".into();
            row.context = "the picture is in the event itself".into();
        }
        "complete" => {
            row.state = if flag("success") == Some(true) {
                RowState::Done
            } else {
                RowState::Failed
            };
            row.head = "Run ends".into();
            row.text = text(body, "finalAnswer").to_owned();
            row.error = body
                .get("error")
                .and_then(|it| it["message"].as_str())
                .unwrap_or_default()
                .to_owned();
        }
        "done" => row.head = "Done".into(),
        "error" => {
            row.state = RowState::Failed;
            row.head = "Error".into();
            let told = |key: &str| {
                body.get("error")
                    .and_then(|it| it[key].as_str())
                    .unwrap_or_default()
            };
            row.error = format!("{}: {}", told("code"), told("message"));
        }
        "browser:screenshot_captured"
        | "browser:reconnected"
        | "cdp:endpoint_connected"
        | "cdp:endpoint_cycle"
        | "ai:generation"
        | "system:debug_compression"
        | "system:debug_message" => {
            row.head = words(name);
            row.text = facts(body, STAMP);
        }
        _ => return None,
    }
    Some(())
}

/// An action: decided, begun on the tab, ended there; one row.
fn action(row: &mut TimelineRow, name: &str, body: &Map<String, Value>) {
    let done = text(body, "action");
    row.key = format!("{}:{done}", row.lane);
    row.action = "action".into();
    row.head = done.to_owned();
    row.tool = Some(done.to_owned()).filter(|it| !it.is_empty());
    row.open = name != "browser:action_completed";
    row.state = match name {
        "agent:action" => RowState::Note,
        "browser:action_started" => RowState::Running,
        _ => match body.get("success").and_then(Value::as_bool) {
            Some(false) => RowState::Failed,
            _ => RowState::Done,
        },
    };
    row.error = text(body, "error").to_owned();
    row.picture = body.contains_key("picture");
    if row.open {
        row.text = facts(body, &[STAMP, &["action", "picture"]].concat());
    }
}

/// The name of an event as words.
fn words(name: &str) -> String {
    let plain = name.replace([':', '_'], " ");
    let mut letters = plain.chars();
    letters
        .next()
        .map(|first| first.to_uppercase().chain(letters).collect())
        .unwrap_or_default()
}
