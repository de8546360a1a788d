//! Tasks, an extension of the protocol: a client that declares them is given a task for each run at once, and comes back for its
//! result. A task is its run, under the run's id, so that it is as durable as the run.

use rmcp::RoleServer;
use rmcp::model::{
    CallToolResponse, CancelTaskParams, CreateTaskResult, DetailedTask, ErrorData, GetTaskParams,
    InputRequests, Task, TaskPayload, TaskStatus, UpdateTaskParams,
};
use rmcp::service::RequestContext;
use runtime::ServiceError;
use serde_json::{Value, json};
use wire::automate::FormDataRequest;
use wire::run::{RunKind, RunStatus, RunSummary};
use wire::stamp::iso;
use wire::tenancy::Scope;
use wire::{Audience, RequestId, RunId};

use super::questions::{self, Means};
use super::results;
use super::runs::{OpenQuestion, TAIL};
use super::session::{Access, Session};

/// How often a client is asked to come back, in milliseconds.
const POLL_MS: u64 = 2_000;

type Question = Option<Box<FormDataRequest>>;

/// Whether the client of this request takes tasks. Before 2026-07-28 another thing had that name, and clients that declare both
/// do not expect these there.
pub(super) fn are_taken(context: &RequestContext<RoleServer>) -> bool {
    let declares = context
        .client_capabilities()
        .is_some_and(|capabilities| capabilities.supports_tasks());
    declares && questions::is_modern(context)
}

/// The error of a service as the protocol's methods give it.
fn refused(error: ServiceError) -> ErrorData {
    ErrorData::invalid_params(format!("{} ({})", error.message, error.code), None)
}

fn run_of(task_id: &str) -> Result<RunId, ErrorData> {
    RunId::parse(task_id).map_err(|error| ErrorData::invalid_params(format!("taskId: {error}"), None))
}

/// A run as a task that works.
fn task_of(summary: &RunSummary) -> Task {
    let created = iso(summary.created_at);
    let updated = summary.finished_at.map_or_else(|| created.clone(), iso);
    Task::new(summary.id.as_str(), TaskStatus::Working, created, updated).with_poll_interval_ms(POLL_MS)
}

impl Session {
    /// The result that gives a client the task of a run.
    pub(super) async fn new_task(&self, run: &RunId) -> Result<CallToolResponse, ServiceError> {
        let service = &self.state.service;
        let summary = service.run_summary(self.caller.sees(), run).await?;
        let task = task_of(&summary).with_status_message(format!("{run} was begun"));
        Ok(CreateTaskResult::new(task).into())
    }

    /// How a task stands, with its result when it has ended and its question when it asks one.
    pub(super) async fn task(
        &self,
        params: &GetTaskParams,
        context: &RequestContext<RoleServer>,
    ) -> Result<DetailedTask, ErrorData> {
        self.permit_request(&[Scope::Read])?;
        let run = run_of(&params.task_id)?;
        let (service, sees) = (&self.state.service, self.caller.sees());
        let summary = service.run_summary(sees, &run).await.map_err(refused)?;
        let mut task = task_of(&summary);
        if summary.status == RunStatus::Cancelled {
            return Ok(DetailedTask::new(task, TaskPayload::Cancelled));
        }
        if summary.status.is_final() {
            let detail = service.run(sees, &run).await.map_err(refused)?;
            // Cutting a long text takes longer than a thread that serves others may be kept.
            let answering = tokio::task::spawn_blocking(move || results::answer(&detail, None).into_result());
            let result = answering.await.ok().map(|result| json!(result));
            let Some(Value::Object(result)) = result else {
                return Err(ErrorData::internal_error("the result cannot be shown", None));
            };
            return Ok(DetailedTask::new(task, TaskPayload::Completed { result }));
        }
        let (last, question) = self.latest(&summary).await.map_err(refused)?;
        if let Some(at) = last {
            task.last_updated_at = iso(at);
        }
        Ok(match question {
            None => {
                let events = format!("{} events so far", summary.last_seq);
                DetailedTask::new(task.with_status_message(events), TaskPayload::Working)
            }
            Some(asked) => self.asking_task(&run, task, &asked, context),
        })
    }

    /// A task that asks: by its client where that may be, else in words that say where the person can answer.
    fn asking_task(
        &self,
        run: &RunId,
        task: Task,
        asked: &FormDataRequest,
        context: &RequestContext<RoleServer>,
    ) -> DetailedTask {
        let can_ask = questions::is_plain(asked) && !matches!(questions::means(self, context), Means::None);
        match questions::form_request(asked).filter(|_| can_ask) {
            Some(request) => {
                let input_requests: InputRequests = [(asked.request_id.to_string(), request)].into();
                DetailedTask::new(task, TaskPayload::InputRequired { input_requests })
            }
            None => {
                let where_to = self.referral(run, asked);
                DetailedTask::new(task.with_status_message(where_to), TaskPayload::Working)
            }
        }
    }

    /// When a run last said anything, and the question that it waits with.
    async fn latest(
        &self,
        summary: &RunSummary,
    ) -> Result<(Option<jiff::Timestamp>, Question), ServiceError> {
        let after = summary.last_seq.saturating_sub(TAIL);
        let (service, sees) = (&self.state.service, self.caller.sees());
        let limit = usize::try_from(TAIL).unwrap_or_default();
        let log = service
            .log(sees, &summary.id, after, limit, Audience::Public)
            .await?;
        let mut question = OpenQuestion::default();
        log.entries.iter().for_each(|entry| question.read(entry));
        Ok((log.entries.last().map(|entry| entry.at), question.0))
    }

    /// Takes the answers to the questions of a task.
    pub(super) async fn update(&self, params: UpdateTaskParams) -> Result<(), ErrorData> {
        self.permit_request(&[Scope::Automate])?;
        let run = run_of(&params.task_id)?;
        let (service, sees) = (&self.state.service, self.caller.sees());
        service.run_summary(sees, &run).await.map_err(refused)?;
        for (key, response) in params.input_responses {
            let question = RequestId::parse(&key)
                .ok()
                .filter(|question| service.run_that_asked(question).as_ref() == Some(&run));
            let question = question.ok_or_else(|| {
                ErrorData::invalid_params("inputResponses: a key is not one that this task asked with", None)
            })?;
            // Who closes the form without an answer is asked again.
            let Some(answer) = questions::answer_in(response) else {
                continue;
            };
            service.answer(sees, &question, &answer).await.map_err(refused)?;
        }
        Ok(())
    }

    /// Cancels the run of a task.
    pub(super) async fn cancel(&self, params: &CancelTaskParams) -> Result<(), ErrorData> {
        self.permit_request(&Scope::RUNNING)?;
        let run = run_of(&params.task_id)?;
        let (service, sees) = (&self.state.service, self.caller.sees());
        let summary = service.run_summary(sees, &run).await.map_err(refused)?;
        if self.access == Access::ReadOnly && summary.kind != RunKind::Research {
            let text = "this endpoint cancels only what can be begun here; the full one is /mcp";
            return Err(ErrorData::invalid_params(text, None));
        }
        service.cancel(sees, &run).await.map_err(refused).map(drop)
    }
}
