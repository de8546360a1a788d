//! The pool of child processes, as their parent sees it.

mod spawner;
mod worker;

use std::ffi::OsString;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError, Weak};
use std::time::{Duration, Instant};

use bytes::Bytes;
use tokio::sync::Semaphore;
use tokio::task::JoinHandle;

use crate::error::Error;
use crate::limits::Protections;
use crate::protocol::{ARGUMENT, TaskKind, decode};
use spawner::Spawner;
use worker::Worker;

/// Most children at the same time; each may need [`crate::MAX_MEMORY`].
const MAX_CHILDREN: usize = 4;
/// Longest wait for a child that is free.
const MAX_WAIT: Duration = Duration::from_secs(20);
/// How long a child without work is kept.
const MAX_IDLE: Duration = Duration::from_secs(30);
/// Most tasks of one child.
const MAX_TASKS: u32 = 200;
/// Most time that one child spends on tasks before it is replaced.
const MAX_BUSY: Duration = Duration::from_secs(10);
/// Longest answer to a check.
const CHECK_TIMEOUT: Duration = Duration::from_secs(5);

/// Runs tasks in child processes. Cheap to clone; clones share the children, which end with the last clone.
///
/// Children are started when they are needed, serve several tasks one after the other, and are ended when they have had
/// no work for half a minute. A task that is too slow, or whose future is dropped, ends with its child.
#[derive(Debug, Clone)]
pub struct Sandbox(Arc<Pool>);

#[derive(Debug)]
struct Pool {
    spawner: Spawner,
    slots: Semaphore,
    idle: Mutex<IdleWorkers>,
}

#[derive(Debug, Default)]
struct IdleWorkers {
    workers: Vec<(Worker, Instant)>,
    sweep: Option<JoinHandle<()>>,
}

impl Sandbox {
    /// A sandbox whose children are this program, started with `ARGUMENT`: its `main` has to call
    /// [`crate::child::run`] then. None where the system does not say which program this is.
    pub fn of_this_program() -> Option<Sandbox> {
        // On Linux this names the file that runs, even when an update has replaced it on the disk.
        let own = PathBuf::from("/proc/self/exe");
        let program = if cfg!(target_os = "linux") && own.exists() {
            own
        } else {
            std::env::current_exe().ok()?
        };
        Some(Sandbox::new(program, [ARGUMENT.into()]))
    }

    /// A sandbox whose children are this program with these arguments.
    pub fn new(program: PathBuf, arguments: impl IntoIterator<Item = OsString>) -> Sandbox {
        Sandbox(Arc::new(Pool {
            spawner: Spawner::new(program, arguments.into_iter().collect()),
            slots: Semaphore::new(MAX_CHILDREN),
            idle: Mutex::default(),
        }))
    }

    /// Starts a child and asks what protects it.
    ///
    /// # Errors
    /// When no child can be started.
    pub async fn check(&self) -> Result<Protections, Error> {
        decode(
            &self
                .run(TaskKind::Check, Bytes::new(), CHECK_TIMEOUT, |_| {})
                .await?,
        )
    }

    /// How many children have no work.
    pub fn idle_children(&self) -> usize {
        self.0.idle().workers.len()
    }

    /// Runs a task. Its parts are handed over as they come. Dropping the future ends the child.
    pub(crate) async fn run(
        &self,
        kind: TaskKind,
        payload: Bytes,
        limit: Duration,
        on_part: impl FnMut(Vec<u8>),
    ) -> Result<Vec<u8>, Error> {
        let slot = tokio::time::timeout(MAX_WAIT, self.0.slots.acquire()).await;
        let Ok(Ok(_slot)) = slot else {
            return Err(Error::Busy);
        };
        let mut worker = match self.0.take_idle() {
            Some(worker) => worker,
            None => Worker::start(&self.0.spawner).await?,
        };
        let begun = Instant::now();
        let answer = tokio::time::timeout(limit, worker.exchange(kind, &payload, on_part)).await;
        worker.tasks += 1;
        worker.busy += begun.elapsed();
        let result = match answer {
            Ok(Ok(answer)) => answer,
            Ok(Err(_)) => return Err(worker.cause_of_death(limit).await),
            Err(_) => Err(Error::Timeout(limit)),
        };
        let is_intact = result.as_ref().err().is_none_or(Error::leaves_child_intact);
        if is_intact && worker.tasks < MAX_TASKS && worker.busy < MAX_BUSY {
            self.0.keep(worker);
        } else {
            worker.end().await;
        }
        result
    }
}

impl Pool {
    fn idle(&self) -> std::sync::MutexGuard<'_, IdleWorkers> {
        self.idle.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The worker that was used last and is still alive.
    fn take_idle(&self) -> Option<Worker> {
        let mut idle = self.idle();
        while let Some((mut worker, _)) = idle.workers.pop() {
            if worker.is_alive() {
                return Some(worker);
            }
        }
        None
    }

    /// Keeps a worker for the next task, and has it ended when there is none for a while.
    fn keep(self: &Arc<Pool>, worker: Worker) {
        let mut idle = self.idle();
        idle.workers.push((worker, Instant::now()));
        if idle.sweep.as_ref().is_none_or(JoinHandle::is_finished) {
            idle.sweep = Some(tokio::spawn(sweep(Arc::downgrade(self))));
        }
    }
}

/// Ends workers that have been idle for too long, until there is none.
async fn sweep(pool: Weak<Pool>) {
    loop {
        tokio::time::sleep(MAX_IDLE / 2).await;
        let Some(pool) = pool.upgrade() else { return };
        let mut idle = pool.idle();
        idle.workers.retain(|(_, since)| since.elapsed() < MAX_IDLE);
        if idle.workers.is_empty() {
            idle.sweep = None;
            return;
        }
    }
}
