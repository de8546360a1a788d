//! Where the phases work: what they ask of models, search engines and pages, once each, within what may be spent.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use llm::budget::{Budget, Meter};
use llm::structured::Wanted;
use llm::{Message, Request, Role, Usage};
use search::{Hit, Query};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use wire::Code;
use wire::error::ErrorBody;
use wire::research::{Activity, ResearchEvent};
use wire::tabstack::ResearchRequest;

use super::effort::Effort;
use super::kept::{Keeper, Replay};
use super::notebook::Tally;
use crate::cancel::Cancelled;
use crate::error_codes;
use crate::run::Run;
use crate::services::AgentServices;

/// Share of the budget that is kept for writing, in per cent.
const FOR_WRITING: u64 = 25;
/// Most tokens of one answer.
const ANSWER: u32 = 4_096;

/// What runs of this process may spend on one question. What is not set comes from the mode's table.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Limits {
    /// Tokens, read and written together.
    pub tokens: Option<u64>,
    /// Millionths of a dollar.
    pub micro_dollars: Option<u64>,
    /// Seconds.
    pub seconds: Option<u64>,
}

/// Why a phase does not go on.
#[derive(Debug)]
pub(crate) enum Halt {
    Cancelled(Cancelled),
    /// The run ends without a report.
    Failed(ErrorBody),
}

impl From<Cancelled> for Halt {
    fn from(stopped: Cancelled) -> Self {
        Self::Cancelled(stopped)
    }
}

/// Why a model gave no answer that can be used, where the run can go on without it.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct NoAnswer(pub(crate) String);

/// The desk of one run.
pub(crate) struct Desk<'a> {
    pub(crate) run: Run<ResearchEvent>,
    pub(crate) services: &'a AgentServices,
    pub(crate) request: &'a ResearchRequest,
    pub(crate) effort: Effort,
    pub(crate) keeper: Keeper,
    pub(crate) clock: Arc<Replay>,
    pub(crate) began: i64,
    meter: Meter,
    budget: Budget,
    seconds: u64,
    tally: Mutex<Tally>,
    activity: Mutex<Option<Activity>>,
}

/// A question to a model.
pub(crate) struct Ask {
    pub(crate) role: Role,
    /// Under which the answer is kept: the same in every walk of the run.
    pub(crate) key: String,
    pub(crate) system: String,
    pub(crate) text: String,
    pub(crate) wanted: Wanted,
}

/// An answer of a model as the log keeps it.
#[derive(Debug, Serialize, Deserialize)]
struct Said {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    answer: Option<Value>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    failure: Option<Failure>,
    model: String,
    input: u64,
    output: u64,
    cached: u64,
}

#[derive(Debug, Serialize, Deserialize)]
struct Failure {
    error: ErrorBody,
    /// No other question can be answered either.
    fatal: bool,
}

/// What a search gave, as the log keeps it.
#[derive(Debug, Serialize, Deserialize)]
struct Searched {
    hits: Vec<(String, String, String, Option<String>)>,
    kept: bool,
    error: Option<String>,
}

impl<'a> Desk<'a> {
    pub(crate) fn new(
        run: Run<ResearchEvent>,
        services: &'a AgentServices,
        request: &'a ResearchRequest,
        keeper: Keeper,
        clock: Arc<Replay>,
    ) -> Self {
        let effort = Effort::of(request.mode);
        let prices = services
            .models
            .as_ref()
            .map(|model| model.settings().prices())
            .unwrap_or_default();
        let budget = Budget {
            tokens: Some(services.research.tokens.unwrap_or(effort.tokens)),
            micro_dollars: services.research.micro_dollars,
        };
        Self {
            seconds: services.research.seconds.unwrap_or(effort.seconds),
            meter: Meter::new(budget, prices),
            began: clock.now(),
            run,
            services,
            request,
            effort,
            keeper,
            clock,
            budget,
            tally: Mutex::default(),
            activity: Mutex::default(),
        }
    }

    /// Whether there is a model to ask.
    pub(crate) fn has_model(&self) -> bool {
        self.services.models.is_some()
    }

    /// Counts something.
    pub(crate) fn count(&self, count: impl FnOnce(&mut Tally)) {
        count(&mut self.tally.lock().unwrap_or_else(PoisonError::into_inner));
    }

