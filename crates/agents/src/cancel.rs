//! Why a run ends before its agent is done, and how every part of it hears of that.

use std::future::poll_fn;
use std::pin::pin;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use std::task::Poll;
use std::time::Duration;

use tokio::sync::Notify;
use tokio::time::Instant;
use tokio_util::sync::CancellationToken;

/// Why a run was stopped. An agent hands it up with `?`; it does not decide about it.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Cancelled {
    /// Somebody cancelled the run.
    #[error("cancelled")]
    Requested,
    /// The client that the run was attached to has gone.
    #[error("cancelled because its client has gone")]
    ClientGone,
    /// The run took longer than it may.
    #[error("stopped after its limit of {} s", limit.as_secs())]
    TimedOut {
        /// The limit that was passed.
        limit: Duration,
    },
    /// The process is going down; a successor takes the run over.
    #[error("interrupted because the process is shutting down")]
    ShuttingDown,
    /// Another worker holds the run now; this one must not write any more.
    #[error("another worker has taken the run over")]
    Fenced,
    /// The log could not be written, so that nothing more may be said.
    #[error("the event log cannot be written: {reason}")]
    LogUnavailable {
        /// What the store said.
        reason: String,
    },
}

impl Cancelled {
    /// Whether the run goes on elsewhere, so that this worker must leave its log open.
    pub fn leaves_the_log_open(&self) -> bool {
        match self {
            Self::ShuttingDown | Self::Fenced | Self::LogUnavailable { .. } => true,
            Self::Requested | Self::ClientGone | Self::TimedOut { .. } => false,
        }
    }
}

/// The switch of a run: pulled once, with a reason, and felt by everything that waits on it.
#[derive(Debug, Clone)]
pub struct CancelSignal {
    token: CancellationToken,
    reason: Arc<OnceLock<Cancelled>>,
    held: Arc<HeldTime>,
    limit: Duration,
    deadline: Instant,
}

/// Until when a run is this worker's alone.
#[derive(Debug, Default)]
struct HeldTime {
    /// None where nobody else can take the run.
    until: Mutex<Option<Instant>>,
    prolonged: Notify,
}

impl HeldTime {
    fn is_over(&self) -> bool {
        let until = *self.until.lock().unwrap_or_else(PoisonError::into_inner);
        until.is_some_and(|until| Instant::now() >= until)
    }

    fn prolong(&self, until: Instant) {
        *self.until.lock().unwrap_or_else(PoisonError::into_inner) = Some(until);
        self.prolonged.notify_waiters();
    }

    /// Does a future, but lets it rest while the time is over: a worker that was stopped for longer than its lease, or that
    /// cannot reach the store, must not act beside the one that may have the run now. The future goes on when the lease is
    /// renewed after all.
    async fn only_while_held<T>(&self, future: impl Future<Output = T>) -> T {
        let (mut future, mut prolonged) = (pin!(future), pin!(self.prolonged.notified()));
        poll_fn(|context| {
            while self.is_over() {
                if prolonged.as_mut().poll(context).is_pending() {
                    return Poll::Pending;
                }
                prolonged.set(self.prolonged.notified());
            }
            future.as_mut().poll(context)
        })
        .await
    }
}

impl CancelSignal {
    /// A switch that pulls itself after `limit`.
    pub fn after(limit: Duration) -> Self {
        Self {
            token: CancellationToken::new(),
            reason: Arc::default(),
            held: Arc::default(),
            limit,
            deadline: Instant::now() + limit,
        }
    }

    /// Says that the run is this worker's alone until then. What waits on the switch rests after that time, until it is
    /// prolonged or the run is over.
    pub fn hold_until(&self, until: Instant) {
        self.held.prolong(until);
    }

    /// Pulls the switch. Only the first reason counts.
    pub fn cancel(&self, reason: Cancelled) {
        let _ = self.reason.set(reason);
        self.token.cancel();
    }

    /// The token that is cancelled with the run, for calls that take one.
    pub fn token(&self) -> &CancellationToken {
        &self.token
    }

    /// An error when the run is over.
    ///
    /// # Errors
    /// The reason it is over.
    pub fn check(&self) -> Result<(), Cancelled> {
        if Instant::now() >= self.deadline {
            self.cancel(Cancelled::TimedOut { limit: self.limit });
        }
        if self.token.is_cancelled() {
            Err(self.reason())
        } else {
            Ok(())
        }
    }

    /// Waits for a future, or for the end of the run, whichever comes first; the future is dropped at the end.
    ///
    /// # Errors
    /// The reason the run is over.
    pub async fn until_cancelled<T>(&self, future: impl Future<Output = T>) -> Result<T, Cancelled> {
        self.check()?;
        tokio::select! {
            biased;
            () = self.token.cancelled() => Err(self.reason()),
            () = tokio::time::sleep_until(self.deadline) => {
                self.cancel(Cancelled::TimedOut { limit: self.limit });
                Err(self.reason())
            }
            value = self.held.only_while_held(future) => Ok(value),
        }
    }

    fn reason(&self) -> Cancelled {
        self.reason.get().cloned().unwrap_or(Cancelled::Requested)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test(start_paused = true)]
    async fn whoever_waits_feels_the_switch() {
        let stop = CancelSignal::after(Duration::from_secs(60));
        let waiting = stop.until_cancelled(std::future::pending::<()>());
        stop.cancel(Cancelled::ClientGone);
        stop.cancel(Cancelled::Requested);
        assert_eq!(waiting.await, Err(Cancelled::ClientGone));
        assert_eq!(stop.check(), Err(Cancelled::ClientGone));
    }

    #[tokio::test(start_paused = true)]
    async fn nothing_is_done_while_another_worker_may_have_the_run() {
        let stop = CancelSignal::after(Duration::from_secs(600));
        let began = Instant::now();
        let at = |seconds| began + Duration::from_secs(seconds);
        stop.hold_until(at(10));
        let act = async {
            tokio::time::sleep(Duration::from_secs(5)).await;
            let before = Instant::now();
            tokio::time::sleep(Duration::from_secs(7)).await;
            (before, Instant::now())
        };
        let renew = async {
            tokio::time::sleep(Duration::from_secs(20)).await;
            stop.hold_until(at(30));
        };
        let (acted, ()) = tokio::join!(stop.until_cancelled(act), renew);
        assert_eq!(
            acted,
            Ok((at(5), at(20))),
            "the second step had to wait for the renewal"
        );
        tokio::time::sleep(Duration::from_secs(15)).await;
        let fenced = async {
            tokio::time::sleep(Duration::from_secs(1)).await;
            stop.cancel(Cancelled::Fenced);
        };
        let (acted, ()) = tokio::join!(stop.until_cancelled(async { 1 }), fenced);
        assert_eq!(acted, Err(Cancelled::Fenced));
    }

    #[tokio::test(start_paused = true)]
    async fn a_run_ends_at_its_limit() {
        let limit = Duration::from_secs(60);
        let stop = CancelSignal::after(limit);
        assert_eq!(stop.until_cancelled(async { 1 }).await, Ok(1));
        assert_eq!(
            stop.until_cancelled(std::future::pending::<()>()).await,
            Err(Cancelled::TimedOut { limit })
        );
    }
}
