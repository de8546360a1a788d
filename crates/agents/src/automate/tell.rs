//! What a run says: events, masked, counted, and kept for those who may see them.

use std::collections::BTreeMap;
use std::sync::{Mutex, PoisonError};

use llm::Meter;
use serde_json::Value;
use wire::automate::{AgentStatus, AutomateEvent, TaskMetrics};
use wire::{Audience, Event};

use super::secrets::Secrets;
use crate::cancel::Cancelled;
use crate::run::Run;

/// The voice of one run.
pub(super) struct Teller<'a> {
    run: &'a Run<AutomateEvent>,
    audience: Audience,
    meter: Meter,
    counts: Mutex<Counts>,
}

#[derive(Default)]
struct Counts {
    events: BTreeMap<String, u64>,
    failures: u64,
    secrets: Secrets,
}

/// An event without any of the person's values. A word or number of the contract that a value happens to equal, such as
/// `email` for the kind of a field, tells nothing of the value and stays: the event is one of its kind all the same.
fn masked(event: AutomateEvent, secrets: &Secrets) -> AutomateEvent {
    let before = Value::Object(event.body());
    let mut body = before.clone();
    secrets.mask_json(&mut body);
    if body == before {
        return event;
    }
    let read = |body: &Value| {
        let body = body.as_object().cloned().unwrap_or_default();
        AutomateEvent::parse(event.name(), body).ok()
    };
    if let Some(event) = read(&body) {
        return event;
    }
    let mut kept = event.clone();
    let mut body = before;
    for place in leaves(&body) {
        let Some(leaf) = body.pointer_mut(&place) else {
            continue;
        };
        let plain = leaf.clone();
        secrets.mask_json(leaf);
        if *leaf == plain {
            continue;
        }
        match read(&body) {
            Some(event) => kept = event,
            None => {
                if let Some(leaf) = body.pointer_mut(&place) {
                    *leaf = plain;
                }
            }
        }
    }
    kept
}

/// The JSON pointers of everything in a value that holds nothing further.
fn leaves(root: &Value) -> Vec<String> {
    let mut found = Vec::new();
    let mut open = vec![(String::new(), root)];
    while let Some((place, value)) = open.pop() {
        match value {
            Value::Array(items) => {
                let inner = items.iter().enumerate();
                open.extend(inner.map(|(at, it)| (format!("{place}/{at}"), it)));
            }
            Value::Object(map) => {
                let escaped = |key: &str| key.replace('~', "~0").replace('/', "~1");
                open.extend(
                    map.iter()
                        .map(|(key, it)| (format!("{place}/{}", escaped(key)), it)),
                );
            }
            _ => found.push(place),
        }
    }
    found
}

impl<'a> Teller<'a> {
    /// A voice that says what `audience` may hear.
    pub(super) fn new(
        run: &'a Run<AutomateEvent>,
        audience: Audience,
        meter: Meter,
        secrets: Secrets,
    ) -> Self {
        let counts = Counts {
            secrets,
            ..Counts::default()
        };
        Self {
            run,
            audience,
            meter,
            counts: Mutex::new(counts),
        }
    }

    fn counts(&self) -> std::sync::MutexGuard<'_, Counts> {
        self.counts.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The run.
    pub(super) fn run(&self) -> &Run<AutomateEvent> {
        self.run
    }

    /// Hides a further value from now on.
    pub(super) fn hide(&self, name: &str, value: &str) {
        self.counts().secrets.hide(name, value);
    }

    /// Counts a model call that failed.
    pub(super) fn count_failure(&self) {
        self.counts().failures += 1;
    }

    /// Whether anybody will hear events of this kind.
    pub(super) fn is_heard(&self, audience: Audience) -> bool {
        audience <= self.audience
    }

    /// The event as it may leave: counted, and without any of the person's values.
    fn prepare(&self, event: AutomateEvent) -> AutomateEvent {
        let mut counts = self.counts();
        *counts.events.entry(event.name().to_owned()).or_default() += 1;
        masked(event, &counts.secrets)
    }

    /// Says an event, if anybody may hear it.
    ///
    /// # Errors
    /// When the run is over.
    pub(super) async fn say(&self, event: AutomateEvent) -> Result<(), Cancelled> {
        if !self.is_heard(event.audience()) {
            return Ok(());
        }
        self.run.emit(self.prepare(event)).await
    }

    /// Says news.
    ///
    /// # Errors
    /// As [`Teller::say`].
    pub(super) async fn status(&self, message: impl Into<String>) -> Result<(), Cancelled> {
        let message = message.into();
        self.say(AutomateEvent::AgentStatus(AgentStatus { message }))
            .await
    }

    /// Says last words, also when the run was stopped.
    ///
    /// # Errors
    /// When the log cannot take them.
    pub(super) async fn close(&self, event: AutomateEvent) -> Result<(), Cancelled> {
        if !self.is_heard(event.audience()) {
            return Ok(());
        }
        self.run.close(self.prepare(event)).await
    }

    /// The counters now.
    pub(super) fn metrics(&self, steps: u32) -> TaskMetrics {
        let counts = self.counts();
        let spent = self.meter.total();
        TaskMetrics {
            ai_generation_count: spent.answers,
            ai_generation_error_count: counts.failures,
            event_counts: counts.events.clone(),
            step_count: u64::from(steps),
            total_input_tokens: spent.usage.input,
            total_output_tokens: spent.usage.output,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    /// Whatever the person's values are, an event stays one of its kind, and its own texts hold none of them.
    #[test]
    fn values_that_equal_words_of_the_contract_withhold_no_event() {
        for event in AutomateEvent::samples() {
            let body = Value::Object(event.body());
            for place in leaves(&body) {
                let value = body.pointer(&place).cloned().unwrap_or_default();
                let secrets = Secrets::of(Some(&json!({"key": value})));
                let told = masked(event.clone(), &secrets);
                assert_eq!(told.name(), event.name(), "{place} {value}");
            }
        }
        let failed = AutomateEvent::AgentStatus(AgentStatus {
            message: "complete".into(),
        });
        let secrets = Secrets::of(Some(&json!({"mark": "complete"})));
        let told = Value::Object(masked(failed, &secrets).body());
        assert_eq!(told, json!({"message": "{{mark}}"}));
    }
}
