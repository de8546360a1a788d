//! Port `Vault`: named values that outlive runs and are kept encrypted: profiles of browsers, secrets, endpoints
//! of webhooks, and keys of models.

use async_trait::async_trait;
use jiff::Timestamp;

use crate::Error;

/// What kind of value a record holds. Names are unique for each kind of an owner.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum RecordKind {
    /// The state of a browser: cookies and local storage.
    Profile,
    /// A secret that is put into fields of pages.
    Secret,
    /// An endpoint of webhooks: its address and what messages to it are signed with.
    Webhook,
    /// A tenant's own key of a provider of models.
    ModelKey,
}

impl RecordKind {
    /// Every kind.
    pub const ALL: [Self; 4] = [Self::Profile, Self::Secret, Self::Webhook, Self::ModelKey];

    /// The name under which engines keep it; it never changes.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Profile => "profile",
            Self::Secret => "secret",
            Self::Webhook => "webhook",
            Self::ModelKey => "model-key",
        }
    }
}

/// Names one record.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct RecordKey {
    /// Whose it is; empty for nobody in particular. Others see nothing of it.
    pub owner: String,
    /// Its kind.
    pub kind: RecordKind,
    /// Its name.
    pub name: String,
}

impl RecordKey {
    /// What a sealed value of this record is authenticated with: one that was moved to another record does not open.
    pub(crate) fn context(&self) -> String {
        format!("vault\0{}\0{}\0{}", self.owner, self.kind.as_str(), self.name)
    }
}

/// A record without its value.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RecordSummary {
    /// Its name.
    pub name: String,
    /// What may be shown of it, as JSON. It is kept as it is, so it holds nothing secret.
    pub facts: String,
    /// Grows with every write.
    pub generation: u64,
    /// When it was created.
    pub created_at: Timestamp,
    /// When it was last written.
    pub updated_at: Timestamp,
}

/// A record with its value; or why that cannot be decrypted.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Record {
    /// The rest of it.
    pub summary: RecordSummary,
    /// The value.
    pub value: Result<String, Error>,
}

/// Which state of a record a write follows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum WriteCondition {
    /// There is no such record yet, and the owner has fewer than this many of the kind.
    Absent {
        /// Most records of the kind.
        limit: usize,
    },
    /// The record exists in this generation.
    Generation(u64),
}

/// Named values, encrypted at rest.
///
/// Promises, for every engine:
/// - What returned is durable.
/// - A value is nowhere in the clear on a disk. One that was replaced or deleted is gone, also as ciphertext.
/// - A record is seen under its owner's name only.
/// - Of two writes that follow the same generation one is done.
#[async_trait]
pub trait Vault: Send + Sync {
    /// Writes a record, if the condition holds. Gives its generation; none where the condition does not hold.
    ///
    /// # Errors
    /// [`Error::VaultFull`] when the owner has as many as may be; [`Error::DiskFull`], and those of the engine.
    async fn write(
        &self,
        key: &RecordKey,
        facts: &str,
        value: &str,
        condition: WriteCondition,
    ) -> Result<Option<u64>, Error>;

    /// A record with its value, if there is one of this name.
    ///
    /// # Errors
    /// Those of the engine.
    async fn read(&self, key: &RecordKey) -> Result<Option<Record>, Error>;

    /// The records of an owner, by name, without their values.
    ///
    /// # Errors
    /// Those of the engine.
    async fn list(&self, owner: &str, kind: RecordKind) -> Result<Vec<RecordSummary>, Error>;

    /// Deletes a record. False when there is none.
    ///
    /// # Errors
    /// Those of the engine.
    async fn delete(&self, key: &RecordKey) -> Result<bool, Error>;
}
