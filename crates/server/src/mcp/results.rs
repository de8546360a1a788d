//! Results of runs as answers: text for reports and tasks, JSON for data.

use serde_json::{Value, json};
use wire::run::{RunDetail, RunKind, RunStatus};

use super::answer::{Answer, PartRequest};
use super::resources;
use super::runs::is_success;

/// The answer that a run which has ended gives.
pub(super) fn answer(detail: &RunDetail, part: Option<usize>) -> Answer {
    let id = &detail.summary.id;
    let call = format!("run_wait with run_id {id}");
    let wanted = PartRequest::of(part, &call);
    let result = detail.result.as_ref();
    let text = |key: &str| result.and_then(|it| it[key].as_str()).unwrap_or_default();
    match detail.summary.kind {
        RunKind::Scrape | RunKind::Plan | RunKind::Crawl | RunKind::Batch => data(detail, &wanted),
        RunKind::Research if is_success(detail.summary.status) => {
            Answer::quoted(&format!("Report of {id}:"), text("report"), &wanted)
        }
        RunKind::Automate if is_success(detail.summary.status) => match text("finalAnswer") {
            "" => Answer::text(format!("{id} is done; the task has no answer in words.")),
            answer => Answer::quoted(&format!("{id} is done. Its answer:"), answer, &wanted),
        },
        RunKind::Research | RunKind::Automate => failure(detail, &wanted),
    }
}

fn failure(detail: &RunDetail, wanted: &PartRequest) -> Answer {
    let id = &detail.summary.id;
    if detail.summary.status == RunStatus::Cancelled {
        return Answer::failure(format!("{id} was cancelled. Make the call again to begin anew."));
    }
    match &detail.error {
        Some(error) => {
            let head = format!("{id} failed ({}). What it says:", error.code);
            Answer::quoted(&head, &error.message, wanted).failed(true)
        }
        None => Answer::failure(format!("{id} failed and says no reason")),
    }
}

/// The data of a scrape or a plan, with what failed.
fn data(detail: &RunDetail, wanted: &PartRequest) -> Answer {
    let (id, status) = (&detail.summary.id, detail.summary.status);
    let Some(result) = &detail.result else {
        return failure(detail, wanted);
    };
    let mut value = json!({
        "run_id": id,
        "status": result.get("status").cloned().unwrap_or_else(|| json!(status)),
        "data": result["extracted_data"],
    });
    // Where rows or columns were asked for, the written output is what was asked for; else it repeats the data.
    let output = result["output"]
        .as_str()
        .and_then(|text| serde_json::from_str::<Value>(text).ok());
    let pages: Vec<&Value> = result["extracted_data"]
        .as_object()
        .into_iter()
        .flat_map(|it| it.values())
        .collect();
    let repeats = |output: &Value| {
        let list = output.as_array().map(Vec::as_slice).unwrap_or_default();
        output.is_null() || list.iter().all(|item| pages.contains(&item)) && output.is_array()
    };
    if let Some(output) = output.filter(|output| !repeats(output)) {
        value["output"] = output;
    }
    let pictures = resources::pictures(id, result);
    if !pictures.is_empty() {
        value["pictures"] = json!(pictures);
    }
    if let Some(errors) = result["errors"].as_array().filter(|errors| !errors.is_empty()) {
        value["errors"] = json!(errors);
    }
    Answer::data(value, wanted).failed(!is_success(status))
}
