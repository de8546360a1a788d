//! Progress of a scrape run, computed from its log.

use std::collections::HashMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

use futures_util::{StreamExt as _, pin_mut};
use jiff::Timestamp;
use runtime::{Service, ServiceError};
use serde_json::{Map, Value, json};
use wire::run::RunDetail;
use wire::scrape::RunFile;
use wire::{Audience, Code, LogEntry, RunId};

use crate::response::ApiError;

/// What the events so far add up to.
#[derive(Debug, Clone, Default)]
struct ScrapeStatusProgress {
    steps: u64,
    /// In hundredths, so that sums of rewards stay what they are.
    reward: i64,
    finished: u64,
    extracted: u64,
    errors: Vec<Value>,
    /// Those that stand for tools, as the step `plugins` says.
    enabled_plugins: Vec<Value>,
    /// Names of the files that the finished pages have written.
    files: Vec<String>,
}

/// Most runs whose progress is kept.
const MAX_KNOWN: usize = 256;

/// Progress of the runs that were asked about lately, so that a client that asks again and again has each event read once.
#[derive(Debug, Default)]
pub(crate) struct KnownProgress(Mutex<HashMap<RunId, (u64, ScrapeStatusProgress)>>);

impl KnownProgress {
    fn known(&self) -> MutexGuard<'_, HashMap<RunId, (u64, ScrapeStatusProgress)>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// What the events up to number `last` add up to.
    async fn up_to(
        &self,
        last: u64,
        service: &Service,
        owner: Option<&str>,
        run: &RunId,
    ) -> Result<ScrapeStatusProgress, ServiceError> {
        let known = self.known().get(run).filter(|(seq, _)| *seq <= last).cloned();
        let (mut seq, mut progress) = known.unwrap_or_default();
        if seq < last {
            let entries = service.events(owner, run, seq, Audience::Debug).await?;
            pin_mut!(entries);
            while let Some(entry) = entries.next().await.transpose()? {
                progress.add(&entry);
                seq = entry.seq;
                if seq >= last {
                    break;
                }
            }
            let mut known = self.known();
            if known.len() >= MAX_KNOWN {
                known.clear();
            }
            known.insert(run.clone(), (seq, progress.clone()));
        }
        Ok(progress)
    }
}

/// The answer of `GET /api/scrape/{id}/status`. Once the events of a run are no longer kept, its figures are those of its
/// result; they are null where it has none.
pub(crate) async fn of(
    known: &KnownProgress,
    service: &Service,
    owner: Option<&str>,
    detail: &RunDetail,
) -> Result<Value, ApiError> {
    let (run, last) = (&detail.summary.id, detail.summary.last_seq);
    let progress = match known.up_to(last, service, owner, run).await {
        Err(error) if error.code == Code::EventsExpired => {
            detail.result.as_ref().map(ScrapeStatusProgress::of_result)
        }
        progress => Some(progress?),
    };
    let progress = progress.as_ref();
    let request = &detail.request;
    let total = request["assets"].as_array().map_or(0, Vec::len);
    let until = detail.summary.finished_at.unwrap_or_else(Timestamp::now);
    let lasted = until.as_millisecond() - detail.summary.created_at.as_millisecond();
    let list = |name: &str| request.get(name).cloned().unwrap_or_else(|| json!([]));
    let errors = match progress {
        Some(progress) => json!(progress.errors),
        None => json!(detail.error.as_slice()),
    };
    Ok(json!({
        "session_id": run,
        "status": detail.summary.status,
        "current_url_index": progress.map(|it| it.finished.min(total.saturating_sub(1) as u64)),
        "total_urls": total,
        "total_reward": progress.map(|it| it.reward as f64 / 100.0),
        "extracted_count": progress.map(|it| it.extracted),
        "steps_count": progress.map(|it| it.steps),
        "errors": errors,
        "enabled_plugins": progress.map(|it| &it.enabled_plugins),
        "requested_plugins": list("enable_plugins"),
        "selected_agents": list("selected_agents"),
        "sandbox_artifacts": progress.map(|it| &it.files),
        "duration": lasted.max(0) as f64 / 1000.0,
    }))
}

fn in_hundredths(reward: &Value) -> i64 {
    (reward.as_f64().unwrap_or_default() * 100.0).round() as i64
}

impl ScrapeStatusProgress {
    /// What all events of a run have added up to, by its result.
    fn of_result(result: &Value) -> Self {
        let list = |name: &str| result[name].as_array().cloned().unwrap_or_default();
        let pages = result["extracted_data"].as_object().into_iter().flatten();
        let items = |page: &Value| match page["rows"].as_array() {
            Some(rows) => rows.len() as u64,
            None => u64::from(page["status"] == "ok"),
        };
        Self {
            steps: result["total_steps"].as_u64().unwrap_or_default(),
            reward: in_hundredths(&result["total_reward"]),
            finished: result["urls_processed"].as_u64().unwrap_or_default(),
            extracted: pages.map(|(_, page)| items(page)).sum(),
            errors: list("errors"),
            enabled_plugins: list("enabled_plugins"),
            files: RunFile::of_result(result)
                .into_iter()
                .map(|file| file.name)
                .collect(),
        }
    }

    fn add(&mut self, entry: &LogEntry) {
        let body: Map<String, Value> = serde_json::from_str(&entry.data).unwrap_or_default();
        let data = body.get("data");
        match entry.name.as_str() {
            "step" => {
                self.steps += 1;
                if let Some(step) = data.filter(|step| step["action"] == "plugins") {
                    let enabled = step["extracted_data"]["enabled"].as_array();
                    self.enabled_plugins = enabled.cloned().unwrap_or_default();
                }
                let done = data.map(|step| &step["extracted_data"]["result"]);
                let files = done.into_iter().flat_map(RunFile::listed);
                self.files.extend(files.map(|file| file.name));
                self.reward += data.map_or(0, |step| in_hundredths(&step["reward"]));
            }
            "url_complete" => {
                self.finished += 1;
                self.extracted += body.get("items").and_then(Value::as_u64).unwrap_or_default();
            }
            "error" => self.errors.extend(data.cloned()),
            _ => {}
        }
    }
}
