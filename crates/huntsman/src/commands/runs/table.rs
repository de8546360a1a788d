//! The list of runs for people: what each was asked for, how long it took and what it cost.

use runtime::Service;
use serde_json::{Value, json};
use wire::run::{RunDetail, RunList, RunSummary};

use crate::failure::Failure;
use crate::output::{Output, one_line};

/// Most characters of what a run was asked for.
const LONGEST: usize = 80;

/// A line for each run: id, kind, status, begin, time, tokens, cost, and its addresses, task or question.
pub(super) async fn print(service: &Service, list: &RunList, output: &mut Output) -> Result<(), Failure> {
    if list.runs.is_empty() {
        note!("no runs are kept here");
    }
    for run in &list.runs {
        // One at a time: requests and results may be large.
        let detail = service.run(None, &run.id).await?;
        let line = format!(
            "{}  {:<9} {:<9} {}  {:>8}  {:>13}  {:>8}  {}",
            run.id,
            run.kind.as_str(),
            run.status.as_str(),
            run.created_at.strftime("%Y-%m-%d %H:%M:%S"),
            seconds(run).map_or_else(|| "-".to_owned(), |seconds| format!("{seconds:.1} s")),
            tokens(&detail),
            dollars(&detail),
            one_line(&subject(&detail.request), LONGEST),
        );
        output.text(line.trim_end())?;
    }
    Ok(())
}

/// The same as JSON: the list of the service, each run with its subject, seconds and usage.
pub(super) async fn json(service: &Service, list: &RunList) -> Result<Value, Failure> {
    let mut value = serde_json::to_value(list).map_err(anyhow::Error::from)?;
    for (place, run) in list.runs.iter().enumerate() {
        let detail = service.run(None, &run.id).await?;
        let entry = &mut value["runs"][place];
        entry["subject"] = subject(&detail.request).into();
        entry["seconds"] = json!(seconds(run));
        entry["usage"] = json!(detail.usage);
    }
    Ok(value)
}

/// From the request to the end; none while the run goes on.
fn seconds(run: &RunSummary) -> Option<f64> {
    let took = run.finished_at?.duration_since(run.created_at);
    Some(took.as_secs_f64())
}

fn tokens(detail: &RunDetail) -> String {
    match detail.usage.input_tokens + detail.usage.output_tokens {
        0 => "no tokens".to_owned(),
        count => format!("{count} tokens"),
    }
}

/// What the models cost; a dash where nothing was paid, or the models have no price.
fn dollars(detail: &RunDetail) -> String {
    match detail.usage.micro_dollars {
        0 => "-".to_owned(),
        // Fewer than ten thousandths of a dollar are not shown as none.
        micro @ 1..100 => format!("$0.{micro:06}"),
        micro => format!("${}.{:04}", micro / 1_000_000, micro % 1_000_000 / 100),
    }
}

/// What a run was asked for: its task or question, or else its addresses.
fn subject(request: &Value) -> String {
    let text = |name: &str| {
        request[name]
            .as_str()
            .filter(|text| !text.is_empty())
            .map(str::to_owned)
    };
    if let Some(words) = text("task").or_else(|| text("query")) {
        return words;
    }
    let assets = request["assets"]
        .as_array()
        .or_else(|| request["urls"].as_array())
        .map(Vec::as_slice)
        .unwrap_or_default();
    match assets {
        [] => text("url").unwrap_or_else(|| "a plan".to_owned()),
        [one] => one.as_str().unwrap_or_default().to_owned(),
        [first, more @ ..] => format!("{} and {} more", first.as_str().unwrap_or_default(), more.len()),
    }
}