    /// What was counted.
    pub(crate) fn tally(&self) -> Tally {
        self.tally.lock().unwrap_or_else(PoisonError::into_inner).clone()
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
        if self.budget.micro_dollars.is_some_and(|micro_dollars| dollars >= part(micro_dollars)) {
            return Some(format!("the cost has come to ${:.4}", total.micro_dollars / 1e6));
        }
        let passed = u64::try_from(self.clock.now() - self.began).unwrap_or(0) / 1000;
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

    /// Runs a phase: its start is said, and its end whatever becomes of it, with what came of it where it came to its
    /// end.
    pub(crate) async fn phase<T>(
        &self,
        activity: Activity,
        start: ResearchEvent,
        part: impl Future<Output = Result<T, Halt>>,
        end: impl FnOnce(Option<&T>) -> ResearchEvent,
    ) -> Result<T, Halt> {
        let before = self.activity();
        self.set(Some(activity));
        let mut began = 0;
        let part = async {
            began = self.clock.now();
            match part.await {
                Ok(value) => Ok(Ok(value)),
                Err(Halt::Failed(error)) => Ok(Err(error)),
                Err(Halt::Cancelled(stopped)) => Err(stopped),
            }
        };
        let end = |outcome: Result<&Result<T, ErrorBody>, &Cancelled>| match outcome {
            Ok(Ok(value)) => end(Some(value)),
            Ok(Err(_)) | Err(_) => end(None),
        };
        let done = self.run.phase(start, part, end).await?.map_err(Halt::Failed)?;
        let took = self.clock.now() - began;
        self.count(|it| *it.phases.entry(name(activity)).or_default() += took.max(0));
        self.set(before);
        Ok(done)
    }

    fn set(&self, activity: Option<Activity>) {
        *self.activity.lock().unwrap_or_else(PoisonError::into_inner) = activity;
    }

    /// Asks a model, once in the life of the run.
    ///
    /// # Errors
    /// When the run is over, or no model of this configuration can ever answer.
    pub(crate) async fn ask(&self, ask: Ask) -> Result<Result<Value, NoAnswer>, Halt> {
        let Some(models) = &self.services.models else {
            return Ok(Err(NoAnswer("no model is configured".into())));
        };
        let role = ask.role;
        let said = self.keeper.once(format!("ask {}", ask.key), async {
            // A meter of its own counts this question alone, and ends it where the run's budget ends.
            let total = self.meter.total();
            let left = Budget {
                tokens: self
                    .budget
                    .tokens
                    .map(|it| it.saturating_sub(total.usage.total())),
                micro_dollars: None,
            };
            let meter = Meter::new(left, llm::budget::Prices::default());
            let mut said = Said {
                answer: None,
                failure: None,
                model: String::new(),
                input: 0,
                output: 0,
                cached: 0,
            };
            let outcome = match (self.meter.check(), models.seat(role, meter.clone())) {
                (Err(error), _) | (_, Err(error)) => Err(error),
                (Ok(()), Ok(seat)) => {
                    said.model = seat.model.name().to_owned();
                    let request = Request {
                        max_tokens: Some(ANSWER),
                        ..Request::new(vec![Message::System(ask.system), Message::user(ask.text)])
                    };
                    let asked = Box::pin(seat.ask_for(&request, &ask.wanted));
                    self.run.until_cancelled(asked).await?.map(|it| it.value)
                }
            };
            let usage = meter.total().usage;
            (said.input, said.output, said.cached) = (usage.input, usage.output, usage.cached);
            match outcome {
                Ok(value) => said.answer = Some(value),
                // A weak model's best try is read as far as it goes.
                Err(llm::Error::SchemaMismatch {
                    best: Some(value), ..
                }) => said.answer = Some(value),
                Err(error) => {
                    said.failure = Some(Failure {
                        error: ErrorBody::new(error_codes::model_code(&error), error.to_string()),
                        fatal: error.ends_run() && !matches!(error, llm::Error::BudgetExceeded { .. }),
                    });
                }
            }
            Ok(said)
        });
        let said = said.await?;
        let usage = Usage {
            input: said.input,
            output: said.output,
            cached: said.cached,
            estimated: false,
        };
        if usage.total() > 0 {
            self.meter.charge(role, &said.model, usage);
            self.count(|it| {
                let entry = it.tokens.entry(said.model.clone()).or_default();
                *entry = (entry.0 + said.input, entry.1 + said.output);
            });
        }
        match (said.answer, said.failure) {
            (Some(value), _) => Ok(Ok(value)),
            (None, Some(failure)) if failure.fatal => Err(Halt::Failed(failure.error)),
            (None, Some(failure)) => Ok(Err(NoAnswer(failure.error.message))),
            (None, None) => Ok(Err(NoAnswer("the model gave no answer".into()))),
        }
    }

    /// Searches, once in the life of the run.
    ///
    /// # Errors
    /// When the run is over.
    pub(crate) async fn search(&self, text: &str) -> Result<Result<Vec<Hit>, String>, Cancelled> {
        let Some(engine) = &self.services.search else {
            return Ok(Err("no search provider is configured".into()));
        };
        let searched = self.keeper.once(format!("search {text}"), async {
            let query = Query {
                fresh: self.request.nocache,
                cancel: self.run.cancel_signal().token().clone(),
                ..Query::new(text, self.effort.hits)
            };
            let found = self.run.until_cancelled(engine.search(&query)).await?;
            Ok(match found {
                Ok(found) => Searched {
                    kept: found.kept,
                    hits: found
                        .hits
                        .into_iter()
                        .map(|hit| (hit.url.to_string(), hit.title, hit.snippet, hit.text))
                        .collect(),
                    error: None,
                },
                Err(error) => Searched {
                    hits: Vec::new(),
                    kept: false,
                    error: Some(error.to_string()),
                },
            })
        });
        let searched = searched.await?;
        let name = engine.name().to_owned();
        self.count(|it| {
            *it.searches.entry(name.clone()).or_default() += 1;
            if searched.kept {
                *it.cached_searches.entry(name).or_default() += 1;
            }
            it.searches_failed += u32::from(searched.error.is_some());
        });
        if let Some(error) = searched.error {
            return Ok(Err(error));
        }
        let hit = |(url, title, snippet, text): (String, String, String, Option<String>)| {
            let url = url.parse().ok()?;
            Some(Hit {
                url,
                title,
                snippet,
                text,
            })
        };
        Ok(Ok(searched.hits.into_iter().filter_map(hit).collect()))
    }

    /// Longest time for one page.
    pub(crate) fn patience(&self) -> Duration {
        let asked = self.request.fetch_timeout.map(u64::from);
        Duration::from_secs(asked.unwrap_or(self.effort.fetch_seconds).max(1))
    }
}

/// A code for a failure that is no model's.
pub(crate) fn failed(code: Code, text: impl Into<String>) -> Halt {
    Halt::Failed(ErrorBody::new(code, text))
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
