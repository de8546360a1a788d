//! What `huntsman cluster` shows and checks: streams, sessions, and the runs themselves.

use serde::{Deserialize, Serialize};
use wire::RunId;

use super::api::{JetStream, NO_BODY};
use super::engine::Nats;
use super::runs::{CLIENT_PATIENCE, retrying};
use super::watch;
use crate::Error;
use crate::jobs::{JobQuery, JobSummary, Jobs as _, WorkerCapabilities};
use crate::log::EventLog as _;

/// The role of processes that have workers and nothing else.
const WORKER: &str = "worker";

/// A stream and its replicas.
#[derive(Debug, Clone, Serialize)]
pub struct StreamStatus {
    /// Its name.
    pub name: String,
    /// Messages in it.
    pub messages: u64,
    /// Bytes of them.
    pub bytes: u64,
    /// The server that leads it; none while there is no quorum.
    pub leader: Option<String>,
    /// Its other replicas: server, whether it is up to date, how many operations it is behind.
    pub replicas: Vec<(String, bool, u64)>,
}

/// A process that has beaten within the last minute.
#[derive(Debug, Clone, Serialize)]
pub struct SessionStatus {
    /// What it is: `server`, `worker` or `command`.
    pub role: String,
    /// Its host.
    pub host: String,
    /// Its process id there.
    pub pid: u32,
    /// Its version.
    pub program: String,
    /// How many runs it holds.
    pub holds: usize,
    /// What its workers have, where it has workers.
    pub has: Option<WorkerCapabilities>,
}

/// The state of a cluster.
#[derive(Debug, Clone, Serialize)]
pub struct ClusterStatus {
    /// The version of the server that answered.
    pub server: String,
    /// Runs that wait.
    pub queued: usize,
    /// Runs that a worker has.
    pub running: usize,
    /// Runs that wait for a worker with Chromium, and no live worker has it.
    pub stranded: usize,
    /// The streams.
    pub streams: Vec<StreamStatus>,
    /// The processes.
    pub sessions: Vec<SessionStatus>,
}

/// What a check of all runs found.
#[derive(Debug, Clone, Default, Serialize)]
pub struct VerifiedRuns {
    /// Runs that were checked.
    pub runs: usize,
    /// Events that were read.
    pub events: u64,
    /// What is wrong, one sentence each.
    pub faults: Vec<String>,
}

async fn stream_status(jetstream: &JetStream, name: String) -> Result<StreamStatus, Error> {
    #[derive(Deserialize)]
    struct Info {
        state: State,
        #[serde(default)]
        cluster: Option<Cluster>,
    }
    #[derive(Deserialize)]
    struct State {
        messages: u64,
        bytes: u64,
    }
    #[derive(Deserialize)]
    struct Cluster {
        #[serde(default)]
        leader: Option<String>,
        #[serde(default)]
        replicas: Option<Vec<Replica>>,
    }
    #[derive(Deserialize)]
    struct Replica {
        name: String,
        #[serde(default)]
        current: bool,
        #[serde(default)]
        lag: u64,
    }
    let info = format!("STREAM.INFO.{name}");
    let Info { state, cluster } = retrying(CLIENT_PATIENCE, || jetstream.request(&info, &NO_BODY)).await?;
    let (leader, replicas) = cluster.map_or((None, None), |cluster| (cluster.leader, cluster.replicas));
    let replicas = replicas.unwrap_or_default();
    Ok(StreamStatus {
        name,
        messages: state.messages,
        bytes: state.bytes,
        leader,
        replicas: replicas
            .into_iter()
            .map(|replica| (replica.name, replica.current, replica.lag))
            .collect(),
    })
}

impl Nats {
    /// Streams, processes, and how many runs wait and run.
    ///
    /// # Errors
    /// [`Error::Engine`] when the cluster does not answer.
    pub async fn status(&self) -> Result<ClusterStatus, Error> {
        let mut streams = Vec::new();
        for name in self.0.layout.streams() {
            streams.push(stream_status(&self.0.jetstream, name).await?);
        }
        let beats = retrying(CLIENT_PATIENCE, || watch::sessions(&self.0)).await?;
        let mut sessions: Vec<SessionStatus> = beats
            .into_iter()
            .filter(|(session, _)| *session != self.0.session)
            .map(|(_, beat)| SessionStatus {
                role: beat.role,
                host: beat.host,
                pid: beat.pid,
                program: beat.program,
                holds: beat.holds.len(),
                has: beat.has,
            })
            .collect();
        sessions.sort_by(|one, other| {
            (&one.role, &one.host, one.pid).cmp(&(&other.role, &other.host, other.pid))
        });
        // A worker of an earlier version takes every run.
        let has = |session: &SessionStatus| {
            session
                .has
                .or((session.role == WORKER).then_some(WorkerCapabilities::ALL))
        };
        let workers: Vec<WorkerCapabilities> = sessions.iter().filter_map(has).collect();
        let (queued, running) = self.0.open_runs().counts();
        let stranded = self.0.open_runs().stranded(&workers);
        Ok(ClusterStatus {
            server: self.0.jetstream.0.server_info().version,
            queued,
            running,
            stranded,
            streams,
            sessions,
        })
    }

    /// Reads every run and checks its log: numbers dense, one last event that ends it where the run has ended and none where
    /// it goes on, every stored body there.
    ///
    /// # Errors
    /// [`Error::Engine`] when the cluster does not answer.
    pub async fn verify(&self) -> Result<VerifiedRuns, Error> {
        /// Runs of one page.
        const PAGE: usize = 200;
        let mut verified = VerifiedRuns::default();
        let mut before: Option<RunId> = None;
        loop {
            let query = JobQuery {
                owner: None,
                status: None,
                before: before.take(),
                limit: PAGE,
            };
            let page = self.list(query).await?;
            for job in &page {
                verified.runs += 1;
                match self.verify_run(job).await {
                    Ok((events, fault)) => {
                        verified.events += events;
                        verified.faults.extend(fault);
                    }
                    Err(Error::Damaged { reason }) => verified.faults.push(format!("{}: {reason}", job.id)),
                    Err(error) => return Err(error),
                }
            }
            match page.last() {
                Some(last) if page.len() == PAGE => before = Some(last.id.clone()),
                _ => return Ok(verified),
            }
        }
    }

    /// How many events a run has, and what is wrong with it.
    async fn verify_run(&self, job: &JobSummary) -> Result<(u64, Option<String>), Error> {
        let mut last = job.expired_seq;
        let mut ended = job.expired_seq > 0;
        let fault = |text: &str, last: u64| Some(format!("{}: {text} after event {last}", job.id));
        loop {
            let batch = self.read(&job.id, last, 256).await?;
            if batch.is_empty() {
                break;
            }
            for entry in batch {
                if entry.seq != last + 1 {
                    return Ok((last, fault("a gap", last)));
                }
                if ended {
                    return Ok((last, fault("an event follows the last one", last)));
                }
                (last, ended) = (entry.seq, entry.terminal);
            }
        }
        if self.get(&job.id).await?.is_none() {
            // It was removed meanwhile.
            return Ok((last, None));
        }
        let is_final = job.status.is_final();
        let wrong = if is_final && last != job.last_seq {
            fault("events are missing", last)
        } else if is_final && !ended {
            fault("it has ended without a last event", last)
        } else {
            None
        };
        Ok((last - job.expired_seq, wrong))
    }
}
