//! EventEmitter: masks, counts and emits the events of a run, for those who may see them.

mod mask;

use std::collections::BTreeMap;
use std::sync::{Mutex, PoisonError};

use llm::Meter;
use wire::automate::{AgentStatus, AutomateEvent, TaskMetrics};
use wire::{Audience, Event};

use super::secrets::Secrets;
use crate::cancel::Cancelled;
use crate::run::Run;

/// Emits the events of one run.
pub(super) struct EventEmitter<'a> {
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

impl<'a> EventEmitter<'a> {
    /// Emits what `audience` may see.
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

    /// Whether anybody may see events of this kind.
    pub(super) fn is_wanted(&self, audience: Audience) -> bool {
        audience <= self.audience
    }

    /// The event as it may leave: counted, and without any of the person's values.
    fn prepare(&self, mut event: AutomateEvent) -> AutomateEvent {
        let mut counts = self.counts();
        *counts.events.entry(event.name().to_owned()).or_default() += 1;
        mask::mask(&mut event, &counts.secrets);
        event
    }

    /// Emits an event, if anybody may see it.
    ///
    /// # Errors
    /// When the run is over.
    pub(super) async fn emit(&self, event: AutomateEvent) -> Result<(), Cancelled> {
        if !self.is_wanted(event.audience()) {
            return Ok(());
        }
        self.run.emit(self.prepare(event)).await
    }

    /// Emits news in words.
    ///
    /// # Errors
    /// As [`EventEmitter::emit`].
    pub(super) async fn status(&self, message: impl Into<String>) -> Result<(), Cancelled> {
        let message = message.into();
        self.emit(AutomateEvent::AgentStatus(AgentStatus { message }))
            .await
    }

    /// Emits one of the last events, also when the run was stopped.
    ///
    /// # Errors
    /// When the log cannot take them.
    pub(super) async fn close(&self, event: AutomateEvent) -> Result<(), Cancelled> {
        if !self.is_wanted(event.audience()) {
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
    use serde_json::{Value, json};

    /// The JSON pointers and values of everything in a value that holds nothing further.
    fn leaves(place: &str, value: &Value) -> Vec<(String, Value)> {
        match value {
            Value::Array(items) => {
                let items = items.iter().enumerate();
                items
                    .flat_map(|(at, item)| leaves(&format!("{place}/{at}"), item))
                    .collect()
            }
            Value::Object(map) => {
                let fields = map.iter();
                fields
                    .flat_map(|(key, field)| leaves(&format!("{place}/{key}"), field))
                    .collect()
            }
            leaf => vec![(place.to_owned(), leaf.clone())],
        }
    }

    fn masked(mut event: AutomateEvent, secrets: &Secrets) -> AutomateEvent {
        mask::mask(&mut event, secrets);
        event
    }

    /// Whatever the person's values are, an event stays one of its kind, and its own texts hold none of them.
    #[test]
    fn values_that_equal_words_of_the_contract_withhold_no_event() {
        for event in AutomateEvent::samples() {
            for (place, value) in leaves("", &Value::Object(event.body())) {
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

    /// Every text of every event is masked, but names of our own making, the words of the contract, and the trusted hosts
    /// that a person is told to receive a value.
    #[test]
    fn no_text_of_any_event_shows_a_value() {
        let ours = ["requestId", "ref", "traceId", "receivers", "name"];
        for event in AutomateEvent::samples() {
            for (place, value) in leaves("", &Value::Object(event.body())) {
                let Some(text) = value.as_str().filter(|text| text.chars().count() >= 4) else {
                    continue;
                };
                let name = place.rsplit('/').find(|part| part.parse::<usize>().is_err());
                let secrets = Secrets::of(Some(&json!({"k": text})));
                let told = Value::Object(masked(event.clone(), &secrets).body());
                let shown = told.pointer(&place).cloned().unwrap_or_default();
                let is_hidden = shown != json!(text);
                let mut probe = Value::Object(event.body());
                if let Some(leaf) = probe.pointer_mut(&place) {
                    *leaf = json!("an unknown word");
                }
                let probe = probe.as_object().cloned().unwrap_or_default();
                // What only a few words may stand in is a word of the contract.
                let is_free = AutomateEvent::parse(event.name(), probe).is_ok();
                let is_ours = name.is_some_and(|name| ours.contains(&name));
                assert_eq!(is_hidden, is_free && !is_ours, "{} {place} {text}", event.name());
            }
        }
    }
}
