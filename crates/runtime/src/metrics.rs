//! Metrics of runs: outcomes, tokens, tool calls, page loads and queue wait, counted as events pass the recorder.
//!
//! Every label comes from a bounded set: a tool name that is not in the registry counts as `other`.

use std::collections::BTreeSet;
use std::sync::Arc;
use std::time::Duration;

use metrics::{counter, describe_counter, describe_histogram, histogram};
use wire::automate::AutomateEvent;
use wire::research::ResearchEvent;
use wire::run::RunStatus;
use wire::scrape::{CallOutcome, ScrapeEvent, StepDetail, StepStatus};
use wire::{Event, Family};

use crate::outcome::{ModelCost, is_model_call};

const RUNS: &str = "huntsman_runs_finished_total";
const TOKENS: &str = "huntsman_model_tokens_total";
const TOOL_CALLS: &str = "huntsman_tool_calls_total";
const PAGE_LOADS: &str = "huntsman_page_loads_total";
const QUEUE_WAIT: &str = "huntsman_queue_wait_seconds";
const STORE_WRITES: &str = "huntsman_store_write_seconds";

/// Tells the metrics recorder of this process what each metric means.
pub fn describe() {
    describe_counter!(RUNS, "Runs that ended, by family and outcome.");
    describe_counter!(TOKENS, "Tokens of model calls, by role and direction.");
    describe_counter!(TOOL_CALLS, "Tool calls that ended, by tool and success.");
    describe_counter!(PAGE_LOADS, "Pages that were opened, by family and status class.");
    describe_histogram!(
        QUEUE_WAIT,
        "Time between a run's submission and its first worker."
    );
    describe_histogram!(STORE_WRITES, "Time of a store write, by operation.");
}

/// The tool names that may become labels. Cheap to clone.
#[derive(Debug, Clone, Default)]
pub(crate) struct ToolLabels(Arc<BTreeSet<String>>);

impl ToolLabels {
    pub(crate) fn new(names: impl IntoIterator<Item = String>) -> Self {
        Self(Arc::new(names.into_iter().collect()))
    }

    /// The label of a tool: its name when it is known.
    fn label(&self, name: &str) -> String {
        self.0.get(name).map_or("other", String::as_str).to_owned()
    }

    fn count(&self, name: &str, success: bool) {
        let success = if success { "true" } else { "false" };
        counter!(TOOL_CALLS, "tool" => self.label(name), "success" => success).increment(1);
    }
}

/// Counts a run that ended.
pub(crate) fn run_ended(family: Family, status: RunStatus) {
    counter!(RUNS, "family" => family.as_str(), "outcome" => status.as_str()).increment(1);
}

/// Records how long a run waited for its first worker.
pub(crate) fn queue_wait(wait: Duration) {
    histogram!(QUEUE_WAIT).record(wait.as_secs_f64());
}

/// Records how long a store write took.
pub(crate) fn store_write(operation: &'static str, took: Duration) {
    histogram!(STORE_WRITES, "operation" => operation).record(took.as_secs_f64());
}

fn count_tokens(role: &'static str, direction: &'static str, tokens: u64) {
    if tokens > 0 {
        counter!(TOKENS, "role" => role, "direction" => direction).increment(tokens);
    }
}

fn page_load(family: Family, status: Option<u16>) {
    let class = match status.map(|status| status / 100) {
        Some(1) => "1xx",
        Some(2) => "2xx",
        Some(3) => "3xx",
        Some(4) => "4xx",
        Some(5) => "5xx",
        _ => "unknown",
    };
    counter!(PAGE_LOADS, "family" => family.as_str(), "status" => class).increment(1);
}

/// A family of events that carries usage.
pub(crate) trait CountedEvent: Event {
    /// Counts the usage that this event reports.
    fn count(&self, tools: &ToolLabels);
}

impl CountedEvent for ScrapeEvent {
    fn count(&self, tools: &ToolLabels) {
        let Self::Step { data } = self else { return };
        match &data.detail {
            StepDetail::Navigate {
                final_url: Some(_),
                http_status,
                ..
            } => page_load(Self::FAMILY, *http_status),
            StepDetail::RuntimeCall(call) if is_model_call(call) => {
                let cost = ModelCost::of(call).unwrap_or_default();
                count_tokens("extractor", "input", cost.input_tokens);
                count_tokens("extractor", "output", cost.output_tokens);
            }
            StepDetail::RuntimeCall(call) => {
                if let Some(outcome) = &call.outcome {
                    tools.count(&call.tool, matches!(outcome, CallOutcome::Success { .. }));
                }
            }
            StepDetail::RegistryCall(call) if data.status != StepStatus::Running => {
                tools.count(&call.tool_name, data.status == StepStatus::Completed);
            }
            _ => {}
        }
    }
}

impl CountedEvent for AutomateEvent {
    fn count(&self, tools: &ToolLabels) {
        match self {
            Self::BrowserNavigated(_) => page_load(Self::FAMILY, None),
            Self::BrowserActionCompleted(completed) => {
                tools.count(completed.action.as_deref().unwrap_or_default(), completed.success);
            }
            Self::AiGeneration(generation) => {
                count_tokens(
                    "agent",
                    "input",
                    generation.usage.input_tokens.unwrap_or_default(),
                );
                count_tokens(
                    "agent",
                    "output",
                    generation.usage.output_tokens.unwrap_or_default(),
                );
            }
            _ => {}
        }
    }
}

impl CountedEvent for ResearchEvent {
    fn count(&self, _: &ToolLabels) {
        let Self::Complete(complete) = self else { return };
        let metrics = complete.metadata.metrics.as_ref();
        for tokens in metrics.into_iter().flat_map(|metrics| metrics.tokens.values()) {
            count_tokens("research", "input", tokens.input);
            count_tokens("research", "output", tokens.output);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_unknown_tool_is_counted_under_no_name_of_its_own() {
        let tools = ToolLabels::new(["html.select".to_owned()]);
        assert_eq!(tools.label("html.select"), "html.select");
        assert_eq!(tools.label("made.up"), "other");
    }
}
