//! The driver of a run: does what the agent loop decides, and reports the results to it and as events.

use browser::{Ref, Snapshot, Tab, Visit};
use llm::tool::ToolSet;
use llm::{MessageContent, Meter};
use policy::{Grant, UploadFiles, without_fragment};
use serde_json::json;
use tracing::{Instrument as _, Span, debug_span};
use url::Url;
use wire::automate::{
    AgentAction, AgentStep, AutomateComplete, AutomateErrorInfo, AutomateEvent, BrowserNavigated,
    FailureCode, False, TaskAborted, TaskCompleted, TaskFailure, TaskStarted, TaskStats, ValidationOutcome,
};
use wire::{Code, LogEntry};

use crate::automate::agent_loop::{AgentLoop, Decision, Ending, LoopLimits};
use crate::automate::event_emitter::EventEmitter;
use crate::automate::memory::Memory;
use crate::automate::offered_tools::{self, RunAbilities};
use crate::automate::page_observer::PageObserver;
use crate::automate::plan::TaskPlan;
use crate::automate::prompt;
use crate::automate::request_grant::grant_of;
use crate::automate::secrets::Secrets;
use crate::automate::tool_invocation::cut;
use crate::automate::upload_files::upload_files;
use crate::automate::validation::Evidence;
use crate::cancel::Cancelled;
use crate::error_codes;
use crate::run_error::{RunError, RunFailure};
use setup::{emit_news, mark_of, models, open, planned, set_up};

mod acting;
mod extraction;
mod input;
mod judging;
mod observing;
mod person;
mod pictures;
mod setup;
mod takeover;
mod web_search;

use input::RoleModels;
pub(super) use input::RunInput;

/// Does a run up to its last event.
///
/// # Errors
/// When the run was stopped in a way that leaves its log open.
pub(super) async fn drive(input: &RunInput<'_>, earlier: &[LogEntry]) -> Result<(), Cancelled> {
    let began = jiff::Timestamp::now().as_millisecond();
    let meter = input.services.meter();
    let mut secrets = Secrets::of(input.request.data.as_ref());
    secrets.add_vault(&input.services.session.secrets);
    let emitter = EventEmitter::new(input.run, input.audience, meter.clone(), secrets.clone());
    let mut counts = RunCounts::default();
    let ended = run_task(input, &emitter, meter, secrets, earlier, &mut counts).await;
    let ending = match ended {
        Ok(ending) => ending,
        Err(RunError::Cancelled(stopped)) if stopped.leaves_the_log_open() => return Err(stopped),
        Err(RunError::Cancelled(stopped)) => RunResult::stopped(&stopped),
        Err(RunError::Fatal(failure)) => return emitter.close(error_event(failure, false)).await,
        Err(RunError::Recoverable(failure)) => return emitter.close(error_event(failure, true)).await,
    };
    let end = jiff::Timestamp::now().as_millisecond().max(began);
    let stats = TaskStats {
        iterations: counts.turns,
        actions: counts.actions,
        start_time: began,
        end_time: end,
        duration_ms: end - began,
    };
    let completed = TaskCompleted {
        success: Some(ending.success),
        final_answer: ending.answer.clone(),
    };
    emitter.close(AutomateEvent::TaskCompleted(completed)).await?;
    emitter
        .close(AutomateEvent::TaskMetrics(emitter.metrics(counts.turns)))
        .await?;
    let complete = AutomateComplete {
        success: ending.success,
        final_answer: ending.answer,
        stats,
        error: ending.failure,
        validation_outcome: ending.success.then_some(ValidationOutcome::Accepted),
    };
    emitter.close(AutomateEvent::Complete(complete)).await?;
    emitter
        .close(AutomateEvent::Done(wire::automate::AutomateDone {}))
        .await
}

/// Counters that outlive a stop.
#[derive(Debug, Clone, Copy, Default)]
struct RunCounts {
    turns: u32,
    actions: u32,
}

/// What a run came to.
struct RunResult {
    success: bool,
    answer: Option<String>,
    failure: Option<TaskFailure>,
}

impl RunResult {
    fn failed(code: FailureCode, message: impl Into<String>, answer: Option<String>) -> Self {
        let failure = TaskFailure {
            code,
            message: message.into(),
        };
        Self {
            success: false,
            answer,
            failure: Some(failure),
        }
    }

