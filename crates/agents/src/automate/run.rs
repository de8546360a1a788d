//! The driver of a run: does what the course says, and tells it and the world what came of it.

use browser::{Snapshot, Tab, Visit};
use llm::tool::ToolSet;
use llm::{Content, Meter, RoleModel};
use serde_json::json;
use url::Url;
use wire::automate::{
    AgentAction, AgentStep, AutomateEvent, BrowserNavigated, Complete, ErrorInfo, Failure, FailureCode,
    False, RunError, Stats, TaskAborted, TaskCompleted, TaskStarted, ValidationOutcome,
};
use wire::tabstack::AutomateRequest;
use wire::{Audience, Code, Entry, RunId};

use crate::automate::call::cut;
use crate::automate::course::{Course, Ending, Limits, Next, Trouble};
use crate::automate::files::Files;
use crate::automate::grant::{Grant, bare};
use crate::automate::look::Eye;
use crate::automate::memory::Memory;
use crate::automate::offer::{self, Means};
use crate::automate::plan::Plan;
use crate::automate::prompt;
use crate::automate::secrets::Secrets;
use crate::automate::tell::Teller;
use crate::automate::validate::Evidence;
use crate::cancel::Cancelled;
use crate::error_codes;
use crate::run::Run;
use crate::services::AgentServices;
use setup::{mark_of, open, planned, seats, set_up, tell_news};

mod doing;
mod judging;
mod person;
mod reading;
mod searching;
mod seeing;
mod setup;

/// A run ends early: by a stop, or by something that has an end of its own.
pub(super) enum Early {
    /// The run was stopped.
    Cancelled(Cancelled),
    /// The run broke before it could have a result.
    Error(RunError),
}

impl From<Cancelled> for Early {
    fn from(stopped: Cancelled) -> Self {
        Self::Cancelled(stopped)
    }
}

/// The models of a run.
struct Seats {
    planner: RoleModel,
    extractor: RoleModel,
    validator: RoleModel,
}

/// Everything a run needs, whoever drives it.
pub(super) struct Brief<'a> {
    pub(super) run: &'a Run<AutomateEvent>,
    pub(super) id: &'a RunId,
    pub(super) request: &'a AutomateRequest,
    pub(super) services: &'a AgentServices,
    pub(super) audience: Audience,
    pub(super) trace: Option<&'a str>,
}

