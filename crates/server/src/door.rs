//! What every handler holds: the house behind the door and the door's own state.

use std::net::SocketAddr;
use std::sync::Arc;

use runtime::Service;
use runtime::worker::Workers;
use tokio_util::sync::CancellationToken;

use crate::auth::Keys;
use crate::guests::Guests;
use crate::settings::Settings;

/// The running house that the doors lead into.
#[derive(Clone)]
pub struct House {
    /// Takes jobs, tells of runs.
    pub service: Service,
    /// Does the jobs; closed by the server when it closes, so that streams end after their runs.
    pub workers: Workers,
}

/// One server's state. Cheap to clone; clones are the same one.
#[derive(Clone)]
pub(crate) struct Door(Arc<Inner>);

pub(crate) struct Inner {
    pub(crate) house: House,
    pub(crate) settings: Settings,
    pub(crate) keys: Keys,
    pub(crate) guests: Guests,
    /// Set when the server takes no more requests.
    pub(crate) closing: CancellationToken,
    /// Set when the runs have stopped, so that no stream has anything to wait for.
    pub(crate) ended: CancellationToken,
    /// Set when what is left is cut off.
    pub(crate) cut: CancellationToken,
}

impl Door {
    pub(crate) fn new(house: House, settings: Settings, address: SocketAddr) -> Self {
        Self(Arc::new(Inner {
            keys: Keys::new(&settings.api_keys),
            guests: Guests::new(address, &settings.hosts),
            house,
            settings,
            closing: CancellationToken::new(),
            ended: CancellationToken::new(),
            cut: CancellationToken::new(),
        }))
    }
}

impl std::ops::Deref for Door {
    type Target = Inner;

    fn deref(&self) -> &Inner {
        &self.0
    }
}
