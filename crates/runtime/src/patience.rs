//! `Patience`: how long work waits for a store that does not answer.

use std::time::Duration;

use tokio::time::Instant;
use wire::Code;

use crate::error::ServiceError;

/// How long work waits for a store that does not answer. A cluster chooses new leaders within 10 s.
const PATIENCE: Duration = Duration::from_secs(60);
/// How long it waits before it tries again.
const PAUSE: Duration = Duration::from_millis(500);

/// Waits before another try while the store does not answer: a run is not given up for a moment without one.
pub(crate) struct Patience(Instant);

impl Patience {
    pub(crate) fn begin() -> Self {
        Self(Instant::now() + PATIENCE)
    }

    /// Gives the error back when another try is no use, or too late.
    pub(crate) async fn wait(&self, error: ServiceError) -> Result<(), ServiceError> {
        if error.code != Code::StoreUnavailable || Instant::now() >= self.0 {
            return Err(error);
        }
        tokio::time::sleep(PAUSE).await;
        Ok(())
    }
}
