//! PlanStepEmitter: each tool call of a plan as two steps of the stream, one when it begins and one when it ends.

use std::time::Duration;

use async_trait::async_trait;
use plans::{PlanEvent, PlanObserver, PlanStepStatus, StepReport, VerdictStatus};
use serde_json::Map;
use wire::scrape::{CallOutcome, Preview, RuntimeCall, ScrapeStep, StepDetail};

use super::step_emitter::StepEmitter;
use crate::cancel::Cancelled;
use crate::tooling;

/// Emits what a plan does.
pub(super) struct PlanStepEmitter<'t, 'r> {
    steps: &'t mut StepEmitter<'r>,
    /// The page's place, which keeps the ids of its calls apart from those of other pages.
    index: usize,
    calls: usize,
    cancelled: Option<Cancelled>,
}

impl<'t, 'r> PlanStepEmitter<'t, 'r> {
    /// For a page on which there were `calls` tool calls so far.
    pub(super) fn new(steps: &'t mut StepEmitter<'r>, index: usize, calls: usize) -> Self {
        Self {
            steps,
            index,
            calls,
            cancelled: None,
        }
    }

    /// How many calls there were on this page, the earlier ones with them.
    ///
    /// # Errors
    /// When the run is over.
    pub(super) fn calls(self) -> Result<usize, Cancelled> {
        self.cancelled.map_or(Ok(self.calls), Err)
    }

    fn call_id(&self) -> String {
        format!("call-{}-{}", self.index, self.calls)
    }

    async fn emit(&mut self, step: ScrapeStep) -> bool {
        match self.steps.emit(step).await {
            Ok(()) => true,
            Err(cancelled) => {
                self.cancelled = Some(cancelled);
                false
            }
        }
    }

    /// Waits until the steps so far are in the log; `false` when the run is over.
    async fn settle(&mut self) -> bool {
        let settled = self.steps.run.settle().await;
        self.cancelled = self.cancelled.take().or(settled.err());
        self.cancelled.is_none()
    }

    async fn ended(&mut self, report: &StepReport) -> bool {
        let call = |outcome| {
            StepDetail::RuntimeCall(RuntimeCall {
                tool: report.tool.clone(),
                params: report.parameters.clone(),
                outcome,
            })
        };
        let (detail, status) = match report.status {
            PlanStepStatus::Completed => {
                let preview = Preview::of(
                    report
                        .data
                        .as_ref()
                        .unwrap_or(&serde_json::Value::Object(Map::new())),
                );
                (
                    call(Some(CallOutcome::Success {
                        preview,
                        duration_ms: report.duration_ms,
                    })),
                    "ok",
                )
            }
            PlanStepStatus::Failed => {
                let code = report.code.as_deref().map(tooling::code);
                let error = report.error.clone().unwrap_or_else(|| "it failed".to_owned());
                (
                    call(Some(CallOutcome::Failure {
                        error,
                        code,
                        duration_ms: report.duration_ms,
                    })),
                    "failed",
                )
            }
            PlanStepStatus::Skipped => (call(None), "not needed"),
        };
        let message = format!("Tool {}: {status}", report.tool);
        let step = match report.status {
            PlanStepStatus::Completed => ScrapeStep::completed(detail, message),
            PlanStepStatus::Failed => ScrapeStep::failed(detail, message),
            PlanStepStatus::Skipped => ScrapeStep {
                status: wire::scrape::StepStatus::Skipped,
                ..ScrapeStep::completed(detail, message)
            },
        };
        let step = step.of_call(self.call_id());
        self.emit(step.took(Duration::from_millis(report.duration_ms)))
            .await
    }
}

#[async_trait]
impl PlanObserver for PlanStepEmitter<'_, '_> {
    async fn tell(&mut self, event: PlanEvent<'_>) -> bool {
        match event {
            PlanEvent::Started {
                entry, parameters, ..
            } => {
                self.calls += 1;
                let message = wire::scrape::call_message(entry.id(), parameters, None);
                let call = RuntimeCall {
                    tool: entry.id().to_owned(),
                    params: parameters.clone(),
                    outcome: None,
                };
                let step =
                    ScrapeStep::running(StepDetail::RuntimeCall(call), message).of_call(self.call_id());
                let is_emitted = self.emit(step).await;
                // Whoever takes the run up after a crash must see that something was being done that is not done twice.
                let acts = entry.manifest().effects == tools::Effects::Act;
                is_emitted && (!acts || self.settle().await)
            }
            PlanEvent::Ended(report) => {
                if report.status == PlanStepStatus::Skipped {
                    // It never began, and is a call of its own all the same.
                    self.calls += 1;
                }
                self.ended(report).await
            }
            PlanEvent::Fallback { reason, tool } => {
                let detail = StepDetail::Recover {
                    reason: reason.to_owned(),
                    attempt: tool.to_owned(),
                };
                self.emit(ScrapeStep::completed(detail, format!("trying {tool}")))
                    .await
            }
            PlanEvent::Judged(verdict) => {
                let passed = verdict.status == VerdictStatus::Passed;
                let detail = StepDetail::Verify {
                    passed: Some(passed),
                    issues: verdict.issues.clone(),
                };
                let message = if passed {
                    "the result is what was wanted".into()
                } else {
                    format!("{} issue(s)", verdict.issues.len())
                };
                self.emit(ScrapeStep::completed(detail, message)).await
            }
        }
    }
}
