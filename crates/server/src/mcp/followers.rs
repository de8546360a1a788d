//! `RunFollowers`: which clients follow which run, so that one that nobody knows of does not go on for nobody.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use runtime::Service;
use wire::RunId;

/// How long a run whose id no client knows goes on when all have gone: long enough to repeat the call.
const GRACE: Duration = Duration::from_secs(60);
/// The calls that follow runs.
pub(super) struct RunFollowers {
    service: Service,
    followed: Mutex<HashMap<RunId, Interest>>,
}

#[derive(Default)]
struct Interest {
    followers: usize,
    /// How often a client was told the run's id.
    told: u64,
    /// Grows whenever a client comes.
    arrivals: u64,
}

/// How a call came to the run that it follows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum RunOrigin {
    /// It has begun the run.
    Begun,
    /// It equals a call or a request that began the run.
    Joined,
    /// Its client knows the run's id.
    Named,
}

/// One call that follows a run.
pub(super) struct Follower {
    all: Arc<RunFollowers>,
    run: RunId,
}

impl RunFollowers {
    pub(super) fn new(service: Service) -> Arc<Self> {
        let followed = Mutex::default();
        Arc::new(Self { service, followed })
    }

    pub(super) fn enter(self: &Arc<Self>, run: &RunId, origin: RunOrigin) -> Follower {
        let mut followed = self.lock();
        let is_known = match origin {
            RunOrigin::Begun => false,
            // Runs that no client knows stay among those that are followed; whoever began another one was told its id.
            RunOrigin::Joined => !followed.contains_key(run),
            RunOrigin::Named => true,
        };
        let interest = followed.entry(run.clone()).or_default();
        interest.told += u64::from(is_known);
        interest.followers += 1;
        interest.arrivals += 1;
        Follower {
            all: Arc::clone(self),
            run: run.clone(),
        }
    }

    /// Cancels the runs whose id no client knows. For a server that closes with its only client.
    pub(super) async fn cancel_untold(&self) {
        let untold: Vec<RunId> = {
            let followed = self.lock();
            let untold = followed.iter().filter(|(_, interest)| interest.told == 0);
            untold.map(|(run, _)| run.clone()).collect()
        };
        for run in untold {
            self.cancel(&run).await;
        }
    }

    async fn cancel(&self, run: &RunId) {
        if let Err(error) = self.service.cancel(None, run).await {
            tracing::warn!(%run, %error, "a run whose client has gone could not be cancelled");
        }
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, HashMap<RunId, Interest>> {
        self.followed.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Follower {
    /// Notes that a client knows the run's id, and so can come back to it.
    pub(super) fn told(&self) {
        if let Some(interest) = self.all.lock().get_mut(&self.run) {
            interest.told += 1;
        }
    }

    /// Takes that back: the message did not go out.
    pub(super) fn not_told(&self) {
        if let Some(interest) = self.all.lock().get_mut(&self.run) {
            interest.told = interest.told.saturating_sub(1);
        }
    }
}

impl Drop for Follower {
    fn drop(&mut self) {
        let arrivals = {
            let mut followed = self.all.lock();
            let Some(interest) = followed.get_mut(&self.run) else {
                return;
            };
            interest.followers = interest.followers.saturating_sub(1);
            if interest.followers > 0 {
                return;
            }
            if interest.told > 0 {
                followed.remove(&self.run);
                return;
            }
            interest.arrivals
        };
        let (all, run) = (Arc::clone(&self.all), self.run.clone());
        let Ok(handle) = tokio::runtime::Handle::try_current() else {
            return;
        };
        handle.spawn(async move {
            tokio::time::sleep(GRACE).await;
            let is_deserted = {
                let mut followed = all.lock();
                let same = followed
                    .get(&run)
                    .is_some_and(|it| it.followers == 0 && it.arrivals == arrivals);
                if same {
                    followed.remove(&run);
                }
                same
            };
            if is_deserted {
                all.cancel(&run).await;
            }
        });
    }
}

#[cfg(test)]
mod tests {
    use runtime::service::{ServiceSettings, Submission};
    use store::engines::memory::InMemoryStore;
    use wire::run::{JobRequest, RunSpec};
    use wire::scrape::ScrapeRequest;

    use super::*;

    #[tokio::test(start_paused = true)]
    async fn a_run_that_nobody_knows_of_is_cancelled_after_a_while_and_no_other() {
        let settings = ServiceSettings {
            queue: 9,
            patience: Duration::from_millis(10),
            free_space: 0,
        };
        let store = InMemoryStore::open();
        let service = Service::new(store.clone(), settings);
        let is_cancelled = async |run: &RunId| {
            store
                .jobs
                .get(run)
                .await
                .unwrap()
                .unwrap()
                .summary
                .cancel
                .is_some()
        };
        let request = ScrapeRequest::new(vec!["https://a.example/".into()], "read");
        let spec = RunSpec::new(JobRequest::Scrape(request));
        let mut runs = Vec::new();
        for _ in 0..7 {
            runs.push(service.submit(&spec, Submission::default()).await.unwrap().id);
        }
        let followers = RunFollowers::new(service.clone());
        let [
            deserted,
            told,
            asked_again,
            followed,
            named,
            of_others,
            deserted_twice,
        ] = &runs[..]
        else {
            panic!("seven runs");
        };
        let enter = |run: &RunId, origin| followers.enter(run, origin);
        let begin = |run: &RunId| enter(run, RunOrigin::Begun);
        let leave_untold = |follower: Follower| {
            follower.told();
            follower.not_told();
        };
        leave_untold(begin(deserted));
        let follower = begin(told);
        follower.told();
        follower.told();
        follower.not_told();
        drop(follower);
        drop(begin(asked_again));
        let _stays = (begin(followed), drop(enter(followed, RunOrigin::Joined)));
        leave_untold(enter(named, RunOrigin::Named));
        leave_untold(enter(of_others, RunOrigin::Joined));
        leave_untold(begin(deserted_twice));
        leave_untold(enter(deserted_twice, RunOrigin::Joined));
        tokio::time::sleep(GRACE / 2).await;
        let again = enter(asked_again, RunOrigin::Joined);
        tokio::time::sleep(GRACE * 2).await;
        let mut cancelled = Vec::new();
        for run in &runs {
            cancelled.push(is_cancelled(run).await);
        }
        assert_eq!(cancelled, [true, false, false, false, false, false, true]);
        drop(again);
        followers.cancel_untold().await;
        for run in [asked_again, followed] {
            assert!(is_cancelled(run).await);
        }
    }
}
