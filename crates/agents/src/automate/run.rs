//! The driver of a run: does what the course says, and tells it and the world what came of it.

use std::collections::BTreeMap;
use std::sync::Arc;

use llm::model::{Choice, Request};
use llm::tool::Offer;
use llm::{Content, Meter, Role, Seat};
use page::quote::Quoted;
use serde_json::json;
use url::Url;
use web::snapshot::View;
use web::{News, Profile, Snapshot, Tab, Visit};
use wire::automate::*;
use wire::input::{Answer, FieldValue};
use wire::tabstack::AutomateRequest;
use wire::{Audience, Code, Entry, RunId};

use super::act::{Done, Fault, Hands};
use super::call::{self, Doing, Means, Move, cut};
use super::course::{Course, Deed, Ending, Limits, Next, Thought, Trouble, Verdict};
use super::grant::Grant;
use super::look::Eye;
use super::memory::Memory;
use super::plan::{self, Plan};
use super::secrets::{Secrets, shape};
use super::tell::Teller;
use super::validate::{self, Case, Evidence};
use super::{ask, form, prompt};
use crate::fault;
use crate::kit::Kit;
use crate::run::Run;
use crate::stop::Stopped;

/// A run ends early: by a stop, or by something that has an end of its own.
pub(super) enum Early {
    /// The run was stopped.
    Stopped(Stopped),
    /// The run broke before it could have a result.
    Error(RunError),
}

impl From<Stopped> for Early {
    fn from(stopped: Stopped) -> Self {
        Self::Stopped(stopped)
    }
}

/// The models of a run.
struct Seats {
    planner: Seat,
    extractor: Seat,
    validator: Seat,
}

/// Everything a run needs, whoever drives it.
pub(super) struct Brief<'a> {
    pub(super) run: &'a Run<AutomateEvent>,
    pub(super) id: &'a RunId,
    pub(super) request: &'a AutomateRequest,
    pub(super) kit: &'a Kit,
    pub(super) audience: Audience,
}