    fn stopped(stopped: &Cancelled) -> Self {
        let code = match stopped {
            Cancelled::TimedOut { .. } => FailureCode::TaskFailed,
            _ => FailureCode::TaskAborted,
        };
        let name = error_codes::cancelled_code(stopped);
        Self::failed(code, format!("{}: {stopped}", name.as_str()), None)
    }

    fn of(ending: Ending) -> Self {
        match ending {
            Ending::Accepted(answer) => Self {
                success: true,
                answer: Some(answer),
                failure: None,
            },
            Ending::Aborted(reason) | Ending::Repeating(reason) => {
                Self::failed(FailureCode::TaskAborted, reason.clone(), Some(reason))
            }
            Ending::Rejected { answer, feedback } => Self::failed(
                FailureCode::TaskFailed,
                format!("no answer was accepted; the last one: {feedback}"),
                Some(answer),
            ),
            Ending::OutOfTurns(answer) => {
                Self::failed(FailureCode::MaxIterations, "the run is out of iterations", answer)
            }
            Ending::TooManyErrors { count, last } => Self::failed(
                FailureCode::MaxErrors,
                format!("{count}; the last one: {last}"),
                None,
            ),
            Ending::Broken(failure) => Self::failed(FailureCode::TaskFailed, failure.to_string(), None),
        }
    }
}

/// The span of one phase. `turn` counts from 1; 0 is before the first.
fn phase(name: &'static str, turn: u32) -> Span {
    debug_span!("phase", phase = name, turn)
}

/// The event of a run that broke before it could have a result.
fn error_event(failure: RunFailure, recoverable: bool) -> AutomateEvent {
    let error = AutomateErrorInfo {
        code: failure.name.to_owned(),
        message: failure.text,
        recoverable: Some(recoverable),
    };
    AutomateEvent::Error(wire::automate::AutomateError {
        error,
        success: False,
    })
}

async fn run_task(
    input: &RunInput<'_>,
    emitter: &EventEmitter<'_>,
    meter: Meter,
    secrets: Secrets,
    earlier: &[LogEntry],
    counts: &mut RunCounts,
) -> Result<RunResult, RunError> {
    if earlier.iter().any(|it| it.name == "browser:action_started") {
        let text =
            "the worker was lost while it acted on pages; what it did is in this log, and is not done again";
        return Err(RunError::fatal(Code::OutcomeUnknown, text));
    }
    if let Some(text) = secrets.refusal() {
        return Err(RunError::fatal(Code::InvalidRequest, text));
    }
    if let Some(error) = &input.refused {
        return Err(RunError::fatal(error.code, error.message.clone()));
    }
    let models = models(input.services, &meter)?;
    let request = input.request;
    if earlier.is_empty() {
        set_up(input, emitter, &models).await?;
    }
    let guardrails = request.guardrails.clone().unwrap_or_default();
    let date = jiff::Timestamp::now().strftime("%Y-%m-%d").to_string();
    let keys = secrets.keys();
    let plan = planned(input, emitter, &models, &guardrails, &date, &keys);
    let plan = plan.instrument(phase("planning", 0)).await?;
    let mut grant = grant_of(request);
    let tab = open(input, emitter).await?;
    let sees_images = models.planner.model.capabilities().images;
    let files = upload_files(&input.services.uploads);
    let abilities = RunAbilities {
        has_person: request.interactive,
        has_values: !keys.is_empty(),
        sees_images,
        has_files: !files.is_empty(),
        has_search: input.services.search.is_some(),
    };
    let can = |capability| tab.can(capability).is_ok();
    let offer = offered_tools::offered(&input.services.tools, &grant, abilities, can);
    let mark = mark_of(input.id);
    let internal = |error: minijinja::Error| RunError::fatal(Code::Internal, error.to_string());
    let system = prompt::render("system", &json!({"interactive": request.interactive})).map_err(internal)?;
    let with = json!({
        "task": request.task, "date": date, "criteria": plan.success_criteria, "plan": plan.plan, "items": plan.action_items,
        "guardrails": guardrails, "keys": keys, "files": files.names(),
    });
    let task = prompt::render("task", &with).map_err(internal)?;
    let start = match &request.url {
        Some(url) => Url::parse(url).ok(),
        None => plan.start(),
    };
    if let (None, Some(start)) = (&request.url, &start) {
        grant.plan(start);
    }
    let memory = Memory::new(system, task, offered_tools::size(&offer), &mark);
    let holds_values = secrets.holds_any();
    let mut driver = Driver {
        emitter,
        input,
        tab,
        agent_loop: AgentLoop::new(
            LoopLimits::new(request.max_iterations, request.max_validation_attempts),
            start.is_some(),
        ),
        memory,
        observer: PageObserver::default(),
        grant,
        files,
        secrets,
        evidence: Evidence::default(),
        snapshot: Snapshot::default(),
        models,
        offer,
        mark,
        labels: 0,
        plan,
        guardrails,
        warning: None,
        picture: None,
        place: None,
        forgot: false,
        holds_values,
        filled: Vec::new(),
        person_acted: false,
    };
    if holds_values {
        driver.guard_view();
    }
    let done = driver.run_loop(start, counts).await;
    driver.tab.close().await;
    done
}

