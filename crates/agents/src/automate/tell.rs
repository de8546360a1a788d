//! What a run says: events, masked, counted, and kept for those who may see them.

use std::collections::BTreeMap;
use std::sync::{Mutex, PoisonError};

use llm::Meter;
use wire::automate::{AgentStatus, AutomateEvent, TaskMetrics};
use wire::{Audience, Event};

use super::secrets::Secrets;
use crate::run::Run;
use crate::stop::Stopped;

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
        let mut body = serde_json::Value::Object(event.body());
        let before = body.clone();
        counts.secrets.mask_json(&mut body);
        if body == before {
            return event;
        }
        match body {
            // What was masked is still an event of its kind; else the unmasked one may not leave either.
            serde_json::Value::Object(map) => AutomateEvent::parse(event.name(), map).unwrap_or_else(|_| {
                AutomateEvent::AgentStatus(AgentStatus {
                    message: "an event was withheld because it held values of the person".into(),
                })
            }),
            _ => event,
        }
    }

    /// Says an event, if anybody may hear it.
    ///
    /// # Errors
    /// When the run is over.
    pub(super) async fn say(&self, event: AutomateEvent) -> Result<(), Stopped> {
        if !self.is_heard(event.audience()) {
            return Ok(());
        }
        self.run.emit(self.prepare(event)).await
    }

    /// Says news.
    ///
    /// # Errors
    /// As [`Teller::say`].
    pub(super) async fn status(&self, message: impl Into<String>) -> Result<(), Stopped> {
        let message = message.into();
        self.say(AutomateEvent::AgentStatus(AgentStatus { message }))
            .await
    }

    /// Says last words, also when the run was stopped.
    ///
    /// # Errors
    /// When the log cannot take them.
    pub(super) async fn close(&self, event: AutomateEvent) -> Result<(), Stopped> {
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