/// Does a run up to its last event.
///
/// # Errors
/// When the run was stopped in a way that leaves its log open.
pub(super) async fn drive(brief: &Brief<'_>, earlier: &[Entry]) -> Result<(), Cancelled> {
    let began = jiff::Timestamp::now().as_millisecond();
    let meter = brief.services.meter();
    let secrets = Secrets::of(brief.request.data.as_ref());
    let teller = Teller::new(brief.run, brief.audience, meter.clone(), secrets.clone());
    let mut counts = Counts::default();
    let ended = whole(brief, &teller, meter, secrets, earlier, &mut counts).await;
    let ending = match ended {
        Ok(ending) => ending,
        Err(Early::Cancelled(stopped)) if stopped.leaves_the_log_open() => return Err(stopped),
        Err(Early::Cancelled(stopped)) => Last::stopped(&stopped),
        Err(Early::Error(error)) => return teller.close(AutomateEvent::Error(error)).await,
    };
    let end = jiff::Timestamp::now().as_millisecond().max(began);
    let stats = Stats {
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
    teller.close(AutomateEvent::TaskCompleted(completed)).await?;
    teller
        .close(AutomateEvent::TaskMetrics(teller.metrics(counts.turns)))
        .await?;
    let complete = Complete {
        success: ending.success,
        final_answer: ending.answer,
        stats,
        error: ending.failure,
        validation_outcome: ending.success.then_some(ValidationOutcome::Accepted),
    };
    teller.close(AutomateEvent::Complete(complete)).await?;
    teller.close(AutomateEvent::Done(wire::automate::Done {})).await
}

/// Counters that outlive a stop.
#[derive(Debug, Clone, Copy, Default)]
struct Counts {
    turns: u32,
    actions: u32,
}

/// The last words of a run.
struct Last {
    success: bool,
    answer: Option<String>,
    failure: Option<Failure>,
}

impl Last {
    fn failed(code: FailureCode, message: impl Into<String>, answer: Option<String>) -> Self {
        let failure = Failure {
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
            Ending::Broken { code, text } => {
                Self::failed(FailureCode::TaskFailed, format!("{code}: {text}"), None)
            }
        }
    }
}

fn error(code: &str, message: impl Into<String>, recoverable: bool) -> Early {
    let info = ErrorInfo {
        code: code.to_owned(),
        message: message.into(),
        recoverable: Some(recoverable),
    };
    Early::Error(RunError {
        error: info,
        success: False,
    })
}

async fn whole(
    brief: &Brief<'_>,
    teller: &Teller<'_>,
    meter: Meter,
    secrets: Secrets,
    earlier: &[Entry],
    counts: &mut Counts,
) -> Result<Last, Early> {
    if earlier.iter().any(|it| it.name == "browser:action_started") {
        let text =
            "the worker was lost while it acted on pages; what it did is in this log, and is not done again";
        return Err(error(Code::OutcomeUnknown.as_str(), text, false));
    }
    let seats = seats(brief.services, &meter)?;
    let request = brief.request;
    if earlier.is_empty() {
        set_up(brief, teller, &seats).await?;
    }
    let guardrails = request.guardrails.clone().unwrap_or_default();
    let date = jiff::Timestamp::now().strftime("%Y-%m-%d").to_string();
    let keys = secrets.keys();
    let plan = planned(brief, teller, &seats, &guardrails, &date, &keys).await?;
    let mut grant = Grant::of(request);
    let tab = open(brief, teller).await?;
    let can_see = seats.planner.model.capabilities().images;
    let files = Files::of(&brief.services.uploads);
    let means = Means {
        interactive: request.interactive,
        keys: keys.clone(),
        images: can_see,
        files: !files.is_empty(),
        search: brief.services.search.is_some(),
    };
    let offer = offer::offer(&means, |capability| tab.can(capability));
    let mark = mark_of(brief.id);
    let internal = |it: minijinja::Error| error(Code::Internal.as_str(), it.to_string(), false);
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
    let memory = Memory::new(system, task, offer::size(&offer), &mark);
    let mut driver = Driver {
        teller,
        brief,
        tab,
        course: Course::new(
            Limits::new(request.max_iterations, request.max_validation_attempts),
            start.is_some(),
        ),
        memory,
        eye: Eye::default(),
        grant,
        files,
        secrets,
        evidence: Evidence::default(),
        snapshot: Snapshot::default(),
        seats,
        offer,
        mark,
        labels: 0,
        plan,
        guardrails,
        warning: None,
        picture: None,
        place: None,
        forgot: false,
    };
    let done = driver.see_through(start, counts).await;
    driver.tab.close().await;
    done
}

struct Driver<'a> {
    teller: &'a Teller<'a>,
    brief: &'a Brief<'a>,
    tab: Box<dyn Tab>,
    course: Course,
    memory: Memory,
    eye: Eye,
    grant: Grant,
    files: Files,
    secrets: Secrets,
    evidence: Evidence,
    /// The page as the model was shown it.
    snapshot: Snapshot,
    seats: Seats,
    offer: ToolSet,
    mark: String,
    labels: u32,
    plan: Plan,
    guardrails: String,
    /// What the model is warned of at the next look.
    warning: Option<String>,
    /// What the model is shown at the next question.
    picture: Option<Content>,
    /// The page that readers of the events know to be open.
    place: Option<Url>,
    /// Whether the model has to be shown the page again, because what it was told was given up.
    forgot: bool,
}

