//! Fair shares of workers: start-time fair queueing between owners.
//!
//! Each owner has a virtual time, which grows by the worker time its runs take, divided by its weight. A claim serves the
//! owner with the smallest one. An owner that comes back from being idle starts at the virtual time of the one served last,
//! so it neither waits for its turn nor makes up for the time it was away. Source: Goyal, Vin and Cheng, "Start-time Fair
//! Queueing", SIGCOMM 1996; the charge that is corrected at the end of a run is that of Kubernetes API Priority and Fairness.

/// The share of workers that an owner is given.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct OwnerShare {
    /// How much worker time the owner gets beside others that wait too; 1 to [`OwnerShare::MAX_WEIGHT`].
    pub weight: u32,
    /// How many of its runs are done at once; further ones wait. None is no limit.
    pub running: Option<u32>,
}

impl OwnerShare {
    /// The largest weight.
    pub const MAX_WEIGHT: u32 = 1000;
}

impl Default for OwnerShare {
    fn default() -> Self {
        Self {
            weight: 1,
            running: None,
        }
    }
}

/// Least charge for a run, in milliseconds: what taking and ending one costs, so that a run of no length counts as well.
const LEAST_CHARGE: i64 = 1000;
/// Most that one run is charged in advance, in milliseconds.
const MOST_CHARGE: i64 = 3_600_000;
/// Units of virtual time in a millisecond of an owner of weight 1. A multiple of most weights, so that little is rounded.
const UNITS: i64 = 1_000_000;

/// What an engine keeps of an owner to share workers out.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct ShareState {
    pub(crate) share: OwnerShare,
    /// Virtual time, in units.
    pub(crate) virtual_time: i64,
    /// Milliseconds that a run of this owner took lately.
    pub(crate) estimate: i64,
    pub(crate) queued: u32,
    pub(crate) running: u32,
}

impl Default for ShareState {
    fn default() -> Self {
        Self {
            share: OwnerShare::default(),
            virtual_time: 0,
            estimate: LEAST_CHARGE,
            queued: 0,
            running: 0,
        }
    }
}

impl ShareState {
    /// Whether a run of the owner may be taken.
    pub(crate) fn may_be_served(&self) -> bool {
        self.queued > 0 && self.share.running.is_none_or(|limit| self.running < limit)
    }

    /// Where the owner stands among those that wait; `floor` is the virtual time of the owner served last.
    pub(crate) fn start(&self, floor: i64) -> i64 {
        self.virtual_time.max(floor)
    }

    /// Charges a run in advance, as long as the last ones took. Returns the charge in milliseconds and the new floor.
    pub(crate) fn charge(&mut self, floor: i64) -> (i64, i64) {
        let start = self.start(floor);
        let charge = self.estimate.clamp(LEAST_CHARGE, MOST_CHARGE);
        self.virtual_time = start.saturating_add(self.units(charge));
        (charge, start)
    }

    /// Corrects the charge of a run that took `actual` milliseconds. A clock that was set back makes no run shorter than
    /// the least charge.
    pub(crate) fn settle(&mut self, charged: i64, actual: i64) {
        let actual = actual.clamp(LEAST_CHARGE, MOST_CHARGE);
        self.estimate = (self.estimate.saturating_mul(3).saturating_add(actual)) / 4;
        self.virtual_time = self
            .virtual_time
            .saturating_add(self.units(actual.saturating_sub(charged)));
    }

    fn units(&self, milliseconds: i64) -> i64 {
        let weight = i64::from(self.share.weight.clamp(1, OwnerShare::MAX_WEIGHT));
        milliseconds.saturating_mul(UNITS) / weight
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Serves the owner that is first, for as long as its runs take, and says who it was.
    fn serve(owners: &mut [ShareState], floor: &mut i64, took: &[i64]) -> usize {
        let first = (0..owners.len())
            .min_by_key(|&at| owners[at].start(*floor))
            .unwrap();
        let (charge, start) = owners[first].charge(*floor);
        *floor = start;
        owners[first].settle(charge, took[first]);
        first
    }

    fn owner(weight: u32) -> ShareState {
        let share = OwnerShare {
            weight,
            ..OwnerShare::default()
        };
        ShareState {
            share,
            queued: 1,
            ..ShareState::default()
        }
    }

    #[test]
    fn worker_time_is_shared_by_weight_however_long_the_runs_are() {
        let (mut owners, mut floor) = ([owner(1), owner(1), owner(2)], 0);
        let took = [1000, 20_000, 5000];
        let mut time = [0; 3];
        for _ in 0..4000 {
            let served = serve(&mut owners, &mut floor, &took);
            time[served] += took[served];
        }
        let all: i64 = time.iter().sum();
        for (time, percent) in time.iter().zip([25, 25, 50]) {
            let share = time * 1000 / all;
            assert!((share - percent * 10).abs() < 20, "{time} of {all}");
        }
    }

    #[test]
    fn an_owner_that_comes_back_is_served_next_and_makes_up_for_nothing() {
        let (mut owners, mut floor) = ([owner(1), owner(1)], 0);
        for _ in 0..100 {
            serve(&mut owners[..1], &mut floor, &[1000]);
        }
        let turns: Vec<usize> = (0..6)
            .map(|_| serve(&mut owners, &mut floor, &[1000, 1000]))
            .collect();
        assert_eq!(turns, [1, 0, 1, 0, 1, 0]);
    }

    #[test]
    fn no_number_breaks_the_account() {
        let mut state = ShareState {
            share: OwnerShare {
                weight: 0,
                running: Some(0),
            },
            virtual_time: i64::MAX,
            estimate: i64::MAX,
            queued: 1,
            running: 0,
        };
        assert!(!state.may_be_served());
        let (charge, start) = state.charge(i64::MIN);
        assert_eq!((charge, start), (MOST_CHARGE, i64::MAX));
        state.settle(charge, i64::MIN);
        state.settle(charge, i64::MAX);
    }
}
