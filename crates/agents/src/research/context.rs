//! ResearchContext: models, search and pages for the phases of one run, each asked once and within the budget.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use llm::budget::{Meter, TokenBudget};
use llm::structured::StructuredRequest;
use llm::{Message, ModelRequest, Models, Role, Usage};
use search::{SearchHit, SearchQuery};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use tracing::{Instrument as _, debug_span};
use wire::error::ErrorBody;
use wire::research::{Activity, ResearchEvent};
use wire::tabstack::ResearchRequest;
use wire::{BrowserEngine, Code};

use super::effort::ResearchEffort;
use super::memo_store::{MemoStore, ReplayJournal};
use super::prompts;
use super::state::ResearchCounters;
use crate::cancel::Cancelled;
use crate::error_codes;
use crate::run::Run;
use crate::run_error::RunError;
use crate::services::AgentServices;

/// Share of the budget that is kept for writing, in per cent.
const FOR_WRITING: u64 = 25;
/// Most tokens of one answer.
const ANSWER: u32 = 4_096;

/// What the phases of one run work with.
pub(crate) struct ResearchContext<'a> {
    pub(crate) run: Run<ResearchEvent>,
    pub(crate) services: &'a AgentServices,
    pub(crate) request: &'a ResearchRequest,
    pub(crate) effort: ResearchEffort,
    pub(crate) memos: MemoStore,
    pub(crate) clock: Arc<ReplayJournal>,
    pub(crate) started_at: i64,
    meter: Meter,
    budget: TokenBudget,
    seconds: u64,
    counters: Mutex<ResearchCounters>,
    activity: Mutex<Option<Activity>>,
}

/// A question to a model.
pub(crate) struct ModelQuestion {
    pub(crate) role: Role,
    /// The key of the recorded answer: the same whenever the run is repeated.
    pub(crate) key: String,
    pub(crate) system: String,
    pub(crate) text: String,
    pub(crate) wanted: StructuredRequest,
}

/// A model's answer as it is recorded in the log.
#[derive(Debug, Default, Serialize, Deserialize)]
struct RecordedAnswer {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    answer: Option<Value>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    failure: Option<RecordedFailure>,
    model: String,
    input: u64,
    output: u64,
    cached: u64,
}

#[derive(Debug, Serialize, Deserialize)]
struct RecordedFailure {
    error: ErrorBody,
    /// No other question can be answered either.
    fatal: bool,
}

/// What a search gave, as the log keeps it.
#[derive(Debug, Serialize, Deserialize)]
struct RecordedSearch {
    hits: Vec<(String, String, String, Option<String>)>,
    kept: bool,
    error: Option<String>,
}

impl ModelQuestion {
    /// The question of a prompt file with its values filled in.
    ///
    /// # Errors
    /// When the prompt or the schema of the answer is broken, which is an error of this program.
    pub(crate) fn new(
        role: Role,
        key: impl Into<String>,
        prompt: &str,
        values: minijinja::Value,
        wanted: Result<StructuredRequest, String>,
    ) -> Result<Self, RunError> {
        let rendered = prompts::render(prompt, values).and_then(|text| Ok((text, wanted?)));
        let (text, wanted) = rendered.map_err(|error| {
            tracing::error!(error, "a prompt of the research agent is broken");
            RunError::fatal(Code::Internal, "a prompt could not be made; please report this")
        })?;
        Ok(Self {
            role,
            key: key.into(),
            system: prompts::SYSTEM.into(),
            text,
            wanted,
        })
    }
}

impl<'a> ResearchContext<'a> {
    pub(crate) fn new(
        run: Run<ResearchEvent>,
        services: &'a AgentServices,
        request: &'a ResearchRequest,
        memos: MemoStore,
        clock: Arc<ReplayJournal>,
    ) -> Self {
        let effort = ResearchEffort::of(request.mode);
        let prices = services
            .models
            .as_ref()
            .map(|model| model.settings().prices())
            .unwrap_or_default();
        let budget = TokenBudget {
            tokens: Some(services.research.tokens.unwrap_or(effort.tokens)),
            micro_dollars: services.research.micro_dollars,
        };
        Self {
            seconds: services.research.seconds.unwrap_or(effort.seconds),
            meter: Meter::new(budget, prices),
            started_at: clock.now(),
            run,
            services,
            request,
            effort,
            memos,
            clock,
            budget,
            counters: Mutex::default(),
            activity: Mutex::default(),
        }
    }

    /// Whether there is a model to ask.
    pub(crate) fn has_model(&self) -> bool {
        self.services.models.is_some()
    }

    /// Counts something.
    pub(crate) fn count(&self, count: impl FnOnce(&mut ResearchCounters)) {
        count(&mut self.counters.lock().unwrap_or_else(PoisonError::into_inner));
    }