impl Driver<'_> {
    async fn see_through(&mut self, start: Option<Url>, counts: &mut Counts) -> Result<Last, Early> {
        if let Err(trouble) = self.begin(start).await? {
            self.course.break_off(trouble);
        }
        loop {
            let next = self.course.next();
            (counts.turns, counts.actions) = (self.course.turns(), self.course.actions());
            match next {
                Next::Turn(turn) => {
                    if turn > 0 {
                        self.tell_counters(turn).await?;
                    }
                    self.brief.run.turn(format!("turn-{}", turn + 1));
                    let step = AgentStep {
                        current_iteration: turn,
                    };
                    self.teller.say(AutomateEvent::AgentStep(step)).await?;
                }
                Next::Look => self.look().await?,
                Next::Think => self.think().await?,
                Next::Do(it) => self.do_move(&it).await?,
                Next::Judge { answer, attempt } => self.judge(&answer, attempt).await?,
                Next::End(ending) => {
                    if counts.turns > 0 {
                        self.tell_counters(counts.turns).await?;
                    }
                    if let Ending::Aborted(reason) = &ending {
                        let action = AgentAction {
                            action: "abort".into(),
                            ref_: None,
                            value: Some(cut(reason, 500)),
                        };
                        self.teller.say(AutomateEvent::AgentAction(action)).await?;
                    }
                    if let Ending::Aborted(reason) | Ending::Repeating(reason) = &ending {
                        let aborted = TaskAborted {
                            reason: reason.clone(),
                            final_answer: reason.clone(),
                        };
                        self.teller.say(AutomateEvent::TaskAborted(aborted)).await?;
                    }
                    return Ok(Last::of(ending));
                }
            }
        }
    }

    async fn tell_counters(&mut self, turns: u32) -> Result<(), Cancelled> {
        let metrics = self.teller.metrics(turns);
        self.teller
            .say(AutomateEvent::TaskMetricsIncremental(metrics))
            .await
    }

    /// Opens the first page, and says that the task has started.
    async fn begin(&mut self, start: Option<Url>) -> Result<Result<(), Trouble>, Cancelled> {
        let mut title = None;
        let mut address = "about:blank".to_owned();
        if let Some(url) = start {
            if let Err(blocked) = self.grant.reaches(&url) {
                let text = format!("{} ({})", blocked.why, blocked.remedy);
                return Ok(Err(Trouble {
                    code: Code::UrlBlocked.as_str().to_owned(),
                    text,
                    fatal: true,
                }));
            }
            let visit = match self.first_visit(&url).await? {
                Ok(visit) => visit,
                Err(it) => {
                    return Ok(Err(Trouble {
                        code: error_codes::browser_code(&it).as_str().to_owned(),
                        text: format!("the start page could not be opened: {it}"),
                        fatal: true,
                    }));
                }
            };
            title = Some(visit.title.clone());
            address = visit.url.to_string();
            // Where the caller's own address sends on to may be visited, though nothing is told there.
            self.grant.arrive(&visit.url);
            self.navigated(&visit).await?;
        }
        let started = TaskStarted {
            task: self.brief.request.task.clone(),
            success_criteria: self.plan.success_criteria.clone(),
            plan: self.plan.plan.clone(),
            url: address,
            action_items: Some(self.plan.action_items.clone()).filter(|it| !it.is_empty()),
            title,
        };
        self.teller.say(AutomateEvent::TaskStarted(started)).await?;
        let enforced = self.grant.rules().enforced();
        if !enforced.is_empty() {
            let text = format!("enforced of the guardrails: {}", enforced.join("; "));
            self.teller.status(text).await?;
        }
        Ok(Ok(()))
    }

    /// The first page, tried twice where trying again may help.
    async fn first_visit(&mut self, url: &Url) -> Result<Result<Visit, browser::Error>, Cancelled> {
        let run = self.brief.run;
        let first = run.until_cancelled(self.tab.goto(url)).await?;
        tell_news(self.teller, self.tab.as_mut()).await?;
        match first {
            Err(it) if error_codes::browser_code(&it).retryable() => {
                self.teller
                    .status(format!("the start page could not be opened ({it}); trying again"))
                    .await?;
                let second = run.until_cancelled(self.tab.goto(url)).await?;
                tell_news(self.teller, self.tab.as_mut()).await?;
                Ok(second)
            }
            done => Ok(done),
        }
    }

    async fn navigated(&mut self, visit: &Visit) -> Result<(), Cancelled> {
        self.place = Some(visit.url.clone());
        let navigated = BrowserNavigated {
            title: visit.title.clone(),
            url: visit.url.to_string(),
        };
        self.teller.say(AutomateEvent::BrowserNavigated(navigated)).await
    }

    /// Tells of a page that came by itself, after whatever was done had been told.
    async fn moved(&mut self, title: &str, url: &Url) -> Result<(), Cancelled> {
        if self.place.as_ref().is_some_and(|it| bare(it) == bare(url)) {
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
