//! MemoStore and ReplayJournal: a run that is taken over repeats its steps with the answers that its log holds.

use std::collections::{HashMap, VecDeque};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{SystemTime, UNIX_EPOCH};

use async_trait::async_trait;
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;
use wire::research::{ResearchEvent, ResearchMemo};
use wire::{Event as _, LogEntry, Stamped};

use crate::cancel::Cancelled;
use crate::run::{Journal, Run};

/// The answers that the log keeps.
pub(crate) struct MemoStore {
    run: Run<ResearchEvent>,
    kept: Mutex<HashMap<String, Value>>,
}

impl MemoStore {
    /// The answer to what `key` names: the one that is kept, or the one that `ask` brings, which is kept from then on.
    /// When this returned, the answer is in the log.
    ///
    /// The same run has to ask the same thing under the same key, and two things under two.
    pub(crate) async fn once<T: Serialize + DeserializeOwned>(
        &self,
        key: String,
        ask: impl Future<Output = Result<T, Cancelled>>,
    ) -> Result<T, Cancelled> {
        let kept = self.lock().remove(&key);
        if let Some(answer) = kept.and_then(|it| serde_json::from_value(it).ok()) {
            return Ok(answer);
        }
        let answer = Box::pin(ask).await?;
        if let Ok(value) = serde_json::to_value(&answer) {
            self.run
                .emit(ResearchEvent::Kept(ResearchMemo { key, value }))
                .await?;
            self.run.settle().await?;
        }
        Ok(answer)
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, HashMap<String, Value>> {
        self.kept.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Says what the log does not say yet.
pub(crate) struct ReplayJournal {
    inner: Arc<dyn Journal<ResearchEvent>>,
    said: Mutex<ReplayState>,
}

struct ReplayState {
    /// Names and times of the events that the log has and this worker has not reached again.
    ahead: VecDeque<(String, i64)>,
    /// When the last of them was said that this worker has reached again; at first, when the run began.
    last: Option<i64>,
    /// How long no worker had the run, in milliseconds; known once all of them are reached.
    gap: i64,
}

/// Takes a run over from the log of the workers before: the same run, what they kept, and their clock.
pub(crate) fn take_over(
    run: &Run<ResearchEvent>,
    earlier: &[LogEntry],
) -> (Run<ResearchEvent>, MemoStore, Arc<ReplayJournal>) {
    let mut kept = HashMap::new();
    let mut ahead = VecDeque::new();
    for entry in earlier {
        match Stamped::<ResearchEvent>::from_entry(entry) {
            Ok(Stamped {
                event: ResearchEvent::Kept(it),
                ..
            }) => {
                kept.insert(it.key, it.value);
            }
            _ => ahead.push_back((entry.name.clone(), entry.at.as_millisecond())),
        }
    }
    let replay = Arc::new(ReplayJournal {
        inner: run.journal(),
        said: Mutex::new(ReplayState {
            last: ahead.front().map(|(_, at)| *at),
            ahead,
            gap: 0,
        }),
    });
    let journal: Arc<dyn Journal<ResearchEvent>> = replay.clone();
    let run = Run::new(journal, run.cancel_signal().clone());
    let memos = MemoStore {
        run: run.clone(),
        kept: Mutex::new(kept),
    };
    (run, memos, replay)
}

impl ReplayJournal {
    /// The time of the run, in milliseconds, for measuring how long something takes: in the part that is walked again, the time when
    /// it was walked first. After it the time goes on from there, so that it does not pass while no worker has the run.
    pub(crate) fn now(&self) -> i64 {
        let said = self.lock();
        match said.last {
            Some(at) if !said.ahead.is_empty() => at,
            _ => now() - said.gap,
        }
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, ReplayState> {
        self.said.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Whether the log says this already.
    fn is_said(&self, event: &ResearchEvent) -> bool {
        let mut said = self.lock();
        let Some((name, at)) = said.ahead.pop_front() else {
            return false;
        };
        if name != event.name() {
            // Another version wrote the log. What it said stays; the rest is said as this one says it.
            tracing::warn!(
                logged = name,
                said = event.name(),
                "a run goes on otherwise than it began"
            );
            said.ahead.clear();
            said.gap = said.last.map_or(0, |last| now() - last);
            return false;
        }
        said.last = Some(at);
        if said.ahead.is_empty() {
            said.gap = now() - at;
        }
        true
    }
}

fn now() -> i64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    i64::try_from(since.as_millis()).unwrap_or(i64::MAX)
}

#[async_trait]
impl Journal<ResearchEvent> for ReplayJournal {
    async fn record(&self, event: ResearchEvent) -> Result<(), Cancelled> {
        if !matches!(event, ResearchEvent::Kept(_)) && self.is_said(&event) {
            return Ok(());
        }
        self.inner.record(event).await
    }

    async fn settle(&self) -> Result<(), Cancelled> {
        self.inner.settle().await
    }

    fn turn(&self, iteration: String) {
        self.inner.turn(iteration);
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use wire::research::ResearchStart;

    use super::*;
    use crate::cancel::CancelSignal;

    struct NoLog;

    #[async_trait]
    impl Journal<ResearchEvent> for NoLog {
        async fn record(&self, _: ResearchEvent) -> Result<(), Cancelled> {
            Ok(())
        }

        async fn settle(&self) -> Result<(), Cancelled> {
            Ok(())
        }

        fn turn(&self, _: String) {}
    }

    #[tokio::test]
    async fn the_time_of_a_run_goes_on_where_the_worker_before_has_left_it() {
        const BEGAN: i64 = 1_764_000_000_000;
        let event = |message: &str| {
            ResearchEvent::Start(ResearchStart {
                message: message.to_owned(),
            })
        };
        let entry = |(seq, after): (u64, i64)| {
            let at = jiff::Timestamp::from_millisecond(BEGAN + after).unwrap();
            Stamped {
                seq,
                at,
                iteration: None,
                event: event("it begins"),
            }
            .entry()
        };
        let earlier: Vec<LogEntry> = [(1, 0), (2, 600_000), (3, 850_000)].map(entry).into();
        let run = Run::new(Arc::new(NoLog), CancelSignal::after(Duration::from_secs(600)));
        let (run, _, clock) = take_over(&run, &earlier);
        assert_eq!(clock.now(), BEGAN, "before anything is reached again");
        let mut passed = Vec::new();
        for _ in 0..3 {
            run.emit(event("it begins")).await.unwrap();
            passed.push(clock.now() - BEGAN);
        }
        assert_eq!(passed[..2], [0, 600_000]);
        // The first worker was lost long ago; less than the limit of this run has passed since it went on.
        assert!((850_000..850_000 + 600_000).contains(&passed[2]), "{passed:?}");
    }
}
