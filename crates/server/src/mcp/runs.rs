//! Runs behind calls: begun or joined, and followed for a while.

use std::time::Duration;

use data_encoding::HEXLOWER;
use futures_util::StreamExt as _;
use rmcp::RoleServer;
use rmcp::model::ProgressNotificationParam;
use rmcp::service::RequestContext;
use runtime::ServiceError;
use runtime::service::Submission;
use sha2::{Digest as _, Sha256};
use tokio::time::{Instant, MissedTickBehavior};
use wire::automate::{FormDataError, FormDataRequest};
use wire::run::{JobRequest, RunSpec, RunStatus};
use wire::{Audience, Code, LogEntry, RequestId, RunId};

use super::followers::RunOrigin;
use super::session::Session;
use crate::{metrics, submit};

/// How long a call waits for its run, unless the client asks for another time: less than the minute after which clients
/// give up.
pub(super) const PATIENCE: Duration = Duration::from_secs(45);
/// How often a waiting client hears of its run.
const PROGRESS: Duration = Duration::from_secs(10);
/// How many events at the end of a log are looked at for an open question: nothing that readers see comes after one.
pub(super) const TAIL: u64 = 50;

/// How a run stands when a call stops waiting for it.
pub(super) enum Standing {
    /// It has ended.
    Ended,
    /// It goes on; so many events were seen.
    Running { events: u64 },
    /// It waits for a person.
    Asks(Box<FormDataRequest>),
}

impl Session {
    /// Begins a run; an equal one of the same owner that is still under way is joined, unless `fresh`.
    pub(super) async fn begin(
        &self,
        job: JobRequest,
        fresh: bool,
    ) -> Result<(RunId, RunOrigin), ServiceError> {
        self.state.workers.check_for(&self.caller.name(), &job).await?;
        let admitted = submit::admitted(&self.state.tenants, &self.caller).await?;
        let spec = RunSpec {
            job,
            owner: self.caller.name(),
            audience: self.state.audience,
            detached: true,
            trace: None,
            trace_parent: runtime::trace_parent::current(),
            budget: admitted.budget,
        };
        let service = &self.state.service;
        let run = if fresh {
            let options = Submission {
                admission: admitted.admission,
                ..Submission::default()
            };
            service.submit(&spec, options).await?
        } else {
            let text = serde_json::to_string(&spec.job).unwrap_or_default();
            let digest = Sha256::new().chain_update(&text).finalize();
            let digest = HEXLOWER.encode(digest.get(..16).unwrap_or_default());
            service.join_or_submit(&spec, &digest, admitted.admission).await?
        };
        if !run.is_new {
            return Ok((run.id, RunOrigin::Joined));
        }
        metrics::run(spec.job.kind().as_str());
        Ok((run.id, RunOrigin::Begun))
    }

    /// Follows a run until it ends, asks a person, or the time is over. `answered` is a question that has its answer.
    ///
    /// # Errors
    /// When there is no such run that the caller may see, or the call was cancelled.
    pub(super) async fn follow(
        &self,
        run: &RunId,
        origin: RunOrigin,
        patience: Duration,
        answered: Option<&RequestId>,
        context: &RequestContext<RoleServer>,
    ) -> Result<Standing, ServiceError> {
        let service = &self.state.service;
        let summary = service.run_summary(self.caller.sees(), run).await?;
        if summary.status.is_final() {
            return Ok(Standing::Ended);
        }
        let follower = self.state.followers.enter(run, origin);
        // A client comes back every minute, and the log of a crawl is long.
        let mut seen = summary.last_seq.saturating_sub(TAIL);
        let events = service
            .events(self.caller.sees(), run, seen, Audience::Public)
            .await?;
        let mut events = std::pin::pin!(events);
        let mut question = OpenQuestion::default();
        let deadline = tokio::time::sleep_until(Instant::now() + patience);
        let mut deadline = std::pin::pin!(deadline);
        let mut tick = tokio::time::interval(PROGRESS);
        tick.set_missed_tick_behavior(MissedTickBehavior::Delay);
        loop {
            tokio::select! {
                biased;
                () = context.ct.cancelled() => {
                    return Err(ServiceError::new(Code::TaskAborted, "the call was cancelled"));
                }
                entry = events.next() => match entry {
                    None => {
                        follower.told();
                        return Ok(Standing::Ended);
                    }
                    Some(entry) => {
                        let entry = entry?;
                        seen = entry.seq;
                        question.read(&entry);
                        if entry.seq < summary.last_seq {
                            continue;
                        }
                    }
                },
                _ = tick.tick() => {
                    // Noted before it is sent: a client may hear of it and leave before this goes on.
                    follower.told();
                    if !progress(run, seen, context).await {
                        follower.not_told();
                    }
                }
                () = &mut deadline => {
                    follower.told();
                    return Ok(Standing::Running { events: seen });
                }
                () = self.state.closing.cancelled() => {
                    follower.told();
                    return Ok(Standing::Running { events: seen });
                }
            }
            if let Some(asked) = question.0.take_if(|it| Some(&it.request_id) != answered) {
                follower.told();
                return Ok(Standing::Asks(asked));
            }
        }
    }

    /// Waits with a client whose person is asked, so that it does not give up.
    pub(super) async fn keep_alive(&self, run: &RunId, context: &RequestContext<RoleServer>) {
        let mut tick = tokio::time::interval(PROGRESS);
        let mut count = 0;
        loop {
            tick.tick().await;
            count += 1;
            progress(run, count, context).await;
        }
    }
}

/// Tells a client that asked for it how far its run is; whether the message may have reached the client. A connection that
/// closes meanwhile does not say whether the message went out, and a run that goes on for nobody costs less than one that
/// is lost to its client.
async fn progress(run: &RunId, events: u64, context: &RequestContext<RoleServer>) -> bool {
    let Some(token) = context.meta.get_progress_token() else {
        return false;
    };
    // Whole numbers that a run reaches are exact as floating point.
    #[expect(clippy::cast_precision_loss, reason = "a count of events")]
    let param = ProgressNotificationParam::new(token, events as f64)
        .with_message(format!("{run}: {events} events so far"));
    let sent = context.peer.notify_progress(param).await;
    matches!(sent, Ok(()) | Err(rmcp::ServiceError::TransportClosed))
}

/// The question of a run that waits for its answer.
#[derive(Default)]
pub(super) struct OpenQuestion(pub(super) Option<Box<FormDataRequest>>);

impl OpenQuestion {
    /// What is said after a question shows that the run no longer waits.
    pub(super) fn read(&mut self, entry: &LogEntry) {
        if !entry.name.starts_with("interactive:form_data:") {
            self.0 = None;
            return;
        }
        let is_over = serde_json::from_str::<FormDataError>(&entry.data)
            .is_ok_and(|error| error.field_errors.contains_key("_callback"));
        self.0 = serde_json::from_str(&entry.data)
            .ok()
            .filter(|_| !is_over)
            .map(Box::new);
    }
}

/// Whether a run of this status ended well.
pub(super) fn is_success(status: RunStatus) -> bool {
    status == RunStatus::Completed
}
