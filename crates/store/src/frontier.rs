//! Port `Frontier`: the addresses of a crawl, those that wait and those that were read, outside of memory.

use async_trait::async_trait;
pub use wire::frontier::*;

use crate::Error;
use crate::jobs::Lease;

/// Bits in which the sketches of similar texts differ at most.
pub const SIMILAR_BITS: u32 = 3;

/// The 16-bit parts of a sketch. Sketches that differ in at most [`SIMILAR_BITS`] bits share one of them.
pub(crate) fn bands(sketch: u64) -> [u16; 4] {
    let [a, b, c, d, e, f, g, h] = sketch.to_le_bytes();
    [[a, b], [c, d], [e, f], [g, h]].map(u16::from_le_bytes)
}

/// Frontiers of crawls, one for each run.
///
/// Promises, for every engine:
/// - What returned survives the process's death at the next instruction.
/// - Only the newest lease that opened a frontier changes it.
/// - An address is taken in once, and given out once until a worker dies.
/// - An update is applied whole or not at all. One that is repeated after the worker was lost changes nothing more.
/// - The memory that a frontier takes does not grow with its addresses, unless the engine keeps everything in memory.
/// - A frontier is gone when its run has ended.
#[async_trait]
pub trait Frontier: Send + Sync {
    /// Opens the frontier of a lease's run for this lease alone, and creates it where there is none.
    ///
    /// # Errors
    /// [`Error::Fenced`] when a newer lease has opened it or the run has ended, and those of the engine.
    async fn open(&self, lease: &Lease) -> Result<FrontierStatus, Error>;

    /// Applies an update.
    ///
    /// # Errors
    /// [`Error::Fenced`] when a newer lease has opened the frontier, [`Error::DiskFull`] and those of the engine.
    async fn update(&self, lease: &Lease, update: FrontierUpdate) -> Result<FrontierReply, Error>;

    /// Gives out the `limit` waiting addresses with the highest scores, none of a host of `busy`. There may be more when
    /// fewer come back and hosts are busy.
    ///
    /// # Errors
    /// As for [`Frontier::update`].
    async fn take(&self, lease: &Lease, limit: usize, busy: &[String]) -> Result<Vec<TakenAddress>, Error>;
}
