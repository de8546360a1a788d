//! Rows of scrape runs and of plans.

use serde_json::{Map, Value};

use super::row::{RowState, TimelineRow, brief, facts, indented, millis, object, text};

/// Fills the row; none when the event is of a kind that is not known here.
pub(super) fn describe(row: &mut TimelineRow, name: &str, body: &Map<String, Value>) -> Option<()> {
    match name {
        "init" => row.head = "Run begins".into(),
        "url_start" => {
            let number = |name: &str| body.get(name).and_then(Value::as_u64).unwrap_or_default();
            row.action = "page".into();
            row.head = format!("Page {} of {}", number("index") + 1, number("total"));
            on_page(row, text(body, "url"));
            row.text.push_str(text(body, "url"));
        }
        "url_complete" => {
            row.action = "page".into();
            row.state = state(text(body, "status"));
            row.head = "Page done".into();
            row.text = facts(body, &["type", "url", "index", "status", "error"]);
            on_page(row, text(body, "url"));
            row.error = object(body, "error").map(fault).unwrap_or_default();
        }
        "step" => step(row, object(body, "data")?)?,
        "error" => {
            let data = object(body, "data")?;
            row.state = RowState::Failed;
            row.head = "Error".into();
            row.error = fault(data);
            on_page(row, text(data, "url"));
        }
        "complete" => {
            let data = object(body, "data")?;
            row.head = "Run ends".into();
            row.action = "end".into();
            row.state = state(text(data, "status"));
            let kept = ["status", "urls_processed", "total_steps", "duration_seconds"];
            let shown = data.iter().filter(|(name, _)| kept.contains(&name.as_str()));
            row.text = facts(
                &shown.map(|(name, value)| (name.clone(), value.clone())).collect(),
                &[],
            );
            let first = data
                .get("errors")
                .and_then(|it| it.get(0))
                .and_then(Value::as_object);
            row.error = first.map(fault).unwrap_or_default();
            // The result has a page of its own.
            row.context = row.text.clone();
        }
        _ => return None,
    }
    Some(())
}

fn step(row: &mut TimelineRow, data: &Map<String, Value>) -> Option<()> {
    let empty = Map::new();
    let details = object(data, "extracted_data").unwrap_or(&empty);
    let action = text(data, "action");
    row.action = action.to_owned();
    row.state = state(text(data, "status"));
    row.open = row.state == RowState::Running;
    row.took_ms = millis(data, "duration_ms").or_else(|| millis(details, "duration_ms"));
    row.context = indented(&Value::Object(details.clone()));
    on_page(row, text(data, "url"));
    let pair = match text(data, "call_id") {
        "" => format!("{action}:{}", text(data, "url")),
        call => call.to_owned(),
    };
    if matches!(action, "tool_call" | "navigator" | "extract") {
        row.key = pair;
    }
    match action {
        "tool_call" => call(row, details),
        "agent_decision" => {
            let calls = details.get("tool_calls").and_then(Value::as_array)?;
            let tools: Vec<&str> = calls.iter().filter_map(|it| it["tool"].as_str()).collect();
            row.head = format!("{} tools chosen", tools.len());
            row.text = tools.join(" → ");
        }
        "navigator" => {
            row.head = match text(details, "title") {
                "" => "Open the page".into(),
                title => title.to_owned(),
            };
            row.text = facts(details, &["title", "final_url"]);
            row.link = Some(text(details, "final_url"))
                .filter(|it| !it.is_empty())
                .map(Into::into)
                .or(row.link.take());
        }
        "planner" => {
            row.head = "Pages to read".into();
            row.text = facts(details, &[]);
        }
        "extract" => {
            row.head = "Read the page".into();
            row.text = facts(details, &[]);
        }
        "recover" => {
            row.head = "Try another way".into();
            row.text = text(details, "attempt").to_owned();
            row.error = text(details, "reason").to_owned();
        }
        "verifier" => {
            row.head = match details.get("passed").and_then(Value::as_bool) {
                Some(true) => "Good enough",
                Some(false) => "Not good enough",
                None => "Judge the result",
            }
            .into();
            row.error = details
                .get("issues")
                .filter(|it| it.as_array().is_some_and(|it| !it.is_empty()))
                .map(brief)
                .unwrap_or_default();
        }
        "output" => {
            row.head = "Write the result".into();
            row.text = facts(details, &[]);
        }
        "complete" => {
            row.action = "page".into();
            row.head = "Page read".into();
            row.text = facts(details, &["result"]);
            row.context = row.text.clone();
        }
        "plugins" => {
            row.head = "Plugins".into();
            row.text = facts(details, &[]);
        }
        _ => return None,
    }
    Some(())
}

/// A call, in either of its two forms.
fn call(row: &mut TimelineRow, details: &Map<String, Value>) {
    let name = ["tool_name", "tool"]
        .into_iter()
        .map(|key| text(details, key))
        .find(|it| !it.is_empty());
    row.head = name.unwrap_or("tool_call").to_owned();
    row.tool = Some(row.head.clone());
    row.error = text(details, "error").to_owned();
    if details.get("success").and_then(Value::as_bool) == Some(false) {
        row.state = RowState::Failed;
    }
    let result = ["result_preview", "result"]
        .into_iter()
        .find_map(|key| details.get(key));
    let asked = ["parameters", "params"]
        .into_iter()
        .find_map(|key| details.get(key));
    row.text = match (result, asked) {
        (Some(result), _) => brief(result),
        (None, Some(Value::Object(asked))) => facts(asked, &[]),
        _ => String::new(),
    };
}

fn on_page(row: &mut TimelineRow, url: &str) {
    row.lane = url.to_owned();
    row.link = Some(url).filter(|it| !it.is_empty()).map(Into::into);
}

fn fault(error: &Map<String, Value>) -> String {
    match (text(error, "code"), text(error, "message")) {
        ("", message) => message.to_owned(),
        (code, message) => format!("{code}: {message}"),
    }
}

fn state(status: &str) -> RowState {
    match status {
        "running" => RowState::Running,
        "completed" | "complete" | "partial" => RowState::Done,
        "failed" => RowState::Failed,
        "skipped" | "cancelled" => RowState::Skipped,
        _ => RowState::Note,
    }
}
