//! Futures that compute for long, polled so that the threads that serve others are not held.
//!
//! Parsing a page of some megabytes, matching selectors against it or reading records from it takes up to seconds
//! without an `await`. On a worker thread of the runtime that would hold every other task of the thread.

use std::cell::Cell;
use std::future::poll_fn;
use std::pin::pin;
use std::sync::LazyLock;
use std::task::Poll;

use tokio::runtime::{Handle, RuntimeFlavor};
use tokio::sync::Semaphore;

/// Futures of [`unblocked`] that compute at the same time, for each core: short ones get their turn beside long ones.
const POLLS_PER_CORE: usize = 4;

static PERMITS: LazyLock<Semaphore> = LazyLock::new(|| {
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    Semaphore::new(cores * POLLS_PER_CORE)
});

thread_local! {
    /// Whether this thread polls for [`unblocked`] at the moment: then it has handed its other tasks on already.
    static IS_HANDED_ON: Cell<bool> = const { Cell::new(false) };
}

/// Runs a future so that each of its polls may take as long as it likes: before a poll, the worker thread hands its
/// other tasks on to another thread. At most four polls for each core run at the same time; the others wait without a
/// thread. On a runtime of one thread the future is polled as usual.
pub async fn unblocked<F: Future>(future: F) -> F::Output {
    let mut future = pin!(future);
    loop {
        // None only if the semaphore were closed, which nothing does.
        let permit = match IS_HANDED_ON.get() {
            true => None,
            false => PERMITS.acquire().await.ok(),
        };
        let mut turn = Some(permit);
        let polled = poll_fn(|context| match turn.take() {
            // The permit is given back after the poll.
            Some(_permit) => handed_on(|| future.as_mut().poll(context)).map(Some),
            // The future was woken: it needs a permit anew.
            None => Poll::Ready(None),
        });
        if let Some(output) = polled.await {
            return output;
        }
    }
}

/// Calls a function that may compute for long, on this thread, after handing its other tasks on.
fn handed_on<T>(compute: impl FnOnce() -> T) -> T {
    if IS_HANDED_ON.get() {
        return compute();
    }
    let marked = || {
        let _mark = HandedOnMark::set();
        compute()
    };
    match Handle::try_current().map(|runtime| runtime.runtime_flavor()) {
        Ok(RuntimeFlavor::MultiThread) => tokio::task::block_in_place(marked),
        _ => marked(),
    }
}

/// Sets [`IS_HANDED_ON`] until it is dropped, also by a panic.
struct HandedOnMark;

impl HandedOnMark {
    fn set() -> HandedOnMark {
        IS_HANDED_ON.set(true);
        HandedOnMark
    }
}

impl Drop for HandedOnMark {
    fn drop(&mut self) {
        IS_HANDED_ON.set(false);
    }
}

#[cfg(test)]
mod tests {
    use std::time::{Duration, Instant};

    use super::*;

    fn spin(time: Duration) {
        let began = Instant::now();
        while began.elapsed() < time {
            std::hint::spin_loop();
        }
    }

    #[tokio::test(flavor = "multi_thread", worker_threads = 1)]
    async fn other_tasks_run_while_one_computes() {
        let computing = tokio::spawn(unblocked(async {
            tokio::task::yield_now().await;
            // A nested one waits for no further permit.
            unblocked(async { spin(Duration::from_secs(3)) }).await;
            7
        }));
        let began = Instant::now();
        for _ in 0..10 {
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
        assert!(began.elapsed() < Duration::from_secs(2), "{:?}", began.elapsed());
        assert!(!computing.is_finished());
        assert_eq!(computing.await.unwrap(), 7);
    }

    #[tokio::test(flavor = "multi_thread", worker_threads = 2)]
    async fn more_than_may_compute_at_once_all_come_to_their_end() {
        let many = (0..200).map(|at| {
            tokio::spawn(unblocked(async move {
                for _ in 0..3 {
                    unblocked(async { spin(Duration::from_millis(1)) }).await;
                    tokio::task::yield_now().await;
                    tokio::time::sleep(Duration::from_millis(at % 5)).await;
                }
                at
            }))
        });
        let mut sum = 0;
        for one in many.collect::<Vec<_>>() {
            sum += one.await.unwrap();
        }
        assert_eq!(sum, (0..200).sum::<u64>());
    }

    #[tokio::test]
    async fn a_runtime_of_one_thread_is_no_obstacle() {
        assert_eq!(unblocked(async { 5 }).await, 5);
    }
}
