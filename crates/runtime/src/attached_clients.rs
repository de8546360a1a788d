//! `AttachedClients`: how many clients a run has that must not outlive them.

/// The clients of a run that must not outlive them.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct AttachedClients {
    /// How many are attached.
    pub(crate) now: usize,
    /// How many have come so far.
    pub(crate) arrivals: u64,
}

impl AttachedClients {
    /// Counts one that has come.
    pub(crate) fn arrive(&mut self) {
        self.now += 1;
        self.arrivals += 1;
    }
}