    /// What was counted.
    pub(crate) fn counters(&self) -> ResearchCounters {
        self.counters
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .clone()
    }

    /// The phase that the run is in.
    pub(crate) fn activity(&self) -> Option<Activity> {
        *self.activity.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Why no more is gathered, once what may be spent on that is spent.
    pub(crate) fn spent(&self) -> Option<String> {
        let total = self.meter.total();
        let part = |whole: u64| whole - whole * FOR_WRITING / 100;
        let tokens = total.usage.total();
        if let Some(limit) = self.budget.tokens.filter(|it| tokens >= part(*it)) {
            return Some(format!("{tokens} of {limit} tokens are used"));
        }
        #[expect(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "costs are small and positive"
        )]
        let dollars = total.micro_dollars.max(0.0) as u64;
        if self
            .budget
            .micro_dollars
            .is_some_and(|micro_dollars| dollars >= part(micro_dollars))
        {
            return Some(format!("the cost has come to ${:.4}", total.micro_dollars / 1e6));
        }
        let passed = u64::try_from(self.clock.now() - self.started_at).unwrap_or(0) / 1000;
        if passed >= part(self.seconds) {
            return Some(format!("{passed} of {} seconds have passed", self.seconds));
        }
        None
    }

    /// What the run has spent so far, for people.
    pub(crate) fn spending(&self) -> String {
        let total = self.meter.total();
        let mut text = format!("{} tokens", total.usage.total());
        if total.micro_dollars > 0.0 {
            text.push_str(&format!(", ${:.4}", total.micro_dollars / 1e6));
        }
        text
    }

    /// Runs a phase between its start event and its end event. `end` gets the result of a phase that succeeded.
    pub(crate) async fn phase<T>(
        &self,
        activity: Activity,
        start: ResearchEvent,
        part: impl Future<Output = Result<T, RunError>>,
        end: impl FnOnce(Option<&T>) -> ResearchEvent,
    ) -> Result<T, RunError> {
        let outer = self.activity();
        self.set(Some(activity));
        let mut started_at = 0;
        let part = async {
            started_at = self.clock.now();
            part.await
        };
        let span = debug_span!("phase", phase = name(activity));
        let result = self.run.phase(start, part, end).instrument(span).await?;
        let millis = (self.clock.now() - started_at).max(0);
        self.count(|counters| *counters.phases.entry(name(activity)).or_default() += millis);
        self.set(outer);
        Ok(result)
    }

    fn set(&self, activity: Option<Activity>) {
        *self.activity.lock().unwrap_or_else(PoisonError::into_inner) = activity;
    }

    /// Asks a model, once in the life of the run: a run that is taken over reads the recorded answer.
    ///
    /// # Errors
    /// Recoverable when there is no usable answer but the run can go on without; fatal when no model of this
    /// configuration can ever answer.
    pub(crate) async fn ask(&self, question: ModelQuestion) -> Result<Value, RunError> {
        let no_answer = |text: String| RunError::recoverable(Code::ModelFailed, text);
        let Some(models) = &self.services.models else {
            return Err(no_answer("no model is configured".into()));
        };
        let role = question.role;
        let recorded = self
            .memos
            .once(format!("ask {}", question.key), self.answer(models, question));
        let recorded = recorded.await?;
        self.charge(role, &recorded);
        match (recorded.answer, recorded.failure) {
            (Some(value), _) => Ok(value),
            (None, Some(failure)) if failure.fatal => {
                Err(RunError::fatal(failure.error.code, failure.error.message))
            }
            (None, Some(failure)) => Err(no_answer(failure.error.message)),
            (None, None) => Err(no_answer("the model gave no answer".into())),
        }
    }

    /// As [`ResearchContext::ask`], without an answer where the run can go on without one.
    pub(crate) async fn ask_optional(&self, question: ModelQuestion) -> Result<Option<Value>, RunError> {
        match self.ask(question).await {
            Ok(answer) => Ok(Some(answer)),
            Err(RunError::Recoverable(_)) => Ok(None),
            Err(error) => Err(error),
        }
    }

    /// Asks the model of a role, with what is left of the budget.
    async fn answer(&self, models: &Models, question: ModelQuestion) -> Result<RecordedAnswer, Cancelled> {
        // A meter of its own counts this question alone, and ends it where the run's budget ends.
        let spent = self.meter.total().usage.total();
        let left = TokenBudget {
            tokens: self.budget.tokens.map(|limit| limit.saturating_sub(spent)),
            micro_dollars: None,
        };
        let meter = Meter::new(left, llm::budget::ModelPrices::default());
        let mut recorded = RecordedAnswer::default();
        let outcome = match (self.meter.check(), models.seat(question.role, meter.clone())) {
            (Err(error), _) | (_, Err(error)) => Err(error),
            (Ok(()), Ok(model)) => {
                recorded.model = model.model.name().to_owned();
                let request = ModelRequest {
                    max_tokens: Some(ANSWER),
                    ..ModelRequest::new(vec![
                        Message::System(question.system),
                        Message::user(question.text),
                    ])
                };
                let answer = Box::pin(model.ask_for(&request, &question.wanted));
                self.run
                    .until_cancelled(answer)
                    .await?
                    .map(|structured| structured.value)
            }
        };
        let usage = meter.total().usage;
        (recorded.input, recorded.output, recorded.cached) = (usage.input, usage.output, usage.cached);
        match outcome {
            Ok(value) => recorded.answer = Some(value),
            // A weak model's best try is read as far as it goes.
            Err(llm::Error::SchemaMismatch {
                best: Some(value), ..
            }) => recorded.answer = Some(value),
            Err(error) => {
                recorded.failure = Some(RecordedFailure {
                    error: ErrorBody::new(error_codes::model_code(&error), error.to_string()),
                    fatal: error.ends_run() && !matches!(error, llm::Error::BudgetExceeded { .. }),
                });
            }
        }
        Ok(recorded)
    }

    /// Counts the tokens of an answer, also of one that was recorded by an earlier worker.
    fn charge(&self, role: Role, recorded: &RecordedAnswer) {
        let usage = Usage {
            input: recorded.input,
            output: recorded.output,
            cached: recorded.cached,
            estimated: false,
        };
        if usage.total() == 0 {
            return;
        }
        self.meter.charge(role, &recorded.model, usage);
        self.count(|counters| {
            let tokens = counters.tokens.entry(recorded.model.clone()).or_default();
            *tokens = (tokens.0 + recorded.input, tokens.1 + recorded.output);
        });
    }

    /// Searches, once in the life of the run.
    ///
    /// # Errors
    /// Recoverable when the search failed.
    pub(crate) async fn search(&self, text: &str) -> Result<Vec<SearchHit>, RunError> {
        let Some(engine) = &self.services.search else {
            return Err(RunError::recoverable(
                Code::SearchFailed,
                "no search provider is configured",
            ));
        };
        let searched = self.memos.once(format!("search {text}"), async {
            let query = SearchQuery {
                fresh: self.request.nocache || self.request.fetch.nocache.unwrap_or(false),
                cancel: self.run.cancel_signal().token().clone(),
                ..SearchQuery::new(text, self.effort.hits)
            };
            let found = self.run.until_cancelled(engine.search(&query)).await?;
            Ok(match found {
                Ok(found) => RecordedSearch {
                    kept: found.kept,
                    hits: found
                        .hits
                        .into_iter()
                        .map(|hit| (hit.url.to_string(), hit.title, hit.snippet, hit.text))
                        .collect(),
                    error: None,
                },
                Err(error) => RecordedSearch {
                    hits: Vec::new(),
                    kept: false,
                    error: Some(error.to_string()),
                },
            })
        });
        let searched = searched.await?;
        let name = engine.name().to_owned();
        self.count(|counters| {
            *counters.searches.entry(name.clone()).or_default() += 1;
            if searched.kept {
                *counters.cached_searches.entry(name).or_default() += 1;
            }
            counters.searches_failed += u32::from(searched.error.is_some());
        });
        if let Some(error) = searched.error {
            return Err(RunError::recoverable(Code::SearchFailed, error));
        }
        let hit = |(url, title, snippet, text): (String, String, String, Option<String>)| {
            let url = url.parse().ok()?;
            Some(SearchHit {
                url,
                title,
                snippet,
                text,
            })
        };
        Ok(searched.hits.into_iter().filter_map(hit).collect())
    }

    /// Whether pages are opened in a browser at once: the request says so.
    pub(crate) fn wants_browser(&self) -> bool {
        let fetch = &self.request.fetch;
        fetch.needs_browser().is_some() || fetch.engine == Some(BrowserEngine::Chromium)
    }

    /// Longest time for one page.
    pub(crate) fn fetch_timeout(&self) -> Duration {
        let usual = Duration::from_secs(self.effort.fetch_seconds.max(1));
        self.services.pages.timeout.unwrap_or(usual)
    }
}

/// The phase's name, as on the wire.
fn name(activity: Activity) -> &'static str {
    match activity {
        Activity::Prefetching => "prefetching",
        Activity::Planning => "planning",
        Activity::Iteration => "iteration",
        Activity::Searching => "searching",
        Activity::Analyzing => "analyzing",
        Activity::Following => "following",
        Activity::Evaluating => "evaluating",
        Activity::Outlining => "outlining",
        Activity::Writing => "writing",
        Activity::Judging => "judging",
    }
}