struct Driver<'a> {
    emitter: &'a EventEmitter<'a>,
    input: &'a RunInput<'a>,
    tab: Box<dyn Tab>,
    agent_loop: AgentLoop,
    memory: Memory,
    observer: PageObserver,
    grant: Grant,
    files: UploadFiles,
    secrets: Secrets,
    evidence: Evidence,
    /// The page as the model was shown it.
    snapshot: Snapshot,
    models: RoleModels,
    offer: ToolSet,
    mark: String,
    labels: u32,
    plan: TaskPlan,
    guardrails: String,
    /// What the model is warned of at the next look.
    warning: Option<String>,
    /// What the model is shown at the next question.
    picture: Option<MessageContent>,
    /// The page that readers of the events know to be open.
    place: Option<Url>,
    /// Whether the model has to be shown the page again, because what it was told was given up.
    forgot: bool,
    /// Whether there are values that no picture may show.
    holds_values: bool,
    /// Elements that were to be filled with such values.
    filled: Vec<Ref>,
    /// Whether a person has acted on a page of this run.
    person_acted: bool,
}

impl Driver<'_> {
    async fn run_loop(&mut self, start: Option<Url>, counts: &mut RunCounts) -> Result<RunResult, RunError> {
        match self.begin(start).instrument(phase("opening", 0)).await {
            Ok(()) => {}
            Err(RunError::Cancelled(stopped)) => return Err(stopped.into()),
            Err(RunError::Fatal(failure) | RunError::Recoverable(failure)) => {
                self.agent_loop.break_off(failure);
            }
        }
        loop {
            self.let_person_act().await?;
            let decision = self.agent_loop.decide();
            (counts.turns, counts.actions) = (self.agent_loop.turns(), self.agent_loop.actions());
            match decision {
                Decision::Turn(turn) => {
                    if turn > 0 {
                        self.emit_counters(turn).await?;
                    }
                    self.input.run.turn(format!("turn-{}", turn + 1));
                    let step = AgentStep {
                        current_iteration: turn,
                    };
                    self.emitter.emit(AutomateEvent::AgentStep(step)).await?;
                }
                Decision::Observe => {
                    self.observe()
                        .instrument(phase("observing", counts.turns))
                        .await?
                }
                Decision::AskModel => {
                    self.ask_model()
                        .instrument(phase("deciding", counts.turns))
                        .await?
                }
                Decision::Act(action) => {
                    self.act(&action)
                        .instrument(phase("acting", counts.turns))
                        .await?;
                }
                Decision::Judge { answer, attempt } => {
                    let judging = self.judge(&answer, attempt);
                    judging.instrument(phase("judging", counts.turns)).await?;
                }
                Decision::End(ending) => {
                    if counts.turns > 0 {
                        self.emit_counters(counts.turns).await?;
                    }
                    if let Ending::Aborted(reason) = &ending {
                        let action = AgentAction {
                            action: "abort".into(),
                            value: Some(cut(reason, 500)),
                            ..AgentAction::default()
                        };
                        self.emitter.emit(AutomateEvent::AgentAction(action)).await?;
                    }
                    if let Ending::Aborted(reason) | Ending::Repeating(reason) = &ending {
                        let aborted = TaskAborted {
                            reason: reason.clone(),
                            final_answer: reason.clone(),
                        };
                        self.emitter.emit(AutomateEvent::TaskAborted(aborted)).await?;
                    }
                    return Ok(RunResult::of(ending));
                }
            }
        }
    }

    async fn emit_counters(&mut self, turns: u32) -> Result<(), Cancelled> {
        let metrics = self.emitter.metrics(turns);
        self.emitter
            .emit(AutomateEvent::TaskMetricsIncremental(metrics))
            .await
    }

    /// Opens the first page, and emits that the task has started.
    async fn begin(&mut self, start: Option<Url>) -> Result<(), RunError> {
        let mut title = None;
        let mut address = "about:blank".to_owned();
        if let Some(url) = start {
            if let Err(refused) = self.grant.open(&url) {
                return Err(RunError::fatal(Code::UrlBlocked, refused.to_string()));
            }
            let visit = self.first_visit(&url).await?;
            title = Some(visit.title.clone());
            address = visit.url.to_string();
            // Where the caller's own address sends on to may be visited, though no values are put in there.
            self.grant.arrive(&visit.url);
            self.check_login(&url, &visit).await?;
            self.navigated(&visit).await?;
        }
        let started = TaskStarted {
            task: self.input.request.task.clone(),
            success_criteria: self.plan.success_criteria.clone(),
            plan: self.plan.plan.clone(),
            url: address,
            action_items: Some(self.plan.action_items.clone()).filter(|it| !it.is_empty()),
            title,
        };
        self.emitter.emit(AutomateEvent::TaskStarted(started)).await?;
        let enforced = self.grant.agent.guardrails.enforced();
        if !enforced.is_empty() {
            let text = format!("enforced of the guardrails: {}", enforced.join("; "));
            self.emitter.status(text).await?;
        }
        Ok(())
    }

    /// Tells readers and the model where the first page shows that the login of the run's profile has expired.
    async fn check_login(&mut self, requested: &Url, visit: &Visit) -> Result<(), Cancelled> {
        if self.input.services.session.profile.is_none() {
            return Ok(());
        }
        let Ok(page) = self.input.run.until_cancelled(self.tab.page()).await? else {
            return Ok(());
        };
        if let Some(error) = self.input.services.login_error(requested, visit, &page) {
            self.warning =
                Some("The saved login of this site has expired. Log in first if you have the values.".into());
            let text = format!("{}: {}", error.code, error.message);
            self.emitter.status(text).await?;
        }
        Ok(())
    }

    /// The first page, tried twice where trying again may help.
    async fn first_visit(&mut self, url: &Url) -> Result<Visit, RunError> {
        let run = self.input.run;
        let mut visit = run.until_cancelled(self.open_named(url)).await?;
        emit_news(self.emitter, self.tab.as_mut()).await?;
        if let Err(error) = &visit
            && error_codes::browser_code(error).retryable()
        {
            let text = format!("the start page could not be opened ({error}); trying again");
            self.emitter.status(text).await?;
            visit = run.until_cancelled(self.open_named(url)).await?;
            emit_news(self.emitter, self.tab.as_mut()).await?;
        }
        visit.map_err(|error| {
            let text = format!("the start page could not be opened: {error}");
            RunError::fatal(error_codes::browser_code(&error), text)
        })
    }

    /// Opens the page that the request names, and waits for what it says.
    async fn open_named(&mut self, url: &Url) -> Result<Visit, browser::Error> {
        let began = tokio::time::Instant::now();
        let visit = self.tab.goto(url).await?;
        let settling = self.input.services.pages.settle(self.tab.as_mut(), began);
        settling.await.map(|()| visit)
    }

    async fn navigated(&mut self, visit: &Visit) -> Result<(), Cancelled> {
        self.place = Some(visit.url.clone());
        let navigated = BrowserNavigated {
            title: visit.title.clone(),
            url: visit.url.to_string(),
        };
        self.emitter
            .emit(AutomateEvent::BrowserNavigated(navigated))
            .await
    }

    /// Emits that a page came by itself, after the events of what was done before it.
    async fn moved(&mut self, title: &str, url: &Url) -> Result<(), Cancelled> {
        if self
            .place
            .as_ref()
            .is_some_and(|it| without_fragment(it) == without_fragment(url))
        {
            return Ok(());
        }
        let visit = Visit {
            url: url.clone(),
            status: None,
            title: title.to_owned(),
            warnings: Vec::new(),
        };
        self.navigated(&visit).await
    }

    fn label(&mut self) -> String {
        self.labels += 1;
        format!("{}n{}", self.mark, self.labels)
    }
}