/// Does a run up to its last event.
///
/// # Errors
/// When the run was stopped in a way that leaves its log open.
pub(super) async fn drive(brief: &Brief<'_>, earlier: &[Entry]) -> Result<(), Stopped> {
    let began = jiff::Timestamp::now().as_millisecond();
    let meter = Meter::default();
    let secrets = Secrets::of(brief.request.data.as_ref());
    let teller = Teller::new(brief.run, brief.audience, meter.clone(), secrets.clone());
    let mut counts = Counts::default();
    let ended = whole(brief, &teller, meter, secrets, earlier, &mut counts).await;
    let ending = match ended {
        Ok(ending) => ending,
        Err(Early::Stopped(stopped)) if stopped.leaves_the_log_open() => return Err(stopped),
        Err(Early::Stopped(stopped)) => Last::stopped(&stopped),
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

    fn stopped(stopped: &Stopped) -> Self {
        let code = match stopped {
            Stopped::TimedOut { .. } => FailureCode::TaskFailed,
            _ => FailureCode::TaskAborted,
        };
        let name = fault::code_of_stop(stopped);
        Self::failed(code, format!("{}: {stopped}", name.as_str()), None)
    }

    fn of(ending: Ending) -> Self {
        match ending {
            Ending::Accepted(answer) => Self {
                success: true,
                answer: Some(answer),
                failure: None,
            },
            Ending::Aborted(reason) => Self::failed(FailureCode::TaskAborted, reason.clone(), Some(reason)),
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
    let seats = seats(brief.kit, &meter)?;
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
    let means = Means {
        interactive: request.interactive,
        keys: keys.clone(),
        images: can_see,
    };
    let offer = call::offer(&means, |capability| tab.can(capability));
    let mark = mark_of(brief.id);
    let internal = |it: minijinja::Error| error(Code::Internal.as_str(), it.to_string(), false);
    let system = prompt::render("system", &json!({"interactive": request.interactive})).map_err(internal)?;
    let with = json!({
        "task": request.task, "date": date, "criteria": plan.success_criteria, "plan": plan.plan, "items": plan.action_items,
        "guardrails": guardrails, "keys": keys,
    });
    let task = prompt::render("task", &with).map_err(internal)?;
    let start = match &request.url {
        Some(url) => Url::parse(url).ok(),
        None => plan.start(),
    };
    if let (None, Some(start)) = (&request.url, &start) {
        grant.plan(start);
    }
    let memory = Memory::new(system, task, &mark);
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
    };
    let done = driver.see_through(start, counts).await;
    driver.tab.close().await;
    done
}

fn seats(kit: &Kit, meter: &Meter) -> Result<Seats, Early> {
    let Some(models) = &kit.models else {
        let text = "no model is configured: set HUNTSMAN_LLM_PROVIDER and HUNTSMAN_LLM_MODEL";
        return Err(error(Code::ModelNotConfigured.as_str(), text, false));
    };
    let seat = |role| {
        models
            .seat(role, meter.clone())
            .map_err(|it| error(it.code(), it.to_string(), false))
    };
    Ok(Seats {
        planner: seat(Role::Planner)?,
        extractor: seat(Role::Extractor)?,
        validator: seat(Role::Validator)?,
    })
}

async fn set_up(brief: &Brief<'_>, teller: &Teller<'_>, seats: &Seats) -> Result<(), Stopped> {
    let request = brief.request;
    let trace_id = brief.id.as_str().trim_start_matches("run_").to_owned();
    let is_trace = trace_id.len() == 32 && trace_id.bytes().all(|it| it.is_ascii_hexdigit());
    let trace_id = if is_trace {
        trace_id
    } else {
        digest(brief.id.as_str())
    };
    let trace = TaskTraceContext { trace_id };
    teller.say(AutomateEvent::TaskTraceContext(trace)).await?;
    let settings = brief.kit.models.as_ref().map(|it| it.settings());
    let keyed = settings.is_some_and(|it| it.api_key.is_some());
    let setup = TaskSetup {
        task: request.task.clone(),
        browser_name: brief.kit.browser.name().to_owned(),
        url: request.url.clone(),
        guardrails: request.guardrails.clone(),
        data: request.data.as_ref().map(shape),
        has_api_key: Some(keyed),
        key_source: Some(if keyed {
            KeySource::Global
        } else {
            KeySource::NotSet
        }),
        model: Some(seats.planner.model.name().to_owned()),
        provider: settings.and_then(|it| it.provider.clone()),
        vision: Some(seats.planner.model.capabilities().images),
        ..TaskSetup::default()
    };
    teller.say(AutomateEvent::TaskSetup(setup)).await
}

/// A trace id for a run whose own id is none.
fn digest(text: &str) -> String {
    use std::hash::{DefaultHasher, Hash as _, Hasher as _};
    let half = |salt: u8| {
        let mut hasher = DefaultHasher::new();
        (salt, text).hash(&mut hasher);
        hasher.finish()
    };
    format!("{:016x}{:016x}", half(1), half(2) | 1)
}

/// A word for labels that no page can know: made of the run's unguessable id.
fn mark_of(id: &RunId) -> String {
    digest(id.as_str()).get(..6).unwrap_or("k").to_owned()
}

async fn planned(
    brief: &Brief<'_>,
    teller: &Teller<'_>,
    seats: &Seats,
    guardrails: &str,
    date: &str,
    keys: &[String],
) -> Result<Plan, Early> {
    ask::announce(teller, "making the plan".into(), false).await?;
    teller.status("making a plan").await?;
    let request = brief.request;
    let with = json!({
        "task": request.task, "date": date, "url": request.url.clone().unwrap_or_default(), "guardrails": guardrails,
        "keys": keys,
    });
    match plan::make(teller, &seats.planner, &with).await? {
        Ok(plan) => {
            teller.status("the plan is made").await?;
            Ok(plan)
        }
        Err(Trouble { code, text, fatal }) => {
            Err(error(&code, format!("no plan could be made: {text}"), !fatal))
        }
    }
}

async fn open(brief: &Brief<'_>, teller: &Teller<'_>) -> Result<Box<dyn Tab>, Early> {
    let profile = Profile {
        granted: brief.kit.granted.clone(),
        cancel: brief.run.stop().token().clone(),
        ..Profile::default()
    };
    let opened = brief.run.or_stop(brief.kit.browser.open(profile)).await?;
    let mut tab = opened.map_err(|it| error(fault::code_of_web(&it).as_str(), it.to_string(), true))?;
    tell_news(teller, tab.as_mut()).await?;
    Ok(tab)
}

/// Tells what happened to the browser; true when another one took over.
async fn tell_news(teller: &Teller<'_>, tab: &mut dyn Tab) -> Result<bool, Stopped> {
    let number = |it: usize| u32::try_from(it).unwrap_or(u32::MAX);
    let mut replaced = false;
    for news in tab.news() {
        let event = match news {
            News::EndpointCycle {
                attempt,
                total,
                error,
            } => AutomateEvent::CdpEndpointCycle(CdpEndpointCycle {
                attempt: number(attempt),
                total: number(total),
                error: error.to_owned(),
            }),
            News::EndpointConnected { index, total } => {
                AutomateEvent::CdpEndpointConnected(CdpEndpointConnected {
                    endpoint_index: number(index),
                    total: number(total),
                })
            }
            News::Reconnected { url, index, total } => {
                replaced = true;
                AutomateEvent::BrowserReconnected(BrowserReconnected {
                    starting_url: url.map(String::from).unwrap_or_else(|| "about:blank".to_owned()),
                    endpoint_index: number(index),
                    total: number(total),
                })
            }
        };
        teller.say(event).await?;
    }
    Ok(replaced)
}

struct Driver<'a> {
    teller: &'a Teller<'a>,
    brief: &'a Brief<'a>,
    tab: Box<dyn Tab>,
    course: Course,
    memory: Memory,
    eye: Eye,
    grant: Grant,
    secrets: Secrets,
    evidence: Evidence,
    /// The page as the model was shown it.
    snapshot: Snapshot,
    seats: Seats,
    offer: Offer,
    mark: String,
    labels: u32,
    plan: Plan,
    guardrails: String,
    /// What the model is warned of at the next look.
    warning: Option<String>,
    /// What the model is shown at the next question.
    picture: Option<Content>,
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

    async fn tell_counters(&mut self, turns: u32) -> Result<(), Stopped> {
        let metrics = self.teller.metrics(turns);
        self.teller
            .say(AutomateEvent::TaskMetricsIncremental(metrics))
            .await
    }

    /// Opens the first page, and says that the task has started.
    async fn begin(&mut self, start: Option<Url>) -> Result<Result<(), Trouble>, Stopped> {
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
                        code: fault::code_of_web(&it).as_str().to_owned(),
                        text: format!("the start page could not be opened: {it}"),
                        fatal: true,
                    }));
                }
            };
            title = Some(visit.title.clone());
            address = visit.url.to_string();
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
    async fn first_visit(&mut self, url: &Url) -> Result<Result<Visit, web::Error>, Stopped> {
        let run = self.brief.run;
        let first = run.or_stop(self.tab.goto(url)).await?;
        tell_news(self.teller, self.tab.as_mut()).await?;
        match first {
            Err(it) if fault::code_of_web(&it).retryable() => {
                self.teller
                    .status(format!("the start page could not be opened ({it}); trying again"))
                    .await?;
                let second = run.or_stop(self.tab.goto(url)).await?;
                tell_news(self.teller, self.tab.as_mut()).await?;
                Ok(second)
            }
            done => Ok(done),
        }
    }

    async fn navigated(&mut self, visit: &Visit) -> Result<(), Stopped> {
        let navigated = BrowserNavigated {
            title: visit.title.clone(),
            url: visit.url.to_string(),
        };
        self.teller.say(AutomateEvent::BrowserNavigated(navigated)).await
    }

    fn label(&mut self) -> String {
        self.labels += 1;
        format!("{}n{}", self.mark, self.labels)
    }

    async fn look(&mut self) -> Result<(), Stopped> {
        let seen = self.brief.run.or_stop(self.tab.snapshot()).await?;
        let replaced = tell_news(self.teller, self.tab.as_mut()).await?;
        let snapshot = match seen {
            Ok(snapshot) => snapshot,
            Err(it) => {
                let label = self.label();
                let fault = Fault::of(&it, &label);
                self.memory
                    .say(&format!("The page cannot be shown: {}", fault.text), None);
                self.course.blind(fault.fatal.unwrap_or(Trouble {
                    code: it.code().to_owned(),
                    text: it.to_string(),
                    fatal: false,
                }));
                return Ok(());
            }
        };
        let again = replaced || self.memory.is_full();
        let sight = self.eye.show(&snapshot, again, &self.mark, &self.secrets);
        let mut text = sight.text.clone();
        if let Some(warning) = self.warning.take() {
            text = format!("{warning}\n\n{text}");
        }
        let picture = self.picture.take();
        self.memory.show(&text, sight.whole, picture);
        let address = snapshot.url.as_ref().map(|it| it.to_string()).unwrap_or_default();
        let view = View {
            bytes: 16_000,
            ..View::default()
        };
        self.evidence.see(
            &self.secrets.mask(&address),
            &self.secrets.mask(&snapshot.text(&view)),
        );
        let page = snapshot.url.clone();
        let links = snapshot.nodes.iter().filter_map(|it| it.link.as_deref());
        let links = links.filter_map(|it| Url::options().base_url(page.as_ref()).parse(it).ok());
        self.grant.see(links);
        self.snapshot = snapshot;
        if self.teller.is_heard(Audience::Debug) {
            let (before, after) = sight.sizes;
            let percent = if before == 0 {
                0.0
            } else {
                // Page sizes are far below 2^53.
                #[allow(clippy::cast_precision_loss)]
                let share = 1.0 - after as f64 / before as f64;
                (share * 1000.0).round() / 10.0
            };
            let compression = DebugCompression {
                original_size: before as u64,
                compressed_size: after as u64,
                compression_percent: wire::num::Num::new(percent),
            };
            self.teller
                .say(AutomateEvent::DebugCompression(compression))
                .await?;
        }
        self.course.looked(sight.page);
        Ok(())
    }

    async fn think(&mut self) -> Result<(), Stopped> {
        if let Some(warning) = self.warning.take() {
            self.memory.say(&warning, None);
        }
        let picture = self.picture.take();
        let has_screenshot = picture.is_some();
        if has_screenshot {
            self.memory.say("The picture you asked for:", picture);
        }
        ask::announce(self.teller, "choosing the next action".into(), has_screenshot).await?;
        let request = Request {
            tools: self.offer.clone(),
            choice: Choice::Required,
            max_tokens: Some(5000),
            ..Request::new(self.memory.messages())
        };
        let turn = match ask::turn(self.teller, &self.seats.planner, &request).await? {
            Ok(turn) => turn,
            Err(it) => {
                let trouble = ask::trouble(&it);
                if !trouble.fatal {
                    let text = format!(
                        "the model gave no answer ({}: {}); trying again",
                        trouble.code, trouble.text
                    );
                    self.teller.status(text).await?;
                }
                if matches!(it, llm::Error::ContextTooLong { .. }) {
                    self.memory.shorten();
                }
                self.course.thought(Thought::Failed(trouble), |_| String::new());
                return Ok(());
            }
        };
        let reasoning = [&turn.reasoning, &turn.text];
        let reasoning = reasoning.into_iter().find(|it| !it.trim().is_empty());
        if let Some(reasoning) = reasoning {
            let reasoned = AgentReasoned {
                reasoning: reasoning.trim().to_owned(),
            };
            self.teller.say(AutomateEvent::AgentReasoned(reasoned)).await?;
        }
        self.memory.take(&turn);
        let (mut moves, mut refused) = (Vec::new(), 0);
        for call in &turn.calls {
            match call.as_ref().map(|it| (it, Move::read(it))) {
                Ok((_, Ok(it))) => moves.push(it),
                Ok((call, Err(why))) => {
                    refused += 1;
                    self.memory.answer(call.id(), &why, true);
                }
                Err(malformed) => {
                    refused += 1;
                    let text = format!("a tool call could not be used ({})", malformed.why.code());
                    self.teller.status(text).await?;
                }
            }
        }
        if turn.calls.is_empty() {
            self.memory.say(
                "Nothing was done: call a tool. If the task is finished, call done.",
                None,
            );
        }
        let snapshot = &self.snapshot;
        let words = self
            .course
            .thought(Thought::Moves { moves, refused }, |it| print(it, snapshot));
        self.tell_words(words).await
    }

    async fn tell_words(&mut self, words: super::course::Words) -> Result<(), Stopped> {
        for (call, why) in words.skipped {
            self.memory.answer(&call, &why, true);
        }
        if let Some(warning) = words.warning {
            self.teller.status(warning.clone()).await?;
            self.warning = Some(warning);
        }
        Ok(())
    }

    async fn do_move(&mut self, it: &Move) -> Result<(), Stopped> {
        let shown = it.shown();
        self.teller.say(AutomateEvent::AgentAction(shown.clone())).await?;
        if it.touches_tab() {
            self.teller
                .say(AutomateEvent::BrowserActionStarted(shown.clone()))
                .await?;
        }
        let deed = self.describe(it);
        let outcome = self.perform(it).await?;
        if it.touches_tab() {
            let completed = BrowserActionCompleted {
                success: outcome.is_ok(),
                error: outcome.as_ref().err().map(|it| it.shown.clone()),
                action: Some(it.tool.clone()),
                is_recoverable: outcome.as_ref().err().map(|it| it.fatal.is_none()),
            };
            self.teller
                .say(AutomateEvent::BrowserActionCompleted(completed))
                .await?;
        }
        if tell_news(self.teller, self.tab.as_mut()).await? {
            self.warning =
                Some("The browser was lost and another one took over; the page was opened again.".into());
        }
        match outcome {
            Ok(done) => {
                if let (Doing::Pause(time), true) = (&it.doing, done.visit.is_none()) {
                    let seconds = wire::num::Num::new(time.as_secs_f64());
                    self.teller
                        .say(AutomateEvent::AgentWaiting(AgentWaiting { seconds }))
                        .await?;
                }
                let mut deed = deed;
                if let Some(visit) = &done.visit {
                    self.navigated(visit).await?;
                    deed.push_str(&format!(" -> {} {}", visit.title, visit.url));
                }
                self.memory.note(self.secrets.mask(&deed));
                self.memory.answer(&it.id, &done.text, false);
                let came = if done.surprise {
                    Deed::Surprise
                } else {
                    Deed::Quiet
                };
                let words = self.course.did(came, "");
                self.tell_words(words).await
            }
            Err(fault) => {
                self.memory.note(self.secrets.mask(&format!("{deed}: not done")));
                self.memory.answer(&it.id, &fault.text, true);
                let words = self.course.did(Deed::Failed, &fault.shown);
                self.tell_words(words).await?;
                if let Some(trouble) = fault.fatal {
                    self.course.break_off(trouble);
                }
                Ok(())
            }
        }
    }

    async fn perform(&mut self, it: &Move) -> Result<Result<Done, Fault>, Stopped> {
        match &it.doing {
            Doing::Pause(time) => {
                self.brief.run.or_stop(tokio::time::sleep(*time)).await?;
                let text = "done".to_owned();
                return Ok(Ok(Done {
                    text,
                    ..Done::default()
                }));
            }
            Doing::Extract(wanted) => return self.extract(wanted).await,
            Doing::Screenshot => return self.screenshot().await,
            Doing::AskUser { description, targets } => return self.ask_person(description, targets).await,
            _ => {}
        }
        let label = self.label();
        let mut hands = Hands {
            tab: self.tab.as_mut(),
            grant: &mut self.grant,
            secrets: &self.secrets,
            snapshot: &self.snapshot,
            label: &label,
        };
        let doing = match it.doing.clone() {
            Doing::Act(action) => Doing::Act(hands.without_keys(action)),
            other => other,
        };
        self.brief.run.or_stop(hands.act(&doing)).await
    }

    /// Asks the person for values and fills them in, until the page takes them.
    async fn ask_person(
        &mut self,
        description: &str,
        targets: &[web::Ref],
    ) -> Result<Result<Done, Fault>, Stopped> {
        let run = self.brief.run;
        if !self.brief.request.interactive {
            return Ok(Err(Fault::plain("nobody can be asked in this run")));
        }
        let fields = match form::fields(&self.snapshot, targets) {
            Ok(fields) => fields,
            Err(why) => return Ok(Err(Fault::plain(why))),
        };
        let mut field_errors = BTreeMap::new();
        for _ in 0..ROUNDS {
            let Some(question) = run.question() else {
                return Ok(Err(Fault::plain("nobody can be asked in this run")));
            };
            let asked = FormDataRequest {
                request_id: question.clone(),
                page_url: self.tab.url().map(String::from).unwrap_or_default(),
                page_title: self.snapshot.title.clone(),
                form_description: description.to_owned(),
                fields: fields.clone(),
            };
            self.teller.say(again(&asked, &field_errors)).await?;
            let values = match run.ask(&question).await? {
                Some(Answer::Fields(values)) => values,
                Some(Answer::Cancelled) => {
                    let text = "the person does not give these values; go on without them, or abort";
                    return Ok(Err(Fault::plain(text)));
                }
                None => {
                    let late = "no answer came in time";
                    let errors = BTreeMap::from([("_callback".to_owned(), late.to_owned())]);
                    self.teller.say(again(&asked, &errors)).await?;
                    return Ok(Err(Fault::plain(format!(
                        "{late}; go on without these values, or abort"
                    ))));
                }
            };
            field_errors = self.fill_in(&fields, values).await?;
            if field_errors.is_empty() {
                let text = format!(
                    "done; the person's values are in {} fields, and you cannot see them",
                    fields.len()
                );
                return Ok(Ok(Done {
                    text,
                    ..Done::default()
                }));
            }
        }
        let wrong: Vec<&str> = field_errors.keys().map(String::as_str).collect();
        let text = format!(
            "the page does not take the values of the person for: {}",
            wrong.join(", ")
        );
        Ok(Err(Fault::plain(text)))
    }

    /// Fills in what a person gave; what the page did not take, by ref.
    async fn fill_in(
        &mut self,
        fields: &[FormField],
        values: Vec<FieldValue>,
    ) -> Result<BTreeMap<String, String>, Stopped> {
        let run = self.brief.run;
        let mut wrong = BTreeMap::new();
        let label = self.label();
        for FieldValue { ref_, value } in values {
            let Some(field) = fields.iter().find(|it| it.ref_ == ref_) else {
                continue;
            };
            let Ok(target) = ref_.parse::<web::Ref>() else {
                continue;
            };
            if value.is_empty() {
                continue;
            }
            self.secrets.hide(&field.label, &value);
            self.teller.hide(&field.label, &value);
            self.grant.approve(target);
            let element = self.snapshot.find(target).cloned().unwrap_or_default();
            let mut hands = Hands {
                tab: self.tab.as_mut(),
                grant: &mut self.grant,
                secrets: &self.secrets,
                snapshot: &self.snapshot,
                label: &label,
            };
            if let Err(fault) = run.or_stop(hands.put(target, &element, &value)).await? {
                wrong.insert(ref_, self.secrets.mask(&fault.shown));
            }
        }
        if let Ok(now) = run.or_stop(self.tab.snapshot()).await? {
            for element in form::invalid(&now, fields) {
                let target = element.target.map(|it| it.to_string()).unwrap_or_default();
                wrong
                    .entry(target)
                    .or_insert_with(|| "the page says that this value is not valid".into());
            }
        }
        Ok(wrong)
    }

    async fn extract(&mut self, wanted: &str) -> Result<Result<Done, Fault>, Stopped> {
        let label = self.label();
        let page = match self.brief.run.or_stop(self.tab.page()).await? {
            Ok(page) => page,
            Err(it) => return Ok(Err(Fault::of(&it, &label))),
        };
        // Rendering a page is pure computing, and may take longer than a thread that serves others should be kept.
        let reading = tokio::task::spawn_blocking(move || {
            let page = Arc::clone(&page);
            page::markdown::render_page(&page)
        });
        let Ok(text) = self.brief.run.or_stop(reading).await? else {
            return Ok(Err(Fault::plain("reading the page failed")));
        };
        let text = self.secrets.mask(&text);
        let with = json!({
            "wanted": wanted,
            "page": Quoted::new(&label, &text, 120_000).as_str(),
        });
        let prompt = match prompt::render("extract", &with) {
            Ok(prompt) => prompt,
            Err(it) => return Ok(Err(Fault::plain(it.to_string()))),
        };
        ask::announce(self.teller, "reading the page".into(), false).await?;
        let request = Request {
            max_tokens: Some(5000),
            ..Request::new(vec![llm::Message::user(prompt)])
        };
        let answered = ask::turn(self.teller, &self.seats.extractor, &request).await?;
        let read = match answered {
            Ok(turn) => self.secrets.mask(turn.text.trim()),
            Err(it) => {
                let trouble = ask::trouble(&it);
                let text = format!("the page could not be read ({}: {})", trouble.code, trouble.text);
                let mut fault = Fault::plain(text);
                fault.fatal = trouble.fatal.then_some(trouble);
                return Ok(Err(fault));
            }
        };
        self.evidence.read(&read);
        let extracted = AgentExtracted {
            extracted_data: read.clone(),
        };
        self.teller.say(AutomateEvent::AgentExtracted(extracted)).await?;
        let label = self.label();
        let text = format!("Read from the page:\n{}", Quoted::new(&label, &read, 20_000));
        Ok(Ok(Done {
            text,
            ..Done::default()
        }))
    }

    async fn screenshot(&mut self) -> Result<Result<Done, Fault>, Stopped> {
        let label = self.label();
        let png = match self.brief.run.or_stop(self.tab.screenshot(false)).await? {
            Ok(png) => png,
            Err(it) => return Ok(Err(Fault::of(&it, &label))),
        };
        let captured = BrowserScreenshotCaptured {
            format: ImageFormat::Png,
            size: png.len() as u64,
        };
        self.teller
            .say(AutomateEvent::BrowserScreenshotCaptured(captured))
            .await?;
        let content = Content::image("image/png", &png);
        if let Content::Image { data, .. } = &content {
            let image = BrowserScreenshotCapturedImage {
                image: data.clone(),
                media_type: ImageMediaType::Png,
            };
            self.teller
                .say(AutomateEvent::BrowserScreenshotCapturedImage(image))
                .await?;
        }
        self.picture = Some(content);
        Ok(Ok(Done {
            text: "done; the picture follows".to_owned(),
            ..Done::default()
        }))
    }

    async fn judge(&mut self, answer: &str, attempt: u32) -> Result<(), Stopped> {
        let action = AgentAction {
            action: "done".into(),
            ref_: None,
            value: Some(cut(answer, 500)),
        };
        self.teller.say(AutomateEvent::AgentAction(action)).await?;
        ask::announce(
            self.teller,
            format!("validating the answer, attempt {attempt}"),
            false,
        )
        .await?;
        let case = Case {
            task: &self.brief.request.task,
            criteria: &self.plan.success_criteria,
            guardrails: &self.guardrails,
            answer,
            deeds: self.memory.deeds(),
            evidence: &self.evidence,
            mark: &self.mark,
        };
        let verdict = validate::judge(self.teller, &self.seats.validator, &case).await?;
        let (verdict, raw, told) = match verdict {
            Ok((judgement, raw)) => {
                let validated = TaskValidated {
                    observation: judgement.task_assessment.clone(),
                    completion_quality: judgement.completion_quality,
                    final_answer: answer.to_owned(),
                    feedback: judgement.feedback.clone(),
                };
                self.teller.say(AutomateEvent::TaskValidated(validated)).await?;
                if judgement.completion_quality.is_accepted() {
                    self.memory.answer_rest("accepted", false);
                    self.course.judged(Verdict::Accepted);
                    return Ok(());
                }
                let feedback = judgement.feedback.filter(|it| !it.trim().is_empty());
                let feedback = feedback.unwrap_or(judgement.task_assessment);
                (Verdict::Refused(feedback.clone()), raw, feedback)
            }
            Err((trouble, raw)) => {
                let told = format!(
                    "the answer could not be judged ({}: {})",
                    trouble.code, trouble.text
                );
                (Verdict::Missing(trouble), raw, told)
            }
        };
        let label = self.label();
        let quoted = Quoted::new(&label, &told, 4000);
        self.memory
            .answer_rest(&format!("The answer was not accepted:\n{quoted}"), true);
        self.memory.note("gave an answer that was not accepted".into());
        self.course.judged(verdict);
        let refused = TaskValidationError {
            errors: vec![told.clone()],
            retry_count: self.course.refused_answers(),
            raw_response: raw,
            feedback: Some(told),
        };
        self.teller.say(AutomateEvent::TaskValidationError(refused)).await
    }

    /// A move in one line, as the folded history and the judge read it.
    fn describe(&self, it: &Move) -> String {
        let shown = it.shown();
        let mut line = shown.action;
        if let Some(element) = shown
            .ref_
            .as_deref()
            .and_then(|it| it.parse().ok())
            .and_then(|it| self.snapshot.find(it))
        {
            line.push_str(&format!(" {} {:?}", element.role, cut(&element.name, 80)));
        }
        if let Some(value) = shown.value {
            line.push_str(&format!(" {:?}", cut(&value, 120)));
        }
        line
    }
}

