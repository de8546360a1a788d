//! Lists of runs: open ones from this process's copy, all of them from the names in the index, hour by hour.

use std::time::Duration;

use bytes::Bytes;
use futures_util::{StreamExt as _, TryStreamExt as _, stream};
use jiff::Timestamp;
use serde::Deserialize;
use wire::RunId;
use wire::run::RunStatus;

use super::api::{NO_BODY, Refusal};
use super::engine::Nats;
use super::runs::{CLIENT_PATIENCE, retrying};
use super::state::{Head, RunState};
use crate::Error;
use crate::jobs::JobQuery;

/// Hours whose names are asked for at once.
const HOURS: i64 = 24;
/// Runs that are read at once.
const READS: usize = 16;
/// Between two tries to write how far back the index goes.
const PAUSE: Duration = Duration::from_millis(100);
/// Microseconds of an hour.
const HOUR: i64 = 3_600_000_000;

impl Nats {
    /// The newest runs that fit a query.
    pub(super) async fn newest(&self, query: &JobQuery) -> Result<Vec<(RunId, RunState)>, Error> {
        let before = match &query.before {
            None => i64::MAX,
            Some(run) => {
                let head = self.0.load(run, CLIENT_PATIENCE).await?;
                head.ok_or_else(|| Error::UnknownRun(run.clone()))?.state.created
            }
        };
        let mut found = Vec::new();
        if matches!(query.status, Some(RunStatus::Queued | RunStatus::Running)) {
            let open = self.0.open_runs().newest(before, query.owner.as_deref());
            self.collect(open, query, &mut found).await?;
            return Ok(found);
        }
        let now = Timestamp::now().as_microsecond();
        // One hour more, for machines whose clocks are ahead.
        let mut hour = before.min(now + HOUR).div_euclid(HOUR);
        let oldest = self.oldest_hour().await?;
        while hour >= oldest && found.len() < query.limit {
            let names = self.names(hour, oldest, query, before).await?;
            self.collect(names, query, &mut found).await?;
            hour -= HOURS;
        }
        Ok(found)
    }

    /// The hour of the oldest message of the index.
    async fn oldest_hour(&self) -> Result<i64, Error> {
        #[derive(Deserialize)]
        struct Info {
            state: State,
        }
        #[derive(Deserialize)]
        struct State {
            messages: u64,
            first_ts: String,
        }
        let info = format!("STREAM.INFO.{}", self.0.layout.index_stream());
        let Info { state } = retrying(CLIENT_PATIENCE, || self.0.jetstream.request(&info, &NO_BODY)).await?;
        if state.messages == 0 {
            return Ok(i64::MAX);
        }
        let first = state
            .first_ts
            .parse::<Timestamp>()
            .unwrap_or(Timestamp::UNIX_EPOCH);
        // One hour less, for machines whose clocks are behind.
        let first = first.as_microsecond().div_euclid(HOUR) - 1;
        Ok(self
            .imported_hour()
            .await?
            .map_or(first, |(hour, _)| hour.min(first)))
    }

    /// The oldest hour of imported runs, with the sequence of the message that says so.
    pub(super) async fn imported_hour(&self) -> Result<Option<(i64, u64)>, Error> {
        let (stream, subject) = (self.0.layout.index_stream(), self.0.layout.oldest_index());
        let found = retrying(CLIENT_PATIENCE, || self.0.jetstream.last(&stream, &subject)).await?;
        let Some(found) = found else { return Ok(None) };
        let hour = std::str::from_utf8(&found.body)
            .ok()
            .and_then(|text| text.parse().ok());
        let hour = hour.ok_or_else(|| Error::Damaged {
            reason: format!("{subject} cannot be read"),
        })?;
        Ok(Some((hour, found.seq)))
    }

    /// Makes lists go back to the hour of a run that is imported.
    pub(super) async fn reach_back(&self, created: i64) -> Result<(), Error> {
        /// Other imports that may be first.
        const TRIES: usize = 50;
        let hour = created.div_euclid(HOUR);
        for _ in 0..TRIES {
            let (known, seq) = match self.imported_hour().await? {
                Some((known, _)) if known <= hour => return Ok(()),
                Some((known, seq)) => (known, seq),
                None => (i64::MAX, 0),
            };
            let subject = self.0.layout.oldest_index();
            let body = Bytes::from(hour.min(known).to_string());
            match self.0.jetstream.publish(&subject, Some(seq), &[], body).await {
                Ok(_) => return Ok(()),
                Err(Refusal::Stale | Refusal::Unavailable(_)) => tokio::time::sleep(PAUSE).await,
                Err(refusal) => return Err(refusal.into()),
            }
        }
        Err(Refusal::Stale.into())
    }

    /// Creation and id of the runs of some hours, newest first.
    async fn names(
        &self,
        newest: i64,
        oldest: i64,
        query: &JobQuery,
        before: i64,
    ) -> Result<Vec<(i64, String)>, Error> {
        let stream_name = self.0.layout.index_stream();
        let hours = (0..HOURS)
            .map(|back| newest - back)
            .filter(|hour| *hour >= oldest);
        let asked = hours.map(|hour| {
            let filter = self.0.layout.index(hour, query.owner.as_deref());
            let stream_name = &stream_name;
            async move {
                retrying(CLIENT_PATIENCE, || {
                    self.0.jetstream.subjects(stream_name, &filter)
                })
                .await
            }
        });
        let subjects: Vec<Vec<String>> = stream::iter(asked)
            .buffer_unordered(HOURS as usize)
            .try_collect()
            .await?;
        let mut names: Vec<(i64, String)> = subjects
            .into_iter()
            .flatten()
            .filter_map(|subject| {
                let mut words = subject.rsplit('.');
                let id = words.next()?.to_owned();
                Some((words.next()?.parse().ok()?, id))
            })
            .filter(|(created, _)| *created < before)
            .collect();
        names.sort_unstable_by(|one, other| other.cmp(one));
        Ok(names)
    }

    /// Reads runs in order until enough of them fit the query.
    async fn collect(
        &self,
        names: Vec<(i64, String)>,
        query: &JobQuery,
        found: &mut Vec<(RunId, RunState)>,
    ) -> Result<(), Error> {
        let runs = names
            .into_iter()
            .filter_map(|(created, id)| Some((created, RunId::parse(&id).ok()?)));
        let read = runs.map(|(created, run)| async move {
            let head = self.0.load(&run, CLIENT_PATIENCE).await?;
            // A request that was sent twice at once may have left an entry of another creation.
            let head: Option<Head> = head.filter(|head| head.state.created == created);
            Ok::<_, Error>(head.map(|head| (run, head.state)))
        });
        let mut read = stream::iter(read).buffered(READS);
        while found.len() < query.limit {
            let Some(job) = read.next().await else {
                return Ok(());
            };
            let fits = |(_, state): &(RunId, RunState)| {
                query
                    .owner
                    .as_ref()
                    .is_none_or(|owner| state.owner.as_deref().unwrap_or_default() == owner)
                    && query.status.is_none_or(|status| state.status == status)
            };
            found.extend(job?.filter(fits));
        }
        Ok(())
    }
}
