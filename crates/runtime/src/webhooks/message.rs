//! The body of a message, made from what it is about when it is sent.

use jiff::Timestamp;
use serde_json::{Value, json};
use wire::RunId;
use wire::run::RunStatus;
use wire::stamp::iso;
use wire::webhooks::WebhookEvent;

use super::deliveries::{Source, StoredDelivery};
use crate::error::ServiceError;
use crate::service::Service;

/// Longest result or event that is sent, in bytes of JSON; a longer one is left out.
const MAX_PART: usize = 128 << 10;

/// A message, or why there is none.
pub(super) enum Message {
    /// It can be sent.
    Ready {
        /// Its type, as endpoints name it.
        event: String,
        /// The body.
        body: String,
    },
    /// What it is about has not happened yet.
    NotYet,
    /// What it is about has not happened, and will not.
    Never,
    /// What it is about is no longer kept.
    Gone(&'static str),
}

/// The message of a delivery.
///
/// # Errors
/// When the store fails.
pub(super) async fn of(service: &Service, delivery: &StoredDelivery) -> Result<Message, ServiceError> {
    match &delivery.source {
        Source::RunEnd { run } => of_run_end(service, run).await,
        Source::RunEvent { run, seq, name } => of_run_event(service, run, *seq, name).await,
        Source::Whole { event, at, data } => Ok(Message::Ready {
            event: event.clone(),
            body: body(event, *at, data),
        }),
    }
}

fn body(event: &str, at: Timestamp, data: &Value) -> String {
    json!({"type": event, "timestamp": iso(at), "data": data}).to_string()
}

async fn of_run_end(service: &Service, run: &RunId) -> Result<Message, ServiceError> {
    let detail = match service.run(None, run).await {
        Ok(detail) => detail,
        Err(error) if error.code == wire::Code::NotFound => {
            return Ok(Message::Gone("the run is no longer kept"));
        }
        Err(error) => return Err(error),
    };
    let event = match detail.summary.status {
        RunStatus::Queued | RunStatus::Running => return Ok(Message::NotYet),
        RunStatus::Completed => WebhookEvent::RunCompleted,
        RunStatus::Failed => WebhookEvent::RunFailed,
        RunStatus::Cancelled => WebhookEvent::RunCancelled,
    };
    let at = detail.summary.finished_at.unwrap_or(detail.summary.created_at);
    let mut data = serde_json::to_value(&detail).unwrap_or_default();
    if let Some(fields) = data.as_object_mut() {
        // The receiver may be somebody else than the one who asked.
        fields.remove("request");
        let is_long = |result: &Value| result.to_string().len() > MAX_PART;
        if fields.get("result").is_some_and(is_long) {
            fields.remove("result");
            fields.insert("result_omitted".into(), true.into());
        }
    }
    Ok(Message::Ready {
        event: event.as_str().to_owned(),
        body: body(event.as_str(), at, &data),
    })
}

async fn of_run_event(service: &Service, run: &RunId, seq: u64, name: &str) -> Result<Message, ServiceError> {
    let Some(job) = service.store().jobs.summary(run).await? else {
        return Ok(Message::Gone("the run is no longer kept"));
    };
    if seq <= job.expired_seq {
        return Ok(Message::Gone("the events of the run are no longer kept"));
    }
    let entries = service.store().log.read(run, seq - 1, 1).await?;
    let Some(entry) = entries.into_iter().find(|entry| entry.seq == seq) else {
        return Ok(match job.status.is_final() {
            true => Message::Never,
            false => Message::NotYet,
        });
    };
    if entry.name != name {
        return Ok(Message::Never);
    }
    let mut data = json!({"run": run, "kind": job.kind, "seq": seq, "event": name});
    match serde_json::from_str::<Value>(&entry.data) {
        Ok(event) if entry.data.len() <= MAX_PART => data["data"] = event,
        _ => data["data_omitted"] = true.into(),
    }
    Ok(Message::Ready {
        event: name.to_owned(),
        body: body(name, entry.at, &data),
    })
}
