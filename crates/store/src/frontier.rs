//! Port `Frontier`: the addresses of a crawl, those that wait and those that were read, outside of memory.

use async_trait::async_trait;
use sha2::{Digest as _, Sha256};

use crate::Error;
use crate::jobs::Lease;

/// Names an address, a content or a group: the first 16 bytes of the SHA-256 of its text.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct AddressKey(pub [u8; 16]);

impl AddressKey {
    /// The key of a text.
    pub fn of(text: &str) -> Self {
        let digest: [u8; 32] = Sha256::digest(text.as_bytes()).into();
        let mut key = [0; 16];
        key.iter_mut().zip(digest).for_each(|(to, from)| *to = from);
        Self(key)
    }
}

/// An address that a crawl has found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewAddress {
    /// The key of its canonical form.
    pub key: AddressKey,
    /// The address as it is to be fetched.
    pub url: String,
    /// Its host, which [`Frontier::take`] may leave out.
    pub host: String,
    /// Links between the start and this address.
    pub depth: u32,
    /// The higher, the sooner; of equal ones the first comes first.
    pub score: i64,
    /// A set of similar addresses that this one belongs to, of which only so many are taken in.
    pub group: Option<AddressKey>,
}

/// An address that a worker has taken.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TakenAddress {
    /// Its key.
    pub key: AddressKey,
    /// The address.
    pub url: String,
    /// Its host.
    pub host: String,
    /// Links between the start and this address.
    pub depth: u32,
    /// What was said of it is in the run's log after this number, if anywhere.
    pub after_seq: u64,
}

/// A page that was read, with what is compared and what was found on it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ReadPage {
    /// The address that was taken.
    pub key: AddressKey,
    /// Where redirects led, when that is another address.
    pub landed: Option<AddressKey>,
    /// The key of its content: pages with the same one are duplicates.
    pub content: Option<AddressKey>,
    /// A sketch of its text: those of similar texts differ in few bits.
    pub sketch: Option<u64>,
    /// The addresses on it. Those of a duplicate are not taken in.
    pub links: Vec<NewAddress>,
}

/// A page that another one is a duplicate of.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Duplicate {
    /// Its address.
    pub url: String,
    /// In what they agree.
    pub kind: DuplicateKind,
}

/// In what two pages agree.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DuplicateKind {
    /// One redirects to the other.
    Redirect,
    /// Their content is the same.
    Content,
    /// Their texts are similar. The links of such a page are taken in.
    Similar,
}

/// How much is taken in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct FrontierBounds {
    /// Addresses in all.
    pub addresses: u64,
    /// Addresses of one group.
    pub group: u64,
}

/// What a worker reports, written as a whole or not at all.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FrontierUpdate {
    /// Pages that were read.
    pub pages: Vec<ReadPage>,
    /// Addresses that come from elsewhere. Those that are known stay as they are.
    pub added: Vec<NewAddress>,
    /// Addresses whose results are in the log.
    pub finished: Vec<AddressKey>,
    /// What the worker wants to find again, in its own words; none leaves it as it is.
    pub state: Option<String>,
    /// How much is taken in.
    pub bounds: FrontierBounds,
}

/// What came of an update.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct FrontierReply {
    /// What each page of the update is a duplicate of, in their order.
    pub duplicates: Vec<Option<Duplicate>>,
    /// Addresses that are new.
    pub added: u64,
    /// New ones that were left out because there are too many in all.
    pub over_addresses: u64,
    /// New ones that were left out because their group has too many.
    pub over_group: u64,
    /// Addresses in all.
    pub known: u64,
}

/// A frontier as a worker finds it.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct FrontierStatus {
    /// What the worker before has left.
    pub state: Option<String>,
    /// Addresses that were taken and not finished, in the order in which they were found.
    pub taken: Vec<TakenAddress>,
    /// Addresses in all.
    pub known: u64,
}

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
