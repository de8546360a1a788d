//! The browser of a run, step by step: what each action was done to, with the picture of the page just before.

use minijinja::{Value, context};
use serde::Serialize;
use wire::automate::{AgentAction, AutomateEvent, StepPicture};
use wire::run::{RunDetail, RunKind};
use wire::{Code, LogEntry, Stamped};

use super::page;
use super::timeline::one_line;
use crate::app::AppState;
use crate::auth::Caller;
use crate::query::{QueryParams, number};
use crate::response::ApiError;
use crate::run_name::RunName;

/// Most steps that are shown; a run has as many actions as its turns allow.
const MAX_STEPS: usize = 1_000;
/// Events read at once.
const BATCH: usize = 500;
/// Longest line about a step, in characters.
const LINE: usize = 120;

/// One action of a run in its browser.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
struct ReplayStep {
    /// Number of its first event.
    seq: u64,
    /// When it began, in milliseconds since the epoch.
    at: i64,
    /// The tool.
    action: String,
    /// The element and what was put in.
    text: String,
    /// Whether it failed.
    failed: bool,
    /// Why.
    error: String,
    picture: Option<StepPicture>,
    /// Whether a person did it.
    by_person: bool,
}

/// The steps of a run, as its events tell them.
#[derive(Debug, Default)]
struct Replay {
    steps: Vec<ReplayStep>,
}

impl Replay {
    fn add(&mut self, entry: &LogEntry) {
        let Ok(Stamped { event, .. }) = Stamped::<AutomateEvent>::from_entry(entry) else {
            return;
        };
        match event {
            AutomateEvent::BrowserActionStarted(action) => self.begin(entry, action),
            // The end of a run has a picture, though nothing is done to the page.
            AutomateEvent::AgentAction(action) if action.picture.is_some() => self.begin(entry, action),
            AutomateEvent::BrowserActionCompleted(completed) => {
                if let Some(step) = self.steps.last_mut() {
                    step.failed = !completed.success;
                    step.error = one_line(&completed.error.unwrap_or_default(), LINE);
                }
            }
            _ => {}
        }
    }

    fn begin(&mut self, entry: &LogEntry, action: AgentAction) {
        if self.steps.len() >= MAX_STEPS {
            return;
        }
        let words = [action.ref_.as_deref(), action.value.as_deref()];
        let words: Vec<&str> = words.into_iter().flatten().collect();
        self.steps.push(ReplayStep {
            seq: entry.seq,
            at: entry.at.as_millisecond(),
            action: action.action,
            text: one_line(&words.join(" "), LINE),
            picture: action.picture,
            by_person: action.by.is_some(),
            ..ReplayStep::default()
        });
    }
}

/// What the view of a run's browser shows: its live view while it can be watched here, and its steps.
pub(super) async fn view(
    state: &AppState,
    caller: &Caller,
    run: &RunName,
    detail: &RunDetail,
    params: &QueryParams,
) -> Result<Value, ApiError> {
    let step = params.get("step", "the number of a step, from 1", number)?;
    let seq = params.get("seq", "the number of an event", number)?;
    let mut replay = Replay::default();
    let (mut after, mut is_expired) = (0, false);
    // Runs of other kinds read several pages at once, and have no steps.
    let mut has_more = detail.summary.kind == RunKind::Automate;
    while has_more {
        let service = &state.app.service;
        let read = service.log(caller.sees(), &run.id, after, BATCH, state.settings.audience);
        let batch = match read.await {
            Err(error) if error.code == Code::EventsExpired => {
                is_expired = true;
                break;
            }
            read => read?,
        };
        after = batch.read_to;
        batch.entries.iter().for_each(|entry| replay.add(entry));
        has_more = !batch.is_end && replay.steps.len() < MAX_STEPS;
    }
    let steps = replay.steps;
    let is_live = !detail.summary.status.is_final();
    let wanted = match (step, seq) {
        (Some(step), _) => usize::try_from(step).unwrap_or(usize::MAX),
        (None, Some(seq)) => steps.partition_point(|it| it.seq <= seq),
        (None, None) if is_live => steps.len(),
        (None, None) => 1,
    };
    let current = wanted.clamp(1, steps.len().max(1));
    let shown = steps.get(current - 1).cloned();
    let first_at = steps.first().map_or(0, |it| it.at);
    let has_pictures = steps.iter().any(|it| it.picture.is_some());
    Ok(context! {
        steps => page::value(&steps), shown => page::value(shown), current, first_at, has_pictures, is_expired,
        takeover => super::takeover::view(state, caller, run, detail), can_watch => is_live && state.app.workers.has_browser_of(&run.id),
        is_running => detail.summary.status == wire::run::RunStatus::Running,
    })
}

#[cfg(test)]
mod tests {
    use jiff::Timestamp;
    use serde_json::{Value as Json, json};
    use wire::Audience;

    use super::*;

    fn entry(seq: u64, name: &str, data: Json) -> LogEntry {
        LogEntry {
            seq,
            at: Timestamp::UNIX_EPOCH,
            name: name.into(),
            audience: Audience::Public,
            terminal: false,
            data: data.to_string(),
        }
    }

    #[test]
    fn a_step_is_an_action_on_the_tab_with_its_picture_and_its_outcome() {
        let stamp = |mut data: Json| {
            data["iterationId"] = json!("turn-1");
            data["timestamp"] = json!(0);
            data
        };
        let picture = json!({"name": "a.jpg", "bytes": 9, "width": 4, "height": 3});
        let click = json!({"action": "click", "ref": "E1"});
        let started = json!({"action": "click", "ref": "E1", "picture": picture});
        let failed = json!({"success": false, "error": "it is\ncovered"});
        let done = json!({"action": "done", "value": "12.50", "picture": picture});
        let mut replay = Replay::default();
        for (seq, name, data) in [
            (1, "agent:action", click),
            (2, "browser:action_started", started),
            (3, "browser:action_completed", failed),
            (4, "agent:action", done),
            (5, "no:such", json!({})),
        ] {
            replay.add(&entry(seq, name, stamp(data)));
        }
        let told: Vec<_> = replay
            .steps
            .iter()
            .map(|it| {
                (
                    it.seq,
                    it.action.as_str(),
                    it.text.as_str(),
                    it.failed,
                    it.error.as_str(),
                )
            })
            .collect();
        assert_eq!(
            told,
            [
                (2, "click", "E1", true, "it is covered"),
                (4, "done", "12.50", false, "")
            ]
        );
        assert!(replay.steps.iter().all(|it| it.picture.is_some()));
    }
}
