//! Port `Records`: small values by name, each changed by compare-and-set.

use async_trait::async_trait;

use crate::Error;

/// A stored value.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Record {
    /// Its name in its collection.
    pub name: String,
    /// The value, at most [`MAX_VALUE`] bytes.
    pub value: String,
    /// Changes with every write, and is never 0 nor that of an earlier record of the name.
    pub revision: u64,
}

/// Longest value, in bytes.
pub const MAX_VALUE: usize = 64 << 10;

/// Small values that are kept until they are deleted: tenants, API keys, the audit log.
///
/// Collections and names consist of 1 to 128 letters, digits and `-_.=/`, as the keys of a NATS key-value bucket do.
///
/// Promises, for every engine:
/// - What returned is durable: it survives the process's death at the next instruction.
/// - Of several writers that expect the same revision, one writes.
#[async_trait]
pub trait Records: Send + Sync {
    /// A record, if there is one of this name.
    ///
    /// # Errors
    /// Those of the engine.
    async fn get(&self, collection: &str, name: &str) -> Result<Option<Record>, Error>;

    /// Writes a record whose revision is `expected`, where 0 stands for no record, and returns the new revision; none when
    /// the revision is another one, and then nothing was written.
    ///
    /// # Errors
    /// Those of the engine.
    async fn put(
        &self,
        collection: &str,
        name: &str,
        value: String,
        expected: u64,
    ) -> Result<Option<u64>, Error>;

    /// Deletes a record. False when there was none.
    ///
    /// # Errors
    /// Those of the engine.
    async fn delete(&self, collection: &str, name: &str) -> Result<bool, Error>;

    /// Deletes a record whose revision is this. False when it has another one, or there is none; then nothing was deleted.
    ///
    /// # Errors
    /// Those of the engine.
    async fn delete_revision(&self, collection: &str, name: &str, revision: u64) -> Result<bool, Error>;

    /// At most `limit` records of a collection whose names come after `after`, in the order of the names' bytes.
    ///
    /// # Errors
    /// Those of the engine.
    async fn list(&self, collection: &str, after: &str, limit: usize) -> Result<Vec<Record>, Error>;
}