/// How often a person is asked for the same fields.
const ROUNDS: usize = 3;

/// A question, or the same question again with what was wrong.
fn again(asked: &FormDataRequest, errors: &BTreeMap<String, String>) -> AutomateEvent {
    if errors.is_empty() {
        return AutomateEvent::FormDataRequest(asked.clone());
    }
    let FormDataRequest {
        request_id,
        page_url,
        page_title,
        form_description,
        fields,
    } = asked.clone();
    AutomateEvent::FormDataError(FormDataError {
        request_id,
        page_url,
        page_title,
        form_description,
        fields,
        field_errors: errors.clone(),
    })
}

/// What a move is, apart from the numbers of refs.
fn print(it: &Move, snapshot: &Snapshot) -> String {
    let shown = it.shown();
    let target = shown.ref_.as_deref().and_then(|it| it.parse().ok());
    let element = target.and_then(|it| snapshot.find(it));
    let (role, name) = element.map_or(("", ""), |it| (it.role.as_str(), it.name.as_str()));
    // Two nameless elements are two; their refs tell them apart, as long as they live.
    let number = if name.is_empty() {
        shown.ref_.unwrap_or_default()
    } else {
        String::new()
    };
    format!(
        "{} {role} {name} {number} {}",
        shown.action,
        shown.value.unwrap_or_default()
    )
}
