//! Budget for response bodies in memory and for what is made of them, shared by all fetches of a client.
//!
//! A body takes bytes from the budget in steps while it is read, and gives them back when the last handle of
//! it is dropped. The steps cannot deadlock. Bodies are ordered by age, and a body other than the oldest one
//! that is still being read gets a step only if the oldest one could then still grow to the largest size
//! allowed. So the oldest one always ends, its bytes come back when its reader is done with them, and the
//! next one is the oldest.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use bytes::Bytes;
use tokio::sync::{Notify, OwnedSemaphorePermit, Semaphore};
use tokio::time::timeout;
use tokio_util::sync::CancellationToken;

use crate::error::{Error, TimeLimit};

/// The budget. Clones share it.
#[derive(Clone)]
pub(crate) struct BodyBudget(Arc<Mutex<BudgetState>>);

struct BudgetState {
    /// Bytes that nobody holds.
    free: usize,
    /// Largest size of one body.
    largest: usize,
    next_ticket: u64,
    /// Bodies being read, oldest first.
    growing: BTreeMap<u64, GrowingBody>,
}

#[derive(Default)]
struct GrowingBody {
    held: usize,
    /// Bytes it waits for; zero when it does not wait.
    wanted: usize,
    granted: Arc<Notify>,
}

impl BodyBudget {
    /// Bytes taken at a time.
    const STEP: usize = 256 * 1024;

    /// A budget of `total` bytes for bodies of at most `largest` bytes each.
    pub(crate) fn new(total: usize, largest: usize) -> BodyBudget {
        BodyBudget(Arc::new(Mutex::new(BudgetState {
            free: total.max(largest),
            largest,
            next_ticket: 0,
            growing: BTreeMap::new(),
        })))
    }

    /// A reservation for a body about to be read, with no bytes yet.
    pub(crate) fn reserve(&self) -> BodyReservation {
        let mut state = lock(&self.0);
        let ticket = state.next_ticket;
        state.next_ticket += 1;
        state.growing.insert(ticket, GrowingBody::default());
        BodyReservation {
            budget: self.clone(),
            ticket,
            held: 0,
        }
    }
}

/// The bytes of one body that is being read. Dropping it gives them back.
pub(crate) struct BodyReservation {
    budget: BodyBudget,
    ticket: u64,
    /// Bytes granted so far.
    held: usize,
}

impl BodyReservation {
    /// Whether a body of this many bytes needs further bytes of the budget.
    pub(crate) fn is_short_of(&self, bytes: usize) -> bool {
        bytes > self.held
    }

    /// Waits until the body may have this many bytes; at most the largest size of one body counts.
    pub(crate) async fn grow_to(&mut self, bytes: usize) {
        let granted = {
            let mut state = lock(&self.budget.0);
            let target = bytes.next_multiple_of(BodyBudget::STEP).min(state.largest);
            let wanted = target.saturating_sub(self.held);
            let Some(body) = state.growing.get_mut(&self.ticket) else {
                return;
            };
            body.wanted = wanted;
            let granted = body.granted.clone();
            state.grant_waiting();
            granted
        };
        loop {
            let notified = granted.notified();
            {
                let state = lock(&self.budget.0);
                match state.growing.get(&self.ticket) {
                    Some(body) if body.wanted > 0 => {}
                    body => {
                        self.held = body.map_or(self.held, |body| body.held);
                        return;
                    }
                }
            }
            notified.await;
        }
    }

    /// The whole body, which holds `bytes.len()` bytes of the budget until the last handle of it is dropped.
    pub(crate) fn attach(self, bytes: impl AsRef<[u8]> + Send + 'static) -> Bytes {
        if bytes.as_ref().is_empty() {
            return Bytes::new();
        }
        let mut state = lock(&self.budget.0);
        let held = bytes.as_ref().len();
        let granted = state.growing.remove(&self.ticket).map_or(0, |body| body.held);
        // The caller asked for these bytes before it read them, so that there are never too few.
        let held = held.min(granted);
        state.free += granted - held;
        state.grant_waiting();
        drop(state);
        Bytes::from_owner(BudgetedBody {
            bytes,
            held,
            budget: self.budget.clone(),
        })
    }
}

impl Drop for BodyReservation {
    fn drop(&mut self) {
        let mut state = lock(&self.budget.0);
        if let Some(body) = state.growing.remove(&self.ticket) {
            state.free += body.held;
            state.grant_waiting();
        }
    }
}

/// A whole body with its part of the budget.
struct BudgetedBody<T> {
    bytes: T,
    held: usize,
    budget: BodyBudget,
}

impl<T: AsRef<[u8]>> AsRef<[u8]> for BudgetedBody<T> {
    fn as_ref(&self) -> &[u8] {
        self.bytes.as_ref()
    }
}

impl<T> Drop for BudgetedBody<T> {
    fn drop(&mut self) {
        let mut state = lock(&self.budget.0);
        state.free += self.held;
        state.grant_waiting();
    }
}

impl BudgetState {
    /// Grants what is waited for, oldest body first, up to the first one that has to wait on.
    fn grant_waiting(&mut self) {
        let mut reserved = 0;
        for (nth, body) in self.growing.values_mut().enumerate() {
            if body.wanted > 0 {
                if self.free < body.wanted + reserved {
                    break;
                }
                self.free -= body.wanted;
                body.held += std::mem::take(&mut body.wanted);
                body.granted.notify_one();
            }
            if nth == 0 {
                reserved = self.largest.saturating_sub(body.held);
            }
        }
    }
}

/// Room for what readers make of large bodies. Each reader takes all it needs at once, in the order of arrival. Clones
/// share it.
#[derive(Clone)]
pub(crate) struct ReadingRoom {
    units: u32,
    free: Arc<Semaphore>,
}

/// Room that a reader holds until it drops this.
#[derive(Debug)]
pub struct HeldRoom {
    _units: OwnedSemaphorePermit,
}

impl ReadingRoom {
    /// Bytes of one unit of room.
    const UNIT: usize = 1024;

    pub(crate) fn new(bytes: usize) -> ReadingRoom {
        let units = u32::try_from(bytes / Self::UNIT)
            .unwrap_or(u32::MAX)
            .clamp(1, MOST_UNITS);
        ReadingRoom {
            units,
            free: Arc::new(Semaphore::new(units as usize)),
        }
    }

    /// Waits for this many bytes; a reader that needs more than there is gets all of it, and reads alone.
    pub(crate) async fn hold(
        &self,
        bytes: usize,
        longest: Duration,
        cancel: &CancellationToken,
    ) -> Result<HeldRoom, Error> {
        let units = u32::try_from(bytes.div_ceil(Self::UNIT)).unwrap_or(u32::MAX);
        let units = self.free.clone().acquire_many_owned(units.min(self.units));
        tokio::select! {
            () = cancel.cancelled() => Err(Error::Cancelled),
            units = timeout(longest, units) => match units {
                Ok(Ok(units)) => Ok(HeldRoom { _units: units }),
                _ => Err(Error::Timeout(TimeLimit::Room)),
            },
        }
    }
}

/// Most units of a room: 512 GB.
const MOST_UNITS: u32 = 1 << 29;

fn lock(state: &Mutex<BudgetState>) -> MutexGuard<'_, BudgetState> {
    state.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests;
