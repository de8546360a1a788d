//! What the worker of a crawl and the keeper of its addresses say to each other.

use sha2::{Digest as _, Sha256};

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
    /// Its host, which taking addresses may leave out.
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
    /// Its place in the order in which addresses were found, from 0.
    pub place: u64,
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
    /// Addresses that come from elsewhere.
    ///
    /// Those that are known, here and among the links of pages, stay as they are, but for one: an address that is not finished
    /// gets the smaller of the two depths, and while it waits the score that goes with it.
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
